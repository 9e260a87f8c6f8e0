"""Pictures of every page, in light and dark, small and large: `python3 packaging/dev.py shots DIR`."""

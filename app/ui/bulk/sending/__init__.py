"""Imports that are under way or over, and cancelling by a file. Begin with `import_cards`."""

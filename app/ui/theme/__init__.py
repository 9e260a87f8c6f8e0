"""Colours, sizes, icons and the style sheet. Begin with `tokens`."""

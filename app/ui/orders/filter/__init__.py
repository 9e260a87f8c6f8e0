"""The filter line, its chips, and saved views. Begin with `filter_line`."""

"""The command palette: orders, actions, pages and views, found by typing. Begin with `palette_window`."""

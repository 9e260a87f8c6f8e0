"""The command palette: orders by any number, everything that can be done, pages and views, found by typing."""

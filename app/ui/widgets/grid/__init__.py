"""Rows of a form that are edited like a spreadsheet. Begin with `grid`."""

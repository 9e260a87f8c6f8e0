"""The grid of the page: every row of the file, edited like a spreadsheet. Begin with `sheet_view`."""

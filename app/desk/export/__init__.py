"""Orders as files: CSV and XLSX with guarded cells, and a list laid out for paper. No Qt.

Begin with `export_file`. Imports the cache and `desk.files`; imported by reports and the orders page.
"""

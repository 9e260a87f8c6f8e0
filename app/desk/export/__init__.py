"""Orders as files: CSV and XLSX with guarded cells, and a list laid out for paper. No Qt.

Begin with `export_file` for orders, with `table_file` for any other table. Imports the cache and `desk.files`; imported
by reports, records, the import, the console, and the pages that export.
"""

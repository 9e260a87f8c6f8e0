"""Reads files of any usual kind into a `file_tables.Table`. Begin with `read_file`.

Invariant: a table holds what the file says, as text. Only blanks at the end of a row are dropped.
"""

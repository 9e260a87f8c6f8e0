"""Small pieces of text that people type or read: dates, links that call and write, file names, pasted cells.

Imports the standard library and `translation`; imported from everywhere above.
"""

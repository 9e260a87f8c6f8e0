"""Small pieces of text that people type or read: dates, plurals, phone numbers, file names, pasted cells.

Imports the standard library and `contract`; imported from everywhere above.
"""

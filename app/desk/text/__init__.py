"""Small pieces of text that people type or read: dates, phone numbers, ZIPs, file names, pasted cells.

Imports the standard library and `translation`; imported from everywhere above.
"""

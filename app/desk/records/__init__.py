"""Records whose shape the contract does not give: fetched and kept, read as a table, exported.

Begin with `record_table`. Imports the cache, `desk.export` and `desk.files`; imported by loads, known data and pages.
"""

"""Orders as the pages show them: rows and counts, documents, watched orders. Begin with `stored_orders`.

Imports the store's cache; imported by `desk.sync`, `desk.filter` and the pages.
"""

"""Orders in the cache as the pages ask for them. Begin with `stored_orders`.

Imports the store's cache; imported by `desk.sync`, `desk.filter` and the pages.
"""

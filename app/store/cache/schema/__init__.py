"""The tables of the cache, the raw fields of an order's JSON text, and clauses as data. Begin with `cache_schema`."""

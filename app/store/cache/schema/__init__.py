"""The cache's tables, the fields of an order's own text, and conditions as SQL. Begin with `cache_schema`."""

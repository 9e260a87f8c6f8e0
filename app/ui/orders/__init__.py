"""The orders page: the table, its filter, the order beside it, and what can be done. Begin with `orders_page`."""

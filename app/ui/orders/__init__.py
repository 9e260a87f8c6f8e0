"""The orders page: the table, its filter, the order beside it, and what can be done.

Begin with `orders_page`, whose docstring draws the parts and the one way from a key to rows: `filter`, `query_state`,
`row_loader`, `table`.
"""

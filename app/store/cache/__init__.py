"""Orders and audits as last seen from the provider. All of it can be deleted and fetched again.

    order_store, order_rows, order_columns, order_query    orders in, orders out
    fetched_windows, reply_digests    which days were asked for, and how that ended
    change_marks, listed_references, order_cursor, forget    parts of their own
    known_values    consignees and codes that were sent or seen
    index/          the search index: sets of orders by term, and sorting
    schema/         the tables, and conditions as SQL
    audits/         audits and their questions

Begin with `order_store`. Every function takes the connection and runs through `Database.read` or `Database.write`.
"""

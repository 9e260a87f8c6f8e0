"""Orders and audits as last seen from the provider. All of it can be deleted and fetched again.

    order_store, order_rows, order_columns    orders in: replies become rows
    order_query, order_cursor                 orders out: pages, counts, one order, all of a query
    fetched_windows, reply_digests            which days were fetched, and how that ended
    change_marks                              columns that changed since a person looked
    past_changes                              what orders were before, and which changed on which day
    kept_answers                              the last answers about loads, facilities and reference data
    known_values                              consignees and codes that were sent or seen
    listed_references, forget                 references on the lists; deleting a profile's data
    index/          the search index: key sets by term, and sorting
    schema/         the tables, the fields of the JSON text, clauses as data
    audits/         audits and their questions

Imports `store.sqlite` and `contract`; imported by `desk` and `background`. Begin with
`store/cache/schema/cache_schema`, then `order_store` and `order_query`. Every function takes the connection and runs
through `Database.read` or `Database.write`.
"""

"""The search index of orders: which orders have a term, as compressed key sets, and the order of a sorted list.

`terms` says which terms an order has and which a clause tests; `segments` stores a posting list for each term, and
`merging` merges small segments; `key_sets` combines the lists for a query; `sort_order` and `prepared_sort` give the
keys of a list as it is sorted, `ordered_walk` passes over those that a query does not find, and `page_search` chooses
how a page is found.

Imported by the rest of `store.cache`. Begin with `key_sets`. Modules that import pyroaring are imported inside
functions by those that the first paint needs.
"""

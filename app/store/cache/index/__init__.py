"""The search index of orders: sets of keys for every term, and the order of a sorted list.

`terms` says which terms an order has, `segments` stores the sets, `key_sets` combines them for a query, `sort_order`
and `ordered_walk` bring the keys into order, `page_search` finds a page. Begin with `key_sets`.
"""

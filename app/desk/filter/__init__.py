"""The filter of orders: from the typed line to clauses, and from clauses to a query of the cache.

Begin with `filter_language` (typed text to clauses), then `resolve_filter` (clauses to an `OrderQuery`); all words
stand in `filter_words`. Imports `store.cache`; imported by `desk.audits` and the pages.
"""

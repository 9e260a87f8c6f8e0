"""The filter of orders: from the typed line to clauses, and from clauses to a question for the cache.

Begin with `filter_language` (typed text to clauses), then `resolve_filter` (clauses to an `OrderQuery`).
"""

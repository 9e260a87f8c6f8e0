"""Chooses how a page of a query is found: which keys stand at these places of its order.

Without a search or a filter, the index of the sort column has the page. If a query finds few orders, all of them are
sorted. If it finds many, the keys are walked in the order of the column's index (`ordered_walk`); an order that was
read to its end before is walked faster than rows are read to sort them.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

from array import array
from collections.abc import Iterator
from itertools import islice
from typing import Any

import apsw

from app.store.cache.index.sort_order import keys_in_order, lacks_sort_index, sorting
from app.store.cache.order_rows import OrderQuery
from app.store.sqlite.plain_rows import key_array

_FEW = 2_000  # keys are sorted within some milliseconds
_FEW_FULLY_READ = 400  # keys are sorted faster than found in an order that was read to its end
# Texts that are read while walking: at least so many, and up to a share of all that are uncertain. If the page is not
# full then, the words are rare, and to read all other texts at once costs hardly more.
_TEXTS_WHILE_WALKING, _SHARE = 40, 32


def is_unfiltered(query: OrderQuery) -> bool:
    """Whether the query finds every order of its lists."""
    return not (query.text.strip() or query.clauses or query.either)


def page_keys(c: apsw.Connection, query: OrderQuery, limit: int, offset: int) -> list[int]:
    """The keys of the page from place `offset` on, in the query's order."""
    if is_unfiltered(query):
        return list(islice(keys_in_order(c, query, offset, offset + limit), limit))
    from pyroaring import BitMap64  # the first paint does without these

    from app.store.cache.index.key_sets import find_matches, matching_keys, remember
    from app.store.cache.index.ordered_walk import is_fully_read, scan, walk_page

    matches, unindexed_sort = find_matches(c, query), lacks_sort_index(c, query.sort)
    few = _FEW_FULLY_READ if not unindexed_sort and is_fully_read(c, query) else _FEW
    uncertain = len(matches.candidates) - len(matches.certain)
    # From a later page on the walk would read all texts of the pages before it again, so it pays for the first page
    # only.
    if uncertain and len(matches.candidates) > few and not (unindexed_sort or offset):
        keys = scan(c, query, matches, limit, max(_TEXTS_WHILE_WALKING, uncertain // _SHARE))
        if keys is not None:
            # The walk came to the end of the order, so the page is the whole result, and the count need not search
            # again.
            if len(keys) < limit:
                remember(c, query, BitMap64(array("Q", keys)))
            return keys
    certain = matching_keys(c, query)
    if unindexed_sort or len(certain) <= few:
        return _sorted_page(c, query, certain, limit, offset)
    return walk_page(c, query, certain, limit, offset)


def all_keys(c: apsw.Connection, query: OrderQuery) -> Iterator[int]:
    """The keys of all orders of a query, in its order."""
    if is_unfiltered(query):
        return keys_in_order(c, query, 0)
    from app.store.cache.index.key_sets import matching_keys  # the first paint does without it

    found = matching_keys(c, query)
    return (key for key in keys_in_order(c, query, 0) if key in found)


def _sorted_page(c: apsw.Connection, query: OrderQuery, keys: Any, limit: int, offset: int) -> list[int]:
    if not keys:
        return []
    if query.sort == "number":
        way = "DESC" if query.descending else "ASC"
        table, order = "orders", f"number {way}, id {way}"
    else:
        table, order = sorting(c, query.sort, descending=query.descending)
    found = c.execute(
        f"SELECT id FROM {table} WHERE id IN carray(:keys) ORDER BY {order} LIMIT {limit:d} OFFSET {offset:d}",
        {"keys": key_array(keys.to_array()), "today": query.today.isoformat()},
    )
    return [key for (key,) in found]

"""How a page of a query is found: which keys stand at these places of its order.

With nothing to search or filter by, the index of the sorted column has them. Of a few that are found, all are sorted.
Of many, the keys are walked in the order of the column's index (see cache_walk); a whole order that is at hand is
walked sooner than rows are read to sort them.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

from array import array
from collections.abc import Iterator
from itertools import islice
from typing import Any

import apsw

from app.store.cache.index.sort_order import in_order, sorting, sorts_slowly
from app.store.cache.order_rows import OrderQuery
from app.store.sqlite.plain_rows import key_array

_FEW = 2_000  # so many are sorted within some milliseconds
_FEW_AT_HAND = 400  # so many are sorted sooner than walked through an order that is at hand
# Texts that are looked at while walking, at least so many and up to a part of all: where that does not fill the page,
# few hold the words, and to look at the rest at once costs hardly more.
_ON_THE_WAY, _PART = 40, 32


def asks_nothing(query: OrderQuery) -> bool:
    """Whether every order of its lists is found."""
    return not (query.text.strip() or query.clauses or query.either)


def page_keys(c: apsw.Connection, query: OrderQuery, limit: int, offset: int) -> list[int]:
    """The keys of the page from place `offset` on, in the query's order."""
    if asks_nothing(query):
        return list(islice(in_order(c, query, offset, offset + limit), limit))
    from pyroaring import BitMap64  # the first paint does without these

    from app.store.cache.index.key_sets import certain, find, learn
    from app.store.cache.index.ordered_walk import at_hand, looked_for, walked

    found, slow = find(c, query), sorts_slowly(c, query.sort)
    few = _FEW_AT_HAND if not slow and at_hand(c, query) else _FEW
    unsure = len(found.may) - len(found.sure)
    if unsure and len(found.may) > few and not (slow or offset):
        keys = looked_for(c, query, found, limit, max(_ON_THE_WAY, unsure // _PART))
        if keys is not None:
            if len(keys) < limit:
                learn(c, query, BitMap64(array("Q", keys)))
            return keys
    sure = certain(c, query)
    if slow or len(sure) <= few:
        return _sorted(c, query, sure, limit, offset)
    return walked(c, query, sure, limit, offset)


def all_keys(c: apsw.Connection, query: OrderQuery) -> Iterator[int]:
    """The keys of all orders of a query, in its order."""
    if asks_nothing(query):
        return in_order(c, query, 0)
    from app.store.cache.index.key_sets import certain  # the first paint does without it

    found = certain(c, query)
    return (key for key in in_order(c, query, 0) if key in found)


def _sorted(c: apsw.Connection, query: OrderQuery, keys: Any, limit: int, offset: int) -> list[int]:
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

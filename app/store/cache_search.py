"""How a page of a query is found: which keys stand at these places of its order.

With nothing to search or filter by, the index of the sorted column has them. Of a few that are found, all are sorted.
Of many, the keys are walked in the order of the column's index (see cache_walk).
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

from array import array
from collections.abc import Iterator
from itertools import islice
from typing import Any

import apsw

from app.store.cache_order import in_order, sorting, sorts_slowly
from app.store.cache_rows import OrderQuery
from app.store.sql import bound

_FEW = 2_000  # so many are sorted within some milliseconds
_LOOKED_AT = 10_000  # texts that are looked at before what is found is sorted or walked


def asks_nothing(query: OrderQuery) -> bool:
    """Whether every order of its lists is found."""
    return not (query.text.strip() or query.clauses or query.either)


def page_keys(c: apsw.Connection, query: OrderQuery, limit: int, offset: int) -> list[int]:
    """The keys of the page from place `offset` on, in the query's order."""
    if asks_nothing(query):
        return list(islice(in_order(c, query, offset, offset + limit), limit))
    from app.store.cache_sets import find  # the first paint does without them
    from app.store.cache_walk import walked

    found = find(c, query)
    unsure, slow = len(found.may) - len(found.sure), sorts_slowly(c, query.sort)
    # Where enough is sure, a walk meets it soon, and few texts on the way.
    rare = unsure <= _LOOKED_AT and len(found.sure) <= _FEW
    if unsure and (slow or offset or rare):
        sure = certain(c, query, found)
        found = found._replace(sure=sure, may=sure)
    if slow or len(found.may) <= _FEW:
        return _sorted(c, query, found.may, limit, offset)
    return walked(c, query, found, limit, offset)


def all_keys(c: apsw.Connection, query: OrderQuery) -> Iterator[int]:
    """The keys of all orders of a query, in its order."""
    if asks_nothing(query):
        return in_order(c, query, 0)
    from app.store.cache_sets import find  # the first paint does without it

    found = certain(c, query, find(c, query))
    return (key for key in in_order(c, query, 0) if key in found)


def certain(c: apsw.Connection, query: OrderQuery, found: Any) -> Any:
    """The set of what is found, each looked at that may be; it is remembered for the next question of the kind."""
    from app.store.cache_sets import known, looked_at  # the first paint does without it

    rest = found.may - found.sure
    if not rest:
        return found.sure
    it, asked = known(c), query._replace(sort="", descending=False, parts=())
    if it.certain is None or it.certain[0] != asked:
        it.certain = asked, found.sure | type(rest)(array("Q", looked_at(c, rest.to_array(), found.words)))
    return it.certain[1]


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
        {"keys": bound(keys.to_array()), "today": query.today.isoformat()},
    )
    return [key for (key,) in found]

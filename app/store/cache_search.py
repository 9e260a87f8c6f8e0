"""How a page of a query is found: which keys stand at these places of its order.

With nothing to search or filter by, the index of the sorted column has them. Of a few that are found, all are sorted.
Of many, the keys are walked in the order of the column's index (see cache_walk). A column gets its index when a person
first sorts by it.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

from array import array
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import apsw

from app.store.cache_late import by_lateness, prepare_late
from app.store.cache_rows import INDEXED, SORTS, OrderQuery
from app.store.cache_schema import MAX_NUMBER, SHELF_BITS
from app.store.sql import bound, rows, value

_FEW = 2_000  # so many are sorted within some milliseconds
_LOOKED_AT = 10_000  # texts that are looked at before what is found is sorted or walked


def asks_nothing(query: OrderQuery) -> bool:
    """Whether every order of its lists is found."""
    return not (query.text.strip() or query.clauses or query.either)


def shelves_of(c: apsw.Connection, query: OrderQuery) -> list[int]:
    """The lists of a query."""
    found = rows(c, "SELECT shelf, list FROM shelves WHERE profile = ? ORDER BY shelf", (query.profile,))
    return [shelf for shelf, name in found if query.list in (None, name)]


def sorting(sort: str, descending: bool) -> str:
    """What to sort by. Only text from `SORTS` gets into a statement; raises KeyError for another."""
    way = "DESC" if descending else "ASC"
    return f"id {way}" if sort == "number" else f"{SORTS[sort]} {way}, id {way}"


def sorts_slowly(c: apsw.Connection, sort: str) -> bool:
    """Whether a large list would be sorted anew for every page: see `prepare_sort`."""
    if sort in INDEXED or sort == "number":
        return False
    return value(c, "SELECT 1 FROM sqlite_master WHERE name = ?", (f"orders_by_{sort}",)) is None


def prepare_sort(c: apsw.Connection, sort: str) -> None:
    """Give a column the index that its sorting goes by; about a second for a million orders."""
    if not sorts_slowly(c, sort):
        return
    if sort == "late":
        prepare_late(c)
    else:
        c.execute(f"CREATE INDEX orders_by_{sort} ON orders (shelf, {SORTS[sort]})")


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
    it, asked = known(c), query._replace(sort="", descending=False)
    if it.certain is None or it.certain[0] != asked:
        it.certain = asked, found.sure | type(rest)(array("Q", looked_at(c, rest.to_array(), found.words)))
    return it.certain[1]


def _sorted(c: apsw.Connection, query: OrderQuery, keys: Any, limit: int, offset: int) -> list[int]:
    order = sorting(query.sort, query.descending)
    if query.sort == "number":
        way = "DESC" if query.descending else "ASC"
        order = f"number {way}, id {way}"
    if not keys:
        return []
    found = c.execute(
        f"SELECT id FROM orders WHERE id IN carray(:keys) ORDER BY {order} LIMIT {limit:d} OFFSET {offset:d}",
        {"keys": bound(keys.to_array()), "today": query.today.isoformat()},
    )
    return [key for (key,) in found]


def in_order(c: apsw.Connection, query: OrderQuery, passed: int, upto: int = -1) -> Iterator[int]:
    """The keys of the query's lists in its order, from place `passed` on."""
    shelves = shelves_of(c, query)
    order = sorting(query.sort, query.descending)
    few = f"LIMIT {upto - passed if upto >= 0 else -1:d} OFFSET {passed:d}"
    today = {"today": query.today.isoformat()}
    if not shelves:
        return iter(())
    if query.sort == "number":
        return _by_number(c, shelves, few, descending=query.descending, passed=passed)
    if query.sort == "late" and not sorts_slowly(c, "late"):
        return islice(by_lateness(c, shelves, query.today, descending=query.descending), passed, None)
    if len(shelves) == 1:
        statement = f"SELECT id FROM orders WHERE shelf = {shelves[0]:d} ORDER BY {order} {few}"
    else:
        # Each part comes in the order of its index, and the parts are merged as they come.
        expression, _, collation = SORTS[query.sort].partition(" COLLATE ")
        way = "DESC" if query.descending else "ASC"
        parts = " UNION ALL ".join(f"SELECT id, {expression} FROM orders WHERE shelf = {shelf:d}" for shelf in shelves)
        statement = f"{parts} ORDER BY 2 COLLATE {collation or 'BINARY'} {way}, 1 {way} {few}"
    return (found[0] for found in c.execute(statement, today))


def _by_number(c: apsw.Connection, shelves: Sequence[int], few: str, *, descending: bool, passed: int) -> Iterator[int]:
    """Keys by number. Of one list they lie in that order."""
    way = "DESC" if descending else "ASC"
    spans = [(shelf << SHELF_BITS, shelf << SHELF_BITS | MAX_NUMBER) for shelf in shelves]
    if len(spans) == 1:
        statement = f"SELECT id FROM seen WHERE id BETWEEN ? AND ? ORDER BY id {way} {few}"
        return (key for (key,) in c.execute(statement, spans[0]))
    keys = [key for span in spans for (key,) in c.execute("SELECT id FROM seen WHERE id BETWEEN ? AND ?", span)]
    return islice(sorted(keys, key=lambda key: (key & MAX_NUMBER, key), reverse=descending), passed, None)

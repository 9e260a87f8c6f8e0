"""The order of a list as it is sorted: from the index of a column, or from several that are merged. Rows without a
value stand last, whichever way it is sorted.

A column gets its index when a person first sorts by it, the usual ones after the first fetch; what lies in the orders'
own texts is written out before.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

from collections.abc import Iterator, Sequence
from itertools import islice

import apsw

from app.store.cache.index import prepared_sort
from app.store.cache.index.lateness import by_lateness, prepare_late
from app.store.cache.order_rows import INDEXED, LEAST_LATE_FIRST, SORTS, OrderQuery
from app.store.cache.schema.cache_schema import MAX_NUMBER, NUMBER_BITS
from app.store.cache.schema.raw_fields import PARTS, collated
from app.store.sqlite.plain_rows import rows, value


def partitions_of(c: apsw.Connection, query: OrderQuery) -> list[int]:
    """The lists of a query."""
    found = rows(c, "SELECT partition, list FROM partitions WHERE profile = ? ORDER BY partition", (query.profile,))
    return [partition for partition, name in found if query.list in (None, name)]


def sorting(c: apsw.Connection, sort: str, *, descending: bool) -> tuple[str, str]:
    """The table that holds what is sorted by, and in which order it is to be asked.

    Only text from `SORTS` gets into a statement; raises KeyError for another.
    """
    table, expression, collation = _held(c, sort)
    if sort == "late" and not descending:
        return table, LEAST_LATE_FIRST
    way = "DESC" if descending else "ASC"
    return table, f"{expression} COLLATE {collation} {way} NULLS LAST, id {way}"


def _held(c: apsw.Connection, sort: str) -> tuple[str, str, str]:
    """The table, the expression there, and how its values are compared."""
    if sort in PARTS and prepared_sort.is_prepared(c, sort):
        return prepared_sort.table_of(sort), "value", collated(sort)
    expression, _, collation = SORTS[sort].partition(" COLLATE ")
    return "orders", expression, collation or "BINARY"


def sorts_slowly(c: apsw.Connection, sort: str) -> bool:
    """Whether a large list would be sorted anew for every page: see `prepare_sort`."""
    if sort in INDEXED or sort == "number":
        return False
    return value(c, "SELECT 1 FROM sqlite_master WHERE name = ?", (f"orders_by_{sort}",)) is None


def to_prepare(c: apsw.Connection) -> int:
    """How many orders there are, of all profiles: what is prepared is prepared for all of them."""
    return int(value(c, "SELECT count(*) FROM seen"))


def prepare_sort(c: apsw.Connection, sort: str) -> None:
    """Give a column the index that its sorting goes by."""
    while prepare_some(c, sort) is not None:
        pass


def prepare_some(c: apsw.Connection, sort: str) -> int | None:
    """The same in steps: how many orders were gone through so far, and None once it is done.

    A column of the table takes one step, about a second for a million orders; what lies in their texts many short ones.
    """
    if not sorts_slowly(c, sort):
        return None
    if sort in PARTS:
        return prepared_sort.prepare_some(c, sort)
    if sort == "late":
        prepare_late(c)
    else:
        c.execute(f"CREATE INDEX orders_by_{sort} ON orders (partition, {SORTS[sort]})")
    return None


def in_order(c: apsw.Connection, query: OrderQuery, passed: int, upto: int = -1) -> Iterator[int]:
    """The keys of the query's lists in its order, from place `passed` on."""
    partitions = partitions_of(c, query)
    few = f"LIMIT {upto - passed if upto >= 0 else -1:d} OFFSET {passed:d}"
    today = {"today": query.today.isoformat()}
    if not partitions:
        return iter(())
    if query.sort == "number":
        return _by_number(c, partitions, few, descending=query.descending, passed=passed)
    if query.sort == "late" and not sorts_slowly(c, "late"):
        return islice(by_lateness(c, partitions, query.today, descending=query.descending), passed, None)
    if len(partitions) == 1 or query.sort == "late":
        table, order = sorting(c, query.sort, descending=query.descending)
        among = ", ".join(f"{partition:d}" for partition in partitions)
        statement = f"SELECT id FROM {table} WHERE partition IN ({among}) ORDER BY {order} {few}"
    else:
        table, expression, collation = _held(c, query.sort)
        way = "DESC" if query.descending else "ASC"
        # Each list comes in the order of its index, and the lists are merged as they come.
        lists = " UNION ALL ".join(
            f"SELECT id, {expression} FROM {table} WHERE partition = {partition:d}" for partition in partitions
        )
        statement = f"{lists} ORDER BY 2 COLLATE {collation} {way} NULLS LAST, 1 {way} {few}"
    return (found[0] for found in c.execute(statement, today))


def _by_number(
    c: apsw.Connection, partitions: Sequence[int], few: str, *, descending: bool, passed: int
) -> Iterator[int]:
    """Keys by number. Of one list they lie in that order."""
    way = "DESC" if descending else "ASC"
    spans = [(partition << NUMBER_BITS, partition << NUMBER_BITS | MAX_NUMBER) for partition in partitions]
    if len(spans) == 1:
        statement = f"SELECT id FROM seen WHERE id BETWEEN ? AND ? ORDER BY id {way} {few}"
        return (key for (key,) in c.execute(statement, spans[0]))
    keys = [key for span in spans for (key,) in c.execute("SELECT id FROM seen WHERE id BETWEEN ? AND ?", span)]
    return islice(sorted(keys, key=lambda key: (key & MAX_NUMBER, key), reverse=descending), passed, None)

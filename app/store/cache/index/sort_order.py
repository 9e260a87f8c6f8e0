"""The keys of a list as it is sorted: from the index of a column, or from several that are merged.

Invariant: rows without a value stand last, whichever way a list is sorted; equal ones are in order of their numbers.

A column gets its index when a person first sorts by it, the common ones after the first fetch. A raw field is written
into a table of its own before (`prepared_sort`). No single index holds the order by lateness: that of awaited orders
grows day by day, that of delivered ones does not change. Three indexes are merged for it.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from heapq import merge
from itertools import chain, islice

import apsw

from app.store.cache.index import prepared_sort
from app.store.cache.order_rows import INDEXED, LEAST_LATE_FIRST, SORTS, OrderQuery
from app.store.cache.schema.cache_schema import MAX_NUMBER, NUMBER_BITS
from app.store.cache.schema.raw_fields import RAW_FIELDS, collation
from app.store.sqlite.plain_rows import rows, value

_JULIAN = 1_721_424  # the julian day, without its half, that SQLite gives the day before the year 1
# From this place on it is quicker to count the orders of each day than to read all keys before the place: to count a
# million takes as long as to read so many.
_FAR = 200_000
_NEVER_LATE = "early IS NULL AND lateness IS NULL"
_BELOW, _ABOVE = -1, 1 << 62  # less and more than any key

# Days late, None without a due day, and a key: where a list sorted by lateness is read on, behind it.
_Place = tuple[int | None, int]


def partitions_in(c: apsw.Connection, query: OrderQuery) -> list[int]:
    """The partitions of a query's lists."""
    found = rows(c, "SELECT partition, list FROM partitions WHERE profile = ? ORDER BY partition", (query.profile,))
    return [partition for partition, name in found if query.list in (None, name)]


def sorting(c: apsw.Connection, sort: str, *, descending: bool) -> tuple[str, str]:
    """The table that holds the sort column, and the text of ORDER BY.

    Only text from `SORTS` gets into a statement; raises KeyError for another name.
    """
    table, expression, compared = _source(c, sort)
    if sort == "late" and not descending:
        return table, LEAST_LATE_FIRST
    way = "DESC" if descending else "ASC"
    return table, f"{expression} COLLATE {compared} {way} NULLS LAST, id {way}"


def _source(c: apsw.Connection, sort: str) -> tuple[str, str, str]:
    """The table, the expression in it, and the collation."""
    if sort in RAW_FIELDS and prepared_sort.is_prepared(c, sort):
        return prepared_sort.table_of(sort), "value", collation(sort)
    expression, _, compared = SORTS[sort].partition(" COLLATE ")
    return "orders", expression, compared or "BINARY"


def lacks_sort_index(c: apsw.Connection, sort: str) -> bool:
    """Whether a long list would be sorted anew for every page: `prepare_sort` makes the index."""
    if sort in INDEXED or sort == "number":
        return False
    return value(c, "SELECT 1 FROM sqlite_master WHERE name = ?", (f"orders_by_{sort}",)) is None


def count_to_prepare(c: apsw.Connection) -> int:
    """How many orders `prepare_step` goes through: those of all profiles, since they share the indexes."""
    return int(value(c, "SELECT count(*) FROM seen"))


def prepare_sort(c: apsw.Connection, sort: str) -> None:
    """Make the index of a sort column at once."""
    while prepare_step(c, sort) is not None:
        pass


def prepare_step(c: apsw.Connection, sort: str) -> int | None:
    """One step of `prepare_sort`: returns how many orders are done so far, None once all are.

    A column of the table takes one step, about a second for a million orders; a raw field takes many short ones.
    """
    if not lacks_sort_index(c, sort):
        return None
    if sort in RAW_FIELDS:
        return prepared_sort.prepare_step(c, sort)
    if sort == "late":
        c.execute("CREATE INDEX orders_by_late ON orders (partition, early) WHERE early IS NOT NULL")
        c.execute("CREATE INDEX orders_by_lateness ON orders (partition, lateness) WHERE lateness IS NOT NULL")
        c.execute("CREATE INDEX orders_never_late ON orders (partition) WHERE early IS NULL AND lateness IS NULL")
    else:
        c.execute(f"CREATE INDEX orders_by_{sort} ON orders (partition, {SORTS[sort]})")
    return None


def free_pages(c: apsw.Connection) -> None:
    """Free the pages of the file that the connection holds in memory."""
    c.execute("PRAGMA shrink_memory").fetchall()


def keys_in_order(
    c: apsw.Connection, query: OrderQuery, start: int, stop: int = -1, before: int | None = None
) -> Iterator[int]:
    """The keys of the query's lists in its order, from place `start` on. Reading may end at `stop`; -1 is the end.

    `before` is the key at the place before `start`, if that is known. A list sorted by lateness is read on from it; of
    the other orders SQLite steps over the keys before `start`.
    """
    partitions = partitions_in(c, query)
    slice_ = f"LIMIT {stop - start if stop >= 0 else -1:d} OFFSET {start:d}"
    today = {"today": query.today.isoformat()}
    if not partitions:
        return iter(())
    if query.sort == "number":
        return _by_number(c, partitions, slice_, start, descending=query.descending)
    if query.sort == "late" and not lacks_sort_index(c, "late"):
        return _by_lateness(c, partitions, query.today, start, before, descending=query.descending)
    if len(partitions) == 1 or query.sort == "late":
        table, order = sorting(c, query.sort, descending=query.descending)
        among = ", ".join(f"{partition:d}" for partition in partitions)
        statement = f"SELECT id FROM {table} WHERE partition IN ({among}) ORDER BY {order} {slice_}"
    else:
        table, expression, compared = _source(c, query.sort)
        way = "DESC" if query.descending else "ASC"
        # Each list comes in the order of its index, and SQLite merges the lists as they come.
        a_list = f"SELECT id, {expression} FROM {table} WHERE partition ="
        lists = " UNION ALL ".join(f"{a_list} {partition:d}" for partition in partitions)
        statement = f"{lists} ORDER BY 2 COLLATE {compared} {way} NULLS LAST, 1 {way} {slice_}"
    return (found[0] for found in c.execute(statement, today))


def _by_number(
    c: apsw.Connection, partitions: Sequence[int], slice_: str, start: int, *, descending: bool
) -> Iterator[int]:
    """Keys by number. Those of one list lie in that order already."""
    way = "DESC" if descending else "ASC"
    spans = [(partition << NUMBER_BITS, partition << NUMBER_BITS | MAX_NUMBER) for partition in partitions]
    if len(spans) == 1:
        statement = f"SELECT id FROM seen WHERE id BETWEEN ? AND ? ORDER BY id {way} {slice_}"
        return (key for (key,) in c.execute(statement, spans[0]))
    # From `seen`: its rows are two numbers, so far fewer pages are read than of the wide `orders`.
    keys = [key for span in spans for (key,) in c.execute("SELECT id FROM seen WHERE id BETWEEN ? AND ?", span)]
    return islice(sorted(keys, key=lambda key: (key & MAX_NUMBER, key), reverse=descending), start, None)


def _by_lateness(
    c: apsw.Connection, partitions: Sequence[int], today: date, start: int, before: int | None, *, descending: bool
) -> Iterator[int]:
    """Keys by days late, from place `start` on or, if it is known, behind the key `before`. Orders that are not late,
    which show nothing in the column, come last either way, the soonest due first; after them those without a due day.
    """
    julian = _JULIAN + today.toordinal()
    if before is not None:
        return _behind(c, partitions, julian, (_days_late(c, before, julian), before), descending=descending)
    if start < _FAR:
        return islice(_behind(c, partitions, julian, None, descending=descending), start, None)
    place, further = _place_before(c, partitions, julian, start, descending=descending)
    return islice(_behind(c, partitions, julian, place, descending=descending), further, None)


def _behind(
    c: apsw.Connection, partitions: Sequence[int], julian: int, place: _Place | None, *, descending: bool
) -> Iterator[int]:
    """Keys by days late on the day `julian`, all or those behind `place`. A part that lies before it is left out."""
    days, key = place or (None, None)
    behind = None if days is None or key is None else (days, key)
    never = _never_late(c, partitions, key if days is None else None, descending=descending)
    if place is not None and days is None:
        return never
    if descending:
        return chain(_merged_by_days(c, partitions, julian, "IS NOT NULL", behind, descending=True), never)
    among_late = days is None or days > 0
    not_late = _merged_by_days(c, partitions, julian, "<= 0", None if among_late else behind, descending=True)
    if not among_late:
        return chain(not_late, never)
    return chain(_merged_by_days(c, partitions, julian, "> 0", behind, descending=False), not_late, never)


def _place_before(
    c: apsw.Connection, partitions: Sequence[int], julian: int, start: int, *, descending: bool
) -> tuple[_Place, int]:
    """The place where the orders begin that are as late as the one at place `start`, and how many keys lie between."""
    orders: Counter[int] = Counter()
    for partition in partitions:
        for column, index, plus in (("early", "orders_by_late", julian), ("lateness", "orders_by_lateness", 0)):
            a_day = (
                f"SELECT {column} + ?, count(*) FROM orders INDEXED BY {index} "
                f"WHERE partition = ? AND {column} IS NOT NULL GROUP BY {column}"
            )
            orders.update(dict(rows(c, a_day, (plus, partition))))
    left = start
    late = sorted((days for days in orders if days > 0), reverse=descending)
    in_time = sorted((days for days in orders if days <= 0), reverse=True)
    for days in late + in_time:
        if left < orders[days]:
            return (days, _BELOW if days > 0 and not descending else _ABOVE), left
        left -= orders[days]
    return (None, _key_before(c, partitions, left, descending=descending)), 0


def _key_before(c: apsw.Connection, partitions: Sequence[int], start: int, *, descending: bool) -> int:
    """A number right before the key at place `start` of the orders without a due day, in the direction of the list."""
    for partition in sorted(partitions, reverse=descending):
        among = f"FROM orders INDEXED BY orders_never_late WHERE partition = {partition:d} AND {_NEVER_LATE}"
        there = value(c, f"SELECT count(*) {among}")
        if start < there:
            way, step = ("DESC", 1) if descending else ("ASC", -1)
            found: int = value(c, f"SELECT id {among} ORDER BY id {way} LIMIT 1 OFFSET {start:d}")
            return found + step
        start -= there
    return _BELOW if descending else _ABOVE


def _days_late(c: apsw.Connection, key: int, julian: int) -> int | None:
    """By how many days an order is late on the day `julian`; None without a due day."""
    found: int | None = value(c, "SELECT coalesce(early + ?, lateness) FROM orders WHERE id = ?", (julian, key))
    return found


def _never_late(
    c: apsw.Connection, partitions: Sequence[int], before: int | None, *, descending: bool
) -> Iterator[int]:
    """Keys of orders without a due day, all or those behind the key `before`."""
    way, behind = ("DESC", "<") if descending else ("ASC", ">")
    limit = "" if before is None else f"AND id {behind} {before:d}"
    for partition in sorted(partitions, reverse=descending):
        for (key,) in c.execute(
            "SELECT id FROM orders INDEXED BY orders_never_late "
            f"WHERE partition = ? AND {_NEVER_LATE} {limit} ORDER BY id {way}",
            (partition,),
        ):
            yield key


def _merged_by_days(
    c: apsw.Connection,
    partitions: Sequence[int],
    julian: int,
    within: str,
    behind: tuple[int, int] | None,
    *,
    descending: bool,
) -> Iterator[int]:
    """Keys of orders whose days late satisfy `within`, sorted by them; or all behind the days and the key `behind`.

    `early` counts up to the day `julian`.
    """
    way, further = ("DESC", "<") if descending else ("ASC", ">")
    # One bound alone: of two in the same direction SQLite may read the index from the wrong one on.
    bounds = {"> 0": "{} > -:plus", "<= 0": "{} <= -:plus", "IS NOT NULL": "{} IS NOT NULL"}
    bound = bounds[within] if behind is None else f"({{}}, id) {further} (:days - :plus, :key)"
    days, key = behind or (0, 0)
    streams = [
        c.execute(
            f"SELECT {column} + :plus, id FROM orders INDEXED BY {index} "
            f"WHERE partition = :partition AND {column} IS NOT NULL AND {bound.format(column)} "
            f"ORDER BY {column} {way}, id {way}",
            {"plus": plus, "partition": partition, "days": days, "key": key},
        )
        for partition in partitions
        for column, index, plus in (("early", "orders_by_late", julian), ("lateness", "orders_by_lateness", 0))
    ]
    return (key for _, key in merge(*streams, reverse=descending))

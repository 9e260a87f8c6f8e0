"""The order by lateness: of what is awaited it grows day by day, of what was delivered it stays.

So no one index holds it: three streams that are each in order are merged.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

from collections.abc import Iterator, Sequence
from datetime import date
from heapq import merge
from itertools import chain

import apsw

_JULIAN = 1_721_424  # what SQLite counts the day before the year 1 as, without its half day


def prepare_late(c: apsw.Connection) -> None:
    """Make the indexes."""
    c.execute("CREATE INDEX orders_by_late ON orders (shelf, early) WHERE early IS NOT NULL")
    c.execute("CREATE INDEX orders_by_lateness ON orders (shelf, lateness) WHERE lateness IS NOT NULL")
    c.execute("CREATE INDEX orders_never_late ON orders (shelf) WHERE early IS NULL AND lateness IS NULL")


def by_lateness(c: apsw.Connection, shelves: Sequence[int], today: date, *, descending: bool) -> Iterator[int]:
    """The keys of these lists by lateness, those that are never late first, or last when `descending`."""
    way = "DESC" if descending else "ASC"
    counted = _JULIAN + today.toordinal()
    streams = [
        c.execute(
            f"SELECT {column} + ?, id FROM orders INDEXED BY {index} WHERE shelf = ? AND {column} IS NOT NULL "
            f"ORDER BY {column} {way}, id {way}",
            (plus, shelf),
        )
        for shelf in shelves
        for column, index, plus in (("early", "orders_by_late", counted), ("lateness", "orders_by_lateness", 0))
    ]
    late = (key for _, key in merge(*streams, reverse=descending))
    never = (
        key
        for (key,) in chain.from_iterable(
            c.execute(
                "SELECT id FROM orders INDEXED BY orders_never_late "
                f"WHERE shelf = ? AND early IS NULL AND lateness IS NULL ORDER BY id {way}",
                (shelf,),
            )
            for shelf in sorted(shelves, reverse=descending)
        )
    )
    return chain(late, never) if descending else chain(never, late)

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
    c.execute("CREATE INDEX orders_by_late ON orders (partition, early) WHERE early IS NOT NULL")
    c.execute("CREATE INDEX orders_by_lateness ON orders (partition, lateness) WHERE lateness IS NOT NULL")
    c.execute("CREATE INDEX orders_never_late ON orders (partition) WHERE early IS NULL AND lateness IS NULL")


def by_lateness(c: apsw.Connection, partitions: Sequence[int], today: date, *, descending: bool) -> Iterator[int]:
    """The keys of these lists by lateness. Those that are not late, which show nothing there, come last either way, the
    soonest due first; after them those of which nothing is due.
    """
    counted = _JULIAN + today.toordinal()
    if descending:
        known = _merged(c, partitions, counted, "IS NOT NULL", descending=True)
    else:
        known = chain(
            _merged(c, partitions, counted, "> 0", descending=False),
            _merged(c, partitions, counted, "<= 0", descending=True),
        )
    way = "DESC" if descending else "ASC"
    never = (
        key
        for (key,) in chain.from_iterable(
            c.execute(
                "SELECT id FROM orders INDEXED BY orders_never_late "
                f"WHERE partition = ? AND early IS NULL AND lateness IS NULL ORDER BY id {way}",
                (partition,),
            )
            for partition in sorted(partitions, reverse=descending)
        )
    )
    return chain(known, never)


def _merged(
    c: apsw.Connection, partitions: Sequence[int], counted: int, within: str, *, descending: bool
) -> Iterator[int]:
    """Those whose days late are `within` that, in their order."""
    way = "DESC" if descending else "ASC"
    bounds = {"> 0": "> -:plus", "<= 0": "<= -:plus", "IS NOT NULL": "IS NOT NULL"}
    streams = [
        c.execute(
            f"SELECT {column} + :plus, id FROM orders INDEXED BY {index} "
            f"WHERE partition = :partition AND {column} IS NOT NULL AND {column} {bounds[within]} "
            f"ORDER BY {column} {way}, id {way}",
            {"plus": plus, "partition": partition},
        )
        for partition in partitions
        for column, index, plus in (("early", "orders_by_late", counted), ("lateness", "orders_by_lateness", 0))
    ]
    return (key for _, key in merge(*streams, reverse=descending))

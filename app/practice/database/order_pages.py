"""The open and completed lists, page by page: each page continues after the last row of the one before.

Between two pages nothing is held open, so a list of any length neither blocks a write nor grows in memory.
"""

from dataclasses import dataclass

import apsw

from app.practice.database.order_table import Row, rows_of


@dataclass(frozen=True, slots=True)
class Window:
    """The range of a list: the client's orders between two moments, both included, as they stand at `now`.

    An empty `facility` stands for any.
    """

    client: int
    start: int
    end: int
    now: int
    cancelled_too: bool = False
    facility: str = ""


Place = tuple[int, int]
START: Place = (-1, -1)

# The place of a page is a pair, because many orders have one moment: by the moment alone a page would leave some out.
_OPEN = """
WHERE o.client = ?1 AND o.imported_at BETWEEN max(?2, ?5) AND min(?3, ?4) AND (o.imported_at, o.number) > (?5, ?6)
  AND (o.closed_at > ?4 OR (?7 AND o.cancelled)) AND ?9 IN ('', o.facility)
  ORDER BY o.imported_at, o.number LIMIT ?8
"""
_COMPLETED = """
WHERE o.client = ?1 AND o.closed_at BETWEEN max(?2, ?5) AND min(?3, ?4) AND (o.closed_at, o.number) > (?5, ?6)
  AND (NOT o.cancelled OR ?7) AND ?9 IN ('', o.facility)
  ORDER BY o.closed_at, o.number LIMIT ?8
"""


def open_page(connection: apsw.Connection, window: Window, after: Place, limit: int) -> tuple[list[Row], Place]:
    """Open orders by import time after a place, and the place to go on from."""
    rows = rows_of(connection, _OPEN, _values(window, after, limit))
    return rows, (rows[-1].imported_at, rows[-1].number) if rows else after


def completed_page(connection: apsw.Connection, window: Window, after: Place, limit: int) -> tuple[list[Row], Place]:
    """Completed orders by delivery time after a place, and the place to go on from."""
    rows = rows_of(connection, _COMPLETED, _values(window, after, limit))
    return rows, (rows[-1].closed_at, rows[-1].number) if rows else after


def _values(window: Window, after: Place, limit: int) -> tuple[object, ...]:
    return (window.client, window.start, window.end, window.now, *after, window.cancelled_too, limit, window.facility)


def facilities_with_open_orders(connection: apsw.Connection, client: int, now: int) -> list[tuple[str, int]]:
    """(facility code, how many open orders) of a client."""
    return list(
        connection.execute(
            "SELECT facility, count(*) FROM orders INDEXED BY orders_by_import WHERE client = ?1 AND imported_at <= ?2"
            " AND closed_at > ?2 AND facility <> '' GROUP BY facility ORDER BY facility",
            (client, now),
        )
    )

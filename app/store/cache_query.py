"""Questions to the cache: how many orders, which page of them, one order, one reference, which dates."""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

from datetime import datetime

import apsw

from app.store.cache_rows import (
    LINE_COLUMNS,
    ListName,
    OrderDetail,
    OrderLine,
    OrderQuery,
    WindowRow,
    order_line,
    window_row,
)
from app.store.cache_schema import SHELF_BITS
from app.store.cache_search import page_keys, search, sorting
from app.store.sql import row, rows, value


def count_orders(c: apsw.Connection, query: OrderQuery) -> int:
    """How many orders the query finds, exactly."""
    shelf = _shelf(c, query.profile, query.list)
    if shelf is None:
        return 0
    found = search(shelf, query.text)
    return int(value(c, f"SELECT count(*) FROM ({found.keys})", found.bindings))


def page_orders(c: apsw.Connection, query: OrderQuery, limit: int, offset: int = 0) -> list[OrderLine]:
    """`limit` orders from place `offset` on, in the query's order; equal ones by their number."""
    order = sorting(query.sort, query.descending)
    shelf = _shelf(c, query.profile, query.list)
    if shelf is None:
        return []
    found = search(shelf, query.text)
    found = found._replace(bindings=found.bindings | {"today": query.today.isoformat()})
    keys = page_keys(c, found, query.sort, order, limit, offset)
    lines = c.execute(
        f"""
        SELECT {LINE_COLUMNS}, :list, coalesce(unlooked.columns, '') FROM orders LEFT JOIN unlooked USING (id)
        WHERE id IN ({keys.statement}) ORDER BY {order}
        """,
        keys.bindings | {"list": query.list, "today": query.today.isoformat()},
    )
    return [order_line(values) for values in lines]


def order_detail(c: apsw.Connection, profile: str, number: int) -> OrderDetail | None:
    """All that is known of an order; None when it was never seen."""
    found = row(
        c,
        f"""
        SELECT {LINE_COLUMNS}, list, coalesce(unlooked.columns, ''), raw, at, changed_at
        FROM orders JOIN raws USING (id) JOIN seen USING (id) JOIN shelves USING (shelf) LEFT JOIN unlooked USING (id)
        WHERE id IN (SELECT shelf << {SHELF_BITS} | :number FROM shelves WHERE profile = :profile)
        """,
        {"profile": profile, "number": number},
    )
    if found is None:
        return None
    *line, raw, at, changed = found
    return OrderDetail(
        order_line(tuple(line)), raw, datetime.fromtimestamp(at / 1_000), datetime.fromisoformat(changed)
    )


def find_crn(c: apsw.Connection, profile: str, crn: str) -> list[OrderLine]:
    """Orders of any list whose CRN is exactly this, the newest number first. A closed reference can be used
    again, so there can be several."""
    found = rows(
        c,
        f"""
        SELECT {LINE_COLUMNS}, list FROM shelves JOIN orders USING (shelf)
        WHERE profile = :profile AND crn = :crn COLLATE NOCASE AND crn = :crn COLLATE BINARY
        ORDER BY number DESC
        """,
        {"profile": profile, "crn": crn},
    )
    return [order_line(values) for values in found]


def windows(c: apsw.Connection, profile: str, list_name: ListName) -> list[WindowRow]:
    """The spans of dates asked for, newest first."""
    found = rows(
        c,
        """
        SELECT start, end, fetched_at, count, error, tried_at, tries FROM windows WHERE profile = ? AND list = ?
        ORDER BY start DESC, end DESC
        """,
        (profile, list_name),
    )
    return [window_row(values) for values in found]


def _shelf(c: apsw.Connection, profile: str, list_name: ListName | None) -> int | None:
    found: int | None = value(c, "SELECT shelf FROM shelves WHERE profile = ? AND list = ?", (profile, list_name))
    return found

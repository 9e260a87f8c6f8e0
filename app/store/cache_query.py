"""Questions to the cache: how many orders, which page of them, one order, one reference, which dates.

Where a text is searched for, the way to a page depends on how many orders hold it. Few: find them all and
sort them. Many: walk along the sorting and keep those that hold it, which soon fills a page.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import apsw

from app.store.cache_rows import (
    LINE_COLUMNS,
    SORTS,
    ListName,
    OrderDetail,
    OrderLine,
    OrderQuery,
    WindowRow,
    order_line,
    window_row,
)
from app.store.cache_schema import MAX_NUMBER, SHELF_BITS
from app.store.search_text import match_expression, words
from app.store.sql import Bindings, row, rows, value

_FEW = 5_000  # so many are sorted in the time of a frame


class _Filter(NamedTuple):
    """The orders of a list that hold every word, as SQL for a set of keys, with its bindings."""

    keys: str
    holds: str  # the same as a condition on one row of `texts`
    bindings: dict[str, str | int]


def count_orders(c: apsw.Connection, query: OrderQuery) -> int:
    """How many orders the query finds, exactly."""
    shelf = _shelf(c, query.profile, query.list)
    if shelf is None:
        return 0
    found = _filter(shelf, query.text)
    if found is None:
        return int(value(c, "SELECT count(*) FROM orders INDEXED BY orders_state WHERE shelf = ?", (shelf,)))
    return int(value(c, f"SELECT count(*) FROM ({found.keys})", found.bindings))


def page_orders(c: apsw.Connection, query: OrderQuery, limit: int, offset: int = 0) -> list[OrderLine]:
    """`limit` orders from place `offset` on, in the query's order; equal ones by their number."""
    shelf = _shelf(c, query.profile, query.list)
    if shelf is None:
        return []
    order = _order(query)
    bindings: dict[str, str | int] = {"shelf": shelf, "limit": limit, "offset": offset}
    found = _filter(shelf, query.text)
    where = "shelf = :shelf"
    if found is not None:
        bindings |= found.bindings
        where = _way(c, found)
    statement = f"""
        SELECT {LINE_COLUMNS} FROM orders
        WHERE id IN (SELECT id FROM orders WHERE {where} ORDER BY {order} LIMIT :limit OFFSET :offset)
        ORDER BY {order}
    """
    return _lines(c, statement, bindings, query.list)


def order_detail(c: apsw.Connection, profile: str, number: int) -> OrderDetail | None:
    """All that is known of an order; None when it was never seen."""
    found = row(
        c,
        f"""
        SELECT {LINE_COLUMNS}, list, raw, at, changed_at
        FROM orders JOIN raws USING (id) JOIN seen USING (id) JOIN shelves USING (shelf)
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
    """The spans of dates asked for, oldest first."""
    found = rows(
        c,
        "SELECT start, end, fetched_at, count, error FROM windows WHERE profile = ? AND list = ? ORDER BY start, end",
        (profile, list_name),
    )
    return [window_row(values) for values in found]


def _shelf(c: apsw.Connection, profile: str, list_name: ListName) -> int | None:
    found: int | None = value(c, "SELECT shelf FROM shelves WHERE profile = ? AND list = ?", (profile, list_name))
    return found


def _order(query: OrderQuery) -> str:
    """What to sort by; only text from `SORTS` gets into the statement."""
    way = "DESC" if query.descending else "ASC"
    first = SORTS[query.sort]
    return f"id {way}" if query.sort == "number" else f"{first} {way}, number {way}"


def _filter(shelf: int, text: str) -> _Filter | None:
    """None when there is nothing to search for."""
    long_words, short_words = words(text)
    every = [*long_words, *short_words]
    if not every:
        return None
    bindings: dict[str, str | int] = {
        "low": shelf << SHELF_BITS,
        "high": shelf << SHELF_BITS | MAX_NUMBER,
        **{f"word{place}": word for place, word in enumerate(every)},
    }
    holds = _holds(every, 0)
    if not long_words:
        return _Filter(f"SELECT id FROM texts WHERE id BETWEEN :low AND :high AND {holds}", holds, bindings)
    bindings["match"] = match_expression(long_words)
    indexed = "SELECT rowid AS id FROM trigrams WHERE text MATCH :match AND rowid BETWEEN :low AND :high"
    if short_words:
        rest = _holds(short_words, len(long_words))
        indexed = f"SELECT id FROM ({indexed}) CROSS JOIN texts USING (id) WHERE {rest}"
    waiting = (
        f"SELECT id FROM unindexed CROSS JOIN texts USING (id) WHERE unindexed.id BETWEEN :low AND :high AND {holds}"
    )
    return _Filter(f"{indexed} UNION ALL {waiting}", holds, bindings)


def _holds(found: Sequence[str], first: int) -> str:
    return " AND ".join(f"instr(text, :word{first + place})" for place in range(len(found)))


def _way(c: apsw.Connection, found: _Filter) -> str:
    """The condition that finds a page soonest."""
    few = value(c, f"SELECT count(*) FROM (SELECT id FROM ({found.keys}) LIMIT {_FEW})", found.bindings) < _FEW
    if few:
        return f"id IN ({found.keys})"
    return f"shelf = :shelf AND EXISTS (SELECT 1 FROM texts WHERE texts.id = orders.id AND {found.holds})"


def _lines(c: apsw.Connection, statement: str, bindings: Bindings, name: ListName) -> list[OrderLine]:
    return [order_line((*values, name)) for values in c.execute(statement, bindings)]

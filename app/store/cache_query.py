"""Questions to the cache: how many orders, which page of them, one order, one reference, which dates.

Sorted by number, any page comes straight from a narrow table or the text index. Sorted by a column, the way
to a page of a search depends on how many orders hold the text. Few: find them all and sort them. Many: walk
along the sorting; near its start look into the texts themselves, which soon fills a page, further on look
into the set of all that was found.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

from array import array
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

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
from app.store.sql import row, rows, value

_FEW = 5_000  # so many are sorted in about the time of a frame
_NEAR = 500  # rows from the start
_SPAN = "id BETWEEN :low AND :high"  # the keys of one list


class _Filter(NamedTuple):
    """The orders of a list that hold every word, as SQL."""

    keys: str  # a query for their keys
    holds: str  # the same as a condition on a row of `texts`; empty when there is nothing to search for
    bindings: dict[str, Any]


def count_orders(c: apsw.Connection, query: OrderQuery) -> int:
    """How many orders the query finds, exactly."""
    shelf = _shelf(c, query.profile, query.list)
    if shelf is None:
        return 0
    found = _filter(shelf, query.text)
    return int(value(c, f"SELECT count(*) FROM ({found.keys})", found.bindings))


def page_orders(c: apsw.Connection, query: OrderQuery, limit: int, offset: int = 0) -> list[OrderLine]:
    """`limit` orders from place `offset` on, in the query's order; equal ones by their number."""
    shelf = _shelf(c, query.profile, query.list)
    if shelf is None:
        return []
    way = "DESC" if query.descending else "ASC"
    order = f"id {way}" if query.sort == "number" else f"{SORTS[query.sort]} {way}, id {way}"
    found = _filter(shelf, query.text)
    bindings = found.bindings | {"shelf": shelf, "limit": limit, "offset": offset, "list": query.list}
    if query.sort == "number":
        keys = f"SELECT id FROM ({found.keys})"
    elif found.holds:
        few = _few(c, found)
        if few == []:
            return []
        bindings["few"] = _carray(few)
        keys = f"SELECT id FROM orders WHERE {_way(found, few is not None, offset)}"
    else:
        keys = "SELECT id FROM orders WHERE shelf = :shelf"
    statement = f"""
        SELECT {LINE_COLUMNS}, :list FROM orders
        WHERE id IN ({keys} ORDER BY {order} LIMIT :limit OFFSET :offset)
        ORDER BY {order}
    """
    return [order_line(values) for values in c.execute(statement, bindings)]


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
    """The spans of dates asked for, newest first."""
    found = rows(
        c,
        """
        SELECT start, end, fetched_at, count, error FROM windows WHERE profile = ? AND list = ?
        ORDER BY start DESC, end DESC
        """,
        (profile, list_name),
    )
    return [window_row(values) for values in found]


def _shelf(c: apsw.Connection, profile: str, list_name: ListName) -> int | None:
    found: int | None = value(c, "SELECT shelf FROM shelves WHERE profile = ? AND list = ?", (profile, list_name))
    return found


def _filter(shelf: int, text: str) -> _Filter:
    long_words, short_words = words(text)
    every = [*long_words, *short_words]
    bindings: dict[str, Any] = {
        "low": shelf << SHELF_BITS,
        "high": shelf << SHELF_BITS | MAX_NUMBER,
        **{f"word{place}": word for place, word in enumerate(every)},
    }
    if not every:
        return _Filter(f"SELECT id FROM seen WHERE {_SPAN}", "", bindings)
    holds = _holds(every, 0)
    if not long_words:
        return _Filter(f"SELECT id FROM texts WHERE {_SPAN} AND {holds}", holds, bindings)
    bindings["match"] = match_expression(long_words)
    indexed = "SELECT rowid AS id FROM trigrams WHERE text MATCH :match AND rowid BETWEEN :low AND :high"
    if short_words:
        rest = _holds(short_words, len(long_words))
        indexed = f"SELECT id FROM ({indexed}) CROSS JOIN texts USING (id) WHERE {rest}"
    waiting = f"SELECT id FROM unindexed CROSS JOIN texts USING (id) WHERE unindexed.{_SPAN} AND {holds}"
    return _Filter(f"{indexed} UNION ALL {waiting}", holds, bindings)


def _holds(found: Sequence[str], first: int) -> str:
    return " AND ".join(f"instr(text, :word{first + place})" for place in range(len(found)))


def _few(c: apsw.Connection, found: _Filter) -> list[int] | None:
    """The keys themselves when there are few, else None."""
    some = rows(c, f"SELECT id FROM ({found.keys}) LIMIT {_FEW}", found.bindings)
    return None if len(some) == _FEW else [key for (key,) in some]


def _way(found: _Filter, few: bool, offset: int) -> str:
    """The condition on `orders` that comes to a page soonest."""
    if few:
        return "id IN carray(:few)"
    if offset <= _NEAR:
        held = f"SELECT 1 FROM texts WHERE texts.id = orders.id AND {found.holds}"
        return f"shelf = :shelf AND EXISTS ({held})"
    return f"shelf = :shelf AND +id IN ({found.keys})"  # the + keeps the walk along the sorting


def _carray(keys: list[int] | None) -> Any:
    return apsw.carray(array("q", keys)) if keys else None

"""Which days of a list were asked for, and how that ended; and the orders that left the open list meanwhile.

Invariants: no two windows of a list share a moment, so that each day has one age; what was fetched whole keeps its age
when a later try fails; an order that left the open list stays named here until it is found on another list or closed.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import apsw

from app.store.cache.order_query import windows
from app.store.cache.order_rows import ListName, WindowRow
from app.store.cache.order_store import key_array, milliseconds, move, partitions_of
from app.store.cache.schema.cache_schema import MAX_NUMBER, NUMBER_BITS
from app.store.sqlite.plain_rows import rows, value
from app.store.sqlite.text_values import storable, to_text, to_text_ms

_SECOND = timedelta(seconds=1)  # between the end of a window and the start of the next
_CLOSED = ("CMP", "CAN")


def finish_window(
    c: apsw.Connection,
    profile: str,
    list_name: ListName,
    start: datetime,
    end: datetime,
    asked_at: datetime,
    count: int | None,
    error: str | None = None,
) -> int:
    """Note how fetching the orders dated from `start` to `end` ended; `asked_at` is when the provider was asked.

    After a whole window of open orders, those imported in it that it no longer held go to the list 'other'.
    Returns how many went.
    """
    tried = WindowRow(start, end, None if error else asked_at, count, error and storable(error), asked_at)
    _note(c, profile, list_name, [tried])
    if error is not None or list_name != "open":
        return 0
    return _drop_unseen(c, profile, start, end, asked_at)


def finish_days(
    c: apsw.Connection,
    profile: str,
    list_name: ListName,
    days: Sequence[tuple[datetime, datetime, int]],
    asked_at: datetime,
) -> int:
    """The same for a window that came whole and is noted by its days: start, end and number of orders of each."""
    tried = [WindowRow(start, end, asked_at, count, None, asked_at) for start, end, count in days]
    _note(c, profile, list_name, tried)
    return sum(_drop_unseen(c, profile, each.start, each.end, asked_at) for each in tried if list_name == "open")


def _note(c: apsw.Connection, profile: str, list_name: ListName, tries: Sequence[WindowRow]) -> None:
    after = windows(c, profile, list_name)
    for each in tries:
        after = overlaid(after, each)
    c.execute("DELETE FROM windows WHERE profile = ? AND list = ?", (profile, list_name))
    c.executemany(
        "INSERT INTO windows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        ((profile, list_name, *_columns(each)) for each in after),
    )


def overlaid(known: Sequence[WindowRow], tried: WindowRow) -> list[WindowRow]:
    """The windows of a list after one more try: a whole one replaces what was known of its days, a failed one says
    so of each part of them."""
    after: list[WindowRow] = []
    inside: list[WindowRow] = []
    for each in known:
        if each.end < tried.start or each.start > tried.end:
            after.append(each)
            continue
        if each.start < tried.start:
            after.append(replace(each, end=tried.start - _SECOND, count=None))
        if each.end > tried.end:
            after.append(replace(each, start=tried.end + _SECOND, count=None))
        inside.append(_within(each, tried))
    if tried.error is None:
        return [*after, replace(tried, tries=0)]
    parts = [*inside, *_gaps(inside, tried)]
    return after + [replace(each, error=tried.error, tried_at=tried.tried_at, tries=each.tries + 1) for each in parts]


def _within(each: WindowRow, span: WindowRow) -> WindowRow:
    start, end = max(each.start, span.start), min(each.end, span.end)
    return each if (start, end) == (each.start, each.end) else replace(each, start=start, end=end, count=None)


def _gaps(inside: Sequence[WindowRow], span: WindowRow) -> list[WindowRow]:
    """The parts of a span that were never asked for."""
    gaps, at = [], span.start
    for each in sorted(inside, key=lambda row: row.start):
        if each.start > at:
            gaps.append(WindowRow(at, each.start - _SECOND, None, None, None))
        at = each.end + _SECOND
    if at <= span.end:
        gaps.append(WindowRow(at, span.end, None, None, None))
    return gaps


def _columns(each: WindowRow) -> tuple[str | int | None, ...]:
    fetched, tried = (None if at is None else to_text_ms(at) for at in (each.fetched_at, each.tried_at))
    return (to_text(each.start), to_text(each.end), fetched, each.count, each.error, tried, each.tries)


def _drop_unseen(c: apsw.Connection, profile: str, start: datetime, end: datetime, asked_at: datetime) -> int:
    partitions = partitions_of(c, profile)
    found = rows(
        c,
        """
        SELECT id FROM orders JOIN seen USING (id)
        WHERE partition = ? AND imported_at BETWEEN ? AND ? AND at < ?
        """,
        (partitions["open"], to_text(start), to_text(end), milliseconds(asked_at)),
    )
    gone = [key for (key,) in found]
    move(c, gone, partitions["other"])
    c.executemany(
        "INSERT OR REPLACE INTO departed VALUES (?, ?, ?, NULL, NULL)",
        ((profile, key & MAX_NUMBER, to_text_ms(asked_at)) for key in gone),
    )
    return len(gone)


# Orders that left the open list


def departed(c: apsw.Connection, profile: str, limit: int, asked_before: datetime) -> list[int]:
    """Numbers of orders that left the open list and are on no other, those never asked for by number first.

    Those asked for since `asked_before` have their rest. What was found meanwhile is forgotten here.
    """
    other = partitions_of(c, profile)["other"]
    c.execute(
        f"""
        DELETE FROM departed WHERE profile = ? AND number NOT IN (
            SELECT number FROM orders
            WHERE id IN (SELECT ? << {NUMBER_BITS} | number FROM departed WHERE profile = ?)
              AND (state IS NULL OR state NOT IN (?, ?)))
        """,
        (profile, other, profile, *_CLOSED),
    )
    found = rows(
        c,
        """
        SELECT number FROM departed WHERE profile = ? AND (looked_up_at IS NULL OR looked_up_at < ?)
        ORDER BY looked_up_at IS NOT NULL, looked_up_at, left_at DESC, number DESC LIMIT ?
        """,
        (profile, to_text_ms(asked_before), limit),
    )
    return [number for (number,) in found]


def note_asked(c: apsw.Connection, profile: str, number: int, asked_at: datetime, said: str) -> None:
    """An order that left was asked for by its number, and this is what came of it."""
    c.execute(
        "UPDATE departed SET looked_up_at = ?, outcome = ? WHERE profile = ? AND number = ?",
        (to_text_ms(asked_at), storable(said), profile, number),
    )


def count_departed(c: apsw.Connection, profile: str) -> tuple[int, int]:
    """How many orders left the open list and are on no other, and how many of them were not asked for yet."""
    return (
        int(value(c, "SELECT count(*) FROM departed WHERE profile = ?", (profile,))),
        int(value(c, "SELECT count(*) FROM departed WHERE profile = ? AND looked_up_at IS NULL", (profile,))),
    )


def count_said(c: apsw.Connection, profile: str, said: str) -> int:
    """Of how many of those the provider said this when they were asked for by their number."""
    return int(value(c, "SELECT count(*) FROM departed WHERE profile = ? AND outcome = ?", (profile, said)))


def unindexed(c: apsw.Connection) -> int:
    """How many orders wait for the search index; searches look through them one by one."""
    return int(value(c, "SELECT count(*) FROM unindexed"))


# A clock that was set back


def heed_clock(c: apsw.Connection, profile: str, now: datetime) -> bool:
    """Take no time for later than now: a clock that was set back would make every answer look older than the last.

    Returns whether it had been set back since the last refresh.
    """
    latest = value(c, "SELECT max(max(coalesce(fetched_at, ''), coalesce(tried_at, ''))) FROM windows")
    if latest is None or latest <= to_text_ms(now):
        return False
    for column in ("fetched_at", "tried_at"):
        c.execute(f"UPDATE windows SET {column} = :now WHERE {column} > :now", {"now": to_text_ms(now)})
    c.execute(
        "UPDATE departed SET looked_up_at = ?1 WHERE profile = ?2 AND looked_up_at > ?1", (to_text_ms(now), profile)
    )
    ids = [key for (key,) in rows(c, "SELECT id FROM seen WHERE at > ?", (milliseconds(now),))]
    c.execute("UPDATE seen SET at = ? WHERE id IN carray(?)", (milliseconds(now), key_array(ids)))
    return True

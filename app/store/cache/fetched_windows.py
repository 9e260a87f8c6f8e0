"""Which days of a list were fetched and how that ended, and the orders that left the open list meanwhile.

Invariants: no two windows of a list share a moment, so each day has one age; a window that was fetched whole keeps its
age when a later try fails; an order that left the open list stays in `departed` until it is found on another list or
known to be closed. An order whose time was written with a zone leaves the open list only once every window that might
hold it was fetched without it.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import apsw

from app.store.cache.order_rows import ListName, WindowRow, window_row
from app.store.cache.order_store import CLOSED, milliseconds, move_orders, partitions_of
from app.store.cache.schema.cache_schema import MAX_NUMBER, NUMBER_BITS
from app.store.sqlite.plain_rows import key_array, rows, value
from app.store.sqlite.text_values import storable, to_text, to_text_ms

_SECOND = timedelta(seconds=1)  # between the end of a window and the start of the next
_ZONES_APART = timedelta(days=1)  # at most, between the provider's clock and this computer's


def read_windows(c: apsw.Connection, profile: str, list_name: ListName) -> list[WindowRow]:
    """The windows of a list that were asked for, newest first."""
    found = rows(
        c,
        """
        SELECT start, end, fetched_at, count, error, tried_at, tries FROM windows WHERE profile = ? AND list = ?
        ORDER BY start DESC, end DESC
        """,
        (profile, list_name),
    )
    return [window_row(values) for values in found]


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

    After a whole window of open orders, those imported in it that it no longer held move to the list "other".
    Returns how many moved.
    """
    tried = WindowRow(start, end, None if error else asked_at, count, error and storable(error), asked_at)
    _note_tries(c, profile, list_name, [tried])
    if error is not None or list_name != "open":
        return 0
    return _move_departed(c, profile, start, end, asked_at)


def finish_window_by_days(
    c: apsw.Connection,
    profile: str,
    list_name: ListName,
    days: Sequence[tuple[datetime, datetime, int]],
    asked_at: datetime,
) -> int:
    """Note a window that came whole as one window a day: start, end and number of orders. Else as `finish_window`."""
    tried = [WindowRow(start, end, asked_at, count, None, asked_at) for start, end, count in days]
    _note_tries(c, profile, list_name, tried)
    return sum(_move_departed(c, profile, each.start, each.end, asked_at) for each in tried if list_name == "open")


def _note_tries(c: apsw.Connection, profile: str, list_name: ListName, tries: Sequence[WindowRow]) -> None:
    after = read_windows(c, profile, list_name)
    for tried in tries:
        after = overlaid(after, tried)
    # All rows are written anew: a try may cut, split and merge windows, and a list has some hundred of them.
    c.execute("DELETE FROM windows WHERE profile = ? AND list = ?", (profile, list_name))
    c.executemany(
        "INSERT INTO windows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        ((profile, list_name, *_columns(each)) for each in after),
    )


def overlaid(known: Sequence[WindowRow], tried: WindowRow) -> list[WindowRow]:
    """The windows of a list after one more try.

    A whole window replaces what was known of its days. A failed one leaves their age and counts a failed try in each.
    """
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
        inside.append(_cut_to(each, tried))
    if tried.error is None:
        return [*after, replace(tried, tries=0)]
    failed = [*inside, *_gaps(inside, tried)]
    return after + [replace(each, error=tried.error, tried_at=tried.tried_at, tries=each.tries + 1) for each in failed]


def _cut_to(window: WindowRow, span: WindowRow) -> WindowRow:
    start, end = max(window.start, span.start), min(window.end, span.end)
    return window if (start, end) == (window.start, window.end) else replace(window, start=start, end=end, count=None)


def _gaps(inside: Sequence[WindowRow], span: WindowRow) -> list[WindowRow]:
    """The stretches of a span that were never asked for."""
    gaps, at = [], span.start
    for each in sorted(inside, key=lambda window: window.start):
        if each.start > at:
            gaps.append(WindowRow(at, each.start - _SECOND, None, None, None))
        at = each.end + _SECOND
    if at <= span.end:
        gaps.append(WindowRow(at, span.end, None, None, None))
    return gaps


def _columns(window: WindowRow) -> tuple[str | int | None, ...]:
    fetched, tried = (None if at is None else to_text_ms(at) for at in (window.fetched_at, window.tried_at))
    return (to_text(window.start), to_text(window.end), fetched, window.count, window.error, tried, window.tries)


def _move_departed(c: apsw.Connection, profile: str, start: datetime, end: datetime, asked_at: datetime) -> int:
    """Move the open orders of a span that its reply did not hold to "other"; returns how many."""
    partitions = partitions_of(c, profile)
    found = rows(
        c,
        """
        SELECT id, changed_at, imported_at, at FROM orders JOIN seen USING (id)
        WHERE partition = ? AND imported_at BETWEEN ? AND ? AND at < ?
        """,
        (partitions["open"], to_text(start), to_text(end), milliseconds(asked_at)),
    )
    uncertain = _perhaps_elsewhere(c, profile, found)
    found = [each for each in found if each[0] not in uncertain]
    gone = [key for key, *_ in found]
    move_orders(c, gone, partitions["other"])
    if gone:
        from app.store.cache.past_changes import Change, keep_changes  # the first paint does without it

        left = {"list": ("open", "other")}
        keep_changes(
            c,
            profile,
            [Change(key & MAX_NUMBER, datetime.fromisoformat(changed_at), left) for key, changed_at, *_ in found],
            asked_at,
        )
    c.executemany(
        "INSERT OR REPLACE INTO departed VALUES (?, ?, ?, NULL, NULL)",
        ((profile, key & MAX_NUMBER, to_text_ms(asked_at)) for key in gone),
    )
    return len(gone)


def _perhaps_elsewhere(c: apsw.Connection, profile: str, unseen: Sequence[tuple[int, str, str, int]]) -> frozenset[int]:
    """The keys of those unseen orders that a neighbouring window may hold.

    A time with a zone was converted to local time, while the provider compares the ends of a window with its own. So
    the order may lie in a window up to a day away, and is gone only if all of these were fetched since it was seen.
    """
    if not unseen:
        return frozenset()
    import json  # the first paint does without these

    from app.contract.moments import has_zone

    keys = key_array([key for key, *_ in unseen])
    # One at a time, since a whole list may be gone: their texts together may be large.
    texts = c.execute("SELECT id, raw FROM raw_orders WHERE id IN carray(?)", (keys,))
    zoned = {key for key, raw in texts if has_zone(json.loads(raw).get("DateImported"))}
    if not zoned:
        return frozenset()
    windows = sorted(_whole(read_windows(c, profile, "open")))
    uncertain = set[int]()
    for key, _, imported, seen in unseen:
        at = datetime.fromisoformat(imported)
        fetched = [(start, end) for start, end, fetched_at in windows if fetched_at > seen]
        if key in zoned and not _cover(fetched, at - _ZONES_APART, at + _ZONES_APART):
            uncertain.add(key)
    return frozenset(uncertain)


def _whole(windows: Sequence[WindowRow]) -> Iterator[tuple[datetime, datetime, int]]:
    """Start, end and the time of the request, in milliseconds, of each window that came whole once."""
    for each in windows:
        if each.fetched_at is not None:
            # A day that is not over is requested a day further (see `fetch_window`).
            further = _ZONES_APART if each.fetched_at <= each.end else timedelta()
            yield each.start, each.end + further, milliseconds(each.fetched_at)


def _cover(windows: Sequence[tuple[datetime, datetime]], first: datetime, last: datetime) -> bool:
    """Whether these windows, sorted by their start, hold every second from `first` to `last`."""
    for start, end in windows:
        if start > first:
            return False
        first = max(first, end + _SECOND)
        if first > last:
            return True
    return False


# Orders that left the open list


def departed(c: apsw.Connection, profile: str, limit: int, looked_up_before: datetime) -> list[int]:
    """Numbers of orders that left the open list and are on no other, those never looked up first.

    Orders looked up since `looked_up_before` are left out. Orders found meanwhile are deleted from the table.
    """
    other = partitions_of(c, profile)["other"]
    c.execute(
        f"""
        DELETE FROM departed WHERE profile = ? AND number NOT IN (
            SELECT number FROM orders
            WHERE id IN (SELECT ? << {NUMBER_BITS} | number FROM departed WHERE profile = ?)
              AND (state IS NULL OR state NOT IN (?, ?)))
        """,
        (profile, other, profile, *CLOSED),
    )
    found = rows(
        c,
        """
        SELECT number FROM departed WHERE profile = ? AND (looked_up_at IS NULL OR looked_up_at < ?)
        ORDER BY looked_up_at IS NOT NULL, looked_up_at, left_at DESC, number DESC LIMIT ?
        """,
        (profile, to_text_ms(looked_up_before), limit),
    )
    return [number for (number,) in found]


def note_lookup(c: apsw.Connection, profile: str, number: int, at: datetime, outcome: str) -> None:
    """Note that a departed order was asked for by its number, and what came of it."""
    c.execute(
        "UPDATE departed SET looked_up_at = ?, outcome = ? WHERE profile = ? AND number = ?",
        (to_text_ms(at), storable(outcome), profile, number),
    )


def count_departed(c: apsw.Connection, profile: str) -> tuple[int, int]:
    """How many orders left the open list and are on no other, and how many of them were never looked up."""
    return (
        int(value(c, "SELECT count(*) FROM departed WHERE profile = ?", (profile,))),
        int(value(c, "SELECT count(*) FROM departed WHERE profile = ? AND looked_up_at IS NULL", (profile,))),
    )


def count_with_outcome(c: apsw.Connection, profile: str, outcome: str) -> int:
    """How many departed orders had this outcome when they were last looked up."""
    return int(value(c, "SELECT count(*) FROM departed WHERE profile = ? AND outcome = ?", (profile, outcome)))


# A clock that was set back


def clamp_to_clock(c: apsw.Connection, now: datetime) -> bool:
    """Lower every time that lies in the future to `now`, of all profiles; returns whether there was any.

    Otherwise, after the clock was set back, every new answer would count as older than the one in the cache.
    """
    latest = value(c, "SELECT max(max(coalesce(fetched_at, ''), coalesce(tried_at, ''))) FROM windows")
    if latest is None or latest <= to_text_ms(now):
        return False
    for column in ("fetched_at", "tried_at"):
        c.execute(f"UPDATE windows SET {column} = :now WHERE {column} > :now", {"now": to_text_ms(now)})
    c.execute("UPDATE departed SET looked_up_at = ?1 WHERE looked_up_at > ?1", (to_text_ms(now),))
    keys = [key for (key,) in rows(c, "SELECT id FROM seen WHERE at > ?", (milliseconds(now),))]
    c.execute("UPDATE seen SET at = ? WHERE id IN carray(?)", (milliseconds(now), key_array(keys)))
    return True

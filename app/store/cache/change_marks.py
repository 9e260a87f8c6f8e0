"""Marks the columns of an order that changed since a person last looked at it, and keeps what they were.

Invariants: a new order bears no mark, since at the first fetch every order is new; an optional field (purchase orders,
documents, …) that becomes known because it was requested for the first time has not changed.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import apsw

from app.store.cache.order_rows import LINE_COLUMNS
from app.store.cache.schema.cache_schema import MAX_NUMBER, NUMBER_BITS
from app.store.cache.schema.raw_fields import FIELDS_OF_MEMBER, OPTIONAL_FIELDS, RawValue, raw_fields_of_text
from app.store.sqlite.plain_rows import key_array, rows

_NAMES = LINE_COLUMNS.split(", ")
_OPTIONAL = frozenset(("pos", "folders", *OPTIONAL_FIELDS))

# Number → partition, `changed_at`, the values of `LINE_COLUMNS`, JSON text.
Snapshots = Mapping[int, tuple[Any, ...]]
_Differences = dict[str, tuple[RawValue, RawValue]]  # column → its value before and after


def snapshots(c: apsw.Connection, keys: Iterable[int]) -> Snapshots:
    """These orders as they are now, to be compared with what they become."""
    found = rows(
        c,
        f"SELECT number, partition, changed_at, {LINE_COLUMNS}, raw FROM orders JOIN raw_orders USING (id) "
        "WHERE id IN carray(?)",
        (key_array(keys),),
    )
    return {number: tuple(values) for number, *values in found}


def mark_changed(c: apsw.Connection, profile: str, before: Snapshots, after: Snapshots, seen_at: datetime) -> None:
    """Mark the columns that differ, besides those that are marked already, and keep what they were.

    `seen_at` is when the provider was asked.
    """
    lists = dict(rows(c, "SELECT partition, list FROM partitions WHERE profile = ?", (profile,)))
    changed = {
        number: found
        for number, values in after.items()
        if number in before and (found := _differing(c, lists, before[number], values))
    }
    if not changed:
        return
    from app.store.cache.past_changes import Change, keep_changes  # the first paint does without it

    keys = {after[number][0] << NUMBER_BITS | number: found.keys() for number, found in changed.items()}
    marked = dict(rows(c, "SELECT id, columns FROM change_marks WHERE id IN carray(?)", (key_array(keys),)))
    merged = ((key, " ".join(sorted({*marked.get(key, "").split(), *names}))) for key, names in keys.items())
    c.executemany("INSERT OR REPLACE INTO change_marks VALUES (?, ?)", merged)
    kept = [Change(number, datetime.fromisoformat(before[number][1]), found) for number, found in changed.items()]
    keep_changes(c, profile, kept, seen_at)


def clear_marks(c: apsw.Connection, profile: str, numbers: Sequence[int]) -> int:
    """A person has looked at these orders; returns how many of them bore a mark."""
    partitions = [each for (each,) in rows(c, "SELECT partition FROM partitions WHERE profile = ?", (profile,))]
    keys = [each << NUMBER_BITS | number for each in partitions for number in numbers if 0 <= number <= MAX_NUMBER]
    return (
        len(rows(c, "DELETE FROM change_marks WHERE id IN carray(?) RETURNING id", (key_array(keys),))) if keys else 0
    )


def _differing(
    c: apsw.Connection, lists: Mapping[int, str], before: tuple[Any, ...], after: tuple[Any, ...]
) -> _Differences:
    found: dict[str, tuple[RawValue, RawValue]] = {}
    if before[0] != after[0]:
        found["list"] = lists.get(before[0]), lists.get(after[0])
    for name, old, new in zip(_NAMES, before[2:-1], after[2:-1], strict=True):
        if old != new and not (old is None and name in _OPTIONAL):
            found[name] = old, new
    return found | _differing_raw_fields(c, before[-1], after[-1])


def _differing_raw_fields(c: apsw.Connection, before: str, after: str) -> _Differences:
    """Raw fields are computed only for members that differ: most changes concern none."""
    if before == after:
        return {}
    old, new = json.loads(before), json.loads(after)
    names = tuple(
        name for member, some in FIELDS_OF_MEMBER.items() if old.get(member) != new.get(member) for name in some
    )
    was, now = raw_fields_of_text(c, before, names), raw_fields_of_text(c, after, names)
    return {
        name: (was[name], now[name])
        for name in names
        if was[name] != now[name] and not (was[name] is None and name in _OPTIONAL)
    }

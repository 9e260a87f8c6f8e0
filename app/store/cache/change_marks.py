"""What changed of an order since somebody last looked at it. New orders bear no mark: all of them would at first.

What becomes known because it was asked for the first time (purchase orders, documents) has not changed.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import apsw

from app.store.cache.order_rows import LINE_COLUMNS
from app.store.cache.schema.cache_schema import MAX_NUMBER, NUMBER_BITS
from app.store.cache.schema.raw_fields import APART, MEMBERS, parts_of_text
from app.store.sqlite.plain_rows import key_array, rows

_NAMES = LINE_COLUMNS.split(", ")
_ASKED_FOR_APART = frozenset(("pos", "folders", *APART))

Told = Mapping[int, tuple[Any, ...]]


def told(c: apsw.Connection, keys: Iterable[int]) -> Told:
    """What the columns of these orders hold, and their own texts, by number."""
    found = rows(
        c,
        f"SELECT number, partition, {LINE_COLUMNS}, raw FROM orders JOIN raw_orders USING (id) WHERE id IN carray(?)",
        (key_array(keys),),
    )
    return {number: tuple(values) for number, *values in found}


def mark_changed(c: apsw.Connection, before: Told, after: Told) -> None:
    """Mark the orders of which a column says something else than before, beside what was marked of them."""
    changed = {
        values[0] << NUMBER_BITS | number: names
        for number, values in after.items()
        if number in before and (names := _differing(c, before[number], values))
    }
    marked = (
        dict(rows(c, "SELECT id, columns FROM change_marks WHERE id IN carray(?)", (key_array(changed),)))
        if changed
        else {}
    )
    together = ((key, " ".join(sorted({*marked.get(key, "").split(), *names}))) for key, names in changed.items())
    c.executemany("INSERT OR REPLACE INTO change_marks VALUES (?, ?)", together)


def look_at(c: apsw.Connection, profile: str, numbers: Sequence[int]) -> int:
    """These were looked at; returns how many bore a mark."""
    partitions = [
        partition for (partition,) in rows(c, "SELECT partition FROM partitions WHERE profile = ?", (profile,))
    ]
    keys = [
        partition << NUMBER_BITS | number for partition in partitions for number in numbers if 0 <= number <= MAX_NUMBER
    ]
    return (
        len(rows(c, "DELETE FROM change_marks WHERE id IN carray(?) RETURNING id", (key_array(keys),))) if keys else 0
    )


def _differing(c: apsw.Connection, before: tuple[Any, ...], after: tuple[Any, ...]) -> set[str]:
    names = {"list"} if before[0] != after[0] else set()
    for name, old, new in zip(_NAMES, before[1:-1], after[1:-1], strict=True):
        if old != new and not (old is None and name in _ASKED_FOR_APART):
            names.add(name)
    return names | _differing_parts(c, before[-1], after[-1])


def _differing_parts(c: apsw.Connection, before: str, after: str) -> set[str]:
    """Parts are read only of what is not the same: most changes concern none."""
    if before == after:
        return set()
    old, new = json.loads(before), json.loads(after)
    names = tuple(name for member, some in MEMBERS.items() if old.get(member) != new.get(member) for name in some)
    was, came = parts_of_text(c, before, names), parts_of_text(c, after, names)
    return {name for name in names if was[name] != came[name] and not (was[name] is None and name in _ASKED_FOR_APART)}

"""Finds the orders of one rule after the other, each order under the first rule that finds it.

Invariant: the search index answers everything but the rows that are shown, so a count among a million orders reads no
order at all. Each rule is a trip of its own to the database thread: keys typed into a filter never wait for all rules.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

from collections.abc import Callable, Collection, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

import apsw
from pyroaring import BitMap64

from app.store.cache.index.key_sets import earliest_of, keys_of_groups
from app.store.cache.order_query import lines_of
from app.store.cache.order_rows import OrderLine
from app.store.cache.schema.cache_schema import MAX_NUMBER, NUMBER_BITS
from app.store.cache.schema.conditions import Clause
from app.store.sqlite.plain_rows import key_array, rows

FEW = 1_000  # orders of a rule are all read, to be sorted by the reason itself
_BACK = timedelta(days=3 * 365)  # as far as days are looked for


Keys = BitMap64  # a set of keys, which others only hand on


class TroubleQuery(NamedTuple):
    """The question of one rule: the groups of clauses, and the date field whose earliest days are the worst."""

    profile: str
    groups: tuple[tuple[Clause, ...], ...]
    field: str
    today: date


class Trouble(NamedTuple):
    """How many orders a rule finds, and the rows of the worst ones."""

    orders: int
    lines: list[OrderLine]


Worst = Callable[[OrderLine], tuple[int, int]]  # sorts the rows of a rule, the worst first


def find_trouble(
    c: apsw.Connection, query: TroubleQuery, taken: BitMap64, most: int, worst: Worst
) -> tuple[Trouble, BitMap64]:
    """The orders of a rule that are not `taken`, and all that are taken then. With `most` 0 no row is read."""
    keys = keys_of_groups(c, query.profile, query.groups, query.today) - taken
    lines = _lines(c, query, keys, most) if most and keys else []
    return Trouble(len(keys), sorted(lines, key=worst)[:most]), taken | keys


def _lines(c: apsw.Connection, query: TroubleQuery, keys: BitMap64, most: int) -> list[OrderLine]:
    if len(keys) > FEW:
        keys = earliest_of(c, keys, query.field, most, (query.today - _BACK, query.today + _BACK))
    return lines_of(c, keys.to_array()[:FEW])


def keys_numbered(c: apsw.Connection, profile: str, numbers: Collection[int]) -> BitMap64:
    """The keys that orders with these numbers can have."""
    partitions = [each for (each,) in rows(c, "SELECT partition FROM partitions WHERE profile = ?", (profile,))]
    return BitMap64(
        [each << NUMBER_BITS | number for each in partitions for number in numbers if 0 <= number <= MAX_NUMBER]
    )


def changed_at(c: apsw.Connection, profile: str, numbers: Sequence[int]) -> dict[int, datetime]:
    """When the provider's answer about each of these orders last differed from the one before."""
    keys = key_array(keys_numbered(c, profile, numbers).to_array())
    found = rows(c, "SELECT number, changed_at FROM orders WHERE id IN carray(?)", (keys,)) if numbers else []
    return {number: datetime.fromisoformat(at) for number, at in found}


def left_open_at(c: apsw.Connection, profile: str, numbers: Sequence[int]) -> dict[int, datetime]:
    """When each of these orders was first missing from the list of open orders."""
    if not numbers:
        return {}
    found = rows(
        c,
        f"SELECT number, left_at FROM departed WHERE profile = ? AND number IN ({', '.join('?' * len(numbers))})",
        (profile, *numbers),
    )
    return {number: datetime.fromisoformat(at) for number, at in found}

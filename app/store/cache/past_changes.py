"""The values of orders before they changed, and which orders changed on which day.

`mark_changed` and `fetched_windows` record here what a reply of the provider changes, in the transaction that stores
it. Invariants: only what the provider said is kept, with the moment at which it was asked; no more than `MOST_KEPT`
changes of a connection are kept, and none longer than `KEPT_DAYS` (the oldest go first, some with each new batch).
`changed_days` has for each day the set of the orders that changed, and of each name of `CHANGE_NAMES`, so a filter
among a million orders reads one set a day.

An order is known here by its number: it keeps it when it moves to another list.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

import json
from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

import apsw
from pyroaring import BitMap64

from app.store.cache.schema.cache_schema import MAX_NUMBER, NUMBER_BITS
from app.store.cache.schema.change_names import names_of_columns
from app.store.cache.schema.raw_fields import RawValue
from app.store.sqlite.plain_rows import rows, value

KEPT_DAYS = 366
MOST_KEPT = 500_000  # changes of one connection: some 100 MB with their texts
_FORGOTTEN = 2_000  # orders of one day that a batch of new changes deletes at most
_LONGEST = 300  # letters of a kept text
_ANY = ""  # the name under which all changes of a day are found
_PROFILE = "(SELECT partition FROM partitions WHERE profile = ? AND list = 'open')"

# Column → its value before and after, as JSON holds them: moments as texts.
Values = Mapping[str, tuple[RawValue, RawValue]]


class Change(NamedTuple):
    """One order's change. `since` is when the order was first seen as it was before."""

    number: int
    since: datetime
    values: Values


class PastChange(NamedTuple):
    """A kept change: when the provider was asked, since when it had said otherwise, and the values before and after."""

    at: datetime
    since: datetime
    values: Values


def keep_changes(c: apsw.Connection, profile: str, changes: Sequence[Change], at: datetime) -> None:
    """Keep what a reply has changed; `at` is when the provider was asked for it."""
    if not changes:
        return
    (desk,) = rows(c, f"SELECT {_PROFILE}", (profile,))[0]
    c.executemany(
        "INSERT OR REPLACE INTO past_changes VALUES (?, ?, ?, ?, ?)",
        ((desk, each.number, _stamp(at), _stamp(each.since), _text(each.values)) for each in changes),
    )
    by_name: dict[str, list[int]] = defaultdict(list)
    for each in changes:
        for name in (_ANY, *names_of_columns(each.values)):
            by_name[name].append(each.number)
    for name, numbers in by_name.items():
        _add_to_day(c, desk, name, at.date(), numbers)
    _forget_oldest(c, desk, at.date())


def changes_of(c: apsw.Connection, profile: str, number: int, most: int) -> list[PastChange]:
    """The kept changes of an order, the latest first; at most `most`."""
    found = rows(
        c,
        f"SELECT at, since, was FROM past_changes WHERE desk = {_PROFILE} AND number = ? ORDER BY at DESC LIMIT ?",
        (profile, number, most),
    )
    return [PastChange(_moment(at), _moment(since), _values(was)) for at, since, was in found]


def numbers_changed(
    c: apsw.Connection, desks: Sequence[int], names: Sequence[str], first: date | None, last: date | None
) -> BitMap64:
    """The numbers of the orders that changed from `first` to `last`, in any of the columns that `names` stand for.

    `desks` are partitions; without names any change counts.
    """
    span = (first.isoformat() if first else "", last.isoformat() if last else "9999")
    found = [
        BitMap64.deserialize(numbers)
        for desk in desks
        for name in names or (_ANY,)
        for (numbers,) in rows(
            c,
            "SELECT numbers FROM changed_days WHERE desk = ? AND name = ? AND day BETWEEN ? AND ?",
            (desk, name, *span),
        )
    ]
    return BitMap64.union(BitMap64(), *found)


def keys_of_numbers(partitions: Iterable[int], numbers: BitMap64) -> BitMap64:
    """The keys that orders with these numbers can have on these lists."""
    return BitMap64.union(BitMap64(), *(numbers.shift(each << NUMBER_BITS) for each in partitions))


def forget_changes(c: apsw.Connection, profile: str) -> None:
    """Delete all that is kept of a connection's changes."""
    for table in ("past_changes", "changed_days"):
        c.execute(f"DELETE FROM {table} WHERE desk = {_PROFILE}", (profile,))


def _add_to_day(c: apsw.Connection, desk: int, name: str, day: date, numbers: Iterable[int]) -> None:
    key = (desk, name, day.isoformat())
    kept = value(c, "SELECT numbers FROM changed_days WHERE desk = ? AND name = ? AND day = ?", key)
    after = BitMap64(array("Q", (each for each in numbers if 0 <= each <= MAX_NUMBER)))
    if kept is not None:
        after |= BitMap64.deserialize(kept)
    c.execute("INSERT OR REPLACE INTO changed_days VALUES (?, ?, ?, ?, ?)", (*key, len(after), after.serialize()))


def _forget_oldest(c: apsw.Connection, desk: int, today: date) -> None:
    """Delete some changes of the oldest day, if it is too old or there are too many changes."""
    days = rows(c, "SELECT day, count FROM changed_days WHERE desk = ? AND name = ? ORDER BY day", (desk, _ANY))
    oldest = days[0][0]
    is_old = oldest < (today - timedelta(days=KEPT_DAYS)).isoformat()
    if len(days) == 1 or not (is_old or sum(count for _, count in days) > MOST_KEPT):
        return
    key = (desk, _ANY, oldest)
    numbers = BitMap64.deserialize(
        value(c, "SELECT numbers FROM changed_days WHERE desk = ? AND name = ? AND day = ?", key)
    )
    some = BitMap64(numbers[:_FORGOTTEN])
    # Until the end of the oldest day: what the order was later than that stays.
    until = _stamp(datetime.fromisoformat(oldest) + timedelta(days=1))
    c.executemany(
        "DELETE FROM past_changes WHERE desk = ? AND number = ? AND at < ?", ((desk, each, until) for each in some)
    )
    for name, held in rows(c, "SELECT name, numbers FROM changed_days WHERE desk = ? AND day = ?", (desk, oldest)):
        left = BitMap64.deserialize(held) - some
        if left:
            c.execute(
                "UPDATE changed_days SET count = ?, numbers = ? WHERE desk = ? AND name = ? AND day = ?",
                (len(left), left.serialize(), desk, name, oldest),
            )
        else:
            c.execute("DELETE FROM changed_days WHERE desk = ? AND name = ? AND day = ?", (desk, name, oldest))


def _text(values: Values) -> str:
    kept = {name: [_short(was), _short(now)] for name, (was, now) in values.items()}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


def _short(one: RawValue) -> str | int | float | None:
    if isinstance(one, datetime):
        return one.isoformat(timespec="seconds")
    return f"{one[: _LONGEST - 1]}…" if isinstance(one, str) and len(one) > _LONGEST else one


def _values(text: str) -> Values:
    return {name: (was, now) for name, (was, now) in json.loads(text).items()}


def _stamp(moment: datetime) -> int:
    """Milliseconds since 1970, as the table `seen` has them."""
    return int(moment.timestamp() * 1_000)


def _moment(stamp: int) -> datetime:
    return datetime.fromtimestamp(stamp / 1_000)

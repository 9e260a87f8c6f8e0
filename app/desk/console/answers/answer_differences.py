"""Compares two answers field by field. Elements of lists are paired by what identifies them, not by their index."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from app.desk.console.forms.exact_json import ABSENT, Absent, Number, Path, Value, same, write_json

Change = Literal["added", "removed", "changed"]
# Names under which records say which one they are, the surest first; letters of any case.
_IDENTITIES = (
    "id", "slotid", "ordernumber", "systemnumber", "orderreferencenumber", "auditid", "barcode", "providerfacilitycode",
    "facilitycode", "code", "sku", "key", "name", "commodity", "type",
)  # fmt: skip
_MOST_PAIRED = 20_000  # elements; longer lists are compared by index


@dataclass(frozen=True, slots=True)
class Difference:
    """One field that differs. `before` or `now` is ABSENT where the field is only in the other. Indexes in `path` are
    those of the answer that has the field, of `now` where both have it."""

    path: Path
    change: Change
    before: Value | Absent
    now: Value | Absent


def differences(before: Value | Absent, now: Value | Absent, most: int = 2000) -> list[Difference]:
    """The differences, in the order of `now`, at most `most`."""
    return list(islice(_compared(before, now, ()), most))


def _compared(before: Value | Absent, now: Value | Absent, path: Path) -> Iterator[Difference]:
    if isinstance(before, dict) and isinstance(now, dict):
        for name, each in now.items():
            yield from _compared(before.get(name, ABSENT), each, (*path, name))
        for name, each in before.items():
            if name not in now:
                yield Difference((*path, name), "removed", each, ABSENT)
    elif isinstance(before, list) and isinstance(now, list):
        yield from _lists(before, now, path)
    elif before is ABSENT and now is not ABSENT:
        yield Difference(path, "added", ABSENT, now)
    elif now is ABSENT and before is not ABSENT:
        yield Difference(path, "removed", before, ABSENT)
    elif not same(before, now):
        yield Difference(path, "changed", before, now)


def _lists(before: list[Value], now: list[Value], path: Path) -> Iterator[Difference]:
    name = _identity(before, now)
    if name is None:
        for index in range(max(len(before), len(now))):
            old = before[index] if index < len(before) else ABSENT
            new = now[index] if index < len(now) else ABSENT
            yield from _compared(old, new, (*path, index))
        return
    # `_identity` made sure that the keys are all different, so none is lost here.
    old_by_key = {_key(each, name): (index, each) for index, each in enumerate(before)}
    for index, each in enumerate(now):
        _, old = old_by_key.pop(_key(each, name), (0, ABSENT))
        yield from _compared(old, each, (*path, index))
    for index, each in old_by_key.values():
        yield Difference((*path, index), "removed", each, ABSENT)


def _identity(before: list[Value], now: list[Value]) -> str | None:
    """The name whose value tells the records of both lists apart; empty for single values, None where nothing does."""
    both = [*before, *now]
    if not before or not now or len(both) > _MOST_PAIRED:
        return None
    if not any(isinstance(each, dict | list) for each in both):
        return "" if _all_differ(before, "") and _all_differ(now, "") else None
    if not all(isinstance(each, dict) for each in both):
        return None
    names = {name.lower(): name for name in both[0]} if isinstance(both[0], dict) else {}
    ordered = [names[each] for each in _IDENTITIES if each in names]
    return next((each for each in ordered if _all_differ(before, each) and _all_differ(now, each)), None)


def _all_differ(elements: list[Value], name: str) -> bool:
    keys = [_key(each, name) for each in elements]
    return None not in keys and len(set(keys)) == len(keys)


def _key(element: Value, name: str) -> str | None:
    value = element.get(name) if name and isinstance(element, dict) else element
    if isinstance(value, dict | list) or value is None:
        return None
    # 1.0 and 1 are one number, and "1" is a text.
    return f"number {value.exact}" if isinstance(value, Number) else write_json(value)

"""Which columns a table shows, in which order and how wide: plain data, changed by plain functions and kept as JSON.

Invariant: an arrangement names columns that exist, each once, and at least one.
"""

from collections.abc import Sequence
from typing import NamedTuple

from app.ui.orders.table.column_list import BY_NAME, OrderColumn
from app.ui.theme.tokens import COLUMN_LEAST, COLUMN_MOST


class Placed(NamedTuple):
    """A column in its place."""

    name: str
    width: int

    @property
    def column(self) -> OrderColumn:
        """What it shows."""
        return BY_NAME[self.name]


Arrangement = tuple[Placed, ...]


def usual(names: Sequence[str]) -> Arrangement:
    """These columns as wide as they usually are."""
    return tuple(Placed(name, BY_NAME[name].width) for name in names)


def as_kept(arrangement: Arrangement) -> list[object]:
    """As it is kept among the settings."""
    return [[name, width] for name, width in arrangement]


def from_kept(kept: object, otherwise: Arrangement) -> Arrangement:
    """What was kept, as far as it can be read and the columns still exist."""
    if not isinstance(kept, list):
        return otherwise
    found: dict[str, Placed] = {}
    for each in kept:
        match each:
            case [str(name), int(width)] if name in BY_NAME and name not in found:
                found[name] = Placed(name, _within(width))
    return tuple(found.values()) or otherwise


def shown(arrangement: Arrangement, name: str) -> Arrangement:
    """With this column, at the end if it was hidden."""
    if name in names_of(arrangement):
        return arrangement
    return (*arrangement, Placed(name, BY_NAME[name].width))


def hidden(arrangement: Arrangement, name: str) -> Arrangement:
    """Without this column, unless it is the last one."""
    return tuple(each for each in arrangement if each.name != name) or arrangement


def moved(arrangement: Arrangement, name: str, by: int) -> Arrangement:
    """With this column so many places further right, or left below zero, as far as there are places."""
    names = names_of(arrangement)
    if name not in names:
        return arrangement
    at = names.index(name)
    rest = [*arrangement[:at], *arrangement[at + 1 :]]
    rest.insert(max(at + by, 0), arrangement[at])
    return tuple(rest)


def sized(arrangement: Arrangement, name: str, width: int) -> Arrangement:
    """With this column as wide as this, within reason."""
    return tuple(Placed(name, _within(width)) if each.name == name else each for each in arrangement)


def names_of(arrangement: Arrangement) -> tuple[str, ...]:
    """The columns' names, from left to right."""
    return tuple(each.name for each in arrangement)


def _within(width: int) -> int:
    return min(max(width, COLUMN_LEAST), COLUMN_MOST)

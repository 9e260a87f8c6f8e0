"""Arrangements of columns: which are shown, in which order, and how wide. Plain data, stored as JSON.

Invariant: an arrangement names columns that exist, each once, and at least one.
"""

from collections.abc import Sequence
from typing import NamedTuple

from app.ui.orders.table.column_list import BY_NAME, OrderColumn
from app.ui.theme.tokens import COLUMN_LEAST, COLUMN_MOST


class Placed(NamedTuple):
    """A shown column and its width in pixels."""

    name: str
    width: int

    @property
    def column(self) -> OrderColumn:
        """The column itself."""
        return BY_NAME[self.name]


Arrangement = tuple[Placed, ...]


def default_arrangement(names: Sequence[str]) -> Arrangement:
    """The columns of these names in their default widths."""
    return tuple(Placed(name, BY_NAME[name].width) for name in names)


def to_json(arrangement: Arrangement) -> list[object]:
    """The arrangement as JSON values."""
    return [[name, width] for name, width in arrangement]


def from_json(stored: object, otherwise: Arrangement) -> Arrangement:
    """The arrangement that was stored, without columns that do not exist any more; `otherwise` if none is left."""
    if not isinstance(stored, list):
        return otherwise
    found: dict[str, Placed] = {}
    for each in stored:
        match each:
            case [str(name), int(width)] if name in BY_NAME and name not in found:
                found[name] = Placed(name, _within(width))
    return tuple(found.values()) or otherwise


def shown(arrangement: Arrangement, name: str) -> Arrangement:
    """The arrangement with the column `name`, at the end if it was hidden."""
    if name in names_of(arrangement):
        return arrangement
    return (*arrangement, Placed(name, BY_NAME[name].width))


def hidden(arrangement: Arrangement, name: str) -> Arrangement:
    """The arrangement without the column `name`, unless it is the only one."""
    return tuple(each for each in arrangement if each.name != name) or arrangement


def moved(arrangement: Arrangement, name: str, by: int) -> Arrangement:
    """The arrangement with the column `name` moved `by` places to the right, or to the left if negative."""
    names = names_of(arrangement)
    if name not in names:
        return arrangement
    at = names.index(name)
    rest = [*arrangement[:at], *arrangement[at + 1 :]]
    rest.insert(max(at + by, 0), arrangement[at])
    return tuple(rest)


def resized(arrangement: Arrangement, name: str, width: int) -> Arrangement:
    """The arrangement with the column `name` as wide as `width`, within the limits of the theme."""
    return tuple(Placed(name, _within(width)) if each.name == name else each for each in arrangement)


def names_of(arrangement: Arrangement) -> tuple[str, ...]:
    """The columns' names, from left to right."""
    return tuple(each.name for each in arrangement)


def _within(width: int) -> int:
    return min(max(width, COLUMN_LEAST), COLUMN_MOST)

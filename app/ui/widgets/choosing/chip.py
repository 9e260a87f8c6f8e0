"""A chip as data: what it filters by, how that is typed, and what it offers."""

from dataclasses import dataclass
from typing import Literal

# "values" come from the store with their counts; "some" takes any of its options, "one" one; a "flag" is on or off.
Kind = Literal["values", "some", "one", "flag"]


@dataclass(frozen=True, slots=True)
class Chip:
    """`name` is how it is typed, `fields` what it comes to. `options` are typed values with their words.

    `hint` says what may be typed in the panel besides; empty when nothing may.
    """

    name: str
    title: str
    fields: tuple[str, ...]
    kind: Kind
    options: tuple[tuple[str, str], ...] = ()
    hint: str = ""
    always: bool = False  # stands in the row also when nothing is chosen

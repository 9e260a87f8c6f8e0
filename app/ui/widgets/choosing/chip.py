"""A filter chip as data: the field, how it is typed, and the values that it offers."""

from dataclasses import dataclass
from typing import Literal

# "values": from the store with their counts; "some": any of the options; "one": one option; "flag": on or off.
Kind = Literal["values", "some", "one", "flag"]


@dataclass(frozen=True, slots=True)
class Chip:
    """`name` is typed in the filter and stands for the store's `fields`. `options` are typed values with their titles.

    `hint` describes what else may be typed in the panel; empty if nothing may.
    """

    name: str
    title: str
    fields: tuple[str, ...]
    kind: Kind
    options: tuple[tuple[str, str], ...] = ()
    hint: str = ""
    always: bool = False  # shown also while nothing is chosen

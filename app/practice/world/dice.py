"""Repeatable random values: the same seed, kind and number always give the same roll.

One hash gives 32 values of 16 bits, enough for everything about an order, so nothing derived has to be stored.
"""

from collections.abc import Sequence
from hashlib import blake2b
from struct import Struct
from typing import TypeVar

Roll = tuple[int, ...]
SIDES = 1 << 16

_KEY = Struct("<qq")
_VALUES = Struct("<32H")
_Item = TypeVar("_Item")


def roll(seed: int, kind: bytes, number: int) -> Roll:
    """32 values from 0 to 65535 for one thing. `kind` (at most 16 bytes) keeps unlike things independent."""
    digest = blake2b(_KEY.pack(seed, number), digest_size=64, person=kind).digest()
    return _VALUES.unpack(digest)


def pick(items: Sequence[_Item], value: int) -> _Item:
    """The item that a value chooses."""
    return items[value * len(items) >> 16]


def upto(limit: int, value: int) -> int:
    """A whole number from 0 to limit - 1."""
    return value * limit >> 16


def chance(percent: float, value: int) -> bool:
    """True in `percent` of the throws."""
    return value < percent * SIDES / 100


def text_number(text: str) -> int:
    """A number for a text, the same in every run."""
    return int.from_bytes(blake2b(text.encode(), digest_size=7).digest(), "little")

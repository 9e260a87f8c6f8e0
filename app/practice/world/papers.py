"""The documents of an order: which folders hold one, and since when.

All 24 folder types occur. A document's file is drawn on its first request; its name gives order and folder.
"""

from collections.abc import Iterator
from typing import NamedTuple

from app.contract.codes import FOLDER_TYPE_WORDS
from app.practice.world.dice import Roll, chance
from app.practice.world.life import Life


class Paper(NamedTuple):
    """A document: its folder, and when it was filed."""

    folder: str
    filed: int


# (folder, percent of orders, minutes after the event), by the event of the order's life.
_RULES: dict[str, tuple[tuple[str, float, int], ...]] = {
    "received": (
        ("BOL", 75, 12),
        ("INB", 18, 5),
        ("RLD", 12, 8),
        ("PS", 35, 20),
        ("DMR", 4, 25),
        ("SOI", 3, 30),
        ("UNS", 3, 40),
        ("OVR", 2, 45),
    ),
    "loaded": (
        ("LD", 45, 6),
        ("MAN", 35, 15),
        ("DML", 2.5, 9),
        ("SV", 2, 11),
        ("OOS", 2, 13),
        ("TD", 1.5, 3),
    ),
    "dispatched": (("LS", 2, 90), ("LFF", 6, 200)),
    "attempted": (("AT", 100, 4),),
    "delivered": (
        ("POD", 96, 7),
        ("ORD", 40, 3),
        ("UN", 14, 4),
        ("DAM", 3, 6),
        ("DMB", 1.5, 6),
        ("RF", 2, 9),
        ("DOC", 9, 60),
    ),
}
_ORDER_OF_RULES = {folder: index for index, folder in enumerate(each[0] for rules in _RULES.values() for each in rules)}
if set(_ORDER_OF_RULES) != set(FOLDER_TYPE_WORDS):
    raise AssertionError("every folder type of the contract occurs, and no other")


def papers_at(thrown: Roll, life: Life, now: int) -> list[Paper]:
    """The documents filed up to now, in the order of filing."""
    return sorted(_papers(thrown, life, now), key=lambda paper: paper.filed)


def _papers(thrown: Roll, life: Life, now: int) -> Iterator[Paper]:
    for event, rules in _RULES.items():
        happened: int = getattr(life, event)
        if happened > now:
            continue
        for folder, percent, minutes in rules:
            value = thrown[_ORDER_OF_RULES[folder] + 4] * 40_503 & 0xFFFF
            if chance(percent, value) and happened + minutes * 60 <= now:
                yield Paper(folder, happened + minutes * 60)


def paper_seed(number: int, folder: str) -> int:
    """The seed from which a document is drawn."""
    return number * 64 + _ORDER_OF_RULES[folder]

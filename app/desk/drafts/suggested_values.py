"""What the program filled in by itself, until a person accepts it: it is marked in the draft, and goes when its ground
goes.

The volume and weight of a freight line are guessed from its commodity, its count and one another: once a person changes
one of these, what was guessed beside it stands on nothing.
"""

from collections.abc import Iterable
from dataclasses import replace

from app.contract.draft import FreightDraft

_TYPED = ("commodity", "count", "volume", "weight")
GUESSED = ("volume", "weight")
_UNITS = {"volume": "cu ft", "weight": "lb"}
# Fields that were filled in with a consignee belong to that consignee.
GROUND = "consignee.consigneeName"


def marked(row: FreightDraft) -> tuple[str, ...]:
    """The cells of a line that hold a guess which nobody has accepted."""
    return tuple(name for name in row.filled.split() if name in GUESSED)


def filled(row: FreightDraft, values: dict[str, str]) -> FreightDraft:
    """The line with these guesses in it, marked."""
    names = {*marked(row), *values}
    return replace(row, **values, filled=" ".join(name for name in GUESSED if name in names))


def settle(before: FreightDraft, after: FreightDraft) -> FreightDraft:
    """A line that a person has changed: what was typed is no guess any more, and the guesses beside it go."""
    left = marked(before)
    changed = [name for name in _TYPED if getattr(before, name).strip() != getattr(after, name).strip()]
    if not left or not changed:
        return after
    return replace(after, **{name: "" for name in left if name not in changed}, filled="")


def accept_rows(rows: Iterable[FreightDraft]) -> list[FreightDraft]:
    """The lines with all guesses accepted: they count as typed."""
    return [replace(row, filled="") if row.filled else row for row in rows]


def guesses(rows: Iterable[FreightDraft]) -> list[str]:
    """The guesses of the freight that nobody has accepted: `Freight line 1: 74.5 cu ft and 260 lb`."""
    found = []
    for at, row in enumerate(rows, 1):
        parts = [f"{getattr(row, name)} {_UNITS[name]}" for name in marked(row) if getattr(row, name)]
        found += [f"Freight line {at}: {' and '.join(parts)}"] if parts else []
    return found


def explain(row: FreightDraft, name: str) -> str:
    """Where a guess comes from; empty for a cell that holds none."""
    if name not in marked(row):
        return ""
    pieces = f"{row.count.strip()} {row.commodity.strip()}"
    how = f"what {pieces} usually come to, by what this desk sent before"
    return f"Filled in by Waybill: {how}. Type over it, or Alt+A accepts it."

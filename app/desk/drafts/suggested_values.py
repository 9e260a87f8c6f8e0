"""Guessed volumes and weights of freight lines, which are marked in the draft until a person accepts them.

A guess follows from the commodity, the count and the other guess of its line. Invariant: once a person changes one of
these, the remaining guesses of the line are removed.
"""

from collections.abc import Iterable
from dataclasses import replace

from app.contract.draft import FreightDraft
from app.desk.drafts import drafts_words

_TYPED = ("commodity", "count", "volume", "weight")
GUESSED = ("volume", "weight")


def marked(row: FreightDraft) -> tuple[str, ...]:
    """The cells of a line that hold a guess which nobody has accepted."""
    return tuple(name for name in row.filled.split() if name in GUESSED)


def filled(row: FreightDraft, values: dict[str, str]) -> FreightDraft:
    """The line with these guesses in it, marked."""
    names = {*marked(row), *values}
    return replace(row, **values, filled=" ".join(name for name in GUESSED if name in names))


def settle(before: FreightDraft, after: FreightDraft) -> FreightDraft:
    """A line that a person has changed: typed values are no guesses any more, and the other guesses are removed."""
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
        volume, weight = (getattr(row, name) if name in marked(row) else "" for name in GUESSED)
        if volume or weight:
            found.append(drafts_words.guessed_line(at, drafts_words.volume_and_weight(volume, weight)))
    return found


def explain(row: FreightDraft, name: str) -> str:
    """Where a guess comes from; empty for a cell that holds none."""
    return drafts_words.guess_explained(row.count.strip(), row.commodity.strip()) if name in marked(row) else ""

"""Edits a typed filter piece by piece. Invariant: the pieces that are not edited stay as they were typed.

So `scheduled:today` still means the current day tomorrow, whatever else is chosen.
"""

import re
from collections.abc import Collection
from datetime import date
from typing import NamedTuple

from app.desk.filter.filter_language import parse
from app.store.cache.schema.conditions import Clause

_PIECE = re.compile(r'(?:[^\s"]|"[^"]*"?)+')


class Piece(NamedTuple):
    """A piece of a typed filter; `clause` is None for a word to search for, and if it is not understood."""

    text: str
    clause: Clause | None


def pieces(typed: str, today: date) -> list[Piece]:
    """The pieces of a filter, in their order."""
    found = []
    for each in _PIECE.findall(typed):
        # Piece by piece, because `Filter` does not keep which clause came from which piece.
        clauses = parse(each, today).clauses
        found.append(Piece(each, clauses[0] if clauses else None))
    return found


def with_piece(typed: str, fields: Collection[str], piece: str, today: date) -> str:
    """The filter with `piece` in place of its pieces about these fields; "" removes them."""
    kept: list[str] = []
    put = False
    for each in pieces(typed, today):
        if each.clause is None or each.clause.field not in fields:
            kept.append(each.text)
        elif piece and not put:
            kept.append(piece)
            put = True
    if piece and not put:
        # Before the words: a person may still be typing the last one.
        words = next((at for at, text in enumerate(kept) if parse(text, today).text), len(kept))
        kept.insert(words, piece)
    return " ".join(kept)


def split_list(typed: str, today: date) -> tuple[str, str]:
    """The pieces about the list, and all others, both as typed."""
    found = pieces(typed, today)
    about = [each.text for each in found if each.clause is not None and each.clause.field == "list"]
    rest = [each.text for each in found if each.clause is None or each.clause.field != "list"]
    return " ".join(about), " ".join(rest)

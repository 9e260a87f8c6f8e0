"""The filter as it is typed, piece by piece: one piece is put in, taken out or exchanged and all others stay as typed.

So `scheduled:today` is still today's day tomorrow, whatever else is chosen beside it.
"""

import re
from collections.abc import Collection
from datetime import date
from typing import NamedTuple

from app.desk.filter.filter_language import parse
from app.store.cache.schema.conditions import Clause

_PIECE = re.compile(r'(?:[^\s"]|"[^"]*"?)+')


class Piece(NamedTuple):
    """`clause` is what it asks for; None for words, and for what is not understood."""

    text: str
    clause: Clause | None


def pieces(typed: str, today: date) -> list[Piece]:
    """The pieces of a filter, in their order."""
    found = []
    for each in _PIECE.findall(typed):
        clauses = parse(each, today).clauses
        found.append(Piece(each, clauses[0] if clauses else None))
    return found


def with_piece(typed: str, fields: Collection[str], piece: str, today: date) -> str:
    """The filter with `piece` where the first one of these fields stood, without the others; "" takes them out."""
    kept: list[str] = []
    put = False
    for each in pieces(typed, today):
        if each.clause is None or each.clause.field not in fields:
            kept.append(each.text)
        elif piece and not put:
            kept.append(piece)
            put = True
    if piece and not put:
        # Before the words: they may still be typed on.
        words = next((at for at, text in enumerate(kept) if parse(text, today).text), len(kept))
        kept.insert(words, piece)
    return " ".join(kept)


def split_list(typed: str, today: date) -> tuple[str, str]:
    """Which list a filter is about, and the rest of it, both as typed."""
    found = pieces(typed, today)
    about = [each.text for each in found if each.clause is not None and each.clause.field == "list"]
    rest = [each.text for each in found if each.clause is None or each.clause.field != "list"]
    return " ".join(about), " ".join(rest)

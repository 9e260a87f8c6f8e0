"""References and order numbers that were pasted, matched with the store and made into a filter.

Invariant: every pasted text ends up in exactly one of three: numbers, references, or texts that no order has.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from app.desk.desk import Desk
from app.desk.filter.filter_language import EVERYWHERE, write_clause
from app.desk.filter.resolve_filter import find_unmatched
from app.desk.orders import stored_orders
from app.store.cache.order_rows import OrderQuery
from app.store.cache.schema.conditions import Clause

MOST_PASTED = 10_000
_LONGEST_TYPED = 2_000  # letters of a filter that still goes into the line
_CELL_ENDS, _WORD_ENDS, _MARKS = re.compile(r"[\t\r\n]+"), re.compile(r"[\s,;]+"), re.compile(r"[,;]+")


@dataclass(frozen=True, slots=True)
class PastedMatch:
    """The orders that the store has for pasted texts, and the texts for which it has none."""

    numbers: tuple[str, ...]
    references: tuple[str, ...]
    unknown: tuple[str, ...]


def cells(pasted: str) -> list[str]:
    """The cells of pasted text. A reference may hold blanks, so blanks end no cell."""
    return _distinct(_unquoted(each) for each in _CELL_ENDS.split(pasted))


def words(cell: str) -> list[str]:
    """The texts in a cell that is no reference as a whole: split at blanks, commas and semicolons."""
    return _distinct(each.strip('"') for each in _WORD_ENDS.split(cell))


def _split_at_marks(cell: str) -> list[str]:
    return _distinct(each.strip().strip('"') for each in _MARKS.split(cell))


def _unquoted(cell: str) -> str:
    """A cell without the quotes that a spreadsheet puts around it."""
    text = cell.strip()
    return text[1:-1].replace('""', '"') if len(text) > 1 and text[0] == text[-1] == '"' else text


def _distinct(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(text for each in texts if (text := each.strip())))


async def match_pasted(desk: Desk, pasted: list[str]) -> PastedMatch:
    """Which of these cells are numbers of orders, which are references, and which are neither. Raises `StoreError`.

    A cell that is neither as a whole is split into words. Where none of its words is known either, the cell is
    reported as it was pasted, split at its commas.
    """
    whole = await _match(desk, pasted)
    split = {cell: texts for cell in whole.unknown if len(texts := words(cell)) > 1}
    if not split:
        return whole
    inside = await _match(desk, list(dict.fromkeys(text for texts in split.values() for text in texts)))
    found = {*inside.numbers, *inside.references}
    unknown: list[str] = []
    for cell in whole.unknown:
        texts = split.get(cell, [cell])
        lost = [text for text in texts if text not in found]
        unknown += lost if len(lost) < len(texts) else _split_at_marks(cell)
    return PastedMatch(
        tuple(dict.fromkeys((*whole.numbers, *inside.numbers))),
        tuple(dict.fromkeys((*whole.references, *inside.references))),
        tuple(dict.fromkeys(unknown)),
    )


async def _match(desk: Desk, texts: list[str]) -> PastedMatch:
    digits = [each for each in texts if each.isascii() and each.isdecimal()]
    unknown_numbers = set((await find_unmatched(desk, _query(desk, Clause("number", tuple(digits))))).numbers)
    numbers = dict.fromkeys(each for each in digits if each not in unknown_numbers)
    # A text of digits that is no order's number may still be a reference.
    rest = tuple(each for each in texts if each not in numbers)
    unknown = set((await find_unmatched(desk, _query(desk, Clause("reference", rest)))).references) if rest else set()
    references = tuple(each for each in rest if each not in unknown)
    return PastedMatch(tuple(numbers), references, tuple(each for each in rest if each in unknown))


async def match_clause(desk: Desk, found: PastedMatch) -> Clause:
    """The one clause that finds all matched orders. Raises `StoreError`."""
    if not found.numbers or not found.references:
        return Clause("number", found.numbers) if found.numbers else Clause("reference", found.references)
    # Clauses are combined by AND, so references beside numbers are looked up and become numbers.
    lines = await stored_orders.page(desk, _query(desk, Clause("reference", found.references)), 0, MOST_PASTED)
    return Clause("number", tuple(dict.fromkeys((*found.numbers, *(str(each.number) for each in lines)))))


def filter_text(clause: Clause) -> str:
    """The clause as it is typed; empty where it is too long for the line."""
    written = write_clause(clause)
    return f"{EVERYWHERE} {written}" if len(written) <= _LONGEST_TYPED else ""


def _query(desk: Desk, clause: Clause) -> OrderQuery:
    return OrderQuery(desk.profile.id, None, clauses=(clause,), today=desk.now().date())

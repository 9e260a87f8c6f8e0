"""A set of references or numbers as a filter: told apart by what the store knows, short ones typed, long ones held."""

from app.desk.desk import Desk
from app.desk.filter.filter_language import EVERYWHERE, write_clause
from app.desk.filter.resolve_filter import missing
from app.desk.orders import stored_orders
from app.store.cache.order_rows import OrderQuery
from app.store.cache.schema.conditions import Clause
from app.ui.orders.filter.pasted_dialog import MOST, Sorted, marked, parts

_TYPED = 2_000  # letters of a set that still stands in the line


async def sort_pasted(desk: Desk, cells: list[str]) -> Sorted:
    """Which of these are numbers of orders, which are references, and which are neither.

    A cell that is neither as a whole is parted, and its parts are looked for; where none of them is known either, it
    stays whole but for commas.
    """
    whole = await _known(desk, cells)
    parted = {cell: texts for cell in whole.unknown if len(texts := parts(cell)) > 1}
    if not parted:
        return whole
    inside = await _known(desk, list(dict.fromkeys(text for texts in parted.values() for text in texts)))
    found = {*inside.numbers, *inside.references}
    unknown: list[str] = []
    for cell in whole.unknown:
        texts = parted.get(cell, [cell])
        lost = [text for text in texts if text not in found]
        unknown += lost if len(lost) < len(texts) else marked(cell)
    return Sorted(
        tuple(dict.fromkeys((*whole.numbers, *inside.numbers))),
        tuple(dict.fromkeys((*whole.references, *inside.references))),
        tuple(dict.fromkeys(unknown)),
    )


async def _known(desk: Desk, texts: list[str]) -> Sorted:
    digits = [each for each in texts if each.isascii() and each.isdecimal()]
    unknown_numbers = set((await missing(desk, _query(desk, Clause("number", tuple(digits))))).numbers)
    numbers = dict.fromkeys(each for each in digits if each not in unknown_numbers)
    rest = tuple(each for each in texts if each not in numbers)
    unknown = set((await missing(desk, _query(desk, Clause("reference", rest)))).references) if rest else set()
    references = tuple(each for each in rest if each not in unknown)
    return Sorted(tuple(numbers), references, tuple(each for each in rest if each in unknown))


async def one_clause(desk: Desk, found: Sorted) -> Clause:
    """The clause that finds all of them. References beside numbers are looked up, as clauses are combined by and."""
    if not found.numbers or not found.references:
        return Clause("number", found.numbers) if found.numbers else Clause("reference", found.references)
    lines = await stored_orders.page(desk, _query(desk, Clause("reference", found.references)), 0, MOST)
    return Clause("number", tuple(dict.fromkeys((*found.numbers, *(str(each.number) for each in lines)))))


def typed(clause: Clause) -> str:
    """The set as it is typed; empty when it is too long for the line."""
    written = write_clause(clause)
    return f"{EVERYWHERE} {written}" if len(written) <= _TYPED else ""


def _query(desk: Desk, clause: Clause) -> OrderQuery:
    return OrderQuery(desk.profile.id, None, clauses=(clause,), today=desk.now().date())

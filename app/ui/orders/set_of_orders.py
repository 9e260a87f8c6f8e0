"""A set of references or numbers as a filter: told apart by what the store knows, short ones typed, long ones held."""

from app.desk import orders
from app.desk.desk import Desk
from app.desk.filters import EVERYWHERE
from app.desk.finding import missing
from app.store.cache_filter import Clause
from app.store.cache_rows import OrderQuery
from app.ui.orders.pasted_dialog import MOST, Sorted

_TYPED = 2_000  # letters of a set that still stands in the line


async def sort_pasted(desk: Desk, texts: list[str]) -> Sorted:
    """Which of these are numbers of orders, which are references, and which are neither."""
    digits = [each for each in texts if each.isascii() and each.isdecimal()]
    unknown_numbers = set((await missing(desk, _query(desk, Clause("number", tuple(digits))))).numbers)
    numbers = tuple(each for each in digits if each not in unknown_numbers)
    rest = tuple(each for each in texts if each not in numbers)
    unknown = set((await missing(desk, _query(desk, Clause("reference", rest)))).references) if rest else set()
    references = tuple(each for each in rest if each not in unknown)
    return Sorted(numbers, references, tuple(each for each in rest if each in unknown))


async def one_clause(desk: Desk, found: Sorted) -> Clause:
    """The clause that finds all of them. References beside numbers are looked up, as clauses are combined by and."""
    if not found.numbers or not found.references:
        return Clause("number", found.numbers) if found.numbers else Clause("reference", found.references)
    lines = await orders.page(desk, _query(desk, Clause("reference", found.references)), 0, MOST)
    return Clause("number", tuple(dict.fromkeys((*found.numbers, *(str(each.number) for each in lines)))))


def typed(clause: Clause) -> str:
    """The set as it is typed; empty when it is too long for the line."""
    values = ",".join(f'"{each}"' if "," in each else each for each in clause.values)
    return f"{EVERYWHERE} {clause.field}:{values}" if len(values) <= _TYPED else ""


def _query(desk: Desk, clause: Clause) -> OrderQuery:
    return OrderQuery(desk.profile.id, None, clauses=(clause,), today=desk.now().date())

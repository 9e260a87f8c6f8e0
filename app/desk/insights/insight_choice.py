"""The subject of the plots: days, facilities and delivery types, and the filters of orders that say the same.

Invariant: a filter that is made here finds exactly the orders that a plot has counted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from app.desk.filter.filter_dates import read_days
from app.desk.filter.filter_language import write_clause
from app.store.cache.order_rows import ListName, OrderQuery
from app.store.cache.schema.conditions import NONE, Clause

USUAL_DAYS = "-83..today"
LONGEST = 366
_DAY = timedelta(days=1)
NOT_CANCELLED = Clause("state", ("CAN",), negated=True)
NOT_CLOSED = Clause("state", ("CMP", "CAN"), negated=True)


@dataclass(frozen=True, slots=True)
class InsightChoice:
    """Days as they are typed, and the values of facility and delivery type, none for all."""

    days: str = USUAL_DAYS
    facilities: tuple[str, ...] = ()
    deliveries: tuple[str, ...] = ()

    def span(self, today: date) -> tuple[date, date]:
        """The first and the last day, at most `LONGEST` of them; the usual days where they cannot be read."""
        first, last = read_span(self.days, today) or read_span(USUAL_DAYS, today) or (today, today)
        return first, last

    def clauses(self) -> tuple[Clause, ...]:
        """Facility and delivery type as clauses."""
        both = (("facility", self.facilities), ("delivery", self.deliveries))
        return tuple(
            Clause(field, tuple("" if each == NONE else each for each in some)) for field, some in both if some
        )


def read_span(typed: str, today: date) -> tuple[date, date] | None:
    """The days that were typed, open ends filled; None if they cannot be read."""
    span = read_days(typed, today, back=True)
    if span is None:
        return None
    last = min(span[1] or today, today)
    first = max(span[0] or date.min, last - (LONGEST - 1) * _DAY) if span[0] else last - (LONGEST - 1) * _DAY
    return (first, last) if first <= last else None


def weeks(first: date, last: date) -> list[tuple[date, date]]:
    """The weeks from Monday to Sunday that hold these days; the first and the last may be cut off."""
    found, monday = list[tuple[date, date]](), first - first.weekday() * _DAY
    while monday <= last:
        found.append((max(monday, first), min(monday + 6 * _DAY, last)))
        monday += 7 * _DAY
    return found


def monday_of(day: date) -> date:
    """The Monday of its week."""
    return day - day.weekday() * _DAY


def query_of(profile: str, list_name: ListName, clauses: Sequence[Clause], today: date) -> OrderQuery:
    """The query of some orders."""
    return OrderQuery(profile, list_name, clauses=tuple(clauses), today=today)


def filter_of(list_name: ListName, clauses: Sequence[Clause]) -> str:
    """The choice as a person would type it in the filter."""
    return " ".join(write_clause(each) for each in (Clause("list", (list_name,)), *clauses))


def with_facility(clauses: Sequence[Clause], facility: str) -> tuple[Clause, ...]:
    """The clauses for one facility alone; an empty one is the orders without a facility."""
    return (*(each for each in clauses if each.field != "facility"), Clause("facility", (facility,)))

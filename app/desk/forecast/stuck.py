"""Orders that wait longer than is usual for their step at their facility, from the orders delivered lately.

Invariant: nothing is said of a facility with fewer than `LEAST_CASES` completed orders of the step.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from app.desk.forecast.likely_late import MOST, Forecast
from app.desk.forecast.quantiles import LEAST_CASES, quantile
from app.desk.reasons import reasons_words as words
from app.desk.reasons.clause_on_row import all_hold
from app.desk.reasons.order_reasons import Reason
from app.desk.reasons.reason_rules import AWAITED, NOT_RECEIVED, Groups
from app.store.cache.counts.step_times import STEP_FROM
from app.store.cache.order_rows import OrderLine
from app.store.cache.schema.conditions import NONE, Clause
from app.store.sqlite.search_text import plain

_NOT_LOADED = Clause("loaded", (NONE,))
# The column of a step's first date → the field of a clause on it, and what has not happened yet.
_WAITS: Mapping[str, tuple[str, tuple[Clause, ...]]] = {
    "loaded_at": ("loaded", ()),
    "received_at": ("received_on", (_NOT_LOADED,)),
    "imported_at": ("imported", (*NOT_RECEIVED, _NOT_LOADED)),
}


@dataclass(frozen=True, slots=True)
class Usual:
    """Up to how many days 9 of 10 orders took from a step's first date to their delivery, by column and facility."""

    days: Mapping[tuple[str, str], int]

    def groups(self, today: date) -> Groups:
        """The clauses that find the orders that wait longer."""
        return tuple(self._clauses(column, facility, today) for column, facility in self.days)

    def _clauses(self, column: str, facility: str, today: date) -> tuple[Clause, ...]:
        field, not_yet = _WAITS[column]
        longer = Clause(field, last=today - timedelta(days=self.days[column, facility] + 1))
        return (Clause("facility", (facility,)), *AWAITED, *not_yet, longer)

    def reason(self, line: OrderLine, today: date) -> Reason | None:
        """Why an order counts as stuck; None if it does not."""
        facility = plain(line.facility_id or "")
        for column in _WAITS:
            if (column, facility) in self.days and all_hold(self._clauses(column, facility, today), line, today):
                since: date = getattr(line, column).date()
                usual = self.days[column, facility]
                why = words.stuck_since(column, words.day(since, today), line.facility_id or "", usual)
                return Reason("stuck", words.STUCK, why, since, (today - since).days - usual)
        return None


def usual_of(forecast: Forecast) -> Usual:
    """The usual waiting times, from the cases of a forecast."""
    columns = {step: column for column, step in STEP_FROM.items()}
    found = {}
    for (step, facility), joint in forecast.cases.wide.items():
        taken = Counter[int]()
        for (_had, took), count in joint.items():
            taken[took] += count
        if taken.total() >= LEAST_CASES:
            found[columns[step], facility] = quantile(taken, MOST)
    return Usual(found)

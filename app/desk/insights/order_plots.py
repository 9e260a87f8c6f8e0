"""The plots of orders: on time by week and facility, open orders by age and state, how long steps take.

Invariant: each figure is the number of orders that its mark's filter finds. Counts come from the search index, as the
rows do.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from app.contract.codes import ORDER_STATE_WORDS
from app.desk.forecast.quantiles import LEAST_CASES, quantile
from app.desk.insights import insights_words as words
from app.desk.insights.insight_choice import (
    NOT_CANCELLED,
    NOT_CLOSED,
    InsightChoice,
    filter_of,
    monday_of,
    query_of,
    weeks,
    with_facility,
)
from app.desk.insights.plot_data import LeftOut, Mark, Place, Plot, Series, Target
from app.store.cache.fetched_windows import read_windows
from app.store.cache.index.cross_counts import Dimension, Spellings, as_number, count_across
from app.store.cache.order_query import count_orders
from app.store.cache.order_rows import ListName, WindowRow
from app.store.cache.schema.conditions import ANY, NONE, STEPS, Clause

LEAST_FOR_SHARE = 5  # orders: a share of fewer is not drawn
MOST_LINES = 4  # facilities with a line of their own
MOST_ROWS = 12
AGES = ((0, 1), (2, 3), (4, 7), (8, 14), (15, 30), (31, None))
_DAY = timedelta(days=1)
_DUE, _LATE = Clause("due", (ANY,)), Clause("late")
_STATES = ("STD", "AVL", "PLN", "DSO")
# Runs a function of the store, with its arguments.
Read = Callable[..., Any]


@dataclass(slots=True)
class OrderPlots:
    """Makes the plots of orders of one choice. `read` runs a function of the store on a connection of its own."""

    read: Read
    profile: str
    choice: InsightChoice
    today: date
    step: Callable[[], None] = lambda: None
    _spellings: Spellings = field(default_factory=Spellings)

    def _clauses(self, *more: Clause) -> tuple[Clause, ...]:
        return (*self.choice.clauses(), *more)

    def _delivered(self, first: date, last: date, *more: Clause) -> tuple[Clause, ...]:
        return self._clauses(Clause("delivered_on", first=first, last=last), NOT_CANCELLED, *more)

    def _count(self, list_name: ListName, clauses: Sequence[Clause]) -> int:
        return int(self.read(count_orders, query_of(self.profile, list_name, clauses, self.today)))

    def _across(self, list_name: ListName, clauses: Sequence[Clause], *by: Dimension) -> Counter[tuple[Any, ...]]:
        query = query_of(self.profile, list_name, clauses, self.today)
        found: Counter[tuple[Any, ...]] = self.read(count_across, query, by, self.step)
        return found

    # On time

    def on_time(self) -> list[Plot]:
        """On-time share by week, and by facility."""
        first, last = self.choice.span(self.today)
        days = Dimension("delivered_on", _week, first.isoformat(), last.isoformat())
        by_facility = Dimension("facility", self._spellings)
        due = self._delivered(first, last, _DUE)
        total, late = (self._across("completed", clauses, by_facility, days) for clauses in (due, (*due, _LATE)))
        without = self._delivered(first, last, Clause("due", (NONE,)))
        left_out, never_due = self._fetched_words(first, last), self._count("completed", without)
        if never_due:
            left_out.append(LeftOut(words.without_due_day(never_due), Target(filter_of("completed", without))))
        counted = sum(total.values())
        nothing = words.too_few_delivered(counted, LEAST_FOR_SHARE) if counted or not never_due else words.NONE_DUE
        return [self._by_week(total, late, left_out, nothing), self._by_facility(total, late, left_out, nothing)]

    def _fetched_words(self, first: date, last: date) -> list[LeftOut]:
        missing = missing_days(self.read(read_windows, self.profile, "completed"), first, last)
        return [LeftOut(words.days_not_fetched(len(missing), missing[0], missing[-1]))] if missing else []

    def _by_week(
        self, total: Counter[tuple[Any, ...]], late: Counter[tuple[Any, ...]], left_out: Sequence[LeftOut], nothing: str
    ) -> Plot:
        first, last = self.choice.span(self.today)
        spans = weeks(first, last)
        by_facility = Counter[str]()
        for (facility, _), number in total.items():
            by_facility[facility] += number
        largest = [name for name, _ in by_facility.most_common(MOST_LINES)] if len(by_facility) > 1 else []
        series = []
        for name in (None, *largest):
            series.append(Series(
                words.ALL_FACILITIES if name is None else words.facility(name),
                [self._week_mark(span, name, total, late) for span in spans],
            ))  # fmt: skip
        places = [Place(words.short_day(begin), words.span(begin, end), (begin, end)) for begin, end in spans]
        drawn = any(mark is not None for each in series for mark in each.marks)
        more = len(by_facility) - len(largest)
        notes = [LeftOut(words.facilities_without_line(more, MOST_LINES))] if drawn and largest and more > 0 else []
        return Plot(
            "on_time_weeks",
            "lines",
            "percent",
            words.ON_TIME_BY_WEEK,
            words.on_time_definition(LEAST_FOR_SHARE),
            places,
            series if drawn else (),
            [*left_out, *notes],
            "" if drawn else nothing,
            axis=words.WEEK,
            by=words.FACILITY,
        )

    def _week_mark(
        self,
        span: tuple[date, date],
        facility: str | None,
        total: Counter[tuple[Any, ...]],
        late: Counter[tuple[Any, ...]],
    ) -> Mark | None:
        monday = monday_of(span[0])
        of, was_late = (
            sum(number for (name, week), number in counted.items() if week == monday and facility in (None, name))
            for counted in (total, late)
        )
        clauses = self._delivered(*span, _DUE)
        return _share(of, was_late, clauses if facility is None else with_facility(clauses, facility))

    def _by_facility(
        self, total: Counter[tuple[Any, ...]], late: Counter[tuple[Any, ...]], left_out: Sequence[LeftOut], nothing: str
    ) -> Plot:
        first, last = self.choice.span(self.today)
        totals, lates = (_summed(counted) for counted in (total, late))
        clauses = self._delivered(first, last, _DUE)
        marks = {
            name: mark
            for name, of in totals.items()
            if (mark := _share(of, lates[name], with_facility(clauses, name))) is not None
        }
        return _ranked(
            Plot(
                "on_time_facilities",
                "bars",
                "percent",
                words.ON_TIME_BY_FACILITY,
                words.on_time_definition(LEAST_FOR_SHARE),
                left_out=left_out,
                nothing=nothing,
            ),
            sorted(marks.items(), key=lambda each: (each[1].value, each[0])),
            len(totals) - len(marks),
            LEAST_FOR_SHARE,
        )

    # Open orders

    def open_by_age(self) -> Plot:
        """Open orders by their age and state, now."""
        clauses = self._clauses(NOT_CLOSED)
        ages = Dimension("imported", self._age)
        counted = self._across("open", clauses, Dimension("state", lambda _folded, spelled: spelled), ages)
        states = [*_STATES, *sorted({state for state, _ in counted} - set(_STATES))]
        series = []
        for state in states:
            marks = [self._age_mark(clauses, state, place, counted[state, place]) for place in range(len(AGES))]
            if any(mark is not None for mark in marks):
                series.append(Series(words.state(state, ORDER_STATE_WORDS.get(state, "")), marks))
        without = (*clauses, Clause("imported", (NONE,)))
        number = self._count("open", without)
        left_out = [LeftOut(words.without_import_day(number), Target(filter_of("open", without)))] if number else []
        places = [Place(words.short_ages(*each), words.ages(*each), each) for each in AGES]
        nothing = "" if series else words.NO_OPEN_ORDERS
        return Plot(
            "open_by_age",
            "columns",
            "count",
            words.OPEN_BY_AGE,
            words.OPEN_DEFINITION,
            places,
            series,
            left_out,
            nothing,
            axis=words.AGE,
            by=words.STATUS,
        )

    def _age(self, folded: str, _spelled: str) -> int:
        days = (self.today - date.fromisoformat(folded)).days
        return next((place for place, (_, most) in enumerate(AGES) if most is not None and days <= most), len(AGES) - 1)

    def _age_mark(self, clauses: Sequence[Clause], state: str, place: int, number: int) -> Mark | None:
        if not number:
            return None
        least, most = AGES[place]
        first = None if most is None else self.today - most * _DAY
        # What was imported "tomorrow", by another clock, is as young as can be.
        last = None if not place else self.today - least * _DAY
        named = (*(each for each in clauses if each != NOT_CLOSED), Clause("state", (state,)))
        known = state in ORDER_STATE_WORDS
        target = Target(filter_of("open", (*named, Clause("imported", first=first, last=last)))) if known else None
        return Mark(number, words.orders(number), target=target)

    # Steps

    def steps(self) -> list[Plot]:
        """How long each step took, and from received to delivered by facility."""
        first, last = self.choice.span(self.today)
        clauses = self._delivered(first, last)
        total = self._count("completed", clauses)
        taken = {name: self._across("completed", clauses, Dimension(name, as_number)) for name in STEPS}
        by_name = {name: _days(counted) for name, counted in taken.items()}
        return [self._by_step(clauses, total, by_name), self._step_by_facility(clauses, total)]

    def _by_step(self, clauses: Sequence[Clause], total: int, taken: dict[str, Counter[int]]) -> Plot:
        rows = [(words.step(name), _range(days, _known(clauses, name))) for name, days in taken.items()]
        drawn = [(label, mark) for label, mark in rows if mark is not None]
        left_out = [
            LeftOut(words.step_unknown(words.step(name), total - days.total()), _unknown(clauses, name))
            for name, days in taken.items()
            if total > days.total() >= LEAST_CASES
        ]
        return Plot(
            "steps",
            "ranges",
            "days",
            words.STEPS,
            words.steps_definition(LEAST_CASES),
            [Place(label, label, (label,)) for label, _ in drawn],
            [Series(words.STEPS, [mark for _, mark in drawn])] if drawn else (),
            [*self._fetched_words(*self.choice.span(self.today)), *left_out],
            "" if drawn else words.too_few_delivered(total, LEAST_CASES),
            axis=(words.STEP,),
        )

    def _step_by_facility(self, clauses: Sequence[Clause], total: int) -> Plot:
        name = "receipt_to_delivery"
        counted = self._across("completed", clauses, Dimension("facility", self._spellings), Dimension(name, as_number))
        by_facility: dict[str, Counter[int]] = {}
        for (facility, days), number in counted.items():
            by_facility.setdefault(facility, Counter())[days] += number
        marks = {
            facility: mark
            for facility, days in by_facility.items()
            if (mark := _range(days, _known(with_facility(clauses, facility), name))) is not None
        }
        left_out = self._fetched_words(*self.choice.span(self.today))
        if (unknown := total - sum(counted.values())) > 0:
            left_out.append(LeftOut(words.step_unknown(words.step(name), unknown), _unknown(clauses, name)))
        slowest = sorted(marks.items(), key=lambda each: (-each[1].value, -(each[1].high or 0), each[0]))
        plot = Plot(
            "steps_facilities",
            "ranges",
            "days",
            words.STEP_BY_FACILITY,
            words.steps_definition(LEAST_CASES),
            left_out=left_out,
            nothing=words.too_few_delivered(total, LEAST_CASES),
        )
        return _ranked(plot, slowest, len(by_facility) - len(marks), LEAST_CASES)


def _ranked(plot: Plot, marks: Sequence[tuple[str, Mark]], silent: int, least: int) -> Plot:
    """The plot with a row for each facility, the first `MOST_ROWS` of them."""
    shown = marks[:MOST_ROWS]
    notes = [LeftOut(words.facilities_too_few(silent, least))] if silent and shown else []
    if len(marks) > len(shown):
        notes.append(LeftOut(words.facilities_not_shown(len(marks) - len(shown))))
    return Plot(
        plot.name, plot.kind, plot.unit, plot.title, plot.definition,
        [Place(words.facility(name), words.facility(name), (words.facility(name),)) for name, _ in shown],
        [Series(plot.title, [mark for _, mark in shown])] if shown else (),
        [*plot.left_out, *notes],
        "" if shown else plot.nothing,
        axis=(words.FACILITY,),
    )  # fmt: skip


def _share(of: int, late: int, clauses: Sequence[Clause]) -> Mark | None:
    if of < LEAST_FOR_SHARE:
        return None
    share = 100 * (of - late) / of
    return Mark(share, words.share(of - late, of), target=Target(filter_of("completed", clauses)), cases=of)


def _range(days: Counter[int], clauses: Sequence[Clause]) -> Mark | None:
    if days.total() < LEAST_CASES:
        return None
    low, middle, high = (quantile(days, tenths) for tenths in (1, 5, 9))
    said = words.quantiles(middle, high, days.total())
    target = Target(filter_of("completed", clauses))
    return Mark(middle, said, low, high, target, words.short_quantiles(middle, high), days.total())


def _known(clauses: Sequence[Clause], step: str) -> tuple[Clause, ...]:
    return (*clauses, Clause(step, ("", "")))


def _unknown(clauses: Sequence[Clause], step: str) -> Target:
    return Target(filter_of("completed", (*clauses, Clause(step, ("", ""), negated=True))))


def _week(folded: str, _spelled: str) -> date:
    return monday_of(date.fromisoformat(folded))


def _days(counted: Counter[tuple[Any, ...]]) -> Counter[int]:
    return Counter({days: number for (days,), number in counted.items()})


def _summed(counted: Counter[tuple[Any, ...]]) -> Counter[str]:
    found = Counter[str]()
    for (name, *_), number in counted.items():
        found[name] += number
    return found


def missing_days(windows: Iterable[WindowRow], first: date, last: date) -> list[date]:
    """The days of a span that never arrived whole."""
    known = [(each.start.date(), each.end.date()) for each in windows if each.fetched_at is not None]
    every = (first + at * _DAY for at in range((last - first).days + 1))
    return [day for day in every if not any(start <= day <= end for start, end in known)]

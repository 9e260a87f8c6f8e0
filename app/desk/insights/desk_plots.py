"""The plots of what this desk sent, from its journal: orders per day, refusals by reason, time until confirmed."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import takewhile

from app.desk.forecast.quantiles import LEAST_CASES, quantile
from app.desk.insights import insights_words as words
from app.desk.insights.insight_choice import InsightChoice, monday_of, weeks
from app.desk.insights.order_plots import MOST_ROWS, Read
from app.desk.insights.plot_data import LeftOut, Mark, Place, Plot, Series, Target
from app.store.journal.records import WriteState
from app.store.journal.write_store import Refusal, SentOrder, refusals, sent_orders

_DAY = timedelta(days=1)
_MOST_DAYS = 31  # of a plot by day; longer spans are drawn by week
# How an order stands → the states that are that.
_STANDS: dict[str, tuple[WriteState, ...]] = {
    "taken": ("accepted", "confirmed"),
    "refused": ("rejected",),
    "open": ("queued", "sending", "in_doubt"),
    "withdrawn": ("withdrawn",),
}
_SECONDS = 3_600


@dataclass(slots=True)
class DeskPlots:
    """Makes the plots of one desk's writes. `read` runs a function of the journal's store."""

    read: Read
    profile: str
    choice: InsightChoice
    today: date

    def _moments(self) -> tuple[datetime, datetime]:
        first, last = self.choice.span(self.today)
        return datetime.combine(first, time()), datetime.combine(last + _DAY, time())

    def all(self) -> list[Plot]:
        """The three plots."""
        sent: list[SentOrder] = self.read(sent_orders, self.profile, *self._moments())
        refused: list[Refusal] = self.read(refusals, self.profile, *self._moments())
        return [self.per_day(sent), self.by_reason(refused), self.until_confirmed(sent)]

    def per_day(self, sent: Sequence[SentOrder]) -> Plot:
        """Orders queued per day, or per week of a long span, by how they stand now."""
        first, last = self.choice.span(self.today)
        by_week = (last - first).days >= _MOST_DAYS
        spans = weeks(first, last) if by_week else [(day, day) for day in _every(first, last)]
        at = {begin: place for place, (begin, _) in enumerate(spans)}
        found: dict[str, list[list[int]]] = {name: [[] for _ in spans] for name in _STANDS}
        for each in sent:
            day = each.queued.date()
            place = at[max(monday_of(day), first) if by_week else day]
            name = next(name for name, states in _STANDS.items() if each.state in states)
            found[name][place].append(each.id)
        series = [
            Series(words.STANDS[name], [_some(ids, words.STANDS[name]) for ids in places])
            for name, places in found.items()
            if any(places)
        ]
        places = [
            Place(words.short_day(begin), words.span(begin, end), (begin, end) if by_week else (begin,))
            for begin, end in spans
        ]
        return Plot(
            "sent", "columns", "count", words.SENT_PER_WEEK if by_week else words.SENT_PER_DAY, words.SENT_DEFINITION,
            places, series, (), "" if series else words.NOTHING_SENT,
            axis=words.WEEK if by_week else (words.DAY,), by=words.OUTCOME,
        )  # fmt: skip

    def by_reason(self, refused: Sequence[Refusal]) -> Plot:
        """Refusals by their reason, the most frequent first."""
        by_reason: dict[str, list[int]] = {}
        for each in refused:
            reason = " ".join(each.sentence.replace(each.reference, "…").split()) or words.NO_REASON
            by_reason.setdefault(reason, []).append(each.write_id)
        ranked = sorted(by_reason.items(), key=lambda each: (-len(each[1]), each[0]))
        shown, others = ranked[:MOST_ROWS], ranked[MOST_ROWS:]
        same = _same_beginning([reason for reason, _ in shown])
        left_out = [LeftOut(words.reasons_not_shown(len(others), sum(len(ids) for _, ids in others)))] if others else []
        marks = [
            Mark(len(ids), words.refusals(len(ids)), target=Target(writes=tuple(ids), words=words.refused_for(reason)))
            for reason, ids in shown
        ]
        return Plot(
            "refusals", "bars", "count", words.REFUSALS, words.REFUSALS_DEFINITION,
            [Place(reason[len(same) :], reason, (reason,)) for reason, _ in shown],
            [Series(words.REFUSALS, marks)] if marks else (),
            left_out, "" if marks else words.NO_REFUSALS, axis=(words.REASON,),
        )  # fmt: skip

    def until_confirmed(self, sent: Sequence[SentOrder]) -> Plot:
        """Hours from the queue to the confirmation, by week: half, and nine of ten."""
        first, last = self.choice.span(self.today)
        spans = weeks(first, last)
        taken: dict[date, list[SentOrder]] = {begin: [] for begin, _ in spans}
        for each in sent:
            if each.state == "confirmed" and each.changed >= each.queued:
                taken[max(monday_of(each.queued.date()), first)].append(each)
        series = [
            Series(
                words.HALF if tenths == 5 else words.NINE_OF_TEN, [_hours(taken[begin], tenths) for begin, _ in spans]
            )
            for tenths in (5, 9)
        ]
        drawn = any(mark is not None for each in series for mark in each.marks)
        confirmed = sum(map(len, taken.values()))
        not_yet = sum(each.state == "accepted" for each in sent)
        return Plot(
            "until_confirmed", "lines", "hours", words.UNTIL_CONFIRMED, words.confirmed_definition(LEAST_CASES),
            [Place(words.short_day(begin), words.span(begin, end), (begin, end)) for begin, end in spans],
            series if drawn else (),
            [LeftOut(words.not_confirmed_yet(not_yet))] if not_yet else (),
            "" if drawn else words.too_few_confirmed(confirmed, LEAST_CASES), axis=words.WEEK, by=words.QUANTILE,
        )  # fmt: skip


def _same_beginning(reasons: Sequence[str]) -> str:
    """The beginning that all of several reasons have, up to a colon: it says nothing beside the others."""
    if len(reasons) < 2:
        return ""
    parts = zip(*(each.split(": ") for each in reasons), strict=False)
    same = takewhile(lambda found: len(set(found)) == 1, parts)
    return "".join(f"{found[0]}: " for found in same)


def _some(ids: Sequence[int], stand: str) -> Mark | None:
    if not ids:
        return None
    return Mark(len(ids), words.orders(len(ids)), target=Target(writes=tuple(ids), words=stand))


def _hours(orders: Sequence[SentOrder], tenths: int) -> Mark | None:
    if len(orders) < LEAST_CASES:
        return None
    seconds = quantile(Counter(round((each.changed - each.queued).total_seconds()) for each in orders), tenths)
    target = Target(writes=tuple(each.id for each in orders), words=words.CONFIRMED)
    return Mark(seconds / _SECONDS, words.up_to_hours(seconds, len(orders)), target=target, cases=len(orders))


def _every(first: date, last: date) -> list[date]:
    return [first + at * _DAY for at in range((last - first).days + 1)]

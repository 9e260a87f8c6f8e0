"""The scores over time as a plot: a case for each audit, and a mark for the mean of each week.

Invariant: days and scores that are chosen in the plot, and those that the list is narrowed to, are the same places.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from math import ceil

from app.desk.audits.audit_filter import Narrowing
from app.desk.audits.scores import Week, weekly
from app.desk.filter.filter_dates import written_days
from app.desk.insights.insight_choice import monday_of
from app.desk.insights.insights_words import WEEK, short_day
from app.desk.insights.plot_data import Cases, Mark, Place, Plot, Series, Span, Target
from app.store.cache.audits.audit_rows import Point
from app.ui.audits import audits_words as words

_DAY = timedelta(days=1)
_WEEK = 7 * _DAY


@dataclass(frozen=True, slots=True)
class Chosen:
    """Days, both included, and scores; None for all scores."""

    first: date
    last: date
    lowest: float | None = None
    highest: float | None = None


def score_plot(points: Sequence[Point], today: date, picked: frozenset[str], kept: Chosen | None, top: float) -> Plot:
    """The plot of these audits, oldest first. The means are those of the groups `picked`, or of all audits; `kept` are
    the days and scores that the list is narrowed to."""
    mine = [each for each in points if not picked or each.group in picked]
    weeks = {each.monday: each for each in weekly(mine)}
    begin = monday_of(min((each.date.date() for each in points), default=today))
    end = monday_of(max((each.date.date() for each in points), default=today))
    mondays = [begin + at * _WEEK for at in range((end - begin) // _WEEK + 1)]
    marks = [_mark(weeks[each]) if each in weeks else None for each in mondays]
    return Plot(
        "scores", "lines", "score", words.SCORES_OVER_TIME, words.about_plot(mine, picked),
        [Place(short_day(each), words.week_spoken(each), (each, each + 6 * _DAY)) for each in mondays],
        [Series(words.MEAN_OF_WEEK, marks)],
        nothing="" if mine else words.NO_SCORES,
        top=top,
        cases=_cases(points, picked, begin),
        spans=True,
        kept=None if kept is None else _span(kept, begin),
        axis=WEEK,
        by=words.KIND,
    )  # fmt: skip


def _mark(week: Week) -> Mark:
    days = Narrowing(days=written_days(week.monday, week.monday + 6 * _DAY))
    return Mark(week.mean, words.week_words(week), target=Target(audits=days), cases=week.count)


def _cases(points: Sequence[Point], picked: frozenset[str], begin: date) -> Cases:
    return Cases(
        words.AUDITS,
        [_place(each.date, begin) for each in points],
        [each.score for each in points],
        [bool(picked) and each.group not in picked for each in points],
        lambda at: words.dot_words(points[at]),
        lambda at: Target(audit=points[at].number),
        lambda at: 2 * (points[at].date.date(),),
    )


def _place(when: datetime, begin: date) -> float:
    return (when - datetime.combine(begin, time())) / _WEEK


def _span(kept: Chosen, begin: date) -> Span:
    return Span((kept.first - begin) / _WEEK, (kept.last - begin + _DAY) / _WEEK, kept.lowest, kept.highest)


def chosen_by(span: Span, points: Sequence[Point], today: date) -> Chosen:
    """The days and scores of a range of the plot of these audits; no day before the first of them or after the last."""
    days = [each.date.date() for each in points] or [today]
    begin = monday_of(min(days))
    first = min(max(begin + int(span.first * 7) * _DAY, min(days)), max(days))
    last = min(max(begin + (ceil(span.last * 7) - 1) * _DAY, first), max(days))
    return Chosen(first, last, span.low, span.high)

"""Where a date and a score stand in the plot, and which marks its axes have. Pure arithmetic."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from math import ceil, floor, log10

from PySide6.QtCore import QPointF, QRectF

from app.desk.audits.scores import top_of
from app.store.cache.audits.audit_rows import Point

_ROUND = (1.0, 2.0, 2.5, 5.0, 10.0)  # steps of an axis, in tens, hundreds and so on
_MOST_STEPS, _STEP_PX = 5, 26
_DAY = timedelta(days=1)
_LEAST_DAYS = 7


@dataclass(frozen=True, slots=True)
class Scale:
    """The days `first` to `last`, both included, and the scores `low` to `high`, laid over `area` in pixels. Scores are
    marked every `step`.
    """

    first: date
    last: date
    low: float
    high: float
    step: float
    area: QRectF

    @property
    def days(self) -> int:
        """The number of days from left to right, both ends included."""
        return (self.last - self.first).days + 1

    def place(self, when: datetime, score: float) -> QPointF:
        """Where an audit's dot stands."""
        return QPointF(self.x(when), self.y(score))

    def x(self, when: datetime) -> float:
        """The place of a moment from left to right, in pixels."""
        passed = (when - datetime(self.first.year, self.first.month, self.first.day)) / _DAY
        return self.area.left() + self.area.width() * passed / self.days

    def y(self, score: float) -> float:
        """The place of a score from top to bottom, in pixels."""
        part = (score - self.low) / (self.high - self.low)
        return self.area.bottom() - self.area.height() * part

    def day_at(self, x: float) -> date:
        """The day under a place, the nearest there is."""
        part = (x - self.area.left()) / max(self.area.width(), 1.0)
        return self.first + timedelta(days=min(max(int(part * self.days), 0), self.days - 1))

    def score_at(self, y: float) -> float:
        """The score at a height, within the scale."""
        part = (self.area.bottom() - y) / max(self.area.height(), 1.0)
        return self.low + (self.high - self.low) * min(max(part, 0.0), 1.0)

    def score_marks(self) -> list[float]:
        """Round scores for the lines across, the lowest and the highest among them."""
        return [self.low + self.step * at for at in range(round((self.high - self.low) / self.step) + 1)]

    def day_marks(self, most: int) -> list[date]:
        """At most `most` days for the words below: the first of months where there are several, else days."""
        every = [self.first + timedelta(days=each) for each in range(self.days)]
        firsts = [each for each in every if each.day == 1]
        chosen = firsts if len(firsts) >= 3 else every
        step = -(-len(chosen) // max(most, 1))
        return chosen[::step]


def scale_for(points: Sequence[Point], today: date, area: QRectF) -> Scale:
    """A scale that holds all of them; scores begin at 0 and end at a usual or round highest score, with as many marks
    as the height has room for.
    """
    days = [each.date.date() for each in points] or [today]
    first, last = min(days), max(days)
    first = min(first, last - (_LEAST_DAYS - 1) * _DAY)
    scores = [each.score for each in points]
    low, high = min([0.0, *scores]), top_of(max(scores, default=None))
    step = _step(high - low, min(max(int(area.height() // _STEP_PX), 1), _MOST_STEPS))
    return Scale(first, last, floor(low / step) * step, ceil(high / step) * step, step, area)


def _step(span: float, most: int) -> float:
    """The smallest round step of which at most so many cover the span."""
    least = span / most
    power = 10.0 ** floor(log10(least))
    return next((each * power for each in _ROUND if each * power >= least), 10 * power)

"""Where a date and a score stand in the plot, and which marks its axes have. Pure arithmetic."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from PySide6.QtCore import QPointF, QRectF

from app.store.audit_rows import Point

_TOPS = (1.0, 5.0, 10.0, 100.0)
_DAY = timedelta(days=1)
_LEAST_DAYS = 7


@dataclass(frozen=True, slots=True)
class Scale:
    """The days `first` to `last`, both included, and the scores `low` to `high`, laid over `area` in pixels."""

    first: date
    last: date
    low: float
    high: float
    area: QRectF

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1

    def place(self, when: datetime, score: float) -> QPointF:
        """Where an audit's dot stands."""
        return QPointF(self.x(when), self.y(score))

    def x(self, when: datetime) -> float:
        passed = (when - datetime(self.first.year, self.first.month, self.first.day)) / _DAY
        return self.area.left() + self.area.width() * passed / self.days

    def y(self, score: float) -> float:
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
        """Five scores for the lines across."""
        return [self.low + (self.high - self.low) * step / 4 for step in range(5)]

    def day_marks(self, most: int) -> list[date]:
        """At most `most` days for the words below: the first of months where there are several, else days."""
        every = [self.first + timedelta(days=each) for each in range(self.days)]
        firsts = [each for each in every if each.day == 1]
        chosen = firsts if len(firsts) >= 3 else every
        step = -(-len(chosen) // max(most, 1))
        return chosen[::step]


def scale_for(points: Sequence[Point], today: date, area: QRectF) -> Scale:
    """A scale that holds all of them; scores begin at 0 and end at a usual highest score."""
    days = [each.date.date() for each in points] or [today]
    first, last = min(days), max(days)
    first = min(first, last - (_LEAST_DAYS - 1) * _DAY)
    scores = [each.score for each in points] or [100.0]
    highest = max(scores)
    high = next((top for top in _TOPS if highest <= top), highest)
    return Scale(first, last, min(0.0, *scores), high, area)

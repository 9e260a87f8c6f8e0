"""The rail of an order's milestones, painted and described for screen readers.

Invariant: a planned date is never shown without a word that says it is a plan.
"""

from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.desk.text.typed_dates import short_day
from app.translation import translate
from app.ui.theme.theme import SIZES, Theme
from app.ui.theme.tokens import SMALL_PX, SPACE_1
from app.ui.widgets.text.times import moment, today

_DOT = 5.0
_EDGE = _DOT + 1.5  # lines end at the ring of the dot
_LINE_PX = 15
_HEIGHT = 77


@dataclass(frozen=True, slots=True)
class Milestone:
    """One milestone: its name, its date (None: the provider gave none), and whether it has happened.

    `plan` is the word before a planned date: "due", "estimated", "for".
    """

    word: str
    when: datetime | None
    done: bool
    plan: str = ""
    plan_more: str = ""  # added for screen readers and paper

    @property
    def state(self) -> str:
        """Whether the milestone has happened, in a word."""
        return translate("done") if self.done else translate("planned") if self.when else translate("not reached")


class MilestoneRail(QWidget):
    """Milestones from left to right: a filled dot and a line if done, a ring and a dotted line if not."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._stations: tuple[Milestone, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(translate("Milestones"))
        theme.changed.connect(self.update)

    def set_stations(self, stations: tuple[Milestone, ...]) -> None:
        """Show these milestones."""
        self._stations = stations
        self.setAccessibleDescription("; ".join(_spoken(each) for each in stations))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, _HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._stations:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = painter.font()
        font.setPixelSize(SIZES.scaled(SMALL_PX - 1))
        painter.setFont(font)
        step = self.width() / len(self._stations)
        y = 14.0
        for place, each in enumerate(self._stations):
            x = step * (place + 0.5)
            if place:
                self._line(painter, QPointF(x - step + _EDGE, y), QPointF(x - _EDGE, y), done=each.done)
            self._dot(painter, QPointF(x, y), done=each.done)
            self._words(painter, QRectF(step * place, y + _DOT + SPACE_1, step, 3 * _LINE_PX), each)
        painter.end()

    def _line(self, painter: QPainter, start: QPointF, end: QPointF, *, done: bool) -> None:
        style = Qt.PenStyle.SolidLine if done else Qt.PenStyle.DotLine
        painter.setPen(QPen(self._theme.colour("accent" if done else "ink_soft"), 2, style))
        painter.drawLine(start, end)

    def _dot(self, painter: QPainter, at: QPointF, *, done: bool) -> None:
        painter.setPen(QPen(self._theme.colour("accent" if done else "ink_soft"), 2))
        painter.setBrush(self._theme.colour("accent") if done else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(at, _DOT, _DOT)

    def _words(self, painter: QPainter, box: QRectF, station: Milestone) -> None:
        centre = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
        painter.setPen(self._theme.colour("ink" if station.done else "ink_soft"))
        painter.drawText(box, centre, station.word)
        painter.setPen(self._theme.colour("ink_soft"))
        for line in below(station):
            box = box.adjusted(0, _LINE_PX, 0, 0)
            painter.drawText(box, centre, line)


def below(station: Milestone) -> tuple[str, ...]:
    """The lines below the name of a milestone: the word for a plan, and the date."""
    if station.when is None:
        return (translate("no date"),) if station.done else ("–",)
    return tuple(part for part in (station.plan, short_day(station.when.date(), today())) if part)


def _spoken(station: Milestone) -> str:
    when = translate("no date") if station.when is None else moment(station.when)
    plan = " ".join(part for part in (station.plan, when, station.plan_more) if part)
    return f"{station.word}, {station.state}, {plan}"

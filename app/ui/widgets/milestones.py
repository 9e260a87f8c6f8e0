"""The rail of an order's milestones: what has happened, what is planned, with dates. Painted, and said in words."""

from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SMALL_PX, SPACE_1
from app.ui.widgets.times import NEAR_DAYS, today

_DOT = 5.0
_EDGE = _DOT + 1.5  # a line ends where the ring of its dot begins
_HEIGHT = 62


@dataclass(frozen=True, slots=True)
class Milestone:
    """A station on the way: its word, when (None: the provider has said nothing), and whether it has happened."""

    word: str
    when: datetime | None
    done: bool


class MilestoneRail(QWidget):
    """Stations from left to right; done ones are filled, planned ones are rings."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._stations: tuple[Milestone, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Milestones")
        theme.changed.connect(self.update)

    def set_stations(self, stations: tuple[Milestone, ...]) -> None:
        """Show these stations."""
        self._stations = stations
        self.setAccessibleDescription(", ".join(_spoken(each) for each in stations))
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
        font.setPixelSize(SMALL_PX - 1)
        painter.setFont(font)
        step = self.width() / len(self._stations)
        y = 14.0
        for place, each in enumerate(self._stations):
            x = step * (place + 0.5)
            if place:
                self._line(painter, QPointF(x - step + _EDGE, y), QPointF(x - _EDGE, y), done=each.done)
            self._dot(painter, QPointF(x, y), done=each.done)
            self._words(painter, QRectF(step * place, y + _DOT + SPACE_1, step, 36), each)
        painter.end()

    def _line(self, painter: QPainter, start: QPointF, end: QPointF, *, done: bool) -> None:
        painter.setPen(QPen(self._theme.colour("accent" if done else "line"), 2))
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
        painter.drawText(box.adjusted(0, 15, 0, 0), centre, day_words(station.when) if station.when else "–")


def day_words(when: datetime) -> str:
    """Short, and with its year where it is not near: what came in a year ago did not come in this month."""
    return f"{when:%d %b}" if abs((when.date() - today()).days) < NEAR_DAYS else f"{when:%d %b %Y}"


def _spoken(station: Milestone) -> str:
    when = f"{station.when:%d %B %Y %H:%M}" if station.when else "no date"
    return f"{station.word} {'done' if station.done else 'planned'} {when}"

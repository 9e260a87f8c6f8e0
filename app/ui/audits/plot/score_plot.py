"""The plot of scores over time: a dot for each audit, a line through the weekly means. Dragging filters the list.

By keys: Left and Right choose a week, with Shift several, Enter filters by them, Escape shows all again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.desk.audits.scores import Week, figure, weekly
from app.store.cache.audits.audit_rows import Point
from app.translation import translate
from app.ui.audits.audits_words import dot_words, plot_words, weeks_words
from app.ui.audits.plot.plot_scale import scale_for
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import FOCUS_PX, PLOT_DOT_PX, PLOT_HEIGHT, SMALL_PX, SPACE_1, SPACE_2, SPACE_5, TINT_ALPHA
from app.ui.widgets.text.labels import plain_tooltip

_WEEK = timedelta(days=7)
_NEAR_PX = 8.0
_LEFT, _BELOW = 34.0, 22.0
_LABEL_PX = 64


@dataclass(frozen=True, slots=True)
class Chosen:
    """The days, both included, and the scores of a drag; None for all scores."""

    first: date
    last: date
    lowest: float | None = None
    highest: float | None = None


class ScorePlot(QWidget):
    """`chosen` carries a `Chosen`, or None to show all audits; `opened` the number of the audit that was clicked."""

    chosen = Signal(object)
    opened = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._points: Sequence[Point] = ()
        self._picked: frozenset[str] = frozenset()
        self._kept: Chosen | None = None  # what the list is narrowed to
        self._weeks: list[Week] = []
        self._today = date.today()
        self._scale = scale_for((), self._today, QRectF())
        self._painted: QPixmap | None = None
        self._from: QPointF | None = None
        self._to = QPointF()
        self._span: tuple[date, date] | None = None  # mondays, chosen by keys
        self.setAccessibleName(translate("Scores over time"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        theme.changed.connect(self._repaint)

    def sizeHint(self) -> QSize:
        return QSize(400, PLOT_HEIGHT)

    def show_points(
        self, points: Sequence[Point], today: date, picked: frozenset[str] = frozenset(), kept: Chosen | None = None
    ) -> None:
        """Show these audits, oldest first. The line is that of the groups `picked`, or of all audits; `kept` marks the
        days and scores that the list is narrowed to."""
        self._points, self._today, self._picked, self._kept = points, today, picked, kept
        self._weeks = weekly(self._mine())
        self._fit()
        self.setAccessibleDescription(self.words())

    def words(self) -> str:
        """The scores on screen, in a sentence."""
        return plot_words(self._mine(), self._picked)

    def _mine(self) -> list[Point]:
        return [each for each in self._points if not self._picked or each.group in self._picked]

    def _fit(self) -> None:
        area = QRectF(self.rect()).adjusted(_LEFT, SPACE_2, -SPACE_5, -_BELOW)
        scale = scale_for(self._points, self._today, area)
        metrics = QFontMetricsF(self._small())
        widest = max(metrics.horizontalAdvance(figure(each)) for each in scale.score_marks())
        area.setLeft(max(_LEFT, widest + SPACE_2))
        self._scale = replace(scale, area=area)
        self._repaint()

    def _small(self) -> QFont:
        """The type of the labels."""
        font = QFont(self.font())
        font.setPixelSize(SMALL_PX)
        return font

    def _repaint(self) -> None:
        self._painted = None
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._painted is None:
            self._painted = self._draw()
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._painted)
        chosen = self._marked()
        if chosen is not None:
            tint = self._theme.colour("accent")
            tint.setAlpha(TINT_ALPHA)
            painter.fillRect(chosen, tint)
            painter.setPen(QPen(self._theme.colour("accent"), 1))
            painter.drawRect(chosen)
        if self.hasFocus():
            painter.setPen(QPen(self._theme.colour("accent"), FOCUS_PX))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))
        painter.end()

    def _draw(self) -> QPixmap:
        """Axes, dots and line, painted once: a drag over thousands of dots then paints only its own frame."""
        ratio = self.devicePixelRatioF()
        picture = QPixmap(QSize(self.size()) * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(self._theme.colour("surface"))
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._small())
        self._draw_axes(painter)
        self._draw_dots(painter)
        self._draw_line(painter)
        painter.end()
        return picture

    def _draw_axes(self, painter: QPainter) -> None:
        scale, area = self._scale, self._scale.area
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for score in scale.score_marks():
            y = scale.y(score)
            painter.setPen(QPen(self._theme.colour("line"), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(self._theme.colour("ink_soft"))
            painter.drawText(QRectF(0, y - SMALL_PX, area.left() - SPACE_1, 2 * SMALL_PX), right, figure(score))
        centre = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
        for each in scale.day_marks(int(area.width() // (_LABEL_PX * 1.5))):
            x = scale.x(datetime.combine(each, time()))
            box = QRectF(x - _LABEL_PX / 2, area.bottom() + SPACE_1, _LABEL_PX, _BELOW)
            painter.drawText(box, centre, f"{each.day} {each:%b}")

    def _draw_dots(self, painter: QPainter) -> None:
        picked = self._picked
        others = [self._scale.place(each.date, each.score) for each in self._points if each.group not in picked]
        mine = [self._scale.place(each.date, each.score) for each in self._points if each.group in picked]
        for places, name, faint in ((others, "ink_soft", bool(picked)), (mine, "accent", False)):
            colour = self._theme.colour(name)
            colour.setAlphaF(0.25 if faint else 0.6)
            painter.setPen(QPen(colour, PLOT_DOT_PX, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawPoints(places)

    def _draw_line(self, painter: QPainter) -> None:
        path = QPainterPath()
        for at, week in enumerate(self._weeks):
            place = self._scale.place(datetime.combine(week.monday, time()) + _WEEK / 2, week.mean)
            place.setX(min(max(place.x(), self._scale.area.left()), self._scale.area.right()))
            if at:
                path.lineTo(place)
            else:
                path.moveTo(place)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._theme.colour("accent"), 2))
        painter.drawPath(path)

    def _marked(self) -> QRectF | None:
        """The area being chosen, by a drag or by keys; else the area the list is narrowed to."""
        scale, area = self._scale, self._scale.area
        if self._from is not None:
            return QRectF(self._from, self._to).normalized().intersected(area)
        if self._span is not None:
            first, last = sorted(self._span)
            left = scale.x(datetime.combine(first, time()))
            right = scale.x(datetime.combine(last + _WEEK, time()))
            return QRectF(left, area.top(), right - left, area.height()).intersected(area)
        return None if self._kept is None else self._box_of(self._kept).intersected(area)

    def _box_of(self, kept: Chosen) -> QRectF:
        scale, area = self._scale, self._scale.area
        left = scale.x(datetime.combine(kept.first, time()))
        right = scale.x(datetime.combine(kept.last + timedelta(days=1), time()))
        top = area.top() if kept.highest is None else scale.y(kept.highest)
        bottom = area.bottom() if kept.lowest is None else scale.y(kept.lowest)
        return QRectF(QPointF(left, top), QPointF(right, bottom))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._from = self._to = event.position()
            self._span = None
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._from is not None:
            self._to = event.position()
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._from is None or event.button() != Qt.MouseButton.LeftButton:
            return
        box, self._from = QRectF(self._from, event.position()).normalized(), None
        self.update()
        # A hand is never quite still: so small a box is a click.
        if max(box.width(), box.height()) < _NEAR_PX:
            self._click(event.position())
            return
        area = self._scale.area
        all_scores = box.height() < _NEAR_PX or (box.top() <= area.top() and box.bottom() >= area.bottom())
        self.chosen.emit(
            Chosen(
                self._scale.day_at(box.left()),
                self._scale.day_at(box.right()),
                None if all_scores else self._scale.score_at(box.bottom()),
                None if all_scores else self._scale.score_at(box.top()),
            )
        )

    def _click(self, place: QPointF) -> None:
        near = self._near(place)
        if near is not None:
            self.opened.emit(near.number)

    def _near(self, place: QPointF) -> Point | None:
        """The audit whose dot lies under a place."""

        def apart(each: Point) -> float:
            away = self._scale.place(each.date, each.score) - place
            return max(abs(away.x()), abs(away.y()))

        found = min(self._points, key=apart, default=None)
        return found if found is not None and apart(found) <= _NEAR_PX else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if event.key() in steps and self._weeks:
            self._step(steps[Qt.Key(event.key())], extend=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._span is not None:
            first, last = sorted(self._span)
            self._span = None
            self.chosen.emit(Chosen(first, last + _WEEK - timedelta(days=1)))
        elif event.key() == Qt.Key.Key_Escape:
            self._span = None
            self.update()
            self.chosen.emit(None)
        else:
            super().keyPressEvent(event)

    def _step(self, step: int, *, extend: bool) -> None:
        first, last = self._weeks[0].monday, self._weeks[-1].monday
        begin, here = self._span or ((last + _WEEK, last + _WEEK) if step < 0 else (first - _WEEK, first - _WEEK))
        here = min(max(here + step * _WEEK, first), last)
        self._span = (begin if extend and self._span else here, here)
        low, high = sorted(self._span)
        week = next((each for each in self._weeks if each.monday == here), None)
        chosen = weeks_words(low, high + _WEEK - timedelta(days=1), week)
        self.setAccessibleDescription(f"{chosen} {self.words()}")
        self.update()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            near = self._near(QPointF(event.pos()))
            tip = "" if near is None else dot_words(near)
            QToolTip.showText(event.globalPos() + QPoint(0, SPACE_2), plain_tooltip(tip), self)
            return True
        return super().event(event)

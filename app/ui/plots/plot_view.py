"""A plot in the window: looked at, pointed at, walked through by keys, read aloud mark by mark.

Each mark is an item of a list, so that Qt tells a screen reader its name, its place and which one is current. A list
and no bare item view: Qt has no accessible interface for that.
Invariant: what is painted, what answers to the mouse and what is read aloud come from one `Plot`.
"""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QRegion,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QSizePolicy, QToolTip

from app.desk.insights.plot_data import Mark, Plot, Span, Target
from app.ui.plots import plots_words as words
from app.ui.plots.plot_look import look_of
from app.ui.plots.plot_painting import (
    NEAR_PX,
    Laid,
    case_at,
    height_of,
    lay_out,
    paint_chosen,
    paint_plot,
    paint_span,
    paint_words,
    rect_of,
    span_of,
)
from app.ui.theme.theme import SIZES, Theme
from app.ui.theme.tokens import PLOT_CARD_HEIGHT, PLOT_CARD_WIDTH, SPACE_1
from app.ui.widgets.lists.accessible_choice import AccessibleChoice
from app.ui.widgets.text.labels import plain_tooltip, visible

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_Move = QAbstractItemView.CursorAction


class MarksModel(QAbstractListModel):
    """The marks of a plot, series by series."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.plot: Plot | None = None
        self.marks: Sequence[tuple[int, int, Mark]] = ()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.marks)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self.plot is None or not index.isValid():
            return None
        series, place, _ = self.marks[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return visible(self.plot.spoken(series, place))
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(self.plot.spoken(series, place))
        return None

    def show_plot(self, plot: Plot) -> None:
        """Show this plot."""
        self.beginResetModel()
        self.plot, self.marks = plot, list(plot.marks())
        self.endResetModel()

    def row_of(self, series: int, place: int) -> int | None:
        """The row of a mark; None where there is none."""
        return next((at for at, each in enumerate(self.marks) if each[:2] == (series, place)), None)


class PlotView(QListView):
    """`chosen` carries the `Target` of a mark or a case that was clicked, or of a mark that Enter activated.

    `said` carries what a mark says. Of a plot with spans, `spanned` carries the `Span` of a drag, or of Shift with the
    arrow keys and Enter; None where Escape takes it back.

    With `fills` it is as high as the layout makes it, else as high as its plot needs.
    """

    chosen = Signal(object)
    said = Signal(str)
    grown = Signal(int)  # to another height
    spanned = Signal(object)

    def __init__(self, theme: Theme, *, fills: bool = False) -> None:
        super().__init__()
        self._theme, self._fills = theme, fills
        self._painted: QPixmap | None = None
        self._drag: QRectF | None = None
        self._began: int | None = None  # the place at which Shift with the arrow keys began
        self._laid: Laid | None = None
        self._hovered: int | None = None
        self._height = 0
        self.marks = MarksModel(self)
        self.setModel(self.marks)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        for policy in (self.setHorizontalScrollBarPolicy, self.setVerticalScrollBarPolicy):
            policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        upright = QSizePolicy.Policy.Expanding if fills else QSizePolicy.Policy.Fixed
        self.setSizePolicy(QSizePolicy.Policy.Expanding, upright)
        self.viewport().setMouseTracking(True)
        self.setMouseTracking(True)
        self.clicked.connect(self._on_chosen)
        self.activated.connect(self._on_activated)
        AccessibleChoice(self, self._on_chosen)
        theme.changed.connect(self._repaint)
        SIZES.changed.connect(self._fit)

    @property
    def plot(self) -> Plot | None:
        """The plot that is shown."""
        return self.marks.plot

    def show_plot(self, plot: Plot) -> None:
        """Show this plot. The keyboard stays at the mark of the same series and place, if there is one."""
        here = self._chosen()
        self._hovered = self._drag = self._began = None
        self.marks.show_plot(plot)
        self.setAccessibleName(visible(plot.title))
        self.setAccessibleDescription(visible(plot.definition))
        self._fit()
        row = None if here is None else self.marks.row_of(*here)
        if self.marks.marks and self.hasFocus():
            self._go(row or 0)
        self.updateGeometry()

    def _fit(self) -> None:
        plot = self.marks.plot
        if plot is None:
            return
        look = look_of(self._theme, self.font())
        height = self.height() if self._fills else round(height_of(plot, look, self.width(), PLOT_CARD_HEIGHT))
        if height != self._height and not self._fills:
            self._height = height
            self.setFixedHeight(height)
            self.grown.emit(height)
        self._laid = lay_out(plot, look, QRectF(self.viewport().rect()).adjusted(SPACE_1, SPACE_1, -SPACE_1, -SPACE_1))
        self._repaint()

    def _repaint(self) -> None:
        self._painted = None
        self.viewport().update()

    def sizeHint(self) -> QSize:
        return QSize(PLOT_CARD_WIDTH, PLOT_CARD_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0 if self._fills else PLOT_CARD_HEIGHT)

    def _chosen(self) -> tuple[int, int] | None:
        """The mark under the mouse, else the one that the keyboard is at."""
        row = self._hovered
        if row is None and self.hasFocus() and self.currentIndex().isValid():
            row = self.currentIndex().row()
        return None if row is None or row >= len(self.marks.marks) else self.marks.marks[row][:2]

    def value_words(self) -> str:
        """The words of the chosen mark; empty where none is chosen."""
        here = self._chosen()
        if here is None or self.plot is None:
            return ""
        span = self._span_by_keys()
        if span is None or span.last - span.first < 2:
            return self.plot.spoken(*here)
        first, last = self.plot.places[int(span.first)], self.plot.places[int(span.last) - 1]
        return words.places_spanned(first.spoken, last.spoken)

    # Events

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self.marks.marks:
            self._go(0)
        self._tell()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._tell()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # nothing scrolls here: the page does

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._spans and event.button() == Qt.MouseButton.LeftButton:
            self._drag, self._began = QRectF(event.position(), event.position()), None
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            return  # a view of items would begin to select
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._drag is not None:
            self._drag.setBottomRight(event.position())
            self.viewport().update()
            return
        super().mouseMoveEvent(event)
        self._hover(self.indexAt(event.position().toPoint()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._drag is None or event.button() != Qt.MouseButton.LeftButton:
            super().mouseReleaseEvent(event)
            return
        self._drag.setBottomRight(event.position())
        drag, self._drag = self._drag.normalized(), None
        self.viewport().update()
        assert self.plot is not None
        assert self._laid is not None
        if max(drag.width(), drag.height()) >= NEAR_PX:
            self.spanned.emit(span_of(self.plot, self._laid, drag))
        else:
            self._click(event.position())

    def _click(self, point: QPointF) -> None:
        """Choose the mark or the case under the mouse, the nearer one of both."""
        assert self.plot is not None
        assert self._laid is not None
        mark, case = self.indexAt(point.toPoint()), case_at(self._laid, point)
        if case is not None and self.plot.cases is not None:
            place = self._laid.cases[case] - point
            if not mark.isValid() or place.x() ** 2 + place.y() ** 2 <= _away(self._laid, mark.row(), point.toPoint()):
                self.chosen.emit(self.plot.cases.target(case))
                return
        if mark.isValid():
            self._on_chosen(mark)

    @property
    def _spans(self) -> bool:
        return self.plot is not None and self._laid is not None and self.plot.spans

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: _Move.MoveLeft, Qt.Key.Key_Right: _Move.MoveRight}
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if not self._spans:
            super().keyPressEvent(event)
        elif event.key() in steps and shift and self.currentIndex().isValid():
            self._extend(steps[Qt.Key(event.key())])
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._began is not None:
            self.spanned.emit(self._span_by_keys())
        elif event.key() == Qt.Key.Key_Escape:
            self._end_span()
            self.spanned.emit(None)
        else:
            self._end_span()
            super().keyPressEvent(event)

    def _extend(self, way: _Move) -> None:
        """Go on with Shift held: all places from where that began are chosen."""
        if self._began is None:
            self._began = self._place_of(self.currentIndex())
        row = self.moveCursor(way, Qt.KeyboardModifier.NoModifier).row()
        self._hovered = None
        self._go(row)
        self._tell()

    def _end_span(self) -> None:
        if self._began is not None and self.plot is not None:
            self._began = None
            self.setAccessibleDescription(visible(self.plot.definition))
            self._tell()

    def _place_of(self, index: Index) -> int:
        return self.marks.marks[index.row()][1]

    def _span_by_keys(self) -> Span | None:
        if self._began is None or not self.currentIndex().isValid():
            return None
        first, last = sorted((self._began, self._place_of(self.currentIndex())))
        return Span(first, last + 1)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and self._laid is not None and self.plot is not None:
            case = case_at(self._laid, QPointF(event.pos()))
            if case is not None and self.plot.cases is not None and not self.indexAt(event.pos()).isValid():
                QToolTip.showText(event.globalPos(), plain_tooltip(self.plot.cases.words(case)), self)
                return True
        return super().viewportEvent(event)

    def leaveEvent(self, event: Any) -> None:
        super().leaveEvent(event)
        self._hover(_NOWHERE)

    def _hover(self, index: Index) -> None:
        row = index.row() if index.isValid() else None
        if row != self._hovered:
            self._hovered = row
            pointing = row is not None and self.marks.marks[row][2].target is not None
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if pointing else Qt.CursorShape.ArrowCursor)
            self._tell()

    def _tell(self) -> None:
        said = self.value_words()
        if self._began is not None:  # no item of the list says this
            self.setAccessibleDescription(visible(said))
        self.said.emit(said)
        self.viewport().update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._painted is None or self._painted.devicePixelRatioF() != self.devicePixelRatioF():
            self._painted = self._paint()
        painter = QPainter(self.viewport())
        painter.drawPixmap(0, 0, self._painted)
        if self.plot is None or self._laid is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        look, chosen, area = look_of(self._theme, self.font()), self._chosen(), self._spanned_area()
        if area is not None:
            paint_span(painter, look, area)
        if chosen is not None:
            paint_chosen(painter, look, self._laid, chosen)
            if self._fills:  # no card around it says the words
                paint_words(painter, look, self._laid, self.value_words())

    def _paint(self) -> QPixmap:
        """The plot, painted once: a drag over thousands of cases then paints only its own frame."""
        ratio = self.devicePixelRatioF()
        picture = QPixmap(self.viewport().size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(self._theme.colour("surface"))
        if self.plot is not None and self._laid is not None and not picture.isNull():
            painter = QPainter(picture)
            look = look_of(self._theme, self.font())
            paint_plot(painter, self.plot, look, self._laid)
            painter.setPen(look.colour("ink_soft"))
            painter.drawText(self._laid.area, Qt.AlignmentFlag.AlignCenter, visible(self.plot.nothing))
            painter.end()
        return picture

    def _spanned_area(self) -> QRectF | None:
        """The range of a drag or of the keys; else the one that the rows are narrowed to."""
        assert self.plot is not None
        assert self._laid is not None
        if self._drag is not None:
            return self._drag.normalized().intersected(self._laid.area)
        span = self._span_by_keys() or self.plot.kept
        return None if span is None else rect_of(self.plot, self._laid, span)

    # What a view of items is asked

    def visualRect(self, index: Index) -> QRect:
        if self._laid is None or not index.isValid() or index.row() >= len(self._laid.spots):
            return QRect()
        return self._laid.spots[index.row()].hit.toAlignedRect()

    def indexAt(self, point: QPoint) -> QModelIndex:
        if self._laid is None:
            return _NOWHERE
        under = [at for at, spot in enumerate(self._laid.spots) if spot.hit.contains(point)]
        if not under:
            return _NOWHERE
        # Of several marks, the one whose middle is nearest: points of two lines may lie on one another.
        nearest = min(under, key=lambda at: _away(self._laid, at, point))  # type: ignore[arg-type]
        return self.marks.index(nearest)

    def scrollTo(
        self, index: Index, hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible
    ) -> None:
        pass  # all of a plot is in sight

    def horizontalOffset(self) -> int:
        return 0

    def verticalOffset(self) -> int:
        return 0

    def isIndexHidden(self, _index: Index) -> bool:
        return False

    def setSelection(self, rect: QRect, flags: QItemSelectionModel.SelectionFlag) -> None:
        index = self.indexAt(rect.center())
        if index.isValid():
            self.selectionModel().select(index, flags)

    def visualRegionForSelection(self, selection: QItemSelection) -> QRegion:
        region = QRegion()
        for index in selection.indexes():
            region = region.united(QRegion(self.visualRect(index)))
        return region

    def moveCursor(self, action: _Move, _modifiers: Qt.KeyboardModifier) -> QModelIndex:
        here = self.currentIndex()
        if not self.marks.marks or self.plot is None:
            return _NOWHERE
        if not here.isValid():
            return self.marks.index(0)
        series, place, _ = self.marks.marks[here.row()]
        if action in (_Move.MoveHome, _Move.MoveEnd):
            return self._at_end(series, last=action == _Move.MoveEnd)
        on, back = (_Move.MoveDown, _Move.MoveUp) if self.plot.across else (_Move.MoveRight, _Move.MoveLeft)
        if action in (on, back):
            return self._beside(series, place, 1 if action == on else -1)
        if action in (_Move.MoveNext, _Move.MovePrevious):
            return self._beside(series, place, 1 if action == _Move.MoveNext else -1)
        forward = action in (_Move.MoveRight, _Move.MoveDown)
        return self._other_series(series, place, 1 if forward else -1)

    def _at_end(self, series: int, *, last: bool) -> QModelIndex:
        rows = [at for at, each in enumerate(self.marks.marks) if each[0] == series]
        return self.marks.index(rows[-1 if last else 0])

    def _beside(self, series: int, place: int, by: int) -> QModelIndex:
        """The next mark of the same series, over gaps; at the end the same."""
        assert self.plot is not None
        for at in range(place + by, len(self.plot.places) if by > 0 else -1, by):
            if (row := self.marks.row_of(series, at)) is not None:
                return self.marks.index(row)
        return self.currentIndex()

    def _other_series(self, series: int, place: int, by: int) -> QModelIndex:
        assert self.plot is not None
        for at in range(series + by, len(self.plot.series) if by > 0 else -1, by):
            if (row := self.marks.row_of(at, place)) is not None:
                return self.marks.index(row)
        return self.currentIndex()

    def _go(self, row: int) -> None:
        self.selectionModel().setCurrentIndex(self.marks.index(row), QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.viewport().update()

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self._tell()

    def _on_activated(self, index: QModelIndex) -> None:
        # A double click activates too, after the click that has chosen the mark already.
        if self.hasFocus() and self._hovered is None:
            self._on_chosen(index)

    def _on_chosen(self, index: QModelIndex) -> None:
        target: Target | None = self.marks.marks[index.row()][2].target
        if target is not None:
            self.chosen.emit(target)


def _away(laid: Laid, at: int, point: QPoint) -> float:
    middle = laid.spots[at].shape.center()
    return float((middle.x() - point.x()) ** 2 + (middle.y() - point.y()) ** 2)

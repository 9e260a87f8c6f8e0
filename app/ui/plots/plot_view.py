"""A plot in the window: looked at, pointed at, walked through by keys, read aloud mark by mark.

Each mark is an item of a list, so that Qt tells a screen reader its name, its place and which one is current. A list
and no bare item view: Qt has no accessible interface for that.
Invariant: what is painted, what answers to the mouse and what is read aloud come from one `Plot`.
"""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QMouseEvent, QPainter, QPaintEvent, QRegion, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QSizePolicy

from app.desk.insights.plot_data import Mark, Plot, Target
from app.ui.plots.plot_look import look_of
from app.ui.plots.plot_painting import Laid, height_of, lay_out, paint_plot
from app.ui.theme.theme import Theme
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
    """`chosen` carries the `Target` of a mark that was clicked, or activated by Enter; `said` what a mark says."""

    chosen = Signal(object)
    said = Signal(str)
    grown = Signal(int)  # to another height

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
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
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.viewport().setMouseTracking(True)
        self.setMouseTracking(True)
        self.clicked.connect(self._on_chosen)
        self.activated.connect(self._on_activated)
        AccessibleChoice(self, self._on_chosen)
        theme.changed.connect(self.viewport().update)

    @property
    def plot(self) -> Plot | None:
        """The plot that is shown."""
        return self.marks.plot

    def show_plot(self, plot: Plot) -> None:
        """Show this plot. The keyboard stays at the mark of the same series and place, if there is one."""
        here = self._chosen()
        self._hovered = None
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
        height = round(height_of(plot, look, self.width(), PLOT_CARD_HEIGHT))
        if height != self._height:
            self._height = height
            self.setFixedHeight(height)
            self.grown.emit(height)
        self._laid = lay_out(plot, look, QRectF(self.viewport().rect()).adjusted(SPACE_1, SPACE_1, -SPACE_1, -SPACE_1))
        self.viewport().update()

    def sizeHint(self) -> QSize:
        return QSize(PLOT_CARD_WIDTH, PLOT_CARD_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, PLOT_CARD_HEIGHT)

    def _chosen(self) -> tuple[int, int] | None:
        """The mark under the mouse, else the one that the keyboard is at."""
        row = self._hovered
        if row is None and self.hasFocus() and self.currentIndex().isValid():
            row = self.currentIndex().row()
        return None if row is None or row >= len(self.marks.marks) else self.marks.marks[row][:2]

    def value_words(self) -> str:
        """The words of the chosen mark; empty where none is chosen."""
        here = self._chosen()
        return "" if here is None or self.plot is None else self.plot.spoken(*here)

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

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._hover(self.indexAt(event.position().toPoint()))

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
        self.said.emit(self.value_words())
        self.viewport().update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), self._theme.colour("surface"))
        if self.plot is None or self._laid is None:
            return
        paint_plot(painter, self.plot, look_of(self._theme, self.font()), self._laid, chosen=self._chosen())

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

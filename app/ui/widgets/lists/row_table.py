"""Tables of whole rows: one row height, no grid, and a delegate that paints a hairline below each row.

Invariants: a selected row has a tint and an accent edge, so colour is not the only sign. While the table has the
keyboard, the current row has a frame, whether it is selected or not.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from app.ui.theme.theme import SIZES, Theme, follow_row_height
from app.ui.theme.tokens import EDGE_PX, FOCUS_PX, SPACE_2, SPACE_3
from app.ui.widgets.lists.list_rows import RowView

Index = QModelIndex | QPersistentModelIndex


class CellLook(NamedTuple):
    """How a cell looks: the colour token of its text, where the text is elided, and whether it is right-aligned.

    `short` replaces a text that does not fit.
    """

    ink: str = "ink"
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight
    right: bool = False
    short: str = ""


class RowDelegate(QStyledItemDelegate):
    """Paints every cell of `table`, which has its model already. A subclass says by `look` how a cell looks.

    Colours are looked up once per theme: a lookup for each cell is too slow for scrolling.
    """

    def __init__(self, theme: Theme, table: QTableView) -> None:
        super().__init__(table)
        self._theme, self._table = theme, table
        self._colours: dict[str, QColor] = {}
        self._learn()
        theme.changed.connect(self._learn)
        table.selectionModel().currentRowChanged.connect(self._on_current)

    def _learn(self) -> None:
        names = ("ink", "ink_soft", "line", "surface", "selection", "accent", "good", "warn", "bad")
        self._colours = {name: self._theme.colour(name) for name in names}

    def _on_current(self) -> None:
        # Qt repaints the old and the new current cell only, but the frame runs around the whole row.
        self._table.viewport().update()

    def look(self, _index: Index) -> CellLook:
        """How this cell looks."""
        return CellLook()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        look = self.look(index)
        box: QRect = option.rect
        # The selection model is asked: `option.state` would load all enumerations of QStyle before the first paint.
        selected = self._table.selectionModel().isSelected(index)
        painter.fillRect(box, self._colours["selection" if selected else "surface"])
        painter.fillRect(box.left(), box.bottom(), box.width(), 1, self._colours["line"])
        # A person can move columns, so the logical index does not tell the leftmost one.
        place = self._table.horizontalHeader().visualIndex(index.column())
        first = place == 0
        if selected and first:
            painter.fillRect(box.left(), box.top(), EDGE_PX, box.height(), self._colours["accent"])
        if index.row() == self._table.currentIndex().row() and self._table.hasFocus():
            self.frame(painter, box, first=first, last=place == self._table.horizontalHeader().count() - 1)
        text = index.data(Qt.ItemDataRole.DisplayRole)
        if not text:
            return
        painter.setPen(self._colours[look.ink])
        inner = box.adjusted(SPACE_3 if first else SPACE_2, 0, -SPACE_2, 0)
        if look.short and option.fontMetrics.horizontalAdvance(text) > inner.width():
            text = look.short
        shown = option.fontMetrics.elidedText(text, look.elide, inner.width())
        side = Qt.AlignmentFlag.AlignRight if look.right else Qt.AlignmentFlag.AlignLeft
        painter.drawText(inner, side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, shown)

    def frame(self, painter: QPainter, box: QRect, *, first: bool, last: bool) -> None:
        """Paint the part of the row's frame that lies in this cell, or the frame of a table without a row."""
        accent = self._colours["accent"]
        painter.fillRect(box.left(), box.top(), box.width(), FOCUS_PX, accent)
        painter.fillRect(box.left(), box.bottom() + 1 - FOCUS_PX, box.width(), FOCUS_PX, accent)
        if first:
            painter.fillRect(box.left(), box.top(), FOCUS_PX, box.height(), accent)
        if last:
            painter.fillRect(box.right() + 1 - FOCUS_PX, box.top(), FOCUS_PX, box.height(), accent)


class RowTable(RowView):
    """A table of whole rows. Without a current row, so also without rows, all of it has the frame that shows the
    keyboard."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        delegate = self.itemDelegate()
        if self.hasFocus() and not self.currentIndex().isValid() and isinstance(delegate, RowDelegate):
            painter = QPainter(self.viewport())
            delegate.frame(painter, self.viewport().rect(), first=True, last=True)
            painter.end()


class _WidthsFollow(QObject):
    """Makes the columns of a table wider or narrower as the text grows or shrinks. A child of the table."""

    def __init__(self, table: QTableView) -> None:
        super().__init__(table)
        self._table, self._text = table, SIZES.text
        SIZES.changed.connect(self._on_sizes)

    def _on_sizes(self) -> None:
        before, self._text = self._text, SIZES.text
        header = self._table.horizontalHeader()
        for place in range(header.count()):
            self._table.setColumnWidth(place, round(header.sectionSize(place) * SIZES.text / before))


def set_up_rows(
    table: RowTable,
    theme: Theme,
    name: str,
    delegate: Callable[[Theme, QTableView], RowDelegate],
    widths: Sequence[int],
    *,
    several: bool = False,
) -> None:
    """Set up a table that has its model already. Tab leaves it; `several` rows can be selected, or one."""
    table.setItemDelegate(delegate(theme, table))
    theme.changed.connect(table.viewport().update)
    table.setAccessibleName(name)
    table.setFrameShape(QFrame.Shape.NoFrame)
    table.setShowGrid(False)
    table.setWordWrap(False)
    # A table of thousands of cells would be a trap for Tab.
    table.setTabKeyNavigation(False)
    mode = QAbstractItemView.SelectionMode
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(mode.ExtendedSelection if several else mode.SingleSelection)
    table.verticalHeader().setVisible(False)
    follow_row_height(table.verticalHeader())
    header = table.horizontalHeader()
    header.setHighlightSections(False)
    header.setStretchLastSection(True)
    for place, width in enumerate(widths):
        table.setColumnWidth(place, SIZES.scaled(width))
    _WidthsFollow(table)

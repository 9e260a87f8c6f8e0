"""Paints a cell of a table of whole rows: a hairline below, selection as a tint with an accent edge.

A table that has the keyboard frames the row that it stands on, selected or not.
"""

from typing import NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QTableView

from app.ui.theme.theme import Theme
from app.ui.theme.tokens import EDGE_PX, FOCUS_PX, SPACE_2, SPACE_3

Index = QModelIndex | QPersistentModelIndex


class CellLook(NamedTuple):
    """How a cell looks: the colour token of its text, where the text is cut off, and its side. `short` stands in its
    place where there is no room for it."""

    ink: str = "ink"
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight
    right: bool = False
    short: str = ""


class RowDelegate(QStyledItemDelegate):
    """One delegate for the whole table, which has its model already; colours are looked up once a theme. `look` is what
    each table says itself.
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
        self._table.viewport().update()  # Qt would paint the one cell that was left anew, and the one stood on now

    def look(self, _index: Index) -> CellLook:
        """How this cell looks."""
        return CellLook()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        look = self.look(index)
        box: QRect = option.rect
        # Asked of the view: the option's state would load every enumeration of QStyle before the first paint.
        selected = self._table.selectionModel().isSelected(index)
        painter.fillRect(box, self._colours["selection" if selected else "surface"])
        painter.fillRect(box.left(), box.bottom(), box.width(), 1, self._colours["line"])
        # Columns can be moved: the first is the one that stands first.
        place = self._table.horizontalHeader().visualIndex(index.column())
        first = place == 0
        if selected and first:
            painter.fillRect(box.left(), box.top(), EDGE_PX, box.height(), self._colours["accent"])
        if index.row() == self._table.currentIndex().row() and self._table.hasFocus():
            self._frame(painter, box, first=first, last=place == self._table.horizontalHeader().count() - 1)
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

    def _frame(self, painter: QPainter, box: QRect, *, first: bool, last: bool) -> None:
        """This cell's part of the frame around its row."""
        accent = self._colours["accent"]
        painter.fillRect(box.left(), box.top(), box.width(), FOCUS_PX, accent)
        painter.fillRect(box.left(), box.bottom() + 1 - FOCUS_PX, box.width(), FOCUS_PX, accent)
        if first:
            painter.fillRect(box.left(), box.top(), FOCUS_PX, box.height(), accent)
        if last:
            painter.fillRect(box.right() + 1 - FOCUS_PX, box.top(), FOCUS_PX, box.height(), accent)

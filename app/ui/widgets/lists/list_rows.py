"""What lists and tables of whole rows need otherwise than Qt does it: a delegate that gives the lines of a list their
height from the beginning, and Home and End by rows.

Qt asks for heights as soon as anything needs the place of a line. A screen reader asks before the style sheet applies,
and Qt keeps that answer: lines of 16 pixels, with the hairlines through their text.
"""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from app.ui.theme.theme import SIZES
from app.ui.theme.tokens import FOCUS_PX, LIST_ROW_HEIGHT

Index = QModelIndex | QPersistentModelIndex


class ListRowDelegate(QStyledItemDelegate):
    """Lines are at least `LIST_ROW_HEIGHT` high. Two strokes mark the current line while the list has the focus.

    (The style would paint a grey gradient.)
    """

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        option.state &= ~QStyle.StateFlag.State_HasFocus
        super().paint(painter, option, index)
        here = self._view.currentIndex()
        if self._view.hasFocus() and (index.row(), index.parent()) == (here.row(), here.parent()):
            accent, box = option.palette.color(QPalette.ColorRole.Accent), option.rect
            painter.fillRect(box.left(), box.top(), box.width(), FOCUS_PX, accent)
            painter.fillRect(box.left(), box.bottom() + 1 - FOCUS_PX, box.width(), FOCUS_PX, accent)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        found = super().sizeHint(option, index)
        return QSize(found.width(), max(found.height(), SIZES.scaled(LIST_ROW_HEIGHT)))


def set_list_rows(view: QAbstractItemView) -> None:
    """Install the delegate on a list."""
    view.setItemDelegate(ListRowDelegate(view))


class RowView(QTableView):
    """A table of whole rows: Home and End go to the first and the last one.

    (Qt goes to the first and the last column.)
    """

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        if action in (QAbstractItemView.CursorAction.MoveHome, QAbstractItemView.CursorAction.MoveEnd):
            modifiers |= Qt.KeyboardModifier.ControlModifier
            # In the same column: Qt goes to the last one, and scrolls sideways.
            return super().moveCursor(action, modifiers).siblingAtColumn(max(self.currentIndex().column(), 0))
        return super().moveCursor(action, modifiers)

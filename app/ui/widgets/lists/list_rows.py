"""Lines of a list that are as high as they are to be from the first moment on.

How high the style makes a line is asked as soon as something wants to know where lines stand. With a screen reader that
is before the list has its style, and what was found then stays: lines of 16 pixels, with their hairlines through text.
"""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.ui.theme.tokens import FOCUS_PX, LIST_ROW_HEIGHT

Index = QModelIndex | QPersistentModelIndex


class ListRowDelegate(QStyledItemDelegate):
    """No line is lower than `LIST_ROW_HEIGHT`; one of several lines of text may be higher. The line one stands on lies
    between two strokes while the list has the keyboard: the style's own way is a grey gradient."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        option.state &= ~QStyle.StateFlag.State_HasFocus
        super().paint(painter, option, index)
        if self._view.hasFocus() and index.row() == self._view.currentIndex().row():
            accent, box = option.palette.color(QPalette.ColorRole.Accent), option.rect
            painter.fillRect(box.left(), box.top(), box.width(), FOCUS_PX, accent)
            painter.fillRect(box.left(), box.bottom() + 1 - FOCUS_PX, box.width(), FOCUS_PX, accent)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        found = super().sizeHint(option, index)
        return QSize(found.width(), max(found.height(), LIST_ROW_HEIGHT))


def set_list_rows(view: QAbstractItemView) -> None:
    """Let the lines of this list be high enough whenever it is laid out."""
    view.setItemDelegate(ListRowDelegate(view))

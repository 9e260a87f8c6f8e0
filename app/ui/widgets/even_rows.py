"""Lines of a list that are as high as they are to be from the first moment on.

How high the style makes a line is asked as soon as something wants to know where lines stand. With a screen reader that
is before the list has its style, and what was found then stays: lines of 16 pixels, with their hairlines through text.
"""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize
from PySide6.QtWidgets import QAbstractItemView, QStyledItemDelegate, QStyleOptionViewItem

from app.ui.theme.tokens import LIST_ROW_HEIGHT


class EvenRows(QStyledItemDelegate):
    """No line is lower than `LIST_ROW_HEIGHT`; one of several lines of text may be higher."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        found = super().sizeHint(option, index)
        return QSize(found.width(), max(found.height(), LIST_ROW_HEIGHT))


def set_even_rows(view: QAbstractItemView) -> None:
    """Let the lines of this list be high enough whenever it is laid out."""
    view.setItemDelegate(EvenRows(view))

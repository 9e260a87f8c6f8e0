"""Editing a cell of a grid: what is typed counts from its first key, as in any other field.

Invariant: the model holds what the open editor shows. So a draft that is kept meanwhile is whole, rules are checked as
one types, and a view that brings its editors up to date finds nothing to take back.
"""

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QLineEdit, QStyledItemDelegate, QStyleOptionViewItem, QWidget

Index = QModelIndex | QPersistentModelIndex
_BEFORE = "before"


class CellDelegate(QStyledItemDelegate):
    """Writes every key into the model. `take_back` is for Escape, which gives a cell its former text again."""

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = super().createEditor(parent, option, index)
        if isinstance(editor, QLineEdit):
            editor.setProperty(_BEFORE, index.data(Qt.ItemDataRole.EditRole))
            title = index.model().headerData(index.column(), Qt.Orientation.Horizontal)
            editor.setAccessibleName(f"{title}, row {index.row() + 1}")
            writer = _Writer(editor, index)
            editor.textEdited.connect(writer.write)
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        # Setting the same text again would move the cursor to its end.
        if not isinstance(editor, QLineEdit) or editor.text() != index.data(Qt.ItemDataRole.EditRole):
            super().setEditorData(editor, index)


class _Writer(QObject):
    """Knows which cell an editor stands for, also after rows were added above it; ends with its editor."""

    def __init__(self, editor: QLineEdit, index: Index) -> None:
        super().__init__(editor)
        self._at = QPersistentModelIndex(index)

    def write(self, text: str) -> None:
        """What is typed stands in the model at once."""
        if self._at.isValid():
            self._at.model().setData(self._at, text)


def take_back(editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
    """Give the cell the text that it had before it was edited."""
    before = editor.property(_BEFORE)
    if before is not None and index.isValid():
        model.setData(index, before)

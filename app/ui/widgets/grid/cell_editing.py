"""Editing a cell of a grid: every key counts at once, as in any other field.

Invariant: the model holds the text of the open editor. So a draft that is saved meanwhile is complete, issues are
checked while a person types, and Qt finds nothing to revert when it refreshes the editor.
"""

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPainter, QPen
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.ui.theme.theme import Theme
from app.ui.theme.tokens import FOCUS_PX
from app.ui.widgets import widget_words as words
from app.ui.widgets.field import NO_LIMIT, LengthLimit
from app.ui.widgets.grid.grid_model import RowsModel

Index = QModelIndex | QPersistentModelIndex
_BEFORE = "before"
_TOLD = "told"
_VERTICAL = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class CellDelegate(QStyledItemDelegate):
    """Frames the current cell, and writes every key into the model. `undo_typing` restores the text for Escape."""

    opened = Signal(QLineEdit, int, int)  # an editor that has its text, its row and its column
    block_pasted = Signal()  # a block of cells was pasted into an open cell
    refused = Signal()  # too much was pasted into an open cell
    walked = Signal(int)  # an arrow key goes so many rows down

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        if option.state & QStyle.StateFlag.State_HasFocus:
            # Qt hands one painter to all cells.
            painter.save()
            painter.setPen(QPen(self._theme.colour("accent"), FOCUS_PX))
            painter.drawRect(option.rect.adjusted(1, 1, -1, -1))
            painter.restore()

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = super().createEditor(parent, option, index)
        if isinstance(editor, QLineEdit):
            editor.setMaxLength(NO_LIMIT)
            editor.setValidator(LengthLimit(editor))
            editor.inputRejected.connect(self.refused)
            editor.setProperty(_BEFORE, index.data(Qt.ItemDataRole.EditRole))
            title = index.model().headerData(index.column(), Qt.Orientation.Horizontal)
            editor.setAccessibleName(words.editor_name(str(title), index.row() + 1))
            writer = _Writer(self, editor, index)
            # Not `textEdited`: a screen reader sets the whole text, which is no typing for Qt.
            editor.textChanged.connect(writer.write)
            editor.installEventFilter(writer)
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        # Setting the same text again would move the cursor to its end.
        if not isinstance(editor, QLineEdit) or editor.text() != index.data(Qt.ItemDataRole.EditRole):
            super().setEditorData(editor, index)
        if isinstance(editor, QLineEdit) and not editor.property(_TOLD):
            editor.setProperty(_TOLD, True)
            # Only now: Qt calls the newest event filter first, so a receiver that filters keys must be installed last.
            self.opened.emit(editor, index.row(), index.column())

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        if _is_enter(event) and isinstance(editor, QLineEdit):
            # Close at once, with any modifier: Qt closes the editor in a later turn of the loop. Keys of a scanner, or
            # new rows, may come before that, and Qt warns about an editor that does not exist.
            self.commitData.emit(editor)
            self.closeEditor.emit(editor, QStyledItemDelegate.EndEditHint.SubmitModelCache)
            return True
        return super().eventFilter(editor, event)


def _is_enter(event: QEvent) -> bool:
    return (
        event.type() == QEvent.Type.KeyPress
        and isinstance(event, QKeyEvent)
        and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
    )


class _Writer(QObject):
    """Writes an editor's text into its cell, also after rows were inserted above. Ends with the editor.

    It also identifies the typing: all keys typed into this editor are one undo step.
    """

    def __init__(self, delegate: CellDelegate, editor: QLineEdit, index: Index) -> None:
        super().__init__(editor)
        self._delegate = delegate
        self._at = QPersistentModelIndex(index)

    def write(self, text: str) -> None:
        """Write the text into the model."""
        model = self._at.model()
        if self._at.isValid() and isinstance(model, RowsModel):
            model.type_in(self._at, text, self)

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if event.matches(QKeySequence.StandardKey.Paste) and is_block(QGuiApplication.clipboard().text()):
            self._delegate.block_pasted.emit()
            return True
        steps = _VERTICAL.get(Qt.Key(event.key())) if event.modifiers() == Qt.KeyboardModifier.NoModifier else None
        if steps is not None:
            self._delegate.walked.emit(steps)
        return steps is not None


def is_block(text: str) -> bool:
    """Whether a pasted text has more than one cell."""
    return any(each in text.rstrip("\r\n") for each in "\t\r\n")


def undo_typing(editor: QWidget, model: RowsModel, index: Index) -> None:
    """Restore the text that the cell had before the editor opened."""
    before = editor.property(_BEFORE)
    writer = editor.findChild(_Writer)
    # Undo the whole step: the first key may have removed values that the program had filled in beside the cell.
    if before is not None and index.isValid() and not model.undo_typing(writer):
        model.type_in(index, before, writer)

"""Editing a cell of a grid: what is typed counts from its first key, as in any other field.

Invariant: the model holds what the open editor shows. So a draft that is kept meanwhile is whole, rules are checked as
one types, and a view that brings its editors up to date finds nothing to take back.
"""

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPainter, QPen
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.ui.theme.theme import Theme
from app.ui.theme.tokens import FOCUS_PX
from app.ui.widgets.field import NO_LIMIT, LengthLimit
from app.ui.widgets.grid.grid_model import RowsModel

Index = QModelIndex | QPersistentModelIndex
_BEFORE = "before"
_TOLD = "told"
_VERTICAL = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class CellDelegate(QStyledItemDelegate):
    """Shows which cell has the keyboard, and writes every key into the model.

    `take_back` is for Escape, which gives a cell its former text again.
    `opened` tells of each editor, its row and column, once the editor has the cell's text.
    """

    opened = Signal(QLineEdit, int, int)  # an editor on the cell of this row and column
    block_pasted = Signal()  # a block of cells was pasted into an open cell
    refused = Signal()  # far too much was pasted into an open cell
    walked = Signal(int)  # an arrow goes so many rows down

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        if option.state & QStyle.StateFlag.State_HasFocus:
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
            editor.setAccessibleName(f"{title}, row {index.row() + 1}")
            writer = _Writer(self, editor, index)
            # Not only what is typed: a screen reader sets the text as a whole.
            editor.textChanged.connect(writer.write)
            editor.installEventFilter(writer)
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        # Setting the same text again would move the cursor to its end.
        if not isinstance(editor, QLineEdit) or editor.text() != index.data(Qt.ItemDataRole.EditRole):
            super().setEditorData(editor, index)
        if isinstance(editor, QLineEdit) and not editor.property(_TOLD):
            editor.setProperty(_TOLD, True)
            # Only now: whoever wants its keys before the delegate has to begin listening after it.
            self.opened.emit(editor, index.row(), index.column())

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        if _is_enter(event) and isinstance(editor, QLineEdit):
            # At once, whatever is held with Enter: Qt would close the cell in a later turn. The next keys of a scanner
            # may come before that, or other rows, and then Qt complains of an editor that is not there.
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
    """Knows which cell an editor stands for, also after rows were added above it; ends with its editor.

    It stands for the typing too: whatever is typed while this editor is open is one step to take back.
    """

    def __init__(self, delegate: CellDelegate, editor: QLineEdit, index: Index) -> None:
        super().__init__(editor)
        self._delegate = delegate
        self._at = QPersistentModelIndex(index)

    def write(self, text: str) -> None:
        """What is typed stands in the model at once."""
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
    """Whether a pasted text is more than one cell."""
    return any(each in text.rstrip("\r\n") for each in "\t\r\n")


def take_back(editor: QWidget, model: RowsModel, index: Index) -> None:
    """Give the cell the text that it had before it was edited."""
    before = editor.property(_BEFORE)
    writer = editor.findChild(_Writer)
    # As a whole: what the program filled in beside it went with the first key.
    if before is not None and index.isValid() and not model.take_back(writer):
        model.type_in(index, before, writer)

"""Keys as people read them, and the undo keys of the window."""

from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QTextEdit, QWidget

UNDO_KEY = "Ctrl+Z"
UNDO_ANYWHERE = "Alt+Z"  # undoes what the window offers also where Ctrl+Z belongs to a field


def shown_key(key: str | QKeySequence) -> str:
    """`Ctrl+Enter` for "Ctrl+Return", as this system writes keys; empty for no key."""
    native = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
    return native.replace("Return", "Enter")  # Qt writes Return, which no current keyboard shows


def is_undo(event: QKeyEvent) -> bool:
    """Whether this key press is Ctrl+Z."""
    return QKeySequence(event.keyCombination()) == QKeySequence(UNDO_KEY)


class KeepsUndo:
    """Marks a widget whose Ctrl+Z undoes changes of its own, so that the window leaves the key to it."""


def undo_key_for(focus: QWidget | None) -> str:
    """The key that undoes what the window offers while this widget has the keyboard.

    A text that can be edited may have letters of its own to undo from one key to the next.
    """
    edits = isinstance(focus, (QLineEdit, QPlainTextEdit, QTextEdit)) and not focus.isReadOnly()
    return UNDO_ANYWHERE if edits or isinstance(focus, KeepsUndo) else UNDO_KEY

"""Keys as people read them, and the undo key of the window."""

from PySide6.QtGui import QKeyEvent, QKeySequence

UNDO_KEY = "Ctrl+Z"


def shown_key(key: str | QKeySequence) -> str:
    """`Ctrl+Enter` for "Ctrl+Return", as this system writes keys; empty for no key."""
    native = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
    return native.replace("Return", "Enter")  # Qt writes Return, which no current keyboard shows


def is_undo(event: QKeyEvent) -> bool:
    """Whether this key press is Ctrl+Z."""
    return QKeySequence(event.keyCombination()) == QKeySequence(UNDO_KEY)


class KeepsUndo:
    """Marks a text field whose Ctrl+Z undoes more than letters, so that the window leaves the key to the field."""

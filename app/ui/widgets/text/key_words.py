"""A key in words: as this system writes it, and Enter as everybody calls it."""

from PySide6.QtGui import QKeySequence


def shown_key(key: str | QKeySequence) -> str:
    """`Ctrl+Enter` for "Ctrl+Return"; nothing for no key."""
    native = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
    return native.replace("Return", "Enter")  # Qt's name of it, which stands on no keyboard of today

"""The scan field: a scanner types a code and Enter. It takes every key, adds at Enter, and submits nothing.

Keys: Ctrl+Up and Ctrl+Down change the commodity; Ctrl+G begins or ends a group; Backspace or Delete in the empty field
removes the barcode that was scanned last; Ctrl+Z and Ctrl+Y in it undo and redo. A pasted column is scanned line by
line.
"""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit

from app.ui.widgets.field import NO_LIMIT, LengthLimit
from app.ui.widgets.text.keys import KeepsUndo

MOST_AT_ONCE = 300_000  # letters: a column of five thousand of the longest barcodes
_KEYS = QKeySequence.StandardKey
_CTRL_Y = QKeySequence("Ctrl+Y")
_PLAIN = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
_CTRL = Qt.KeyboardModifier.ControlModifier


class ScanField(QLineEdit, KeepsUndo):
    """A field that turns keys into codes and commands."""

    scanned = Signal(list)  # the codes of one Enter or one paste
    entered = Signal()  # the keyboard came here: scanning may begin
    command = Signal(str)  # next, previous, group, remove, undo, redo

    def __init__(self) -> None:
        super().__init__()
        self.setMaxLength(NO_LIMIT)
        self.setValidator(LengthLimit(self, MOST_AT_ONCE))
        self.textChanged.connect(self._on_text)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.entered.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.modifiers() in _PLAIN and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._hand_over([self.text()])
            return
        command = self._command(event)
        if not command:
            super().keyPressEvent(event)
        elif not (command == "remove" and event.isAutoRepeat()):  # a key held down to empty the field stops there
            self.command.emit(command)

    def _command(self, event: QKeyEvent) -> str:
        if event.modifiers() == _CTRL:
            by_key = {Qt.Key.Key_Up: "previous", Qt.Key.Key_Down: "next", Qt.Key.Key_G: "group"}
            if command := by_key.get(Qt.Key(event.key())):
                return command
        if self.text():
            return ""
        if event.matches(_KEYS.Undo):
            return "undo"
        if event.matches(_KEYS.Redo) or QKeySequence(event.keyCombination()) == _CTRL_Y:
            return "redo"
        removes = event.modifiers() in _PLAIN and event.key() in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete)
        return "remove" if removes else ""

    def _on_text(self, text: str) -> None:
        """Several lines can only have been pasted."""
        if "\n" in text or "\r" in text:
            self._hand_over(text.splitlines())

    def _hand_over(self, lines: list[str]) -> None:
        self.clear()
        codes = [line for line in lines if line.strip()]
        if codes:
            self.scanned.emit(codes)

"""Find and replace in the grid: a line above it, with its result in words.

Invariant: what is found is counted before it is replaced, and a replacement is one step to undo.
"""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from app.ui.bulk import bulk_page_words as words
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.buttons import button, icon_button
from app.ui.widgets.field import NO_LIMIT
from app.ui.widgets.layout import row
from app.ui.widgets.text.labels import announce, text_label, visible

_ENTERS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class ReplaceBar(QWidget):
    """`next_asked` goes to the next cell that holds the text, `all_asked` replaces it everywhere."""

    next_asked = Signal(bool)  # forward
    all_asked = Signal()
    closed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("fileStrip")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(words.FIND_NAME)
        self.sought, self.by = _line(words.FIND), _line(words.REPLACE_BY)
        self.column, self.whole = QCheckBox(words.THIS_COLUMN), QCheckBox(words.WHOLE_CELLS)
        self.said = text_label("", "label")
        self.sought.textChanged.connect(self._on_text)
        find_next = button(words.FIND_NEXT, self._on_next, tip="F3")
        self.all_button = button(words.REPLACE_ALL, self.all_asked.emit)
        close = icon_button(theme, "x", words.CLOSE_FIND, self.close_bar)
        line = row(
            self.sought, self.by, find_next, self.all_button, self.column, self.whole, self.said, None, close,
            margin=(SPACE_3, SPACE_1, SPACE_1, SPACE_1), gap=SPACE_2,
        )  # fmt: skip
        self.setLayout(line)
        self._on_text()
        self.hide()

    def open_for(self, text: str, *, replacing: bool) -> None:
        """Show the line, with the keyboard in it; `text` is what a person stands on."""
        if text and not self.sought.text():
            self.sought.setText(text)
        self.show()
        wanted = self.by if replacing and self.sought.text() else self.sought
        wanted.setFocus()
        wanted.selectAll()

    def close_bar(self) -> None:
        """Put the line away."""
        self.hide()
        self.closed.emit()

    def say(self, sentence: str) -> None:
        """Say what was found, or replaced."""
        self.said.setText(visible(sentence))
        announce(self, sentence)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        elif event.key() in _ENTERS and self.by.hasFocus():
            self.all_asked.emit()
        elif event.key() in _ENTERS:
            self.next_asked.emit(not event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        else:
            super().keyPressEvent(event)

    def _on_next(self) -> None:
        self.next_asked.emit(True)

    def _on_text(self) -> None:
        self.all_button.setEnabled(bool(self.sought.text()))
        self.said.setText("")


def _line(name: str) -> QLineEdit:
    made = QLineEdit()
    made.setMaxLength(NO_LIMIT)
    made.setPlaceholderText(name)
    made.setAccessibleName(name)
    return made

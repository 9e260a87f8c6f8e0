"""A bar that searches what is shown: a text, a tree or a table. Enter goes on, Shift+Enter back, Escape closes it."""

from typing import Protocol

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SEARCH_LEAST_WIDTH, SPACE_1, SPACE_2
from app.ui.widgets.buttons import icon_button
from app.ui.widgets.code import code_words as words
from app.ui.widgets.field import NO_LIMIT
from app.ui.widgets.layout import row
from app.ui.widgets.text.labels import announce, text_label

_AFTER_MS = 120
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Searched(Protocol):
    """A view that can be searched: `find_all` counts the places of a text, `show_place` shows one of them."""

    def find_all(self, text: str) -> int: ...
    def show_place(self, place: int) -> None: ...


class FindBar(QWidget):
    """Searches `searched`, which may change while the bar is open. `closed` asks to put the keyboard back."""

    closed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._searched: Searched | None = None
        self._count, self._place = 0, -1
        self.field = QLineEdit()
        self.field.setMaxLength(NO_LIMIT)
        self.field.setPlaceholderText(words.FIND)
        self.field.setAccessibleName(words.FIND_NAME)
        self.field.setMinimumWidth(SEARCH_LEAST_WIDTH)
        self.field.installEventFilter(self)
        self.label = text_label("", "soft")
        previous = icon_button(theme, "arrow-up", words.PREVIOUS, self.go_back)
        following = icon_button(theme, "arrow-down", words.NEXT, self.go_on)
        close = icon_button(theme, "x", words.CLOSE_FIND, self.close_bar)
        for each in (previous, following, close):
            each.setProperty("tight", True)
        self.setLayout(row(self.field, SPACE_2, self.label, previous, following, close, gap=SPACE_1))
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_AFTER_MS)
        self._later.timeout.connect(self._look)
        self.field.textChanged.connect(self._later.start)
        self.hide()

    def search_in(self, searched: Searched) -> None:
        """Search this from now on."""
        if self._searched is not None and self._searched is not searched:
            self._searched.find_all("")
        self._searched = searched
        if not self.isHidden():
            self._look()

    def open_bar(self) -> None:
        """Show the bar with the keyboard in it."""
        self.show()
        self.field.setFocus()
        self.field.selectAll()
        self._look()

    def close_bar(self) -> None:
        """Close the bar; no place is marked any more."""
        self.hide()
        if self._searched is not None:
            self._searched.find_all("")
        self.closed.emit()

    def look_again(self) -> None:
        """The searched view has another content."""
        if not self.isHidden():
            self._look()

    def go_on(self) -> None:
        """Show the next place, after the last the first."""
        self._go(self._place + 1)

    def go_back(self) -> None:
        """Show the place before, before the first the last."""
        self._go(self._place - 1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in _ENTER:
                # What was typed last has not been looked for yet.
                if self._later.isActive():
                    self._look()
                elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                    self.go_back()
                else:
                    self.go_on()
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.close_bar()
                return True
        return super().eventFilter(watched, event)

    def _look(self) -> None:
        self._later.stop()
        typed = self.field.text()
        self._count = 0 if self._searched is None else self._searched.find_all(typed)
        self._place = -1
        if self._count:
            self._go(0)
        else:
            self.label.setText(words.NOT_FOUND if typed else "")
            announce(self, self.label.text())

    def _go(self, place: int) -> None:
        if not self._count or self._searched is None:
            return
        self._place = place % self._count
        self._searched.show_place(self._place)
        self.label.setText(words.found(self._place + 1, self._count))
        announce(self, self.label.text())

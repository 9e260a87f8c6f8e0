"""A floating panel with lines to choose from, narrowed by typing: a field for a column, or a column for a field.

Escape closes it, and so does a click or the keyboard outside of it. Invariant: nothing is taken without a choice.
"""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QWidget

from app.ui.bulk import bulk_page_words as words
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import CHIP_PANEL_WIDTH, SPACE_1, SPACE_2
from app.ui.widgets.layout import column
from app.ui.widgets.lists.line_list import Line, LineList
from app.ui.widgets.text.labels import announce, text_label, visible

_LINES = 10
_TAKING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab)
_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: _LINES, Qt.Key.Key_PageUp: -_LINES}


class PickPanel(QFrame):
    """`taken` carries the value of the line that was chosen; `over` comes once, when the panel closes."""

    taken = Signal(object)
    over = Signal()

    def __init__(self, theme: Theme, window: QWidget, title: str, note: str, lines: Sequence[Line]) -> None:
        super().__init__(window)
        self._all, self._back, self._over = tuple(lines), QApplication.focusWidget(), False
        self.setObjectName("floating")
        self.setAutoFillBackground(True)
        self.setAccessibleName(visible(title))
        self.setFixedWidth(CHIP_PANEL_WIDTH)
        self.sought = QLineEdit()
        self.sought.setPlaceholderText(words.TYPE_TO_NARROW)
        self.sought.setAccessibleName(visible(title))
        self.sought.textChanged.connect(self._fill)
        self.sought.installEventFilter(self)
        self.list = LineList(theme, title, _LINES)
        self.list.taken.connect(self._take)
        noted = text_label(visible(note), "label", wrap=True)
        noted.setVisible(bool(note))
        self.setLayout(
            column(
                text_label(visible(title), "strong", wrap=True), noted, self.sought, self.list,
                margin=SPACE_2, gap=SPACE_1,
            )
        )  # fmt: skip
        self._fill()

    def open_at(self, place: QPoint) -> None:
        """Show the panel at this place of the window, with the keyboard in it."""
        self.adjustSize()
        self._place = place
        self._move()
        self.show()
        self.raise_()
        self.sought.setFocus(Qt.FocusReason.PopupFocusReason)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus)
        application.installEventFilter(self)

    def close_now(self) -> None:
        """Close the panel; the keyboard goes back to where it was."""
        if self._over:
            return
        self._over = True
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.disconnect(self._on_focus)
        application.removeEventFilter(self)
        # Before the panel is hidden: hiding moves the keyboard to wherever Qt finds a place for it.
        if self._holds(QApplication.focusWidget()) and self._back is not None:
            self._back.setFocus()
        self.over.emit()
        # Deleted later: this may run inside an event of the panel's own.
        self.hide()
        self.deleteLater()

    def _move(self) -> None:
        window = self.parentWidget()
        assert window is not None
        x = max(min(self._place.x(), window.width() - self.width() - SPACE_2), 0)
        y = max(min(self._place.y(), window.height() - self.height() - SPACE_2), 0)
        self.move(x, y)

    def _fill(self) -> None:
        typed = self.sought.text().strip().casefold()
        lines = [each for each in self._all if typed in f"{each.text} {each.detail}".casefold()]
        # A field whose name begins with what was typed stands first.
        lines.sort(key=lambda each: not each.text.casefold().startswith(typed))
        self.list.fill(lines)
        self.list.setCurrentRow(0 if typed and lines else -1)
        self.adjustSize()
        if self.isVisible():
            self._move()

    def _take(self, line: Line) -> None:
        if not line.off:
            self.close_now()
            # Closed before: a dialog that the choice opens must take the keyboard after the panel has given it back.
            self.taken.emit(line.value)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.sought and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._on_key(Qt.Key(event.key()))
        if event.type() == QEvent.Type.MouseButtonPress and isinstance(watched, QWidget) and not self._holds(watched):
            self.close_now()
        return False

    def _on_key(self, key: Qt.Key) -> bool:
        if key == Qt.Key.Key_Escape:
            self.close_now()
        elif key in _STEPS:
            line = self.list.step(_STEPS[key])
            if line is not None:
                announce(self, line.read)
        elif key in _TAKING:
            if self.list.chosen is not None:
                self._take(self.list.chosen)
        else:
            return False
        return True

    def _holds(self, widget: QWidget | None) -> bool:
        return widget is not None and (widget is self or self.isAncestorOf(widget))

    def _on_focus(self, _old: QWidget | None, now: QWidget | None) -> None:
        if now is not None and not self._holds(now):
            self.close_now()

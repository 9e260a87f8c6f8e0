"""The line in which the text of a mark is typed, at the place of the photo where it will stand."""

from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from app.desk.audits.audit_reviews import Mark
from app.translation import translate
from app.ui.theme.tokens import WORDS_SIZE


class MarkTextLine(QLineEdit):
    """`entered` carries the address of a photo and the mark with its text. Enter, or leaving the line, keeps the text;
    Escape drops it."""

    entered = Signal(str, object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._blank: Mark | None = None
        self._address = ""
        self.setAccessibleName(translate("Words to write on the photo"))
        self.editingFinished.connect(self.keep)
        self.hide()

    def ask(self, pane: QWidget, place: QPoint, address: str, blank: Mark) -> None:
        """Ask for the text of a mark at a place of its pane, moved so that the whole line is visible."""
        self.keep()
        self._address, self._blank = address, blank
        self.setParent(pane)
        width, height = WORDS_SIZE
        left = min(max(place.x(), 0), max(pane.width() - width, 0))
        top = min(max(place.y(), 0), max(pane.height() - height, 0))
        self.setGeometry(left, top, width, height)
        self.clear()
        self.show()
        self.setFocus()

    def keep(self) -> None:
        """Emit the typed text, if a text was asked for."""
        # Taken at once: hiding the line ends its editing, which comes here again.
        blank, self._blank = self._blank, None
        if blank is None:
            return
        text = self.text().strip()
        self._leave()
        if text:
            self.entered.emit(self._address, replace(blank, text=text))

    def event(self, event: QEvent) -> bool:
        if is_escape(event):
            event.accept()  # or the page would take the Escape and go back to its list
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            # Before leaving, which would keep the text.
            self._blank = None
            self._leave()
        else:
            super().keyPressEvent(event)
            event.accept()  # or the pane would take the same Enter and begin the next text

    def _leave(self) -> None:
        """Hide the line and give the keyboard back to the photo."""
        # Asked before it is hidden: a hidden line has the keyboard no more.
        pane, here = self.parentWidget(), self.hasFocus()
        self.hide()
        if here and pane is not None:
            pane.setFocus()


def is_escape(event: QEvent) -> bool:
    """Whether an Escape is about to be given to the window's shortcuts."""
    if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.ShortcutOverride:
        return False
    return event.key() == Qt.Key.Key_Escape

"""The base of all pages: owned tasks, the desk in force, and a message bar.

Invariant: a page starts coroutines through its `tasks` only, so closing the window ends all of them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from app.background.news import News
from app.desk.desk import Desk
from app.runtime.sink import Sink
from app.runtime.tasks import Tasks
from app.ui.theme.theme import Theme
from app.ui.widgets.bars.message_bar import MessageBar

if TYPE_CHECKING:
    from app.ui.base.gallery import Gallery


def _deletes_text(event: QKeyEvent) -> bool:
    writing = isinstance(QApplication.focusWidget(), QLineEdit | QTextEdit | QPlainTextEdit)
    return writing and event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)


def _nothing_to_undo(_moment: float) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class PageServices:
    """The services that every page is given. `pictures` makes the window's gallery at its first call."""

    theme: Theme
    sink: Sink
    news: News
    now: Callable[[], datetime]
    pictures: "Callable[[], Gallery] | None" = None
    # Undoes the last action in the window if it was after a moment of `monotonic`; returns whether it did.
    undo_since: Callable[[float], bool] = _nothing_to_undo


class Page(QWidget):
    """The controller of its widgets. `enter` runs when the page is shown, `take_desk` when the connection changes.

    `status_changed` follows each change of what the page says of itself in the status bar.
    """

    status_changed = Signal(str)

    def __init__(self, services: PageServices, name: str) -> None:
        super().__init__()
        self.setObjectName("page")
        self.services = services
        self.bar = MessageBar(services.theme)
        self.tasks = Tasks(services.sink, name, self.bar.show_failure)
        self._desk: Desk | None = None
        self._told_status = ""

    @property
    def desk(self) -> Desk:
        """The desk in force; pages are shown only once there is one."""
        assert self._desk is not None
        return self._desk

    def take_desk(self, desk: Desk) -> None:
        """Work for this desk from now on."""
        self._desk = desk
        self.bar.clear()

    def enter(self) -> None:
        """The page is shown."""

    def event(self, event: QEvent) -> bool:
        # In a text field, a key that deletes belongs to the field, even if it is a shortcut of the page: Ctrl+Delete
        # deletes a word and must not cancel an order.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _deletes_text(event):
            event.accept()
            return True
        return super().event(event)

    def status_text(self) -> str:
        """The text of the status bar while this page is shown. It says only what is known; empty where nothing is."""
        return ""

    def tell_status(self) -> None:
        """Called by the page after each change of what `status_text` says."""
        text = self.status_text()
        if text != self._told_status:
            self._told_status = text
            self.status_changed.emit(text)

    def connected(self) -> None:
        """Called when the provider can be reached, at first or again."""

    def page_commands(self) -> list[tuple[str, str, Callable[[], object]]]:
        """The page's commands for the palette: title, key and function."""
        return []

    @property
    def has_unsaved(self) -> bool:
        """Whether something was typed that is not in the journal yet."""
        return False

    async def flush(self) -> str:
        """Save unsaved input, before the program ends or uses another connection.

        Returns an empty text, or a sentence that says why it failed. The caller cancels a flush that takes too long;
        the next flush tries again.
        """
        return ""

    def unsaved_text(self) -> str:
        """The input that `flush` could not save, as text for the clipboard."""
        return ""

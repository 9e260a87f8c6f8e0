"""What every page has: its owned tasks, the desk it works for, and a bar to say things in."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
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
class Room:
    """What every page is given. `pictures` gives the window's gallery, of which nothing is loaded before."""

    theme: Theme
    sink: Sink
    news: News
    now: Callable[[], datetime]
    pictures: "Callable[[], Gallery] | None" = None
    # Undoes what was done last in the window, if that was after a moment of `monotonic`; whether it did.
    undo_since: Callable[[float], bool] = _nothing_to_undo


class Page(QWidget):
    """A page is the controller of its widgets. `enter` runs when it is shown, `take_desk` when the profile changes."""

    def __init__(self, room: Room, name: str) -> None:
        super().__init__()
        self.setObjectName("page")
        self.room = room
        self.bar = MessageBar(room.theme)
        self.tasks = Tasks(room.sink, name, self.bar.show_failure)
        self._desk: Desk | None = None

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
        # A key that deletes belongs to the field that has the keyboard, also where it is a shortcut: Ctrl+Delete
        # deletes a word there, and no order.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _deletes_text(event):
            event.accept()
            return True
        return super().event(event)

    def connected(self) -> None:
        """The provider can be reached now, or again."""

    def page_commands(self) -> list[tuple[str, str, Callable[[], object]]]:
        """What can be done here, for the palette: words, key, and what does it."""
        return []

    @property
    def has_unsaved(self) -> bool:
        """Whether something was typed that is not kept yet."""
        return False

    async def flush(self) -> str:
        """The program is about to end, or to use another connection: keep what is not kept yet. Empty, or the sentence
        that says why it could not.

        Broken off where that takes too long: what was not known to be kept then is tried again the next time.
        """
        return ""

    def unsaved_text(self) -> str:
        """What `flush` could not keep, as text for another place."""
        return ""

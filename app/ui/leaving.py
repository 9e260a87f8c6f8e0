"""Lets the window go once all that was typed is kept, or once a person says that it may go without.

Closing with a full disk would otherwise take the last keys along, silently.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from app.runtime.tasks import Tasks
from app.ui.main_window import MainWindow
from app.ui.page import Page

_AGAIN, _COPY, _CLOSE = "Try again", "Copy what was typed", "Close all the same"


class Leaving(QObject):
    """`free`: the program may end now."""

    free = Signal()

    def __init__(self, window: MainWindow, pages: Callable[[], Sequence[Page]], tasks: Tasks) -> None:
        super().__init__()
        self._window, self._pages, self._tasks = window, pages, tasks

    def ask(self) -> None:
        """A person wants to close the window. Asked a second time it changes nothing."""
        self._tasks.write("leave", self._leave())

    async def _leave(self) -> None:
        copied = ""
        while lost := [(page, why) for page in self._pages() if (why := await page.flush())]:
            answer = await self.ask_about(lost[0][1], copied)
            if answer is None:
                return
            if answer == _CLOSE:
                break
            if answer == _COPY:
                QApplication.clipboard().setText("\n".join(page.unkept() for page, _ in lost))
                copied = " It has been copied: paste it into a file of your own."
        self.free.emit()

    async def ask_about(self, why: str, copied: str = "") -> str | None:
        """What a person wants done about it; None for nothing: the window stays."""
        from app.ui.widgets.confirm import chosen  # the first paint does without it

        words = f"{why} If Waybill is closed now, what was typed since it was last kept is lost.{copied}"
        return await chosen(self._window, "What you typed could not be kept", words, (_AGAIN, _COPY, _CLOSE), "Go back")

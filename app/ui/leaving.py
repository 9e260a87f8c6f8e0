"""Lets the window go once all that was typed is kept and no file is being written, or once a person says so.

Closing with a full disk would otherwise take the last keys along, silently; and one that never answers would keep the
window for ever. A report of many photos takes minutes: it is not dropped without a word.
"""

import asyncio
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from app.runtime.tasks import Tasks
from app.ui.main_window import MainWindow
from app.ui.page import Page

PATIENCE_S = 3.0  # that closing waits, for all of it together
_LOOK_S = 0.1
_SILENT = "The disk has not answered for three seconds, so nobody knows whether what you typed is kept."
_AGAIN, _COPY, _CLOSE = "Try again", "Copy what was typed", "Close all the same"
_STOP, _WAIT = "Stop and close", "Keep writing"
_WRITING = "Closing Waybill stops this. No half-written file is left, and files that are finished stay."


async def unkept(pages: Sequence[Page], patience: float) -> list[tuple[Page, str]]:
    """Have the pages keep what they hold, all at once; those that could not within so many seconds, and why."""
    said = await asyncio.gather(*(_flush(page, patience) for page in pages))
    return [(page, why) for page, why in zip(pages, said, strict=True) if why]


async def _flush(page: Page, patience: float) -> str:
    try:
        async with asyncio.timeout(patience):
            return await page.flush()
    except TimeoutError:
        return _SILENT


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
        while lost := await unkept(self._pages(), PATIENCE_S):
            answer = await self.ask_about(lost[0][1], copied)
            if answer is None:
                return
            if answer == _CLOSE:
                break
            if answer == _COPY:
                QApplication.clipboard().setText("\n".join(page.unkept() for page, _ in lost))
                copied = " It has been copied: paste it into a file of your own."
        if await self.may_stop():
            self.free.emit()

    async def may_stop(self) -> bool:
        """Whether what is being written may be broken off; nobody is asked where nothing is.

        What ends meanwhile is asked about no more, and the window stays: it says how that ended.
        """
        from app.ui.widgets.confirm import confirmed  # the first paint does without it

        lines = self._writing()
        if not lines:
            return True
        said = "\n".join([*lines, "", _WRITING])
        asked = asyncio.gather(confirmed(self._window, "Waybill is still writing", said, _STOP, _WAIT))
        while not asked.done() and self._writing():
            await asyncio.wait({asked}, timeout=_LOOK_S)
        asked.cancel()
        await asyncio.wait({asked})
        return not asked.cancelled() and asked.result()[0]

    def _writing(self) -> list[str]:
        return [words for page in self._pages() for words in page.tasks.to_ask_about()]

    async def ask_about(self, why: str, copied: str = "") -> str | None:
        """What a person wants done about it; None for nothing: the window stays."""
        from app.ui.widgets.confirm import chosen  # the first paint does without it

        words = f"{why} If Waybill is closed now, what was typed since it was last kept is lost.{copied}"
        return await chosen(self._window, "What you typed could not be kept", words, (_AGAIN, _COPY, _CLOSE), "Go back")

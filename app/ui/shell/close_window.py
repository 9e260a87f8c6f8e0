"""Lets the window go once all that was typed is kept, nothing can be undone any more and no file is being written,
or once a person says so.

Closing with a full disk would otherwise take the last keys along, silently; and one that never answers would keep the
window for ever. A report of many photos takes minutes: it is not dropped without a word.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from app.desk.desk import Desk
from app.runtime.tasks import Tasks
from app.store.journal.records import WriteRow
from app.store.store_errors import StoreError, WrongState
from app.ui.base.main_window import MainWindow
from app.ui.base.page import Page
from app.ui.outbox.outbox_words import UNDONE_NOTE
from app.ui.shell import shell_words as words

PATIENCE_S = 3.0  # that closing waits, for all of it together
_LOOK_S = 0.1
_NAMED = 8
_STANDING = "cancellations stand"  # the topic of what is said in the bar until closing is tried again


async def unkept(pages: Sequence[Page], patience: float) -> list[tuple[Page, str]]:
    """Have the pages keep what they hold, all at once; those that could not within so many seconds, and why."""
    said = await asyncio.gather(*(_flush(page, patience) for page in pages))
    return [(page, why) for page, why in zip(pages, said, strict=True) if why]


async def _flush(page: Page, patience: float) -> str:
    try:
        async with asyncio.timeout(patience):
            return await page.flush()
    except TimeoutError:
        return words.DISK_SILENT


async def _still_open(desk: Desk) -> list[WriteRow]:
    from app.desk.sending import outbox  # brings the client's models, which the first paint does without

    return await outbox.undoable(desk)


class Leaving(QObject):
    """`free`: the program may end now. `send` sends what is queued, and ends once nothing is being sent."""

    free = Signal()

    def __init__(
        self,
        window: MainWindow,
        pages: Callable[[], Sequence[Page]],
        tasks: Tasks,
        desk: Callable[[], Desk | None],
        send: Callable[[], Awaitable[object]],
    ) -> None:
        super().__init__()
        self._window, self._pages, self._tasks, self._desk, self._send = window, pages, tasks, desk, send

    def ask(self) -> None:
        """A person wants to close the window. Asked a second time it changes nothing."""
        self._tasks.write("leave", self.leave())

    async def leave(self) -> bool:
        """Let the window go, if nothing keeps it; whether it may go."""
        copied = False
        while lost := await unkept(self._pages(), PATIENCE_S):
            answer = await self.ask_about(lost[0][1], copied=copied)
            if answer is None:
                return False
            if answer == words.CLOSE_ANYWAY:
                break
            if answer == words.COPY_TYPED:
                QApplication.clipboard().setText("\n".join(page.unsaved_text() for page, _ in lost))
                copied = True
        if await self.may_leave_cancelled() and await self.may_stop():
            self.free.emit()
            return True
        return False

    async def may_leave_cancelled(self) -> bool:
        """Whether nothing can be undone any more, or a person has said what becomes of it.

        Left alone it would be asked about at the next start. It leaves in its time while the question stands.
        """
        desk = self._desk()
        self._window.bar.withdraw(_STANDING)
        try:
            rows = [] if desk is None else await _still_open(desk)
            if desk is None or not rows:
                return True
            # Asked while the countdown goes on: the question is withdrawn once nothing can be undone any more.
            asked = asyncio.gather(self._ask_about_cancelled(desk, rows))
            while not asked.done() and await _still_open(desk):
                await asyncio.wait({asked}, timeout=_LOOK_S)
            if not asked.done():  # nothing is left to ask about
                asked.cancel()
                await asyncio.wait({asked})
                if not asked.cancelled():
                    asked.exception()  # a gathering that was cancelled may say so as its exception
                return True
            (answer,) = asked.result()
            if answer is not None:
                await self._settle(desk, send=answer)
        except StoreError as error:
            self._window.bar.say("bad", words.cancellations_unchanged(error.sentence), topic=_STANDING)
            return False
        return answer is not None

    async def _ask_about_cancelled(self, desk: Desk, rows: Sequence[WriteRow]) -> bool | None:
        """Whether they are to be sent; None where the window stays."""
        from app.ui.widgets.confirm import chosen  # the first paint does without it

        heading = words.about_to_be_sent(len(rows))
        names = [each.reference for each in rows[:_NAMED]]
        names += [words.more(len(rows) - _NAMED)] if len(rows) > _NAMED else []
        lines = "\n".join([*names, *(["", words.OFFLINE] if desk.provider is None else [])])
        send, back = words.send_now(len(rows)), words.undo_cancellations(len(rows))
        answer = await chosen(self._window, heading, lines, (send, back), words.KEEP_OPEN)
        return None if answer is None else answer == send

    async def _settle(self, desk: Desk, *, send: bool) -> None:
        from app.desk.sending import outbox

        for each in await _still_open(desk):
            with suppress(WrongState):  # it has left meanwhile
                if send:
                    await outbox.release(desk, each.id)
                else:
                    await outbox.settle(desk, each.id, "withdrawn", UNDONE_NOTE, seen="queued")
        if send and desk.provider is not None:
            with suppress(TimeoutError):  # what has no answer by then is waited for as the window goes
                async with asyncio.timeout(PATIENCE_S):
                    await self._send()

    async def may_stop(self) -> bool:
        """Whether what is being written may be broken off; nobody is asked where nothing is.

        What ends meanwhile is asked about no more, and the window stays: it says how that ended.
        """
        from app.ui.widgets.confirm import confirmed  # the first paint does without it

        lines = self._writing()
        if not lines:
            return True
        said = "\n".join([*lines, "", words.STOPS_WRITING])
        asked = asyncio.gather(
            confirmed(self._window, words.STILL_WRITING, said, words.STOP_AND_CLOSE, words.KEEP_WRITING)
        )
        while not asked.done() and self._writing():
            await asyncio.wait({asked}, timeout=_LOOK_S)
        # Changes nothing where a person has answered; otherwise nothing is left to ask about.
        asked.cancel()
        await asyncio.wait({asked})
        return not asked.cancelled() and asked.result()[0]

    def _writing(self) -> list[str]:
        return [line for page in self._pages() for line in page.tasks.to_ask_about()]

    async def ask_about(self, why: str, *, copied: bool = False) -> str | None:
        """Ask what to do about typing that is not kept; the answer, None if the window is to stay."""
        from app.ui.widgets.confirm import chosen  # the first paint does without it

        choices = (words.TRY_AGAIN, words.COPY_TYPED, words.CLOSE_ANYWAY)
        sentence = words.would_lose(why, copied=copied)
        return await chosen(self._window, words.NOT_KEPT, sentence, choices, words.GO_BACK)

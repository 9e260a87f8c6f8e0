"""Makes one call at a time: asks where a yes is needed, sends, stops, and says how it ended.

Invariants: nothing is sent that a person has not seen judged as it is sent. A call that writes is asked about before
the window closes; stopping it says that it may have arrived.
"""

import asyncio
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.desk.console.calls.answer_values import Answers
from app.desk.console.calls.judge_call import Judgement
from app.desk.console.calls.request_draft import RequestDraft
from app.desk.console.calls.send_call import CannotBeSent, NotAgreed, Sent, send, with_doubt
from app.desk.console.console_operations import ConsoleOperation
from app.desk.desk import Desk
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError
from app.ui.console import console_page_words as words
from app.ui.theme.theme import Theme
from app.ui.widgets.confirm import confirmed
from app.ui.widgets.connection_colour import colour_mark

_TASK = "call"


@dataclass(frozen=True, slots=True)
class Call:
    """A call to be made; `name` is that of the named request, empty for none."""

    desk: Desk
    operation: ConsoleOperation
    draft: RequestDraft
    answers: Answers
    name: str = ""


class Calling(QObject):
    """`began` and `over` frame a call that was sent; `came` carries it with what became of it, `failed` a sentence.

    `judged` carries what is said of a call now, where that is not what a person has seen.
    """

    began = Signal(object)
    over = Signal()
    came = Signal(object, object)
    failed = Signal(str)
    judged = Signal(object)

    def __init__(self, page: QWidget, theme: Theme, tasks: Tasks) -> None:
        super().__init__(page)
        self._page, self._theme, self._tasks = page, theme, tasks
        self._call: Call | None = None

    @property
    def busy(self) -> bool:
        """Whether a call is asked about or under way."""
        return self._tasks.running(_TASK)

    def begin(self, call: Call, judgement: Judgement) -> None:
        """Make this call, of which `judgement` was said."""
        if not self.busy:
            self._tasks.read(_TASK, self._make(call, judgement))

    def stop(self) -> None:
        """Stop the call that is under way."""
        self._tasks.cancel(_TASK)

    def leave(self, desk: Desk | None) -> None:
        """Another desk is in force: a call that only reads is stopped, one that writes ends by itself."""
        if self._call is not None and self._call.desk is not desk and not self._call.operation.writes:
            self.stop()

    async def _make(self, call: Call, judgement: Judgement) -> None:
        judgement = await with_doubt(call.desk, call.operation, call.draft, judgement)
        # Again where something changed between the yes and the sending: the new question needs a yes of its own.
        while True:
            if judgement.question and not await self._agreed(call, judgement):
                return
            try:
                await self._send(call, judgement.question)
            except NotAgreed as error:
                judgement = error.judgement
                self.judged.emit(judgement)
                if judgement.stops:
                    return
            else:
                return

    async def _agreed(self, call: Call, judgement: Judgement) -> bool:
        told, profile = " ".join(judgement.tells), call.desk.profile
        mark = colour_mark(self._theme, profile.kind, profile.colour) if profile.name in judgement.question else None
        return await confirmed(
            self._page.window(), judgement.question, told, judgement.agree, words.KEEP_AS_IS, mark=mark
        )

    async def _send(self, call: Call, agreed: str) -> None:
        writes = call.operation.writes

        def under_way() -> str:
            return words.left_call(call.operation.method, call.operation.path) if writes else ""

        self._call = call
        self.began.emit(call)
        try:
            with self._tasks.ask_about(under_way):
                sent: Sent = await send(
                    call.desk, call.operation, call.draft, call.answers, agreed=agreed, name=call.name
                )
        except (CannotBeSent, StoreError) as error:
            self.failed.emit(error.sentence)
        except asyncio.CancelledError:
            self.failed.emit(words.STOPPED_WRITE if writes else words.STOPPED_READ)
            raise
        else:
            self.came.emit(call, sent)
        finally:
            # Before `over` is told: who hears it may begin the next call.
            self._call = None
            self.over.emit()

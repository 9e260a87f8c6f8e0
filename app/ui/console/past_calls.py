"""Works the history of calls for a page: pages of it, search, one call with its answer, comparison, forgetting."""

import asyncio
from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.api.raw_call import RawAnswer
from app.desk.console.answers.answer_body import read_body
from app.desk.console.answers.answer_differences import Difference, differences
from app.desk.console.calls import call_history
from app.desk.console.calls.call_history import PastCall
from app.desk.console.forms.exact_json import ABSENT
from app.desk.desk import Desk
from app.runtime.tasks import Tasks
from app.ui.console import console_page_words as words
from app.ui.console.answer_pane import AnswerPane, ShownAnswer, worked_out
from app.ui.console.call_list import PAGE, CallList
from app.ui.theme.theme import Theme
from app.ui.widgets.confirm import confirmed
from app.ui.widgets.connection_colour import colour_mark

_MOST_EARLIER = 50


class PastCalls(QObject):
    """`opened` carries a call that a person wants to see in the form."""

    opened = Signal(object)

    def __init__(self, page: QWidget, theme: Theme, shown: CallList, answer: AnswerPane, tasks: Tasks) -> None:
        super().__init__(page)
        self._page, self._theme, self._list, self._answer, self._tasks = page, theme, shown, answer, tasks
        self._desk: Desk | None = None
        self._text = ""
        self._of = 0  # the call whose answer is shown
        self._compare = False  # once the earlier calls are known, the changes are wanted
        shown.searched.connect(self._search)
        shown.more_wanted.connect(self._load_more)
        shown.shown.connect(self._open)
        shown.compared.connect(self._open_compared)
        shown.forgotten.connect(self._forget)
        shown.all_forgotten.connect(self._ask_to_forget)
        answer.earlier_asked.connect(self._compare_with)

    def take_desk(self, desk: Desk) -> None:
        """Show the calls of this desk."""
        self._desk, self._of = desk, 0
        self.reload()

    def reload(self) -> None:
        """Read the first page again."""
        if self._desk is not None:
            self._tasks.read("history", self._load(self._desk))

    async def _load(self, desk: Desk) -> None:
        calls = await call_history.latest(desk, text=self._text, most=PAGE)
        self._list.show_calls(calls, more=len(calls) == PAGE)

    def _search(self, text: str) -> None:
        self._text = text
        self.reload()

    def _load_more(self) -> None:
        if self._desk is not None and self._list.model.calls:
            self._tasks.read("history", self._load_before(self._desk, self._list.model.calls[-1].id))

    async def _load_before(self, desk: Desk, call: int) -> None:
        calls = await call_history.latest(desk, text=self._text, before=call, most=PAGE)
        self._list.model.add_calls(calls, more=len(calls) == PAGE)

    # One call

    def _open(self, call: PastCall) -> None:
        self._compare = False
        self.opened.emit(call)
        self._show(call)

    def _open_compared(self, call: PastCall) -> None:
        self.opened.emit(call)
        self._show(call)
        self._compare = True

    def _show(self, call: PastCall) -> None:
        if self._desk is None:
            return
        if call.write_id is not None:
            self._answer.show_write(call.write_id, "")
            return
        self._answer.show_waiting(words.READING_ANSWER)
        self._tasks.read("past answer", self._show_answer(self._desk, call))

    async def _show_answer(self, desk: Desk, call: PastCall) -> None:
        answer = await call_history.answer_of(desk, call.id)
        if answer is None:
            heading = words.ANSWER_UNKNOWN if call.in_doubt else words.NO_ANSWER_CAME
            self._answer.show_sentence("cloud-off", heading, call.sentence)
            return
        shown = await worked_out(answer)
        self._answer.show_answer(shown, call.name)
        await self.offer_earlier(desk, call.id)

    async def offer_earlier(self, desk: Desk, call: int) -> None:
        """Offer the earlier calls of this operation to compare the shown answer with."""
        self._of = call
        found = [each for each in await call_history.earlier(desk, call) if each.status][:_MOST_EARLIER]
        # Another call was opened while its predecessors were looked up.
        if self._of == call:
            self._answer.show_earlier([(each.id, words.call_title(each.at, str(each.status))) for each in found])
            if self._compare:
                self._compare = False
                self._answer.compare()

    def _compare_with(self, call: int) -> None:
        shown = self._answer.shown
        if self._desk is not None and shown is not None:
            self._tasks.read("compare", self._show_differences(self._desk, call, shown))

    async def _show_differences(self, desk: Desk, call: int, shown: ShownAnswer) -> None:
        before = await call_history.answer_of(desk, call)
        found = await asyncio.to_thread(_differences, before, shown)
        if self._answer.shown is shown:
            self._answer.show_differences(found)

    # Forgetting

    def _forget(self, call: PastCall) -> None:
        if self._desk is not None:
            self._tasks.write("forget call", self._forgotten(self._desk, call.id))

    def _ask_to_forget(self) -> None:
        if self._desk is not None:
            self._tasks.read("forget calls", self._forget_all(self._desk))

    async def _forget_all(self, desk: Desk) -> None:
        question = words.forget_question(desk.profile.name)
        mark = colour_mark(self._theme, desk.profile.kind, desk.profile.colour)
        if await confirmed(self._page.window(), question, words.FORGET_CONSEQUENCE, words.FORGET, mark=mark):
            await self._forgotten(desk, None)

    async def _forgotten(self, desk: Desk, call: int | None) -> None:
        await call_history.forget(desk, call)
        await self._load(desk)


def _differences(before: RawAnswer | None, shown: ShownAnswer) -> Sequence[Difference]:
    body = read_body(before.body, before.content_type) if before is not None else None
    old = body.value if body is not None and body.has_value else (body.text if body is not None else ABSENT)
    new = shown.body.value if shown.body.has_value else shown.body.text
    return differences(old, new)

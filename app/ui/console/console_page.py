"""The page "Console": every operation of both services, its form, its answer, and what was called before.

The page is the controller: its parts know nothing of it and report by signals. Invariants: what is filled in for an
operation stays while another one is looked at, and is kept within a second (`desk/console/calls/kept_drafts`); an
answer, and what was filled in, are shown only for the desk that they belong to.
"""

from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QStackedWidget

from app.desk.console.calls import call_history, kept_drafts
from app.desk.console.calls.answer_values import Answers, is_value, offers
from app.desk.console.calls.call_history import PastCall
from app.desk.console.calls.copied_request import copied
from app.desk.console.calls.judge_call import Judgement, is_long, judge, judged
from app.desk.console.calls.named_requests import NamedRequest
from app.desk.console.calls.request_draft import JSON, XML, RequestDraft
from app.desk.console.calls.send_call import Sent
from app.desk.console.console_operations import ConsoleOperation, operations
from app.desk.console.description import description_keeping
from app.desk.console.description.description_keeping import KeptDescription
from app.desk.console.forms.exact_json import ABSENT, write_json
from app.desk.console.forms.shapes import has_form
from app.desk.console.forms.typed_value import blank
from app.desk.desk import Desk
from app.desk.sending import outbox
from app.store.store_errors import StoreError
from app.ui.base.page import Page, PageServices
from app.ui.console import console_page_words as words
from app.ui.console.answer_pane import AnswerPane, worked_out
from app.ui.console.call_list import CallList
from app.ui.console.calling import Call, Calling
from app.ui.console.kept_requests import KeptRequests
from app.ui.console.operations_tree import OperationsTree
from app.ui.console.past_calls import PastCalls
from app.ui.console.request_list import RequestList
from app.ui.console.request_pane import RequestPane
from app.ui.console.two_panes import TwoPanes
from app.ui.outbox.outbox_words import sentence_about
from app.ui.theme.tokens import CONSOLE_LIST_WIDTH, SPACE_1, SPACE_2
from app.ui.widgets.buttons import icon_button, shortcut, tab
from app.ui.widgets.choosing.suggestions import Suggestion
from app.ui.widgets.code.opening_completer import OpeningCompleter
from app.ui.widgets.layout import Splitter, column, holding, row
from app.ui.widgets.shape_form.known_offers import KnownOffers
from app.ui.widgets.text.labels import announce, plain_tooltip, text_label, visible
from app.ui.widgets.text.times import moment

_JUDGE_MS, _SAVED_AFTER_MS = 80, 600
_TAKEN, _NOT_TAKEN = 200, 300
_STALE = timedelta(days=1)  # a description that is older is asked for again
_OPENING, _CLOSING = "{{", "}}"
_LISTS = {"operations": words.OPERATIONS, "requests": words.REQUESTS, "history": words.HISTORY}
_OPEN_BODY = "{\n  \n}"
_INSIDE_OPEN_BODY = 4  # the place between the braces
# Topics of the bar.
_FAILED, _COPIED, _NOT_KEPT = "call failed", "copied", "not kept"
_SENDING = "judge what is sent"


class ConsolePage(Page):
    """`folder` is where named requests are kept."""

    def __init__(self, services: PageServices, folder: Path) -> None:
        super().__init__(services, "console")
        theme = services.theme
        self.answers = Answers()
        self.offers = KnownOffers(theme, self, self.tasks, more=self._expressions)
        self.tree = OperationsTree(theme)
        self.requests = RequestList(theme)
        self.history = CallList(theme)
        self.request = RequestPane(theme, self.tasks, self.offers)
        self._in_json = OpeningCompleter(self.request.body.editor, self.offers.shown, _OPENING, _CLOSING)
        self.answer = AnswerPane(theme, self.tasks)
        self.calling = Calling(self, theme, self.tasks)
        self.named = KeptRequests(self, folder, self.requests, self.tasks, self.bar)
        self.past = PastCalls(self, theme, self.history, self.answer, self.tasks)
        self._drafts: dict[str, RequestDraft] = {}  # what was filled in, by operation
        self._to_keep: dict[str, RequestDraft] = {}  # what of it is not in the store yet
        self._sent: dict[str, RequestDraft] = {}  # what the provider took: that is in the history
        self._typed = False  # something was typed that is not in `_drafts` yet
        self._name, self._note = "", ""  # of the named request that is shown
        self._status = words.NO_CALL_YET  # what became of the last call since the page was opened
        self._judging = QTimer(self)
        self._judging.setSingleShot(True)
        self._judging.setInterval(_JUDGE_MS)
        self._judging.timeout.connect(self._judge)
        self._save_soon = QTimer(self)
        self._save_soon.setSingleShot(True)
        self._save_soon.setInterval(_SAVED_AFTER_MS)
        self._save_soon.timeout.connect(self._begin_saving)
        self._build()
        self._connect()

    def _build(self) -> None:
        self.lists = {name: tab(title, name) for name, title in _LISTS.items()}
        self.lists["operations"].setChecked(True)
        self._list = QStackedWidget()
        for each in (self.tree, self.requests, self.history):
            self._list.addWidget(each)
        self.described = text_label("", "label", wrap=True)
        self.refresh = icon_button(self.services.theme, "refresh-cw", words.ASK_DESCRIPTION, self.ask_description)
        foot = row(self.described, self.refresh, margin=(SPACE_2, 0, SPACE_1, SPACE_1))
        foot.setStretch(0, 1)
        self._foot = holding(foot)
        tabs = row(*self.lists.values(), None, margin=(SPACE_1, 0, 0, 0))
        left = holding(column(tabs, self._list, self._foot), "surface")
        left.setMinimumWidth(CONSOLE_LIST_WIDTH)
        self.panes = TwoPanes(self.request, self.answer)
        self.splitter = Splitter(Qt.Orientation.Horizontal)
        self.splitter.setHandleWidth(1)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(left)
        self.splitter.addWidget(self.panes)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([CONSOLE_LIST_WIDTH, CONSOLE_LIST_WIDTH * 3])
        self.setLayout(column(self.splitter))
        self.bar.float_over(self, self.splitter, self._foot.height)

    def _connect(self) -> None:
        for each in self.lists.values():
            each.toggled.connect(self._on_list)
        self.tree.chosen.connect(self.show_operation)
        self.tree.entered.connect(self.fill_in)
        self.requests.chosen.connect(self._show_named)
        self.past.opened.connect(self._show_past)
        self.named.kept.connect(self._on_kept)
        self.request.changed.connect(self._on_changed)
        self._in_json.wanted.connect(self._on_expression_wanted)
        self._in_json.taken.connect(self._on_expression_taken)
        self.request.send_asked.connect(self.send)
        self.request.stop_asked.connect(self.calling.stop)
        self.request.copy_asked.connect(self.copy_as)
        self.request.keep_asked.connect(self.keep_request)
        self.request.insert_asked.connect(self.insert_value)
        self.calling.began.connect(self._on_began)
        self.calling.over.connect(self._on_over)
        self.calling.came.connect(self._on_came)
        self.calling.failed.connect(self._on_failed)
        self.calling.judged.connect(self.request.show_judgement)
        self.answer.outbox_asked.connect(self.services.news.show_write)
        self.services.news.wrote.connect(self._follow_write)
        for key, act in (
            ("Alt+1", self.focus_search),
            ("Alt+2", self.fill_in),
            ("Alt+3", self.fill_in_json),
            ("Alt+4", self.read_answer),
            ("Alt+5", partial(self._show_list, "requests")),
            ("Alt+6", partial(self._show_list, "history")),
            ("Ctrl+Shift+S", self.keep_request),
            ("Ctrl+I", self.insert_value),
        ):
            shortcut(self, key, act)

    def page_commands(self) -> list[tuple[str, str, Callable[[], object]]]:
        chosen: list[tuple[str, str, Callable[[], object]]] = [] if self.request.operation is None else [
            (words.KEEP, "Ctrl+Shift+S", self.keep_request),
            *((words.copy_as(each), "", partial(self.copy_as, each)) for each in words.COPIES),
            (words.EXAMPLE, "", self.request.fill_example),
        ]  # fmt: skip
        return [
            (words.FIND_OPERATION, "Alt+1", self.focus_search),
            *chosen,
            (words.REQUESTS, "Alt+5", partial(self._show_list, "requests")),
            (words.HISTORY, "Alt+6", partial(self._show_list, "history")),
            (words.ASK_DESCRIPTION, "", self.ask_description),
            *(
                (f"{each.method} {each.path}", "", partial(self.open_operation, each.key))
                for each in self.tree.operations
            ),
        ]

    # Desk and descriptions

    def take_desk(self, desk: Desk) -> None:
        super().take_desk(desk)
        self.calling.leave(desk)
        self.request.usual_answer = XML if desk.profile.replies == "xml" else JSON
        self.offers.take_desk(desk)
        self._say_status(words.NO_CALL_YET)
        self.answers = Answers()
        self.answer.clear()
        self.past.take_desk(desk)
        self._empty_forms()
        self.tasks.read("description", self._begin(desk))
        self.tasks.read("latest answers", self._load_answers(desk))

    def enter(self) -> None:
        if self.request.operation is None:
            self.focus_search()

    def connected(self) -> None:
        self.tasks.read("description", self._begin(self.desk))
        self._judging.start()

    def ask_description(self) -> None:
        """Ask for the description of the service anew."""
        if self._desk is not None:
            self.described.setText(words.ASKING_DESCRIPTION)
            self.tasks.read("description", self._fetch(self.desk))

    async def _begin(self, desk: Desk) -> None:
        """Offer what was typed and not sent, then the operations."""
        try:
            found = await kept_drafts.read(desk)
        except StoreError as error:
            self.bar.say("warn", words.drafts_not_read(error.sentence), topic=_NOT_KEPT)
        else:
            # What was typed since the page opened is newer than what was kept.
            self._drafts = found | self._drafts
        await self._take_description(desk)

    async def _take_description(self, desk: Desk) -> None:
        found = await description_keeping.kept(desk)
        self._show_description(found)
        stale = found.fetched_at is None or desk.now() - found.fetched_at > _STALE
        if stale and desk.provider is not None:
            await self._fetch(desk)

    async def _fetch(self, desk: Desk) -> None:
        self._show_description(await description_keeping.fetch(desk))

    def _show_description(self, found: KeptDescription) -> None:
        service = words.SERVICES["management"]
        if found.fetched_at is not None:
            said = words.described(service, moment(found.fetched_at))
        else:
            said = (
                words.not_described_because(service, found.trouble) if found.trouble else words.not_described(service)
            )
        notes = found.description.notes if found.description is not None else ()
        self.described.setText(visible(said))
        self.described.setToolTip(plain_tooltip("\n".join(part for part in (found.trouble, *notes[:20]) if part)))
        self.show_operations(operations(found.description))

    def show_operations(self, found: Sequence[ConsoleOperation]) -> None:
        """Offer these operations; the one that is shown stays, with what is filled in."""
        self.tree.show_operations(found)
        self.named.know(found)
        shown = self.request.operation
        if shown is None:
            self._show_typed_last()
            return
        now = next((each for each in found if each.key == shown.key), None)
        # A form that is being filled in is not made anew under the hands: it is the next time it is opened.
        if now is not None and now is not shown and not self._is_worked_on():
            self._show(now, self.request.draft())

    def _is_worked_on(self) -> bool:
        """Whether a form made anew would take something from a person."""
        # Of this window, not of the program: whoever looks into another window comes back to the same field.
        focus = self.window().focusWidget()
        inside = focus is not None and self.request.isAncestorOf(focus)
        # What means nothing yet is in the form only, not in the draft.
        return inside or self.calling.busy or self.request.has_unreadable

    def _show_typed_last(self) -> None:
        """Show what was typed last and not sent, unless a person looks for something; the keyboard stays."""
        if self.tree.in_use:
            return
        keys = {each.key for each in self.tree.operations}
        last = next((draft for key, draft in self._drafts.items() if key in keys), None)
        if last is not None:
            self.show_draft(last)

    async def _load_answers(self, desk: Desk) -> None:
        self.answers = await call_history.latest_answers(desk)
        self._judging.start()

    # What is shown

    def focus_search(self) -> None:
        """Put the keyboard into the search for operations."""
        self._show_list("operations")

    def fill_in(self) -> None:
        """Put the keyboard into the form."""
        self.panes.show_upper()
        self.request.focus_first()

    def fill_in_json(self) -> None:
        """Put the keyboard into the JSON."""
        self.panes.show_upper()
        self.request.focus_editor()

    def read_answer(self) -> None:
        """Put the keyboard into the answer."""
        self.panes.show_lower()
        self.answer.focus_body()

    def open_operation(self, key: str) -> None:
        """Show the operation of this key, with what was filled in last."""
        found = next((each for each in self.tree.operations if each.key == key), None)
        if found is not None:
            self.tree.choose(key)
            self.show_operation(found)
            self.fill_in()

    def show_operation(self, operation: ConsoleOperation) -> None:
        """Show an operation with what was filled in last, or what is required."""
        self._name = self._note = ""
        self._show(operation, self._drafts.get(operation.key) or blank_draft(operation))

    def show_draft(self, draft: RequestDraft) -> bool:
        """Show a request; False if its operation is not known."""
        found = next((each for each in self.tree.operations if each.key == draft.operation), None)
        if found is not None:
            self._show(found, draft)
            self.tree.choose(found.key)
        return found is not None

    def _show(self, operation: ConsoleOperation, draft: RequestDraft) -> None:
        self._keep_draft()
        former = self.request.operation
        self.request.show_operation(operation, draft)
        # The same operation again may come by itself, while a person reads the answer.
        if former is None or former.key != operation.key:
            self.panes.show_upper()
            self.answer.clear()
            self.panes.favour_upper()
        if draft.body == _OPEN_BODY:
            cursor = self.request.body.editor.textCursor()
            cursor.setPosition(_INSIDE_OPEN_BODY)
            self.request.body.editor.setTextCursor(cursor)
        self.bar.withdraw(_FAILED)
        self._judge()

    def _keep_draft(self) -> None:
        if self.request.operation is not None:
            key = self.request.operation.key
            self._drafts[key] = self.request.draft()
            if self._typed:
                self._to_keep[key] = self._drafts[key]
                self._typed = False
                self._save_soon.start()

    def _empty_forms(self) -> None:
        """Show nothing of the connection before, whose forms are kept by now (`flush`)."""
        self._save_soon.stop()
        self._judging.stop()
        self._drafts, self._to_keep, self._sent = {}, {}, {}
        self._typed = False
        self._name = self._note = ""
        self.request.show_nothing()
        self.tree.choose_nothing()

    # Keeping what is typed

    def _on_changed(self) -> None:
        if self.request.operation is None:
            return  # a change of the connection before, which comes a moment late
        self._typed = True
        self._judging.start()
        self._save_soon.start()

    def _begin_saving(self) -> None:
        if self._desk is not None:
            self.tasks.write("save", self._save(self.desk))

    async def _save(self, desk: Desk) -> None:
        """Keep what is typed; what is typed meanwhile is kept next."""
        while self.has_unsaved and desk is self._desk:
            self._keep_draft()
            key, draft = next(iter(self._to_keep.items()))
            try:
                if self._is_blank(draft) or draft == self._sent.get(key):
                    await kept_drafts.forget(desk, key)
                else:
                    await kept_drafts.keep(desk, draft)
            except StoreError as error:
                self.bar.say("bad", words.draft_not_kept(error.sentence), topic=_NOT_KEPT)
                return
            # Identity: a draft that was typed on while the file was written is another object, and still to be kept.
            if self._to_keep.get(key) is draft:
                del self._to_keep[key]
            self.bar.withdraw(_NOT_KEPT)

    def _is_blank(self, draft: RequestDraft) -> bool:
        operation = next((each for each in self.tree.operations if each.key == draft.operation), None)
        return operation is not None and draft == blank_draft(operation)

    @property
    def has_unsaved(self) -> bool:
        return self._typed or bool(self._to_keep)

    async def flush(self) -> str:
        self._save_soon.stop()
        await self.tasks.ended("save")
        if self.has_unsaved and self._desk is not None:
            await self._save(self.desk)
        return self.bar.text_of(_NOT_KEPT) if self.has_unsaved else ""

    def unsaved_text(self) -> str:
        """The body in the form."""
        return self.request.draft().body if self.has_unsaved and self.request.operation is not None else ""

    def _show_named(self, request: NamedRequest) -> None:
        if request.draft is not None and self.show_draft(request.draft):
            self._name, self._note = request.name, request.note
            self.fill_in()

    def _show_past(self, call: PastCall) -> None:
        self.show_draft(call.draft)
        self._share_room()
        self.panes.show_lower()
        self._name = self._note = ""

    def _share_room(self) -> None:
        operation = self.request.operation
        self.panes.share(small=operation is not None and operation.body is None)

    def _show_list(self, name: str) -> None:
        self.lists[name].setChecked(True)
        search = {"operations": self.tree.search, "requests": self.requests.search, "history": self.history.search}
        search[name].setFocus()
        search[name].selectAll()

    def _on_list(self, on: bool) -> None:
        if on:
            chosen = next(name for name, each in self.lists.items() if each.isChecked())
            lists = {"operations": self.tree, "requests": self.requests, "history": self.history}
            self._list.setCurrentWidget(lists[chosen])

    # Judging and calling

    def _judge(self) -> None:
        operation = self.request.operation
        if operation is None or self._desk is None:
            return
        draft = self.request.draft()
        if is_long(draft):
            self.tasks.read("judge", self._judge_long(operation, draft))
        else:
            self.request.show_judgement(judge(self.desk, operation, draft, self.answers))

    async def _judge_long(self, operation: ConsoleOperation, draft: RequestDraft) -> None:
        said = await judged(self.desk, operation, draft, self.answers)
        if self.request.operation is operation and not self._judging.isActive():
            self.request.show_judgement(said)

    def send(self) -> None:
        """Do what the button says, unless something forbids it."""
        operation = self.request.operation
        if operation is None or self._desk is None or self.calling.busy:
            return
        draft = self.request.draft()
        call = Call(self.desk, operation, draft, self.answers, self._name)
        if is_long(draft):
            self.tasks.read(_SENDING, self._send_long(call))
        else:
            self._send(call, judge(self.desk, operation, draft, self.answers))

    async def _send_long(self, call: Call) -> None:
        said = await judged(call.desk, call.operation, call.draft, call.answers)
        # What was asked for is sent, whatever was typed meanwhile; another operation in sight is another request.
        if self._desk is call.desk and self.request.operation is call.operation and not self.calling.busy:
            self._send(call, said)

    def _send(self, call: Call, said: Judgement) -> None:
        self.request.show_judgement(said)
        if said.stops or self.request.has_unreadable:
            self.panes.show_upper()
            self.request.go_to_wrong()
            announce(self, self.request.verdict.text())
            return
        self.bar.withdraw(_FAILED)
        self.calling.begin(call, said)

    def status_text(self) -> str:
        """The last call and how it ended, or that it is being made."""
        return self._status

    def _say_status(self, status: str) -> None:
        self._status = status
        self.tell_status()

    def _on_began(self, call: Call) -> None:
        self._say_status(words.status(call.operation.method, call.operation.path, words.ASKING))
        self.request.show_busy(True, words.ASKING)
        self.answer.show_waiting()
        self._share_room()
        self.panes.show_lower()

    def _on_over(self) -> None:
        self.request.show_busy(False)
        self._judging.start()
        self.past.reload()

    def _on_failed(self, sentence: str) -> None:
        self._say_status(sentence)
        self.answer.show_sentence("circle-alert", sentence)
        announce(self, sentence)

    def _on_came(self, call: Call, sent: Sent) -> None:
        # The answer is of the connection before; its history has it.
        if call.desk is not self._desk:
            return
        if sent.write_id is not None or (sent.answer is not None and _TAKEN <= sent.answer.status < _NOT_TAKEN):
            # The history has it: it is no draft any more, unless something was typed meanwhile.
            self._take_as_sent(call.draft)
        if sent.answer is not None or sent.write_id is not None:
            said = words.HANDED_OVER if sent.answer is None else words.answered(sent.answer.status)
            self._say_status(words.status(call.operation.method, call.operation.path, said))
        if sent.trouble:
            self.bar.say("warn", sent.trouble, topic=_FAILED)
        if sent.write_id is not None:
            self.answer.show_write(sent.write_id, "")
            self.services.news.queue_changed.emit()
        elif sent.answer is not None:
            self.tasks.read("show answer", self._show_answer(call, sent))

    def _take_as_sent(self, draft: RequestDraft) -> None:
        key, shown = draft.operation, self.request.operation
        self._sent[key] = draft
        if shown is not None and shown.key == key:
            self._typed = True
        elif key in self._drafts:
            self._to_keep[key] = self._drafts[key]
        self._save_soon.start()

    async def _show_answer(self, call: Call, sent: Sent) -> None:
        assert sent.answer is not None
        shown = await worked_out(sent.answer)
        if self.request.operation is None or self.request.operation.key != call.operation.key:
            return  # another operation is looked at by now; the history has the answer
        self.answer.show_answer(shown, call.operation.name)
        announce(self, f"{self.answer.status.text()} {self.answer.sentence.text()}")
        if sent.call:
            await self.past.offer_earlier(call.desk, sent.call)

    def _follow_write(self) -> None:
        if self.answer.write_id is not None and self._desk is not None:
            self.tasks.read("followed write", self._say_write(self.desk, self.answer.write_id))

    async def _say_write(self, desk: Desk, write_id: int) -> None:
        try:
            found = (await outbox.writes_by_id(desk, (write_id,))).get(write_id)
        except StoreError:
            return  # the outbox reports trouble with the journal; the next change reads this again
        if found is not None and self.answer.write_id == write_id:
            self.answer.show_write(write_id, sentence_about(found, desk.now(), blocked=bool(desk.blocked)).sentence)

    # The rest of the menu

    def copy_as(self, form: str) -> None:
        """Copy the call for another tool, without the token."""
        operation = self.request.operation
        if operation is None or self._desk is None:
            return
        text = copied(self.desk, operation, self.request.draft(), self.answers, form)  # type: ignore[arg-type]
        QGuiApplication.clipboard().setText(text)
        self.bar.say("good", words.copied_as(words.COPIES[form]), topic=_COPIED)

    def keep_request(self) -> None:
        """Ask for a name, and keep the request as a file."""
        if self.request.operation is not None:
            self.named.ask_to_keep(self.request.operation, self.request.draft(), self._name, self._note)

    def _on_kept(self, request: NamedRequest) -> None:
        self._name, self._note = request.name, request.note

    def insert_value(self) -> None:
        """Offer the values of earlier answers, to be inserted in the JSON."""
        if self.request.operation is None or self.request.operation.body is None:
            return
        menu = QMenu(self)
        found = [each for name in ("last.body.", "last.") for each in offers(name, self.answers)]
        for each in found or offers("", self.answers):
            menu.addAction(visible(f"{_OPENING}{each}}}}}"), partial(self.request.body.insert, f"{_OPENING}{each}}}}}"))
        if not menu.actions():
            menu.addAction(words.NO_ANSWER_YET).setEnabled(False)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.request.body.editor.mapToGlobal(QPoint(0, 0)))

    def _expressions(self, text: str) -> list[Suggestion]:
        """The suggestions for a `{{` that is not closed yet."""
        before, opening, typed = text.rpartition(_OPENING)
        if not opening or "}" in typed:
            return []
        return [Suggestion(each, "", f"{before}{_OPENING}{self._closed(each)}") for each in offers(typed, self.answers)]

    def _closed(self, offered: str) -> str:
        return f"{offered}{_CLOSING}" if is_value(offered, self.answers) else offered

    def _on_expression_wanted(self, text: str) -> None:
        """Something was typed into the JSON behind `{{`."""
        found = offers(text.removeprefix(_OPENING), self.answers) if text else []
        self._in_json.offer(text, [Suggestion(each, "", each) for each in found])

    def _on_expression_taken(self, taken: object, _by_tab: bool) -> None:
        self._in_json.complete(str(taken), whole=is_value(str(taken), self.answers))


def blank_draft(operation: ConsoleOperation) -> RequestDraft:
    """A request with nothing but what its body requires."""
    if operation.body is None:
        return RequestDraft(operation.key)
    made = blank(operation.body.shape) if has_form(operation.body.shape) else ABSENT
    text = _OPEN_BODY if made is ABSENT else write_json(made)
    return RequestDraft(operation.key, (), text, operation.body.formats[0] if operation.body.formats else "")

"""A page that sends records of one kind: quotes, or trucks.

At the left the templates and what was sent; at the right the form, or one sent request in its place. What is typed is
kept within a second. Invariants: a request is sent once for one press, after a yes where the same was sent before; what
became of it is read from the journal.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QStackedWidget, QWidget

from app.api.errors import ApiError
from app.desk.console.forms.check_value import Mistake, check
from app.desk.console.forms.exact_json import ABSENT, Absent, JsonTrouble, Value, read_json, write_json
from app.desk.console.forms.typed_value import blank
from app.desk.desk import Desk
from app.desk.requests import request_drafts, request_shape, send_request
from app.desk.requests.answer_reading import in_short
from app.desk.requests.request_drafts import TemplateRefused
from app.desk.requests.request_shape import OPEN_RECORD, RequestShape
from app.desk.requests.send_request import Request
from app.store.journal.request_store import RequestRow
from app.store.store_errors import StoreError
from app.ui.base.page import Page, PageServices
from app.ui.quotes import quotes_words as words
from app.ui.quotes.quotes_words import KindWords
from app.ui.quotes.request_story import RequestStory
from app.ui.slots.slots_words import REQUEST_LOOK
from app.ui.theme.tokens import LOADS_WIDTH, SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.buttons import button, shortcut, with_icon
from app.ui.widgets.confirm import confirmed
from app.ui.widgets.connection_colour import colour_mark
from app.ui.widgets.layout import column, holding, row, scrolling
from app.ui.widgets.lists.accessible_choice import AccessibleChoice
from app.ui.widgets.lists.list_rows import set_list_rows
from app.ui.widgets.name_dialog import NameDialog
from app.ui.widgets.shape_form.known_offers import KnownOffers
from app.ui.widgets.shape_form.shape_form import ShapeForm
from app.ui.widgets.text.labels import plain_tooltip, text_label, visible
from app.ui.widgets.text.times import moment, since

_SAVED_AFTER_MS = 600
_LISTED = 200
_SENT, _SEND, _DESCRIBED = "sent", "send", "described"  # tasks and topics of the bar


@dataclass(frozen=True, slots=True)
class RequestKind:
    """What a page sends: the contract's operation, its name in the rail, and its words."""

    name: str
    operation: str
    words: KindWords


QUOTES = RequestKind("quotes", "quote_submit", words.QUOTE)
TRUCKS = RequestKind("trucks", "truck_submit", words.TRUCK)


class RequestPage(Page):
    """`form` is the generated form, `story` one request that was sent."""

    def __init__(self, services: PageServices, kind: RequestKind) -> None:
        super().__init__(services, kind.name)
        self.kind = kind
        self.shape = RequestShape(OPEN_RECORD, described=False)
        self._sent: Sequence[RequestRow] = ()
        self._templates: Mapping[str, str] = {}
        self._loaded = self._unsaved = self._enters_form = False
        self._listed = False  # what was sent is known
        self.offers = KnownOffers(services.theme, self, self.tasks)
        self.form = ShapeForm(services.theme, self.offers, name=kind.words.form)
        self.story = RequestStory()
        self.new_button = with_icon(button(kind.words.new, self.begin_new, key="Alt+N"), services.theme, "plus")
        self.templates, self.sent = _list(words.TEMPLATES), _list(kind.words.sent_before)
        self.no_templates = text_label(words.NO_TEMPLATES, "soft", wrap=True)
        self.none_sent = text_label(kind.words.none_sent, "soft", wrap=True)
        self.heading = text_label(kind.words.heading, "title")
        self.note = text_label("", "soft", wrap=True)
        self.send_button = button(kind.words.send, self.send, kind="primary", key="Ctrl+Return")
        self.template_button = button(words.KEEP_TEMPLATE, self.name_template, key="Ctrl+Shift+S")
        self.delete_button = button(words.DELETE_TEMPLATE, self._delete_template)
        self._save_soon = QTimer(self)
        self._save_soon.setSingleShot(True)
        self._save_soon.setInterval(_SAVED_AFTER_MS)
        self._lay_out()
        self._connect()
        self.form.show_shape(OPEN_RECORD, {})

    def _lay_out(self) -> None:
        left = column(
            self.new_button, SPACE_2, text_label(words.TEMPLATES, "label"), self.templates, self.no_templates,
            row(self.delete_button, None), SPACE_2, text_label(self.kind.words.sent_before, "label"), self.sent,
            self.none_sent, None, gap=SPACE_1,
        )  # fmt: skip
        left.setStretch(3, 1)
        left.setStretch(8, 2)
        side = holding(left)
        side.setFixedWidth(LOADS_WIDTH)
        self.scroll_area = scrolling(holding(column(self.form, margin=SPACE_2), "surfaceInner"), "surface")
        editing = column(
            self.heading, self.note, self.scroll_area, row(self.send_button, self.template_button, None, gap=SPACE_1),
            gap=SPACE_2,
        )  # fmt: skip
        editing.setStretch(2, 1)
        self.stack = QStackedWidget()
        self.stack.addWidget(holding(editing))
        self.stack.addWidget(self.story)
        whole = row(side, self.stack, margin=SPACE_3, gap=SPACE_3)
        whole.setStretch(1, 1)
        body = holding(whole)
        self.setLayout(column(body))
        self.bar.float_over(self, self.stack, self._foot_height)

    def _foot_height(self) -> int:
        """How high the buttons below the form are, which no message covers."""
        return self.send_button.sizeHint().height() + SPACE_2 if self.stack.currentIndex() == 0 else 0

    def _connect(self) -> None:
        self.form.changed.connect(self._on_changed)
        self.form.went.connect(self._bring_in_sight)
        self._save_soon.timeout.connect(self._begin_saving)
        for each, act in ((self.templates, self._use_template), (self.sent, self._show_sent)):
            each.itemActivated.connect(act)
            each.itemClicked.connect(act)
            AccessibleChoice(each, partial(_chosen, each, act))
        self.templates.currentItemChanged.connect(self._on_template)
        self.story.again.connect(self._again)
        self.story.back.connect(self._show_form)
        self.story.decided.connect(self._decide)
        self.services.news.wrote.connect(self._on_news)
        shortcut(self, "Ctrl+F", self.sent.setFocus)
        self._on_template()

    def _bring_in_sight(self, widget: QWidget) -> None:
        self.scroll_area.ensureWidgetVisible(widget)

    def take_desk(self, desk: Desk) -> None:
        super().take_desk(desk)
        self.offers.take_desk(desk)
        self._save_soon.stop()
        self._loaded = self._unsaved = False
        self._sent, self._templates = (), {}
        self._listed = False
        self.tell_status()
        self._show_form()
        self.tasks.read("begin", self._begin(desk))

    async def _begin(self, desk: Desk) -> None:
        """Show what was typed last, in the form as it was last described."""
        self.shape = await request_shape.kept_shape(desk, self.kind.operation)
        self._put(await request_drafts.read_draft(desk, self.kind.operation))
        self._loaded = True
        self._list_all()
        self._describe()

    def connected(self) -> None:
        self._describe()

    def enter(self) -> None:
        self._list_all()
        if self.stack.currentWidget() is self.story:
            self.story.again_button.setFocus()
        else:
            self._enters_form = True  # the fields may still be exchanged for those that the provider describes
            self.form.go_to()

    def page_commands(self) -> list[tuple[str, str, Callable[[], object]]]:
        own = [
            (self.kind.words.new, "Alt+N", self.begin_new),
            (self.kind.words.send, "Ctrl+Return", self.send),
            (words.KEEP_TEMPLATE, "Ctrl+Shift+S", self.name_template),
        ]
        return [*own, *((name, "", partial(self.use_template, name)) for name in self._templates)]

    # The shape

    def _describe(self) -> None:
        if self._loaded and self._desk is not None and self._desk.provider is not None:
            self.tasks.read(_DESCRIBED, self._fetch_shape(self.desk))

    async def _fetch_shape(self, desk: Desk) -> None:
        found = await request_shape.fetched_shape(desk, self.kind.operation)
        self._say_shape(found)
        # Fields are not exchanged under a person's hands: the new description counts for the next new form.
        if self._value() in (ABSENT, {}) or not self.shape.described:
            value = self._value()
            self.shape = found
            self._show_value(value)
        self._say_shape(self.shape)

    def _show_value(self, value: Value | Absent) -> None:
        """Show a value in new fields. The keyboard is in the first of them where it was in the form, or is to be."""
        focus = self.focusWidget()
        inside = self._enters_form or (focus is not None and self.form.isAncestorOf(focus))
        self.form.show_shape(self.shape.shape, value)
        if inside and self.isVisible() and self.stack.currentIndex() == 0:
            self.form.go_to()

    def _say_shape(self, found: RequestShape) -> None:
        self.note.setText("" if found.described else words.NOT_DESCRIBED)
        self.note.setVisible(not found.described)
        if found.trouble and found.described and found.at is not None:
            sentence = words.described_as_of(since(found.at, self.services.now()), found.trouble)
            self.bar.say("warn", sentence, topic=_DESCRIBED)
        else:
            self.bar.withdraw(_DESCRIBED)

    # What is typed

    def _value(self) -> Value | Absent:
        return self.form.value()

    def _text(self) -> str:
        value = self._value()
        return "" if value is ABSENT or value == {} else write_json(value)

    def _put(self, text: str) -> None:
        try:
            value = read_json(text) if text else blank(self.shape.shape)
        except JsonTrouble:
            value = blank(self.shape.shape)
        self._show_value(value)
        self._say_shape(self.shape)

    def _on_changed(self) -> None:
        self._enters_form = False
        self._unsaved = True
        self._save_soon.start()
        self.form.show_issues(self._mistakes())

    def _mistakes(self) -> tuple[Mistake, ...]:
        value = self._value()
        return check(self.shape.shape, value) if self.shape.described else ()

    def _begin_saving(self) -> None:
        if self._desk is not None:
            self.tasks.write("save", self._save(self.desk))

    async def _save(self, desk: Desk) -> None:
        """Keep what is typed; what is typed meanwhile is kept next."""
        while self._unsaved and desk is self._desk:
            self._unsaved = False
            try:
                await request_drafts.keep_draft(desk, self.kind.operation, self._text())
            except StoreError as error:
                self._unsaved = True
                self.bar.say("bad", words.draft_not_kept(error.sentence), topic="draft")
                return
            self.bar.withdraw("draft")

    @property
    def has_unsaved(self) -> bool:
        return self._unsaved

    async def flush(self) -> str:
        self._save_soon.stop()
        await self.tasks.ended("save")
        if self._unsaved and self._desk is not None:
            await self._save(self.desk)
        return self.bar.text_of("draft") if self._unsaved else ""

    def unsaved_text(self) -> str:
        """The form as text."""
        return self._text() if self._unsaved else ""

    def begin_new(self) -> None:
        """Show an empty form."""
        self._start(ABSENT)

    def _start(self, value: Value | Absent) -> None:
        """Begin a new request with a value; what stood in the form can be brought back."""
        before = self._text()
        self.form.show_shape(self.shape.shape, blank(self.shape.shape) if value is ABSENT else value)
        self._on_changed()
        self._show_form()
        if before and before != self._text():
            self.bar.say(
                "", self.kind.words.heading, words.UNDO, partial(self._bring_back, before), topic="new", undoes=True
            )
        self.form.go_to()

    def _bring_back(self, text: str) -> None:
        self._put(text)
        self._on_changed()

    def _show_form(self) -> None:
        self.stack.setCurrentIndex(0)

    # Templates and what was sent

    def status_text(self) -> str:
        """How many requests are listed, and how many of them are in doubt."""
        if not self._listed:
            return ""
        doubts = sum(each.state == "in_doubt" for each in self._sent)
        return words.status(self.kind.words.heading, len(self._sent), doubts, more=len(self._sent) == _LISTED)

    def _list_all(self) -> None:
        if self._desk is not None:
            self.tasks.read("lists", self._read_lists(self.desk))

    async def _read_lists(self, desk: Desk) -> None:
        self._templates = await request_drafts.read_templates(desk, self.kind.operation)
        self._sent = await send_request.sent(desk, (self.kind.operation,), _LISTED)
        _fill(self.templates, [(name, name) for name in self._templates], self.no_templates)
        self._listed = True
        self.tell_status()
        stood = [words.standing(each) for each in self._sent]
        lines = [(line, words.with_moment(line, each)) for line, each in zip(stood, self._sent, strict=True)]
        _fill(self.sent, lines, self.none_sent)
        self._on_template()
        shown = self.story.request
        for each in self._sent:
            if shown is not None and each.id == shown.id and self.stack.currentWidget() is self.story:
                self.story.show_request(each)

    def _on_news(self) -> None:
        if self.isVisible():
            self._list_all()

    def _on_template(self) -> None:
        self.delete_button.setVisible(self.templates.currentRow() >= 0)

    def _use_template(self) -> None:
        name = list(self._templates)[self.templates.currentRow()] if self.templates.currentRow() >= 0 else ""
        if name:
            self.use_template(name)

    def begin_with(self, name: str) -> None:
        """Begin a new request from a template, also while the page is still being filled for the first time."""
        self.tasks.read("begin with", self._begin_with(self.desk, name))

    async def _begin_with(self, desk: Desk, name: str) -> None:
        if not self._loaded:
            self.tasks.cancel("begin")  # it would put the draft of before over the template
            await self._begin(desk)
        self._templates = await request_drafts.read_templates(desk, self.kind.operation)
        if name in self._templates:
            self.use_template(name)

    def use_template(self, name: str) -> None:
        """Begin a new request from a template."""
        try:
            self._start(read_json(self._templates[name]))
        except JsonTrouble as trouble:
            self.bar.say("bad", trouble.sentence)

    def name_template(self) -> None:
        """Ask for the name of a template with what stands in the form."""
        if not self._text():
            self.bar.say("", words.EMPTY)
            return
        row_ = self.templates.currentRow()
        name = list(self._templates)[row_] if row_ >= 0 else ""
        dialog = NameDialog(self, words.NAME_TEMPLATE, words.TEMPLATE_NAME, name, request_drafts.template_name_trouble)
        dialog.named.connect(self._keep_template)
        dialog.open()
        dialog.field.setFocus()

    def _keep_template(self, name: str) -> None:
        self.tasks.write("template", self._kept(self.desk, name, self._text()))

    async def _kept(self, desk: Desk, name: str, body: str) -> None:
        try:
            await request_drafts.keep_template(desk, self.kind.operation, name, body)
        except TemplateRefused as error:
            self.bar.say("warn", words.template_not_kept(str(error)), topic="template")
        except StoreError as error:
            self.bar.say("bad", words.template_not_kept(error.sentence), topic="template")
        else:
            self.bar.say("good", words.template_kept(name), topic="template")
            self._list_all()

    def _delete_template(self) -> None:
        at = self.templates.currentRow()
        if at >= 0:
            self.tasks.write("template", self._deleted(self.desk, list(self._templates)[at]))

    async def _deleted(self, desk: Desk, name: str) -> None:
        body = await request_drafts.delete_template(desk, self.kind.operation, name)
        bring_back = partial(self._restore_template, desk, name, body)
        self.bar.say("", words.template_deleted(name), words.UNDO, bring_back, topic="template", undoes=True)
        self._list_all()

    def _restore_template(self, desk: Desk, name: str, body: str) -> None:
        self.tasks.write("template", self._kept(desk, name, body))

    def _show_sent(self) -> None:
        at = self.sent.currentRow()
        if 0 <= at < len(self._sent):
            self.show_request(self._sent[at])

    def show_request(self, request: RequestRow) -> None:
        """Show a request that was sent, in place of the form."""
        self.story.show_request(request)
        self.stack.setCurrentWidget(self.story)

    def _again(self) -> None:
        request = self.story.request
        if request is None or request.damaged:
            return
        try:
            self._start(read_json(request.payload))
        except JsonTrouble as trouble:
            self.bar.say("bad", trouble.sentence)

    def _decide(self, arrived: bool) -> None:
        request = self.story.request
        if request is not None:
            self.tasks.write("decide", self._decided(self.desk, request, arrived))

    async def _decided(self, desk: Desk, request: RequestRow, arrived: bool) -> None:
        await send_request.decide(desk, request, arrived=arrived)
        self.services.news.wrote.emit()
        self._list_all()

    # Sending

    def send(self) -> None:
        """Send what stands in the form, unless something is wrong with it."""
        if self.stack.currentWidget() is self.story:
            return
        if not self._text():
            self.bar.say("", words.EMPTY, topic=_SEND)
            return
        typed, found = self.form.mistakes(), self._mistakes()
        if typed or found:
            self.form.show_issues(found)
            self.form.show_issues_now()
            self.form.go_to((*typed, *found)[0].path)
        if typed:
            self.bar.say("warn", typed[0].sentence, topic=_SEND)
        elif found:
            self.bar.say("warn", words.mistakes(len(found)), words.SEND_ANYWAY, self._send_now, topic=_SEND)
        else:
            self._send_now()

    def _send_now(self) -> None:
        # Exactly the bytes that stand in the form now: what is typed while a question is open is not sent.
        payload = write_json(self._value() if self._value() is not ABSENT else {}, indent=None).encode()  # type: ignore[arg-type]
        self.tasks.write(_SEND, self._send(self.desk, payload))

    async def _send(self, desk: Desk, payload: bytes) -> None:
        if not await self._agreed(desk, payload):
            return
        self.bar.say("soft", words.SENDING, topic=_SEND)
        # A second press would send the request a second time.
        self.send_button.setEnabled(False)
        try:
            request = Request(self.kind.operation, payload, title=in_short(payload))
            sent = await send_request.send(desk, request)
        except (ApiError, StoreError) as error:
            self.bar.say("bad", error.sentence, topic=_SEND, stays=True)
            return
        finally:
            self.send_button.setEnabled(True)
        self.services.news.wrote.emit()
        self._show_outcome(desk, sent, payload)

    def _show_outcome(self, desk: Desk, sent: RequestRow, payload: bytes) -> None:
        if desk is not self._desk:
            return
        tone = REQUEST_LOOK[sent.state][1]
        doubt = f" {words.IN_DOUBT_MEANS}" if sent.state == "in_doubt" else ""
        self.bar.say(tone or "soft", f"{sent.sentence}{doubt}", topic=_SEND, stays=sent.state != "accepted")
        unchanged = write_json(self._value() if self._value() is not ABSENT else {}, indent=None).encode() == payload  # type: ignore[arg-type]
        if sent.state in ("accepted", "in_doubt") and unchanged:
            self._put("")  # what is in the journal is no draft any more
            self._on_changed()
            self.show_request(sent)
        self._list_all()

    async def _agreed(self, desk: Desk, payload: bytes) -> bool:
        """Ask where the very same was sent before, and before anything goes to a production connection: once."""
        before = next(
            (each for each in await send_request.sent(desk, (self.kind.operation,), _LISTED)
             if each.payload == payload and each.state in ("accepted", "in_doubt", "sending")), None,
        )  # fmt: skip
        real = desk.profile.kind == "production"
        if before is None and not real:
            return True
        told = [words.real_consequence(in_short(payload))] if real else []
        if before is not None:
            told.append(words.same_consequence(moment(before.began_at), REQUEST_LOOK[before.state][2]))
        question = self.kind.words.real_question.format(connection=desk.profile.name)
        question = self.kind.words.same_question if before is not None else question
        mark = colour_mark(self.services.theme, desk.profile.kind, desk.profile.colour) if real else None
        return await confirmed(self, question, " ".join(told), words.SEND_IT, words.GO_BACK, mark=mark)


def _list(name: str) -> QListWidget:
    made = QListWidget()
    made.setAccessibleName(name)
    made.setFrameShape(QFrame.Shape.NoFrame)
    made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # the tooltip has the whole line
    set_list_rows(made)
    return made


def _fill(shown: QListWidget, lines: Sequence[tuple[str, str]], nothing: QWidget) -> None:
    at = shown.currentRow()
    shown.clear()
    for text, tip in lines:
        item = QListWidgetItem(visible(text))
        item.setToolTip(plain_tooltip(tip))
        shown.addItem(item)
    if 0 <= at < len(lines):
        shown.setCurrentRow(at)
    shown.setVisible(bool(lines))
    nothing.setVisible(not lines)


def _chosen(_shown: QListWidget, act: Callable[[], object], _index: object) -> None:
    act()

"""The story of one write beside a page's table, read from the journal, and what a person can do with that write."""

import json
from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QObject, QSize, Signal, SignalInstance
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QPushButton, QSizePolicy

from app.desk.bulk.outcome import import_batch
from app.desk.filter.filter_language import EVERYWHERE, write_clause
from app.desk.sending import order_status, outbox
from app.store.cache.schema.conditions import Clause
from app.store.journal.records import AttemptRow, WriteRow, WriteState, WriteStory
from app.store.store_errors import StoreError
from app.translation import translate
from app.ui.base.page import Page
from app.ui.outbox import outbox_words as words
from app.ui.printing.open_panel import print_write
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import DETAIL_MIN_WIDTH, SPACE_1, SPACE_2, SPACE_3, SPACE_4
from app.ui.widgets.bars.message_bar import MessageBar
from app.ui.widgets.buttons import button, icon_button, set_kind, with_icon
from app.ui.widgets.confirm import confirmed
from app.ui.widgets.layout import SideBySide, Stack, column, holding, row, rule, scrolling
from app.ui.widgets.text.labels import Tone, set_tone, text_label, visible
from app.ui.widgets.text.times import day

_LEAST_LINES = 5  # of what happened


class _LineOfTime(QPlainTextEdit):
    """What happened to a write: it takes the room that the head above it leaves, a few lines at least."""

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), _LEAST_LINES * self.fontMetrics().lineSpacing())


class StoryPane(QFrame):
    """Shows one write. Each button is visible only where its action makes sense, and emits the write as it is shown.

    In a low window, or with large text, all of it scrolls: nothing is squeezed below its height.
    """

    look_up = Signal(object)
    send = Signal(object)
    correct = Signal(object)
    enter_again = Signal(object)
    clone = Signal(object)
    withdraw = Signal(object)
    arrived = Signal(object)
    print_asked = Signal(object)
    close_asked = Signal(object)
    order_asked = Signal(object)
    list_asked = Signal(object)
    send_alike = Signal(object)
    withdraw_alike = Signal(object)
    left = Signal()  # the button with the keyboard went, as its action makes no sense any more

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("detail")
        self.setAccessibleName(words.STORY_NAME)
        self._row: WriteRow | None = None
        self.title = text_label("", "title", wrap=True, selectable=True)
        self.state_label = text_label("", "strong")
        self.note_label = text_label("", wrap=True, selectable=True)
        self.text = _LineOfTime()
        self.text.setReadOnly(True)
        self.text.setAccessibleName(words.STORY_TEXT_NAME)
        self.text.setTabChangesFocus(True)
        self._story: WriteStory | None = None
        self.summary_label = text_label("", "soft", wrap=True, selectable=True)
        self.order_button = button(words.SHOW_ORDER, self._emitting(self.order_asked), kind="link")
        self.content_button = button(words.EXACT_CONTENT, self._show_text, kind="quiet", tip=words.EXACT_CONTENT_TIP)
        self.content_button.setCheckable(True)
        self._actions = Stack()
        self._actions.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)  # room is for the text
        self._build(theme)

    def _build(self, theme: Theme) -> None:
        self.look_up_button = with_icon(
            button(translate("Look it up"), self._emitting(self.look_up), key="Ctrl+L"), theme, "search"
        )
        self.send_button = with_icon(
            button(translate("Send now"), self._emitting(self.send), key="Ctrl+Return"), theme, "send"
        )
        self.correct_button = with_icon(
            button(translate("Correct and send again"), self._emitting(self.correct), key="Ctrl+E"), theme, "square-pen"
        )
        self.again_button = with_icon(button(translate("Enter again"), self._emitting(self.enter_again)), theme, "copy")
        self.clone_button = with_icon(
            button(translate("Clone"), self._emitting(self.clone), key="Ctrl+D"), theme, "copy-plus"
        )
        self.arrived_button = with_icon(button(translate("It arrived"), self._emitting(self.arrived)), theme, "check")
        self.withdraw_button = with_icon(
            button(translate("Withdraw"), self._emitting(self.withdraw), kind="danger"), theme, "rotate-ccw"
        )
        self.print_button = with_icon(
            button(translate("Print…"), self._emitting(self.print_asked), key="Ctrl+P"), theme, "printer"
        )
        close = icon_button(theme, "x", translate("Close"), self._emitting(self.close_asked))
        self.find_button = button(translate("Show it in the list"), self._emitting(self.list_asked))
        self.send_alike_button = button("", self._emitting(self.send_alike))
        self.withdraw_alike_button = button("", self._emitting(self.withdraw_alike), kind="danger")
        small = (self.again_button, self.clone_button, self.print_button)
        first = (self.look_up_button, self.send_button, self.arrived_button, self.correct_button)
        # Two faces: no button for a write without a row in the table, where a person could not see what became of it.
        lines = (
            row(*first, None, gap=SPACE_1),
            row(*small, None, self.withdraw_button, gap=SPACE_1),
            SideBySide(
                self.send_alike_button,
                holding(row(None, self.withdraw_alike_button)),
                growing=1,
                gap=SPACE_1,
            ),
        )
        self._actions.addWidget(holding(column(*lines, gap=SPACE_2)))
        gone = text_label(words.STORY_UNLISTED, "soft", wrap=True)
        self._actions.addWidget(holding(column(gone, row(self.find_button, None), gap=SPACE_2)))
        first_line = row(self.title, close)
        first_line.setStretch(0, 1)
        head = column(
            first_line,
            self.state_label,
            self.note_label,
            self.summary_label,
            self._actions,
            margin=(SPACE_4, SPACE_3, SPACE_3, SPACE_2),
            gap=SPACE_2,
        )
        self.bar = MessageBar(theme)
        title = text_label(words.LINE_OF_TIME, "heading")
        folding = holding(row(None, self.order_button, self.content_button, gap=SPACE_3))
        folds = SideBySide(title, folding, growing=0, gap=SPACE_3)
        body = column(folds, self.text, margin=(SPACE_4, SPACE_2, SPACE_4, SPACE_3), gap=SPACE_1)
        body.setStretch(1, 1)
        whole = column(holding(head), rule(), body)
        whole.setStretch(2, 1)
        self._inner = holding(whole, "surfaceInner")
        self._scroll = scrolling(self._inner, "surface")
        self.setLayout(column(self._scroll))
        self.bar.float_over(self, self._scroll)

    def minimumSizeHint(self) -> QSize:
        """Wide enough for the buttons of the write, in whatever font, also while all of it scrolls."""
        bar = self._scroll.verticalScrollBar().sizeHint().width()
        needed = 0 if self._row is None else self._inner.minimumSizeHint().width() + bar
        return QSize(max(DETAIL_MIN_WIDTH, needed), super().minimumSizeHint().height())

    def _emitting(self, signal: SignalInstance) -> Callable[[], None]:
        def emit() -> None:
            if self._row is not None:
                signal.emit(self._row)

        return emit

    @property
    def shown_id(self) -> int | None:
        """The write that is shown."""
        return None if self._row is None else self._row.id

    def show_story(
        self, story: WriteStory, *, blocked: bool = False, paused_until: datetime | None = None, pause_reason: str = ""
    ) -> None:
        """Show a write; `blocked`, `paused_until` and `pause_reason` as for `look_of`."""
        each = story.row
        if self._row is None or (self._row.id, self._row.state) != (each.id, each.state):
            self.bar.clear()  # what was said is of another write, or of the time before
        self._row = each
        pressed = self._button_with_keyboard()
        glyph, tone, word, meaning = words.look_of(
            each, blocked=blocked, paused_until=paused_until, pause_reason=pause_reason
        )
        self.title.setText(visible(each.reference))
        self.state_label.setText(words.story_heading(each.kind, word, glyph))
        set_tone(self.state_label, tone)
        self.note_label.setText(visible(" ".join(part for part in (each.note, meaning) if part)))
        queued = each.state == "queued"
        self.send_button.setVisible((queued or each.state == "in_doubt") and not each.damaged)
        _name(self.send_button, words.send_word(each))
        self.arrived_button.setVisible(each.state == "in_doubt")
        self.withdraw_button.setVisible(each.state in words.WITHDRAW_WORDS)
        _name(
            self.withdraw_button,
            words.WITHDRAW_WORDS["in_doubt"] if each.damaged else words.WITHDRAW_WORDS.get(each.state, ""),
        )
        # Only what may leave something undone is red: putting a refused order away deletes nothing.
        set_kind(self.withdraw_button, "normal" if each.state == "rejected" else "danger")
        self.again_button.setVisible(each.kind == "submit" and each.state in ("accepted", "confirmed", "withdrawn"))
        self.print_button.setVisible(each.kind == "submit")
        self.clone_button.setVisible(each.kind == "submit")
        self.show_alike(0)
        self.correct_button.setVisible(each.state == "rejected" and each.draft_id is not None)
        self._mark_first(each)
        summary = summary_of(story)
        self.summary_label.setText(visible(summary))
        self.summary_label.setVisible(bool(summary))
        self.order_button.setVisible(each.state in ("accepted", "confirmed", "in_doubt"))
        self._story = story
        self._show_text()
        self.show()
        if pressed is not None and pressed.isHidden():
            self.left.emit()  # Qt has moved the keyboard on to the next button, where the next press would act

    def _button_with_keyboard(self) -> QPushButton | None:
        """The action that has the keyboard of this window, also while another window is active."""
        focus = self.window().focusWidget()
        return focus if isinstance(focus, QPushButton) and self._actions.isAncestorOf(focus) else None

    def _mark_first(self, each: WriteRow) -> None:
        """Mark what most people do next: one button, by how the write stands."""
        first = self.look_up_button
        if each.state == "rejected" and each.draft_id is not None:
            first = self.correct_button
        elif each.state == "queued" and not each.damaged:
            first = self.send_button
        for button_of_it in (self.look_up_button, self.send_button, self.correct_button):
            set_kind(button_of_it, "primary" if button_of_it is first else "normal")

    def _show_text(self) -> None:
        """Show the line of time, and if a person asked for it every byte that was sent and received."""
        if self._story is not None:
            text = visible(story_text(self._story, whole=self.content_button.isChecked()))
            if text != self.text.toPlainText():  # what is being read keeps its place
                self.text.setPlainText(text)

    def show_alike(self, count: int) -> None:
        """Offer to decide for all writes of the import that wait for the same reason; fewer than two are none."""
        each = self._row
        several = count > 1 and each is not None
        self.send_alike_button.setVisible(several and each is not None and each.held is not None)
        self.withdraw_alike_button.setVisible(several)
        _name(self.send_alike_button, words.send_alike(count))
        _name(self.withdraw_alike_button, words.withdraw_alike(count))

    @property
    def is_listed(self) -> bool:
        """Whether the rows beside it hold the write."""
        return self._actions.currentIndex() == 0

    def show_listed(self, listed: bool) -> None:
        """Whether the rows beside it hold the write. Where they do not, nothing is done with it, and that is said."""
        self._actions.setCurrentIndex(0 if listed else 1)

    def say(self, tone: Tone, sentence: str) -> None:
        """Say what an action came to, until the write stands otherwise."""
        self.bar.say(tone, sentence, stays=True)

    def put_away(self) -> None:
        """Show nothing."""
        self._row = None
        self.hide()


class StoryController(QObject):
    """Shows a write from the journal in its `pane`, and does what a person asks of that write.

    Works with the tasks, the bar and the desk of `page`, which puts the pane beside its table. `list_asked` carries the
    id of a write that a person wants to see in the table.
    """

    closed = Signal()
    list_asked = Signal(int)

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self._page = page
        self.write_id: int | None = None  # the write that is shown, or is being read
        self.pane = pane = StoryPane(page.services.theme)
        pane.look_up.connect(self._look_up)
        pane.send.connect(self._send)
        pane.correct.connect(self._correct)
        pane.enter_again.connect(self._enter_again)
        pane.clone.connect(self._clone)
        pane.withdraw.connect(self._withdraw)
        pane.arrived.connect(self._arrived)
        pane.print_asked.connect(self._print)
        pane.close_asked.connect(self.closed)
        pane.list_asked.connect(self._ask_for_list)
        pane.order_asked.connect(self._show_order)
        pane.send_alike.connect(self._send_alike)
        pane.withdraw_alike.connect(self._withdraw_alike)

    def _ask_for_list(self, each: WriteRow) -> None:
        self.list_asked.emit(each.id)

    def show_write(self, write_id: int) -> None:
        """Show this write."""
        if write_id != self.write_id:
            self._page.tasks.cancel("look up write")  # the look-up is of the write before
        self.write_id = write_id
        self._page.tasks.read("story", self._load(write_id))

    def redraw(self) -> None:
        """Read the write again: the journal has changed."""
        if self.write_id is not None:
            self.show_write(self.write_id)

    def put_away(self) -> None:
        """Show nothing, and stop reading."""
        for name in ("story", "look up write"):
            self._page.tasks.cancel(name)
        self.write_id = None
        self.pane.put_away()

    async def _load(self, write_id: int) -> None:
        try:
            story = await outbox.story(self._page.desk, write_id)
        except StoreError as error:
            self._page.bar.say("bad", error.sentence)
            # The pane still shows the story before.
            self.write_id = self.pane.shown_id
            return
        desk = self._page.desk
        self.pane.show_story(
            story,
            blocked=bool(desk.blocked),
            paused_until=desk.paused_until,
            pause_reason=desk.pause_reason,
        )
        if story.row.held is not None or story.row.state in ("in_doubt", "rejected"):
            self.pane.show_alike(len(await import_batch.alike(desk, write_id)))

    def _send_alike(self, each: WriteRow) -> None:
        self._page.tasks.write("settle alike", self._decide_alike(each, send=True))

    def _withdraw_alike(self, each: WriteRow) -> None:
        self._page.tasks.write("settle alike", self._decide_alike(each, send=False))

    async def _decide_alike(self, each: WriteRow, *, send: bool) -> None:
        """Ask once, and do the same with all writes of the import that wait for the same reason."""
        desk = self._page.desk
        try:
            count = len(await import_batch.alike(desk, each.id))
            question = words.ask_send_alike(count) if send else words.ask_withdraw_alike(count)
            why = each.held or each.note or words.WITHDRAW_WARNING
            action = translate("Send them") if send else translate("Withdraw them")
            if not await confirmed(self._page, question, why, action):
                return
            await (import_batch.send_alike if send else import_batch.withdraw_alike)(desk, each.id)
        except StoreError as error:
            self.pane.say("bad", error.sentence)
            return
        self._page.services.news.queue_changed.emit()

    def show_listed(self, listed: bool) -> None:
        """Whether the table holds the write; without a row in the table nothing can be done with it."""
        self.pane.show_listed(listed)

    def _look_up(self, each: WriteRow) -> None:
        self.pane.say("soft", words.ASKING_STATUS)
        self._page.tasks.read("look up write", self._ask_status(each.reference))

    async def _ask_status(self, reference: str) -> None:
        answer = await order_status.look_up(self._page.desk, reference)
        said = words.status_answer(reference, answer.sentence, answer.at)
        self.pane.say("good" if answer.proven else "warn", said)

    def _correct(self, each: WriteRow) -> None:
        self._page.services.news.correct.emit(each.id)

    def _print(self, each: WriteRow) -> None:
        print_write(self._page, each.id, words.paper_sentence, self.pane.say)

    def _show_order(self, each: WriteRow) -> None:
        clause = write_clause(Clause("reference", (each.reference,)))
        self._page.services.news.show_orders.emit(f"{EVERYWHERE} {clause}")

    def _clone(self, each: WriteRow) -> None:
        self._page.services.news.clone_write.emit(each.id)

    def _enter_again(self, each: WriteRow) -> None:
        self._page.services.news.enter_again.emit(each.id)

    def _send(self, each: WriteRow) -> None:
        act = self._send_again(each) if each.state == "in_doubt" else self._release(each)
        self._page.tasks.write(f"settle {each.id}", act)

    async def _release(self, each: WriteRow) -> None:
        try:
            if not await self._is_sure(each):
                return
            await outbox.release(self._page.desk, each.id, each)
        except StoreError as error:
            self.pane.say("bad", error.sentence)
            return
        self._page.services.news.queue_changed.emit()

    async def _is_sure(self, each: WriteRow) -> bool:
        """Ask where a write is held, or cannot be looked up, whether it is to be sent."""
        if each.waits_unasked:
            last = await outbox.last_attempt(self._page.desk, each.reference)
            question, warning = words.ask_send_unasked(each.reference), words.unasked_warning(each, last)
            return await confirmed(self._page, question, warning, translate("Send without asking"))
        if each.held is not None:
            question = words.ask_send_anyway(each.reference)
            return await confirmed(self._page, question, each.held, translate("Send anyway"))
        return True

    async def _send_again(self, each: WriteRow) -> None:
        question = words.ask_send_again(each.reference)
        sure = await confirmed(self._page, question, words.RESEND_WARNING, translate("Send again"))
        if sure:
            await self._settle(each, "queued", words.RESENT_NOTE)

    def _withdraw(self, each: WriteRow) -> None:
        self._page.tasks.write(f"settle {each.id}", self._ask_withdraw(each))

    async def _ask_withdraw(self, each: WriteRow) -> None:
        question = words.ask_withdraw(each.kind, each.reference)
        if each.state == "in_doubt" and not await confirmed(
            self._page, question, words.WITHDRAW_WARNING, translate("Withdraw")
        ):
            return
        await self._settle(each, "withdrawn", words.WITHDRAWN_NOTES.get(each.state, words.WITHDRAWN_NOTES["in_doubt"]))

    def _arrived(self, each: WriteRow) -> None:
        self._page.tasks.write(f"settle {each.id}", self._ask_arrived(each))

    async def _ask_arrived(self, each: WriteRow) -> None:
        question = words.ask_arrived(each.reference)
        sure = await confirmed(self._page, question, words.ARRIVED_WARNING, translate("It arrived"))
        if sure:
            await self._settle(each, "accepted", words.ARRIVED_NOTE)

    async def _settle(self, each: WriteRow, state: WriteState, sentence: str) -> None:
        try:
            await outbox.settle(self._page.desk, each.id, state, sentence, seen=each.state)
        except StoreError as error:
            self.pane.say("bad", error.sentence)
            return
        self._page.services.news.queue_changed.emit()


def _name(made: QPushButton, word: str) -> None:
    made.setText(f" {word}")
    made.setAccessibleName(word)


def summary_of(story: WriteStory) -> str:
    """The order in short: for whom, what, by when. Empty for a cancellation, and where the bytes are damaged."""
    if story.row.kind != "submit" or story.row.damaged:
        return ""
    draft = outbox.draft_of(story.payload)
    who, load = draft.consignee, draft.barcoding.receivingLoadNumber.strip()
    place = " ".join(part for part in (who.city.strip(), who.state.strip(), who.zip.strip()) if part)
    lines = (
        ", ".join(part for part in (who.consigneeName.strip(), who.streetAddress.strip(), place) if part),
        words.freight_summary(
            [(each.count.strip(), each.commodity.strip()) for each in draft.freightDetails],
            len(draft.barcoding.barcodeItemDetails),
            load,
        ),
        words.order_summary(
            _day(draft.requestedDeliveryDate), draft.providerFacilityCode, draft.deliveryType, draft.poNumber
        ),
    )
    return "\n".join(line for line in lines if line)


def _day(sent: str) -> str:
    """Return the day of an order as all days are written; the Console may have sent a text that is no day."""
    try:
        return day(sent) if sent else ""
    except ValueError:
        return sent


def story_text(story: WriteStory, *, whole: bool = True) -> str:
    """The story as plain text that can be read, selected and passed on; `whole`: with replies and exact content."""
    lines = [words.queued_line(story.row.queued_at), words.verdict_line(story.row)]
    for place, attempt in enumerate(story.attempts, 1):
        lines += [words.resend_line(story.row, attempt), words.attempt_line(place, attempt)]
        lines += _reply_lines(attempt, whole=whole)
    if not story.attempts:
        lines.append(words.NEVER_SENT if story.row.state == "withdrawn" else words.NOT_SENT_YET)
    lines.append(words.ended_line(story.row, story.attempts[-1].ended_at if story.attempts else None))
    if not whole:
        return "\n".join(line for line in lines if line)
    heading = words.DAMAGED_CONTENT if story.row.damaged else _content_heading(story)
    return "\n".join([*(line for line in lines if line), "", heading, _pretty(story.body)])


def _content_heading(story: WriteStory) -> str:
    if story.row.state in ("queued", "sending"):
        return words.CONTENT_TO_SEND
    return words.CONTENT_SENT if story.attempts else words.CONTENT_UNSENT


def _reply_lines(attempt: AttemptRow, *, whole: bool) -> list[str]:
    lines = [f"  {attempt.sentence}"] if attempt.sentence else []
    if whole and attempt.reply and attempt.outcome is not None and attempt.ended_at is not None:
        lines.append(f"  {words.REPLY}")
        lines += [f"    {line}" for line in _pretty(attempt.reply).splitlines()]
    return lines


def _pretty(body: bytes) -> str:
    text = body.decode("utf-8", "replace")
    try:
        laid_out = json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):  # no JSON, or nested deeper than anybody reads
        return text
    return laid_out.encode("utf-8", "replace").decode()  # half characters can be written in JSON, but not shown

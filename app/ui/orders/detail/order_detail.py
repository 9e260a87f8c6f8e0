"""One order beside the table: the provider's facts, its documents, the writes of this desk, and the actions.

Invariants: nothing of an order stays in sight once another one is asked for; its row's facts show until it has been
read. An action works on the order that is shown, and none is possible before that order has been read.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QStackedWidget, QWidget

from app.contract.information import Order
from app.contract.replies import decode
from app.desk.desk import Desk
from app.desk.files.save_files import unchanged
from app.desk.loads.load_orders import load_of
from app.desk.orders import stored_orders
from app.desk.orders.order_documents import documents_of, to_save
from app.desk.sending import order_status, outbox
from app.desk.slots import slot_calls
from app.desk.sync import fetch_window
from app.runtime.tasks import Tasks
from app.store.cache.order_rows import OrderDetail, OrderLine
from app.store.journal.records import WriteRow
from app.store.journal.request_store import RequestRow
from app.store.store_errors import StoreError
from app.ui.base.page import PageServices
from app.ui.orders import orders_words as words
from app.ui.orders.detail.detail_body import DetailBody, HereLine
from app.ui.orders.detail.detail_head import DetailHead
from app.ui.orders.documents.document_tiles import DocumentsSection
from app.ui.orders.documents.document_viewer import DocumentViewer
from app.ui.orders.order_sections import (
    CARRIER,
    FACILITY,
    MANUFACTURER,
    Section,
    lateness,
    milestones,
    order_of_row,
    sections,
    state_words,
)
from app.ui.orders.table.why_column import why_exact, why_ink
from app.ui.outbox.outbox_words import (
    ASKING_STATUS,
    cancel_answers,
    paper_sentence,
    seconds_left,
    sentence_about,
    was_undone,
)
from app.ui.printing.open_panel import print_orders
from app.ui.slots.slots_words import SHOW_SLOTS, SLOT, standing
from app.ui.theme.tokens import DETAIL_LOW, DETAIL_MIN_WIDTH
from app.ui.widgets.bars.message_bar import MessageBar
from app.ui.widgets.call_choice import CALL_CHOICE
from app.ui.widgets.confirm import confirmed
from app.ui.widgets.files.file_strip import FileStrip
from app.ui.widgets.files.saving import Saver
from app.ui.widgets.layout import column, holding, rule, scrolling
from app.ui.widgets.map_choice import MAP_CHOICE
from app.ui.widgets.states import StateView
from app.ui.widgets.text.labels import Tone
from app.ui.widgets.text.times import clock, since

_BELOW = (FACILITY, CARRIER, MANUFACTURER)  # sections after the documents
_SECOND_MS = 1_000
_PATIENCE_MS = 150  # an order that is read sooner is shown without a word about reading
# Topics of the message bar.
_ASKED, _ANSWER, _WRITE, _NOT_SENT, _PRINTING = "asked", "answer", "write", "not sent", "printing"
_SAVING = "documents"  # the name of a task


class DetailStack(QStackedWidget):
    """Shows the order, or one of its documents in its place, and saves documents.

    `reference` is part of the names of saved files; while it is empty, no order is shown and nothing can be saved.
    `bar` is the message bar of the order; a document has one of its own.
    """

    wider = Signal(bool)

    def __init__(
        self, services: PageServices, tasks: Tasks, order: QWidget, documents: DocumentsSection, bar: MessageBar
    ) -> None:
        super().__init__()
        self._services, self._tasks, self._order, self._documents, self._bar = services, tasks, order, documents, bar
        self._saver = Saver(tasks, bar, "document")
        self.reference = ""
        self.viewer: DocumentViewer | None = None
        self.addWidget(order)
        documents.opened.connect(self.show_document)
        documents.save_all.connect(self._save_all)

    @property
    def shows_order(self) -> bool:
        """Whether the order shows, and not a document."""
        return self.currentWidget() is self._order

    def show_order(self) -> None:
        """Show the order."""
        if self.viewer is not None and not self.shows_order:
            self.viewer.put_away()
            self.setCurrentWidget(self._order)

    def show_document(self, at: int) -> None:
        """Show the document at place `at` in place of the order."""
        if self.viewer is None:
            self.viewer = DocumentViewer(self._services.theme, self._services.pictures)
            self.viewer.closed.connect(self._back)
            self.viewer.save_asked.connect(self._save_one)
            self.viewer.wider.connect(self.wider)
            self.addWidget(self.viewer)
        self.setCurrentWidget(self.viewer)
        self.viewer.show_document(self._documents.documents, at)

    def _back(self) -> None:
        at = self.viewer.at if self.viewer is not None else 0
        self.show_order()
        self._documents.focus_tile(at)

    def _save_one(self, at: int) -> None:
        self._save(slice(at, at + 1))

    def _save_all(self) -> None:
        self._save(slice(None))

    def _save(self, which: slice) -> None:
        if self._services.pictures is None or not self.reference:
            return
        bar = self._bar if self.viewer is None or self.shows_order else self.viewer.bar
        if self._tasks.running(_SAVING):
            bar.say("", words.STILL_SAVING)
            return
        wanted = to_save(self._documents.documents[which], self.reference)
        self._tasks.read(
            _SAVING,
            self._saver.reporting_in(bar).save(self.window(), wanted, unchanged(self._services.pictures().contents)),
        )


def _age_words(seen_at: datetime, now: Callable[[], datetime]) -> str:
    return words.last_told(since(seen_at, now()))


def _changes(history: Sequence[WriteRow]) -> tuple[int, ...]:
    return tuple(each.change for each in history)


def _never(_number: int) -> bool:
    return False


class DetailPane(QFrame):
    """Shows an order as the store has it, then fetches the whole order and shows that.

    `stepped` asks for the next order (1) or the previous one (-1), `wider` for more or less room for a document,
    `watch_toggled` to watch the order or to stop watching. `is_watched` tells that by an order's number.
    """

    stepped = Signal(int)
    watch_toggled = Signal(object)  # an OrderLine
    find_asked = Signal(object)  # an OrderLine that the list is to show
    slots_asked = Signal()  # the delivery slots of the order
    wider = Signal(bool)

    def __init__(self, services: PageServices, tasks: Tasks, close: Callable[[], None]) -> None:
        super().__init__()
        self.setObjectName("detail")
        self.setAccessibleName("Order")
        self._services, self._tasks, self._close = services, tasks, close
        self.is_watched: Callable[[int], bool] = _never
        self._desk: Desk | None = None
        self._line: OrderLine | None = None
        self._row: OrderLine | None = None  # of the order that is being read
        self._number: int | None = None
        self._order: Order | None = None
        self._asking = False
        self._whole_past = False  # a person asked for all changes of the order that is shown
        self._trouble = ""
        self._history: list[WriteRow] = []
        self._answered: tuple[int, ...] | None = None  # what was known of the writes when the status was asked for
        self._spoken: int | None = None  # the write that the bar speaks of
        self._spoken_change = 0
        self._build()
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(_PATIENCE_MS)
        self._patience.timeout.connect(self._say_reading)
        self.second = QTimer(self)
        self.second.setInterval(_SECOND_MS)
        self.second.timeout.connect(self._say_writes)

    def _build(self) -> None:
        theme = self._services.theme
        self.head = head = DetailHead(theme)
        self.title, self.number_label, self.state_label = head.title, head.number_label, head.state_label
        self.rail, self.age_label = head.rail, head.age_label
        self.look_up_button, self.copy_button = head.look_up_button, head.copy_button
        self.print_button, self.cancel_button = head.print_button, head.cancel_button
        self.change_button, self.clone_button = head.change_button, head.clone_button
        for button, act in (
            (head.look_up_button, self._look_up),
            (head.copy_button, self._copy_reference),
            (head.copy_number_button, self._copy_number),
            (head.print_button, self._print),
            (head.case_button, self.make_case_file),
            (head.slots_button, self.slots_asked.emit),
            (head.cancel_button, self.ask_cancel),
            (head.change_button, self._change),
            (head.clone_button, self._clone),
            (head.close_button, self._close),
            (head.documents_button, self.go_to_documents),
            (head.watch_button, self._toggle_watch),
            (head.find_button, self._find),
            (head.before_button, partial(self.stepped.emit, -1)),
            (head.after_button, partial(self.stepped.emit, 1)),
        ):
            button.clicked.connect(act)
        self.bar = MessageBar(theme)
        self.files = FileStrip(theme, self._tasks)
        self._scroll = scrolling(holding(column()), "surface")
        self.documents = DocumentsSection(theme, self._services.pictures, self._scroll)
        self.body = DetailBody(theme, self.documents, self._services.news.show_write.emit)
        self.body.copied.connect(self._copy)
        self.body.more_asked.connect(self._show_whole_past)
        self.body.said.connect(self._say_done)
        self._scroll.setWidget(self.body)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._scroll.setAccessibleName("Details of the order")
        self.states = StateView(theme, self._scroll)
        self._fixed = column(head, rule(), self.states)
        self._scrolls_whole = False
        self.stack = DetailStack(self._services, self._tasks, holding(self._fixed), self.documents, self.bar)
        self.stack.wider.connect(self.wider)
        self.setLayout(column(self.stack))
        self.bar.float_over(self, self.stack)
        self.files.float_over(self, self.stack)
        self._services.news.stored.connect(self.redraw)
        self._services.news.presence.connect(self.redraw)

    def minimumSizeHint(self) -> QSize:
        """Wide enough for the buttons of the head, in whatever font, also while the head scrolls with the details."""
        bar = self._scroll.verticalScrollBar().sizeHint().width() if self._scrolls_whole else 0
        least = max(DETAIL_MIN_WIDTH, self.head.minimumSizeHint().width() + bar)
        return QSize(least, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_head()

    def _place_head(self) -> None:
        """In a low window the head scrolls with the details: above a fixed head they would have no room."""
        whole = self.height() < DETAIL_LOW and not self.states.state_text
        if whole == self._scrolls_whole:
            return
        self._scrolls_whole = whole
        if whole:
            self.body.take_above(self.head)
        else:
            self._fixed.insertWidget(0, self.head)
        self.updateGeometry()  # the least width is another one

    def take_desk(self, desk: Desk) -> None:
        """Work for this desk from now on."""
        self._desk = desk
        self._tasks.read("map site", MAP_CHOICE.read(desk.journal))
        self._tasks.read("calls", CALL_CHOICE.read(desk.journal))

    @property
    def desk(self) -> Desk:
        """The desk in force."""
        assert self._desk is not None
        return self._desk

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and not event.modifiers():
            self._close()
        else:
            super().keyPressEvent(event)

    # Which order

    def show_order(self, number: int, row: OrderLine | None = None) -> None:
        """Show what its `row` says of the order, then the order as last seen, then as the provider has it now."""
        if number != self._number:
            self._forget()
            self._show_row(number, row)
            self.head.show_listed(True)  # until the list is known not to hold it
        self._number = number
        self.show()
        self._tasks.cancel("look up")
        self._tasks.read("detail", self._load(number, ask=True))

    def _forget(self) -> None:
        """Drop the order that was shown, so that no action works on it while the next one is read."""
        self.bar.clear()
        self._history, self._answered, self._spoken = [], None, None
        self._order = self._line = None
        self.stack.reference = ""
        self._trouble = ""
        self._whole_past = False
        self.stack.show_order()
        self._scroll.verticalScrollBar().setValue(0)

    def _show_row(self, number: int, row: OrderLine | None) -> None:
        """Show the order as its row has it. The store may be busy: nothing of the order before may stay meanwhile."""
        if self.body.has_keyboard():
            self._scroll.setFocus()  # what has the keyboard is hidden with the facts
        self.body.show_facts(shown=False)
        self._row = row
        if row is None:
            self.head.show_unknown(number)
        else:
            self._show_head(row, order_of_row(row))
            self.head.show_documents(0)  # how many there are is not known yet
            self.head.show_age(str)
        self.states.show_content()
        self._place_head()
        self._patience.start()

    def _say_reading(self) -> None:
        """The store is busy: show what the row says of the order, and that the rest is being read."""
        row, number = self._row, self._number
        if number is None:
            return
        if row is None:
            self.states.show_state("clock", words.order_title(number), words.READING_ORDER)
            self._place_head()
            return
        self.head.show_waiting()
        self._show_sections(row, order_of_row(row), (), (), words.READING_ORDER)
        self.body.show_history(())
        self.body.show_here(())
        self.documents.show_documents((), words.READING_ORDER)
        self.body.show_facts(shown=True)

    def _show_whole_past(self) -> None:
        self._whole_past = True
        self._scroll.setFocus()  # the button goes with the lines that are replaced
        self.redraw()

    def redraw(self) -> None:
        """Read the order from the store again."""
        if self._number is not None:
            self._tasks.read("redraw detail", self._load(self._number, ask=False))

    def ask_again(self) -> None:
        """Ask the provider for the order again, after something was sent."""
        if self._number is not None:
            self._tasks.read("detail", self._load(self._number, ask=True))

    def show_reading(self) -> None:
        """Show nothing of any order, in the same place: the next one is not known yet."""
        self._end()
        self.head.show_reading()
        self.states.show_state("clock", "", words.READING_ORDER)
        self._place_head()

    def close_order(self) -> None:
        """Show nothing."""
        self._end()
        self.hide()

    def _end(self) -> None:
        self._number = self._row = None
        self._patience.stop()
        self._forget()
        for name in ("detail", "redraw detail", "look up", "ask cancel", _SAVING):
            self._tasks.cancel(name)
        self._asking = False
        self.documents.put_away()

    async def _load(self, number: int, *, ask: bool) -> None:
        ask = ask and self.desk.provider is not None
        self._asking = ask or (self._asking and self._tasks.running("detail"))
        known = await self._show_kept(number)
        if number != self._number:
            return
        if not known:
            self._say_unknown(number)
        if ask:
            await self._ask(number, known=known)

    async def _ask(self, number: int, *, known: bool) -> None:
        before, self._trouble = self._line if known else None, await fetch_window.refresh_order(self.desk, number)
        # Another order was opened while this one was read.
        if number != self._number:
            return
        self._asking = False
        if not await self._show_kept(number):
            self._say_unknown(number)
        elif self._trouble and known:
            self.bar.say("warn", words.shown_as_last_seen(self._trouble), topic=_ASKED)
        else:
            self.bar.withdraw(_ASKED)
        if self._line != before:
            self._services.news.stored.emit()  # the order may have left the list that the table shows

    def _say_unknown(self, number: int) -> None:
        """Show that the store does not hold the order, and why."""
        self._patience.stop()
        self.head.show_unknown(number)
        self._say_why(number)
        self._place_head()

    def _say_why(self, number: int) -> None:
        if self._asking:
            self.states.show_state("clock", words.order_title(number), words.ASKING_FOR_ORDER)
        elif self.desk.provider is None:
            sentence = words.never_fetched(self.desk.trouble)
            self.states.show_state("cloud-off", words.unknown_here(number), sentence, words.TRY_AGAIN, self.ask_again)
        else:
            self.states.show_state(
                "circle-alert", words.cannot_show(number), self._trouble, words.TRY_AGAIN, self.ask_again
            )

    async def _show_kept(self, number: int) -> bool:
        found = await stored_orders.detail(self.desk, number)
        if found is None or number != self._number:
            return False
        crn = found.line.crn
        history = await outbox.history(self.desk, crn) if crn else []
        load = await load_of(self.desk, crn) if crn and history else ""
        team = await self._team_sections(crn) if crn else []
        slots = await slot_calls.reserved(self.desk, crn) if crn else []
        from app.ui.orders.detail.past_section import past_section  # the first paint does without it

        past = await past_section(self.desk, found, history, whole=self._whole_past)
        if number == self._number:
            self._show(found, history, team, past)
            self.body.show_here(self._here(load, slots))
        return True

    def _here(self, load: str, slots: Sequence[RequestRow]) -> list[HereLine]:
        """The facts that this desk alone knows of the order: its load, and the slots that it tried to reserve."""
        lines = [HereLine(SLOT, standing(each), SHOW_SLOTS, "calendar", self.slots_asked.emit) for each in slots]
        if load:
            show = partial(self._services.news.show_load.emit, load)
            lines.append(HereLine(words.LOAD, load, words.SHOW_LOAD, "list-checks", show))
        return lines

    async def _team_sections(self, crn: str) -> list[Section]:
        """The sections about what others of the team did with the order; none where this desk works alone."""
        if self.desk.team is None:
            return []
        from app.ui.orders.detail.team_sections import team_sections  # not loaded for a desk without a team

        return await team_sections(self.desk, crn)

    def _show(self, found: OrderDetail, history: Sequence[WriteRow], team: Sequence[Section], past: Section) -> None:
        self._patience.stop()
        self._line = found.line
        self._order = order = Order.model_validate(decode(found.raw.encode("utf-8", "replace")))
        self.stack.reference = words.order_named(found.line.number, order.CRN or "")
        documents = documents_of(order)
        self._show_head(found.line, order)
        self.head.show_documents(len(documents))
        self.head.show_age(partial(_age_words, found.seen_at, self._services.now))
        unknown = self._why_unknown()
        self._show_sections(found.line, order, team, (past,), unknown)
        self.body.show_history(history)
        self._history = list(history)
        if self._answered not in (None, _changes(history)):
            self._answered = None
            self.bar.withdraw(_ANSWER)  # the answer is older than the latest write
        self._say_writes()
        self.documents.show_documents(documents, unknown if order.ProofOfDelivery is None else "")
        self.body.show_facts(shown=True)
        self.states.show_content()
        self._place_head()

    def _show_head(self, line: OrderLine, order: Order) -> None:
        """Show in the head what is known of the order; `line` is its row."""
        head, ink = self.head, why_ink(line)
        sentence, tone = lateness(order, self._services.now().date())
        head.show_order(line.number, order.CRN, closed=line.is_closed)
        head.show_state(order.StatusId or "", state_words(order))
        reasons = why_exact(line).splitlines()
        said = bool(reasons) and reasons[0].startswith(sentence)  # once is enough
        head.show_lateness("" if said else sentence, tone)
        head.show_reasons(reasons, "" if ink == "ink" else "bad" if ink == "bad" else "warn")
        head.show_watched(self.is_watched(line.number))
        head.show_milestones(milestones(order))

    def _show_sections(
        self, line: OrderLine, order: Order, first: Sequence[Section], past: Sequence[Section], unknown: str
    ) -> None:
        """Show the sections of the order: those in `first` above all others, those in `past` below its documents."""
        looked_up = order_status.last_answer(self.desk, line.number, line.crn)
        parts = sections(order, looked_up, unknown)
        below = [each for each in parts if each.heading in _BELOW]
        self.body.show_parts([*first, *(each for each in parts if each not in below)], [*past, *below])

    def _why_unknown(self) -> str:
        """Why the parts that only a whole order brings are missing; empty if they are not."""
        if self._asking:
            return words.ASKING
        if self.desk.provider is None:
            return words.PART_NOT_FETCHED
        return words.PART_NOT_TOLD if self._trouble else ""

    def go_to_documents(self) -> None:
        """Put the keyboard on the first document."""
        self.documents.focus_tile(0)

    # Actions

    def _look_up(self) -> None:
        if self._order is not None and self._order.CRN:
            self.bar.say("soft", ASKING_STATUS, topic=_ANSWER)
            self._tasks.read("look up", self._ask_status(self._order.CRN))

    async def _ask_status(self, reference: str) -> None:
        answer = await order_status.look_up(self.desk, reference)
        self._answered = _changes(self._history)
        sentence = words.answer(reference, answer.sentence, clock(answer.at))
        self.bar.say("good" if answer.proven else "warn", sentence, topic=_ANSWER, stays=True)
        self.redraw()

    @property
    def is_listed(self) -> bool:
        """Whether the table holds the order."""
        return self.head.is_listed

    def show_listed(self, listed: bool) -> None:
        """Show the actions if the table holds the order, else why there are none."""
        self.head.show_listed(listed)

    def _find(self) -> None:
        if self._line is not None:
            self.find_asked.emit(self._line)

    def _toggle_watch(self) -> None:
        if self._line is not None:
            # The click has toggled the button already; it shows the new state only once that is in the journal.
            self.head.show_watched(self.is_watched(self._line.number))
            self.watch_toggled.emit(self._line)

    def _change(self) -> None:
        if self._order is not None and self._number is not None:
            self._services.news.change_order.emit(self._number)

    def _clone(self) -> None:
        if self._order is not None and self._number is not None:
            self._services.news.clone_order.emit(self._number)

    def _print(self) -> None:
        if self._order is not None and self._number is not None:
            print_orders(self, self._services, self._tasks, self.desk, [self._number], paper_sentence, self._say)

    def make_case_file(self) -> None:
        """Make the case file of the order that is shown."""
        from app.ui.orders.export.case_file_job import case_job  # imports the painter of PDF files

        if self._number is not None and self._services.pictures is not None:
            self.files.begin(case_job(self.desk, self._number, self._services.pictures().album, self._services.now()))

    def _copy_reference(self) -> None:
        if self._order is not None and self._order.CRN:
            self._copy(self._order.CRN, self._order.CRN)

    def _copy_number(self) -> None:
        if self._order is not None and self._number is not None:
            self._copy(str(self._number), str(self._number))

    def _copy(self, text: str, what: str) -> None:
        QApplication.clipboard().setText(text)
        self.bar.say("", words.copied(what))

    def _say_done(self, sentence: str) -> None:
        self.bar.say("", sentence)

    def ask_cancel(self) -> None:
        """Ask whether to cancel the order that is shown."""
        number, order = self._number, self._order
        if number is None or order is None or not self.is_listed:
            return
        if order.CRN and self.cancel_button.isEnabled():
            self._tasks.write(f"cancel {number}", self._cancel(order, order.CRN))
        else:
            self._say("warn", words.NOT_CANCELLABLE)

    def ask_cancel_of(self, number: int) -> None:
        """Ask whether to cancel this order, once it is shown."""
        if self._order is not None:
            self.ask_cancel()
        else:
            self._tasks.read("ask cancel", self._ask_once_shown(number))

    async def _ask_once_shown(self, number: int) -> None:
        await self._show_kept(number)
        if number == self._number:
            self.ask_cancel()

    async def _cancel(self, order: Order, reference: str) -> None:
        # Another connection may be chosen while the question is open: the order is cancelled where it is.
        desk = self.desk
        name = (order.Consignee.Name if order.Consignee else None) or words.THE_CONSIGNEE
        question = words.cancel_which(reference, name)
        yes, no = cancel_answers(1)
        sure = await confirmed(self, question, words.CANCEL_CONSEQUENCE, yes, no)
        if not sure:
            return
        try:
            write_id = await outbox.queue_cancellation(desk, reference)
        except StoreError as error:
            self.bar.say("bad", words.cancellation_not_sent(reference, error.sentence), topic=_NOT_SENT)
            return
        self.bar.withdraw(_NOT_SENT)
        self._services.news.cancelling.emit(write_id, reference)
        self._services.news.queue_changed.emit()

    def _say(self, tone: Tone, sentence: str) -> None:
        self.bar.say(tone, sentence, topic=_PRINTING)

    # The writes of this desk

    def _say_writes(self) -> None:
        """Show the state of the latest write that is not over, in the bar.

        It is updated with every change of the journal, and each second while a write can be undone.
        """
        now = self._desk.now() if self._desk is not None else self._services.now()
        blocked = bool(self._desk.blocked) if self._desk is not None else False
        # While a cancellation can be undone, and once it was, the window's own bar says so: one act, one message.
        told = [
            (each, sentence_about(each, now, blocked=blocked))
            for each in self._history
            if not seconds_left(each, now) and not was_undone(each)
        ]
        pending = next(((each, said) for each, said in told if not said.over), None)
        spoken = next(((each, said) for each, said in told if each.id == self._spoken), None)
        if pending is not None:
            each, said = pending
            if self._spoken == each.id and not self.bar.text_of(_WRITE) and self._spoken_change == each.change:
                return  # a person has closed the message
            self._spoken, self._spoken_change = each.id, each.change
            self.bar.say(said.tone, said.sentence, topic=_WRITE, stays=True)
        elif spoken is not None and self.bar.text_of(_WRITE):
            # The write has ended: without `stays`, a good message passes by itself.
            self.bar.say(spoken[1].tone, spoken[1].sentence, topic=_WRITE)
            self._spoken = None
        elif self._spoken is not None:
            self.bar.withdraw(_WRITE)
            self._spoken = None
        if any(seconds_left(each, now) for each in self._history):
            self.second.start()
        else:
            self.second.stop()

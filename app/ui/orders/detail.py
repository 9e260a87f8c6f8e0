"""One order beside the table: what the provider has said of it, what this desk sent, and what can be done with it."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFrame, QGridLayout, QLayout, QWidget

from app.contract.codes import OrderState
from app.contract.information import Order
from app.contract.replies import decode
from app.desk import lookup, orders, outbox, sync
from app.desk.desk import Desk
from app.runtime.tasks import Tasks
from app.store.cache_rows import OrderDetail
from app.store.errors import StoreError
from app.store.journal_rows import WriteRow
from app.ui.orders.order_view import Section, milestones, sections, state_words
from app.ui.outbox.standing import standing
from app.ui.outbox.words import KIND_WORDS, STATE_LOOK, state_word
from app.ui.page import Room
from app.ui.printing.opening import print_order
from app.ui.theme.tokens import (
    DETAIL_MIN_WIDTH,
    LABEL_WIDTH,
    SPACE_1,
    SPACE_2,
    SPACE_3,
    SPACE_4,
    STATE_LOOKS,
    UNKNOWN_STATE_LOOK,
)
from app.ui.widgets.buttons import button, icon_button, with_icon
from app.ui.widgets.confirm import confirmed
from app.ui.widgets.labels import Tone, set_tone, text_label, visible
from app.ui.widgets.layout import column, holding, row, rule, scrolling
from app.ui.widgets.milestones import MilestoneRail
from app.ui.widgets.times import clock, moment, since

_TONES: dict[str, Tone] = {"good": "good", "warn": "warn", "bad": "bad", "ink_soft": "soft"}


class DetailPane(QFrame):
    """Shows the order as the store has it, then asks the provider for the whole of it and shows that."""

    def __init__(self, room: Room, tasks: Tasks, close: Callable[[], None]) -> None:
        super().__init__()
        self.setObjectName("detail")
        self.setMinimumWidth(DETAIL_MIN_WIDTH)
        self.setAccessibleName("Order")
        self._room, self._tasks, self._close = room, tasks, close
        self._desk: Desk | None = None
        self._number: int | None = None
        self._order: Order | None = None
        self._build()

    def _build(self) -> None:
        theme = self._room.theme
        self.title = text_label("", "title", selectable=True)
        self.number_label = text_label("", "soft", selectable=True)
        self.state_label = text_label("", "strong")
        self.age_label = text_label("", "label")
        self.answer_label = text_label("", wrap=True, selectable=True)
        self.rail = MilestoneRail(theme)
        self.look_up_button = with_icon(button("Look up status", self._look_up, key="Ctrl+L"), theme, "search")
        self.copy_button = with_icon(button("Copy reference", self._copy_reference, key="Ctrl+Shift+C"), theme, "copy")
        self.print_button = with_icon(button("Print…", self._print, key="Ctrl+P"), theme, "printer")
        self.cancel_button = with_icon(
            button("Cancel order…", self.ask_cancel, kind="danger", tip="Ctrl+Delete"), theme, "ban", "bad"
        )
        self.change_button = with_icon(button("Change order", self._change, key="Ctrl+E"), theme, "square-pen")
        self.clone_button = with_icon(button("Clone", self._clone, key="Ctrl+D"), theme, "copy-plus")
        close = icon_button(theme, "x", "Close the order", self._close)
        head = column(
            row(self.title, self.copy_button, None, close),
            row(self.number_label, SPACE_2, self.state_label, None),
            self.rail,
            row(self.change_button, self.clone_button, None, self.cancel_button, gap=SPACE_1),
            row(self.look_up_button, self.print_button, None, gap=SPACE_1),
            self.answer_label,
            self.age_label,
            margin=(SPACE_4, SPACE_3, SPACE_3, SPACE_2),
            gap=SPACE_2,
        )
        self._body = column(margin=(SPACE_4, SPACE_2, SPACE_4, SPACE_4), gap=SPACE_1)
        inner = holding(self._body, "surfaceInner")
        self._scroll = scrolling(inner, "surface")
        self._scroll.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._scroll.setAccessibleName("Details of the order")
        self.setLayout(column(holding(head), rule(), self._scroll))

    def take_desk(self, desk: Desk) -> None:
        """Work for this desk from now on."""
        self._desk = desk

    @property
    def desk(self) -> Desk:
        """The desk in force."""
        assert self._desk is not None
        return self._desk

    def show_order(self, number: int) -> None:
        """Show this order: at once as last seen, then as the provider has it now."""
        if number != self._number:
            self.answer_label.hide()
            self._order = None  # until it has come, nothing can be done with the one before it
        self._number = number
        self.show()
        self._tasks.cancel("look up")
        self._tasks.read("detail", self._load(number, ask=True))

    def redraw(self) -> None:
        """The store has changed: show the order as it is there."""
        if self._number is not None:
            self._tasks.read("redraw detail", self._load(self._number, ask=False))

    def ask_again(self) -> None:
        """Something about this order may have changed at the provider."""
        if self._number is not None:
            self._tasks.read("detail", self._load(self._number, ask=True))

    def close_order(self) -> None:
        """Show nothing."""
        self._number = None
        for name in ("detail", "redraw detail", "look up"):
            self._tasks.cancel(name)
        self.hide()

    async def _load(self, number: int, *, ask: bool) -> None:
        if not await self._show_kept(number) or not ask or self.desk.provider is None:
            return
        trouble = await sync.refresh_order(self.desk, number)
        if await self._show_kept(number) and trouble:
            self._say("warn", f"{trouble} Shown as last seen.")

    async def _show_kept(self, number: int) -> bool:
        found = await orders.detail(self.desk, number)
        if found is None or number != self._number:
            return False
        crn = found.line.crn
        self._show(found, await outbox.history(self.desk, crn) if crn else [])
        return True

    def _show(self, found: OrderDetail, history: Sequence[WriteRow]) -> None:
        self._order = order = Order.model_validate(decode(found.raw.encode("utf-8", "replace")))
        self.title.setText(visible(order.CRN or f"Order {found.line.number}"))
        self.number_label.setText(f"Number {found.line.number}")
        glyph, tint = STATE_LOOKS.get(order.StatusId or "", UNKNOWN_STATE_LOOK)
        self.state_label.setText(visible(f"{glyph} {state_words(order)}"))
        set_tone(self.state_label, _TONES.get(tint, ""))
        self.rail.set_stations(milestones(order))
        self.age_label.setText(f"As the provider told it {since(found.seen_at, self._room.now())}")
        closed = order.StatusId in (OrderState.CMP, OrderState.CAN) or bool(order.IsDelivered)
        self.cancel_button.setEnabled(bool(order.CRN) and not closed)
        self.change_button.setEnabled(bool(order.CRN) and not closed)
        self.look_up_button.setEnabled(bool(order.CRN))
        self.print_button.setEnabled(bool(order.CRN))
        self._fill((*sections(order), *_history_section(history)))

    def _fill(self, parts: Sequence[Section]) -> None:
        _empty(self._body)
        for part in parts:
            self._body.addWidget(text_label(part.heading, "heading"))
            grid = QGridLayout()
            grid.setContentsMargins(0, 0, 0, SPACE_3)
            grid.setHorizontalSpacing(SPACE_3)
            grid.setVerticalSpacing(SPACE_1 // 2)
            grid.setColumnStretch(1, 1)
            if any(label for label, _ in part.lines):
                grid.setColumnMinimumWidth(0, LABEL_WIDTH)
            for at, (label, value) in enumerate(part.lines):
                words = text_label(value, wrap=True, selectable=True)
                if label:
                    grid.addWidget(text_label(label, "soft", wrap=len(label) > 24), at, 0, Qt.AlignmentFlag.AlignTop)
                    grid.addWidget(words, at, 1)
                else:
                    grid.addWidget(words, at, 0, 1, 2)
            self._body.addLayout(grid)
        self._body.addStretch(1)

    def _look_up(self) -> None:
        if self._order is not None and self._order.CRN:
            self._say("soft", "Asking the provider for the status…")
            self._tasks.read("look up", self._ask_status(self._order.CRN))

    async def _ask_status(self, reference: str) -> None:
        answer = await lookup.look_up(self.desk, reference)
        self._say("good" if answer.proven else "warn", f"{answer.sentence} Asked at {clock(answer.at)}.")

    def _change(self) -> None:
        if self._order is not None and self._number is not None:
            self._room.news.change_order.emit(self._number)

    def _clone(self) -> None:
        if self._order is not None and self._number is not None:
            self._room.news.clone_order.emit(self._number)

    def _print(self) -> None:
        if self._order is not None and self._order.CRN:
            print_order(self, self._room, self._tasks, self.desk, self._order.CRN, standing, self._say)

    def _copy_reference(self) -> None:
        if self._order is not None and self._order.CRN:
            QApplication.clipboard().setText(self._order.CRN)
            self._say("soft", f"Copied {self._order.CRN}.")

    def ask_cancel(self) -> None:
        """Ask whether the order that is shown is to be cancelled."""
        if self._order is not None and self._order.CRN and self.cancel_button.isEnabled():
            self._tasks.write(f"cancel {self._order.CRN}", self._cancel(self._order, self._order.CRN))

    async def _cancel(self, order: Order, reference: str) -> None:
        # Held on to while the question stands: the profile may change, and the order is cancelled where it is.
        desk = self.desk
        name = (order.Consignee.Name if order.Consignee else None) or "the consignee"
        sure = await confirmed(
            self,
            f"Cancel order {reference} for {name}?",
            "It leaves in ten seconds and can be taken back until then. After that the order would have to be entered "
            "again.",
            "Cancel the order",
            "Keep the order",
        )
        if not sure:
            return
        try:
            write_id = await outbox.queue_cancellation(desk, reference)
        except StoreError as error:
            self._say("bad", f"The cancellation was not sent. {error.sentence}")
            return
        self._say("soft", "The cancellation is in the outbox.")
        self._room.news.cancelling.emit(write_id, reference)
        self._room.news.wrote.emit()

    def _say(self, tone: Tone, sentence: str) -> None:
        set_tone(self.answer_label, tone)
        self.answer_label.setText(visible(sentence))
        self.answer_label.show()


def _history_section(history: Sequence[WriteRow]) -> tuple[Section, ...]:
    lines = tuple(
        (moment(each.changed_at), f"{STATE_LOOK[each.state][0]} {KIND_WORDS[each.kind]}: {state_word(each.state)}")
        for each in history
    )
    return (Section("Sent from this desk", lines),) if lines else ()


def _empty(layout: QLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        inner, widget = item.layout(), item.widget()
        if inner is not None:
            _empty(inner)
            inner.deleteLater()
        if isinstance(widget, QWidget):
            widget.hide()
            widget.deleteLater()

"""The dialog for delivery slots of one order: by what to ask, the days and their times, and what was reserved before.

It blocks nothing. Invariants: a slot is reserved only after a yes that names it, and only while the answer that offered
it is the one on screen. What became of a reservation is read from the journal.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QFrame, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.api.errors import ApiError
from app.contract.information import Order
from app.contract.replies import decode
from app.desk.desk import Desk
from app.desk.orders import stored_orders
from app.desk.requests import send_request
from app.desk.slots import slot_calls
from app.desk.slots.slot_calls import PARTNERS, FoundSlots, Partner, SlotQuestion
from app.desk.slots.slot_reading import Slot
from app.desk.text.typed_dates import read_typed_date
from app.store.journal.request_store import RequestRow
from app.store.store_errors import StoreError
from app.ui.base.page import Page
from app.ui.slots import slots_words as words
from app.ui.theme.tokens import SLOTS_SIZE, SPACE_1, SPACE_2, SPACE_3, SPACE_4
from app.ui.widgets.bars.message_bar import MessageBar
from app.ui.widgets.buttons import button
from app.ui.widgets.confirm import confirmed
from app.ui.widgets.field import ChoiceField, Field
from app.ui.widgets.layout import column, drop_items, holding, resize_within_screen, row, scrolling
from app.ui.widgets.lists.list_rows import set_list_rows
from app.ui.widgets.text.labels import set_tone, text_label, visible
from app.ui.widgets.text.times import clock

_SLOT = Qt.ItemDataRole.UserRole
_FIELDS_WIDTH = 240
_LONGEST_FACT, _MOST_FACTS = 200, 40  # letters, lines
_ASK, _RESERVE, _BEFORE = "get slots", "reserve slot", "read reservations"


@dataclass(frozen=True, slots=True)
class SlotOrder:
    """The order that slots are wanted for, as far as it is known."""

    reference: str
    facility: str = ""
    zip: str = ""
    requested: date | None = None


class SlotsDialog(QDialog):
    """Works with the tasks of `page`; `reserved` says that the journal has changed."""

    reserved = Signal()

    def __init__(self, page: Page, desk: Desk, order: SlotOrder) -> None:
        super().__init__(page)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Waybill")
        resize_within_screen(self, *SLOTS_SIZE)
        self._page, self._desk, self._order = page, desk, order
        self._today = page.services.now().date()
        self._found: FoundSlots | None = None
        self._question: SlotQuestion | None = None
        self._partner = PARTNERS[0]
        self._open = True
        self.bar = MessageBar(page.services.theme)
        self.partner = ChoiceField(words.PARTNER, [(each.name, each.name) for each in PARTNERS])
        self.reference = Field(words.REFERENCE, required=True, limit=30)
        self.facility = Field(words.FACILITY, limit=6)
        self.zip = Field(words.ZIP, limit=10)
        self.day = Field(words.FIRST_DAY, hint=words.DAY_HINT)
        self.more = Field(words.MORE, hint=words.MORE_HINT, lines=True)
        self.more.set_note(words.MORE_NOTE)
        self.get_button = button(words.GET, self.ask, kind="primary", key="F5")
        self.heading = text_label(words.CHOOSE, "soft", wrap=True)
        self.days, self.times = _list(words.DAYS), _list(words.TIMES)
        self.rest = text_label("", wrap=True, selectable=True)
        self.reserve_button = button(words.RESERVE, self._begin_reserving, key="Ctrl+Return")
        self._earlier = QVBoxLayout()
        self._earlier.setSpacing(SPACE_1)
        self._fill()
        self._lay_out()
        self._connect()
        self._say_chosen()
        self.finished.connect(self._on_finished)

    def _fill(self) -> None:
        order = self._order
        # A day that has passed has no slots: tomorrow then.
        wanted = order.requested if order.requested is not None and order.requested > self._today else None
        for field, text in (
            (self.reference, order.reference),
            (self.facility, order.facility),
            (self.zip, order.zip),
            (self.day, (wanted or self._today + timedelta(days=1)).isoformat()),
        ):
            field.set_text(text)

    def _lay_out(self) -> None:
        fields = (self.partner, self.reference, self.facility, self.zip, self.day, self.more)
        asking = scrolling(holding(column(*fields, self.get_button, None, gap=SPACE_1)))
        asking.setFixedWidth(_FIELDS_WIDTH)
        lists = row(
            holding(column(text_label(words.DAYS, "label"), self.days, gap=SPACE_1)),
            holding(column(text_label(words.TIMES, "label"), self.times, gap=SPACE_1)),
            gap=SPACE_2,
        )
        earlier = scrolling(holding(column(self._earlier, None)))
        answer = column(
            self.heading, lists, self.rest, row(self.reserve_button, None), SPACE_2,
            text_label(words.EARLIER, "heading"), earlier, gap=SPACE_1,
        )  # fmt: skip
        answer.setStretch(1, 3)
        answer.setStretch(6, 2)
        middle = row(asking, holding(answer), gap=SPACE_4)
        middle.setStretch(1, 1)
        body = holding(column(middle))
        self.setLayout(
            column(
                text_label(words.DIALOG_TITLE, "title"), body, row(None, button(words.CLOSE, self.accept)),
                margin=SPACE_4, gap=SPACE_3,
            )
        )  # fmt: skip
        self.bar.float_over(self, body)

    def _connect(self) -> None:
        self.days.currentItemChanged.connect(self._on_day)
        self.times.currentItemChanged.connect(self._say_chosen)
        self.times.itemActivated.connect(self._begin_reserving)
        self.days.itemActivated.connect(self._into_times)
        self.partner.changed.connect(self._forget_answer)
        for field in (self.reference, self.facility, self.zip, self.day, self.more):
            field.changed.connect(self._forget_answer)

    def open_for(self) -> None:
        """Show the dialog and what was reserved before."""
        self.show()
        self.get_button.setFocus()
        self._page.tasks.read(_BEFORE, self._read_earlier())

    def _on_finished(self) -> None:
        self._open = False
        # Not the reservation: a write is never cancelled, and its outcome is in the journal when the dialog opens
        # again.
        self._page.tasks.cancel(_ASK)
        self._page.tasks.cancel(_BEFORE)

    # Asking

    def _read_question(self) -> SlotQuestion | None:
        """The question in the fields; None if one of them is wrong, which is said beside it."""
        day, typed = self.day.text().strip(), read_typed_date(self.day.text(), self._today)
        more, wrong = slot_calls.more_fields(self.more.text())
        reference = self.reference.text().strip()
        issues = {
            self.reference: "" if reference else words.NEEDS_REFERENCE,
            self.day: words.NO_SUCH_DAY if day and typed is None else "",
            self.more: words.line_not_read(wrong) if wrong else "",
        }
        for field, issue in issues.items():
            field.set_issue(issue)
            field.show_issue_now()
        if any(issues.values()):
            return None
        first = "" if typed is None else typed.isoformat()
        return SlotQuestion(reference, self.facility.text().strip(), self.zip.text().strip(), first, more)

    def ask(self) -> None:
        """Ask the partner for slots."""
        question = self._read_question()
        if question is not None and not self._page.tasks.running(_RESERVE):
            partner = PARTNERS[self.partner.editor.currentIndex()]
            self._page.tasks.read(_ASK, self._ask(partner, question))

    async def _ask(self, partner: Partner, question: SlotQuestion) -> None:
        self._forget_answer()
        self.heading.setText(words.ASKING)
        self.get_button.setEnabled(False)
        try:
            found = await slot_calls.find_slots(self._desk, partner, question)
        finally:
            # A person may have closed the dialog, and deleted its widgets with it, while the provider was asked.
            if self._open:
                self.get_button.setEnabled(True)
        if self._open:
            self._found, self._question, self._partner = found, question, partner
            self._show_found(found)

    def _show_found(self, found: FoundSlots) -> None:
        if found.trouble:
            self.heading.setText(words.NOT_ANSWERED)
            self.bar.say("bad", found.trouble, words.TRY_AGAIN, self.ask, topic=_ASK)
            return
        self.bar.withdraw(_ASK)
        if not found.slots:
            self.heading.setText(words.NO_SLOTS)
            self.rest.setText(visible(_told(found.told)))
            return
        self.heading.setText(words.found(len(found.slots), clock(found.at)))
        days: dict[date | None, list[Slot]] = {}
        for each in found.slots:
            days.setdefault(each.day, []).append(each)
        for day, slots in days.items():
            item = QListWidgetItem(visible(words.slots_on(words.day_words(day), len(slots))))
            item.setData(_SLOT, slots)
            self.days.addItem(item)
        self.days.setCurrentRow(0)
        self.days.setFocus()

    def _forget_answer(self) -> None:
        """Another question stands in the fields: the slots on screen are no answer to it."""
        self._found = self._question = None
        self.days.clear()
        self.times.clear()
        self.rest.setText("")
        self.heading.setText(words.CHOOSE)
        self._say_chosen()

    # Choosing

    def _on_day(self, item: QListWidgetItem | None, _before: QListWidgetItem | None) -> None:
        self.times.clear()
        slots: Sequence[Slot] = item.data(_SLOT) if item is not None else ()
        for each in slots:
            made = QListWidgetItem(words.time_words(each.start, each.end))
            made.setData(_SLOT, each)
            self.times.addItem(made)
        if slots:
            self.times.setCurrentRow(0)

    def _into_times(self) -> None:
        self.times.setFocus()

    @property
    def chosen(self) -> Slot | None:
        """The slot that is chosen."""
        item = self.times.currentItem()
        slot = item.data(_SLOT) if item is not None else None
        return slot if isinstance(slot, Slot) else None

    def _say_chosen(self) -> None:
        slot = self.chosen
        if slot is not None:
            self.rest.setText(visible(_rest_words(slot)))
        may = slot is not None and self._partner.reserves and not self._page.tasks.running(_RESERVE)
        self.reserve_button.setEnabled(may)
        if slot is not None and not self._partner.reserves:
            self.rest.setText(visible(f"{_rest_words(slot)}\n{words.B_DOES_NOT_RESERVE}".strip()))

    # Reserving

    def _begin_reserving(self) -> None:
        slot, question = self.chosen, self._question
        if slot is not None and question is not None and self._partner.reserves:
            self._page.tasks.write(_RESERVE, self._reserve(slot, question))

    async def _reserve(self, slot: Slot, question: SlotQuestion) -> None:
        if not self._open:  # closed in the turn between the button and this task
            return
        title = words.slot_words(slot.day, slot.start, slot.end)
        asked = words.question(title, question.reference)
        if not await confirmed(
            self, asked, words.consequence(_rest_words(slot, ", ")), words.RESERVE_IT, words.KEEP_OPEN
        ):
            return
        self.reserve_button.setEnabled(False)
        self.bar.say("soft", words.RESERVING, topic=_RESERVE)
        try:
            row_ = await slot_calls.reserve(self._desk, question, slot, title)
        except (ApiError, StoreError) as error:
            if self._open:
                self.bar.say("bad", error.sentence, topic=_RESERVE, stays=True)
            return
        self._page.services.news.wrote.emit()
        if self._open:
            tone = words.REQUEST_LOOK[row_.state][1]
            meaning = f" {words.IN_DOUBT_MEANS}" if row_.state == "in_doubt" else ""
            self.bar.say(
                tone or "soft", f"{words.standing(row_)}. {row_.sentence}{meaning}", topic=_RESERVE, stays=True
            )
            self.reserved.emit()
            await self._read_earlier()

    async def _read_earlier(self) -> None:
        rows = await slot_calls.reserved(self._desk, self._order.reference)
        # A person may have closed the dialog, and deleted its widgets with it, while the journal was read.
        if not self._open:
            return
        drop_items(self._earlier)
        for each in rows:
            self._earlier.addWidget(ReservationView(each, partial(self._decide, each)))
        if not rows:
            self._earlier.addWidget(text_label(words.NONE_EARLIER, "soft"))
        self._say_chosen()

    def _decide(self, request: RequestRow, arrived: bool) -> None:
        self._page.tasks.write(f"decide {request.id}", self._decided(request, arrived))

    async def _decided(self, request: RequestRow, arrived: bool) -> None:
        await send_request.decide(self._desk, request, arrived=arrived)
        self._page.services.news.wrote.emit()
        self.bar.withdraw(_RESERVE)
        await self._read_earlier()


class ReservationView(QWidget):
    """One reservation as it stands; of one in doubt a person says whether it arrived, by `decide`."""

    def __init__(self, request: RequestRow, decide: "partial[None]") -> None:
        super().__init__()
        head = text_label(words.standing(request), "strong", wrap=True)
        set_tone(head, words.REQUEST_LOOK[request.state][1])
        parts: list[QWidget] = [head, text_label(words.told(request), "soft", wrap=True, selectable=True)]
        if request.state == "in_doubt":
            yes = button(words.ARRIVED, partial(decide, True))
            no = button(words.NOT_ARRIVED, partial(decide, False))
            parts += [text_label(words.IN_DOUBT_MEANS, wrap=True), holding(row(yes, no, None, gap=SPACE_1))]
        self.setLayout(column(*parts, gap=SPACE_1))


def _rest_words(slot: Slot, between: str = "\n") -> str:
    return _told(slot.rest, between)


def _told(facts: Sequence[tuple[str, str]], between: str = "\n") -> str:
    """The further facts of an answer. The provider may send megabytes, for which a label would stop the window."""
    told = between.join(words.labelled(_cut(name), _cut(text)) for name, text in facts[:_MOST_FACTS])
    return f"{told}{between}…" if len(facts) > _MOST_FACTS else told


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_FACT else f"{text[: _LONGEST_FACT - 1]}…"


def _list(name: str) -> QListWidget:
    made = QListWidget()
    made.setAccessibleName(name)
    made.setFrameShape(QFrame.Shape.NoFrame)
    set_list_rows(made)
    return made


async def open_slots(page: Page, number: int) -> SlotsDialog | None:
    """Open the dialog for the order with this number; say why not where it cannot be asked about."""
    found = await stored_orders.detail(page.desk, number)
    if found is None or not found.line.crn:
        page.bar.say("", words.NEEDS_REFERENCE)
        return None
    order = Order.model_validate(decode(found.raw.encode("utf-8", "replace")))
    wanted = order.DateScheduledDelivery or order.DateRequestedDelivery
    dialog = SlotsDialog(
        page,
        page.desk,
        SlotOrder(
            found.line.crn,
            (order.Facility.Id if order.Facility else "") or "",
            found.line.zip or "",
            None if wanted is None else wanted.date(),
        ),
    )
    dialog.open_for()
    return dialog

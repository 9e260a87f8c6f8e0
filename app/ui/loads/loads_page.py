"""The loads page: the loads at the left, and of one load its overage above this desk's orders that named it.

A load is shown at once as it was last answered, with its age, and asked about a moment later. Invariant: overage is
shown only for the load that the heading names.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, QTimer

from app.contract.codes import ORDER_STATE_WORDS
from app.desk.desk import Desk
from app.desk.files.save_files import safe_stem
from app.desk.loads import load_orders, overage
from app.desk.loads.load_orders import LoadOrder
from app.desk.orders import stored_orders
from app.desk.records.kept_records import KeptRecords
from app.desk.records.record_orders import NamedOrder, order_in
from app.desk.records.record_table import Record, RecordColumn, RecordTable, table_of
from app.ui.base.page import Page, PageServices
from app.ui.loads import loads_words as words
from app.ui.loads.load_list import LoadList
from app.ui.outbox.outbox_words import look_of
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.buttons import button, shortcut, with_icon
from app.ui.widgets.files.file_strip import FileStrip
from app.ui.widgets.layout import Splitter, column, holding, row
from app.ui.widgets.records.records_view import EXPORT_KEY, RecordsView
from app.ui.widgets.text.labels import ElidedLabel, text_label, visible
from app.ui.widgets.text.times import since

_REST_MS = 300  # a load that keys pass by is not asked about
_AGE_MS = 60_000
_OLDER = "older answer"  # a topic of the bar
_MATCH, _MISMATCH = "✓", "!"
_NUMBER, _REFERENCE = "orderNumber", "reference"
_COLUMNS = (
    (_REFERENCE, words.REFERENCE),
    ("scanned", words.SCANNED),
    ("documents", words.DOCUMENTS),
    ("consignee", words.CONSIGNEE),
    ("sent", words.SENT),
    ("state", words.STATE),
    (_NUMBER, words.NUMBER),
)


@dataclass(frozen=True, slots=True)
class ShownLoad:
    """The load on screen, its overage as far as known, and its orders; `asking` while the provider is asked."""

    load: str = ""
    answer: KeptRecords | None = None
    orders: Sequence[LoadOrder] = ()
    asking: bool = False


class LoadsPage(Page):
    """`show_load` shows a load from anywhere."""

    def __init__(self, services: PageServices) -> None:
        super().__init__(services, "loads")
        theme = services.theme
        self.shown = ShownLoad()
        self.loads = LoadList()
        self.title = text_label("", "title", selectable=True)
        self.age_label = ElidedLabel("soft")
        self.ask_button = with_icon(
            button(words.ASK, self.ask, kind="primary", key="F5"), theme, "refresh-cw", "on_accent"
        )
        self.export_button = with_icon(button(words.EXPORT, self.export, key=EXPORT_KEY), theme, "download")
        self.overage = RecordsView(theme, words.OVERAGE, search=words.IN_OVERAGE)
        self.orders = RecordsView(theme, words.ORDERS, search=words.IN_ORDERS)
        self.files = FileStrip(theme, self.tasks)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MS)
        self._age = QTimer(self)
        self._age.setInterval(_AGE_MS)
        self._lay_out()
        self._connect()
        self._draw()

    def _lay_out(self) -> None:
        head = row(self.title, self.age_label, self.ask_button, self.export_button, gap=SPACE_2)
        head.setStretch(1, 1)
        above = holding(column(self.overage))
        orders = column(text_label(words.ORDERS, "heading"), self.orders, margin=(0, SPACE_2, 0, 0), gap=SPACE_1)
        self.below = below = holding(orders)
        self.splitter = Splitter(Qt.Orientation.Vertical)
        self.splitter.addWidget(above)
        self.splitter.addWidget(below)
        self.splitter.setChildrenCollapsible(False)
        right = column(head, self.splitter, gap=SPACE_2)
        right.setStretch(1, 1)
        whole = row(self.loads, holding(right), margin=SPACE_3, gap=SPACE_3)
        whole.setStretch(1, 1)
        body = holding(whole)
        self.setLayout(column(body))
        self.bar.float_over(self, body)
        self.files.float_over(self, body)

    def _connect(self) -> None:
        self.loads.typed.connect(self._list_loads)
        self.loads.shown.connect(self._show_soon)
        self.loads.asked.connect(self.show_load)
        self._rest.timeout.connect(self.ask)
        self._age.timeout.connect(self._say_age)
        self.overage.opened.connect(self._open_named)
        self.orders.opened.connect(self._open_named)
        opens = ((words.OPEN_ORDER, "Return", self._open_named, _names_order),)
        self.overage.row_actions = self.orders.row_actions = opens
        self.services.news.wrote.connect(self._on_news)
        self.services.news.stored.connect(self._on_news)
        shortcut(self, "Ctrl+F", self._into_field)

    def take_desk(self, desk: Desk) -> None:
        super().take_desk(desk)
        self._rest.stop()
        # The answer for the connection before would be shown under this one's heading.
        self.tasks.cancel("overage")
        self.shown = ShownLoad()
        self.loads.show_load("")
        self._draw()
        self._list_loads("")

    def enter(self) -> None:
        self._list_loads(self.loads.field.text() if not self.shown.load else "")
        if self.shown.load:
            self.tasks.read("orders", self._read_orders(self.shown.load))
            self.overage.into_rows()
        else:
            self._into_field()

    def page_commands(self) -> list[tuple[str, str, Callable[[], object]]]:
        if not self.shown.load:
            return []
        return [(words.ASK, "F5", self.ask), (words.EXPORT, EXPORT_KEY, self.export)]

    def _into_field(self) -> None:
        self.loads.field.editor.setFocus()
        self.loads.field.editor.selectAll()

    # Which load

    def show_load(self, load: str) -> None:
        """Show a load as it was last answered, and ask about it."""
        self._show(load)
        self.ask()

    def _show_soon(self, load: str) -> None:
        self._show(load)
        self._rest.start()

    def _show(self, load: str) -> None:
        self._rest.stop()
        self.bar.withdraw(_OLDER)
        if load != self.shown.load:
            self.shown = ShownLoad(load)
            self.overage.filter.clear()
            self._draw()
        self.loads.show_load(load)
        self._list_loads("")

    def ask(self) -> None:
        """Ask the provider about the load that is shown."""
        self._rest.stop()
        if self.shown.load:
            self.tasks.read("overage", self._ask(self.desk, self.shown.load))

    async def _ask(self, desk: Desk, load: str) -> None:
        # Shown twice: at once what is known, and again once the provider has answered.
        before = self.shown.answer or await overage.last_answer(desk, load)
        orders = await load_orders.orders_on(desk, load)
        self.shown = ShownLoad(load, before, orders, asking=True)
        self._draw()
        answer = await overage.ask(desk, load)
        self.shown = ShownLoad(load, answer, orders)
        self._draw()
        self._list_loads("")

    async def _read_orders(self, load: str) -> None:
        orders = await load_orders.orders_on(self.desk, load)
        # Another load was chosen while the journal was read.
        if load == self.shown.load:
            self.shown = ShownLoad(load, self.shown.answer, orders, self.shown.asking)
            self._draw_orders()

    def _list_loads(self, typed: str) -> None:
        if self._desk is not None:
            self.tasks.read("loads", self._read_loads(self.desk, typed))

    async def _read_loads(self, desk: Desk, typed: str) -> None:
        self.loads.fill(await load_orders.recent_loads(desk, typed), self.shown.load, typed)

    def _on_news(self) -> None:
        """The journal or the orders have changed: only a page in sight reads them at once, others when shown."""
        if self.isVisible() and self.shown.load:
            self.tasks.read("orders", self._read_orders(self.shown.load))

    # What is shown

    def _draw(self) -> None:
        shown = self.shown
        self.title.setText(visible(words.title(shown.load)) if shown.load else "")
        self.ask_button.setEnabled(bool(shown.load) and not shown.asking)
        self._draw_overage()
        self._draw_orders()
        self._say_age()
        self._age.start()

    def _draw_overage(self) -> None:
        shown, answer, view = self.shown, self.shown.answer, self.overage
        self.bar.withdraw(_OLDER)
        if not shown.load:
            view.show_state("inbox", words.CHOOSE, words.CHOOSE_SENTENCE)
        elif answer is None or answer.at is None:
            if shown.asking or answer is None:
                view.show_state("clock", words.ASKING)
            else:
                view.show_state("cloud-off", words.NOT_ANSWERED, answer.trouble, words.TRY_AGAIN, self.ask)
        else:
            self._draw_answer(answer)
        self.export_button.setEnabled(bool(view.table.records))

    def _draw_answer(self, answer: KeptRecords) -> None:
        assert answer.at is not None
        age = since(answer.at, self.services.now())
        if answer.records:
            self.overage.show_table(table_of(answer.records))
        else:
            self.overage.show_state("circle-check", words.nothing_over(self.shown.load), words.asked_at(age))
        if answer.trouble:
            sentence = words.shown_as_of(age, answer.trouble)
            self.bar.say("warn", sentence, words.TRY_AGAIN, self.ask, topic=_OLDER)

    def _draw_orders(self) -> None:
        self.below.setVisible(bool(self.shown.load))
        if self.shown.orders:
            self.orders.show_table(_orders_table(self.shown.orders))
        elif self.shown.answer is None:
            self.orders.show_state("clock", words.READING)
        else:
            self.orders.show_state("package", words.NO_ORDERS, words.NO_ORDERS_SENTENCE)

    def status_text(self) -> str:
        """The shown load, how many records are over on it, and how old the answer is."""
        shown, answer = self.shown, self.shown.answer
        if not shown.load:
            return words.CHOOSE
        age = "" if answer is None or answer.at is None else since(answer.at, self.services.now())
        count = len(answer.records) if answer is not None else 0
        return words.status(shown.load, count, age, asking=shown.asking)

    def _say_age(self) -> None:
        self.tell_status()
        answer = self.shown.answer
        if self.shown.asking:
            self.age_label.say(words.ASKING)
        elif answer is None or answer.at is None or not answer.records:
            self.age_label.say("")
        else:
            self.age_label.say(words.as_of(since(answer.at, self.services.now()), len(self.overage.table.records)))

    # What is done

    def export(self) -> None:
        """Write the overage that is shown into a file."""
        if self.overage.table.records:
            name = safe_stem("overage", self.shown.load, f"{self.services.now():%Y-%m-%d}")
            self.files.begin(self.overage.export_job(words.EXPORT_TITLE, name, words.SHEET))

    def _open_named(self, record: Record) -> None:
        named = order_in(record)
        if not named:
            self.bar.say("", words.NO_ORDER_IN_ROW)
        elif named.number is not None:
            self.services.news.show_order.emit(named.number)
        else:
            self.tasks.read("open order", self._open_by_reference(named))

    async def _open_by_reference(self, named: NamedOrder) -> None:
        number = await stored_orders.number_of(self.desk, named.reference)
        if number is None:
            self.bar.say("", words.not_known_here(named.reference))
        else:
            self.services.news.show_order.emit(number)


def _names_order(record: Record) -> bool:
    return bool(order_in(record))


def _orders_table(orders: Sequence[LoadOrder]) -> RecordTable:
    """The orders on a load: how each stands, what was scanned of it, and its documents about the load."""
    columns = tuple(RecordColumn((name,), title, title, name == _NUMBER, name == _NUMBER) for name, title in _COLUMNS)
    return RecordTable(columns, tuple(map(_record, orders)))


def _record(order: LoadOrder) -> Record:
    look = look_of(order.write)
    return {
        _REFERENCE: order.reference,
        "scanned": _scanned_words(order),
        "documents": _documents_words(order),
        "consignee": order.consignee,
        "sent": f"{look.glyph} {look.word}",
        "state": _state(order),
        _NUMBER: None if order.order is None else order.order.number,
    }


def _state(order: LoadOrder) -> str:
    line = order.order
    return words.NOT_SEEN if line is None else line.status or ORDER_STATE_WORDS.get(line.state or "", line.state or "")


def _scanned_words(order: LoadOrder) -> str:
    """`✓ 2 of 2 CHAIR`; an exclamation mark in front if other pieces were scanned than the freight says."""
    if not any(each.scanned for each in order.scanned):
        return words.NOTHING_SCANNED
    told = ", ".join(
        words.scanned_of(f"{each.scanned.normalize():,f}", f"{each.wanted.normalize():,f}", each.commodity)
        for each in order.scanned
    )
    return f"{_MATCH if order.matches else _MISMATCH} {told}"


def _documents_words(order: LoadOrder) -> str:
    """The documents about too much or too little, by their kinds."""
    if order.order is None:
        return ""
    if order.hints is None:
        return words.UNKNOWN_DOCUMENTS
    return ", ".join(dict.fromkeys(each.kind for each in order.hints))

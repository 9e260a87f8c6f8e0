"""The facilities page: a tab for each kind of reference data that the provider can be asked for.

A page of its own, not a panel of the form: staff look a facility up while they speak on the phone, with any page before
them, and come back to the answer later. The order form has its own short list for the ZIP and the bill-to.
"""

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QPushButton, QStackedWidget

from app.contract.facilities import read_facility
from app.desk.desk import Desk
from app.desk.known.reference_lookups import FACILITIES, LOOKUPS
from app.desk.orders import stored_orders
from app.desk.records.kept_records import Asked
from app.desk.records.record_orders import NamedOrder, order_in
from app.desk.records.record_table import Record
from app.ui.base.page import Page, PageServices
from app.ui.facilities import facilities_words as words
from app.ui.facilities.lookup_pane import LookupPane
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.buttons import shortcut, tab
from app.ui.widgets.choosing.suggestions import SuggestionList
from app.ui.widgets.files.file_strip import FileStrip
from app.ui.widgets.layout import SideBySide, column, holding, row
from app.ui.widgets.records.records_view import EXPORT_KEY

_OLDER = "older answer"  # a topic of the bar
_OPEN_FACILITIES, _OPEN_ORDERS = "partner_c_facilities", "partner_c_open_orders"


class FacilitiesPage(Page):
    """`look_up` shows a tab and asks by these values, from anywhere."""

    def __init__(self, services: PageServices) -> None:
        super().__init__(services, "facilities")
        self.files = FileStrip(services.theme, self.tasks)
        self.offers = SuggestionList(services.theme, self)
        self.panes = {each.name: LookupPane(self, each, self.offers, self.files) for each in LOOKUPS}
        self.tabs: dict[str, QPushButton] = {each.name: tab(each.title, each.name) for each in LOOKUPS}
        self.stack = QStackedWidget()
        for name, pane in self.panes.items():
            self.stack.addWidget(pane)
            self.tabs[name].toggled.connect(partial(self._on_tab, name))
            pane.told.connect(partial(self._say_trouble, name))
            pane.drawn.connect(self.tell_status)
            pane.records.opened.connect(partial(self._open_row, name))
            pane.records.row_actions = self._actions(name)
        whole = column(self._tab_line(), self.stack, margin=SPACE_3, gap=SPACE_2)
        whole.setStretch(1, 1)
        body = holding(whole)
        self.setLayout(column(body))
        self.bar.float_over(self, body)
        self.files.float_over(self, body)
        self.tabs[FACILITIES].setChecked(True)
        for key, act in (
            ("F5", self._ask),
            (EXPORT_KEY, self._export),
            ("Ctrl+F", self._into_fields),
            ("Ctrl+PgDown", partial(self._step, 1)),
            ("Ctrl+PgUp", partial(self._step, -1)),
        ):
            shortcut(self, key, act)

    def _tab_line(self) -> SideBySide:
        """The tabs in one line, or in two where their titles have no room in one."""
        made, half = list(self.tabs.values()), (len(self.tabs) + 1) // 2
        first, second = (holding(row(*some, None, gap=SPACE_1)) for some in (made[:half], made[half:]))
        return SideBySide(first, second, growing=1, gap=SPACE_1)

    def _actions(self, name: str) -> tuple[tuple[str, str, Callable[[Record], object], Callable[[Record], bool]], ...]:
        orders = (words.OPEN_ORDER, "Return", self._open_order, _names_order)
        open_orders = (words.ITS_OPEN_ORDERS, "Return", self._open_orders_of, _names_facility)
        return {FACILITIES: (open_orders,), _OPEN_FACILITIES: (open_orders,), _OPEN_ORDERS: (orders,)}.get(name, ())

    def status_text(self) -> str:
        """What the shown kind of reference data has found, and when."""
        return self.pane.status_text()

    @property
    def pane(self) -> LookupPane:
        """The pane in sight."""
        found = self.stack.currentWidget()
        assert isinstance(found, LookupPane)
        return found

    def take_desk(self, desk: Desk) -> None:
        super().take_desk(desk)
        for each in self.panes.values():
            each.take_desk(desk)

    def enter(self) -> None:
        self.pane.enter()

    def page_commands(self) -> list[tuple[str, str, Callable[[], object]]]:
        return [(each.lookup.title, "", partial(self.show_lookup, name)) for name, each in self.panes.items()]

    def show_lookup(self, name: str) -> None:
        """Show the tab of a lookup."""
        self.tabs[name].setChecked(True)
        self.panes[name].enter()

    def look_up(self, name: str, asked: Asked) -> None:
        """Show the tab of a lookup and ask by these values."""
        self.show_lookup(name)
        self.panes[name].ask_by(asked)

    def _on_tab(self, name: str, on: bool) -> None:
        if on:
            self.stack.setCurrentWidget(self.panes[name])
            self.tell_status()
            if self.isVisible():
                self.panes[name].enter()

    def _step(self, by: int) -> None:
        names = list(self.panes)
        self.show_lookup(names[(names.index(self.pane.lookup.name) + by) % len(names)])

    def _ask(self) -> None:
        self.pane.ask()

    def _export(self) -> None:
        self.pane.export()

    def _into_fields(self) -> None:
        self.pane.enter()

    def _say_trouble(self, name: str, sentence: str) -> None:
        if sentence:
            again = self.panes[name].ask
            self.bar.say("warn", sentence, words.TRY_AGAIN, again, topic=f"{_OLDER} {name}")
        else:
            self.bar.withdraw(f"{_OLDER} {name}")

    # Rows

    def _open_row(self, name: str, record: Record) -> None:
        if name in (FACILITIES, _OPEN_FACILITIES):
            self._open_orders_of(record)
        elif name == _OPEN_ORDERS:
            self._open_order(record)

    def _open_orders_of(self, record: Record) -> None:
        facility = read_facility(record)
        if facility is None:
            self.bar.say("", words.NO_FACILITY_IN_ROW)
        else:
            self.look_up(_OPEN_ORDERS, {"ProviderFacilityCode": facility.code})

    def _open_order(self, record: Record) -> None:
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


def _names_facility(record: Record) -> bool:
    return read_facility(record) is not None

"""The orders page: open and completed orders as last seen, refreshed from the provider, with one order beside them.

What of the outbox the provider's list does not show yet stands before the open orders.
"""

from collections.abc import Callable

from PySide6.QtCore import QItemSelection, QModelIndex, Qt, Signal
from PySide6.QtWidgets import QSplitter

from app.desk import orders
from app.desk.desk import Desk
from app.desk.outstanding import OutboxLine
from app.store.cache_rows import SORTS, ListName, OrderQuery
from app.ui.orders.actions import RowActions
from app.ui.orders.arranging import Arranging
from app.ui.orders.beside import Beside
from app.ui.orders.columns import COMPLETED_COLUMNS, OPEN_COLUMNS, key_of
from app.ui.orders.freshness import count_words, emptiness
from app.ui.orders.head import LISTS, OrdersHead
from app.ui.orders.model import OrdersModel
from app.ui.orders.showing import Asked, Showing
from app.ui.orders.table import OrdersTable
from app.ui.page import Page, Room
from app.ui.widgets.buttons import shortcut
from app.ui.widgets.layout import column
from app.ui.widgets.states import StateView

_FIRST_SORT: dict[ListName, tuple[str, bool]] = {"open": ("imported_at", True), "completed": ("delivered_at", True)}
USUAL_COLUMNS: dict[ListName, tuple[str, ...]] = {"open": OPEN_COLUMNS, "completed": COMPLETED_COLUMNS}


class OrdersPage(Page):
    """Shows the store; the network only feeds the store."""

    told = Signal(str)  # how old what is shown is, for the status bar
    heard = Signal(str)  # the provider was asked: the sentence for trouble, empty when it answered

    def __init__(self, room: Room) -> None:
        super().__init__(room, "orders")
        self.list_name: ListName = "open"
        self._sort: dict[ListName, tuple[str, bool]] = dict(_FIRST_SORT)
        self.model = OrdersModel((), self)
        self.table = OrdersTable(room.theme, self.model)
        self.states = StateView(room.theme, self.table)
        self._build(room)
        self._connect(room)
        self.states.show_state("clock", "Reading what was last seen…")

    def _build(self, room: Room) -> None:
        head = self.head = OrdersHead(room.theme, self.bar, self.tasks, self._shown)
        self.fetching, self.refresher = head.fetching, head.fetching.refresher
        self.tabs = head.tabs
        self.filter, self.count_label, self.progress = head.filter, head.count_label, head.progress
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.states)
        self.splitter.setHandleWidth(1)
        self.beside = Beside(self, self.splitter)
        self.showing = Showing(self.tasks, self.table, self.beside, self._asked)
        self.arranging = Arranging(self, self.tasks)
        self.row_actions = RowActions(self, self.table, self.showing, self.beside, self.arranging)
        body = column(head, self.splitter)
        body.setStretch(1, 1)
        self.setLayout(body)

    def _connect(self, room: Room) -> None:
        # The store answers within a frame, so every keystroke may ask; the newest question replaces the older one.
        self.filter.textChanged.connect(self.reload)
        for each in self.tabs.values():
            each.toggled.connect(self._on_tab)
        self.filter.returnPressed.connect(self._into_table)
        self.fetching.told.connect(self.told)
        self.refresher.rows_came.connect(self.reload)
        self.refresher.ended.connect(self._on_list_ended)
        self.refresher.finished.connect(self.reload)
        self.showing.counted.connect(self._say_rows)
        self.table.sort_asked.connect(self._on_sort)
        self.table.arranged.connect(self.arranging.put)
        self.table.columns_asked.connect(self.arranging.open_menu)
        self.arranging.changed.connect(self.showing.show_columns)
        self.arranging.sort_asked.connect(self._on_sort)
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        # A screen reader selects a row without standing on it.
        self.table.selectionModel().selectionChanged.connect(self._on_selection)
        # An order that was closed opens again: its row is current still, so no change of it is told.
        self.table.clicked.connect(self._on_row)
        self.table.activated.connect(self._on_row)
        self.table.escaped.connect(self.beside.close)
        self.table.typed.connect(self._begin_filter)
        room.news.stored.connect(self.reload)
        room.news.wrote.connect(self._on_wrote)
        shortcut(self, "Ctrl+F", self._into_filter)
        shortcut(self, "Ctrl+Delete", self.row_actions.cancel)
        shortcut(self, "F8", self.arranging.open_dialog)

    def take_desk(self, desk: Desk) -> None:
        super().take_desk(desk)
        self.beside.take_desk(desk)
        self.showing.take_desk(desk)
        self.fetching.take_desk(desk)
        self.reload()

    @property
    def query(self) -> OrderQuery:
        """What the table shows now."""
        sort, descending = self._sort[self.list_name]
        return OrderQuery(
            profile=self.desk.profile.id,
            list=self.list_name,
            text=self.filter.text().strip(),
            sort=sort,
            descending=descending,
        )

    def enter(self) -> None:
        self.table.setFocus()

    def _asked(self) -> Asked | None:
        if self._desk is None or not self.arranging.current:
            return None
        return Asked(self.query, self.arranging.current, outbox=self.list_name == "open")

    def reload(self) -> None:
        """Ask the store again for what is on screen."""
        if self._desk is not None:
            self.tasks.read("rows", self.load_rows())

    async def load_rows(self) -> None:
        """Ask the store again and show the answer."""
        await self.arranging.use(self.desk, self.list_name, USUAL_COLUMNS[self.list_name])
        await self.showing.load()
        await self._count_lists()

    def _say_rows(self) -> None:
        self._show_state(self.model.rowCount())
        outbox = self.showing.outstanding
        self.count_label.setText(count_words(self.showing.count, outbox.count, more=outbox.more))

    async def _count_lists(self) -> None:
        for name, count in (await orders.counts(self.desk)).items():
            self.tabs[name].setText(f"{LISTS[name]} {count:,}" if count else LISTS[name])
            self.tabs[name].setAccessibleName(f"{LISTS[name]}, {count:,} orders")

    def _show_state(self, count: int) -> None:
        if count:
            self.states.show_content()
            return
        refresher, desk = self.refresher, self.desk
        why = emptiness(
            self.list_name,
            filtered=bool(self.filter.text().strip()),
            trouble=desk.trouble,
            connected=desk.provider is not None,
            busy=refresher.busy,
            result=refresher.results.get(self.list_name),
            days=refresher.days,
        )
        act = self.filter.clear if why.action == "Clear the filter" else refresher.start
        self.states.show_state(why.icon, why.heading, why.sentence, why.action, act)

    def _on_list_ended(self, _name: str, trouble: str) -> None:
        self.heard.emit(trouble)
        self.room.news.stored.emit()

    def _shown(self) -> tuple[ListName, int]:
        return self.list_name, self.showing.count

    def _on_tab(self, chosen: bool) -> None:
        if not chosen:
            return
        self.list_name = next(name for name, each in self.tabs.items() if each.isChecked())
        self.table.scrollToTop()
        self.bar.clear()
        self.reload()
        self.fetching.show_list()

    def _on_sort(self, name: str) -> None:
        if name not in SORTS:
            return
        old, descending = self._sort[self.list_name]
        self._sort[self.list_name] = (name, not descending if old == name else False)
        self.table.scrollToTop()
        self.reload()

    def sort_by(self, name: str) -> None:
        """Sort by a column; the other way round if it is the one already."""
        self._on_sort(name)

    def open_order(self, number: int) -> None:
        """Show this order beside the table, wherever it stands."""
        self.beside.show_order(number)
        self.showing.restore_selection(set())

    def page_commands(self) -> list[tuple[str, str, Callable[[], object]]]:
        """What can be done here besides what is done with rows: words, key, and what does it."""
        return [
            ("Filter orders", "Ctrl+F", self._into_filter),
            ("Clear the filter", "", self.filter.clear),
            ("Arrange columns", "F8", self.arranging.open_dialog),
        ]

    def view_commands(self) -> list[tuple[str, Callable[[], object]]]:
        """The lists and views there are: words, and what shows them."""
        return [(each.text(), each.click) for each in self.tabs.values()]

    def _on_row(self, current: QModelIndex) -> None:
        if self.table.being_placed or not current.isValid():
            return
        line = self.model.line(current.row())
        if line is not None and key_of(line) != self.beside.key:
            if isinstance(line, OutboxLine):
                self.beside.show_write(line.write.id)
            else:
                self.beside.show_order(line.number)

    def _on_selection(self, _now: QItemSelection, _before: QItemSelection) -> None:
        spans = self.table.selectionModel().selection()
        if spans.size() == 1 and spans.at(0).height() == 1:
            self._on_row(self.model.index(spans.at(0).top(), 0))

    def ask_again(self) -> None:
        """Something was sent: the order that is shown may have changed at the provider."""
        self.beside.ask_again()

    def _on_wrote(self) -> None:
        self.beside.redraw()
        self.showing.outbox_changed()

    def _into_filter(self) -> None:
        self.filter.setFocus()
        self.filter.selectAll()

    def _begin_filter(self, text: str) -> None:
        """Typing in the table filters: what is typed next is in the filter already."""
        self.filter.setFocus()
        self.filter.setText(text)

    def _into_table(self) -> None:
        self.table.setFocus()
        if self.model.rowCount():
            self.table.selectRow(0)

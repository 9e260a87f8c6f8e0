"""The orders page: open and completed orders as last seen, refreshed from the provider, with one order beside them.

What of the outbox the provider's list does not show yet stands before the open orders.
"""

from collections.abc import Callable
from datetime import date
from functools import partial

from PySide6.QtCore import QItemSelection, QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QPushButton, QSplitter

from app.desk.desk import Desk
from app.desk.filter.filter_language import EVERYWHERE
from app.desk.orders import stored_orders
from app.desk.sending.outstanding_orders import OutboxLine
from app.store.cache.order_rows import ListName, OrderLine, OrderQuery
from app.store.cache.schema.conditions import Clause
from app.ui.base.page import Page, Room
from app.ui.orders.actions.order_actions import RowActions
from app.ui.orders.detail.beside import Beside
from app.ui.orders.exports import Exports
from app.ui.orders.fetching.freshness import count_words, empty_state, older_words, orders_words
from app.ui.orders.filter.filter_line import FilterLine
from app.ui.orders.filter.order_views_bar import OrderViews
from app.ui.orders.filter.other_lists import Elsewhere
from app.ui.orders.filter.sets import Sets
from app.ui.orders.filter.viewing import one_list
from app.ui.orders.following import Following
from app.ui.orders.held import Held
from app.ui.orders.orders_head import OrdersHead
from app.ui.orders.orders_keyboard import Keyboard
from app.ui.orders.showing import Asked, Showing
from app.ui.orders.sorting import Sorting
from app.ui.orders.table.arrangement import names_of
from app.ui.orders.table.arranging import Arranging
from app.ui.orders.table.column_list import Line, key_of
from app.ui.orders.table.orders_model import OrdersModel
from app.ui.orders.table.orders_table import OrdersTable, placing_selection
from app.ui.orders.table.raw_columns import parts_among
from app.ui.orders.watching import Watching
from app.ui.widgets.buttons import shortcut
from app.ui.widgets.layout import column
from app.ui.widgets.states import StateView


class OrdersPage(Page):
    """Shows the store; the network only feeds the store."""

    told = Signal(str)  # how old what is shown is, for the status bar
    heard = Signal(str)  # the provider was asked: the sentence for trouble, empty when it answered

    def __init__(self, room: Room) -> None:
        super().__init__(room, "orders")
        self.model = OrdersModel((), self)
        self.table = OrdersTable(room.theme, self.model)
        self.states = StateView(room.theme, self.table)
        self._build(room)
        self._connect(room)
        self.states.show_state("clock", "Reading what was last seen…")

    def _build(self, room: Room) -> None:
        self._older: tuple[Asked | None, int] = None, 0  # of what is shown, how many are of dates not fetched any more
        self.line = FilterLine(room.theme, self, self._today)
        head = self.head = OrdersHead(room.theme, self.bar, self.tasks, self.line, self._shown, self._today)
        self.fetching, self.refresher = head.fetching, head.fetching.refresher
        self.filter, self.count_label, self.progress = self.line.editor, head.count_label, head.progress
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.states)
        self.splitter.setHandleWidth(1)
        self.beside = Beside(self, self.splitter)
        self.showing = Showing(self.tasks, self.table, self.beside, self._ask)
        self.following = Following(self, self.showing, self.beside)
        self.held = Held(self, self.showing, self.beside)
        self.arranging = Arranging(self, self.tasks)
        self.views = OrderViews(self, head.views, self.line, self.arranging)
        self.sorting = Sorting(self, self.bar, self.views.state, self._show_sorted, partial(self.tasks.cancel, "rows"))
        self.watching = Watching(self, self.table, self.beside)
        self.row_actions = RowActions(self, self.table, self.showing, self.beside, self.arranging, self.watching)
        self.elsewhere = Elsewhere(self.line, self._today)
        self.keyboard = Keyboard(self.filter, self.table, self._is_shown, self.elsewhere.show)
        self.sets = Sets(self, self.views, self.line, head.chips)
        self.exports = Exports(self, self.splitter, self.showing, self.views)
        self.row_actions.is_shown = self._is_shown
        self.row_actions.export_lines = self.exports.begin_chosen
        self.beside.step = self.step
        self.beside.turn_watch = self.row_actions.watch_one
        self.beside.is_watched = self.watching.is_watched
        self.beside.find = self._find
        body = column(head, self.splitter)
        body.setStretch(1, 1)
        self.setLayout(body)
        self.bar.float_over(self, self.splitter)

    def _connect(self, room: Room) -> None:
        # The store answers within a frame, so every keystroke may ask; the newest question replaces the older one.
        self.line.changed.connect(self.reload)
        self.line.ask_values = self._count_values
        self.head.chips.asked.connect(self._count_values)
        self.views.chosen.connect(self._on_view)
        self.sets.changed.connect(self._on_view)
        self.fetching.status_changed.connect(self.told)
        self.fetching.range_changed.connect(self._on_range)
        self.fetching.departed_asked.connect(self._show_departed)
        self.refresher.rows_came.connect(self.reload)
        self.refresher.answered.connect(self._on_answered)
        self.refresher.ended.connect(self._on_list_ended)
        self.refresher.finished.connect(self._on_refreshed)
        self.refresher.finished.connect(self.watching.tell_changes)
        self.showing.counted.connect(self._say_rows)
        self.showing.counted.connect(self.fetching.show_status)
        self.showing.preparing.connect(self.sorting.hear)
        self.table.sort_asked.connect(self.sorting.by)
        self.table.arranged.connect(self.arranging.put)
        self.table.columns_asked.connect(self.arranging.open_menu)
        self.arranging.changed.connect(self._on_arranged)
        self.arranging.sort_asked.connect(self.sorting.by)
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        # A screen reader selects a row without standing on it.
        self.table.selectionModel().selectionChanged.connect(self._on_selection)
        # An order that was closed opens again: its row is current still, so no change of it is told.
        self.table.clicked.connect(self._on_row)
        self.table.activated.connect(self._on_row)
        self.table.escaped.connect(self.beside.close)
        self.table.typed.connect(self._begin_filter)
        room.news.stored.connect(self._on_stored)
        room.news.wrote.connect(self._on_wrote)
        shortcut(self, "Ctrl+F", self.keyboard.into_line)
        shortcut(self, "Ctrl+Delete", self.row_actions.cancel)
        shortcut(self, "F8", self.arranging.open_dialog)
        shortcut(self, "Ctrl+Shift+E", self.exports.begin)
        shortcut(self, "Ctrl+Shift+V", self.sets.open_pasted)
        shortcut(self, "Ctrl+PgDown", self.views.next)
        shortcut(self, "Ctrl+PgUp", self.views.before)

    def take_desk(self, desk: Desk) -> None:
        super().take_desk(desk)
        self.beside.take_desk(desk)
        self.showing.take_desk(desk)
        self.fetching.take_desk(desk)
        self.watching.take_desk(desk)
        self.reload()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.views.at_leisure:
            # A timer of zero fires once everything that was waiting has been done: then the window can be used.
            self.views.at_leisure = True
            QTimer.singleShot(0, self, self._after_paint)

    def _after_paint(self) -> None:
        """What the first paint does without, and would have to share the processor with."""
        self.showing.at_leisure = True
        self.views.count()
        self.showing.read_ahead()

    @property
    def tabs(self) -> dict[str, QPushButton]:
        """The views' tabs, by their names in small letters."""
        return self.views.bar.tabs

    @property
    def list_name(self) -> ListName:
        """The list that is shown."""
        return self.views.list_name

    @property
    def query(self) -> OrderQuery:
        """What the table shows now."""
        assert self.showing.now is not None
        return self.showing.now.query

    def _today(self) -> date:
        return self.room.now().date()

    def connected(self) -> None:
        self.refresher.begin()

    def enter(self) -> None:
        self.keyboard.enter()

    async def _ask(self) -> Asked | None:
        """What the view, the line and the sorting ask for."""
        from app.desk.filter.resolve_filter import order_query

        desk, today = self._desk, self._today()
        if desk is None:
            return None
        asked = self.views.state.asked(self.line.filter, today)
        sort, descending = self.views.state.sort
        query = await order_query(desk, asked, sort, descending=descending)
        query = query._replace(parts=parts_among(names_of(self.arranging.current)))
        return Asked(query, self.arranging.current, _with_outbox(asked.clauses), asked)

    def reload(self) -> None:
        """Ask the store again for what is on screen."""
        if self._desk is not None:
            self.tasks.read("rows", self.load_rows())

    async def load_rows(self) -> None:
        """Ask the store again and show the answer."""
        await self.views.use(self.desk)
        state = self.views.state
        await self.arranging.use(self.desk, state.current.name.casefold(), state.usual_columns(self._today()))
        await self.showing.load()
        await self._look_elsewhere()
        if self.showing.now is not None:
            await self._name_codes(self.showing.now)
            await self.fetching.offer_documents(self.showing.now.query)
            self._see_columns()
        self.views.count()
        await self._count_older()

    async def _name_codes(self, now: Asked) -> None:
        """A facility that the filter asks for goes by its name on its chip, however it was typed."""
        from app.desk.filter.resolve_filter import names_in

        self.head.chips.take_names(*await names_in(self.desk, now.asked, now.query))

    async def _look_elsewhere(self) -> None:
        """Where the filter finds nothing here, it may on another list."""
        now = self.showing.now
        if now is not None and not self.model.rowCount() and self.filter.text().strip():
            await self.elsewhere.look(self.desk, now.asked)
            if self.elsewhere.words and now is self.showing.now:
                self._show_state(self.model.rowCount())

    def _is_shown(self) -> bool:
        """Whether the rows are those that the line asks for now."""
        now = self.showing.now
        return now is not None and now.asked == self.views.state.asked(self.line.filter, self._today())

    def _say_rows(self) -> None:
        self._show_state(self.model.rowCount())
        self.keyboard.rows_came()
        if self.list_name != self.refresher.first:
            self.fetching.show_list()  # another list was typed: its age is another one
        self.watching.look()
        self.following.look()
        self.held.look()
        self._say_count()

    def _show_state(self, count: int) -> None:
        if count:
            self.elsewhere.clear()
            self.states.show_content()
            return
        refresher, desk = self.refresher, self.desk
        why = empty_state(
            self.list_name,
            filtered=bool(self.filter.text().strip()),
            trouble=desk.trouble,
            connected=desk.provider is not None,
            busy=refresher.busy,
            result=refresher.results.get(self.list_name),
            days=refresher.days,
            stopped=refresher.stopped,
            elsewhere=self.elsewhere.words if self._is_shown() else "",
            offered=self.elsewhere.action,
        )
        acts = {"Clear the filter": self.filter.clear, self.elsewhere.action: self.elsewhere.show}
        act = acts.get(why.action, refresher.start)
        self.keyboard.keep(partial(self.states.show_state, why.icon, why.heading, why.sentence, why.action, act))

    def _on_answered(self) -> None:
        self.heard.emit("")

    def _on_list_ended(self, _name: str, trouble: str) -> None:
        self.heard.emit(trouble)
        if self.refresher.brought:
            self.room.news.stored.emit()

    def _on_refreshed(self) -> None:
        """Where nothing is new, nothing is read again."""
        if self.refresher.brought or not self.model.rowCount():
            self._on_stored()
        else:
            self._say_count()

    def _shown(self) -> tuple[ListName, str]:
        words = orders_words(self.showing.count, exact=self.showing.exact)
        counted, older = self._older
        first = self.fetching.older_before
        if first is not None and self.showing.exact and counted is self.showing.now:
            words += older_words(min(older, self.showing.count), first)
        return self.list_name, words

    def _show_departed(self) -> None:
        """Those that left the open list and are on no other."""
        self.line.put("list:other attention:vanished")

    def _on_range(self) -> None:
        self.tasks.read("older", self._count_older())

    async def _count_older(self) -> None:
        """Of the orders that are shown, how many are of dates that are not fetched any more."""
        now, first = self.showing.now, self.fetching.older_before
        if now is None:
            return
        older = 0
        if first is not None:
            older = await stored_orders.count(self.desk, stored_orders.dated_before(now.query, self.list_name, first))
        if now is self.showing.now:
            self._older = now, older
            self._say_count()
            self.fetching.show_status()

    def _say_count(self) -> None:
        outbox = self.showing.outstanding
        words = count_words(self._shown()[1], outbox.count, more=outbox.more)
        found = self.refresher.departed
        if self.list_name == "open" and found is not None and found.suspicious:
            words += f" · {found.unfound:,} left the list unexplained"  # also where the message was closed
        self.count_label.setText(words)

    def _count_values(self, field: str) -> None:
        """How many orders have each value of a field, for the chips and for what is typed."""
        self.tasks.read("values", self._counted_values(field))

    async def _counted_values(self, field: str) -> None:
        from app.desk.filter.resolve_filter import value_counts, value_names

        asked = await self._ask()  # what is shown may be what was asked for a key ago
        counts = [] if asked is None else list(await value_counts(self.desk, asked.query, field))
        names = await value_names(self.desk, field, [value for value, _ in counts])
        self.head.chips.offer(field, counts, names)
        self.line.offer_values(field, counts, names)

    def _on_stored(self) -> None:
        self.views.count_again()
        self.reload()

    def _on_arranged(self) -> None:
        if self.showing.show_columns(self.arranging.current):
            self._see_columns()
        else:
            self.reload()

    def _see_columns(self) -> None:
        self.fetching.offer_columns(self.model.columns, (line for _, line in self.model.loaded_rows()))

    def _on_view(self) -> None:
        self.table.scrollToTop()
        self.table.horizontalScrollBar().setValue(0)  # other columns stand there: what names an order is in sight
        self.bar.clear(but=self.fetching.lasting_topics)
        self.reload()
        self.fetching.show_list()

    def _show_sorted(self) -> None:
        self.views.show()
        self.table.scrollToTop()
        self.reload()

    def sort_by(self, name: str) -> None:
        """Sort by a column; the other way round if it is the one already."""
        self.sorting.by(name)

    def open_order(self, number: int) -> None:
        """Show this order beside the table, wherever it stands."""
        self.beside.show_order(number)
        self.held.opened_apart(number)
        self.showing.restore_selection(set())

    def _find(self, line: OrderLine) -> None:
        """Let the list show this order alone, wherever it stands by now."""
        self.line.put(f"{EVERYWHERE} {line.number}")

    def step(self, by: int) -> None:
        """Show the order so many rows below the one that is shown, without leaving it for the table."""
        self.tasks.read("step", self._step(by))

    async def _step(self, by: int) -> None:
        row = self.table.currentIndex().row() + by
        if not self.model.outbox_count <= row < self.model.rowCount():
            return  # those of the outbox have no next one beside them
        (line,) = await self.showing.lines_of([(row, row)]) or (None,)
        if line is not None:
            with placing_selection(self.table):
                self.table.select_only(row)
            self.table.scrollTo(self.model.index(row, 0))
            self._open(line)

    def page_commands(self) -> list[tuple[str, str, Callable[[], object]]]:
        """Besides what is done with rows."""
        return [
            ("Filter orders", "Ctrl+F", self.keyboard.into_line),
            ("Clear the filter", "", self.filter.clear),
            ("Arrange columns", "F8", self.arranging.open_dialog),
            ("Save what is shown as a new view", "", self.views.save_new),
            ("Show pasted references or numbers", "Ctrl+Shift+V", self.sets.open_pasted),
            ("Export what is shown", "Ctrl+Shift+E", self.exports.begin),
            ("Rules of Needs attention", "", self.sets.open_rules),
            ("Next view", "Ctrl+PgDown", self.views.next),
            ("View before", "Ctrl+PgUp", self.views.before),
        ]

    def view_commands(self) -> list[tuple[str, Callable[[], object]]]:
        """The lists and views there are: words, and what shows them."""
        return [(name, partial(self.views.choose, name)) for name in self.views.names()]

    def _on_row(self, current: QModelIndex) -> None:
        if self.table.is_placing or not current.isValid():
            return
        line = self.model.line(current.row())
        if line is not None and key_of(line) != self.beside.key:
            self._open(line)

    def _open(self, line: Line) -> None:
        if isinstance(line, OutboxLine):
            self.beside.show_write(line.write.id)
        else:
            self.beside.show_order(line.number)
            self.watching.look()

    def _on_selection(self, _now: QItemSelection, _before: QItemSelection) -> None:
        spans = self.table.selectionModel().selection()
        if spans.size() == 1 and spans.at(0).height() == 1:
            self._on_row(self.model.index(spans.at(0).top(), 0))

    def ask_again(self) -> None:
        """Something was sent: the order that is shown may have changed at the provider."""
        self.beside.ask_again()

    def _on_wrote(self) -> None:
        self.beside.redraw()
        self.views.count_again()
        self.showing.outbox_changed()

    def _begin_filter(self, text: str) -> None:
        """Typing in the table filters: what is typed next is in the filter already."""
        self.filter.setFocus()
        self.filter.setText(text)


def _with_outbox(clauses: tuple[Clause, ...]) -> bool:
    """Whether rows of the outbox belong here: among open orders, as long as only words narrow them."""
    about = one_list(clauses)
    others = [each for each in clauses if each.field not in ("list", "outbox")]
    return about == "open" and not others

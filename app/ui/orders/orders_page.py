"""The orders page: open and completed orders as last seen, refreshed from the provider, with one order beside them.

The page is the one controller of its parts. From a key to rows there is one way; the network only feeds the store:

    FilterLine, Chips ─┐
    OrderViews ────────┼─▶ QueryState ─▶ RowLoader ─▶ store ─▶ OrdersModel, OrdersTable
    ViewColumns ───────┘     (what)       (reload)                      │ row
                                             ▲                          ▼
    Refresher ─▶ store ─▶ News.stored ───────┤                       SidePane
    sender ─▶ journal ─▶ News.wrote ─────────┘

Parts do not know this page. They hold what they work on and tell by signals what a person wants; callables give them
plain facts (today, which list is shown). Some work with the tasks, the message bar and the desk of any `Page`.

Invariant: no order is opened or cancelled from rows of an earlier question (`RowLoader.is_current`).
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QItemSelection, QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QPushButton, QWidget

from app.desk.desk import Desk
from app.desk.filter.filter_language import EVERYWHERE, Filter, write_clause
from app.desk.filter.filter_pieces import with_piece
from app.desk.orders import stored_orders
from app.desk.reasons.reason_rules import Rule, load_rules
from app.desk.sending.outstanding_orders import OutboxLine, order_of
from app.store.cache.order_rows import SORTS, ListName, OrderLine, OrderQuery
from app.store.cache.schema.conditions import Clause
from app.store.store_errors import StoreError
from app.ui.base.page import Page, PageServices
from app.ui.orders import orders_words
from app.ui.orders.actions.order_actions import RowActions
from app.ui.orders.detail.side_pane import SidePane
from app.ui.orders.fetching.fetching import Fetching
from app.ui.orders.fetching.freshness import empty_state, shown_orders
from app.ui.orders.filter.filter_line import FilterLine
from app.ui.orders.filter.order_chips import Chips
from app.ui.orders.filter.views_of_orders import OrderViews
from app.ui.orders.query_state import QueryState, RowRequest, parsed, resolve
from app.ui.orders.row_loader import RowLoader
from app.ui.orders.table.arrangement import names_of
from app.ui.orders.table.column_list import BY_NAME, Line, key_of
from app.ui.orders.table.orders_model import OrdersModel
from app.ui.orders.table.orders_table import OrdersTable, placing_selection
from app.ui.orders.table.raw_columns import raw_fields_among
from app.ui.orders.table.why_column import IN_FORCE
from app.ui.orders.view_columns import ViewColumns
from app.ui.orders.watch_list import WatchList
from app.ui.theme.tokens import SEARCH_LEAST_WIDTH, SPACE_1, SPACE_2, SPACE_3, VIEWS_LEAST_WIDTH
from app.ui.views import views_words
from app.ui.views.views_bar import ViewsBar
from app.ui.views.views_words import orders_in_view
from app.ui.widgets.bars.message_bar import progress_bar
from app.ui.widgets.buttons import Tool, ToolRow, button, shortcut, with_icon
from app.ui.widgets.layout import SideBySide, Splitter, column, holding, row
from app.ui.widgets.states import StateView
from app.ui.widgets.text.labels import ElidedLabel

if TYPE_CHECKING:
    from app.ui.orders.actions.selection_bar import SelectionBar
    from app.ui.orders.filter.pasted_orders import PastedMatch
    from app.ui.widgets.files.file_strip import FileStrip

_SORTING = "sorting"  # a topic of the bar
_SORT_PATIENCE_MS = 200  # a sorting that is ready sooner is not worth a message
_READY_SORT = ("imported_at", True)  # an index of the store holds this sorting from the beginning
_FILTER_PART = 0.36  # of the page's width that the filter has before its buttons go into their menu
_PX_A_LETTER = 7  # of the table's font, on average


class OrdersPage(Page):
    """Shows the store; the network only feeds the store."""

    provider_asked = Signal(str)  # why the provider could not be reached; empty where it has answered

    def __init__(self, services: PageServices) -> None:
        super().__init__(services, "orders")
        self._older: tuple[RowRequest | None, int] = None, 0  # rows of dates not fetched any more, among those shown
        self._other_words = self._other_action = (
            ""  # what the filter finds on other lists, and the button that shows it
        )
        self._rules: Sequence[Rule] = ()
        self._reasons_stale = True  # the rules, or which orders are watched, may be others than those in force
        self._entering = False  # Enter was pressed in the line before its rows had come
        self._opening = False  # a reference was asked for, and its rows have not come
        self._problem_shown = False
        self.selection_bar: SelectionBar | None = None  # made once several rows are selected
        self._lent = False  # the line has the keyboard only because the table has no rows
        self._opened_by_number: tuple[int, Filter] | None = None  # and the filter that was in force then
        self._sort_before, self._sort_done, self._sort_total = _READY_SORT, 0, 0
        self._export_strip: FileStrip | None = None
        self._build_parts(services)
        self._lay_out()
        self._connect_query()
        self._connect_rows()
        self._connect_news(services)
        self._add_shortcuts()
        self.states.show_state("clock", orders_words.READING)

    # Parts

    def _build_parts(self, services: PageServices) -> None:
        self.state = QueryState()
        self.model = OrdersModel((), self)
        self.table = OrdersTable(services.theme, self.model)
        self.states = StateView(services.theme, self.table)
        self.line = FilterLine(services.theme, self, self._today)
        self.filter = self.line.editor
        self.chips = Chips(self.line, self._today)
        self.columns = ViewColumns(self, self.tasks, self.state)
        views_bar = ViewsBar(services.theme, orders_in_view)
        self.views = OrderViews(self, views_bar, self.state, self.line, self.columns, self._today)
        self.loader = RowLoader(self.tasks, self.table, self.state, self._today)
        self.count_label = ElidedLabel("soft")
        # Between the line and its other button: where it comes and goes, nothing moves but the end of the line.
        self.more_found = button("", self._show_other_lists, kind="quiet", tip=orders_words.MORE_FOUND_TIP)
        self.progress = progress_bar(orders_words.REFRESH_PROGRESS, keeps_place=True)
        self.fetching = Fetching(services.theme, self.tasks, self.bar, self.progress, self._list_and_count)
        self.refresher = self.fetching.refresher
        self.watch_list = WatchList(self)
        self.splitter = Splitter(Qt.Orientation.Horizontal)
        self.side = SidePane(self, self.splitter, self.watch_list.is_watched)
        self.row_actions = RowActions(self, self.table, self.loader, self.side, self.state, self.watch_list)
        self.tools = ToolRow(
            services.theme,
            (
                Tool(
                    "export", orders_words.EXPORT_TOOL, "download", self.export_all,
                    "Ctrl+Shift+E", orders_words.EXPORT_SHOWN,
                ),
                Tool("print", orders_words.PRINT_TOOL, "printer", self._print, "Ctrl+P", orders_words.PRINT_SELECTED),
                Tool(
                    "columns", orders_words.COLUMNS_TOOL, "columns-2", self.columns.open_dialog,
                    "F8", orders_words.ARRANGE_COLUMNS,
                ),
            ),
        )  # fmt: skip
        self.tools.set_possible("print", False, orders_words.NOTHING_SELECTED)
        # Its key is the window's own: two shortcuts of one key in one window cancel each other out.
        new = button(orders_words.NEW_ORDER, self._begin_order, kind="primary", tip="(Ctrl+N)")
        self.new_button = with_icon(new, services.theme, "plus", "on_accent")
        self._sort_patience = QTimer(self)
        self._sort_patience.setSingleShot(True)
        self._sort_patience.setInterval(_SORT_PATIENCE_MS)
        self._sort_patience.timeout.connect(self._say_sorting)

    def _lay_out(self) -> None:
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.states)
        self.splitter.setHandleWidth(1)
        body = column(self._head(), self.splitter)
        body.setStretch(1, 1)
        self.setLayout(body)
        self.bar.float_over(self, self.splitter)

    def _head(self) -> QWidget:
        self.views.bar.setMinimumWidth(VIEWS_LEAST_WIDTH)
        top = SideBySide(self.views.bar, self.fetching.controls, growing=0, gap=SPACE_2)
        self.more_found.hide()
        search = row(
            self.line.editor, self.more_found, self.line.clear_button, self.count_label, SPACE_1,
            self.tools, self.new_button, gap=SPACE_1,
        )  # fmt: skip
        search.setStretch(0, 1)
        self.line.problem_shown.connect(self._show_problem)
        trouble = row(self.line.problem, self.line.instead_button, gap=SPACE_2)
        trouble.setStretch(0, 1)
        self._in_place_of_chips = chips = column(self.chips, trouble)
        lines = column(top, search, chips, margin=(SPACE_3, SPACE_1, SPACE_3, SPACE_1), gap=SPACE_2)
        return holding(column(holding(lines), self.fetching.dates, self.progress))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            # A problem is shown in the place of the chips: nothing moves, and there is room for a sentence.
            self.line.problem.setFixedHeight(self.chips.sizeHint().height())

    def _show_problem(self, shown: bool) -> None:
        self._problem_shown = shown
        several = self.table.selected_count()
        if several > 1 and self.selection_bar is None:
            self._make_selection_bar()
        if self.selection_bar is not None:
            if several > 1:
                self.selection_bar.show_count(several)
            self.selection_bar.setVisible(several > 1)
        self.line.problem.setVisible(shown and several <= 1)
        self.line.show_instead(shown=shown and several <= 1)
        self.chips.setVisible(not shown and several <= 1)

    def _make_selection_bar(self) -> None:
        from app.ui.orders.actions.selection_bar import SelectionBar  # nothing is selected before the first paint

        actions = self.row_actions
        self.selection_bar = SelectionBar(
            self.services.theme, actions.actions, actions.run, self._clear_selection, self.line.problem.height()
        )
        self._in_place_of_chips.addWidget(self.selection_bar)

    def _print(self) -> None:
        self.row_actions.run(next(each for each in self.row_actions.actions if each.name == "print"))

    def _begin_order(self) -> None:
        self.services.news.new_order.emit()

    def _clear_selection(self) -> None:
        """Let go of all rows but the one that is open beside the table."""
        self.enter()
        self.table.clearSelection()
        self.loader.reselect(set())

    def _connect_query(self) -> None:
        self.line.changed.connect(self._on_filter)
        self.line.values_wanted.connect(self._count_values)
        self.line.clear_asked.connect(self.clear_filter)
        self.filter.returnPressed.connect(self._on_enter)
        self.filter.down.connect(self._on_down)
        self.filter.textEdited.connect(self._on_typed)
        self.chips.values_wanted.connect(self._count_values)
        self.chips.pasted_dropped.connect(self._drop_pasted)
        self.views.chosen.connect(self._on_view)
        self.views.pasted_asked.connect(self.open_pasted)
        self.views.rules_asked.connect(self.open_rules)
        self.columns.changed.connect(self._on_columns)
        self.columns.sort_asked.connect(self.sort_by)
        self.table.sort_asked.connect(self.sort_by)
        self.table.arranged.connect(self.columns.put)
        self.table.columns_asked.connect(self.columns.open_menu)

    def _connect_rows(self) -> None:
        self.loader.changed.connect(self._on_rows)
        self.loader.preparing.connect(self._on_preparing)
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        # A screen reader selects a row without making it the current one.
        self.table.selectionModel().selectionChanged.connect(self._on_selection)
        # A closed order opens again by a click. Its row is still the current one, so no `currentRowChanged` comes.
        self.table.clicked.connect(self._on_row)
        self.table.activated.connect(self._on_row)
        self.table.escaped.connect(self.side.close)
        self.table.typed.connect(self._begin_filter)
        self.side.key_changed.connect(self._on_side_key)
        self.side.left.connect(self.enter)
        self.side.stepped.connect(self.step)
        self.side.watch_toggled.connect(self.row_actions.watch_one)
        self.side.find_asked.connect(self._find)
        self.row_actions.export_asked.connect(self.export_lines)
        self.row_actions.value_asked.connect(self._filter_by)

    def _connect_news(self, services: PageServices) -> None:
        self.fetching.status_changed.connect(self.tell_status)
        self.fetching.range_changed.connect(self._on_range)
        self.fetching.departed_asked.connect(self._show_departed)
        self.refresher.rows_stored.connect(self.reload)
        self.refresher.first_rows_stored.connect(self._on_answered)
        self.refresher.ended.connect(self._on_list_ended)
        self.refresher.finished.connect(self._on_refreshed)
        self.refresher.finished.connect(self.watch_list.tell_changes)
        services.news.stored.connect(self._on_stored)
        services.news.wrote.connect(self._on_wrote)
        services.news.presence.connect(self._on_presence)

    def _on_presence(self) -> None:
        team = None if self._desk is None else self._desk.team
        if team is None:
            self.model.show_changing({})
            return
        from app.desk.team_side import CHANGING  # not loaded for a desk without a team

        self.model.show_changing(team.at_work(CHANGING))

    def _add_shortcuts(self) -> None:
        shortcut(self, "Ctrl+F", self.focus_filter)
        shortcut(self, "Ctrl+Delete", self.row_actions.cancel)
        shortcut(self, "F8", self.columns.open_dialog)
        shortcut(self, "Ctrl+Shift+E", self.export_all)
        shortcut(self, "Ctrl+Shift+V", self.open_pasted)
        shortcut(self, "Ctrl+PgDown", self.views.next)
        shortcut(self, "Ctrl+PgUp", self.views.previous)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # The pane of an order has the key of its documents. It comes here only where that pane is not shown.
        if self.side.key is None and QKeySequence(event.keyCombination()) == QKeySequence("Alt+D"):
            self.bar.say("", orders_words.NO_ORDER_OPEN)
        elif not self.row_actions.says_what_is_missing(event):
            super().keyPressEvent(event)

    def page_commands(self) -> list[tuple[str, str, Callable[[], object]]]:
        """Besides what is done with rows."""
        return [
            (orders_words.FILTER_ORDERS, "Ctrl+F", self.focus_filter),
            (orders_words.CLEAR_FILTER, "", self.clear_filter),
            (orders_words.ARRANGE_COLUMNS, "F8", self.columns.open_dialog),
            (views_words.NEW_VIEW, "", self.views.save_new),
            (orders_words.PASTE_ORDERS, "Ctrl+Shift+V", self.open_pasted),
            (orders_words.EXPORT_SHOWN, "Ctrl+Shift+E", self.export_all),
            (orders_words.ATTENTION_RULES, "", self.open_rules),
            (views_words.NEXT_VIEW, "Ctrl+PgDown", self.views.next),
            (views_words.PREVIOUS_VIEW, "Ctrl+PgUp", self.views.previous),
        ]

    def view_commands(self) -> list[tuple[str, Callable[[], object]]]:
        """The lists and views there are: words, and what shows them."""
        return [(name, partial(self.views.choose, name)) for name in self.views.names()]

    # The desk, and the first paint

    def take_desk(self, desk: Desk) -> None:
        super().take_desk(desk)
        self.side.take_desk(desk)
        self.loader.take_desk(desk)
        self.fetching.take_desk(desk)
        self.watch_list.take_desk(desk)
        self._reasons_stale = True
        IN_FORCE.take((), ())
        self._on_presence()
        self.reload()

    def connected(self) -> None:
        self.refresher.refresh_stale()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.views.may_count:
            # A timer of zero fires once everything that was waiting has been done: then the window can be used.
            self.views.may_count = True
            QTimer.singleShot(0, self, self._after_paint)

    def _after_paint(self) -> None:
        """Read what the first paint does without, and would have to share the processor with."""
        self.loader.painted = True
        self.views.count()
        self.loader.read_ahead()

    def leave_out_dated(self) -> None:
        """Show nothing any more that is another text on another day. For a still of this page."""
        self.table.leave_out_dated()
        self.count_label.say("")

    def asks_the_same_on(self, day: date) -> bool:
        """Whether the store is asked for the same orders on that day, while nobody changes anything."""
        return self.state.filter(day) == self.state.filter(self._today())

    def _today(self) -> date:
        return self.services.now().date()

    # What is asked for

    @property
    def list_name(self) -> ListName:
        """The list that is shown, by the view or by what is typed; the open one where it is about several."""
        return self.state.list_name(self._today())

    @property
    def query(self) -> OrderQuery:
        """The query whose rows the table shows."""
        assert self.loader.shown is not None
        return self.loader.shown.query

    @property
    def tabs(self) -> dict[str, QPushButton]:
        """The views' tabs, by their names in small letters."""
        return self.views.bar.tabs

    def _on_filter(self) -> None:
        self.state.text = self.filter.text()
        self._opening = False
        self._forget_other_lists()
        self.more_found.setEnabled(False)  # its number is that of the key before, until the new one is known
        self.views.show()
        # The store answers within a frame, so every key may ask it; the newest question replaces the older one.
        self.reload()

    def _on_view(self) -> None:
        """Another view is shown, or another set of orders: begin at its top left, where the columns name the order."""
        self._show_pasted()
        self.table.scrollToTop()
        self.table.horizontalScrollBar().setValue(0)
        self.bar.clear(but=self.fetching.lasting_topics)
        self.reload()
        self.fetching.show_list()

    def _on_columns(self) -> None:
        self.views.show()
        if self.loader.show_columns():
            self._offer_column_parts()
        else:
            self.reload()

    def sort_by(self, name: str) -> None:
        """Sort by a column; reverse the order if that column is sorted by already."""
        if name in SORTS:
            self._sort_before = self.state.sort
            self.state.sort_by(name)
            self._show_sorted()

    def _show_sorted(self) -> None:
        self.views.show()
        self.table.scrollToTop()
        self.reload()

    def _show_departed(self) -> None:
        """Show the orders that left the open list and are on no other."""
        self.line.set_text("list:other why:vanished")

    def _find(self, line: OrderLine) -> None:
        """Let the table show this order alone, on whichever list it is by now."""
        self.line.set_text(f"{EVERYWHERE} {line.number}")

    # Rows from the store

    async def _read_reasons(self, desk: Desk) -> None:
        """Read what the reasons of rows depend on, if that may have changed. Raises `StoreError`."""
        if self._reasons_stale:
            from app.desk.orders.watched_orders import watched

            rules, numbers = await load_rules(desk), await watched(desk)
            # The connection was changed while the journal was read: these are not its rules.
            if desk is not self._desk:
                return
            self._reasons_stale = False
            self._rules = rules
            IN_FORCE.take(rules, numbers)
            self._foretell(desk)
        elif not self._foretell(desk):
            return
        self.table.viewport().update()
        self.side.redraw()

    def _foretell(self, desk: Desk) -> bool:
        """Let the rows say what the last forecast says of them; returns whether that is something else than before."""
        if not self.views.may_count:
            return False  # the first paint does without a forecast
        from app.desk.forecast.foretold import last_foretold

        return IN_FORCE.foretell(last_foretold(desk, self._rules))

    def reload(self) -> None:
        """Ask the store again for what is on screen."""
        if self._desk is not None:
            self.tasks.read("rows", self.load_rows())

    async def load_rows(self) -> None:
        """Read the rows and show them; then read what is said about them. Raises `StoreError`."""
        await self.views.use(self.desk)
        if await self.columns.use(self.desk, self._today()):
            self.views.show()
        await self.loader.load()
        await self._read_reasons(self.desk)
        # The rows are on screen: what follows may take its time, and the next key in the filter ends it.
        await self._look_on_other_lists()
        if self.loader.shown is not None:
            await self._name_codes(self.loader.shown)
            await self.fetching.offer_documents(self.loader.shown.query)
            self._offer_column_parts()
        self.views.count()
        await self._count_older()

    def _on_rows(self) -> None:
        """The table shows other rows: the sentences about them and the order beside them follow."""
        self._show_state(self.model.rowCount())
        self._settle_focus()
        self._open_only_row()
        if self.list_name != self.refresher.first:
            self.fetching.show_list()  # another list was typed: its age is another one
        self.loader.mark_open_seen()
        self._follow_write()
        self._check_listed()
        self._say_count()
        self.fetching.show_status()

    async def _name_codes(self, shown: RowRequest) -> None:
        """Name a facility on its chip, also where its code was typed."""
        from app.desk.filter.resolve_filter import names_in

        self.chips.show_names(*await names_in(self.desk, shown.filter, shown.query))

    def _offer_column_parts(self) -> None:
        self.fetching.offer_columns(self.model.columns, (line for _, line in self.model.loaded_rows()))

    def _count_values(self, field: str) -> None:
        """Count how many orders have each value of a field, for its chip and for completion in the line."""
        self.tasks.read("values", self._counted_values(field))

    async def _counted_values(self, field: str) -> None:
        from app.desk.filter.resolve_filter import value_counts, value_names

        # Resolved anew: the rows that are shown may be those of a key ago.
        request = await resolve(self.state, self.desk, self._today())
        counts = list(await value_counts(self.desk, request.query, field))
        names = await value_names(self.desk, field, [value for value, _ in counts])
        self.chips.offer_values(field, counts, names)
        self.line.offer_values(field, counts, names)

    # How many rows

    def status_text(self) -> str:
        """How fresh the list is; with several rows selected, how many they are."""
        selected = self.table.selected_count()
        status = self.fetching.status
        return orders_words.status_with_selected(status, selected) if selected > 1 and status else status

    def _list_and_count(self) -> tuple[ListName, str]:
        count, (counted, older) = self.loader.count, self._older
        first = self.fetching.older_before if self.loader.exact and counted is self.loader.shown else None
        return self.list_name, shown_orders(count, exact=self.loader.exact, older=min(older, count), before=first)

    def _say_count(self) -> None:
        outbox = self.loader.outbox
        words = self._list_and_count()[1]
        if outbox.count:
            words = orders_words.count_with_outbox(words, outbox.count, more=outbox.more)
        departed = self.refresher.departed
        # The count stays in sight after a person has closed the message about these orders.
        if self.list_name == "open" and departed is not None and departed.suspicious:
            words = orders_words.count_with_unexplained(words, departed.unfound)
        self.count_label.say(words)
        self._share_line()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_line()

    def _share_line(self) -> None:
        """Give the filter its part of its line before the buttons have theirs, but nothing that stands there anyway."""
        beside: list[QWidget] = [self.count_label, self.line.clear_button, self.new_button, self.tools.more]
        if not self.more_found.isHidden():
            beside.append(self.more_found)
        left = self.width() - sum(each.sizeHint().width() for each in beside) - 2 * SPACE_3 - 6 * SPACE_1
        wanted = min(round(self.width() * _FILTER_PART), left)
        self.line.editor.setMinimumWidth(max(SEARCH_LEAST_WIDTH, wanted))

    def _on_range(self) -> None:
        self.tasks.read("older", self._count_older())

    async def _count_older(self) -> None:
        """Count those of the orders shown that are of dates that are not fetched any more."""
        shown, first = self.loader.shown, self.fetching.older_before
        if shown is None:
            return
        older = 0
        if first is not None:
            older = await stored_orders.count(self.desk, stored_orders.dated_before(shown.query, self.list_name, first))
        if shown is self.loader.shown:
            self._older = shown, older
            self._say_count()
            self.fetching.show_status()

    # Where there are no rows

    def _show_state(self, count: int) -> None:
        if count:
            self._forget_other_lists()
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
            other_lists=self._other_words if self.loader.is_current else "",
            other_action=self._other_action,
            watched=self.line.filter == Filter(clauses=(Clause("watched"),)),
        )
        acts = {orders_words.CLEAR_FILTER: self.clear_filter, self._other_action: self._show_other_lists}
        # Hiding the table takes the keyboard from it, so this is read before.
        had = self.table.hasFocus()
        self.states.show_state(why.icon, why.heading, why.sentence, why.action, acts.get(why.action, refresher.start))
        if had:
            self._lend_keyboard()

    async def _look_on_other_lists(self) -> None:
        """Count what the filter finds on the lists that it does not name: an order may have been completed."""
        shown = self.loader.shown
        if shown is None or not self.filter.text().strip() or self.line.filter.problems:
            self._say_more_found({})  # what is not understood finds nothing anywhere
            return
        from app.desk.filter.resolve_filter import counts_on_other_lists  # nothing is filtered before the first paint

        named = [each for each in shown.filter.clauses if each.field == "list" and not each.negated]
        asked = {value for each in named for value in each.values}
        counts = await counts_on_other_lists(self.desk, shown.filter)
        found = {name: count for name, count in counts.items() if name not in asked}
        if shown is not self.loader.shown:
            return
        self._forget_other_lists()
        self._say_more_found(found if self.model.rowCount() else {})
        if found and not self.model.rowCount():
            self._other_words = " ".join(orders_words.found_on_list(name, count) for name, count in found.items())
            one = sum(found.values()) == 1
            self._other_action = orders_words.SHOW_IT if one else orders_words.SHOW_THEM
            self._show_state(self.model.rowCount())

    def _say_more_found(self, found: Mapping[ListName, int]) -> None:
        """Say beside the line what the filter finds on lists that are not shown, while it finds something on this."""
        words = ", ".join(orders_words.more_on_list(name, count) for name, count in found.items())
        self.more_found.setEnabled(bool(words))
        self.more_found.setVisible(bool(words))
        if self.more_found.text() != words:
            self.more_found.setText(words)
            self.more_found.setAccessibleName(words)
        self._share_line()

    def _forget_other_lists(self) -> None:
        self._other_words = self._other_action = ""

    def _show_other_lists(self) -> None:
        """Ask for the same on all lists, where anything was found there."""
        if self._other_words or self.more_found.isEnabled():
            self._forget_other_lists()
            self.line.set_text(with_piece(self.filter.text(), ("list",), EVERYWHERE, self._today()))

    # The keyboard: in the table, or in the line while the table has no rows, so that whatever is typed filters

    def enter(self) -> None:
        if self.table.isHidden():
            self._lend_keyboard()
        else:
            self.table.setFocus()

    def focus_filter(self) -> None:
        """Go into the line; what is typed next takes the place of its text."""
        self.filter.setFocus()
        self.filter.selectAll()

    def _lend_keyboard(self) -> None:
        self._lent = True
        self.focus_filter()

    def _begin_filter(self, text: str) -> None:
        """Typing in the table filters: the keys that follow are typed into the line."""
        self.filter.setFocus()
        self.filter.setText(text)

    def _on_typed(self) -> None:
        self._entering = self._lent = False

    def _on_enter(self) -> None:
        self.filter.selectAll()  # a scanner may go on at once: its next text takes the place of this one
        if self.line.filter.problems:
            return  # the rows are of the pieces that were understood: the line says what was not
        # Enter opens what the line asks for, never what was there before: it waits until those rows have come.
        self._entering = not self.loader.is_current
        if not self._entering:
            self._enter_rows()

    def _on_down(self) -> None:
        """Go to the rows: to the selected one, else to the first."""
        if self.table.isHidden() or not self.model.rowCount():
            return
        self.table.setFocus()
        # Rows of an earlier question open nothing.
        if self.loader.is_current and not self.table.selected_count():
            self.table.select_only(0)

    def _settle_focus(self) -> None:
        """The table was shown or hidden: give the keyboard back to it, and open the row for which Enter has waited."""
        if self._lent and self.filter.hasFocus() and not self.table.isHidden():
            self._lent = False
            self.table.setFocus()
        if self._entering and self.loader.is_current:
            self._entering = False
            if self.filter.hasFocus():
                self._enter_rows()

    def _enter_rows(self) -> None:
        if self.model.rowCount():
            self.table.setFocus()
            self.table.select_only(0)
        else:
            self._show_other_lists()

    # Sorting by a column: at once as a rule; the first time in a large store it takes a while, with a way to stop it

    def _on_preparing(self, done: int, total: int) -> None:
        self._sort_done, self._sort_total = done, total
        if not total:
            self._end_sorting()
        elif self.bar.text_of(_SORTING):
            self._say_sorting()
        elif not self._sort_patience.isActive():
            self._sort_patience.start()

    def _say_sorting(self) -> None:
        name = self.state.sort[0]
        title = BY_NAME[name].title if name in BY_NAME else name
        progress = orders_words.sorting_by(title, self._sort_done, self._sort_total)
        self.bar.say("", progress, orders_words.STOP, self.stop_sorting, topic=_SORTING)

    def stop_sorting(self) -> None:
        """Sort as before."""
        self.tasks.cancel("rows")
        self._end_sorting()
        before = self._sort_before
        self.state.sort_as(*(_READY_SORT if before[0] == self.state.sort[0] else before))
        self._show_sorted()

    def _end_sorting(self) -> None:
        self._sort_patience.stop()
        self.bar.withdraw(_SORTING)

    # The order or write beside the table

    def open_order(self, number: int) -> None:
        """Show this order beside the table, whether the table has it or not."""
        self.side.show_order(number)
        shown = self.loader.shown
        self._opened_by_number = None if shown is None else (number, shown.filter)
        self.side.show_listed(True)
        self.loader.reselect(set())

    def show_reference(self, reference: str) -> None:
        """List what has this reference, in whichever list it stands, and open it if it is one order."""
        self.show_filter(f"{EVERYWHERE} {write_clause(Clause('reference', (reference,)))}")
        self._opening = True
        self._open_only_row()

    def show_rule(self, rule: str) -> None:
        """List the orders that a rule finds, in whichever list they stand."""
        clause = Clause("likely_late") if rule == "likely-late" else Clause("attention", (rule,))
        self.show_filter(f"{EVERYWHERE} {write_clause(clause)}")

    def show_filter(self, typed: str) -> None:
        """List the orders that this filter finds, with none of before beside them."""
        self.side.close()
        self.line.set_text(typed)

    def _open_only_row(self) -> None:
        """Open what was asked for by its reference, once its rows have come; of several, a person chooses."""
        if self._opening and self.loader.is_current and self.loader.exact:
            self._opening = False
            if self.model.rowCount() == 1:
                with placing_selection(self.table):
                    self.table.select_only(0)
                self._on_row(self.model.index(0, 0))  # the row may have been selected before

    def step(self, by: int) -> None:
        """Show the order so many rows below the current one; the keyboard stays beside the table."""
        self.tasks.read("step", self._step(by))

    async def _step(self, by: int) -> None:
        at = self.table.currentIndex().row() + by
        if not self.model.outbox_count <= at < self.model.rowCount():
            return  # rows of the outbox are no neighbours of an order
        (line,) = await self.loader.lines_of([(at, at)]) or (None,)
        if line is not None:
            with placing_selection(self.table):
                self.table.select_only(at)
            self.table.scrollTo(self.model.index(at, 0))
            self._open(line)

    def _on_row(self, current: QModelIndex) -> None:
        if self.table.is_placing or not current.isValid():
            return
        line = self.model.line(current.row())
        if line is None:
            self.tasks.read("row", self._open_row(current.row()))
        elif key_of(line) != self.side.key:
            self.tasks.cancel("row")
            self._open(line)

    async def _open_row(self, row: int) -> None:
        """Open a row whose page is still loading, unless a person has gone on by the time it has come."""
        self.side.show_reading()
        lines = await self.loader.lines_of([(row, row)])
        if lines and self.table.currentIndex().row() == row:
            self._open(lines[0])
            self.loader.reselect(set())

    def _filter_by(self, piece: str) -> None:
        """Narrow what is shown to a value of a row."""
        clauses = parsed(piece, self._today()).clauses
        typed = self.filter.text()
        if clauses:
            self.line.set_text(with_piece(typed, (clauses[0].field,), piece, self._today()))
        else:
            self.line.set_text(f"{typed} {piece}".strip())

    def _on_selection(self, _now: QItemSelection, _before: QItemSelection) -> None:
        self._show_problem(self._problem_shown)
        self.tools.set_possible("print", self.table.selected_count() > 0, orders_words.NOTHING_SELECTED)
        self.tell_status()
        spans = self.table.selectionModel().selection()
        if spans.size() == 1 and spans.at(0).height() == 1:
            self._on_row(self.model.index(spans.at(0).top(), 0))

    def _open(self, line: Line) -> None:
        if isinstance(line, OutboxLine):
            self.side.show_write(line.write.id)
        else:
            self.side.show_order(line.number, line)
            self.loader.mark_open_seen()

    def _on_side_key(self, key: int | None) -> None:
        self.loader.open_key = key

    def _check_listed(self) -> None:
        """See whether the table holds the order that is open: one that it does not hold any more is not worked on.

        `_follow_write` does the same for a write.
        An order opened by its number was never in the list; it may be worked on until other rows are asked for.
        """
        key, shown = self.side.key, self.loader.shown
        if key is None or key < 0 or shown is None:
            return
        if self.loader.has_row(key) or self._opened_by_number == (key, shown.filter):
            self.tasks.cancel("listed")
            self.side.show_listed(True)
        else:  # its row may be on a page that is not loaded
            self.tasks.read("listed", self._ask_listed(self.desk, key, shown))

    async def _ask_listed(self, desk: Desk, key: int, shown: RowRequest) -> None:
        alone = shown.query._replace(clauses=(*shown.query.clauses, Clause("number", (str(key),))))
        listed = await stored_orders.count(desk, alone) > 0
        if shown is self.loader.shown and key == self.side.key:
            self.side.show_listed(listed)

    def _follow_write(self) -> None:
        """See whether the write that is open has become an order; as long as it has its own row, it has not."""
        key = self.side.key
        if key is None or key > 0:
            return
        if any(each.write.id == -key for each in self.loader.outbox.lines):
            self.tasks.cancel("follow")
            self.side.show_listed(True)
        else:
            self.tasks.read("follow", self._show_its_order(self.desk, key))

    async def _show_its_order(self, desk: Desk, key: int) -> None:
        try:
            order = await order_of(desk, -key)
        except StoreError as error:
            self.bar.say("bad", error.sentence)
            return
        if self.side.key != key:
            return
        if order is None:
            self.side.show_listed(False)
            return
        self.side.replace_write(order.number)
        self._check_listed()  # the rows came before the order did
        self.loader.reselect(set())
        self.bar.say("good", orders_words.write_is_listed(order.crn or "", order.number))

    # What is new in the store, in the journal and at the provider

    def _on_stored(self) -> None:
        self._reasons_stale = True
        self.views.invalidate_counts()
        self.reload()

    def _on_wrote(self) -> None:
        self.side.redraw()
        self.views.invalidate_counts()
        self.loader.outbox_changed()

    def ask_again(self) -> None:
        """Something was sent: the order that is open may have changed at the provider."""
        self.side.ask_again()

    def _on_answered(self) -> None:
        self.provider_asked.emit("")

    def _on_list_ended(self, _name: str, trouble: str) -> None:
        self.provider_asked.emit(trouble)
        if self.refresher.changed_orders:
            self.services.news.stored.emit()

    def _on_refreshed(self) -> None:
        if self.refresher.changed_orders or not self.model.rowCount():
            self._on_stored()
        else:  # nothing is new, so nothing is read again
            self._say_count()

    # Pasted orders, and the rules of attention

    def open_pasted(self) -> None:
        """Ask for references or numbers, and show their orders."""
        from app.ui.orders.filter.pasted_dialog import PastedDialog  # nobody pastes before the first paint
        from app.ui.orders.filter.pasted_orders import match_pasted

        # Bound now: another connection may be used before anything is pasted.
        desk = self.desk
        dialog = PastedDialog(self, self.tasks, partial(match_pasted, desk))
        dialog.matched.connect(partial(self._on_pasted, desk))
        dialog.show()

    def _on_pasted(self, desk: Desk, found: "PastedMatch") -> None:
        self.tasks.read("use pasted", self._show_matched(desk, found))

    async def _show_matched(self, desk: Desk, found: "PastedMatch") -> None:
        from app.ui.orders.filter.pasted_orders import filter_text, match_clause

        clause = await match_clause(desk, found)
        text = filter_text(clause)
        self.state.pasted = None if text else clause
        self.line.set_text(text)
        self._on_view()

    def clear_filter(self) -> None:
        """Show all orders of the list: without text, chips and pasted orders."""
        self.chips.close_panel()  # what is chosen in it would be a filter again
        pasted, self.state.pasted = self.state.pasted, None
        self.line.set_text("")
        if pasted is not None:
            self._on_view()

    def _drop_pasted(self) -> None:
        self.state.pasted = None
        self._on_view()

    def _show_pasted(self) -> None:
        pasted = self.state.pasted
        self.chips.show_pasted(0 if pasted is None else len(pasted.values))

    def open_rules(self) -> None:
        """Show the rules by which orders need attention."""
        self.tasks.read("rules", self._open_rules(self.desk))

    async def _open_rules(self, desk: Desk) -> None:
        from app.ui.orders.filter.attention_dialog import AttentionDialog

        rules, say = await load_rules(desk), partial(self.bar.say, "bad")
        AttentionDialog(self, self.tasks, desk, rules, self._on_rules, say).show()

    def _on_rules(self) -> None:
        self._reasons_stale = True
        self.views.invalidate_counts()
        self._on_view()

    # Export

    def export_strip(self) -> "FileStrip":
        """The strip over the table that shows an export; made when the first export begins."""
        from app.ui.widgets.files.file_strip import FileStrip  # nobody exports before the first paint

        if self._export_strip is None:
            self._export_strip = FileStrip(self.services.theme, self.tasks, name="Export")
            self._export_strip.float_over(self, self.splitter)
        return self._export_strip

    def export_all(self) -> None:
        """Ask for a file, and write into it all that the table shows."""
        self.export_lines(())

    def export_lines(self, lines: Sequence[OrderLine]) -> None:
        """Ask for a file, and write these orders into it; all that the table shows where none is given."""
        from app.desk.export.export_rows import ExportColumn
        from app.desk.filter.clause_words import clause_words
        from app.ui.orders.export.order_export import OrderExport, export_job

        shown, today = self.loader.shown, self._today()
        if shown is None:
            return
        columns = [
            ExportColumn(each.title, each.copied, max(width // _PX_A_LETTER, len(each.title)))
            for each, width in ((placed.column, placed.width) for placed in shown.columns)
        ]
        query = shown.query._replace(raw_fields=raw_fields_among(names_of(shown.columns)))
        if lines:
            chosen = Clause("number", tuple(str(each.number) for each in lines))
            query = query._replace(list=None, text="", clauses=(chosen,), either=())
            wanted = OrderExport(query, columns, orders_words.SELECTED_TITLE, "")
        else:
            words = [clause_words(each, today) for each in shown.filter.clauses]
            text = [f"“{shown.filter.text}”"] if shown.filter.text else []
            # A view that was filtered further, or otherwise, does not lend the file its name.
            kept = self.state.text.split() == self.state.view_text(today).split()
            title = orders_words.listed_title(self.state.current.name) if kept else orders_words.FILTERED_TITLE
            wanted = OrderExport(query, columns, title, " · ".join([*words, *text]))
        self.export_strip().begin(export_job(self.desk, wanted, self.services.now()))

"""The actions on selected rows as data: one list for the menu, the keys and the palette.

Invariant: an action works on all selected rows, also on those that are not loaded: the store is read for them. An
action on several orders reports a result for each.
"""

from collections.abc import Awaitable, Callable, Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMenu

from app.desk.desk import Desk
from app.desk.sending.outstanding_orders import OutboxLine
from app.store.cache.order_rows import OrderLine
from app.ui.base.page import Page
from app.ui.orders import orders_words as words
from app.ui.orders.detail.side_pane import SidePane
from app.ui.orders.query_state import QueryState
from app.ui.orders.row_loader import RowLoader
from app.ui.orders.table.column_list import BY_NAME, Line
from app.ui.orders.table.orders_table import OrdersTable
from app.ui.orders.watch_list import WatchList
from app.ui.widgets.text.keys import shown_key
from app.ui.widgets.text.labels import ampersands
from app.ui.widgets.text.times import clock

if TYPE_CHECKING:
    from app.desk.sending.batch import BatchResult, OnResult

MOST_COPIED = 20_000
MOST_ASKED = 500  # one request after the other
MOST_CANCELLED = 1_000
MOST_WATCHED = 5_000
MOST_PRINTED = 200
_SILENT_COPY = 2  # a copy of so few rows needs no message


class RowAction(NamedTuple):
    """`needs` is "one" order, any "orders", one "row" or any "rows"; rows of the outbox count as rows. `page` names the
    page that the action leads to, if an administrator can switch that page off."""

    name: str
    key: str
    act: Callable[[], object]
    needs: str = "orders"
    page: str = ""

    def title(self, *, several: bool) -> str:
        """The action's title for one row or for `several`."""
        return words.ACTION_TITLES[self.name][several]


class RowActions(QObject):
    """Runs the actions on the selection of `table`, by menu, key or palette."""

    value_asked = Signal(str)  # a piece of a filter that is to be added to the line
    export_asked = Signal(object)  # a sequence of OrderLine; all that the table shows where it is empty

    def __init__(
        self,
        page: Page,
        table: OrdersTable,
        loader: RowLoader,
        side: SidePane,
        state: QueryState,
        watch_list: WatchList,
    ) -> None:
        super().__init__(page)
        self._page, self._table, self._loader = page, table, loader
        self._side, self._state, self._watch_list = side, state, watch_list
        self._watches = 0
        self._off: frozenset[str] = frozenset()
        self.actions: tuple[RowAction, ...] = (
            RowAction("open", "Return", self.open, "row"),
            RowAction("change", "Ctrl+E", self.change, "one"),
            RowAction("clone", "Ctrl+D", self.clone, "one"),
            RowAction("case file", "Ctrl+Shift+P", self.make_case_file, "one"),
            RowAction("load", "Ctrl+Shift+L", self.show_load, "row", "loads"),
            RowAction("facilities", "Ctrl+Shift+F", self.show_facilities, "row", "facilities"),
            RowAction("slots", "Ctrl+Shift+S", self.show_slots, "one"),
            RowAction("look up", "Ctrl+L", self.look_up),
            RowAction("refresh", "Shift+F5", self.refresh),
            RowAction("watch", "Ctrl+B", self.watch),
            RowAction("seen", "Ctrl+Shift+M", self.mark_seen),
            RowAction("copy table", "Ctrl+C", self.copy_table, "rows"),
            RowAction("copy text", "Ctrl+Alt+C", self.copy_text, "rows"),
            RowAction("copy references", "Ctrl+Shift+C", self.copy_references, "rows"),
            RowAction("print", "Ctrl+P", self.print),
            RowAction("export", "Ctrl+Alt+E", self.export),
            RowAction("cancel", "Ctrl+Delete", self.cancel),
        )
        self._keys = {each.key: each for each in self.actions if each.key != "Return"}
        table.takes_key = self._takes
        table.on_key = self._on_key
        table.menu_asked.connect(self.open_menu)

    def leave_out(self, pages: Collection[str]) -> None:
        """Offer no actions that lead to these pages. Their keys say that the page is off."""
        self._off = frozenset(pages)

    @property
    def offered(self) -> list[RowAction]:
        """The actions for the menu and the palette."""
        return [each for each in self.actions if each.page not in self._off]

    # Which actions are possible

    def possible(self, action: RowAction) -> bool:
        """Whether the selection allows the action, as far as its rows are loaded."""
        count = self._table.selected_count()
        if action.needs == "rows" or not count:
            return count > 0
        lines = self._table.selected_lines()
        found = [each for each in lines if isinstance(each, OrderLine)]
        if action.needs == "row":
            return count == 1 and len(lines) == 1
        if action.name == "change" and any(why_not_changed(each) for each in found):
            return False
        if action.name == "clone" and count == 1 and self._write() is not None:
            return True
        return count == 1 and len(found) == 1 if action.needs == "one" else bool(found) or count > len(lines)

    def _takes(self, event: QKeyEvent) -> bool:
        action = self._keys.get(_pressed(event))
        return action is not None and self._table.selected_count() > 0

    def _on_key(self, event: QKeyEvent) -> bool:
        action = self._keys.get(_pressed(event))
        if action is None or not self._table.selected_count():
            return False
        self.run(action)
        return True

    def says_what_is_missing(self, event: QKeyEvent) -> bool:
        """Say that no row is selected, if this is the key of an action on rows and none is."""
        action = self._keys.get(_pressed(event))
        if action is None or self._table.selected_count():
            return False
        self.run(action)
        return True

    def run(self, action: RowAction) -> None:
        """Run the action, or say why it is not possible."""
        if self.possible(action):
            action.act()
        elif not self._table.selected_count():
            self._page.bar.say("", words.NOTHING_SELECTED)
        elif action.needs in ("one", "row") and self._table.selected_count() > 1:
            self._page.bar.say("", words.ONE_AT_A_TIME)
        elif reason := self._why_not_changed():
            self._page.bar.say("", reason)
        else:
            self._page.bar.say("", words.IN_OUTBOX)

    def _why_not_changed(self) -> str:
        return next((why_not_changed(each) for each in self._table.selected_lines() if isinstance(each, OrderLine)), "")

    def _same_value(self, column: str) -> str:
        """The filter for orders that have the same value in this column as the selected one; empty if there is none."""
        lines = self._table.selected_lines()
        if len(lines) != 1 or self._table.selected_count() != 1:
            return ""
        from app.ui.orders.filter.same_value import same_value

        return same_value(lines[0], column)

    def open_menu(self, at: QPoint, column: str) -> None:
        """Open the menu of actions; `column` names the column under the pointer."""
        menu = QMenu(self._table)
        several = self._table.selected_count() > 1
        for each in self.offered:
            title = each.title(several=several)
            menu.addAction(f"{title}\t{shown_key(each.key)}", partial(self.run, each)).setEnabled(self.possible(each))
            if each.name in ("clone", "refresh", "seen"):
                menu.addSeparator()
            if each.name == "open" and (typed := self._same_value(column)):
                menu.addAction(words.filter_by_value(ampersands(typed)), partial(self.value_asked.emit, typed))
            if each.name == "copy references":
                only = words.copy_only(ampersands(BY_NAME[column].title))
                menu.addAction(only, partial(self.copy_field, column))
                menu.addSeparator()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)

    # Actions on one row

    def open(self) -> None:
        """Show the selected order, or the story of the selected write, beside the table."""
        (line,) = self._table.selected_lines()
        if isinstance(line, OutboxLine):
            self._side.show_write(line.write.id)
        else:
            self._side.show_order(line.number, line)

    def change(self) -> None:
        """Open the form with the selected order, to change it."""
        self._page.services.news.change_order.emit(self._only().number)

    def clone(self) -> None:
        """Open the form with a copy of the selected order; of one in the outbox, as it was sent or is to be sent."""
        write, news = self._write(), self._page.services.news
        if write is None:
            news.clone_order.emit(self._only().number)
        else:
            news.clone_write.emit(write)

    def make_case_file(self) -> None:
        """Make the case file of the selected order."""
        self._side.make_case_file(self._only().number)

    def show_load(self) -> None:
        """Show the load that this desk's submission of the order named."""
        (line,) = self._table.selected_lines()
        if line.crn:
            self._page.tasks.read("load", self._show_load(line.crn))
        else:
            self._page.bar.say("", words.NO_REFERENCE_FOR_LOAD)

    def show_facilities(self) -> None:
        """Show the facilities that serve the ZIP of the selected order; all of them if it has none."""
        (line,) = self._table.selected_lines()
        asked = {"ZipCode": line.zip} if line.zip else {}
        self._page.services.news.look_up_known.emit("facilities", asked)

    def show_slots(self) -> None:
        """Open the delivery slots of the selected order."""
        self._side.show_slots(self._only().number)

    async def _show_load(self, reference: str) -> None:
        from app.desk.loads.load_orders import load_of  # brings the models, which the first paint does without

        load = await load_of(self._page.desk, reference)
        if load:
            self._page.services.news.show_load.emit(load)
        else:
            self._page.bar.say("", words.no_load_named(reference))

    def _write(self) -> int | None:
        """The write of the only selected row, if that is an order of the outbox; None for orders and cancellations."""
        lines = self._table.selected_lines()
        line = lines[0] if len(lines) == 1 else None
        return line.write.id if isinstance(line, OutboxLine) and line.write.kind == "submit" else None

    def _only(self) -> OrderLine:
        (line,) = self._table.selected_lines()
        assert isinstance(line, OrderLine)
        return line

    # Copying

    def copy_table(self) -> None:
        """Copy the rows as a table that pastes into a spreadsheet."""
        self._with_rows("copy", MOST_COPIED, self._copied_table)

    def copy_text(self) -> None:
        """Copy the rows as text for a message."""
        self._with_rows("copy", MOST_COPIED, self._copied_text)

    def copy_references(self) -> None:
        """Copy the references, a line each."""
        self.copy_field("crn")

    def copy_field(self, name: str) -> None:
        """Copy one column, a line for each row."""
        self._with_rows("copy", MOST_COPIED, partial(self._copied_field, name))

    async def _copied_table(self, lines: Sequence[Line]) -> None:
        from app.ui.orders.table.copying import copy_table  # nobody copies before the first paint

        await copy_table(self._state.columns, lines)
        self._say_copied(lines, words.copied_rows(len(lines), "table"))

    async def _copied_text(self, lines: Sequence[Line]) -> None:
        from app.ui.orders.table.copying import copy_text

        await copy_text(self._state.columns, lines)
        self._say_copied(lines, words.copied_rows(len(lines), "text"))

    async def _copied_field(self, name: str, lines: Sequence[Line]) -> None:
        from app.ui.orders.table.copying import copy_field

        copy_field(name, lines)
        self._say_copied(lines, words.copied_column(len(lines), BY_NAME[name].title))

    def _say_copied(self, lines: Sequence[Line], sentence: str) -> None:
        if len(lines) > _SILENT_COPY:
            self._page.bar.say("", sentence)

    # Asking the provider

    def look_up(self) -> None:
        """Ask the provider for the status of the selected orders."""
        self._with_rows("look up", MOST_ASKED, self._looked_up)

    async def _looked_up(self, lines: Sequence[Line]) -> None:
        # Imports the client and its models, which the first paint does without.
        from app.desk.sending.batch import look_up_many

        orders = _orders(lines)
        await self._report_each(words.STATUS_TITLE, orders, partial(look_up_many, self._page.desk, orders))
        self._side.redraw()  # the order beside the table says what was answered

    def refresh(self) -> None:
        """Fetch the selected orders anew."""
        self._with_rows("refresh rows", MOST_ASKED, self._refreshed)

    async def _refreshed(self, lines: Sequence[Line]) -> None:
        from app.desk.sending.batch import refresh_many

        orders = _orders(lines)
        await self._report_each(words.REFRESH_TITLE, orders, partial(refresh_many, self._page.desk, orders))
        self._page.services.news.stored.emit()

    async def _report_each(
        self, title: str, orders: Sequence[OrderLine], work: Callable[["OnResult"], Awaitable[None]]
    ) -> None:
        """Run `work`; show the answer about one order in the bar, the answers about several in a dialog."""
        bar = self._page.bar
        if len(orders) == 1:
            name = words.order_named(orders[0].number, orders[0].crn or "")
            bar.say("soft", words.asking_about(name), topic="answer")

            def answer(_line: OrderLine, result: "BatchResult") -> None:
                sentence = words.answer(name, result.sentence, clock(self._page.services.now()))
                bar.say(result.tone, sentence, topic="answer", stays=True)

            await work(answer)
            return
        from app.ui.orders.actions.results_dialog import ResultsDialog

        page = self._page
        stop = partial(page.tasks.cancel, "asking")
        dialog = ResultsDialog(page, page.services.theme, title, len(orders), stop)
        dialog.show()

        def tell(line: OrderLine, result: "BatchResult") -> None:
            if not dialog.ended:
                dialog.add(line.crn or f"{line.number}", result.tone, result.sentence)

        try:
            await work(tell)
        finally:
            # A person may have closed the dialog, and deleted its widgets with it, while the work went on.
            if not dialog.ended:
                dialog.finish(words.asked_at(clock(self._page.services.now())))

    # Actions on this desk

    def watch(self) -> None:
        """Watch the selected orders, or stop watching if all of them are watched."""
        # A name of its own for each press: one that is read must not be replaced by the next.
        self._watches += 1
        self._with_rows(f"watch {self._watches}", MOST_WATCHED, self._watched, write=True)

    def watch_one(self, line: OrderLine) -> None:
        """Watch one order, or stop watching it."""
        self._watch_list.toggle_soon([line])

    async def _watched(self, lines: Sequence[Line]) -> None:
        if orders := _orders(lines):
            self._watch_list.toggle_soon(orders)

    def mark_seen(self) -> None:
        """Remove the marks of changes from the selected orders."""
        self._with_rows("seen", MOST_COPIED, self._marked_seen)

    async def _marked_seen(self, lines: Sequence[Line]) -> None:
        self._loader.mark_seen(_orders(lines))

    def print(self) -> None:
        """Print a sheet of each of the selected orders."""
        self._with_rows("print", MOST_PRINTED, self._printed)

    async def _printed(self, lines: Sequence[Line]) -> None:
        from app.ui.outbox.outbox_words import paper_sentence
        from app.ui.printing.open_panel import print_orders  # nobody prints before the first paint

        page, numbers = self._page, [each.number for each in _orders(lines)]
        if numbers:
            print_orders(page, page.services, page.tasks, page.desk, numbers, paper_sentence, page.bar.say)

    def export(self) -> None:
        """Export the selected orders; without reading them one by one, if all rows are selected."""
        if self._table.selected_count() == self._table.orders.rowCount():
            self.export_asked.emit(())
        else:
            self._with_rows("copy", MOST_COPIED, self._exported)

    async def _exported(self, lines: Sequence[Line]) -> None:
        if found := _orders(lines):
            self.export_asked.emit(found)

    # Cancelling

    def cancel(self) -> None:
        """Ask whether to cancel the selected orders. A single one must be in sight: nothing is destroyed unseen."""
        spans = self._table.spans()
        if not self._loader.is_current:
            self._page.bar.say("", words.STILL_LOADING)
        elif self._table.selected_count() > 1:
            # Another connection may be chosen while the question is open: the orders are cancelled where they are.
            desk = self._page.desk
            hidden = sum(not self._table.is_row_visible(row) for first, last in spans for row in range(first, last + 1)
                         ) if self._table.selected_count() <= MOST_CANCELLED else 0  # fmt: skip
            self._with_rows("cancel many", MOST_CANCELLED, partial(self._cancelled, desk, hidden), write=True)
        elif spans:
            self._cancel_row(spans[0][0])
        else:
            self._cancel_shown()

    def _cancel_row(self, row: int) -> None:
        line = self._table.orders.line(row)
        if line is None or not self._table.is_row_visible(row):
            self._table.scrollTo(self._table.orders.index(row, 0))
            self._page.bar.say("", words.OUT_OF_SIGHT)
        elif isinstance(line, OutboxLine):
            self._page.bar.say("", words.IN_OUTBOX)
        else:
            self._side.ask_cancel(line.number, line)

    def _cancel_shown(self) -> None:
        """Cancel the order beside the table, if no row is selected and the table holds the order."""
        key = self._side.key
        row = None if key is None else self._table.orders.row_of(key)
        if key is None:
            self._page.bar.say("", words.NOTHING_SELECTED)
        elif row is not None:
            self._cancel_row(row)
        elif key < 0 or not self._side.is_listed:
            self._page.bar.say("", words.SHOWN_NOT_IN_LIST)
        else:
            self._side.ask_cancel(key)

    async def _cancelled(self, desk: Desk, hidden: int, lines: Sequence[Line]) -> None:
        from app.ui.orders.actions.cancel_many import cancel_many, why_not

        orders, news = _orders(lines), self._page.services.news
        if all(why_not(each) for each in orders):
            self._page.bar.say("", words.NONE_CANCELLABLE)
        elif queued := await cancel_many(self._page, desk, orders, hidden):
            news.cancelling_many.emit(queued)
            news.queue_changed.emit()

    # Rows

    def _with_rows(
        self, name: str, most: int, act: Callable[[Sequence[Line]], Awaitable[None]], *, write: bool = False
    ) -> None:
        """Read the selected rows that are not loaded, and call `act` with all of them; refuse more than `most`."""
        count = self._table.selected_count()
        if count > most:
            self._page.bar.say("warn", words.too_many_selected(count, most))
            return
        tasks = self._page.tasks
        # The rows of this moment: by the time they are read, the next key may have moved on.
        work = self._read_and(self._table.spans(), act)
        if write:
            tasks.write(name, work)
        else:
            tasks.read(name if name in ("copy", "seen") else "asking", work)

    async def _read_and(
        self, spans: Sequence[tuple[int, int]], act: Callable[[Sequence[Line]], Awaitable[None]]
    ) -> None:
        lines = await self._loader.lines_of(spans)
        if lines:
            await act(lines)


def why_not_changed(line: OrderLine) -> str:
    """Why an order cannot be changed, as far as this desk knows; empty if it can.

    The provider takes a changed order without a reference for a new one.
    """
    if not line.crn:
        return words.NO_REFERENCE_TO_CHANGE
    return words.closed_for_change(line.crn) if line.is_closed else ""


def _pressed(event: QKeyEvent) -> str:
    return QKeySequence(event.keyCombination()).toString(QKeySequence.SequenceFormat.PortableText)


def _orders(lines: Sequence[Line]) -> list[OrderLine]:
    return [each for each in lines if isinstance(each, OrderLine)]

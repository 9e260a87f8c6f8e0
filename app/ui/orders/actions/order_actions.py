"""What can be done with the rows that are selected, as data: one list for the menu, the keys and the palette.

Each works on whatever is selected; rows that are not at hand are read from the store. What is done to many tells of
each what came of it.
"""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMenu

from app.desk.desk import Desk
from app.desk.sending.outstanding_orders import OutboxLine
from app.store.cache.order_rows import OrderLine
from app.ui.base.page import Page
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
MOST_ASKED = 500  # at the provider, one after the other
MOST_CANCELLED = 1_000
MOST_WATCHED = 5_000
_FEW = 2


class RowAction(NamedTuple):
    """`needs`: one order, any orders, or any rows, also of the outbox; `words` are for one, `many` for more."""

    name: str
    words: str
    many: str
    key: str
    act: Callable[[], object]
    needs: str = "orders"


class RowActions(QObject):
    """Knows what is selected in the table and does things with it."""

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
        self.actions: tuple[RowAction, ...] = (
            RowAction("open", "Open", "Open", "Return", self.open, "one"),
            RowAction("change", "Change order", "Change order", "Ctrl+E", self.change, "one"),
            RowAction("clone", "Clone", "Clone", "Ctrl+D", self.clone, "one"),
            RowAction("case file", "Case file…", "Case file…", "Ctrl+Shift+P", self.make_case_file, "one"),
            RowAction("look up", "Look up status", "Look up statuses", "Ctrl+L", self.look_up),
            RowAction("refresh", "Refresh this order", "Refresh these orders", "Shift+F5", self.refresh),
            RowAction("watch", "Watch, or stop watching", "Watch, or stop watching", "Ctrl+B", self.watch),
            RowAction("seen", "Mark as seen", "Mark as seen", "Ctrl+Shift+M", self.mark_seen),
            RowAction("copy table", "Copy as table", "Copy as table", "Ctrl+C", self.copy_table, "rows"),
            RowAction("copy text", "Copy as text", "Copy as text", "Ctrl+Alt+C", self.copy_text, "rows"),
            RowAction(
                "copy references", "Copy reference", "Copy references", "Ctrl+Shift+C", self.copy_references, "rows"
            ),
            RowAction("export", "Export…", "Export these…", "Ctrl+Alt+E", self.export),
            RowAction("cancel", "Cancel order…", "Cancel orders…", "Ctrl+Delete", self.cancel),
        )
        self._keys = {each.key: each for each in self.actions if each.key != "Return"}
        table.takes_key = self._takes
        table.on_key = self._on_key
        table.menu_asked.connect(self.open_menu)

    # Which

    def possible(self, action: RowAction) -> bool:
        """Whether there is something that it can be done with."""
        count = self._table.selected_count()
        if action.needs == "rows" or not count:
            return count > 0
        lines = self._table.selected_lines()
        found = [each for each in lines if isinstance(each, OrderLine)]
        if action.name == "open":
            return count == 1 and len(lines) == 1
        if action.name == "change" and any(why_not_changed(each) for each in found):
            return False
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

    def run(self, action: RowAction) -> None:
        """Do it, or say why it cannot be done."""
        if self.possible(action):
            action.act()
        elif not self._table.selected_count():
            self._page.bar.say("", "No order is selected.")
        elif action.needs == "one" and self._table.selected_count() > 1:
            self._page.bar.say("", "This can be done with one order at a time.")
        elif words := self._why_not_changed():
            self._page.bar.say("", words)
        else:
            self._page.bar.say("", "This is in the outbox. What can be done with it stands beside the table.")

    def _why_not_changed(self) -> str:
        return next((why_not_changed(each) for each in self._table.selected_lines() if isinstance(each, OrderLine)), "")

    def open_menu(self, at: QPoint, column: str) -> None:
        """A menu of what can be done with what is selected; `column` is where it was asked."""
        menu = QMenu(self._table)
        several = self._table.selected_count() > 1
        for each in self.actions:
            words = each.many if several else each.words
            menu.addAction(f"{words}\t{shown_key(each.key)}", partial(self.run, each)).setEnabled(self.possible(each))
            if each.name in ("clone", "refresh", "seen"):
                menu.addSeparator()
            if each.name == "copy references":
                title = ampersands(BY_NAME[column].title)
                menu.addAction(f"Copy {title} alone", partial(self.copy_field, column))
                menu.addSeparator()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)

    # One

    def open(self) -> None:
        """Show the order beside the table."""
        (line,) = self._table.selected_lines()
        if isinstance(line, OutboxLine):
            self._side.show_write(line.write.id)
        else:
            self._side.show_order(line.number)

    def change(self) -> None:
        """Take it up in the form."""
        self._page.room.news.change_order.emit(self._only().number)

    def clone(self) -> None:
        """A new order like it."""
        self._page.room.news.clone_order.emit(self._only().number)

    def make_case_file(self) -> None:
        """All that is known of it in one file."""
        self._side.make_case_file(self._only().number)

    def _only(self) -> OrderLine:
        (line,) = self._table.selected_lines()
        assert isinstance(line, OrderLine)
        return line

    # Copying

    def copy_table(self) -> None:
        """As a table that pastes into a spreadsheet."""
        self._with_rows("copy", MOST_COPIED, self._copied_table)

    def copy_text(self) -> None:
        """As text for a message."""
        self._with_rows("copy", MOST_COPIED, self._copied_text)

    def copy_references(self) -> None:
        """The references, a line each."""
        self.copy_field("crn")

    def copy_field(self, name: str) -> None:
        """One field of each, a line each."""
        self._with_rows("copy", MOST_COPIED, partial(self._copied_field, name))

    async def _copied_table(self, lines: Sequence[Line]) -> None:
        from app.ui.orders.table.copying import copy_table  # nobody copies before the first paint

        await copy_table(self._state.columns, lines)
        self._say_copied(lines, "as a table")

    async def _copied_text(self, lines: Sequence[Line]) -> None:
        from app.ui.orders.table.copying import copy_text

        await copy_text(self._state.columns, lines)
        self._say_copied(lines, "as text")

    async def _copied_field(self, name: str, lines: Sequence[Line]) -> None:
        from app.ui.orders.table.copying import copy_field

        copy_field(name, lines)
        self._say_copied(lines, f"{BY_NAME[name].title} alone")

    def _say_copied(self, lines: Sequence[Line], how: str) -> None:
        if len(lines) > _FEW:
            self._page.bar.say("", f"Copied {len(lines):,} rows, {how}.")

    # Asking the provider

    def look_up(self) -> None:
        """Ask how they stand."""
        self._with_rows("look up", MOST_ASKED, self._looked_up)

    async def _looked_up(self, lines: Sequence[Line]) -> None:
        from app.desk.sending.batch import (
            look_up_many,  # brings the client's models, which the first paint does without
        )

        orders = _orders(lines)
        await self._told_of_each("Status of orders", orders, partial(look_up_many, self._page.desk, orders))

    def refresh(self) -> None:
        """Fetch them anew."""
        self._with_rows("refresh rows", MOST_ASKED, self._refreshed)

    async def _refreshed(self, lines: Sequence[Line]) -> None:
        from app.desk.sending.batch import refresh_many

        orders = _orders(lines)
        await self._told_of_each("Refreshing orders", orders, partial(refresh_many, self._page.desk, orders))
        self._page.room.news.stored.emit()

    async def _told_of_each(
        self, title: str, orders: Sequence[OrderLine], work: Callable[["OnResult"], Awaitable[None]]
    ) -> None:
        """One order's answer stands in the bar, those of many in a list of their own."""
        bar = self._page.bar
        if len(orders) == 1:
            name = orders[0].crn or f"order {orders[0].number}"
            bar.say("soft", f"Asking the provider about {name}…", topic="answer")

            def answer(_line: OrderLine, came: "BatchResult") -> None:
                at = clock(self._page.room.now())
                bar.say(came.tone, f"{name}: {came.sentence} Asked at {at}.", topic="answer", stays=True)

            await work(answer)
            return
        from app.ui.orders.actions.results_dialog import ResultsDialog

        page = self._page
        stop = partial(page.tasks.cancel, "asking")
        dialog = ResultsDialog(page, page.room.theme, title, len(orders), stop)
        dialog.show()

        def tell(line: OrderLine, came: "BatchResult") -> None:
            if not dialog.ended:
                dialog.add(line.crn or f"{line.number}", came.tone, came.sentence)

        try:
            await work(tell)
        finally:
            if not dialog.ended:
                dialog.end(f"Asked at {clock(self._page.room.now())}.")

    # On this desk

    def watch(self) -> None:
        """Watch them, or no longer if all of them are watched."""
        self._with_rows("watch", MOST_WATCHED, self._watched)

    def watch_one(self, line: OrderLine) -> None:
        """The same with this one."""
        self._page.tasks.read("watch", self._watched([line]))

    async def _watched(self, lines: Sequence[Line]) -> None:
        if orders := _orders(lines):
            await self._watch_list.toggle(orders)

    def mark_seen(self) -> None:
        """Take the marks of changes off them."""
        self._with_rows("seen", MOST_COPIED, self._marked_seen)

    async def _marked_seen(self, lines: Sequence[Line]) -> None:
        self._loader.mark_seen(_orders(lines))

    def export(self) -> None:
        """Write them into a file; all that are shown, if all are selected."""
        if self._table.selected_count() == self._table.orders.rowCount():
            self.export_asked.emit(())
        else:
            self._with_rows("copy", MOST_COPIED, self._exported)

    async def _exported(self, lines: Sequence[Line]) -> None:
        if found := _orders(lines):
            self.export_asked.emit(found)

    # Cancelling

    def cancel(self) -> None:
        """Ask whether they are to be cancelled; of one only while its row is in sight."""
        spans = self._table.spans()
        if not self._loader.is_current:
            self._page.bar.say("", "The list is still being read. Nothing was cancelled.")
        elif self._table.selected_count() > 1:
            desk = self._page.desk  # held on to while the question stands: the profile may change
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
            self._page.bar.say("", "The selected row was out of sight. Look at it first, then cancel it.")
        elif isinstance(line, OutboxLine):
            self._page.bar.say("", "This is in the outbox. What can be done with it stands beside the table.")
        else:
            self._side.ask_cancel(line.number)

    def _cancel_shown(self) -> None:
        """No row is selected: the order beside the table is meant, as long as its row is there."""
        key = self._side.key
        row = None if key is None else self._table.orders.row_of(key)
        if key is None:
            self._page.bar.say("", "No order is selected.")
        elif row is not None:
            self._cancel_row(row)
        elif key < 0 or not self._side.is_listed:
            self._page.bar.say("", "What is shown beside the table is not in the list. Nothing was cancelled.")
        else:
            self._side.ask_cancel(key)

    async def _cancelled(self, desk: Desk, hidden: int, lines: Sequence[Line]) -> None:
        from app.ui.orders.actions.cancel_many import cancel_many, why_not

        orders, news = _orders(lines), self._page.room.news
        if all(why_not(each) for each in orders):
            words = "None of the chosen orders can be cancelled: they are closed, or have no reference."
            self._page.bar.say("", words)
        elif queued := await cancel_many(self._page, desk, orders, hidden):
            news.cancelling_many.emit(queued)
            news.queue_changed.emit()

    # Rows

    def _with_rows(
        self, name: str, most: int, act: Callable[[Sequence[Line]], Awaitable[None]], *, write: bool = False
    ) -> None:
        """Read what is selected, as far as it is not at hand, and act on it."""
        count = self._table.selected_count()
        if count > most:
            self._page.bar.say("warn", f"{count:,} rows are selected. This can be done with {most:,} at a time.")
            return
        tasks = self._page.tasks
        work = self._read_and(act)
        if write:
            tasks.write(name, work)
        else:
            tasks.read(name if name in ("copy", "seen", "watch") else "asking", work)

    async def _read_and(self, act: Callable[[Sequence[Line]], Awaitable[None]]) -> None:
        lines = await self._loader.lines_of(self._table.spans())
        if lines:
            await act(lines)


def why_not_changed(line: OrderLine) -> str:
    """Why an order cannot be changed as far as is known; empty when it can. Sent again, it would be a second one."""
    if not line.crn:
        return "This order has no reference, and only orders with one can be changed."
    return f"{line.crn} is closed and cannot be changed. Clone it for a new order." if line.is_closed else ""


def _pressed(event: QKeyEvent) -> str:
    return QKeySequence(event.keyCombination()).toString(QKeySequence.SequenceFormat.PortableText)


def _orders(lines: Sequence[Line]) -> list[OrderLine]:
    return [each for each in lines if isinstance(each, OrderLine)]

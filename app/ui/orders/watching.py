"""What a person has looked at and what is watched: marks go when an order was seen, changes of watched ones are told.

A change of a watched order is told once: in the bar above the orders, and by the desktop where it shows such notices.
"""

from collections.abc import Sequence

from PySide6.QtCore import QObject

from app.desk.desk import Desk
from app.desk.orders import stored_orders
from app.desk.orders.watched_orders import changes, unwatch, watch, watched
from app.store.cache.order_rows import OrderLine
from app.store.store_errors import StoreError
from app.ui.base.page import Page
from app.ui.orders.desktop_notice import DesktopNotice
from app.ui.orders.detail.beside import Beside
from app.ui.orders.table.column_list import state_text
from app.ui.orders.table.orders_table import OrdersTable

_NOT_COMPARED = "watched orders not compared"
_NAMED = 3


class Watching(QObject):
    """`numbers` are the orders that are watched on this connection."""

    def __init__(self, page: Page, table: OrdersTable, beside: Beside) -> None:
        super().__init__(page)
        self._page, self._table, self._beside = page, table, beside
        self.numbers: frozenset[int] = frozenset()
        self.notice = DesktopNotice(page.room.theme)
        self.notice.clicked.connect(self._show_told)
        self._told: int | None = None

    def take_desk(self, desk: Desk) -> None:
        """Which orders are watched on another connection is read anew."""
        self.numbers = frozenset()
        self._page.tasks.read("watched", self._read(desk))

    async def _read(self, desk: Desk) -> None:
        self.numbers = frozenset(await watched(desk))

    # Marks

    def look(self) -> None:
        """The order that is open has been seen: it bears no mark any more."""
        key = self._beside.key
        line = next((line for _, line in self._table.orders.loaded_rows() if isinstance(line, OrderLine)
                     and line.number == key), None) if key is not None and key > 0 else None  # fmt: skip
        if line is not None and line.changed:
            self._table.orders.unmark({line.number})
            self._page.tasks.read("look", stored_orders.looked_at(self._page.desk, [line.number]))

    def look_at_all(self, lines: Sequence[OrderLine]) -> None:
        """A person says that these have been seen."""
        numbers = [each.number for each in lines]
        self._table.orders.unmark(set(numbers))
        self._page.tasks.write("look at all", stored_orders.looked_at(self._page.desk, numbers))

    # Watching

    def is_watched(self, number: int) -> bool:
        """Whether changes of this order are told."""
        return number in self.numbers

    async def turn(self, lines: Sequence[OrderLine]) -> None:
        """Watch these; if all of them are watched already, watch them no longer."""
        desk, bar = self._page.desk, self._page.bar
        numbers = {each.number for each in lines}
        stop = numbers <= self.numbers
        try:
            words = "" if stop else await watch(desk, lines)
            if stop:
                await unwatch(desk, numbers)
            await self._read(desk)
        except StoreError as error:
            bar.say("bad", f"This could not be kept. {error.sentence}")
            return
        one = lines[0].crn or f"order {lines[0].number}"
        what = one if len(lines) == 1 else f"{len(lines):,} orders"
        said = f"{what} {'is' if len(lines) == 1 else 'are'} {'not watched any more' if stop else 'watched'}."
        bar.say("warn" if words else "good", words or said[0].upper() + said[1:])
        self._page.room.news.stored.emit()

    def tell_changes(self) -> None:
        """The provider was asked: tell of watched orders that stand otherwise now."""
        if self._page.tasks.running("watched changes"):
            return
        self._page.tasks.write("watched changes", self._tell_changes(self._page.desk))

    async def _tell_changes(self, desk: Desk) -> None:
        try:
            lines = await changes(desk)
        except StoreError as error:
            words = f"Watched orders could not be compared. {error.sentence}"
            self._page.bar.say("bad", words, topic=_NOT_COMPARED)
            return
        self._page.bar.withdraw(_NOT_COMPARED)
        if not lines:
            return
        named = ", ".join(f"{each.crn or each.number}: {state_text(each)}" for each in lines[:_NAMED])
        more = f" and {len(lines) - _NAMED:,} more" if len(lines) > _NAMED else ""
        heading = "A watched order has changed" if len(lines) == 1 else f"{len(lines):,} watched orders have changed"
        self._told = lines[0].number
        self._page.bar.say("", f"{heading}. {named}{more}.", "Open", self._open_told)
        self.notice.show_notice(heading, f"{named}{more}")

    def _show_told(self) -> None:
        window = self._page.window()
        window.show()
        window.raise_()
        window.activateWindow()
        self._open_told()

    def _open_told(self) -> None:
        if self._told is not None:
            self._page.room.news.show_order.emit(self._told)  # also where another page is shown

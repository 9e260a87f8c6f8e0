"""Watched orders: which they are, and a message when one of them has changed.

Invariant: each change is told once in the message bar. The desktop notice is `background/noticer`'s.
"""

from collections.abc import Sequence

from PySide6.QtCore import QObject

from app.desk.desk import Desk
from app.desk.orders.watched_orders import take_changes, unwatch, watch, watched
from app.store.cache.order_rows import OrderLine
from app.store.store_errors import StoreError
from app.ui.base.page import Page
from app.ui.orders import orders_words as words
from app.ui.orders.table.column_list import state_text

_NOT_COMPARED = "watched orders not compared"
_NAMED = 3


class WatchList(QObject):
    """Works with the tasks, the bar and the desk of `page`. `numbers` are the orders watched on this connection."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self._page = page
        self.numbers: frozenset[int] = frozenset()
        self._asked: list[tuple[Desk, Sequence[OrderLine]]] = []  # to be watched, or no longer, the oldest first
        self._changed_number: int | None = None  # the order that the last message was about

    def take_desk(self, desk: Desk) -> None:
        """Read which orders are watched on this desk's connection."""
        self.numbers = frozenset()
        self._page.tasks.read("watched", self._read(desk))

    async def _read(self, desk: Desk) -> None:
        self.numbers = frozenset(await watched(desk))

    def is_watched(self, number: int) -> bool:
        """Whether changes of this order are told."""
        return number in self.numbers

    def toggle_soon(self, lines: Sequence[OrderLine]) -> None:
        """As `toggle`, after those that were asked for before: none replaces another."""
        self._asked.append((self._page.desk, lines))
        if not self._page.tasks.running("watch"):
            self._page.tasks.write("watch", self._toggle_all())

    async def _toggle_all(self) -> None:
        while self._asked:
            desk, lines = self._asked.pop(0)
            if desk is self._page.desk:  # orders of another connection have other numbers
                await self.toggle(lines)

    async def toggle(self, lines: Sequence[OrderLine]) -> None:
        """Watch these orders; if all of them are watched already, watch none of them."""
        desk, bar = self._page.desk, self._page.bar
        numbers = {each.number for each in lines}
        stop = numbers <= self.numbers
        try:
            limit = "" if stop else await watch(desk, lines)
            if stop:
                await unwatch(desk, numbers)
            await self._read(desk)
        except StoreError as error:
            bar.say("bad", words.watch_not_saved(error.sentence))
            return
        done = words.not_watched if stop else words.watched
        bar.say(
            "warn" if limit else "good",
            limit or done(len(lines), lines[0].crn or words.order_numbered(lines[0].number)),
        )
        self._page.services.news.stored.emit()

    # Changes

    def tell_changes(self) -> None:
        """The provider has answered: tell which watched orders have changed since the last time."""
        if not self._page.tasks.running("watched changes"):
            self._page.tasks.write("watched changes", self._tell_changes(self._page.desk))

    async def _tell_changes(self, desk: Desk) -> None:
        try:
            lines = await take_changes(desk)
        except StoreError as error:
            self._page.bar.say("bad", words.watch_not_compared(error.sentence), topic=_NOT_COMPARED)
            return
        self._page.bar.withdraw(_NOT_COMPARED)
        if not lines:
            return
        states = [words.watched_state(each.crn or f"{each.number}", state_text(each)) for each in lines[:_NAMED]]
        named = words.watched_and_more(", ".join(states), max(len(lines) - _NAMED, 0))
        heading = words.watched_changed(len(lines))
        self._changed_number = lines[0].number
        self._page.bar.say("", words.watched_message(heading, named), words.OPEN, self._open_changed)

    def _open_changed(self) -> None:
        if self._changed_number is not None:
            self._page.services.news.show_order.emit(self._changed_number)  # also where another page is shown

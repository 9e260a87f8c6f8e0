"""The pane beside the orders table: one order, the story of one write of the outbox, or nothing.

Invariant: at most one of the two is shown, and `key` names it as the table knows its rows (see `column_list.key_of`).
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QSplitter, QWidget

from app.desk.desk import Desk
from app.store.cache.order_rows import OrderLine
from app.ui.base.deferred_imports import import_lock
from app.ui.base.page import Page
from app.ui.theme.tokens import DETAIL_WIDTH

if TYPE_CHECKING:
    from app.ui.orders.detail.order_detail import DetailPane
    from app.ui.outbox.write_story import StoryController


class SidePane(QObject):
    """Works with the tasks, the bar and the desk of `page`; puts its panes into `splitter`.

    Both panes are made when they are first needed: the first paint does without them and the models they read with.
    """

    key_changed = Signal(object)  # another key, or None where nothing is shown any more
    left = Signal()  # the keyboard was in the pane, and goes back to the table
    stepped = Signal(int)  # the order so many rows below is to be shown
    watch_toggled = Signal(object)  # an OrderLine that is to be watched, or not any more
    find_asked = Signal(object)  # an OrderLine that the table is to show

    def __init__(self, page: Page, splitter: QSplitter, is_watched: Callable[[int], bool]) -> None:
        super().__init__(page)
        self._page, self._splitter, self._is_watched = page, splitter, is_watched
        self.key: int | None = None
        self.order: DetailPane | None = None
        self.write: StoryController | None = None
        self._sizes: list[int] | None = None  # of the splitter, before a document was given most of it

    def take_desk(self, desk: Desk) -> None:
        """Show nothing of the old desk's."""
        self.close()
        if self.order is not None:
            self.order.take_desk(desk)

    def _set_key(self, key: int | None) -> None:
        self.key = key
        self.key_changed.emit(key)

    # What is shown

    def show_order(self, number: int, row: OrderLine | None = None) -> None:
        """Show an order of the provider's; until it has been read, what its row says."""
        if self.write is not None:
            self.write.put_away()
        self._set_key(number)
        self._order_pane().show_order(number, row)

    def show_reading(self) -> None:
        """The row that was chosen is still being read: show nothing of the one before."""
        if self.write is not None:
            self.write.put_away()
        self._set_key(None)
        if self.order is not None:
            self.order.show_reading()

    def show_write(self, write_id: int) -> None:
        """Show the story of a write."""
        if self.order is not None:
            self.order.close_order()
        self._set_key(-write_id)
        self._write_pane().show_listed(True)  # until the list is known not to hold it
        self._write_pane().show_write(write_id)

    def replace_write(self, number: int) -> None:
        """Show the order that the write has become, and move the keyboard from the write's story to the table."""
        focus = self._page.focusWidget()
        inside = focus is not None and self.write is not None and self.write.pane.isAncestorOf(focus)
        self.show_order(number)
        if inside:
            self.left.emit()

    def close(self) -> None:
        """Show nothing."""
        self._set_key(None)
        if self.order is not None:
            self.order.close_order()
        if self.write is not None:
            self.write.put_away()

    def _leave(self) -> None:
        self.close()
        self.left.emit()

    def redraw(self) -> None:
        """The journal has changed: show what is open as it is there."""
        if self.order is not None:
            self.order.redraw()
        if self.write is not None:
            self.write.redraw()

    def ask_again(self) -> None:
        """Something was sent: the order that is open may have changed at the provider."""
        if self.order is not None:
            self.order.ask_again()

    # What is done with an order

    def ask_cancel(self, number: int, row: OrderLine | None = None) -> None:
        """Show an order, and ask whether it is to be cancelled."""
        if self.key != number:
            self.show_order(number, row)
        self._order_pane().ask_cancel_of(number)

    def make_case_file(self, number: int) -> None:
        """Show an order, and make a file of all that is known of it."""
        if self.key != number:
            self.show_order(number)
        self._order_pane().make_case_file()

    def show_slots(self, number: int) -> None:
        """Show an order and its delivery slots."""
        if self.key != number:
            self.show_order(number)
        self._page.tasks.read("slots", self._show_slots(number))

    def _show_slots_of_shown(self) -> None:
        if self.key is not None and self.key > 0:
            self.show_slots(self.key)

    async def _show_slots(self, number: int) -> None:
        from app.ui.slots.slots_dialog import open_slots  # nobody asks for slots before the first paint

        await open_slots(self._page, number)

    @property
    def is_listed(self) -> bool:
        """Whether the table holds the order that is open, as far as is known."""
        return self.order is None or self.order.is_listed

    def show_listed(self, listed: bool) -> None:
        """Show the actions of what is open if the table holds it, else why there are none."""
        if self.key is not None and self.key < 0:
            self._write_pane().show_listed(listed)
        elif self.order is not None:
            self.order.show_listed(listed)

    # The panes

    def _order_pane(self) -> "DetailPane":
        if self.order is None:
            with import_lock:
                from app.ui.orders.detail.order_detail import DetailPane

            self.order = DetailPane(self._page.services, self._page.tasks, self._leave)
            self.order.take_desk(self._page.desk)
            self.order.wider.connect(self._widen)
            self.order.stepped.connect(self.stepped)
            self.order.watch_toggled.connect(self.watch_toggled)
            self.order.find_asked.connect(self.find_asked)
            self.order.slots_asked.connect(self._show_slots_of_shown)
            self.order.is_watched = self._is_watched
            self._add(self.order)
        return self.order

    def _write_pane(self) -> "StoryController":
        if self.write is None:
            with import_lock:
                from app.ui.outbox.write_story import StoryController

            self.write = StoryController(self._page)
            self.write.closed.connect(self.close)
            self.write.list_asked.connect(self._page.services.news.show_write)
            self.write.pane.left.connect(self.left)
            self.write.pane.hide()
            self._add(self.write.pane)
        return self.write

    def _widen(self, wide: bool) -> None:
        """Give the order most of the page, so that a document can be read; or as much as it had before."""
        assert self.order is not None
        sizes = self._splitter.sizes()
        place = self._splitter.indexOf(self.order)
        if wide:
            self._sizes = list(sizes)
            sizes[0], sizes[place] = 0, sum(sizes)
        elif self._sizes is not None:
            sizes, self._sizes = self._sizes, None
        self._splitter.setSizes(sizes)

    def _add(self, pane: QWidget) -> None:
        self._splitter.addWidget(pane)
        self._splitter.setStretchFactor(0, 1)
        panes = self._splitter.count() - 1
        left = max(self._splitter.width() - DETAIL_WIDTH, DETAIL_WIDTH)
        self._splitter.setSizes([left, *[DETAIL_WIDTH] * panes])

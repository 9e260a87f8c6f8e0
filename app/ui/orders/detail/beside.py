"""What stands beside the orders table: one order, one write of the outbox, or nothing."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QSplitter, QWidget

from app.desk.desk import Desk
from app.store.cache.order_rows import OrderLine
from app.ui.base.deferred_imports import import_lock
from app.ui.base.page import Page
from app.ui.theme.tokens import DETAIL_WIDTH

if TYPE_CHECKING:
    from app.ui.orders.detail.order_detail import DetailPane
    from app.ui.outbox.shown_write import ShownWrite


def _nothing(_what: object) -> None:
    """Until the page says what is to be done."""


def _never(_number: int) -> bool:
    return False


class Beside:
    """`key` says what is shown, as rows are known (see `columns.key_of`); None while nothing is.

    Both panes are made when they are first needed: the first paint does without them and the models they read with.
    """

    def __init__(self, page: Page, splitter: QSplitter) -> None:
        self._page, self._splitter = page, splitter
        self.key: int | None = None
        self.order: DetailPane | None = None
        self.write: ShownWrite | None = None
        # What the page does for the order that is shown: step to its neighbour, watch it, say whether it is watched,
        # let the list show it.
        self.step: Callable[[int], object] = _nothing
        self.turn_watch: Callable[[OrderLine], object] = _nothing
        self.is_watched: Callable[[int], bool] = _never
        self.find: Callable[[OrderLine], object] = _nothing
        self._narrow: list[int] | None = None  # how the room was shared out before a document was given most of it

    def take_desk(self, desk: Desk) -> None:
        """Show nothing of the old desk's."""
        self.close()
        if self.order is not None:
            self.order.take_desk(desk)

    def show_order(self, number: int) -> None:
        """Show an order of the provider's."""
        if self.write is not None:
            self.write.put_away()
        self.key = number
        self._order_pane().show_order(number)

    def follow(self, number: int) -> None:
        """Show the order that the write has become. Whoever was working in the story goes on in the table."""
        focus = self._page.focusWidget()
        inside = focus is not None and self.write is not None and self.write.pane.isAncestorOf(focus)
        self.show_order(number)
        if inside:
            self._page.enter()

    def show_write(self, write_id: int) -> None:
        """Show what was, or is to be, sent."""
        if self.order is not None:
            self.order.close_order()
        self.key = -write_id
        self._write_pane().show_write(write_id)

    def close(self) -> None:
        """Show nothing."""
        self.key = None
        if self.order is not None:
            self.order.close_order()
        if self.write is not None:
            self.write.put_away()

    def leave(self) -> None:
        """Show nothing, and go back to the table."""
        self.close()
        self._page.enter()

    def redraw(self) -> None:
        """The journal has changed: show it as it is there."""
        if self.order is not None:
            self.order.redraw()
        if self.write is not None:
            self.write.redraw()

    def ask_again(self) -> None:
        """Something was sent: an order that is shown may have changed at the provider."""
        if self.order is not None:
            self.order.ask_again()

    def ask_cancel(self, number: int) -> None:
        """Show an order, and ask whether it is to be cancelled."""
        if self.key != number:
            self.show_order(number)
        self._order_pane().ask_cancel_of(number)

    @property
    def is_held(self) -> bool:
        """Whether the list holds the order that is shown, as far as is known."""
        return self.order is None or self.order.is_held

    def show_held(self, held: bool) -> None:
        """Whether the list beside it holds the order that is shown."""
        if self.order is not None:
            self.order.show_held(held)

    def make_case_file(self, number: int) -> None:
        """Show an order, and make a file of all that is known of it."""
        if self.key != number:
            self.show_order(number)
        self._order_pane().make_case_file()

    def _order_pane(self) -> "DetailPane":
        if self.order is None:
            with import_lock:
                from app.ui.orders.detail.order_detail import DetailPane

            self.order = DetailPane(self._page.room, self._page.tasks, self.leave)
            self.order.take_desk(self._page.desk)
            self.order.wider.connect(self._widen)
            self.order.stepped.connect(self.step)
            self.order.watch_turned.connect(self.turn_watch)
            self.order.find_asked.connect(self.find)
            self.order.is_watched = self.is_watched
            self._add(self.order)
        return self.order

    def _write_pane(self) -> "ShownWrite":
        if self.write is None:
            with import_lock:
                from app.ui.outbox.shown_write import ShownWrite

            self.write = ShownWrite(self._page, lambda _write: self.close())
            self.write.pane.hide()
            self._add(self.write.pane)
        return self.write

    def _widen(self, wide: bool) -> None:
        """Give the order most of the page, so that a document can be read; or as much as it had before."""
        assert self.order is not None
        sizes = self._splitter.sizes()
        place = self._splitter.indexOf(self.order)
        if wide:
            self._narrow = list(sizes)
            sizes[0], sizes[place] = 0, sum(sizes)
        elif self._narrow is not None:
            sizes, self._narrow = self._narrow, None
        self._splitter.setSizes(sizes)

    def _add(self, pane: QWidget) -> None:
        self._splitter.addWidget(pane)
        self._splitter.setStretchFactor(0, 1)
        panes = self._splitter.count() - 1
        left = max(self._splitter.width() - DETAIL_WIDTH, DETAIL_WIDTH)
        self._splitter.setSizes([left, *[DETAIL_WIDTH] * panes])

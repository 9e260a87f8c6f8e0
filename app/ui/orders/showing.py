"""Keeps the table in step with the store: which rows, how many, and what of the outbox stands before them.

Invariant: what a person has selected, where the table is scrolled to and which order is open outlive every new answer.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from app.desk.desk import Desk
from app.desk.filter.filter_language import Filter
from app.desk.orders import stored_orders
from app.desk.sending.outstanding_orders import OutboxLine, Outstanding, outstanding
from app.runtime.tasks import Tasks
from app.store.cache.order_rows import OrderQuery
from app.store.store_errors import StoreError
from app.ui.orders.detail.beside import Beside
from app.ui.orders.table.arrangement import Arrangement, names_of
from app.ui.orders.table.column_list import Line, key_of
from app.ui.orders.table.orders_model import PAGE, OrdersModel
from app.ui.orders.table.orders_table import OrdersTable, placing_selection
from app.ui.orders.table.raw_columns import parts_among

_LARGE = 20_000  # orders, from which on their order is read ahead
_OUTBOX_SHOWN = 100  # the others are found by the filter, and in the outbox


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be shown: the orders of `query` in these columns, and with `outbox` what is sent but not listed."""

    query: OrderQuery
    columns: Arrangement
    outbox: bool
    asked: Filter


Ask = Callable[[], Awaitable[Asked | None]]


class Showing(QObject):
    """`ask` says what is to be shown; None while there is no desk. `now` is what is shown.

    `counted` tells of another number of rows, `preparing` how many orders are ready to be sorted, of how many; none of
    none when that has ended.
    """

    counted = Signal()
    preparing = Signal(int, int)

    def __init__(self, tasks: Tasks, table: OrdersTable, beside: Beside, ask: Ask) -> None:
        super().__init__()
        self._tasks, self._table, self._beside, self._ask = tasks, table, beside, ask
        self._model: OrdersModel = table.orders
        self._desk: Desk | None = None
        self.now: Asked | None = None
        self._ahead_of: Asked | None = None  # what is to be read on in
        self.at_leisure = False  # once the window has been painted
        self.count, self.exact = 0, True  # as far as it is known at once
        self.outstanding = Outstanding()
        self._outbox_changed = False
        self._model.wanted.connect(self._fetch_page)

    def take_desk(self, desk: Desk) -> None:
        """Show nothing of the old desk's outbox."""
        self._desk, self.now = desk, None
        self._show_outstanding(Outstanding())

    async def load(self) -> None:
        """Ask the store again and show the answer."""
        self._tasks.cancel("ahead")
        asked, desk = await self._ask(), self._desk
        if asked is None or desk is None:
            return
        # Of the first page what is on screen comes first, and the rest when that is shown.
        several = self._table.selected_count() > 1  # they stay chosen as far as they are at hand
        few = PAGE if several else min(self._table.rows_to_see(), PAGE)
        pages = self._table.pages_on_screen() if few == PAGE else ()
        try:
            answer = await stored_orders.first_rows(desk, asked.query, pages, PAGE, few, self.preparing.emit)
        except StoreError:
            self.preparing.emit(0, 0)
            raise
        self.preparing.emit(0, 0)  # not where another question has taken its place: that one goes on telling
        chosen = self._chosen_keys()
        self.now, self.count, self.exact = asked, answer.count, answer.exact
        if not asked.outbox:
            self._show_outstanding(Outstanding())
        self._table.show_rows(asked.columns, answer.count, answer.pages)
        self._table.show_sort(asked.query.sort, asked.query.descending)
        self.restore_selection(chosen)
        self.counted.emit()
        await self._load_outstanding()
        if few < PAGE and answer.count > few:
            await self._load_page(0)
        if not answer.exact:
            await self._count_exactly(desk, asked)
        self._ahead_of = asked
        self.read_ahead()

    def read_ahead(self) -> None:
        """Read on in a large list, so that any place of it is reached at once; not before the window was painted."""
        asked, desk = self._ahead_of, self._desk
        if self.at_leisure and asked is not None and asked is self.now and desk is not None and self.count > _LARGE:
            self._ahead_of = None
            self._tasks.read("ahead", stored_orders.read_ahead(desk, asked.query))

    async def _count_exactly(self, desk: Desk, asked: Asked) -> None:
        """Of a common word only an upper limit was told at once: show how many there are."""
        count = await stored_orders.count(desk, asked.query)
        if asked is not self.now:
            return
        other, self.count, self.exact = count != self.count, count, True
        if other:
            chosen = self._chosen_keys()
            pages = {page: rows for page, rows in self._model.pages.items() if page * PAGE < count}
            self._table.show_rows(asked.columns, count, pages)
            self.restore_selection(chosen)
        self.counted.emit()

    def show_columns(self, columns: Arrangement) -> bool:
        """Show what is at hand in these columns; whether that is all that they need."""
        if self.now is None:
            return True
        self.now = replace(self.now, columns=columns)
        chosen = self._chosen_keys()
        self._table.show_columns(columns)
        self._table.show_sort(self.now.query.sort, self.now.query.descending)
        self.restore_selection(chosen)
        return set(parts_among(names_of(columns))) <= set(self.now.query.parts)

    def outbox_changed(self) -> None:
        """The journal has changed; one that is being read is read to its end: while many are sent there is always
        something newer."""
        self._outbox_changed = True
        if self._desk is not None and not self._tasks.running("outbox"):
            self._tasks.read("outbox", self._follow_outbox())

    async def _follow_outbox(self) -> None:
        while self._outbox_changed:
            self._outbox_changed = False
            await self._load_outstanding()

    async def _load_outstanding(self) -> None:
        """Read what of the outbox stands before the orders, and show it."""
        asked, desk = self.now, self._desk
        if asked is None or desk is None or not asked.outbox:
            return
        found = await outstanding(desk, asked.query.text, _OUTBOX_SHOWN)
        if asked is self.now and desk is self._desk:
            self._show_outstanding(found)

    def _show_outstanding(self, found: Outstanding) -> None:
        self.outstanding = found
        chosen = self._chosen_keys() if self._model.outbox_count else set()
        with placing_selection(self._table):
            self._table.put_outbox_rows(found.lines)
        if chosen:
            self.restore_selection(chosen)
        self.counted.emit()

    def _fetch_page(self, number: int) -> None:
        self._tasks.read(f"page {number}", self._load_page(number))

    async def _load_page(self, number: int) -> None:
        asked, desk = self.now, self._desk
        if asked is None or desk is None:
            return
        rows = await stored_orders.page(desk, asked.query, number, PAGE)
        now = self.now
        if now is not None and asked.query == now.query and desk is self._desk:
            self._model.put(number, rows)
            self.restore_selection(self._chosen_keys())

    async def lines_of(self, spans: Sequence[tuple[int, int]]) -> list[Line]:
        """What stands in these rows, from top to bottom; what is not at hand is read from the store."""
        asked, desk = self.now, self._desk
        if asked is None or desk is None:
            return []
        top = self._model.outbox_count
        query = asked.query._replace(parts=parts_among(names_of(asked.columns)))
        held = {row: line for row, line in self._model.loaded_rows() if _holds(line, query.parts)}
        missing = sorted({(row - top) // PAGE for first, last in spans for row in range(max(first, top), last + 1)
                          if row not in held})  # fmt: skip
        for page in missing:
            rows = await stored_orders.page(desk, query, page, PAGE)
            held |= {top + page * PAGE + place: line for place, line in enumerate(rows)}
        return [held[row] for first, last in spans for row in range(first, last + 1) if row in held]

    def holds(self, key: int) -> bool:
        """Whether this is among the rows that are at hand."""
        return self._model.row_of(key) is not None

    def _chosen_keys(self) -> set[int]:
        return {key_of(line) for line in self._table.selected_lines()}

    def restore_selection(self, chosen: set[int]) -> None:
        """Select these again at their new places, and stand on the one that is open.

        Closing the order clears its row; rows that were chosen beside it stay chosen.
        """
        key = self._beside.key
        shown = set() if key is None else {key}
        with placing_selection(self._table):
            self._table.choose(shown | (chosen if len(chosen) > 1 else set()), key)


def _holds(line: Line, parts: Sequence[str]) -> bool:
    """Whether these were read for this row; a write of the outbox has what it has."""
    return isinstance(line, OutboxLine) or not parts or set(parts) <= set(line.parts or ())

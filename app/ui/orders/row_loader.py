"""Keeps the table in step with the store: which orders, how many, and which rows of the outbox stand before them.

    QueryState ──resolve──▶ RowRequest ──stored_orders──▶ pages of rows ──▶ OrdersModel, OrdersTable

Invariant: selection, scroll position and the open order's row outlive every new answer of the store.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date

from PySide6.QtCore import QObject, Signal

from app.desk.desk import Desk
from app.desk.orders import stored_orders
from app.desk.sending.outstanding_orders import OutboxLine, Outstanding, outstanding
from app.runtime.memory import give_back
from app.runtime.tasks import Tasks
from app.store.cache.order_rows import OrderLine
from app.store.store_errors import StoreError
from app.ui.orders.query_state import QueryState, RowRequest, resolve
from app.ui.orders.table.arrangement import names_of
from app.ui.orders.table.column_list import Line, key_of
from app.ui.orders.table.orders_model import OrdersModel
from app.ui.orders.table.orders_table import OrdersTable, placing_selection
from app.ui.orders.table.raw_columns import raw_fields_among
from app.ui.widgets.lists.loaded_pages import PAGE

_LARGE = 20_000  # orders, from which on the store reads their order ahead
_OUTBOX_ROWS = 100  # more of them are found by the filter, and on the outbox page


class RowLoader(QObject):
    """`shown` is the request whose rows the table shows; None before the first answer of a desk.

    `changed`: the rows are others, or more, or fewer. `preparing`: so many orders, of so many, are ready to be sorted;
    none of none when that has ended. `open_key` names the row (see `key_of`) that is open beside the table.
    """

    changed = Signal()
    preparing = Signal(int, int)

    def __init__(self, tasks: Tasks, table: OrdersTable, state: QueryState, today: Callable[[], date]) -> None:
        super().__init__()
        self._tasks, self._table, self._state, self._today = tasks, table, state, today
        self._model: OrdersModel = table.orders
        self._desk: Desk | None = None
        self.shown: RowRequest | None = None
        self.count, self.exact = 0, True  # of the orders, as far as known at once
        self.outbox = Outstanding()  # the rows before the orders
        self.open_key: int | None = None
        self.painted = False  # the window has been painted: what it did without may be read
        self._read_ahead_of: RowRequest | None = None
        self._outbox_stale = False
        self._model.wanted.connect(self._fetch_page)

    def take_desk(self, desk: Desk) -> None:
        """Read from this desk; nothing of the old desk's outbox stays."""
        self._desk, self.shown = desk, None
        self._show_outbox(Outstanding())

    @property
    def is_current(self) -> bool:
        """Whether the rows are those that the state asks for now, and not those of an earlier question."""
        return self.shown is not None and self.shown.filter == self._state.filter(self._today())

    # State → query → store → model

    async def load(self) -> None:
        """Read what the state asks for, and show it. Raises `StoreError`."""
        # Reading ahead keeps the store busy for the rows before these.
        self._tasks.cancel("ahead")
        desk = self._desk
        if desk is None:
            return
        request = await resolve(self._state, desk, self._today())
        # What fits on screen is read and painted first; the rest of the first page is read once that is shown.
        several = self._table.selected_count() > 1  # they stay selected only if their pages are read
        few = PAGE if several else min(self._table.rows_to_see(), PAGE)
        pages = self._table.pages_on_screen() if few == PAGE else ()
        try:
            answer = await stored_orders.first_rows(desk, request.query, pages, PAGE, few, self.preparing.emit)
        except StoreError:
            self.preparing.emit(0, 0)
            raise
        # A cancelled load ends before this line: the load in its place goes on telling how far the sorting is.
        self.preparing.emit(0, 0)
        self._show_answer(replace(request, columns=self._state.columns), answer)
        await self._load_outbox()
        if few < PAGE and answer.count > few:
            await self._load_page(0)
        if not answer.exact:
            await self._count_exactly(desk)
        # After the count: reading ahead keeps the store busy.
        self._read_ahead_of = self.shown
        self.read_ahead()

    def _show_answer(self, request: RowRequest, answer: stored_orders.FirstRows) -> None:
        selected = self._selected_keys()
        if not request.with_outbox:
            self._show_outbox(Outstanding())  # it says `changed`: before the rows count as those of this request
        self.shown, self.count, self.exact = request, answer.count, answer.exact
        self._table.mark_words(request.filter.text)
        self._table.show_rows(request.columns, answer.count, answer.pages)
        self._table.show_sort(request.query.sort, request.query.descending)
        self.reselect(selected)
        self.changed.emit()

    async def _count_exactly(self, desk: Desk) -> None:
        """Show how many orders have a frequent word, of which the store gave only an upper limit at once."""
        request = self.shown
        if request is None:
            return
        count = await stored_orders.count(desk, request.query)
        # Another answer came while this one was counted.
        if request is not self.shown:
            return
        other, self.count, self.exact = count != self.count, count, True
        if other:
            selected = self._selected_keys()
            pages = {page: rows for page, rows in self._model.pages.items() if page * PAGE < count}
            self._table.show_rows(request.columns, count, pages)
            self.reselect(selected)
        self.changed.emit()

    def read_ahead(self) -> None:
        """Let the store read on in a large list, so that any place of it is reached at once."""
        request, desk = self._read_ahead_of, self._desk
        wanted = self.painted and request is not None and request is self.shown and self.count > _LARGE
        if wanted and request is not None and desk is not None:
            self._read_ahead_of = None
            self._tasks.read("ahead", self._read_all_ahead(desk, request))

    async def _read_all_ahead(self, desk: Desk, request: RowRequest) -> None:
        await stored_orders.read_ahead(desk, request.query)
        # Searches leave freed memory between blocks that stay in use: 3 MB among a million orders.
        await asyncio.to_thread(give_back)

    def show_columns(self) -> bool:
        """Show the loaded rows in the state's columns; False where the columns need more than was read of the rows."""
        if self.shown is None:
            return False
        self.shown = replace(self.shown, columns=self._state.columns)
        selected = self._selected_keys()
        self._table.show_columns(self.shown.columns)
        self._table.show_sort(self.shown.query.sort, self.shown.query.descending)
        self.reselect(selected)
        return set(raw_fields_among(names_of(self.shown.columns))) <= set(self.shown.query.raw_fields)

    # Pages

    def _fetch_page(self, number: int) -> None:
        self._tasks.read(f"page {number}", self._load_page(number))

    async def _load_page(self, number: int) -> None:
        request, desk = self.shown, self._desk
        if request is None or desk is None:
            return
        rows = await stored_orders.page(desk, request.query, number, PAGE)
        # Other rows may be shown by now; other columns of the same rows make no difference.
        if self.shown is not None and request.query == self.shown.query and desk is self._desk:
            self._model.put(number, rows)
            self.reselect(self._selected_keys())

    async def lines_of(self, spans: Sequence[tuple[int, int]]) -> list[Line]:
        """The lines of these rows, from top to bottom; those that are not loaded are read from the store."""
        request, desk = self.shown, self._desk
        if request is None or desk is None:
            return []
        top = self._model.outbox_count
        query = request.query._replace(raw_fields=raw_fields_among(names_of(request.columns)))
        lines = {row: line for row, line in self._model.loaded_rows() if _has_raw_fields(line, query.raw_fields)}
        missing = sorted({(row - top) // PAGE for first, last in spans for row in range(max(first, top), last + 1)
                          if row not in lines})  # fmt: skip
        for page in missing:
            rows = await stored_orders.page(desk, query, page, PAGE)
            lines |= {top + page * PAGE + place: line for place, line in enumerate(rows)}
        return [lines[row] for first, last in spans for row in range(first, last + 1) if row in lines]

    # Rows of the outbox

    def outbox_changed(self) -> None:
        """The journal has changed. A read that is under way goes on to its end, and the next one begins after it:
        while many orders are sent, the journal changes faster than it can be read."""
        self._outbox_stale = True
        if self._desk is not None and not self._tasks.running("outbox"):
            self._tasks.read("outbox", self._follow_outbox())

    async def _follow_outbox(self) -> None:
        while self._outbox_stale:
            self._outbox_stale = False
            await self._load_outbox()

    async def _load_outbox(self) -> None:
        request, desk = self.shown, self._desk
        if request is None or desk is None or not request.with_outbox:
            return
        found = await outstanding(desk, request.query.text, _OUTBOX_ROWS)
        # Other rows, or another connection, may be shown by now.
        if request is self.shown and desk is self._desk:
            self._show_outbox(found)

    def _show_outbox(self, found: Outstanding) -> None:
        self.outbox = found
        selected = self._selected_keys() if self._model.outbox_count else set()
        with placing_selection(self._table):
            self._table.put_outbox_rows(found.lines)
        if selected:
            self.reselect(selected)
        self.changed.emit()

    # Selection and marks

    def reselect(self, keys: set[int]) -> None:
        """Select these at their places by now, and make the open order's row the current one.

        Closing the order clears its row; rows that were selected beside it stay selected.
        """
        shown = set() if self.open_key is None else {self.open_key}
        with placing_selection(self._table):
            self._table.select_keys(shown | (keys if len(keys) > 1 else set()), self.open_key)

    def _selected_keys(self) -> set[int]:
        return {key_of(line) for line in self._table.selected_lines()}

    def has_row(self, key: int) -> bool:
        """Whether this is among the loaded rows."""
        return self._model.row_of(key) is not None

    def mark_open_seen(self) -> None:
        """The open order has been looked at: its mark of a change goes."""
        key = self.open_key
        line = next((line for _, line in self._model.loaded_rows() if isinstance(line, OrderLine)
                     and line.number == key), None) if key is not None and key > 0 else None  # fmt: skip
        if line is not None and line.changed and self._desk is not None:
            self._model.unmark({line.number})
            self._tasks.read("look", stored_orders.clear_change_marks(self._desk, [line.number]))

    def mark_seen(self, lines: Sequence[OrderLine]) -> None:
        """A person says that these orders have been looked at."""
        numbers = [each.number for each in lines]
        self._model.unmark(set(numbers))
        if self._desk is not None:
            self._tasks.write("look at all", stored_orders.clear_change_marks(self._desk, numbers))


def _has_raw_fields(line: Line, names: Sequence[str]) -> bool:
    """Whether these raw fields were read for this row; a row of the outbox has all that it can have."""
    return isinstance(line, OutboxLine) or not names or set(names) <= set(line.raw_fields or ())

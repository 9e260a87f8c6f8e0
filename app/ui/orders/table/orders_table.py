"""The table view of orders: whole rows, a header that arranges columns, and keys for the rows.

Invariants: the view never sorts, it asks for a sorting. No code here goes through all selected rows: a selection is a
list of spans.
"""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPoint,
    QRect,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame

from app.desk.sending.outstanding_orders import OutboxLine
from app.store.cache.order_rows import OrderLine
from app.ui.orders.table.arrangement import Arrangement, Placed, names_of, resized
from app.ui.orders.table.column_list import Line
from app.ui.orders.table.orders_model import Index, OrdersModel
from app.ui.orders.table.pinned_header import PinnedHeader
from app.ui.orders.table.row_painting import RowsPainter, pinned_columns, pinned_edge
from app.ui.theme.theme import SIZES, Theme, follow_row_height
from app.ui.widgets.lists.list_rows import RowView

_GROWING = ("consignee_name", "remarks", "crn")  # the first of these that is shown takes the spare width
_DRAG_DEBOUNCE_MS = 300  # dragging a column sends many widths


class OrdersTable(RowView):
    """`sort_asked` carries a column's name, `arranged` a new arrangement, `typed` the first letter of a filter.

    `on_key` handles a key before the table does and returns whether it did; `takes_key` says so in advance.
    """

    sort_asked = Signal(str)
    arranged = Signal(object)
    columns_asked = Signal(QPoint, str)  # open the menu of columns at this place, for this column
    menu_asked = Signal(QPoint, str)  # open the menu of the selected rows at this place, for this column
    escaped = Signal()
    typed = Signal(str)

    def __init__(self, theme: Theme, model: OrdersModel) -> None:
        super().__init__()
        self.orders = model
        self.is_placing = False
        self.on_key: Callable[[QKeyEvent], bool] = lambda _event: False
        self.takes_key: Callable[[QKeyEvent], bool] = lambda _event: False
        self._arrangement: Arrangement = ()
        self._laying_out = False
        self.setModel(model)
        self._painter = RowsPainter(theme, self, model)
        self.setAccessibleName("Orders")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        # Tab leads on to the next widget, not through the cells.
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._on_menu)
        self.verticalHeader().setVisible(False)
        follow_row_height(self.verticalHeader(), least=True)
        SIZES.changed.connect(self._on_sizes)
        self._build_header()
        theme.changed.connect(self.viewport().update)
        # Each repaint fills its whole area. Otherwise Qt would first paint the grounds of window, page and table below.
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def _build_header(self) -> None:
        header = PinnedHeader(self.orders, self)
        self.setHorizontalHeader(header)
        header.setHighlightSections(False)
        header.setTextElideMode(Qt.TextElideMode.ElideRight)
        # A header asks for every row whether it is selected, to highlight columns. This selection is always empty.
        header.setSelectionModel(QItemSelectionModel(self.orders, header))
        header.setSectionsClickable(True)
        header.setSectionsMovable(True)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(self._on_header_menu)
        header.sectionClicked.connect(self._on_header)
        header.sectionMoved.connect(self._on_moved)
        header.sectionResized.connect(self._on_resized)
        self._drag_debounce = QTimer(self)
        self._drag_debounce.setSingleShot(True)
        self._drag_debounce.setInterval(_DRAG_DEBOUNCE_MS)
        self._drag_debounce.timeout.connect(self._tell_arranged)

    # Columns

    @property
    def arrangement(self) -> Arrangement:
        """The columns as they are shown."""
        return self._arrangement

    def show_rows(self, arrangement: Arrangement, count: int, pages: Mapping[int, Sequence[OrderLine]]) -> None:
        """Show another result, in these columns."""
        self.show_columns(arrangement)
        self.orders.replace(self.orders.columns, count, pages)
        # Now, since Qt would lay out after the first painting and paint all rows a second time.
        self.executeDelayedItemsLayout()

    def show_columns(self, arrangement: Arrangement) -> None:
        """Show the loaded rows in these columns."""
        if arrangement == self._arrangement:
            return
        same = names_of(arrangement) == names_of(self._arrangement)
        place = self.verticalScrollBar().value()
        if not same:
            self.orders.show_columns(tuple(each.column for each in arrangement))
        self._lay_out(arrangement, anew=not same)
        self.verticalScrollBar().setValue(place)

    def _lay_out(self, arrangement: Arrangement, *, anew: bool) -> None:
        header = self.horizontalHeader()
        # The header reports every section that is moved or widened here: none of it is a person's arrangement.
        self._laying_out = True
        if anew:  # the model has the columns in this order; undo what was dragged before
            for place in range(header.count()):
                header.moveSection(header.visualIndex(place), place)
        for place, each in enumerate(arrangement):
            self.setColumnWidth(header.logicalIndex(place), SIZES.scaled(each.width))
        self._laying_out = False
        self._arrangement = arrangement
        self._share_out()

    def _on_sizes(self) -> None:
        self._lay_out(self._arrangement, anew=False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_out()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        self._painter.paint(painter, event.rect())
        painter.end()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        if dx:  # pinned columns and the hints at the right end stay where they are
            self.viewport().update()
            self.horizontalHeader().viewport().update()

    # Columns that stay in sight when the table is scrolled sideways

    def _pinned_at(self, x: int) -> int | None:
        """The pinned column at this place of the viewport, if one lies there over others."""
        header = self.horizontalHeader()
        left = 0
        for at in pinned_columns(header, self.orders.columns) if header.offset() else ():
            left += header.sectionSize(at)
            if 0 <= x < left:
                return at
        return None

    def indexAt(self, at: QPoint) -> QModelIndex:
        found, pinned = super().indexAt(at), self._pinned_at(at.x())
        return found if pinned is None or not found.isValid() else found.siblingAtColumn(pinned)

    def visualRect(self, index: Index) -> QRect:
        box, header = super().visualRect(index), self.horizontalHeader()
        if header.offset() and index.column() in pinned_columns(header, self.orders.columns):
            box.moveLeft(box.left() + header.offset())
        return box

    def scrollTo(
        self, index: Index, hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible
    ) -> None:
        header, bar = self.horizontalHeader(), self.horizontalScrollBar()
        before = bar.value()
        super().scrollTo(index, hint)
        if before and index.column() in pinned_columns(header, self.orders.columns):
            bar.setValue(before)  # it is in sight wherever the others are
        elif (under := pinned_edge(header, self.orders.columns) - header.sectionViewportPosition(index.column())) > 0:
            bar.setValue(bar.value() - under)

    def mark_words(self, text: str) -> None:
        """Mark the words of this search in the rows."""
        if self._painter.mark(text):
            self.viewport().update()

    def leave_out_dated(self) -> None:
        """Paint no text any more that is another one on another day."""
        self._painter.leaves_out_dated = True
        self.viewport().update()

    def _share_out(self) -> None:
        """Give the spare width to the growing column on screen; the arrangement keeps its own width."""
        names = names_of(self._arrangement)
        grower = next((each for each in _GROWING if each in names), None)
        if grower is None:
            return
        at, widths = names.index(grower), [SIZES.scaled(each.width) for each in self._arrangement]
        rest = self.viewport().width() - sum(widths) + widths[at]
        self._laying_out = True
        self.setColumnWidth(self.horizontalHeader().logicalIndex(at), max(widths[at], rest))
        self._laying_out = False

    def _on_moved(self, _column: int, _before: int, _after: int) -> None:
        if self._laying_out:
            return
        header, widths = self.horizontalHeader(), dict(self._arrangement)
        order = [self.orders.columns[header.logicalIndex(place)].name for place in range(header.count())]
        self._arrangement = tuple(Placed(name, widths[name]) for name in order)
        self._drag_debounce.start()

    def _on_resized(self, column: int, _before: int, width: int) -> None:
        if not self._laying_out and column < len(self.orders.columns):
            kept = round(width * 100 / SIZES.text)  # an arrangement is of text in its first size
            self._arrangement = resized(self._arrangement, self.orders.columns[column].name, kept)
            self._drag_debounce.start()

    def _tell_arranged(self) -> None:
        self._share_out()
        self.arranged.emit(self._arrangement)

    def _on_header(self, place: int) -> None:
        self.sort_asked.emit(self.orders.columns[place].name)

    def _on_header_menu(self, at: QPoint) -> None:
        header = self.horizontalHeader()
        place = header.logicalIndexAt(at)
        self.columns_asked.emit(header.mapToGlobal(at), self.orders.columns[place].name if place >= 0 else "")

    def show_sort(self, name: str, descending: bool) -> None:
        """Show the sort indicator on the column `name`."""
        columns = [each.name for each in self.orders.columns]
        order = Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder
        header = self.horizontalHeader()
        header.setSortIndicatorShown(name in columns)
        if name in columns:
            header.setSortIndicator(columns.index(name), order)

    # Rows

    def pages_on_screen(self) -> list[int]:
        """The numbers of the pages with visible rows."""
        first, last = self.rowAt(0), self.rowAt(self.viewport().height() - 1)
        if first < 0:
            return [0]
        last = last if last >= 0 else self.orders.rowCount() - 1
        return list(range(self.orders.page_at(first), self.orders.page_at(last) + 1))

    def is_row_visible(self, row: int) -> bool:
        """Whether at least half of the row is visible."""
        top, height = self.rowViewportPosition(row), self.rowHeight(row)
        seen = min(top + height, self.viewport().height()) - max(top, 0)
        return self.isVisible() and self.viewport().width() > 0 and 0 < height <= 2 * seen

    def rows_to_see(self) -> int:
        """How many rows there are from the first one to the last that fits on the screen."""
        return max(self.rowAt(0), 0) + self.viewport().height() // SIZES.row_height + 2

    def put_outbox_rows(self, lines: Sequence[OutboxLine]) -> None:
        """Show these rows of the outbox before the orders. If orders are scrolled to, they stay in place."""
        before, bar = self.orders.outbox_count, self.verticalScrollBar()
        keep = bar.value() > 0 and self.rowAt(0) >= before
        self.orders.put_outbox_rows(lines)
        if keep:
            # The bar must know of the new rows first: it takes no value beyond its end.
            self.executeDelayedItemsLayout()
            bar.setValue(bar.value() + len(lines) - before)

    def spans(self) -> list[tuple[int, int]]:
        """The selected rows as spans from top to bottom: first and last row of each."""
        chosen = self.selectionModel().selection()
        found = sorted((chosen.at(at).top(), chosen.at(at).bottom()) for at in range(chosen.size()))
        joined: list[tuple[int, int]] = []
        for first, last in found:
            if joined and first <= joined[-1][1] + 1:
                joined[-1] = (joined[-1][0], max(joined[-1][1], last))
            else:
                joined.append((first, last))
        return joined

    def selected_count(self) -> int:
        """How many rows are selected."""
        return sum(last - first + 1 for first, last in self.spans())

    def selected_lines(self) -> list[Line]:
        """The orders and writes of the selected rows that are loaded, from top to bottom."""
        spans = self.spans()
        if not spans:
            return []
        starts = [first for first, _ in spans]
        found: list[Line] = []
        for row, line in self.orders.loaded_rows():
            at = bisect_right(starts, row) - 1
            if at >= 0 and row <= spans[at][1]:
                found.append(line)
        return found

    def select_only(self, row: int) -> None:
        """Select this row alone and make it the current one, whichever modifier keys are down."""
        # `selectRow` goes by the keyboard: with Shift down it extends a range, with Ctrl it may take the row out.
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        self.selectionModel().setCurrentIndex(self.orders.index(row, 0), flags)

    def select_keys(self, keys: Collection[int], current: int | None) -> None:
        """Select the loaded rows of these keys, and make the row of `current` the current one."""
        selection = QItemSelection()
        last = self.orders.columnCount() - 1
        rows = self.orders.rows_of({*keys, *(() if current is None else (current,))})
        for key in keys:
            if key in rows:
                selection.select(self.orders.index(rows[key], 0), self.orders.index(rows[key], last))
        here = None if current is None else rows.get(current)
        if here is not None:
            index = self.orders.index(here, 0)
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    # Keys and menus

    def focusInEvent(self, event: QFocusEvent) -> None:
        with placing_selection(self):  # Qt makes the first row current; a person has not chosen it
            super().focusInEvent(event)

    def event(self, event: QEvent) -> bool:
        # Some keys mean an action here and another one in the order beside the table: the one with the focus wins.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self.takes_key(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.on_key(event):
            return
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        elif _is_text(event):
            self.typed.emit(event.text())
        else:
            super().keyPressEvent(event)

    def _on_menu(self, at: QPoint) -> None:
        index = self.indexAt(at)
        if not index.isValid():  # the menu key: open at the current row
            index = self.currentIndex()
            at = self.visualRect(index).center()
        if index.isValid():
            self.menu_asked.emit(self.viewport().mapToGlobal(at), self.orders.columns[index.column()].name)


def _is_text(event: QKeyEvent) -> bool:
    """Whether a key types text. The space bar selects, so it does not count."""
    plain = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
    return not event.modifiers() & ~plain and event.text().isprintable() and bool(event.text().strip())


@contextmanager
def placing_selection(table: OrdersTable) -> Iterator[None]:
    """Within this block, a moved selection neither counts as a person's choice nor scrolls the table."""
    before = table.is_placing
    table.is_placing = True
    table.setAutoScroll(False)
    try:
        yield
    finally:
        # As it was before: such blocks stand within one another.
        table.setAutoScroll(not before)
        table.is_placing = before

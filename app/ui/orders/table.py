"""The table view of orders: whole rows, one hairline each, sorting asked for and never done here."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QFrame, QTableView

from app.desk.outstanding import OutboxLine
from app.ui.orders.columns import Line, OrderColumn
from app.ui.orders.delegate import OrderDelegate
from app.ui.orders.model import OrdersModel
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import ROW_HEIGHT

# What parts cells and rows in a table that is pasted.
_PARTING = str.maketrans("\t\n", "  ")


class OrdersTable(QTableView):
    """`sort_asked` names a store column; Ctrl+C copies the selected rows as a table; `typed` begins a filter."""

    sort_asked = Signal(str)
    escaped = Signal()
    typed = Signal(str)

    def __init__(self, theme: Theme, model: OrdersModel) -> None:
        super().__init__()
        self._orders = model
        self.laid_out = False
        self.being_placed = False
        self.setModel(model)
        self.setItemDelegate(OrderDelegate(theme, self))
        self.setAccessibleName("Orders")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().setVisible(False)
        self.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self.verticalHeader().setMinimumSectionSize(ROW_HEIGHT)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(True)
        header.sectionClicked.connect(self._on_header)
        theme.changed.connect(self.viewport().update)

    def lay_out(self, columns: tuple[OrderColumn, ...]) -> None:
        """Give the columns their widths."""
        for place, each in enumerate(columns):
            self.setColumnWidth(place, each.width)
        self.laid_out = True
        self._share_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_out()

    def _share_out(self) -> None:
        """Give the room that is left over to the column that grows."""
        columns = self._orders.columns
        grower = next((place for place, each in enumerate(columns) if each.grows), None)
        if grower is None or not self.laid_out:
            return
        others = sum(self.columnWidth(place) for place in range(len(columns)) if place != grower)
        self.setColumnWidth(grower, max(columns[grower].width, self.viewport().width() - others))

    def show_sort(self, name: str, descending: bool) -> None:
        """Mark the column that the rows are sorted by."""
        place = next((at for at, each in enumerate(self._orders.columns) if each.sort == name), -1)
        order = Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder
        self.horizontalHeader().setSortIndicatorShown(place >= 0)
        self.horizontalHeader().setSortIndicator(place, order)

    def pages_on_screen(self) -> list[int]:
        """The pages of orders that the visible rows belong to."""
        first = max(self.rowAt(0), 0)
        last = self.rowAt(self.viewport().height() - 1)
        last = first + self.viewport().height() // ROW_HEIGHT if last < 0 else last
        return list(range(self._orders.page_at(first), self._orders.page_at(last) + 1))

    def focusInEvent(self, event: QFocusEvent) -> None:
        with placed(self):  # Qt stands on the first row then: nobody has chosen it
            super().focusInEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self._copy()
        elif event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        elif _is_text(event):
            self.typed.emit(event.text())
        else:
            super().keyPressEvent(event)

    def put_top(self, lines: Sequence[OutboxLine]) -> None:
        """Let these rows of the outbox stand before the orders; orders that are looked at stay where they are."""
        before, bar = self._orders.top_count, self.verticalScrollBar()
        keep = bar.value() > 0 and self.rowAt(0) >= before
        self._orders.put_top(lines)
        if keep:
            self.executeDelayedItemsLayout()
            bar.setValue(bar.value() + len(lines) - before)

    def chosen(self) -> list[Line]:
        """What stands in the selected rows, from top to bottom, as far as it is at hand."""
        rows = sorted(each.row() for each in self.selectionModel().selectedRows())
        return [line for row in rows if (line := self._orders.line(row)) is not None]

    def choose(self, keys: Collection[int], current: int | None) -> None:
        """Select the rows of these, as far as they are at hand, and stand on `current`."""
        selection = QItemSelection()
        last = self._orders.columnCount() - 1
        for key in keys:
            at = self._orders.row_of(key)
            if at is not None:
                selection.select(self._orders.index(at, 0), self._orders.index(at, last))
        here = None if current is None else self._orders.row_of(current)
        if here is not None:
            index = self._orders.index(here, 0)
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def _copy(self) -> None:
        lines = self.chosen()
        if lines:
            rows = ["\t".join(each.title for each in self._orders.columns)]
            rows += ["\t".join(each.exact(line).translate(_PARTING) for each in self._orders.columns) for line in lines]
            QApplication.clipboard().setText("\n".join(rows))

    def _on_header(self, place: int) -> None:
        self.sort_asked.emit(self._orders.columns[place].sort)


def _is_text(event: QKeyEvent) -> bool:
    """Whether a key types something, and is neither a chord nor the space bar, which selects."""
    plain = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
    return not event.modifiers() & ~plain and event.text().isprintable() and bool(event.text().strip())


@contextmanager
def placed(table: OrdersTable) -> Iterator[None]:
    """Move the selection without that counting as a person's choice, and without scrolling to it."""
    table.being_placed = True
    table.setAutoScroll(False)
    try:
        yield
    finally:
        table.setAutoScroll(True)
        table.being_placed = False

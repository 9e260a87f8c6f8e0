"""The table view of orders: whole rows, one hairline each, sorting asked for and never done here."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QFrame, QTableView

from app.ui.orders.columns import OrderColumn
from app.ui.orders.delegate import OrderDelegate
from app.ui.orders.model import PAGE, OrdersModel
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import ROW_HEIGHT

# What parts cells and rows in a table that is pasted.
_PARTING = str.maketrans("\t\n", "  ")


class OrdersTable(QTableView):
    """`sort_asked` names a store column; Ctrl+C copies the selected row as a line of a table."""

    sort_asked = Signal(str)
    escaped = Signal()

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
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
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
        """The pages of the model that the visible rows belong to."""
        first = max(self.rowAt(0), 0)
        last = self.rowAt(self.viewport().height() - 1)
        last = first + self.viewport().height() // ROW_HEIGHT if last < 0 else last
        return list(range(first // PAGE, last // PAGE + 1))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self._copy()
        elif event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)

    def _copy(self) -> None:
        at = self.currentIndex().row()
        line = self._orders.line(at) if at >= 0 else None
        if line is not None:
            titles = "\t".join(each.title for each in self._orders.columns)
            cells = "\t".join(each.exact(line).translate(_PARTING) for each in self._orders.columns)
            QApplication.clipboard().setText(f"{titles}\n{cells}")

    def _on_header(self, place: int) -> None:
        self.sort_asked.emit(self._orders.columns[place].sort)


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

"""The orders table as a model over a query: it knows how many rows there are and holds only those near the screen.

A row that is not at hand is asked for once and painted empty until it comes; sorting and filtering happen in the
store. The rows at hand are replaced all at once, so what is on screen always belongs to one query.
"""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from app.store.cache_rows import OrderLine
from app.ui.orders.columns import OrderColumn
from app.ui.widgets.labels import plain_tooltip

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
PAGE = 200
_PAGES_KEPT = 40


class OrdersModel(QAbstractTableModel):
    """Rows by pages of `PAGE`; `wanted` names a page that is needed."""

    wanted = Signal(int)

    def __init__(self, columns: tuple[OrderColumn, ...], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = columns
        self._count = 0
        self._pages: OrderedDict[int, Sequence[OrderLine]] = OrderedDict()
        self._asked: set[int] = set()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else self._count

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].title
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if self.columns[section].right else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.TextAlignmentRole):
            return None
        column = self.columns[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column.right else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        line = self.line(index.row())
        if line is None:
            return ""
        return column.text(line) if role == Qt.ItemDataRole.DisplayRole else plain_tooltip(column.exact(line))

    def line(self, at: int) -> OrderLine | None:
        """The order in row `at`, or None while its page is on the way."""
        page, place = divmod(at, PAGE)
        rows = self._pages.get(page)
        if rows is None:
            if page not in self._asked:
                self._asked.add(page)
                self.wanted.emit(page)
            return None
        self._pages.move_to_end(page)
        return rows[place] if place < len(rows) else None

    def replace(self, columns: tuple[OrderColumn, ...], count: int, pages: dict[int, Sequence[OrderLine]]) -> None:
        """Show another result. When only the contents changed, the view keeps its place and its selection."""
        same_shape = columns is self.columns and count == self._count
        if not same_shape:
            self.beginResetModel()
        self.columns, self._count = columns, count
        self._pages = OrderedDict(pages)
        self._asked = set(pages)
        if not same_shape:
            self.endResetModel()
        elif count:
            self.dataChanged.emit(self.index(0, 0), self.index(count - 1, len(columns) - 1))

    def put(self, page: int, rows: Sequence[OrderLine]) -> None:
        """A page that was asked for has come."""
        if page not in self._asked:
            return  # it belongs to an earlier query
        self._pages[page] = rows
        while len(self._pages) > _PAGES_KEPT:
            dropped, _ = self._pages.popitem(last=False)
            self._asked.discard(dropped)
        first = page * PAGE
        last = min(first + len(rows), self._count) - 1
        if last >= first:
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(self.columns) - 1))

    def row_of(self, number: int) -> int | None:
        """The row of an order, if it is at hand."""
        for page, rows in self._pages.items():
            for place, line in enumerate(rows):
                if line.number == number:
                    return page * PAGE + place
        return None

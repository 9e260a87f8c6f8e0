"""A model over a query: the count of its rows, and the pages near the screen.

A page that is missing is asked for once, and its rows are empty until it comes. Invariant: all loaded pages belong to
one query, since a new query replaces them together.
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

Index = QModelIndex | QPersistentModelIndex
Row = TypeVar("Row")
_NOWHERE = QModelIndex()
PAGE = 200
_PAGES_KEPT = 40


class PagedModel(QAbstractTableModel, Generic[Row]):
    """Rows in pages of `PAGE`; `wanted` carries the number of a page that is needed. A subclass formats the cells."""

    wanted = Signal(int)

    def __init__(self, titles: Sequence[str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._titles = titles
        self._count = 0
        self._pages: OrderedDict[int, Sequence[Row]] = OrderedDict()
        self._asked: set[int] = set()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else self._count

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._titles)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._titles[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line = self.line(index.row())
        return "" if line is None else self.cell(line, index.column(), role)

    def cell(self, line: Row, column: int, role: int) -> Any:
        """The data of a cell of a loaded row for a role."""
        raise NotImplementedError

    def line(self, at: int) -> Row | None:
        """The row `at`; None while its page is loading."""
        page, place = divmod(at, PAGE)
        rows = self._pages.get(page)
        if rows is None:
            if page not in self._asked:
                self._asked.add(page)
                self.wanted.emit(page)
            return None
        self._pages.move_to_end(page)
        return rows[place] if place < len(rows) else None

    def replace(self, count: int, pages: Mapping[int, Sequence[Row]]) -> None:
        """Show another result. If the count stays, the view keeps its place and its selection."""
        same = count == self._count
        if not same:
            self.beginResetModel()
        self._count = count
        self._pages = OrderedDict(pages)
        self._asked = set(pages)
        if not same:
            self.endResetModel()
        else:
            self._tell(0, count)

    def put(self, page: int, rows: Sequence[Row]) -> None:
        """Take a page that was asked for."""
        if page not in self._asked:
            return  # the page belongs to an earlier query
        self._pages[page] = rows
        while len(self._pages) > _PAGES_KEPT:
            dropped, _ = self._pages.popitem(last=False)
            self._asked.discard(dropped)
        self._tell(page * PAGE, min(len(rows), self._count - page * PAGE))

    def loaded_rows(self) -> list[tuple[int, Row]]:
        """The loaded rows, each with its place."""
        return [(page * PAGE + place, line) for page, rows in self._pages.items() for place, line in enumerate(rows)]

    def redraw(self) -> None:
        """Repaint all cells: their texts have changed, the rows have not."""
        self._tell(0, self._count)

    def _tell(self, first: int, count: int) -> None:
        if count > 0:
            self.dataChanged.emit(self.index(first, 0), self.index(first + count - 1, len(self._titles) - 1))

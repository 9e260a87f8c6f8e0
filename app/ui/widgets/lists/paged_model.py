"""A model over a query: the count of its rows, and the pages near the screen.

The rows of a page that is missing are empty until the page comes.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from app.ui.widgets.lists.loaded_pages import PAGE, LoadedPages

Index = QModelIndex | QPersistentModelIndex
Row = TypeVar("Row")
_NOWHERE = QModelIndex()


class PagedModel(QAbstractTableModel, Generic[Row]):
    """`wanted` carries the number of a page that is needed. A subclass formats the cells."""

    wanted = Signal(int)

    def __init__(self, titles: Sequence[str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._titles = titles
        self._count = 0
        self._pages = LoadedPages[Row]()

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
        found = self._pages.row(at)
        if found is None and self._pages.ask(at // PAGE):
            self.wanted.emit(at // PAGE)
        return found

    def replace(self, count: int, pages: Mapping[int, Sequence[Row]]) -> None:
        """Show another result. If the count stays, the view keeps its place and its selection."""
        same = count == self._count
        if not same:
            self.beginResetModel()
        self._count = count
        self._pages.replace(pages)
        if not same:
            self.endResetModel()
        else:
            self._tell(0, count)

    def put(self, page: int, rows: Sequence[Row]) -> None:
        """Take a page that was asked for."""
        if self._pages.put(page, rows):
            self._tell(page * PAGE, min(len(rows), self._count - page * PAGE))

    def loaded_rows(self) -> list[tuple[int, Row]]:
        """The loaded rows, each with its place."""
        return list(self._pages.rows())

    def redraw(self) -> None:
        """Repaint all cells: their texts have changed, the rows have not."""
        self._tell(0, self._count)

    def _tell(self, first: int, count: int) -> None:
        if count > 0:
            self.dataChanged.emit(self.index(first, 0), self.index(first + count - 1, len(self._titles) - 1))

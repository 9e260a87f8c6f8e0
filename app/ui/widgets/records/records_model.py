"""The model of a table of records: what is shown of them, sorted by one column and narrowed by words."""

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt

from app.desk.records.record_table import Record, RecordTable, cell_words, in_order, matching
from app.ui.widgets.lists.row_table import CellLook, Index, RowDelegate
from app.ui.widgets.text.labels import plain_tooltip, visible

_NOWHERE = QModelIndex()
_LONGEST = 400  # characters of a cell that are painted; the tooltip has more


class RecordsModel(QAbstractTableModel):
    """`rows` are the records as they are shown."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.table = RecordTable()
        self.rows: list[Record] = []
        self.words = ""
        self.sorted_by: str | None = None  # the name of a column
        self.descending = False

    def show_table(self, table: RecordTable) -> None:
        """Show other records. Sorting and search stay, as far as the columns allow."""
        self.beginResetModel()
        self.table = table
        self._arrange()
        self.endResetModel()

    def search(self, words: str) -> None:
        """Show only the records that hold these words."""
        if words != self.words:
            self.beginResetModel()
            self.words = words
            self._arrange()
            self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if not 0 <= column < len(self.table.columns):
            return
        self.beginResetModel()
        self.sorted_by = self.table.columns[column].name
        self.descending = order == Qt.SortOrder.DescendingOrder
        self._arrange()
        self.endResetModel()

    @property
    def sorted_place(self) -> int | None:
        """The place of the column that the rows are sorted by."""
        return next((at for at, each in enumerate(self.table.columns) if each.name == self.sorted_by), None)

    def stands_right(self, section: int) -> bool:
        """Whether a column is right-aligned: numbers, but not in the last column, which takes the spare width."""
        return self.table.columns[section].right and section < len(self.table.columns) - 1

    def _arrange(self) -> None:
        found, place = matching(self.table, self.words), self.sorted_place
        column = None if place is None else self.table.columns[place]
        self.rows = found if column is None else in_order(found, column, descending=self.descending)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.table.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        # A screen reader may still ask for a column of the records before, which had more of them.
        if orientation != Qt.Orientation.Horizontal or section >= len(self.table.columns):
            return None
        column = self.table.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return visible(column.title)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(column.name)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if self.stands_right(section) else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        text = cell_words(self.rows[index.row()], self.table.columns[index.column()])
        return visible(text[:_LONGEST]) if role == Qt.ItemDataRole.DisplayRole else plain_tooltip(text[: 5 * _LONGEST])


class RecordDelegate(RowDelegate):
    """Numbers stand at the right."""

    def look(self, index: Index) -> CellLook:
        model = index.model()
        assert isinstance(model, RecordsModel)
        return CellLook(right=model.stands_right(index.column()))

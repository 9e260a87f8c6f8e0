"""The models of an answer: its body as a tree, its lists as tables, and plain rows of texts.

Invariant: only what is in sight is worked out, so an answer of megabytes costs no more than a small one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.desk.console.answers.answer_table import Table, sorted_rows
from app.desk.console.answers.answer_tree import TreeRow, root_row, rows_below
from app.desk.console.forms.exact_json import Path, Value
from app.ui.console import console_page_words as words
from app.ui.widgets.grid.grid_model import shown_in_cell
from app.ui.widgets.lists.row_table import CellLook, RowDelegate
from app.ui.widgets.text.labels import plain_tooltip, visible

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_AT_ONCE = 500  # rows below one: Qt lays out what a model reports, also beyond the screen
_TIP_LETTERS = 2_000
_CELL_LETTERS = 300  # more is never in sight, and measuring long texts takes time


@dataclass(eq=False, slots=True)
class Node:
    """A row of the tree and, once it was opened, the rows below it."""

    row: TreeRow
    at: int
    parent: "Node | None"
    below: list["Node"] = field(default_factory=list)


class AnswerTreeModel(QAbstractItemModel):
    """A body as a tree. Rows below are worked out some hundred at a time, when the view asks for them."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._root: Node | None = None

    def show_value(self, value: Value) -> None:
        """Show another body."""
        self.beginResetModel()
        self._root = Node(root_row(value), 0, None)
        self._add_below(self._root)
        self.endResetModel()

    def clear(self) -> None:
        """Show nothing."""
        self.beginResetModel()
        self._root = None
        self.endResetModel()

    def node(self, index: Index) -> Node | None:
        """The node of a line; that of the whole body for an invalid index."""
        if not index.isValid():
            return self._root
        found = index.internalPointer()
        assert isinstance(found, Node)
        return found

    def index(self, row: int, column: int, parent: Index = _NOWHERE) -> QModelIndex:
        above = self.node(parent)
        if above is None or not 0 <= row < len(above.below):
            return QModelIndex()
        # The index holds the node itself: `_root` keeps every node alive as long as the model shows it, which PySide
        # does not.
        return self.createIndex(row, column, above.below[row])

    def parent(self, index: Index = _NOWHERE) -> Any:
        node = self.node(index) if index.isValid() else None
        above = None if node is None else node.parent
        if above is None or above is self._root:
            return QModelIndex()
        return self.createIndex(above.at, 0, above)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        node = self.node(parent)
        return 0 if node is None or parent.column() > 0 else len(node.below)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return len(words.TREE_COLUMNS)

    def hasChildren(self, parent: Index = _NOWHERE) -> bool:
        node = self.node(parent)
        return node is not None and parent.column() <= 0 and node.row.below > 0

    def canFetchMore(self, parent: Index) -> bool:
        node = self.node(parent)
        return node is not None and len(node.below) < node.row.below

    def fetchMore(self, parent: Index) -> None:
        node = self.node(parent)
        if node is None:
            return
        more = rows_below(node.row, len(node.below), _AT_ONCE)
        if more:
            self.beginInsertRows(parent, len(node.below), len(node.below) + len(more) - 1)
            self._append(node, more)
            self.endInsertRows()

    def _add_below(self, node: Node) -> None:
        self._append(node, rows_below(node.row, 0, _AT_ONCE))

    @staticmethod
    def _append(node: Node, more: Sequence[TreeRow]) -> None:
        start = len(node.below)
        node.below.extend(Node(each, start + at, node) for at, each in enumerate(more))

    def place_of(self, path: Path) -> QModelIndex:
        """The line of a place in the body, worked out as far as it has to be; invalid if there is none."""
        index = QModelIndex()
        for depth in range(1, len(path) + 1):
            index = self._child(index, path[:depth])
            if not index.isValid():
                break
        return index

    def _child(self, parent: QModelIndex, path: Path) -> QModelIndex:
        node, looked = self.node(parent), 0
        # A found place may lie in the tenth thousand of a list: rows are fetched until it is among them.
        while node is not None:
            for each in node.below[looked:]:
                if each.row.path == path:
                    return self.createIndex(each.at, 0, each)
            looked = len(node.below)
            if not self.canFetchMore(parent):
                break
            self.fetchMore(parent)
        return QModelIndex()

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return words.TREE_COLUMNS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        node = self.node(index)
        if node is None:
            return None
        text = node.row.label if index.column() == 0 else node.row.text
        if role == Qt.ItemDataRole.DisplayRole:
            return shown_in_cell(text[:_CELL_LETTERS])
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(text[:_TIP_LETTERS])
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return visible(f"{node.row.label}: {node.row.text}"[:_TIP_LETTERS])
        return None


class TextRowsModel(QAbstractTableModel):
    """Rows of texts under titles."""

    def __init__(self, titles: Sequence[str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.titles: Sequence[str] = titles
        self.rows: Sequence[Sequence[str]] = ()

    def show_rows(self, rows: Sequence[Sequence[str]], titles: Sequence[str] | None = None) -> None:
        """Show other rows, perhaps under other titles."""
        self.beginResetModel()
        self.rows, self.titles = rows, self.titles if titles is None else titles
        self.endResetModel()

    def cells(self, at: int) -> Sequence[str]:
        """The texts of a row as it is shown."""
        return self.rows[at]

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.titles)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and section >= len(self.titles):
            return None  # a screen reader may still ask for a column of the answer before
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return visible(self.titles[section])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        text = self.cells(index.row())[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return shown_in_cell(text[:_CELL_LETTERS])
        return plain_tooltip(text[:_TIP_LETTERS]) if role == Qt.ItemDataRole.ToolTipRole else None


class AnswerTableModel(TextRowsModel):
    """A list of records, sorted by a column. `order` are the places of the rows as they are shown."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__((), parent)
        self.table: Table | None = None
        self.order: list[int] = []

    def show_table(self, table: Table | None) -> None:
        """Show another list, in its own order."""
        self.table = table
        self.order = [] if table is None else list(range(len(table.rows)))
        self.show_rows(() if table is None else table.rows, () if table is None else table.columns)

    def cells(self, at: int) -> Sequence[str]:
        """The texts of a row, by its place as it is sorted now."""
        return self.rows[self.order[at]]

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if self.table is None or not 0 <= column < len(self.titles):
            return
        self.layoutAboutToBeChanged.emit()
        self.order = sorted_rows(self.table, column, descending=order == Qt.SortOrder.DescendingOrder)
        self.layoutChanged.emit()

    def places(self, text: str, most: int = 2_000) -> list[tuple[int, int]]:
        """The cells that hold a text, letters of either case, as row and column, row by row."""
        wanted, found = text.casefold(), []
        for at in range(len(self.order)):
            for place, cell in enumerate(self.cells(at)):
                if wanted in cell.casefold():
                    found.append((at, place))
                    if len(found) == most:
                        return found
        return found


class TextRowsDelegate(RowDelegate):
    """Paints rows of texts; numbers stand on the right."""

    def look(self, index: Index) -> CellLook:
        return CellLook(right=_is_number(str(index.data(Qt.ItemDataRole.DisplayRole) or "")))


def _is_number(text: str) -> bool:
    return bool(text) and text.lstrip("-").replace(".", "", 1).isdecimal() and len(text) < 16 and text.isascii()

"""Rows of a form (freight, barcodes, references) as an editable grid.

Columns are data. Cells hold exactly what was typed; an issue colours its cell, and the issue of the cell one stands
on is said in words below the grid.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QBrush, QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemDelegate, QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from app.ui.theme.theme import Theme
from app.ui.theme.tokens import ROW_HEIGHT, SPACE_1, SPACE_2
from app.ui.widgets.buttons import button, with_icon
from app.ui.widgets.cells import CellDelegate, take_back
from app.ui.widgets.labels import plain_tooltip, text_label, visible
from app.ui.widgets.layout import column, holding, row

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_SHOWN_ROWS = 5


@dataclass(frozen=True, slots=True)
class RowColumn:
    """A column: the draft's field name, its title, its width in pixels (0 takes the rest), right-aligned or not."""

    name: str
    title: str
    width: int = 0
    number: bool = False


class RowsModel(QAbstractTableModel):
    """Rows of strings by column name, with issues by (row, column name)."""

    edited = Signal()

    def __init__(self, theme: Theme, columns: tuple[RowColumn, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.columns = columns
        self.rows: list[dict[str, str]] = []
        self.issues: dict[tuple[int, str], str] = {}
        self._theme = theme

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].title if orientation == Qt.Orientation.Horizontal else section + 1
        if role == Qt.ItemDataRole.TextAlignmentRole and orientation == Qt.Orientation.Horizontal:
            side = Qt.AlignmentFlag.AlignRight if self.columns[section].number else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        col = self.columns[index.column()]
        text = self.rows[index.row()].get(col.name, "")
        issue = self.issues.get((index.row(), col.name), "")
        match role:
            case Qt.ItemDataRole.EditRole:
                return text
            case Qt.ItemDataRole.DisplayRole:
                return visible(text) or ("!" if issue else "")
            case Qt.ItemDataRole.TextAlignmentRole:
                side = Qt.AlignmentFlag.AlignRight if col.number else Qt.AlignmentFlag.AlignLeft
                return side | Qt.AlignmentFlag.AlignVCenter
            case Qt.ItemDataRole.ForegroundRole:
                return QBrush(self._theme.colour("bad")) if issue else None
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tooltip(issue or text)
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{col.title}: {text or 'empty'}{'. ' + issue if issue else ''}"
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole:
            return False
        name = self.columns[index.column()].name
        if self.rows[index.row()].get(name, "") != value:
            self.rows[index.row()][name] = str(value)
            self.dataChanged.emit(index, index)
            self.edited.emit()
        return True

    def load(self, rows: Sequence[dict[str, str]]) -> None:
        """Replace all rows without calling it edited."""
        self.beginResetModel()
        self.rows = [dict(each) for each in rows]
        self.issues = {}
        self.endResetModel()

    def add(self, at: int, cells: dict[str, str] | None = None) -> None:
        """Insert a row before row `at`."""
        self.beginInsertRows(_NOWHERE, at, at)
        self.rows.insert(at, {each.name: "" for each in self.columns} | (cells or {}))
        self.endInsertRows()
        self.edited.emit()

    def remove(self, at: int) -> None:
        """Remove row `at`."""
        self.beginRemoveRows(_NOWHERE, at, at)
        del self.rows[at]
        self.endRemoveRows()
        self.edited.emit()

    def set_issues(self, issues: dict[tuple[int, str], str]) -> None:
        """Mark the cells that have an issue."""
        if issues != self.issues and self.rows:
            self.issues = issues
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, len(self.columns) - 1))


class _Grid(QTableView):
    """A table view in which Enter goes on to the next row, and after the last to a new one; Tab leaves at the end.

    So a scanner, a keyboard that ends in Enter, fills row after row and never scans over what it has just scanned.
    """

    entered_last = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if enter and plain and self.state() != QAbstractItemView.State.EditingState:
            self._go_on()
            return
        super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        # Tab walks the cells, but must not be caught in them: past the last and before the first it leaves the grid.
        if self._at_edge(forward):
            return self._leave(forward)
        return super().focusNextPrevChild(forward)

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        walking = {
            QAbstractItemDelegate.EndEditHint.EditNextItem: True,
            QAbstractItemDelegate.EndEditHint.EditPreviousItem: False,
        }
        if hint == QAbstractItemDelegate.EndEditHint.RevertModelCache:
            take_back(editor, self.model(), self.currentIndex())
        forward = walking.get(hint)
        if forward is None or not self._at_edge(forward):
            super().closeEditor(editor, hint)
            if hint == QAbstractItemDelegate.EndEditHint.SubmitModelCache:  # ended by Enter
                self._go_on()
            return
        super().closeEditor(editor, QAbstractItemDelegate.EndEditHint.NoHint)
        self._leave(forward)

    def _at_edge(self, forward: bool) -> bool:
        here, model = self.currentIndex(), self.model()
        last = (model.rowCount() - 1, model.columnCount() - 1)
        return not here.isValid() or (here.row(), here.column()) == (last if forward else (0, 0))

    def _leave(self, forward: bool) -> bool:
        self.setTabKeyNavigation(False)
        left = super().focusNextPrevChild(forward)
        self.setTabKeyNavigation(True)
        return left

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self.model().rowCount():
            self.setCurrentIndex(self.model().index(0, 0))

    def _go_on(self) -> None:
        below = self.currentIndex().row() + 1
        if below < self.model().rowCount():
            self.setCurrentIndex(self.model().index(below, 0))
        else:
            self.entered_last.emit()


class RowsEditor(QWidget):
    """The grid with its buttons and its line for issues."""

    changed = Signal()

    def __init__(self, theme: Theme, name: str, columns: tuple[RowColumn, ...], add_words: str) -> None:
        super().__init__()
        self._general = ""
        self.model = RowsModel(theme, columns, self)
        self.grid = _Grid()
        self.grid.setAccessibleName(name)
        self._below = text_label("", "error", wrap=True)
        self._below.setMinimumHeight(self._below.fontMetrics().lineSpacing())
        self.add_button = with_icon(button(add_words, self.add_row, kind="quiet"), theme, "plus")
        self.copy_button = with_icon(button("Duplicate row", self.duplicate_row, kind="quiet"), theme, "copy")
        self.remove_button = with_icon(button("Remove row", self.remove_row, kind="quiet"), theme, "trash-2")
        for each, words in (
            (self.copy_button, f"Duplicate row of {name}"),
            (self.remove_button, f"Remove row of {name}"),
        ):
            each.setAccessibleName(words)
        self._dress(columns)
        frame = QFrame()
        frame.setObjectName("grid")
        frame.setLayout(column(self.grid, margin=1))
        keys = row(self.add_button, self.copy_button, self.remove_button, None, gap=SPACE_1)
        self.setLayout(column(frame, self._below, holding(keys), gap=SPACE_1))
        self.model.edited.connect(self._on_edited)
        self.model.dataChanged.connect(self._say)
        self.grid.selectionModel().currentChanged.connect(self._say)
        self.grid.entered_last.connect(self.add_row)
        self._fit()

    def _dress(self, columns: tuple[RowColumn, ...]) -> None:
        grid = self.grid
        grid.setModel(self.model)
        grid.setItemDelegate(CellDelegate(grid))
        grid.setShowGrid(True)
        grid.setFrameShape(QFrame.Shape.NoFrame)
        grid.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        grid.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        grid.setEditTriggers(
            QAbstractItemView.EditTrigger.AnyKeyPressed
            | QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.SelectedClicked
        )
        grid.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        grid.verticalHeader().setVisible(False)
        header = grid.horizontalHeader()
        header.setHighlightSections(False)
        for place, each in enumerate(columns):
            if each.width:
                header.resizeSection(place, each.width)
            else:
                header.setSectionResizeMode(place, QHeaderView.ResizeMode.Stretch)

    def rows(self) -> list[dict[str, str]]:
        """What stands in the grid."""
        return [dict(each) for each in self.model.rows]

    def load(self, rows: Sequence[dict[str, str]]) -> None:
        """Fill the grid without calling it typed."""
        self.model.load(rows)
        self._fit()
        self._say()

    def set_issues(self, issues: dict[tuple[int, str], str], general: str = "") -> None:
        """Issues by (row, column name), and one about the rows as a whole."""
        self._general = general
        self.model.set_issues(issues)
        self._say()

    def add_row(self) -> None:
        """A new row after the last, ready to be typed into."""
        self.model.add(len(self.model.rows))
        self.go_to(len(self.model.rows) - 1, 0)

    def duplicate_row(self) -> None:
        """The current row again, below it."""
        here = self.grid.currentIndex().row()
        if 0 <= here < len(self.model.rows):
            self.model.add(here + 1, self.model.rows[here])
            self.go_to(here + 1, 0)

    def remove_row(self) -> None:
        """Take the current row out."""
        here = self.grid.currentIndex().row()
        if 0 <= here < len(self.model.rows):
            self.model.remove(here)
            self.go_to(min(here, len(self.model.rows) - 1), 0)

    def go_to(self, at: int, place: int) -> None:
        """Put the focus on a cell."""
        self.grid.setFocus()
        self.grid.setCurrentIndex(self.model.index(at, place))

    @property
    def shown(self) -> str:
        """The sentence below the grid."""
        return self._below.text()

    def _on_edited(self) -> None:
        self._fit()
        self.changed.emit()

    def _say(self) -> None:
        here = self.grid.currentIndex()
        own = ""
        if here.isValid() and here.row() < len(self.model.rows):
            name = self.model.columns[here.column()].name
            own = self.model.issues.get((here.row(), name), "")
        more = len(self.model.issues) - (1 if own else 0)
        rest = f"{more} more to mend in this list." if own and more else f"{more} to mend in this list." if more else ""
        self._below.setText(visible(" ".join(part for part in (own, rest, self._general) if part)))

    def _fit(self) -> None:
        lines = min(max(len(self.model.rows), 1), _SHOWN_ROWS)
        header = self.grid.horizontalHeader().sizeHint().height()
        self.grid.setFixedHeight(header + lines * ROW_HEIGHT + SPACE_2 // 2)

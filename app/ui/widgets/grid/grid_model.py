"""The rows of a grid as a model, with undo.

Invariants: a row is a record of strings that is replaced and never written into. So rows may be saved, checked or sent
while a person types, and a changed row is another object. Every change goes through `change`, and is one undo step.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QBrush, QFont
from PySide6.QtWidgets import QWidget

from app.contract.order_rules import RowIssues
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import TINT_ALPHA
from app.ui.widgets import widget_words as words
from app.ui.widgets.text.labels import plain_tooltip, visible


@dataclass(frozen=True, slots=True)
class Step:
    """One undoable change: the rows `before` at place `at` became `after`.

    Consecutive steps with the same `of` are joined, so that all keys typed into one cell are one step. Rows are
    replaced and never written into, so a step can hold the rows themselves.
    """

    at: int
    before: tuple[Any, ...]
    after: tuple[Any, ...]
    of: object = None

    def inverse(self) -> "Step":
        """The step that undoes this one."""
        return Step(self.at, self.after, self.before)


class UndoStack:
    """The steps that can be undone, and those that can be redone."""

    def __init__(self) -> None:
        self._done: list[Step] = []
        self._undone: list[Step] = []

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to undo."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Whether there is a step to redo."""
        return bool(self._undone)

    def push(self, step: Step) -> None:
        """Record a step. It joins the last step of the same `of`, and vanishes if the rows are as before."""
        self._undone.clear()
        if step.of is not None and self._done and self._done[-1].of is step.of:
            step = replace(step, before=self._done.pop().before)
        if step.before != step.after:
            self._done.append(step)

    def pop(self, of: object) -> Step | None:
        """Remove the last step and return its inverse, without a redo; None if the last step is not `of` this."""
        if not self._done or self._done[-1].of is not of:
            return None
        return self._done.pop().inverse()

    def undo(self) -> Step | None:
        """Move the last step to the redo side and return its inverse; None if there is none."""
        if not self._done:
            return None
        self._undone.append(self._done.pop())
        return self._undone[-1].inverse()

    def redo(self) -> Step | None:
        """Move the last undone step back and return it; None if there is none."""
        if not self._undone:
            return None
        self._done.append(self._undone.pop())
        return self._done[-1]


Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
Settle = Callable[[Any, Any], Any]  # a row before and after an edit → the row to store
Explain = Callable[[Any, str], str]  # a row and a column's name → why the program filled the cell; empty if it did not
FILLED = "≈"  # the mark before a text that the program filled in
# Tabs and line feeds show as one sign in a cell; the text itself stays.
_BREAKS = {0x09: "␉", 0x0A: "␊"}


@dataclass(frozen=True, slots=True)
class RowColumn:
    """A column: the field of the record, its title, and its width in pixels (0 takes the spare width).

    `number` aligns to the right, `limit` is the contract's maximum of characters, `called` are titles in spreadsheets.
    """

    name: str
    title: str
    width: int = 0
    number: bool = False
    limit: int | None = None
    called: tuple[str, ...] = ()


class RowsModel(QAbstractTableModel):
    """Rows of strings by column name, and the issues of each row."""

    edited = Signal()

    def __init__(
        self,
        theme: Theme,
        columns: tuple[RowColumn, ...],
        parent: QWidget | None = None,
        settle: Settle | None = None,
        explain: Explain | None = None,
    ) -> None:
        super().__init__(parent)
        self._settle, self._explain = settle, explain
        self.columns = columns
        self.rows: list[Any] = []
        self.issues: Sequence[RowIssues] = ()
        self.steps = UndoStack()
        self.version = 0  # grows with every change of rows
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
        if role == Qt.ItemDataRole.TextAlignmentRole:
            left = orientation == Qt.Orientation.Horizontal and not self.columns[section].number
            return (Qt.AlignmentFlag.AlignLeft if left else Qt.AlignmentFlag.AlignRight) | Qt.AlignmentFlag.AlignVCenter
        return None

    def text(self, at: int, place: int) -> str:
        """The text of a cell, exactly as typed."""
        return str(getattr(self.rows[at], self.columns[place].name))

    def issue(self, at: int, name: str) -> str:
        """The first issue of a cell; empty if there is none."""
        issues = self.issues[at] if at < len(self.issues) else ()
        return next((each.sentence for each in issues if each.path == name), "")

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        col = self.columns[index.column()]
        text = self.text(index.row(), index.column())
        if role == Qt.ItemDataRole.EditRole:
            return text
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if col.number else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        issue = self.issue(index.row(), col.name)
        filled = self.explain(index.row(), col.name)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                # Colour is never the only sign.
                signs = "!" if issue else "", FILLED if filled else ""
                # In an empty cell there is room for the reason, and a sign alone would say nothing.
                said = shown_in_cell(text) if text.strip() else visible(issue)
                return " ".join(each for each in (*signs, said) if each)
            case Qt.ItemDataRole.ForegroundRole:
                return QBrush(self._theme.colour("bad" if issue else "ink_soft")) if issue or filled else None
            case Qt.ItemDataRole.FontRole:
                return _slanted() if filled else None
            case Qt.ItemDataRole.BackgroundRole:
                return self._tint() if issue else None
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tooltip("\n".join(each for each in (issue, text, filled) if each))
            case Qt.ItemDataRole.AccessibleTextRole:
                return ". ".join(
                    each
                    for each in (f"{col.title}: {visible(text) or words.EMPTY_CELL}", issue, visible(filled))
                    if each
                )
        return None

    def explain(self, at: int, name: str) -> str:
        """Why the program filled a cell; empty for a value that a person typed or accepted."""
        return "" if self._explain is None else self._explain(self.rows[at], name)

    def _tint(self) -> QBrush:
        colour = self._theme.colour("bad")
        colour.setAlpha(TINT_ALPHA)
        return QBrush(colour)

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole:
            return False
        self.type_in(index, str(value))
        return True

    def type_in(self, index: Index, text: str, typing: object = None) -> None:
        """Set the text of a cell. All texts with the same `typing` are one undo step."""
        row = self.rows[index.row()]
        name = self.columns[index.column()].name
        if getattr(row, name) != text:
            self.edit(index.row(), [replace(row, **{name: text})], typing)

    def edit(self, at: int, rows: Sequence[Any], typing: object = None) -> None:
        """Store rows that a person has edited from place `at` on; rows beyond the last are new."""
        count = min(len(rows), len(self.rows) - at)
        if self._settle is not None:
            rows = [*map(self._settle, self.rows[at : at + count], rows), *rows[count:]]
        self.change(at, count, rows, typing)

    def undo_typing(self, typing: object) -> bool:
        """Undo this typing; False if it is not the last step."""
        step = self.steps.pop(typing)
        if step is not None:
            self._make(step)
        return step is not None

    def load(self, rows: Sequence[Any]) -> None:
        """Replace all rows without counting that as an edit, and forget all undo steps."""
        self.beginResetModel()
        self.rows = [replace(each) for each in rows]
        self.issues = ()
        self.steps = UndoStack()
        self.version += 1
        self.endResetModel()

    def change(self, at: int, count: int, rows: Sequence[Any], of: object = None) -> None:
        """Replace `count` rows from place `at` on, as one undo step."""
        step = Step(at, tuple(self.rows[at : at + count]), tuple(rows), of)
        self.steps.push(step)
        self._make(step)

    def undo(self) -> Step | None:
        """Undo the last step; returns the step that was applied."""
        step = self.steps.undo()
        if step is not None:
            self._make(step)
        return step

    def redo(self) -> Step | None:
        """Redo the last undone step; returns it."""
        step = self.steps.redo()
        if step is not None:
            self._make(step)
        return step

    def set_issues(self, issues: Sequence[RowIssues]) -> None:
        """Set the issues of each row."""
        if issues is not self.issues and (any(issues) or any(self.issues)) and self.rows:
            self.issues = issues
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, len(self.columns) - 1))

    def _make(self, step: Step) -> None:
        """Apply a step, changing rows in place as far as possible: so the view keeps its place and its editor."""
        self.version += 1
        same = min(len(step.before), len(step.after))
        at, end = step.at + same, step.at + len(step.before)
        if same:
            self.rows[step.at : at] = step.after[:same]
            self.dataChanged.emit(self.index(step.at, 0), self.index(at - 1, len(self.columns) - 1))
        if end > at:
            self.beginRemoveRows(_NOWHERE, at, end - 1)
            del self.rows[at:end]
            self.issues = [*self.issues[:at], *self.issues[end:]]
            self.endRemoveRows()
        elif len(step.after) > same:
            more = step.after[same:]
            self.beginInsertRows(_NOWHERE, at, at + len(more) - 1)
            self.rows[at:at] = more
            self.issues = [*self.issues[:at], *((),) * len(more), *self.issues[at:]]
            self.endInsertRows()
        self.edited.emit()


def _slanted() -> QFont:
    font = QFont()
    font.setItalic(True)
    return font


def shown_in_cell(text: str) -> str:
    """A text on one line, with invisible characters made visible."""
    return visible(text).translate(_BREAKS)

"""The rows of a file as a model: a column for the verdict, then the columns of the file.

Invariants: nothing is copied, so 100,000 rows cost no time to show. The rows shown are the whole file or a part of it;
a row that is shown leaves only when a person chooses another part, so nothing moves under a hand.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from app.desk.bulk.outcome.import_verdicts import ImportVerdicts
from app.desk.bulk.rows.cell_issues import NO_COLUMN, CellIssue
from app.desk.bulk.rows.import_sheet import ImportSheet, Place
from app.ui.bulk import bulk_page_words as words
from app.ui.widgets.text.labels import plain_tooltip, visible

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
VERDICT = 0  # the column of the verdicts; the file's columns follow
WRONG, DOUBT, CORRECTED = "!", "?", "✎"


class CellLook(NamedTuple):
    """How a cell looks: its text and a sign before it, with the colour tokens of both, of the ground and of a tint."""

    text: str
    ink: str = "ink"
    sign: str = ""
    sign_ink: str = ""
    tint: str = ""
    ground: str = "surface"
    right: bool = False


_EMPTY = CellLook("")


class SheetModel(QAbstractTableModel):
    """`edit_asked` carries the cells that a person typed, as texts by place in the sheet."""

    edit_asked = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.sheet: ImportSheet | None = None
        self.verdicts = ImportVerdicts()
        self.rows: Sequence[int] = ()  # the rows of the sheet that are shown
        self.locked = False  # while the sheet is being made anew, nothing can be typed
        self.title_of: Callable[[int], str] = str  # what a column of the file is, for the header

    # Qt's questions

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() or self.sheet is None else len(self.sheet.titles) + 1

    def flags(self, index: Index) -> Qt.ItemFlag:
        found = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return found if index.column() == VERDICT or self.locked else found | Qt.ItemFlag.ItemIsEditable

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self.sheet is None:
            return None
        # A screen reader may still ask for a column of the file before, which had more of them.
        if orientation == Qt.Orientation.Horizontal and section > len(self.sheet.titles):
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = (
                Qt.AlignmentFlag.AlignLeft if orientation == Qt.Orientation.Horizontal else Qt.AlignmentFlag.AlignRight
            )
            return side | Qt.AlignmentFlag.AlignVCenter
        if orientation == Qt.Orientation.Vertical:
            return self._number(section) if role == Qt.ItemDataRole.DisplayRole else None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return words.VERDICT if section == VERDICT else visible(self.title_of(section - 1))
        return None

    def _number(self, section: int) -> str:
        """The number of the row in the file; a row of a pasted text has one too."""
        assert self.sheet is not None
        return f"{self.sheet.table.numbers[self.rows[section]]:,}" if section < len(self.rows) else ""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self.sheet is None or index.row() >= len(self.rows):
            return None
        row, column = self.rows[index.row()], index.column() - 1
        if role == Qt.ItemDataRole.DisplayRole:
            look = self.look(index.row(), index.column())
            return visible(f"{look.sign} {look.text}".strip())
        if role == Qt.ItemDataRole.EditRole and column >= 0:
            return self.sheet.cell(row, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip("\n".join(self.said_of(row, column)))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken(row, column)
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or self.sheet is None or self.locked or index.column() == VERDICT:
            return False
        place = (self.rows[index.row()], index.column() - 1)
        if self.sheet.cell(*place) != value:
            self.edit_asked.emit({place: str(value)})
        return True

    # What the view paints

    def look(self, at: int, column: int) -> CellLook:
        """How a cell looks; `at` is its row among those shown, `column` that of the model."""
        return self.looks(at, (column,))[0]

    def looks(self, at: int, columns: Sequence[int]) -> list[CellLook]:
        """How several cells of a row look. The issues of the row are looked up once for all of them."""
        if self.sheet is None or at >= len(self.rows):
            return [_EMPTY] * len(columns)
        row = self.rows[at]
        issues = self.sheet.issues_at(row)
        return [
            self._verdict_look(row) if each == VERDICT else self._cell_look(row, each - 1, issues.get(each - 1, ()))
            for each in columns
        ]

    def _cell_look(self, row: int, column: int, issues: Sequence[CellIssue]) -> CellLook:
        sheet = self.sheet
        assert sheet is not None
        text, right = sheet.cell(row, column), sheet.kind_of(row, column) == "number"
        if issues:
            wrong = any(each.grade == "wrong" for each in issues)
            ink = "bad" if wrong else "warn"
            sign = WRONG if wrong else DOUBT
            if not text.strip():  # there is room for the reason, and a sign alone would say nothing
                return CellLook(issues[0].sentence, ink, sign, ink, ink)
            return CellLook(text, "ink", sign, ink, ink, right=right)
        if sheet.original(row, column) is not None:
            return CellLook(text, "ink", CORRECTED, "accent", right=right)
        used = column < len(sheet.mapping.columns) and sheet.mapping.columns[column].path
        return CellLook(text, "ink" if used else "ink_soft", right=right)

    def _verdict_look(self, row: int) -> CellLook:
        assert self.sheet is not None
        order = self.sheet.order_of(row)
        if order is None:
            return CellLook("", ground="raised")
        if order.key != row:
            return CellLook(words.SAME_ORDER, "ink_soft", ground="raised")
        look = words.verdict_look(self.verdicts, order.key)
        return CellLook(look.word, "ink", look.glyph, look.ink, ground="raised")

    def issues_of(self, row: int, column: int) -> Sequence[CellIssue]:
        """The issues of a cell of the sheet. Those that no cell holds stand at the verdict of the order's first row."""
        return () if self.sheet is None else self.sheet.issues_at(row).get(column if column >= 0 else NO_COLUMN, ())

    def said_of(self, row: int, column: int) -> list[str]:
        """The sentences about a cell: its issues, its text in the file, the reason of the verdict."""
        assert self.sheet is not None
        found = [each.sentence for each in self.issues_of(row, column)]
        if column >= 0:
            original = self.sheet.original(row, column)
            found += [] if original is None else [words.in_the_file(original)]
            return found
        order = self.sheet.order_of(row)
        verdict = None if order is None else self.verdicts.found.get(order.key)
        return [*([verdict.sentence] if verdict is not None else []), *found]

    def _spoken(self, row: int, column: int) -> str:
        assert self.sheet is not None
        if column < 0:
            look = self._verdict_look(row)
            return visible(". ".join([look.text, *self.said_of(row, column)]))
        text = self.sheet.cell(row, column) or words.EMPTY_CELL
        return visible(". ".join([f"{self.title_of(column)}: {text}", *self.said_of(row, column)]))

    # Which rows

    def show_sheet(self, sheet: ImportSheet | None, verdicts: ImportVerdicts) -> None:
        """Show another file, all of its rows."""
        self.beginResetModel()
        self.sheet, self.verdicts = sheet, verdicts
        self.rows = range(len(sheet)) if sheet is not None else ()
        self.endResetModel()

    def show_rows(self, rows: Sequence[int]) -> None:
        """Show these rows of the sheet, which ascend."""
        if rows != self.rows:
            self.beginResetModel()
            self.rows = rows
            self.endResetModel()

    def at_row(self, row: int) -> int | None:
        """Where a row of the sheet is shown; None if it is not."""
        if isinstance(self.rows, range):
            return row if row in self.rows else None
        at = bisect_left(self.rows, row)
        return at if at < len(self.rows) and self.rows[at] == row else None

    def place(self, index: Index) -> Place | None:
        """The cell of the sheet at an index; None for a verdict."""
        if not index.isValid() or index.column() == VERDICT:
            return None
        return self.rows[index.row()], index.column() - 1

    def index_of(self, row: int, column: int) -> QModelIndex:
        """The index of a cell of the sheet (`NO_COLUMN`: of the verdict); invalid if the row is not shown."""
        at = self.at_row(row)
        return QModelIndex() if at is None else self.index(at, max(column, NO_COLUMN) + 1)

    def change_columns(self) -> None:
        """There are more columns, or fewer; the rows shown are the same."""
        self.beginResetModel()
        self.endResetModel()

    def redraw(self) -> None:
        """Texts, issues or verdicts have changed; the rows are the same."""
        if self.rows and self.sheet is not None:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, self.columnCount() - 1))

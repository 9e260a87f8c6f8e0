"""Cancelling by a file: its references, what cancelling each would do, and the one button that asks first.

Invariant: only orders that are open, or that no list shows, are cancelled; each can be undone for ten seconds.
"""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from app.desk.bulk.outcome.cancel_list import CancelLine
from app.ui.bulk import bulk_page_words as words
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.buttons import button, with_icon
from app.ui.widgets.field import Choice
from app.ui.widgets.layout import column, holding, row
from app.ui.widgets.lists.row_table import CellLook, RowDelegate, RowTable, set_up_rows
from app.ui.widgets.states import StateView
from app.ui.widgets.text.labels import ElidedLabel, plain_tooltip, text_label, visible

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_WIDTHS = (70, 160, 150, 180)


class CancelModel(QAbstractTableModel):
    """The rows of the file, each with what cancelling would do."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.lines: Sequence[CancelLine] = ()
        self.numbers: Sequence[int] = ()

    def show_lines(self, lines: Sequence[CancelLine], numbers: Sequence[int]) -> None:
        """Show these rows; `numbers` are those of the file."""
        self.beginResetModel()
        self.lines, self.numbers = lines, numbers
        self.endResetModel()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.lines)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(words.CANCEL_TITLES)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return words.CANCEL_TITLES[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return visible(self._cell(index.row(), index.column()))
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(self._cell(index.row(), index.column()))
        return None

    def _cell(self, at: int, place: int) -> str:
        line = self.lines[at]
        glyph, word, _ = words.CANCEL_LOOKS[line.kind]
        return (f"{self.numbers[line.row]:,}", line.reference, f"{glyph} {word}", line.consignee, line.sentence)[place]


class _Delegate(RowDelegate):
    def look(self, index: Index) -> CellLook:
        model = index.model()
        assert isinstance(model, CancelModel)
        _, _, ink = words.CANCEL_LOOKS[model.lines[index.row()].kind]
        return CellLook(ink=ink if index.column() == 2 else "ink")


class CancelFace(QWidget):
    """`column_asked` carries the column of the references; the other signals come from the buttons."""

    column_asked = Signal(int)
    cancel_pressed = Signal()
    back_pressed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.title = ElidedLabel("title")
        self.column = Choice(words.REFERENCE_COLUMN)
        self.column.activated.connect(self._on_column)
        back = with_icon(button(words.BACK_TO_START, self.back_pressed.emit, kind="quiet"), theme, "x")
        self.model = CancelModel(self)
        self.table = RowTable()
        self.table.setModel(self.model)
        set_up_rows(self.table, theme, words.CANCEL_NAME, _Delegate, _WIDTHS)
        self.states = StateView(theme, self.table)
        self.summary = text_label("", "strong", wrap=True)
        self.cancel_button = button(words.CANCEL_NOTHING, self.cancel_pressed.emit, kind="primary", key="Ctrl+Return")
        head = row(
            self.title, None, text_label(words.REFERENCE_COLUMN, "label"), self.column, back,
            margin=(SPACE_3, SPACE_1, SPACE_3, SPACE_1), gap=SPACE_2,
        )  # fmt: skip
        self.foot = foot = QFrame()
        foot.setObjectName("statusBar")
        line = row(self.summary, self.cancel_button, margin=(SPACE_3, SPACE_1, SPACE_3, SPACE_1), gap=SPACE_3)
        line.setStretch(0, 1)
        foot.setLayout(line)
        whole = column(holding(head), self.states, foot)
        whole.setStretch(1, 1)
        self.setLayout(whole)

    def show_file(self, name: str, titles: Sequence[str], column: int | None) -> None:
        """Show a file whose rows are being looked up."""
        self.title.say(words.cancel_by(name))
        # Filling a choice chooses its first entry, which would look like a person's choice.
        self.column.blockSignals(True)
        self.column.clear()
        for place, title in enumerate(titles):
            self.column.addItem(visible(title.strip()) or words.untitled(place + 1), place)
        self.column.setCurrentIndex(-1 if column is None else column)
        self.column.blockSignals(False)
        if column is None:
            self.states.show_state("search", words.WHICH_COLUMN, words.WHICH_COLUMN_SENTENCE)
        else:
            self.states.show_state("clock", words.LOOKING_UP)
        self._offer(0, 0)

    def show_lines(self, lines: Sequence[CancelLine], numbers: Sequence[int]) -> None:
        """Show what cancelling would do."""
        self.model.show_lines(lines, numbers)
        if lines:
            self.states.show_content()
        else:
            self.states.show_state("inbox", words.NO_REFERENCES, words.NO_REFERENCES_SENTENCE)
        self._offer(sum(each.cancels for each in lines), len(lines))

    def _offer(self, count: int, of: int) -> None:
        title = words.cancel_orders(count)
        self.cancel_button.setText(title)
        self.cancel_button.setAccessibleName(title)
        self.cancel_button.setEnabled(bool(count))
        self.summary.setText(words.cancel_summary(count, of) if of else "")

    def _on_column(self, _index: int) -> None:
        self.column_asked.emit(int(self.column.currentData()))

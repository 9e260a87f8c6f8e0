"""The grid of a file: cells are typed into, pasted, filled down, emptied, undone, as in a spreadsheet.

Invariants: the view changes no cell, it asks by signals. A block is pasted whole or not at all. Tab leaves the grid, so
it is no trap for the keyboard; the arrow keys walk the cells. No code here goes through all cells of a selection: a
selection of everything is one span.
"""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from app.desk.bulk.rows.import_sheet import Place
from app.desk.export.spreadsheet_cells import guarded, unguarded
from app.desk.text.pasted_cells import Block, read_block, write_block
from app.ui.bulk import bulk_page_words as words
from app.ui.bulk.sheet.frozen_verdicts import FrozenVerdicts
from app.ui.bulk.sheet.sheet_header import SheetHeader
from app.ui.bulk.sheet.sheet_model import CORRECTED, VERDICT, SheetModel
from app.ui.bulk.sheet.sheet_painting import SheetPainter
from app.ui.theme.theme import SIZES, Theme, follow_row_height
from app.ui.widgets.field import NO_LIMIT, LengthLimit
from app.ui.widgets.grid.cell_editing import is_block
from app.ui.widgets.text.keys import KeepsUndo

Index = QModelIndex | QPersistentModelIndex
_KEYS = QKeySequence.StandardKey
_HINT = QAbstractItemDelegate.EndEditHint
_PLAIN = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
_MOST_COPIED = 2_000_000  # cells; more is a mistake and would take minutes to paste anywhere
_COLUMN_WIDTH, _VERDICT_WIDTH, _WIDEST = 132, 148, 360
_SAMPLED = 200  # rows that are looked at for the width of a column
_BEFORE = "before"  # a property of an editor: the text that it was opened with


class SheetView(QTableView, KeepsUndo):
    """`edit_asked` carries texts by place; `fill_asked` and `clear_asked` the places; `refused` a sentence."""

    edit_asked = Signal(object)
    fill_asked = Signal(list)
    clear_asked = Signal(list)
    undo_asked = Signal()
    redo_asked = Signal()
    refused = Signal(str)
    opened = Signal(int)  # a row of the sheet, by Enter or a double click on its verdict
    column_asked = Signal(int)  # a column of the file: choose its field

    def __init__(self, theme: Theme, model: SheetModel) -> None:
        super().__init__()
        self.cells = model
        self.setModel(model)
        self._painter = SheetPainter(theme, self, model)
        self.setAccessibleName(words.GRID_NAME)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.AnyKeyPressed
            | QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        self.setItemDelegate(_Cells(self))
        self._build_headers(theme)
        self.frozen = FrozenVerdicts(theme, self, model)
        self.frozen.setSelectionModel(self.selectionModel())
        self.frozen.doubleClicked.connect(self._on_double_click)
        model.edit_asked.connect(self.edit_asked)
        self.doubleClicked.connect(self._on_double_click)
        theme.changed.connect(self.viewport().update)

    def _build_headers(self, theme: Theme) -> None:
        self.header = SheetHeader(theme, self, self.cells)
        self.setHorizontalHeader(self.header)
        # A header asks for every row whether it is selected, to highlight columns. This selection is always empty.
        self.header.setSelectionModel(QItemSelectionModel(self.cells, self.header))
        self.header.setSectionsClickable(True)
        self.header.sectionClicked.connect(self._on_header)
        numbers = self.verticalHeader()
        follow_row_height(numbers, least=True)
        numbers.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        numbers.setHighlightSections(False)
        numbers.setSectionsClickable(False)
        numbers.setSelectionModel(QItemSelectionModel(self.cells, numbers))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        self._painter.paint(painter, event.rect(), focused=self.hasFocus())
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.frozen.place()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.frozen.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.frozen.viewport().update()

    def scrollTo(
        self, index: Index, hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible
    ) -> None:
        super().scrollTo(index, hint)
        hidden = self.frozen.width() - self.visualRect(index).left()
        if index.column() > VERDICT and hidden > 0:  # it lies under the verdicts
            bar = self.horizontalScrollBar()
            bar.setValue(bar.value() - hidden)

    def fit_columns(self) -> None:
        """Give each column the width of its title and its first cells, within bounds."""
        sheet = self.cells.sheet
        if sheet is None:
            return
        metrics, header = self.fontMetrics(), self.horizontalHeader()
        header.resizeSection(VERDICT, _VERDICT_WIDTH)
        for column in range(len(sheet.titles)):
            texts = (sheet.cell(row, column) for row in range(min(len(sheet), _SAMPLED)))
            longest = max(texts, key=len, default="")[:80]
            # With room for the mark that a correction sets before the text.
            wanted = metrics.horizontalAdvance(f"{CORRECTED} {longest}") + SIZES.row_height
            header.resizeSection(
                column + 1, max(self.header.title_width(column), min(wanted, _WIDEST), _COLUMN_WIDTH // 2)
            )
        self.frozen.place()

    # Where the keyboard is

    def stand_on(self, index: Index) -> None:
        """Make this cell the current and only selected one, whichever modifier keys are down."""
        self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.scrollTo(index)

    @property
    def is_editing(self) -> bool:
        """Whether a cell is open."""
        return self.state() == QAbstractItemView.State.EditingState

    def commit(self) -> bool:
        """Take what stands in an open cell; whether one was open."""
        editor = self.indexWidget(self.currentIndex())
        if editor is None or not self.is_editing:
            return False
        self.commitData(editor)
        super().closeEditor(editor, _HINT.NoHint)
        return True

    def go_to(self, row: int, column: int) -> bool:
        """Go to a cell of the sheet; False if its row is not shown."""
        index = self.cells.index_of(row, column)
        if index.isValid():
            self.setFocus()
            self.stand_on(index)
        return index.isValid()

    @property
    def here(self) -> tuple[int, int] | None:
        """The current cell as row and column of the sheet; the column of a verdict is -1."""
        index = self.currentIndex()
        return (self.cells.rows[index.row()], index.column() - 1) if index.isValid() else None

    def show_rows(self, rows: Sequence[int]) -> None:
        """Show these rows of the sheet. The row at the top and the current cell keep their place if they stay."""
        here, top = self.here, self.rowAt(0)
        anchor = self.cells.rows[top] if 0 <= top < len(self.cells.rows) else None
        self.cells.show_rows(rows)
        if here is not None and (index := self.cells.index_of(*here)).isValid():
            self.setAutoScroll(False)
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.setAutoScroll(True)
        at = None if anchor is None else self.cells.at_row(anchor)
        if at is not None:
            self.verticalScrollBar().setValue(at)

    def spans(self) -> tuple[range, range] | None:
        """The selected cells: rows among those shown, and columns of the file. None if none of the file is selected."""
        chosen = self.selectionModel().selection()
        if chosen.isEmpty():
            here = self.currentIndex()
            rows, left, right = range(here.row(), here.row() + 1), here.column(), here.column()
            if not here.isValid():
                return None
        else:
            parts = [chosen.at(at) for at in range(chosen.size())]
            rows = range(min(each.top() for each in parts), max(each.bottom() for each in parts) + 1)
            left, right = min(each.left() for each in parts), max(each.right() for each in parts)
        columns = range(max(left - 1, 0), right)
        return (rows, columns) if len(columns) else None

    def places(self) -> list[Place]:
        """The selected cells of the sheet."""
        found = self.spans()
        if found is None:
            return []
        rows, columns = found
        return [(self.cells.rows[at], column) for at in rows for column in columns]

    # Keys

    def event(self, event: QEvent) -> bool:
        # These keys mean something else elsewhere on the page or in the window: in the grid they are the grid's.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _wanted(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.is_editing:
            super().keyPressEvent(event)
        elif wanted := _wanted(event):
            event.accept()
            self._act(wanted)
        elif event.modifiers() in _PLAIN and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._on_enter()
        elif event.matches(_KEYS.SelectAll):
            self.selectAll()
        elif event.matches(_KEYS.Cancel):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _act(self, wanted: str) -> None:
        match wanted:
            case "copy":
                self.copy()
            case "cut":
                self.copy()
                self.clear_asked.emit(self.places())
            case "paste":
                self.paste()
            case "clear":
                self.clear_asked.emit(self.places())
            case "fill":
                self._fill_down()
            case "undo":
                self.undo_asked.emit()
            case "redo":
                self.redo_asked.emit()
            case "column":
                here = self.here
                if here is not None and here[1] >= 0:
                    self.column_asked.emit(here[1])

    def _on_enter(self) -> None:
        """Enter on a verdict opens the order; in a cell it goes down, as in a spreadsheet."""
        index = self.currentIndex()
        if index.isValid() and index.column() == VERDICT:
            self.opened.emit(self.cells.rows[index.row()])
        elif index.isValid():
            self._go_down()

    def _go_down(self) -> None:
        below = self.currentIndex().siblingAtRow(self.currentIndex().row() + 1)
        if below.isValid():
            self.stand_on(below)

    def _on_double_click(self, index: QModelIndex) -> None:
        if index.column() == VERDICT:
            self.opened.emit(self.cells.rows[index.row()])

    def _on_header(self, section: int) -> None:
        if section > VERDICT:
            self.column_asked.emit(section - 1)

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        super().closeEditor(editor, _HINT.NoHint if hint in (_HINT.EditNextItem, _HINT.EditPreviousItem) else hint)
        step = {_HINT.EditNextItem: 1, _HINT.EditPreviousItem: -1}.get(hint, 0)
        if hint == _HINT.SubmitModelCache:  # ended by Enter
            self._go_down()
        elif step:
            beside = self.currentIndex().siblingAtColumn(self.currentIndex().column() + step)
            if beside.isValid():
                self.stand_on(beside)

    # Blocks

    def copy(self) -> None:
        """Copy the selected cells as a table that pastes into a spreadsheet and runs nothing there."""
        found, sheet = self.spans(), self.cells.sheet
        if found is None or sheet is None:
            return
        rows, columns = found
        if len(rows) * len(columns) > _MOST_COPIED:
            self.refused.emit(words.too_much_to_copy(len(rows) * len(columns)))
            return
        block = [[guarded(sheet.cell(self.cells.rows[at], column)) for column in columns] for at in rows]
        QGuiApplication.clipboard().setText(write_block(block))

    def paste(self) -> None:
        """Paste a block from the current cell on; a single value fills all selected cells."""
        text, found = QGuiApplication.clipboard().text(), self.spans()
        if found is None or not text:
            self.refused.emit(words.NOTHING_TO_PASTE)
            return
        rows, columns = found
        if not is_block(text):
            value = unguarded(text.rstrip("\r\n"))
            self.edit_asked.emit(dict.fromkeys(self.places(), value))
            return
        block = [[unguarded(cell) for cell in cells] for cells in read_block(text)]
        texts = self._block_texts(block, rows.start, columns.start)
        if texts is not None:
            self.edit_asked.emit(texts)

    def _block_texts(self, block: Block, first: int, left: int) -> dict[Place, str] | None:
        """A block as texts by place, from a cell on; None, and a sentence, if there is no room for it."""
        assert self.cells.sheet is not None
        below, beside = len(self.cells.rows) - first, len(self.cells.sheet.titles) - left
        wide = max(map(len, block))
        if len(block) > below or wide > beside:
            self.refused.emit(words.block_too_large(len(block), wide, below, beside))
            return None
        return {
            (self.cells.rows[first + down], left + along): cell
            for down, cells in enumerate(block)
            for along, cell in enumerate(cells)
        }

    def _fill_down(self) -> None:
        """Fill the selected cells with the topmost ones; a single cell with the one above it."""
        found = self.spans()
        if found is None:
            return
        rows, columns = found
        if len(rows) == 1 and rows.start > 0:
            rows = range(rows.start - 1, rows.stop)
        self.fill_asked.emit([(self.cells.rows[at], column) for column in columns for at in rows])


class _Cells(QStyledItemDelegate):
    """Editors of cells: a text of any length stays whole, a pasted block goes to the grid, Enter goes down."""

    def __init__(self, view: SheetView) -> None:
        super().__init__(view)
        self._view = view

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = super().createEditor(parent, option, index)
        if isinstance(editor, QLineEdit):
            editor.setMaxLength(NO_LIMIT)
            editor.setValidator(LengthLimit(editor))
            title = str(index.model().headerData(index.column(), Qt.Orientation.Horizontal))
            editor.setAccessibleName(words.cell_editor(title, self._view.cells.rows[index.row()] + 1))
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        # Qt asks for it again at each change of the model, also where only verdicts came in: what is typed stays. The
        # text itself tells that it was typed: a screen reader sets it, which is no change by a person for Qt.
        if isinstance(editor, QLineEdit) and editor.property(_BEFORE) not in (None, editor.text()):
            return
        super().setEditorData(editor, index)
        if isinstance(editor, QLineEdit):
            editor.setProperty(_BEFORE, editor.text())

    def eventFilter(self, editor: QWidget, event: QEvent) -> bool:  # type: ignore[override]
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.matches(_KEYS.Paste) and is_block(QGuiApplication.clipboard().text()):
                self.closeEditor.emit(editor, _HINT.RevertModelCache)
                self._view.paste()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                # At once: Qt closes an editor in a later turn of the loop, and the next key may come before that.
                self.commitData.emit(editor)
                self.closeEditor.emit(editor, _HINT.SubmitModelCache)
                return True
        return super().eventFilter(editor, event)


def _wanted(event: QKeyEvent) -> str:
    """The action of a key in the grid; empty for none."""
    standard = {"copy": _KEYS.Copy, "cut": _KEYS.Cut, "paste": _KEYS.Paste, "undo": _KEYS.Undo, "redo": _KEYS.Redo}
    found = next((name for name, key in standard.items() if event.matches(key)), "")
    chord = QKeySequence(event.keyCombination())
    own = {"Ctrl+Y": "redo", "Ctrl+D": "fill", "Alt+Down": "column", "Del": "clear", "Backspace": "clear"}
    return found or next((name for key, name in own.items() if chord == QKeySequence(key)), "")

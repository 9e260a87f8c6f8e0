"""The view of a grid, its keyboard, and a field for assistive technology.

Tab and the arrow keys leave the grid past its edges. Enter goes to the next row, and after the last to a new one: a
scanner types Enter after each code, so it never overwrites the code before. On an empty new row, Enter leaves the grid.
"""

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, QPersistentModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QFocusEvent, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QLineEdit,
    QTableView,
    QWidget,
)

from app.ui.theme.theme import SIZES, Theme, follow_row_height
from app.ui.theme.tokens import FOCUS_PX, REST_LEAST_WIDTH
from app.ui.widgets import widget_words as words
from app.ui.widgets.field import NO_LIMIT
from app.ui.widgets.grid.cell_editing import CellDelegate, undo_typing
from app.ui.widgets.grid.grid_model import RowsModel
from app.ui.widgets.text.keys import KeepsUndo

Index = QModelIndex | QPersistentModelIndex
_KEYS = QKeySequence.StandardKey
_HINT = QAbstractItemDelegate.EndEditHint
_NARROWEST = 0.75  # share of a column's width below which the grid scrolls sideways
_CTRL_Y = QKeySequence("Ctrl+Y")


class RowsGrid(QTableView, KeepsUndo):
    """A table of a `RowsModel`. The view changes no rows; signals ask for that."""

    entered_last = Signal()  # Enter on the last row
    asked = Signal(str)  # copy, cut, paste, clear, undo, redo

    def __init__(self, theme: Theme, model: RowsModel, name: str) -> None:
        super().__init__()
        self._theme, self._model = theme, model
        self.setModel(model)
        self.setAccessibleName(name)
        cells = CellDelegate(theme, self)
        cells.block_pasted.connect(self._on_block_pasted)
        cells.walked.connect(self._walk)
        self.setItemDelegate(cells)
        self._dress()

    def _dress(self) -> None:
        self.setShowGrid(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        # Without `SelectedClicked`: Qt opens such an editor after the time of a double click, in the cell that is
        # current by then, which may belong to another draft.
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.AnyKeyPressed
            | QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        self.setCornerButtonEnabled(False)
        self.setWordWrap(False)  # a long code would wrap to a second line, out of sight
        numbers = self.verticalHeader()
        follow_row_height(numbers)
        numbers.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        numbers.setHighlightSections(False)
        self.horizontalHeader().setHighlightSections(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.share_width()

    def share_width(self) -> None:
        """Share the width out: planned widths, spare width to columns of width 0, all narrower in a narrow window.

        No column is narrower than its title, which would be cut off where a person chose larger text.
        """
        planned = [SIZES.scaled(each.width) for each in self._model.columns]
        room = self.viewport().width()
        taking = planned.count(0) * REST_LEAST_WIDTH
        share = min(1.0, max(_NARROWEST, (room - taking) / max(sum(planned), 1)))
        header = self.horizontalHeader()
        widths = [
            max(int(width * share), header.sectionSizeHint(place)) if width else 0
            for place, width in enumerate(planned)
        ]
        rest = max(REST_LEAST_WIDTH, (room - sum(widths)) // max(planned.count(0), 1))
        for place, width in enumerate(widths):
            header.resizeSection(place, width or rest)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus() and not self._model.rowCount():  # without cells, the whole grid shows the focus
            painter = QPainter(self.viewport())
            painter.setPen(QPen(self._theme.colour("accent"), FOCUS_PX))
            painter.drawRect(self.viewport().rect().adjusted(1, 1, -1, -1))

    # The keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.state() != QAbstractItemView.State.EditingState and self._took(event):
            event.accept()
            return
        super().keyPressEvent(event)

    def _took(self, event: QKeyEvent) -> bool:
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        key = event.key()
        if plain and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._go_on()
            return True
        if plain and key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.asked.emit("clear")
            return True
        if plain and key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and not event.isAutoRepeat():
            # A key that is held down stops at the edge instead of leaving.
            return self._left_by_arrow(key == Qt.Key.Key_Down)
        wanted = _wanted(event)
        if wanted:
            self.asked.emit(wanted)
        elif not self._model.rowCount() and event.text().strip() and event.text().isprintable():
            self.entered_last.emit()  # typing into an empty grid begins its first row
        return bool(wanted)

    def _left_by_arrow(self, down: bool) -> bool:
        row = self.currentIndex().row()
        edge = self._model.rowCount() - 1 if down else 0
        return row == edge and self.leave(down)

    def _walk(self, rows: int) -> None:
        """Close the open cell and go up or down by so many rows."""
        here = self.currentIndex()
        self._close_editor()
        to = here.siblingAtRow(here.row() + rows)
        if to.isValid():
            self.stand_on(to)
        else:
            self.leave(rows > 0)

    def _on_block_pasted(self) -> None:
        self._close_editor()
        self.asked.emit("paste")

    def _close_editor(self) -> None:
        editor = self.indexWidget(self.currentIndex())
        if editor is not None:
            self.commitData(editor)
            super().closeEditor(editor, _HINT.NoHint)

    def focusNextPrevChild(self, forward: bool) -> bool:
        # Tab walks the cells and leaves the grid past the last and before the first one, so it is no trap.
        if self._at_edge(forward):
            return self.leave(forward)
        return super().focusNextPrevChild(forward)

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        if hint == _HINT.RevertModelCache:
            undo_typing(editor, self._model, self.currentIndex())
        forward = {_HINT.EditNextItem: True, _HINT.EditPreviousItem: False}.get(hint)
        if forward is None or not self._at_edge(forward):
            super().closeEditor(editor, hint)
            if hint == _HINT.SubmitModelCache:  # ended by Enter
                self._go_on()
            return
        super().closeEditor(editor, _HINT.NoHint)
        self.leave(forward)

    def _at_edge(self, forward: bool) -> bool:
        here, model = self.currentIndex(), self.model()
        last = (model.rowCount() - 1, model.columnCount() - 1)
        return not here.isValid() or (here.row(), here.column()) == (last if forward else (0, 0))

    def leave(self, forward: bool) -> bool:
        """Move the focus to the widget behind the grid, or before it."""
        self._close_editor()  # from an open editor, the widget before is the grid itself
        # With navigation by Tab, Qt's own method would go to the next cell instead of the next widget.
        self.setTabKeyNavigation(False)
        left = super().focusNextPrevChild(forward)
        self.setTabKeyNavigation(True)
        return left

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self.model().rowCount():
            self.stand_on(self.model().index(0, 0))

    def stand_on(self, index: Index) -> None:
        """Make this cell the current and only selected one, whichever modifier keys are down."""
        self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def _go_on(self) -> None:
        below = self.currentIndex().row() + 1
        if below < self.model().rowCount():
            self.stand_on(self.model().index(below, 0))
        else:
            self.entered_last.emit()


def _wanted(event: QKeyEvent) -> str:
    """The action of a key; redo has two keys."""
    standard = {"copy": _KEYS.Copy, "cut": _KEYS.Cut, "paste": _KEYS.Paste, "undo": _KEYS.Undo, "redo": _KEYS.Redo}
    found = next((name for name, key in standard.items() if event.matches(key)), "")
    return found or ("redo" if QKeySequence(event.keyCombination()) == _CTRL_Y else "")


class CellLine(QLineEdit):
    """The current cell as a field of its own, for assistive technology.

    Qt's tables let a screen reader read cells but offer no way to write into one; a field does. The field is visible
    only while assistive technology is active, and Tab passes it by: the grid itself is the stop. A cell that is
    selected through the accessibility tree becomes the current one.
    """

    def __init__(self, model: RowsModel, grid: RowsGrid) -> None:
        super().__init__()
        self._model, self._grid = model, grid
        self._at = QPersistentModelIndex()
        self._typing = object()  # all texts written into one cell are one undo step
        self._chosen = QPersistentModelIndex()
        self.setMaxLength(NO_LIMIT)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.hide()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._stand_on_chosen)
        self.textChanged.connect(self._write)
        for signal in (model.dataChanged, model.rowsInserted, model.rowsRemoved, model.modelReset):
            signal.connect(self.follow)
        grid.selectionModel().currentChanged.connect(self.follow)
        grid.selectionModel().selectionChanged.connect(self._on_selection)
        self.follow()

    def follow(self) -> None:
        """Show the current cell."""
        self.setVisible(QAccessible.isActive() and self.parentWidget() is not None)
        here = self._grid.currentIndex()
        self.setEnabled(here.isValid())
        if self._at != here:
            self._at, self._typing = QPersistentModelIndex(here), object()
        grid, text, issue = self._grid.accessibleName(), "", ""
        name = words.no_row_of(grid)
        if here.isValid():
            column = self._model.columns[here.column()]
            name = words.cell_name(column.title, grid, here.row() + 1)
            text, issue = self._model.text(here.row(), here.column()), self._model.issue(here.row(), column.name)
        self.setAccessibleName(name)
        self.setAccessibleDescription(issue)
        if self.text() != text:
            # This text comes from the model: written back, it would count as typing.
            self.blockSignals(True)
            self.setText(text)
            self.blockSignals(False)

    def _write(self, text: str) -> None:
        if self._at.isValid():
            self._model.type_in(self._at, text, self._typing)

    def _on_selection(self, selected: QItemSelection) -> None:
        """A cell that was selected alone, and is not current afterwards, was chosen through the accessibility tree."""
        found = selected.indexes()
        if len(found) == 1 and QAccessible.isActive():
            self._chosen = QPersistentModelIndex(found[0])
            # Not at once: during a click or a key Qt selects the cell before it makes it the current one.
            self._later.start()

    def _stand_on_chosen(self) -> None:
        if self._chosen.isValid() and self._chosen != self._grid.currentIndex():
            self._grid.stand_on(self._model.index(self._chosen.row(), self._chosen.column()))

"""Rows of a form (freight, barcodes, references) as a grid with buttons, and a line for issues.

Invariants: a cell holds exactly the typed text. An issue tints its cell, and the issue of the current cell is a
sentence below the grid. Every change of rows is one step for Ctrl+Z.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from app.contract.order_rules import RowIssues
from app.desk.text.pasted_cells import write_block
from app.ui.theme.theme import SIZES, Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets import widget_words as words
from app.ui.widgets.buttons import button, icon_button, with_icon
from app.ui.widgets.field import MOST_LETTERS, TOO_MUCH
from app.ui.widgets.grid.cell_editing import CellDelegate, is_block
from app.ui.widgets.grid.grid_model import Explain, RowColumn, RowsModel, Settle, Step
from app.ui.widgets.grid.grid_view import CellLine, RowsGrid
from app.ui.widgets.grid.paste_blocks import paste
from app.ui.widgets.layout import SideBySide, column, holding, row
from app.ui.widgets.text.labels import text_label, visible

__all__ = ["RowColumn", "RowsEditor"]

_SHOWN_ROWS = 8
_NEAR = 0.8  # a counter appears when this share of a limit is used


class RowsEditor(QWidget):
    """A grid with its buttons. `make` returns a new, empty row."""

    changed = Signal()

    def __init__(
        self,
        theme: Theme,
        name: str,
        columns: tuple[RowColumn, ...],
        add_words: str,
        make: Callable[[], Any],
        *,
        settle: Settle | None = None,
        explain: Explain | None = None,
    ) -> None:
        super().__init__()
        self._name, self._make, self._general = name, make, ""
        self._entered: Any = None  # the row that Enter has added, while it is empty
        self.model = RowsModel(theme, columns, self, settle, explain)
        self.grid = RowsGrid(theme, self.model, name)
        self.line = CellLine(self.model, self.grid)
        self._below = text_label("", "error", wrap=True)
        self._below.setMinimumHeight(self._below.fontMetrics().lineSpacing())
        self._length = text_label("", "label")
        self._note = text_label("", "soft", wrap=True)
        self._note.setMinimumWidth(1)  # the note takes the width that the buttons leave, and wraps
        self.add_button = with_icon(button(add_words, self.add_row, kind="quiet", tip="Insert"), theme, "plus")
        self._buttons = self._make_buttons(theme)
        frame = QFrame()
        frame.setObjectName("grid")
        frame.setLayout(column(self.grid, margin=1))
        said = row(self._below, self._length, gap=SPACE_2)
        said.setStretch(0, 1)
        keys = row(*self._buttons.values(), SPACE_3, self._note, gap=SPACE_1)
        keys.setStretch(keys.count() - 1, 1)
        beside = SideBySide(holding(row(self.add_button, None)), holding(keys), growing=1, gap=SPACE_1)
        self.setLayout(column(frame, self.line, said, beside, gap=SPACE_1))
        self._connect()
        self._refresh()

    def _make_buttons(self, theme: Theme) -> dict[str, QPushButton]:
        """Make the buttons for rows. Tab skips them: each has a key, and the focus stays in the grid."""
        plans = {
            "duplicate": ("copy", words.DUPLICATE_ROW, "Ctrl+D", self.duplicate_row),
            "remove": ("trash-2", words.REMOVE_ROW, "Ctrl+Delete", self.remove_row),
            "up": ("arrow-up", words.MOVE_ROW_UP, "Alt+Up", self.move_up),
            "down": ("arrow-down", words.MOVE_ROW_DOWN, "Alt+Down", self.move_down),
            "undo": ("undo-2", words.UNDO_IN, "", self.undo),
            "redo": ("redo-2", words.REDO_IN, "", self.redo),
        }
        made = {}
        for key, (icon, title, keys, act) in plans.items():
            name = title.format(grid=self._name)
            shown = keys or {"undo": "Ctrl+Z", "redo": "Ctrl+Y"}[key]
            made[key] = icon_button(theme, icon, f"{name} ({shown})", act)
            made[key].setAccessibleName(name)
            made[key].setFocusPolicy(Qt.FocusPolicy.NoFocus)
            made[key].setProperty("tight", True)
            if keys:
                self._key(keys, act)
        self._key("Insert", self.insert_row)
        self._key("Ctrl+Tab", partial(self.grid.leave, True))
        self._key("Ctrl+Shift+Tab", partial(self.grid.leave, False))
        return made

    def _key(self, keys: str, act: Callable[[], object]) -> None:
        made = QShortcut(QKeySequence(keys), self.grid)
        made.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        made.activated.connect(act)

    def _connect(self) -> None:
        self.model.edited.connect(self._on_edited)
        self.model.dataChanged.connect(self._say)
        self.grid.selectionModel().currentChanged.connect(self._say)
        self.grid.entered_last.connect(self._on_entered_last)
        self.grid.asked.connect(self._on_asked)
        cells = self.grid.itemDelegate()
        assert isinstance(cells, CellDelegate)
        cells.refused.connect(partial(self._say_done, TOO_MUCH))

    # Rows in and out

    def rows(self) -> list[Any]:
        """The rows. They are replaced and never written into, so the caller may keep them."""
        return list(self.model.rows)

    def load(self, rows: Sequence[Any]) -> None:
        """Replace all rows without counting that as an edit."""
        self.model.load(rows)
        self._note.setText("")
        self._refresh()

    def set_issues(self, issues: Sequence[RowIssues], general: str = "") -> None:
        """Set the issues of each row, and of the rows as a whole."""
        self._general = general
        self.model.set_issues(issues)
        self._say()

    # Actions on rows

    def add_row(self) -> None:
        """Add a row at the end and go there."""
        self._insert(len(self.model.rows))

    def insert_row(self) -> None:
        """Insert a row below the current one and go there."""
        self._insert(self._block()[1])

    def append(self, made: Any) -> None:
        """Add a row at the end, in place of an empty last row. The focus stays."""
        end = len(self.model.rows)
        empty = bool(end) and self.model.rows[-1] == self._make()
        self.model.change(end - empty, int(empty), [made])
        self.grid.scrollToBottom()

    def append_block(self, text: str) -> tuple[int, str]:
        """Paste a block below the last row. The focus stays. Returns the count of rows and a sentence."""
        end = len(self.model.rows)
        found = paste(text, self.model.columns, self.model.rows, end, 0, self._make)
        if found.rows:
            self.model.change(end, 0, found.rows)
            self.grid.scrollToBottom()
        return len(found.rows), found.sentence

    def duplicate_row(self) -> None:
        """Insert a copy of the selected rows below them."""
        first, end = self._block()
        if end > first:
            self.model.change(end, 0, self.model.rows[first:end])
            self.go_to(end, 0)

    def remove_row(self) -> None:
        """Remove the selected rows."""
        first, end = self._block()
        if end > first:
            place = self._place()
            self.model.change(first, end - first, [])
            self.go_to(min(first, len(self.model.rows) - 1), place)
            self._say_done(words.rows_removed(end - first))

    def move_up(self) -> None:
        """Move the selected rows up by one."""
        first, end = self._block()
        if 0 < first < end:
            rows = self.model.rows
            self.model.change(first - 1, end - first + 1, [*rows[first:end], rows[first - 1]])
            self._select_rows(first - 1, end - 1)

    def move_down(self) -> None:
        """Move the selected rows down by one."""
        first, end = self._block()
        rows = self.model.rows
        if first < end < len(rows):
            self.model.change(first, end - first + 1, [rows[end], *rows[first:end]])
            self._select_rows(first + 1, end + 1)

    def undo(self) -> None:
        """Undo the last change of rows."""
        self._show_step(self.model.undo())

    def redo(self) -> None:
        """Redo the change that was undone last."""
        self._show_step(self.model.redo())

    def copy(self) -> None:
        """Copy the selected cells as a table that pastes into a spreadsheet."""
        cells = self._cells()
        if cells:
            QGuiApplication.clipboard().setText(
                write_block([[self.model.text(*each) for each in line] for line in cells])
            )

    def cut(self) -> None:
        """Copy the selected cells and empty them."""
        self.copy()
        self.clear_cells()

    def clear_cells(self) -> None:
        """Empty the selected cells."""
        self._fill_cells("")

    def paste(self) -> None:
        """Paste a block from the current cell on. A single pasted cell fills all selected cells."""
        text = QGuiApplication.clipboard().text()
        cells = self._cells()
        if not is_block(text) and sum(map(len, cells)) > 1 and len(text) <= MOST_LETTERS:
            self._fill_cells(text.rstrip("\r\n"))
            return
        at, place = cells[0][0] if cells else (len(self.model.rows), 0)
        found = paste(text, self.model.columns, self.model.rows, at, place, self._make)
        if found.rows:
            self.model.edit(at, found.rows)
            self.go_to(at, place)
        self._say_done(found.sentence)

    def go_to(self, at: int, place: int) -> None:
        """Move the focus to a cell."""
        self.grid.setFocus()
        self.grid.stand_on(self.model.index(at, place))

    @property
    def shown(self) -> str:
        """The sentence below the grid."""
        return self._below.text()

    @property
    def note(self) -> str:
        """The sentence about the last action."""
        return self._note.text()

    # Selection, undo, and the lines below the grid

    def _insert(self, at: int) -> None:
        self.model.change(at, 0, [self._make()])
        self.go_to(at, 0)

    def _on_entered_last(self) -> None:
        rows = self.model.rows
        if len(rows) > 1 and rows[-1] is self._entered:
            self.model.undo()  # a second Enter: remove the empty row that the first one has added
            self.grid.leave(True)
            return
        self.add_row()
        self._entered = self.model.rows[-1]

    def _on_asked(self, wanted: str) -> None:
        acts: dict[str, Callable[[], None]] = {
            "copy": self.copy, "cut": self.cut, "paste": self.paste,
            "clear": self.clear_cells, "undo": self.undo, "redo": self.redo,
        }  # fmt: skip
        acts[wanted]()

    def _selected(self) -> tuple[int, int, int, int] | None:
        """The selected cells as half-open ranges: first row, end row, first column, end column."""
        chosen = self.grid.selectionModel().selection()
        if chosen.isEmpty():
            here = self.grid.currentIndex()
            return (here.row(), here.row() + 1, here.column(), here.column() + 1) if here.isValid() else None
        parts = [chosen.at(at) for at in range(chosen.size())]
        return (
            min(each.top() for each in parts), max(each.bottom() for each in parts) + 1,
            min(each.left() for each in parts), max(each.right() for each in parts) + 1,
        )  # fmt: skip

    def _block(self) -> tuple[int, int]:
        """The selected rows as a half-open range; an empty range at the end if none is selected."""
        found = self._selected()
        return (len(self.model.rows),) * 2 if found is None else found[:2]

    def _cells(self) -> list[list[tuple[int, int]]]:
        """The selected cells, row by row."""
        found = self._selected()
        if found is None:
            return []
        first, end, left, right = found
        return [[(at, place) for place in range(left, right)] for at in range(first, end)]

    def _fill_cells(self, text: str) -> None:
        cells = self._cells()
        if cells:
            names = [self.model.columns[place].name for _, place in cells[0]]
            rows = [replace(self.model.rows[line[0][0]], **dict.fromkeys(names, text)) for line in cells]
            self.model.edit(cells[0][0][0], rows)

    def _place(self) -> int:
        return max(self.grid.currentIndex().column(), 0)

    def _select_rows(self, first: int, end: int) -> None:
        place = self._place()
        self.go_to(first, place)
        if end - first > 1:
            block = QItemSelection(self.model.index(first, 0), self.model.index(end - 1, len(self.model.columns) - 1))
            self.grid.selectionModel().select(block, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def _show_step(self, step: Step | None) -> None:
        """Scroll to the rows that were undone or redone; the focus stays."""
        if step is not None and self.model.rows:
            at = min(step.at, len(self.model.rows) - 1)
            self.grid.stand_on(self.model.index(at, self._place()))
            self._note.setText("")

    def _on_edited(self) -> None:
        self._note.setText("")
        self._refresh()
        self.changed.emit()

    def _refresh(self) -> None:
        self._fit()
        self._say()
        some = bool(self.model.rows)
        for name in ("duplicate", "remove", "up", "down"):
            self._buttons[name].setEnabled(some)
        self._buttons["undo"].setEnabled(self.model.steps.can_undo)
        self._buttons["redo"].setEnabled(self.model.steps.can_redo)

    def _say_done(self, sentence: str) -> None:
        self._note.setText(visible(sentence))
        self.grid.setAccessibleDescription(visible(sentence))

    def _say(self) -> None:
        here = self.grid.currentIndex()
        own = length = ""
        if here.isValid() and here.row() < len(self.model.rows):
            col = self.model.columns[here.column()]
            own = self.model.issue(here.row(), col.name)
            used = len(self.model.text(here.row(), here.column()).strip())
            length = words.used_of_limit(used, col.limit) if col.limit and used >= col.limit * _NEAR else ""
        more = sum(map(len, self.model.issues)) - (1 if own else 0)
        rest = (words.more_errors_here(more) if own else words.errors_here(more)) if more else ""
        self._length.setText(length)
        self._below.setText(visible(" ".join(part for part in (own, rest, self._general) if part)))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:  # which gives the header its height, and titles their width
            self._fit()
            self.grid.share_width()

    def _fit(self) -> None:
        lines = min(max(len(self.model.rows), 1), _SHOWN_ROWS)
        header = self.grid.horizontalHeader().sizeHint().height()
        self.grid.setFixedHeight(header + lines * SIZES.row_height + SPACE_2 // 2)

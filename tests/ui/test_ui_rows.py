"""A grid of rows by keyboard alone: Tab walks and leaves, Enter goes on to a new row, nothing typed is lost."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from app.ui.theme.theme import Theme
from app.ui.widgets.layout import column
from app.ui.widgets.rows import RowColumn, RowsEditor
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show

COLUMNS = (RowColumn("commodity", "Commodity"), RowColumn("count", "Count", 90, number=True))


class Sheet(QWidget):
    """A grid between two fields."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.before, self.after = QLineEdit(), QLineEdit()
        self.rows = RowsEditor(theme, "Freight lines", COLUMNS, "Add freight line")
        self.setLayout(column(self.before, self.rows, self.after))
        self.told = 0
        self.rows.changed.connect(self._on_changed)

    def _on_changed(self) -> None:
        self.told += 1


@pytest.fixture
def sheet(theme: Theme, show: Show) -> Sheet:
    made = Sheet(theme)
    show(made)
    return made


def cells(sheet: Sheet) -> list[list[str]]:
    return [[row["commodity"], row["count"]] for row in sheet.rows.rows()]


def here(sheet: Sheet) -> tuple[int, int]:
    index = sheet.rows.grid.currentIndex()
    return index.row(), index.column()


def focus() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None
    return found


def type_keys(loop: RunningLoop, keys: str) -> None:
    """Each key goes to whatever has the keyboard when it comes; `\\t` and `\\n` are Tab and Enter."""
    special = {"\t": Qt.Key.Key_Tab, "\n": Qt.Key.Key_Return, "\b": Qt.Key.Key_Backtab, "\x1b": Qt.Key.Key_Escape}
    for each in keys:
        if each in special:
            QTest.keyClick(focus(), special[each])
        else:
            QTest.keyClicks(focus(), each)
        loop.rest(2)


def test_a_scanner_fills_row_after_row(loop: RunningLoop, sheet: Sheet) -> None:
    """Text and Enter, again and again: nothing is scanned over, and after the last row there is a new one."""
    sheet.rows.add_row()
    type_keys(loop, "111\n222\n333\n")
    assert cells(sheet) == [["111", ""], ["222", ""], ["333", ""], ["", ""]]
    assert here(sheet) == (3, 0)


def test_enter_goes_to_the_beginning_of_the_next_row(loop: RunningLoop, sheet: Sheet) -> None:
    sheet.rows.add_row()
    type_keys(loop, "CHAIR\t2\nSOFA\t1\n")
    assert cells(sheet) == [["CHAIR", "2"], ["SOFA", "1"], ["", ""]]
    sheet.rows.go_to(0, 1)
    type_keys(loop, "\n")
    assert here(sheet) == (1, 0)
    assert cells(sheet) == [["CHAIR", "2"], ["SOFA", "1"], ["", ""]]


def test_tab_walks_the_cells_and_leaves_behind_the_last(loop: RunningLoop, sheet: Sheet) -> None:
    sheet.rows.load([{"commodity": "A", "count": "1"}, {"commodity": "B", "count": "2"}])
    sheet.before.setFocus()
    type_keys(loop, "\t")
    assert focus() is sheet.rows.grid
    seen = [here(sheet)]
    for _ in range(3):
        type_keys(loop, "\t")
        seen.append(here(sheet))
    assert seen == [(0, 0), (0, 1), (1, 0), (1, 1)]
    type_keys(loop, "\t")
    assert not sheet.rows.grid.isAncestorOf(focus())
    assert focus() is not sheet.rows.grid
    for _ in range(6):
        if focus() is sheet.after:
            break
        type_keys(loop, "\t")
    assert focus() is sheet.after, "the buttons of the grid stand between"
    assert cells(sheet) == [["A", "1"], ["B", "2"]]


def test_tab_out_of_a_cell_that_is_typed_takes_it_along(loop: RunningLoop, sheet: Sheet) -> None:
    sheet.rows.load([{"commodity": "A", "count": "1"}])
    sheet.rows.go_to(0, 0)
    type_keys(loop, "CHAIR\t7\t")
    assert cells(sheet) == [["CHAIR", "7"]]
    assert not sheet.rows.grid.isAncestorOf(focus())


def test_back_tab_leaves_before_the_first(loop: RunningLoop, sheet: Sheet) -> None:
    sheet.rows.load([{"commodity": "A", "count": "1"}])
    sheet.rows.go_to(0, 1)
    type_keys(loop, "\b")
    assert here(sheet) == (0, 0)
    type_keys(loop, "\b")
    assert focus() is sheet.before


def test_an_empty_grid_catches_nobody(loop: RunningLoop, sheet: Sheet) -> None:
    sheet.before.setFocus()
    for _ in range(6):
        type_keys(loop, "\t")
        if focus() is sheet.after:
            break
    assert focus() is sheet.after


def test_escape_gives_back_what_stood_there(loop: RunningLoop, sheet: Sheet) -> None:
    sheet.rows.load([{"commodity": "A", "count": "1"}])
    sheet.rows.go_to(0, 0)
    type_keys(loop, "XYZ")
    assert cells(sheet) == [["XYZ", "1"]]
    type_keys(loop, "\x1b")
    assert cells(sheet) == [["A", "1"]]


def test_rows_are_added_duplicated_and_removed(loop: RunningLoop, sheet: Sheet) -> None:
    rows = sheet.rows
    rows.add_button.click()
    assert (cells(sheet), here(sheet)) == ([["", ""]], (0, 0))
    type_keys(loop, "CHAIR\t4")
    rows.copy_button.click()
    assert (cells(sheet), here(sheet)) == ([["CHAIR", "4"], ["CHAIR", "4"]], (1, 0))
    type_keys(loop, "SOFA\t")
    assert cells(sheet) == [["CHAIR", "4"], ["SOFA", "4"]], "a copy is a row of its own"
    rows.go_to(0, 0)
    rows.remove_button.click()
    assert (cells(sheet), here(sheet)) == ([["SOFA", "4"]], (0, 0))
    rows.remove_button.click()
    rows.remove_button.click()
    rows.copy_button.click()
    assert cells(sheet) == []


def test_issues_are_said_for_the_cell_one_stands_on_and_counted(sheet: Sheet) -> None:
    sheet.rows.load([{"commodity": "", "count": "0"}, {"commodity": "", "count": "1"}])
    sheet.rows.set_issues(
        {(0, "commodity"): "Required.", (0, "count"): "Must be greater than 0.", (1, "commodity"): "Required."}
    )
    sheet.rows.go_to(0, 1)
    assert sheet.rows.shown == "Must be greater than 0. 2 more to mend in this list."
    sheet.rows.go_to(1, 1)
    assert sheet.rows.shown == "3 to mend in this list."
    model = sheet.rows.model
    assert model.index(0, 0).data() == "!"
    assert "Required." in model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    sheet.rows.set_issues({})
    assert sheet.rows.shown == ""
    assert model.index(0, 0).data() == ""


def test_every_change_is_told_and_loading_is_none(loop: RunningLoop, sheet: Sheet) -> None:
    sheet.rows.load([{"commodity": "A", "count": "1"}])
    assert sheet.told == 0
    sheet.rows.go_to(0, 0)
    type_keys(loop, "BC")
    assert sheet.told == 2
    sheet.rows.add_row()
    sheet.rows.remove_row()
    assert sheet.told == 4


def test_the_rows_given_are_not_the_rows_held(sheet: Sheet) -> None:
    given = [{"commodity": "A", "count": "1"}]
    sheet.rows.load(given)
    sheet.rows.rows()[0]["commodity"] = "changed"
    given[0]["commodity"] = "changed"
    assert cells(sheet) == [["A", "1"]]

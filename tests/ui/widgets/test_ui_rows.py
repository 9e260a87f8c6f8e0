"""A grid of rows by keyboard alone: Tab walks and leaves, Enter goes on to a new row, nothing typed is lost."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QWidget

from app.contract.draft import FreightDraft
from app.contract.order_rules import Issue
from app.ui.theme.theme import Theme
from app.ui.widgets.grid.grid import RowColumn, RowsEditor
from app.ui.widgets.layout import column
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show

COLUMNS = (
    RowColumn("commodity", "Commodity", limit=10, called=("SKU",)),
    RowColumn("count", "Count", 90, number=True, called=("Qty",)),
)
CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


class Sheet(QWidget):
    """A grid between two fields."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.before, self.after = QLineEdit(), QLineEdit()
        self.rows = RowsEditor(theme, "Freight lines", COLUMNS, "Add freight line", FreightDraft)
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


@pytest.fixture(autouse=True)
def clipboard() -> Iterator[None]:
    yield
    QApplication.clipboard().clear()


def cells(sheet: Sheet) -> list[list[str]]:
    return [[row.commodity, row.count] for row in sheet.rows.rows()]


def load(sheet: Sheet, *rows: tuple[str, str]) -> None:
    sheet.rows.load([FreightDraft(*each) for each in rows])


def press(loop: RunningLoop, key: Qt.Key, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(focus(), key, keys)
    loop.rest(2)


def paste(loop: RunningLoop, sheet: Sheet, text: str, at: tuple[int, int] = (0, 0)) -> None:
    """As with Ctrl+V on a cell."""
    QApplication.clipboard().setText(text)
    sheet.rows.go_to(*at)
    press(loop, Qt.Key.Key_V, CTRL)


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
    load(sheet, ("A", "1"), ("B", "2"))
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
    load(sheet, ("A", "1"))
    sheet.rows.go_to(0, 0)
    type_keys(loop, "CHAIR\t7\t")
    assert cells(sheet) == [["CHAIR", "7"]]
    assert not sheet.rows.grid.isAncestorOf(focus())


def test_back_tab_leaves_before_the_first(loop: RunningLoop, sheet: Sheet) -> None:
    load(sheet, ("A", "1"))
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


def test_typing_into_an_empty_grid_begins_its_first_row(loop: RunningLoop, sheet: Sheet) -> None:
    sheet.rows.grid.setFocus()
    picture = sheet.rows.grid.grab().toImage()
    sheet.before.setFocus()
    assert picture != sheet.rows.grid.grab().toImage(), "the keyboard is seen there"
    sheet.rows.grid.setFocus()
    type_keys(loop, "SOFA\t2\t")
    assert cells(sheet) == [["SOFA", "2"]]
    sheet.rows.undo()
    sheet.rows.undo()
    sheet.rows.undo()
    assert cells(sheet) == []


def test_a_long_sentence_never_widens_the_grid(loop: RunningLoop, sheet: Sheet) -> None:
    least = sheet.rows.minimumSizeHint().width()
    paste(loop, sheet, "\t".join("abcdef") + "\n" + "\t".join("ghijkl"))
    assert sheet.rows.note.startswith("Nothing was pasted")
    assert sheet.rows.minimumSizeHint().width() == least


def test_escape_restores_the_former_text(loop: RunningLoop, sheet: Sheet) -> None:
    load(sheet, ("A", "1"))
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
    rows._buttons["duplicate"].click()
    assert (cells(sheet), here(sheet)) == ([["CHAIR", "4"], ["CHAIR", "4"]], (1, 0))
    type_keys(loop, "SOFA\t")
    assert cells(sheet) == [["CHAIR", "4"], ["SOFA", "4"]], "a copy is a row of its own"
    rows.go_to(0, 0)
    rows._buttons["remove"].click()
    assert (cells(sheet), here(sheet)) == ([["SOFA", "4"]], (0, 0))
    rows._buttons["remove"].click()
    assert cells(sheet) == []
    assert not rows._buttons["remove"].isEnabled()
    rows.duplicate_row()
    rows.remove_row()
    assert cells(sheet) == []


REQUIRED, ZERO = Issue("commodity", "Required."), Issue("count", "Must be greater than 0.")


def test_the_issue_of_the_current_cell_shows_and_the_others_are_counted(sheet: Sheet) -> None:
    load(sheet, ("", "0"), ("", "1"))
    sheet.rows.set_issues([(REQUIRED, ZERO), (REQUIRED,)])
    sheet.rows.go_to(0, 1)
    assert sheet.rows.shown == "Must be greater than 0. 2 more errors here."
    sheet.rows.go_to(1, 1)
    assert sheet.rows.shown == "3 errors here."
    model = sheet.rows.model
    assert (model.index(0, 0).data(), model.index(0, 1).data()) == ("! Required.", "! 0")
    assert model.index(0, 1).data(Qt.ItemDataRole.BackgroundRole) is not None
    assert "greater than 0" in model.index(0, 1).data(Qt.ItemDataRole.ToolTipRole)
    assert "Required." in model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    sheet.rows.set_issues([(), ()])
    assert sheet.rows.shown == ""
    assert model.index(0, 0).data() == ""
    assert model.index(0, 1).data(Qt.ItemDataRole.BackgroundRole) is None


def test_issues_stay_with_their_rows_until_the_next_check(sheet: Sheet) -> None:
    load(sheet, ("", "1"), ("B", "1"))
    sheet.rows.set_issues([(REQUIRED,), ()])
    sheet.rows.go_to(0, 0)
    sheet.rows.remove_row()
    assert sheet.rows.shown == ""
    sheet.rows.undo()
    sheet.rows.set_issues([(REQUIRED,), ()])
    sheet.rows.add_row()
    assert sheet.rows.model.issue(0, "commodity") == "Required."
    assert sheet.rows.model.issue(2, "commodity") == ""


def test_a_counter_stands_near_a_cell_s_limit_and_nothing_is_cut(loop: RunningLoop, sheet: Sheet) -> None:
    load(sheet, ("", "1"))
    sheet.rows.go_to(0, 0)
    type_keys(loop, "1234567")
    assert sheet.rows._length.text() == ""
    type_keys(loop, "8901")
    assert sheet.rows._length.text() == "11 of 10"
    assert cells(sheet) == [["12345678901", "1"]]


def test_every_change_is_signalled_and_loading_is_none(loop: RunningLoop, sheet: Sheet) -> None:
    load(sheet, ("A", "1"))
    assert sheet.told == 0
    sheet.rows.go_to(0, 0)
    type_keys(loop, "BC")
    assert sheet.told == 2
    sheet.rows.add_row()
    sheet.rows.remove_row()
    assert sheet.told == 4


def test_the_rows_given_are_not_the_rows_held(sheet: Sheet) -> None:
    given = [FreightDraft("A", "1")]
    sheet.rows.load(given)
    given[0].commodity = "changed"
    sheet.rows.rows().clear()
    assert cells(sheet) == [["A", "1"]]


def test_rows_are_replaced_and_never_written_into(loop: RunningLoop, sheet: Sheet) -> None:
    """What is being kept or sent meanwhile stays as it was handed over."""
    load(sheet, ("A", "1"), ("B", "2"))
    before = sheet.rows.rows()
    sheet.rows.go_to(0, 0)
    type_keys(loop, "X\t")
    assert [each.commodity for each in before] == ["A", "B"]
    assert sheet.rows.rows()[1] is before[1]


# Enter and the arrows


def test_enter_on_a_row_that_enter_has_made_leaves_the_grid_and_takes_it_along(loop: RunningLoop, sheet: Sheet) -> None:
    sheet.rows.add_row()
    type_keys(loop, "A\t1\n")
    assert cells(sheet) == [["A", "1"], ["", ""]]
    type_keys(loop, "\n")
    assert cells(sheet) == [["A", "1"]]
    assert focus() is sheet.rows.add_button


def test_enter_never_takes_away_a_row_that_something_was_put_into(loop: RunningLoop, sheet: Sheet) -> None:
    sheet.rows.add_row()
    type_keys(loop, "A\nB\n\n")
    assert cells(sheet) == [["A", ""], ["B", ""]]
    load(sheet, ("", ""))
    sheet.rows.go_to(0, 0)
    type_keys(loop, "\n")
    assert cells(sheet) == [["", ""], ["", ""]], "the only row is not Enter's"


def test_arrows_walk_the_cells_and_leave_past_the_edges(loop: RunningLoop, sheet: Sheet) -> None:
    load(sheet, ("A", "1"), ("B", "2"))
    sheet.rows.go_to(0, 0)
    for key, place in ((Qt.Key.Key_Right, (0, 1)), (Qt.Key.Key_Down, (1, 1)), (Qt.Key.Key_Left, (1, 0))):
        press(loop, key)
        assert here(sheet) == place
    press(loop, Qt.Key.Key_Down)
    assert focus() is sheet.rows.add_button
    sheet.rows.go_to(0, 0)
    press(loop, Qt.Key.Key_Up)
    assert focus() is sheet.before


def test_an_arrow_that_is_held_down_stops_at_the_edge(loop: RunningLoop, sheet: Sheet) -> None:
    load(sheet, ("A", "1"))
    sheet.rows.go_to(0, 0)
    held = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Down, Qt.KeyboardModifier.NoModifier, "", True)
    QApplication.sendEvent(sheet.rows.grid, held)
    loop.rest(2)
    assert focus() is sheet.rows.grid


def test_an_arrow_in_an_open_cell_goes_up_or_down_and_keeps_what_was_typed(loop: RunningLoop, sheet: Sheet) -> None:
    load(sheet, ("A", "1"), ("B", "2"))
    sheet.rows.go_to(0, 0)
    type_keys(loop, "XY")
    press(loop, Qt.Key.Key_Down)
    assert (cells(sheet), here(sheet)) == ([["XY", "1"], ["B", "2"]], (1, 0))
    type_keys(loop, "Z")
    press(loop, Qt.Key.Key_Up)
    assert (cells(sheet), here(sheet)) == ([["XY", "1"], ["Z", "2"]], (0, 0))


# Rows by key


def test_rows_are_inserted_duplicated_moved_and_removed_by_key(loop: RunningLoop, sheet: Sheet) -> None:
    load(sheet, ("A", "1"), ("B", "2"), ("C", "3"))
    sheet.rows.go_to(0, 0)
    press(loop, Qt.Key.Key_D, CTRL)
    assert (cells(sheet), here(sheet)) == ([["A", "1"], ["A", "1"], ["B", "2"], ["C", "3"]], (1, 0))
    press(loop, Qt.Key.Key_Down, ALT)
    assert (cells(sheet), here(sheet)) == ([["A", "1"], ["B", "2"], ["A", "1"], ["C", "3"]], (2, 0))
    press(loop, Qt.Key.Key_Up, ALT)
    press(loop, Qt.Key.Key_Up, ALT)
    press(loop, Qt.Key.Key_Up, ALT)
    assert here(sheet) == (0, 0)
    press(loop, Qt.Key.Key_Delete, CTRL)
    assert (cells(sheet), here(sheet)) == ([["A", "1"], ["B", "2"], ["C", "3"]], (0, 0))
    assert sheet.rows.note == "1 row removed. Ctrl+Z undoes that."
    press(loop, Qt.Key.Key_Insert)
    assert (cells(sheet), here(sheet)) == ([["A", "1"], ["", ""], ["B", "2"], ["C", "3"]], (1, 0))
    sheet.rows.go_to(3, 0)
    press(loop, Qt.Key.Key_Down, ALT)
    assert here(sheet) == (3, 0), "the last stays the last"


def test_a_row_can_be_duplicated_while_its_cell_is_typed(loop: RunningLoop, sheet: Sheet) -> None:
    load(sheet, ("A", "1"))
    sheet.rows.go_to(0, 0)
    type_keys(loop, "XY")
    press(loop, Qt.Key.Key_D, CTRL)
    assert cells(sheet) == [["XY", "1"], ["XY", "1"]]


def test_several_rows_at_once(loop: RunningLoop, sheet: Sheet) -> None:
    load(sheet, ("A", "1"), ("B", "2"), ("C", "3"))
    sheet.rows.go_to(0, 0)
    press(loop, Qt.Key.Key_Down, SHIFT)
    press(loop, Qt.Key.Key_Down, ALT)
    assert cells(sheet) == [["C", "3"], ["A", "1"], ["B", "2"]]
    press(loop, Qt.Key.Key_D, CTRL)
    assert cells(sheet) == [["C", "3"], ["A", "1"], ["B", "2"], ["A", "1"], ["B", "2"]]
    sheet.rows.go_to(0, 0)
    press(loop, Qt.Key.Key_A, CTRL)
    press(loop, Qt.Key.Key_Delete, CTRL)
    assert (cells(sheet), sheet.rows.note) == ([], "5 rows removed. Ctrl+Z undoes that.")
    sheet.rows.undo()
    assert len(cells(sheet)) == 5


# Back and forth


def test_every_change_of_rows_is_one_step_back_and_forth(loop: RunningLoop, sheet: Sheet) -> None:
    load(sheet, ("A", "1"), ("B", "2"))
    seen = [cells(sheet)]
    sheet.rows.go_to(0, 0)
    type_keys(loop, "WXYZ\n")
    seen.append(cells(sheet))
    for key, keys in ((Qt.Key.Key_D, CTRL), (Qt.Key.Key_Insert, Qt.KeyboardModifier.NoModifier), (Qt.Key.Key_Up, ALT)):
        press(loop, key, keys)
        seen.append(cells(sheet))
    paste(loop, sheet, "P\t1\nQ\t2\n", (1, 0))
    seen.append(cells(sheet))
    press(loop, Qt.Key.Key_Delete)
    seen.append(cells(sheet))
    press(loop, Qt.Key.Key_Delete, CTRL)
    seen.append(cells(sheet))
    for wanted in reversed(seen[:-1]):
        press(loop, Qt.Key.Key_Z, CTRL)
        assert cells(sheet) == wanted
    press(loop, Qt.Key.Key_Z, CTRL)
    assert cells(sheet) == seen[0]
    for number, wanted in enumerate(seen[1:]):
        press(loop, *((Qt.Key.Key_Y, CTRL) if number % 2 else (Qt.Key.Key_Z, CTRL | SHIFT)))
        assert cells(sheet) == wanted
    press(loop, Qt.Key.Key_Y, CTRL)
    assert cells(sheet) == seen[-1]


def test_a_new_change_ends_redo(loop: RunningLoop, sheet: Sheet) -> None:
    load(sheet, ("A", "1"))
    sheet.rows.go_to(0, 0)
    press(loop, Qt.Key.Key_D, CTRL)
    press(loop, Qt.Key.Key_Z, CTRL)
    assert sheet.rows._buttons["redo"].isEnabled()
    type_keys(loop, "B")
    assert not sheet.rows._buttons["redo"].isEnabled()
    sheet.rows.redo()
    assert cells(sheet) == [["B", "1"]]


def test_a_cell_given_back_by_escape_is_no_step(loop: RunningLoop, sheet: Sheet) -> None:
    load(sheet, ("A", "1"))
    sheet.rows.go_to(0, 0)
    type_keys(loop, "XYZ\x1b")
    assert not sheet.rows._buttons["undo"].isEnabled()


def test_another_draft_has_nothing_to_undo(loop: RunningLoop, sheet: Sheet) -> None:
    load(sheet, ("A", "1"))
    sheet.rows.go_to(0, 0)
    type_keys(loop, "X\t")
    load(sheet, ("B", "2"))
    sheet.rows.undo()
    assert cells(sheet) == [["B", "2"]]


# Blocks of cells


@pytest.mark.parametrize(
    ("text", "at", "wanted"),
    [
        ("X\t9", (0, 0), [["X", "9"], ["B", "2"]]),
        ("X\t9\r\nY\t8\r\nZ\t7\r\n", (1, 0), [["A", "1"], ["X", "9"], ["Y", "8"], ["Z", "7"]]),
        ("8\n9", (0, 1), [["A", "8"], ["B", "9"]]),
        ("qty\tsku\n9\tX\n", (0, 1), [["X", "9"], ["B", "2"]]),
        ("X\t\t\t\n", (0, 0), [["X", ""], ["B", "2"]]),
        ('"two\nlines"\t1', (0, 0), [["two\nlines", "1"], ["B", "2"]]),
        ("x" * 300, (0, 0), [["x" * 300, "1"], ["B", "2"]]),
    ],
)
def test_a_block_is_pasted_from_the_current_cell_on(
    loop: RunningLoop, sheet: Sheet, text: str, at: tuple[int, int], wanted: list[list[str]]
) -> None:
    load(sheet, ("A", "1"), ("B", "2"))
    paste(loop, sheet, text, at)
    assert cells(sheet) == wanted
    assert here(sheet) == at


def test_a_block_that_does_not_fit_is_not_pasted_at_all(loop: RunningLoop, sheet: Sheet) -> None:
    load(sheet, ("A", "1"))
    paste(loop, sheet, "X\tY\n", (0, 1))
    assert cells(sheet) == [["A", "1"]]
    assert sheet.rows.note == "Nothing was pasted: the block is 2 columns wide, and 1 fits from this cell on."


def test_a_column_without_a_place_is_named(loop: RunningLoop, sheet: Sheet) -> None:
    load(sheet, ("", ""))
    paste(loop, sheet, "SKU\tColour\tQty\nX\tred\t3\textra\n")
    assert cells(sheet) == [["X", "3"]]
    wanted = "1 row pasted. Ctrl+Z undoes that. Left out, as no column has this name: Colour, without a title."
    assert sheet.rows.note == wanted


def test_pasting_into_an_empty_grid_makes_its_rows(loop: RunningLoop, sheet: Sheet) -> None:
    load(sheet)
    QApplication.clipboard().setText("X\t1\nY\t2\n")
    sheet.rows.grid.setFocus()
    press(loop, Qt.Key.Key_V, CTRL)
    assert cells(sheet) == [["X", "1"], ["Y", "2"]]


def test_a_block_pasted_into_an_open_cell_is_a_block(loop: RunningLoop, sheet: Sheet) -> None:
    load(sheet, ("A", "1"))
    sheet.rows.go_to(0, 0)
    type_keys(loop, "typed")
    QApplication.clipboard().setText("X\nY\nZ\n")
    press(loop, Qt.Key.Key_V, CTRL)
    assert cells(sheet) == [["X", "1"], ["Y", ""], ["Z", ""]]


def test_one_text_pasted_into_an_open_cell_is_typed_there(loop: RunningLoop, sheet: Sheet) -> None:
    load(sheet, ("A", "1"))
    sheet.rows.go_to(0, 0)
    type_keys(loop, "X")
    QApplication.clipboard().setText("YZ")
    press(loop, Qt.Key.Key_V, CTRL)
    assert cells(sheet) == [["XYZ", "1"]]


def test_one_cell_fills_all_that_are_selected(loop: RunningLoop, sheet: Sheet) -> None:
    load(sheet, ("A", "1"), ("B", "2"), ("C", "3"))
    sheet.rows.go_to(0, 1)
    press(loop, Qt.Key.Key_Down, SHIFT)
    QApplication.clipboard().setText("7")
    press(loop, Qt.Key.Key_V, CTRL)
    assert cells(sheet) == [["A", "7"], ["B", "7"], ["C", "3"]]
    press(loop, Qt.Key.Key_Backspace)
    assert cells(sheet) == [["A", ""], ["B", ""], ["C", "3"]]


def test_nothing_to_paste_is_said(loop: RunningLoop, sheet: Sheet) -> None:
    load(sheet, ("A", "1"))
    paste(loop, sheet, "\n\n")
    assert (cells(sheet), sheet.rows.note) == ([["A", "1"]], "There is nothing to paste.")


def test_copied_cells_paste_unchanged(loop: RunningLoop, sheet: Sheet) -> None:
    load(sheet, ("A", "1"), ('say "hi"\tto', "2"), ("C", "3"))
    sheet.rows.go_to(0, 0)
    press(loop, Qt.Key.Key_Right, SHIFT)
    press(loop, Qt.Key.Key_Down, SHIFT)
    press(loop, Qt.Key.Key_C, CTRL)
    assert QApplication.clipboard().text() == 'A\t1\n"say ""hi""\tto"\t2'
    sheet.rows.go_to(2, 0)
    press(loop, Qt.Key.Key_V, CTRL)
    assert cells(sheet) == [["A", "1"], ['say "hi"\tto', "2"], ["A", "1"], ['say "hi"\tto', "2"]]
    press(loop, Qt.Key.Key_X, CTRL)
    assert QApplication.clipboard().text() == "A"
    assert cells(sheet)[2] == ["", "1"]


def test_every_control_of_the_grid_has_a_name_and_shows_its_key(sheet: Sheet) -> None:
    buttons = sheet.rows.findChildren(QPushButton)
    assert len({each.accessibleName() for each in buttons}) == len(buttons) == 7
    said = " ".join(each.accessibleDescription() for each in buttons)
    for key in ("Ctrl+D", "Ctrl+Delete", "Alt+Up", "Alt+Down", "Ctrl+Z", "Ctrl+Y", "Insert"):
        assert key in said
    assert sheet.rows.grid.accessibleName() == "Freight lines"


def test_a_long_grid_is_left_at_once(loop: RunningLoop, sheet: Sheet) -> None:
    load(sheet, *[(f"A{number}", "1") for number in range(50)])
    sheet.rows.go_to(20, 1)
    press(loop, Qt.Key.Key_Tab, CTRL)
    assert focus() is sheet.rows.add_button
    sheet.rows.go_to(20, 0)
    type_keys(loop, "typed")
    press(loop, Qt.Key.Key_Backtab, CTRL | SHIFT)
    assert focus() is sheet.before
    assert cells(sheet)[20] == ["typed", "1"]


def test_a_long_code_with_an_issue_is_elided_and_not_sent_to_a_second_line(sheet: Sheet) -> None:
    load(sheet, ("A-CODE-THAT-GOES-ON-AND-ON", "1"))
    assert not sheet.rows.grid.wordWrap()


def test_a_second_click_opens_no_editor_later_in_another_cell(loop: RunningLoop, sheet: Sheet) -> None:
    """Qt would open it after the time of a double click, wherever the current cell is by then, and complain of none."""
    load(sheet, ("SOFA", "1"), ("CHAIR", "2"))
    grid, waited = sheet.rows.grid, QApplication.doubleClickInterval()
    QApplication.setDoubleClickInterval(1)
    try:
        sheet.rows.go_to(0, 0)
        for _ in range(2):
            at = grid.visualRect(grid.model().index(0, 0)).center()
            QTest.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
            loop.rest()
        assert not grid.viewport().findChildren(QLineEdit)
        QTest.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
        load(sheet)
        loop.rest()
    finally:
        QApplication.setDoubleClickInterval(waited)


def test_enter_with_another_key_closes_the_cell_before_other_rows_come(loop: RunningLoop, sheet: Sheet) -> None:
    """Qt would close it a turn later, and complain of an editor whose rows have gone."""
    load(sheet, ("SOFA", "1"))
    sheet.rows.go_to(0, 1)
    type_keys(loop, "7")
    QTest.keyClick(focus(), Qt.Key.Key_Return, SHIFT)
    assert cells(sheet)[0] == ["SOFA", "7"]
    load(sheet, ("CHAIR", "2"))
    loop.rest()
    assert cells(sheet) == [["CHAIR", "2"]]

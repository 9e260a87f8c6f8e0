"""A grid of the form keeps every key, however fast they come and whatever happens beside them."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.contract.draft import FreightDraft
from app.contract.order_rules import Issue
from app.ui.theme.theme import Theme
from app.ui.widgets.grid.grid import RowColumn, RowsEditor

COLUMNS = (RowColumn("commodity", "Commodity"), RowColumn("count", "Count", 90, number=True))


@pytest.fixture
def rows(qtbot: QtBot, theme: Theme) -> RowsEditor:
    """A grid of two rows, shown and with the keyboard in its first cell."""
    made = RowsEditor(theme, "Freight lines", COLUMNS, "Add", FreightDraft)
    theme.dress(made)
    qtbot.addWidget(made)
    made.load([FreightDraft("SOFA"), FreightDraft()])
    with qtbot.waitExposed(made):
        made.show()
    made.activateWindow()
    made.go_to(0, 0)
    qtbot.waitUntil(made.grid.hasFocus)
    return made


def editor(rows: RowsEditor) -> QLineEdit:
    """The cell that is being edited."""
    found = [each for each in rows.grid.viewport().findChildren(QLineEdit) if each.hasFocus()]
    assert len(found) == 1
    return found[0]


def type_text(qtbot: QtBot, rows: RowsEditor, text: str) -> None:
    """As a person types: the first key opens the cell, the others go where the keyboard is then."""
    QTest.keyClicks(rows.grid, text[0])
    qtbot.waitUntil(lambda: any(each.hasFocus() for each in rows.grid.viewport().findChildren(QLineEdit)))
    QTest.keyClicks(editor(rows), text[1:])


def test_a_cell_is_in_the_draft_at_every_key(qtbot: QtBot, rows: RowsEditor) -> None:
    seen: list[str] = []
    rows.changed.connect(lambda: seen.append(rows.rows()[0].commodity))
    type_text(qtbot, rows, "CHAIR")
    assert seen[-5:] == ["C", "CH", "CHA", "CHAI", "CHAIR"]


def test_issues_that_change_while_a_cell_is_typed_take_no_key_back(qtbot: QtBot, rows: RowsEditor) -> None:
    type_text(qtbot, rows, "CH")
    typing = editor(rows)
    typing.setCursorPosition(1)
    rows.set_issues([(Issue("count", "Required."),), (Issue("commodity", "Required."),)])
    assert (typing.text(), typing.cursorPosition()) == ("CH", 1)
    QTest.keyClicks(typing, "X")
    assert rows.rows()[0].commodity == "CXH"


def test_tab_from_cell_to_cell_keeps_what_was_typed_in_each(qtbot: QtBot, rows: RowsEditor) -> None:
    type_text(qtbot, rows, "CHAIR")
    QTest.keyClick(editor(rows), Qt.Key.Key_Tab)
    QTest.keyClicks(editor(rows), "2")
    rows.set_issues([(Issue("commodity", "Unknown."),), ()])
    QTest.keyClick(editor(rows), Qt.Key.Key_Tab)
    assert rows.rows()[0] == FreightDraft("CHAIR", "2")


def test_escape_gives_a_cell_its_former_text(qtbot: QtBot, rows: RowsEditor) -> None:
    type_text(qtbot, rows, "CH")
    QTest.keyClick(editor(rows), Qt.Key.Key_Escape)
    assert rows.rows()[0].commodity == "SOFA"


def test_an_open_cell_tells_its_place_to_a_screen_reader(qtbot: QtBot, rows: RowsEditor) -> None:
    QTest.keyClicks(rows.grid, "C")
    assert editor(rows).accessibleName() == "Commodity, row 1"


def test_a_screen_reader_sets_the_text_of_an_open_cell_as_a_whole(qtbot: QtBot, rows: RowsEditor) -> None:
    type_text(qtbot, rows, "CH")
    editor(rows).setText("BENCH")
    assert rows.rows()[0].commodity == "BENCH"

"""How the rows of the orders table look: grounds, marks, and texts that stay within their columns."""

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.ui.orders.table.arrangement import Placed
from app.ui.orders.table.orders_model import OrdersModel
from app.ui.orders.table.orders_table import OrdersTable
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import EDGE_PX, ROW_HEIGHT, SPACE_2
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.orders.test_ui_orders_model import line, writes

_COLUMNS = (Placed("number", 80), Placed("remarks", 120), Placed("crn", 90), Placed("delivery_type", 60))
_REMARKS = 1
KEYS = {
    "CTRL": Qt.KeyboardModifier.ControlModifier,
    "SHIFT": Qt.KeyboardModifier.ShiftModifier,
    "ALT": Qt.KeyboardModifier.AltModifier,
}


@pytest.fixture
def table(loop: RunningLoop, theme: Theme, show: Show) -> OrdersTable:
    made = OrdersTable(theme, OrdersModel(()))
    show(made)
    rows = [line(1), line(2, changed="state"), line(3, remarks="W" * 200), line(4), line(5, remarks="a\nb")]
    made.show_rows(_COLUMNS, len(rows), {0: rows})
    loop.rest()
    return made


def picture(table: OrdersTable) -> QImage:
    return table.viewport().grab().toImage()


def ground(table: OrdersTable, row: int) -> str:
    """The colour of a row where no text stands."""
    return str(picture(table).pixelColor(table.viewport().width() - 2, row * ROW_HEIGHT + 4).name())


def inked(table: OrdersTable, box: QRect) -> bool:
    """Whether anything but the row's ground is to be seen there."""
    part = picture(table).copy(box)
    colours = {part.pixelColor(x, y).name() for x in range(part.width()) for y in range(part.height())}
    return len(colours) > 1


def cell(table: OrdersTable, row: int, column: int) -> QRect:
    """A cell without the hairline below it."""
    return table.visualRect(table.orders.index(row, column)).adjusted(0, 1, 0, -2)


def test_a_selected_row_has_a_ground_and_an_edge_of_its_own(table: OrdersTable, theme: Theme) -> None:
    assert ground(table, 3) == theme.colour("surface").name()
    table.selectRow(3)
    assert ground(table, 3) == theme.colour("selection").name()
    assert picture(table).pixelColor(0, 3 * ROW_HEIGHT + 5) == QColor(theme.colour("accent"))
    assert ground(table, 2) == theme.colour("surface").name()


@pytest.mark.parametrize("held", ["CTRL", "SHIFT", "ALT"])
def test_no_key_of_the_test_before_is_held_when_the_next_begins(
    request: pytest.FixtureRequest, qapp: QApplication, held: str
) -> None:
    before = QWidget()
    QTest.keyClick(before, Qt.Key.Key_A, KEYS[held])
    before.deleteLater()
    assert qapp.keyboardModifiers() == KEYS[held], "QTest leaves it so"
    table: OrdersTable = request.getfixturevalue("table")
    table.selectRow(3)
    assert table.spans() == [(3, 3)]


def test_a_changed_order_has_a_dot_before_its_first_column(table: OrdersTable) -> None:
    before = QRect(EDGE_PX, 0, SPACE_2, ROW_HEIGHT - 2)
    assert not inked(table, before)
    assert inked(table, before.translated(0, ROW_HEIGHT))


def test_rows_of_the_outbox_stand_on_a_ground_of_their_own(loop: RunningLoop, table: OrdersTable, theme: Theme) -> None:
    table.put_outbox_rows(writes(1))
    loop.rest()
    assert ground(table, 0) == theme.colour("raised").name()
    assert ground(table, 1) == theme.colour("surface").name()


def test_a_text_never_reaches_beyond_its_column(loop: RunningLoop, table: OrdersTable) -> None:
    box = cell(table, 2, _REMARKS)
    assert inked(table, box)
    assert not inked(table, QRect(box.right() - SPACE_2 + 2, box.top(), SPACE_2, box.height()))
    table.show_columns((_COLUMNS[0], Placed("remarks", 24), *_COLUMNS[2:3], Placed("consignee_name", 200)))
    loop.rest()
    box = cell(table, 2, _REMARKS)
    assert not inked(table, QRect(box.right() - SPACE_2 + 2, box.top(), SPACE_2, box.height()))


def test_a_text_of_several_lines_stands_on_one(table: OrdersTable) -> None:
    assert inked(table, cell(table, 4, _REMARKS))
    assert not inked(table, cell(table, 3, _REMARKS))


def test_a_column_that_is_moved_takes_its_texts_along(loop: RunningLoop, table: OrdersTable) -> None:
    table.horizontalHeader().moveSection(_REMARKS, 0)
    loop.rest()
    assert inked(table, cell(table, 2, _REMARKS))
    assert table.visualRect(table.orders.index(2, _REMARKS)).left() == 0
    assert not inked(table, cell(table, 3, _REMARKS))


def test_only_the_dirty_rows_are_painted_and_scrolling_shows_the_rest(loop: RunningLoop, table: OrdersTable) -> None:
    table.resize(200, 300)
    loop.rest()
    bar = table.horizontalScrollBar()
    bar.setValue(bar.maximum())
    loop.rest()
    assert inked(table, cell(table, 0, 2).intersected(table.viewport().rect()))
    whole = picture(table)
    table.viewport().repaint(cell(table, 0, 2))
    assert picture(table) == whole

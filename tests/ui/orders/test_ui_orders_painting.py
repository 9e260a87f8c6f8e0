"""How the rows of the orders table look: grounds, marks, and texts that stay within their columns."""

import pytest
from PySide6.QtCore import QEvent, QObject, QRect, Qt
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


def colours_below(table: OrdersTable, row: int) -> set[str]:
    """All colours of the area below a row."""
    shown = picture(table)
    places = range((row + 1) * ROW_HEIGHT, table.viewport().height())
    return {shown.pixelColor(x, y).name() for y in places for x in range(0, shown.width(), 7)}


def test_nothing_stays_below_the_rows_when_they_become_fewer(
    loop: RunningLoop, table: OrdersTable, theme: Theme
) -> None:
    # The table paints its whole area itself: nothing below it is painted before.
    assert colours_below(table, 4) == {theme.colour("surface").name()}
    table.show_rows(_COLUMNS, 1, {0: [line(1)]})
    table.mark_words("crn")
    loop.rest()
    assert colours_below(table, 0) == {theme.colour("surface").name()}
    table.show_rows(_COLUMNS, 0, {})
    loop.rest()
    assert colours_below(table, -1) == {theme.colour("surface").name()}


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


_WIDE = (Placed("state", 100), Placed("crn", 100), Placed("remarks", 300), Placed("brand", 300))


@pytest.fixture
def wide(loop: RunningLoop, table: OrdersTable) -> OrdersTable:
    """A table that is wider than its window, scrolled to its right end."""
    table.resize(500, 300)
    rows = [line(1, state="STD", brand="Acme"), line(2, changed="crn", phone="770-555-0194", brand="Acme")]
    table.show_rows(_WIDE, len(rows), {0: rows})
    loop.rest()
    table.horizontalScrollBar().setValue(table.horizontalScrollBar().maximum())
    loop.rest()
    assert table.horizontalScrollBar().value() > 100
    return table


def test_state_and_reference_stay_in_sight_when_scrolled_sideways(wide: OrdersTable) -> None:
    assert wide.visualRect(wide.orders.index(0, 1)) == QRect(100, 0, 100, ROW_HEIGHT)
    assert inked(wide, cell(wide, 0, 1))
    assert wide.indexAt(cell(wide, 0, 1).center()).column() == 1
    assert wide.indexAt(cell(wide, 0, 3).center()).column() == 3
    header = wide.horizontalHeader()
    shown = header.viewport().grab().toImage()
    wide.horizontalScrollBar().setValue(0)
    at_first = header.viewport().grab().toImage()
    assert shown.copy(4, 4, 190, 14) == at_first.copy(4, 4, 190, 14)


def test_a_press_on_a_heading_in_sight_sorts_by_its_column(wide: OrdersTable) -> None:
    asked: list[str] = []
    wide.sort_asked.connect(asked.append)
    QTest.mouseClick(wide.horizontalHeader().viewport(), Qt.MouseButton.LeftButton, pos=QRect(100, 0, 100, 20).center())
    assert asked == ["crn"]


def test_a_cell_is_scrolled_out_from_under_the_columns_in_sight(loop: RunningLoop, wide: OrdersTable) -> None:
    before = wide.horizontalScrollBar().value()
    wide.scrollTo(wide.orders.index(1, 1))
    assert wide.horizontalScrollBar().value() == before, "a column in sight needs no scrolling"
    wide.scrollTo(wide.orders.index(1, 2))
    loop.rest()
    assert wide.horizontalHeader().sectionViewportPosition(2) >= 200


class _Paintings(QObject):
    """Counts how often a widget is painted."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return False


def test_other_rows_in_the_same_columns_leave_the_headings_alone(loop: RunningLoop, table: OrdersTable) -> None:
    paintings = _Paintings(table)
    header = table.horizontalHeader()
    header.viewport().installEventFilter(paintings)
    for count in (3, 0, 5):
        table.show_rows(_COLUMNS, count, {0: [line(number) for number in range(count)]})
        loop.rest()
    assert paintings.count == 0
    # Other columns come with their headings, and as many as there are.
    other = (*_COLUMNS[:2], Placed("city", 70))
    table.show_rows(other, 1, {0: [line(1)]})
    loop.rest()
    assert paintings.count > 0
    titles = [table.model().headerData(at, Qt.Orientation.Horizontal) for at in range(header.count())]
    assert titles == ["Number", "Remarks", "City"]


def test_another_result_is_painted_once(loop: RunningLoop, table: OrdersTable) -> None:
    paintings = _Paintings(table)
    table.viewport().installEventFilter(paintings)
    for count in (3, 5, 3):
        before = paintings.count
        table.show_rows(_COLUMNS, count, {0: [line(number) for number in range(count)]})
        loop.rest()
        assert paintings.count == before + 1


def test_columns_that_leave_no_room_to_others_are_scrolled_too(loop: RunningLoop, wide: OrdersTable) -> None:
    wide.resize(300, 300)
    loop.rest()
    wide.horizontalScrollBar().setValue(wide.horizontalScrollBar().maximum())
    assert wide.visualRect(wide.orders.index(0, 1)).left() < 100


def coloured(table: OrdersTable, box: QRect, colour: QColor) -> bool:
    part = picture(table).copy(box)
    return any(part.pixelColor(x, y) == colour for x in range(part.width()) for y in range(part.height()))


def test_what_a_search_has_found_is_marked_in_its_cell(loop: RunningLoop, table: OrdersTable, theme: Theme) -> None:
    table.mark_words("r-3")
    loop.rest()
    rows = {row: coloured(table, cell(table, row, 2), theme.colour("match")) for row in range(5)}
    assert rows == {0: False, 1: False, 2: True, 3: False, 4: False}
    table.mark_words("")
    loop.rest()
    assert not coloured(table, cell(table, 2, 2), theme.colour("match"))


def test_a_match_in_a_column_that_is_not_shown_is_told_in_the_row(
    loop: RunningLoop, wide: OrdersTable, theme: Theme
) -> None:
    wide.horizontalScrollBar().setValue(0)
    wide.mark_words("r- 7705550194")
    loop.rest()
    end = QRect(300, ROW_HEIGHT, wide.viewport().width() - 300, ROW_HEIGHT - 2)
    assert coloured(wide, end, theme.colour("match")), "phone 770-555-0194"
    assert not coloured(wide, end.translated(0, -ROW_HEIGHT), theme.colour("match"))

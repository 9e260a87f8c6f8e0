"""The table over a million rows: an action on all rows goes through none of them."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect
from PySide6.QtGui import QImage

from app.store.cache.order_rows import OrderLine
from app.ui.orders.table.arrangement import default_arrangement
from app.ui.orders.table.column_list import OPEN_COLUMNS
from app.ui.orders.table.orders_model import OrdersModel
from app.ui.orders.table.orders_table import OrdersTable
from app.ui.theme.theme import Appearance, Theme
from app.ui.widgets.lists.loaded_pages import PAGE
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.orders.test_ui_orders_model import line

COUNT = 1_000_000
FEW = 50_000  # calls; a single one for each row would be a million


class Counted(OrdersModel):
    """Counts how often it is asked anything."""

    def __init__(self) -> None:
        self.calls = 0
        super().__init__(())

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        self.calls += 1
        return super().rowCount(parent)

    def line(self, at: int) -> object:  # type: ignore[override]
        self.calls += 1
        return super().line(at)


@pytest.fixture
def table(loop: RunningLoop, theme: Theme, show: Show) -> OrdersTable:
    made = OrdersTable(theme, Counted())
    show(made)
    rows: list[OrderLine] = [line(at) for at in range(PAGE)]
    made.show_rows(default_arrangement(OPEN_COLUMNS), COUNT, {0: rows})
    loop.rest()
    return made


def calls(table: OrdersTable) -> int:
    assert isinstance(table.orders, Counted)
    return table.orders.calls


def test_all_rows_are_selected_without_a_look_at_each(loop: RunningLoop, table: OrdersTable) -> None:
    before = calls(table)
    table.selectAll()
    loop.rest()
    table.viewport().repaint()
    table.horizontalHeader().viewport().repaint()
    assert table.spans() == [(0, COUNT - 1)]
    assert table.selected_count() == COUNT
    assert len(table.selected_lines()) == PAGE, "those at hand"
    assert calls(table) - before < FEW


def test_a_jump_to_the_middle_asks_only_for_visible_pages(loop: RunningLoop, table: OrdersTable) -> None:
    wanted: list[int] = []
    table.orders.wanted.connect(wanted.append)
    before = calls(table)
    table.verticalScrollBar().setValue(table.verticalScrollBar().maximum() // 2)
    loop.rest()
    assert set(wanted) <= {2499, 2500}
    assert calls(table) - before < FEW


@pytest.fixture
def light_again(theme: Theme) -> Iterator[None]:
    """The tests that come after share the theme, which is light."""
    yield
    theme.choose("light")


@pytest.mark.usefixtures("light_again")
@pytest.mark.parametrize("appearance", ["light", "dark"])
def test_the_arrow_of_the_sorting_stands_above_the_title(
    loop: RunningLoop, theme: Theme, table: OrdersTable, appearance: Appearance
) -> None:
    theme.choose(appearance)
    header = table.horizontalHeader()
    title = "State"
    at = [each.title for each in table.orders.columns].index(title)
    room = header.fontMetrics().horizontalAdvance(title)
    table.setColumnWidth(at, room + 20)  # hardly more than the title takes
    loop.rest()

    def drawn(sorted_by: str, *, descending: bool = False) -> tuple[QImage, QImage]:
        """What stands above the title, and the title with what is to either side of it."""
        table.show_sort(sorted_by, descending)
        left, width = header.sectionViewportPosition(at), header.sectionSize(at)
        words = header.fontMetrics().tightBoundingRect(title).height()
        above = QRect(left, 0, width, (header.height() - words) // 2 - 1)
        beside = QRect(left, above.height(), width, header.height() - above.height())
        return header.grab(above).toImage(), header.grab(beside).toImage()

    plain, up, down = drawn("crn"), drawn("region"), drawn("region", descending=True)
    assert {plain[0].pixel(x, y) for x in range(plain[0].width()) for y in range(plain[0].height())} == {
        plain[0].pixel(1, 1)
    }, "all of the title is in the other part"
    assert plain[1] == up[1] == down[1], "the title stands where it stood, and nothing beside it"
    assert plain[0] != up[0] != down[0] != plain[0], "the arrow is there, and tells which way"


def test_spans_of_a_selection_are_joined_and_in_order(table: OrdersTable) -> None:
    model = table.selectionModel()
    for row in (7, 3, 4, 5, 900_000):
        model.select(table.orders.index(row, 0), model.SelectionFlag.Select | model.SelectionFlag.Rows)
    assert table.spans() == [(3, 5), (7, 7), (900_000, 900_000)]
    assert [each.number for each in table.selected_lines()] == [3, 4, 5, 7]

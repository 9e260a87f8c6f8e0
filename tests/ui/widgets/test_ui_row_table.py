"""A table of whole rows: the row that is stood on is framed where the keyboard is; Home and End go by rows."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QItemSelectionModel, QPoint, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QStyleOptionViewItem, QWidget

from app.ui.theme.theme import Theme
from app.ui.widgets.layout import column
from app.ui.widgets.lists.row_table import Index, RowDelegate, RowTable, set_up_rows
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show

ROWS, COLUMNS = 4, 3


class Bench:
    """A table and something else that can have the keyboard."""

    def __init__(self, theme: Theme) -> None:
        self.window, self.table, self.other = QWidget(), RowTable(), QLineEdit()
        model = QStandardItemModel(self.window)
        for at in range(ROWS):
            model.appendRow([QStandardItem(f"{at}") for _ in range(COLUMNS)])
        self.table.setModel(model)
        set_up_rows(self.table, theme, "Rows", RowDelegate, [100] * COLUMNS, several=True)
        self.window.setLayout(column(self.other, self.table))

    def framed(self, colour: QColor) -> list[int]:
        """The rows with a frame of this colour all around them."""
        picture = self.table.viewport().grab().toImage()
        return [at for at in range(ROWS) if self._is_framed(picture, at, colour)]

    def _is_framed(self, picture: QImage, at: int, colour: QColor) -> bool:
        top, height = self.table.rowViewportPosition(at), self.table.rowHeight(at)
        right = self.table.columnViewportPosition(COLUMNS - 1) + self.table.columnWidth(COLUMNS - 1) - 1
        middle = top + height // 2
        around = [QPoint(x, y) for x in (3, 150, right - 3) for y in (top, top + height - 1)]
        around += [QPoint(0, middle), QPoint(right, middle)]
        assert picture.devicePixelRatio() == 1
        return all(picture.pixelColor(each) == colour for each in around)


@pytest.fixture
def bench(theme: Theme, show: Show, loop: RunningLoop) -> Iterator[Bench]:
    made = Bench(theme)
    show(made.window)
    loop.rest()
    yield made
    theme.choose("light")


@pytest.mark.parametrize("appearance", ["light", "dark"])
def test_the_row_stood_on_is_framed_where_the_keyboard_is(bench: Bench, theme: Theme, appearance: str) -> None:
    theme.choose("dark" if appearance == "dark" else "light")
    accent, table = theme.colour("accent"), bench.table
    bench.other.setFocus()
    assert bench.framed(accent) == []
    table.selectRow(0)
    table.setFocus()
    assert bench.framed(accent) == [0]
    QTest.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    assert not table.selectionModel().isSelected(table.currentIndex())
    assert bench.framed(accent) == [1], "stood on and not selected"
    bench.other.setFocus()
    assert bench.framed(accent) == []


def test_home_and_end_lead_to_the_first_and_the_last_row(bench: Bench) -> None:
    table = bench.table
    table.setFocus()
    table.selectRow(1)
    for key, row in ((Qt.Key.Key_End, ROWS - 1), (Qt.Key.Key_Home, 0)):
        QTest.keyClick(table, key)
        assert (table.currentIndex().row(), [each.row() for each in table.selectionModel().selectedRows()]) == (
            row,
            [row],
        )


def test_a_column_that_was_moved_takes_its_side_of_the_frame_along(bench: Bench, theme: Theme) -> None:
    header = bench.table.horizontalHeader()
    header.setStretchLastSection(False)
    header.moveSection(0, COLUMNS - 1)
    bench.table.setFocus()
    index = bench.table.model().index(2, 0)
    bench.table.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
    picture = bench.table.viewport().grab().toImage()
    middle = bench.table.rowViewportPosition(2) + bench.table.rowHeight(2) // 2
    assert picture.pixelColor(0, middle) == theme.colour("accent")
    assert picture.pixelColor(COLUMNS * 100 - 1, middle) == theme.colour("accent")


def test_going_on_paints_the_whole_of_both_rows_anew(bench: Bench, theme: Theme, loop: RunningLoop) -> None:
    bench.table.setFocus()
    bench.table.selectRow(0)
    loop.rest()
    asked: list[int] = []
    viewport = bench.table.viewport()

    class Painted(RowDelegate):
        def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
            asked.append(index.row())

    bench.table.setItemDelegate(Painted(theme, bench.table))
    viewport.update()
    loop.rest()
    asked.clear()
    flag = QItemSelectionModel.SelectionFlag.NoUpdate
    bench.table.selectionModel().setCurrentIndex(bench.table.model().index(1, 2), flag)
    loop.until(lambda: asked.count(0) == COLUMNS and asked.count(1) == COLUMNS)

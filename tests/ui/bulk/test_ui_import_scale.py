"""A large file on the page: it is shown without being copied, and its ends are reached at once."""

from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelection, Qt
from PySide6.QtTest import QTest

from app.desk.desk import Desk
from app.ui.base.page import PageServices
from app.ui.bulk.bulk_page import BulkPage
from tests.support.loop import RunningLoop
from tests.ui.bulk.import_help import cell, line, open_file, settled, write_csv
from tests.ui.bulk.test_ui_import_page import CTRL
from tests.ui.conftest import Show

ROWS = 3_000


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, show: Show, offline_desk: Desk) -> BulkPage:
    made = BulkPage(services)
    show(made)
    made.take_desk(offline_desk)
    settled(loop, made)
    return made


def test_all_rows_are_there_and_a_column_is_filled_down_as_one_step(
    loop: RunningLoop, page: BulkPage, tmp_path: Path
) -> None:
    open_file(loop, page, write_csv(tmp_path, *(line(f"BIG-{number}", City="") for number in range(ROWS))))
    assert page.model.rowCount() == ROWS
    assert len(page.session.wrong_rows()) == ROWS
    page.grid.setFocus()
    page.grid.stand_on(cell(page, 0, "City"))
    page.session.change(lambda sheet: sheet.set_cells({(0, 3): "Memphis"}), 1)
    page.grid.scrollToBottom()
    column = cell(page, 0, "City").column()
    page.grid.selectionModel().select(
        _block(page, 0, ROWS - 1, column), page.grid.selectionModel().SelectionFlag.ClearAndSelect
    )
    QTest.keyClick(page.grid, Qt.Key.Key_D, CTRL)
    settled(loop, page)
    assert page.session.corrections == 2
    assert page.session.wrong_rows() == []
    assert cell(page, ROWS - 1, "City").data() == "✎ Memphis"
    QTest.keyClick(page.grid, Qt.Key.Key_Z, CTRL)
    settled(loop, page)
    assert len(page.session.wrong_rows()) == ROWS - 1


def _block(page: BulkPage, first: int, last: int, column: int) -> QItemSelection:
    return QItemSelection(page.model.index(first, column), page.model.index(last, column))

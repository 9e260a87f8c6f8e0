"""Exporting from the window: where to is asked without blocking, it can be stopped, and it is said what came of it."""

import csv
import time
from pathlib import Path

import openpyxl
import pypdfium2
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLineEdit, QMessageBox, QPushButton

from app.desk.desk import Desk
from app.desk.export.export_file import Exported
from app.desk.export.export_rows import ExportColumn
from app.desk.files.stoppable_work import Progress
from app.store.cache.order_rows import OrderQuery
from app.ui.base.page import Page, PageServices
from app.ui.orders.export.order_export import (
    KINDS,
    OrderExport,
    export_job,
    export_result,
    file_stem,
    progress_words,
)
from app.ui.orders.orders_page import OrdersPage
from app.ui.widgets.files.choose_files import documents_folder
from app.ui.widgets.files.file_strip import FileStrip
from app.ui.widgets.files.show_in_folder import command_for
from app.ui.widgets.layout import column
from tests.support.exported import COLUMNS, store
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.orders.orders_help import fill, idle, order, select, shown


class Bench:
    """A page with nothing but the strip on it, and a desk with some orders."""

    def __init__(self, loop: RunningLoop, page: Page, desk: Desk, folder: Path) -> None:
        self.loop, self.page, self.desk, self.folder = loop, page, desk, folder
        self.revealed: list[Path] = []
        self.opens = True
        self.strip = FileStrip(page.services.theme, page.tasks, show=self._reveal, open_it=self._reveal, name="Export")
        page.setLayout(column(self.strip, None))

    def _reveal(self, target: Path) -> bool:
        self.revealed.append(target)
        return self.opens

    def wanted(self, **query: str) -> OrderExport:
        chosen = OrderQuery(self.desk.profile.id, text=query.get("text", ""), descending=False)
        return OrderExport(chosen, COLUMNS, "Open orders", "late, facility F012")

    def begin(self, **query: str) -> QFileDialog:
        return self.begin_with(self.wanted(**query))

    def begin_with(self, wanted: OrderExport) -> QFileDialog:
        self.strip.begin(export_job(self.desk, wanted, self.page.services.now()))
        self.loop.until(lambda: self.page.findChildren(QFileDialog))
        (dialog,) = self.page.findChildren(QFileDialog)
        assert isinstance(dialog, QFileDialog)
        return dialog

    def name(self, dialog: QFileDialog, file_name: str, kind: int = 0) -> Path:
        """As a person does: choose a kind, type the name, press Enter."""
        dialog.selectNameFilter(KINDS[kind].filter)
        dialog.filterSelected.emit(KINDS[kind].filter)
        line = dialog.findChild(QLineEdit)
        assert isinstance(line, QLineEdit)
        line.setText(str(self.folder / file_name))
        dialog.accept()
        return self.folder / file_name

    def settle(self) -> None:
        self.loop.until(lambda: not self.strip.busy)

    def press(self, words: str) -> None:
        self.loop.until(lambda: self.page.findChildren(QMessageBox))
        (found,) = [each for each in self.page.window().findChildren(QPushButton) if each.text() == words]
        found.click()


@pytest.fixture
def bench(loop: RunningLoop, services: PageServices, show: Show, window_desk: Desk, tmp_path: Path) -> Bench:
    (tmp_path / "chosen").mkdir()
    page = Page(services, "orders")
    made = Bench(loop, page, window_desk, tmp_path / "chosen")
    show(page)
    loop.run(window_desk.cache.write(store, window_desk.profile.id, range(300)))
    return made


def test_a_workbook_is_written_where_it_was_asked_and_shown_in_its_folder(bench: Bench) -> None:
    dialog = bench.begin()
    assert Path(dialog.selectedFiles()[0]).name == f"open-orders-{bench.page.services.now():%Y-%m-%d}.xlsx"
    bench.name(dialog, "mine")
    bench.settle()
    target = bench.folder / "mine.xlsx"
    assert bench.strip.bar.text == "300 orders are in mine.xlsx."
    assert openpyxl.load_workbook(target).active.max_row == 301
    sheet = openpyxl.load_workbook(target).active
    assert (sheet.freeze_panes, sheet.auto_filter.ref.split(":")[0]) == ("A2", "A1")
    (opener,) = [each for each in bench.strip.bar.findChildren(QPushButton) if each.text() == "Open file"]
    opener.click()
    assert bench.revealed == [target]
    assert bench.strip.bar.text == "300 orders are in mine.xlsx.", "the folder may be wanted too"
    bench.revealed.clear()
    bench.strip.bar.act()
    assert bench.revealed == [target]
    assert not bench.strip.stop_button.isVisible()


def test_the_dialog_begins_in_a_folder_of_one_s_own(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert documents_folder() == tmp_path
    (tmp_path / "Documents").mkdir()
    assert documents_folder() == tmp_path / "Documents"
    dialog = bench.begin()
    assert Path(dialog.directory().absolutePath()) == tmp_path / "Documents"
    dialog.reject()
    bench.settle()


def test_a_folder_that_cannot_be_shown_is_named(bench: Bench) -> None:
    bench.opens = False
    bench.name(bench.begin(text="renée"), "mine.csv", 1)
    bench.settle()
    bench.strip.bar.act()
    assert bench.strip.bar.text == f"The folder could not be opened. The file is {bench.folder / 'mine.csv'}."


@pytest.mark.parametrize(("kind", "first"), [(1, "'=1+1"), (2, "=1+1")])
def test_csv_is_guarded_or_exact_as_it_was_chosen(bench: Bench, kind: int, first: str) -> None:
    target = bench.name(bench.begin(), "mine.csv", kind)
    bench.settle()
    with target.open(encoding="utf-8-sig", newline="") as file:
        assert list(csv.reader(file))[1][2] == first


def test_an_ending_that_is_typed_chooses_the_kind(bench: Bench) -> None:
    target = bench.name(bench.begin(), "mine.csv", 0)
    bench.settle()
    assert target.read_bytes().startswith(b"\xef\xbb\xbf")


def test_the_list_on_paper_holds_every_order(bench: Bench) -> None:
    target = bench.name(bench.begin(), "mine.pdf", 3)
    bench.settle()
    assert bench.strip.bar.text == "300 orders are in mine.pdf."
    document = pypdfium2.PdfDocument(target)
    try:
        text = "\n".join(page.get_textpage().get_text_range() for page in document)
        assert document[0].get_width() > document[0].get_height()
    finally:
        document.close()
    assert all(f"00{number}" in text for number in range(300))
    assert "late, facility F012" in text
    assert "Page 1 of" in text


@pytest.mark.parametrize(("press", "replaced"), [("Replace", True), ("Go back", False)])
@pytest.mark.parametrize("kind", [0, 3], ids=["xlsx", "pdf"])
def test_a_file_that_is_there_is_replaced_only_on_a_yes(bench: Bench, press: str, replaced: bool, kind: int) -> None:
    target = bench.folder / f"there.{KINDS[kind].ending}"
    target.write_bytes(b"mine")
    bench.name(bench.begin(), target.name, kind)
    bench.press(press)
    bench.settle()
    assert (target.read_bytes() != b"mine") == replaced
    assert bool(bench.strip.bar.text) == replaced


def test_nothing_is_written_when_no_file_is_chosen(bench: Bench) -> None:
    bench.begin().reject()
    bench.settle()
    assert list(bench.folder.iterdir()) == []
    assert bench.strip.bar.text == ""


def _slow(bench: Bench) -> OrderExport:
    """An export that goes on until it is stopped."""

    def read(_line: object) -> str:
        while not bench.strip._progress.stop:
            time.sleep(0.001)
        return ""

    return OrderExport(OrderQuery(bench.desk.profile.id), [ExportColumn("Slow", read)], "Open orders")


def test_a_stopped_export_leaves_nothing(bench: Bench) -> None:
    bench.name(bench.begin_with(_slow(bench)), "mine.xlsx")
    bench.loop.until(bench.strip.stop_button.isVisible)
    bench.strip.begin(export_job(bench.desk, bench.wanted(), bench.page.services.now()))
    assert "still being made" in bench.strip.bar.text
    bench.strip.stop_button.click()
    bench.settle()
    assert bench.strip.bar.text == "Stopped; nothing was written."
    assert list(bench.folder.iterdir()) == []


def test_a_page_that_closes_stops_it(bench: Bench) -> None:
    bench.name(bench.begin_with(_slow(bench)), "mine.xlsx")
    bench.loop.until(bench.strip.stop_button.isVisible)
    bench.loop.run(bench.page.tasks.aclose(20))
    assert list(bench.folder.iterdir()) == []


def test_a_failed_export_says_why_and_can_be_tried_again(bench: Bench) -> None:
    dialog = bench.begin()
    line = dialog.findChild(QLineEdit)
    assert isinstance(line, QLineEdit)
    there = bench.folder / "gone"
    there.mkdir()
    bench.name(dialog, "gone/mine.xlsx")
    there.rmdir()
    bench.settle()
    assert "the folder is not there" in bench.strip.bar.text
    bench.strip.bar.act()
    bench.loop.until(lambda: [each for each in bench.page.findChildren(QFileDialog) if each.isVisible()])
    for each in bench.page.findChildren(QFileDialog):
        each.reject()
    bench.settle()


@pytest.mark.parametrize(
    ("done", "left_out", "words"),
    [
        (Exported(Path("a.csv"), 1), (), "1 order is in a.csv."),
        (Exported(Path("a.csv"), 0), (), "0 orders are in a.csv."),
        (
            Exported(Path("a.xlsx"), 1_200_000, 2, 1, 3),
            (),
            "1,200,000 orders are in a.xlsx. They fill 2 sheets, because a sheet holds 1,048,576 rows. 1 order went "
            "away meanwhile and was left out. 3 texts were longer than a cell holds and lost the end.",
        ),
        (
            Exported(Path("a.pdf"), 5),
            ("PO", "BOL"),
            "5 orders are in a.pdf. There was no room on the paper for PO and BOL.",
        ),
        (
            Exported(Path("a.pdf"), 5),
            ["PO", "BOL", "City", "ZIP", "Phone", "Brand", "List"],
            "5 orders are in a.pdf. There was no room on the paper for PO, BOL, City, ZIP, Phone and 2 other columns.",
        ),
    ],
)
def test_the_result_of_an_export_in_words(done: Exported, left_out: tuple[str, ...], words: str) -> None:
    assert export_result(done, left_out).words == words


def test_the_progress_of_an_export_in_words() -> None:
    assert progress_words(Progress()) == "Finding the orders to export…"
    assert progress_words(Progress(2_000, 1_000)) == "Exporting order 1,000 of 2,000…"
    assert progress_words(Progress(20, 3, stage="pages")) == "Exporting page 3 of 20…"
    assert progress_words(Progress(20, 20)) == "Writing the file…"


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("Orders, Open", "orders-open"),
        ("a/b: ../*?", "a-b"),
        ("متأخر", "متأخر"),
        ("::", "orders"),
        ("x" * 90, "x" * 60),
    ],
)
def test_a_view_s_name_becomes_part_of_a_file_name(title: str, words: str) -> None:
    assert file_stem(title) == words


def test_a_file_is_marked_in_its_folder_where_the_system_can() -> None:
    path = Path("made-up") / "orders.csv"
    assert command_for(path, "win32") == ("explorer.exe", ["/select,", str(path)])
    assert command_for(path, "darwin") == ("open", ["-R", str(path)])
    assert command_for(path, "linux") is None


# From the orders page


@pytest.fixture
def orders_page(loop: RunningLoop, services: PageServices, show: Show, window_desk: Desk, tmp_path: Path) -> OrdersPage:
    (tmp_path / "chosen").mkdir()
    fill(loop, window_desk, [order(number) for number in range(1, 301)])
    page = OrdersPage(services)
    show(page)
    shown(loop, page, window_desk)
    return page


def _export_by(
    loop: RunningLoop, page: OrdersPage, key: Qt.Key, more: Qt.KeyboardModifier, target: Path
) -> list[list[str]]:
    """Press the key, name the file, and read what is in it."""
    page.table.setFocus()
    QTest.keyClick(page.table, key, Qt.KeyboardModifier.ControlModifier | more)
    loop.until(lambda: page.findChildren(QFileDialog))
    (dialog,) = page.findChildren(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    line = dialog.findChild(QLineEdit)
    assert isinstance(line, QLineEdit)
    line.setText(str(target))
    dialog.accept()
    strip = page.export_strip()
    loop.until(lambda: strip.bar.text)
    assert strip.isVisible()
    with target.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


def test_an_export_has_the_columns_and_the_order_of_the_table(
    loop: RunningLoop, orders_page: OrdersPage, tmp_path: Path
) -> None:
    page = orders_page
    page.filter.setText("mobile")
    loop.until(lambda: idle(page) and page.loader.count == 100)
    titles, *rows = _export_by(
        loop, page, Qt.Key.Key_E, Qt.KeyboardModifier.ShiftModifier, tmp_path / "chosen" / "a.csv"
    )
    assert titles == [each.title for each in page.model.columns]
    assert [row[titles.index("Reference")] for row in rows] == [f"R-{number:05}" for number in range(299, 0, -3)]
    assert page.export_strip().bar.text == "100 orders are in a.csv."


@pytest.mark.parametrize(("typed", "count", "name"), [("", 300, "orders-open"), ("mobile", 100, "orders-filtered")])
def test_a_view_lends_its_name_only_to_what_it_shows_itself(
    loop: RunningLoop, orders_page: OrdersPage, typed: str, count: int, name: str
) -> None:
    page = orders_page
    page.filter.setText(typed)
    loop.until(lambda: idle(page) and page.loader.count == count)
    page.table.setFocus()
    QTest.keyClick(page.table, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    loop.until(lambda: page.findChildren(QFileDialog))
    (dialog,) = page.findChildren(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    assert Path(dialog.selectedFiles()[0]).name == f"{name}-{page.services.now():%Y-%m-%d}.xlsx"
    dialog.reject()


def test_orders_that_are_selected_are_exported_alone(
    loop: RunningLoop, orders_page: OrdersPage, tmp_path: Path
) -> None:
    page = orders_page
    select(page, 290, 287, 280)
    titles, *rows = _export_by(loop, page, Qt.Key.Key_E, Qt.KeyboardModifier.AltModifier, tmp_path / "chosen" / "b.csv")
    assert [row[titles.index("Number")] for row in rows] == ["290", "287", "280"]
    page.table.selectAll()
    _, *rows = _export_by(loop, page, Qt.Key.Key_E, Qt.KeyboardModifier.AltModifier, tmp_path / "chosen" / "c.csv")
    assert len(rows) == 300

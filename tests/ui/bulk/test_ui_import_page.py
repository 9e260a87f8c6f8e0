"""The Import page on a real desk: a file is shown, corrected and sent, and the same file again sends nothing."""

import asyncio
from datetime import date
from functools import partial
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton

from app.desk.bulk.files.read_file import read_file
from app.desk.bulk.outcome import import_batch, import_verdicts
from app.desk.bulk.rows import cell_reading
from app.desk.bulk.rows.import_sheet import Edit, ImportSheet
from app.desk.desk import Desk
from app.desk.sending import outbox
from app.ui.base.page import PageServices
from app.ui.bulk import bulk_page
from app.ui.bulk.bulk_page import BulkPage
from app.ui.theme.tokens import SPACE_2
from tests.support.desks import submission
from tests.support.loop import RunningLoop
from tests.ui.bulk.import_help import TITLES, cell, csv_text, line, open_file, settled, text, verdict, write_csv
from tests.ui.conftest import Show
from tests.ui.entry.suggestions_help import teach
from tests.ui.questions_help import answer, question

CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier,
)  # fmt: skip


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, show: Show, window_practice_desk: Desk) -> BulkPage:
    made = BulkPage(services)
    show(made)
    made.take_desk(window_practice_desk)
    settled(loop, made)
    return made


def press(page: BulkPage, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(QApplication.focusWidget() or page, key, modifiers)


def button(page: BulkPage) -> str:
    return page.foot.send_button.text().strip()


def test_a_file_is_shown_row_by_row_with_what_sending_would_do(
    loop: RunningLoop, page: BulkPage, tmp_path: Path
) -> None:
    open_file(loop, page, write_csv(tmp_path, line("UI-1"), line("UI-2", ZIP=""), line("UI-3", Count="two")))
    assert page.model.rowCount() == 3
    assert verdict(page, 0) == "+ New order"
    assert verdict(page, 1) == "! To correct"
    assert text(page, 1, "ZIP").startswith("!")
    assert text(page, 2, "Count") == "! two"
    assert page.tabs.tabs["blocked"].text() == "To correct 2"
    assert page.tabs.tabs["create"].text() == "New 1"
    assert button(page) == "Send 1 order: 1 new"
    assert page.foot.rest.text() == "2 have to be corrected first."
    assert page.foot.send_button.isEnabled()


def test_a_screen_reader_hears_what_is_wrong_with_a_cell(loop: RunningLoop, page: BulkPage, tmp_path: Path) -> None:
    open_file(loop, page, write_csv(tmp_path, line("UI-1", Count="two")))
    spoken = cell(page, 0, "Count").data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("Count, column Count: two. ")
    issue = page.session.sheet.issues_at(0)  # type: ignore[union-attr]
    assert all(each.sentence in spoken for issues in issue.values() for each in issues)


def test_a_column_of_the_file_before_has_no_title(loop: RunningLoop, page: BulkPage, tmp_path: Path) -> None:
    open_file(loop, page, write_csv(tmp_path, line("A-1")))
    model = page.grid.model()
    last = model.columnCount() - 1
    assert "Volume" in model.headerData(last, Qt.Orientation.Horizontal)
    assert model.headerData(last + 1, Qt.Orientation.Horizontal) is None


def test_an_empty_cell_that_is_wrong_says_why_in_the_cell(loop: RunningLoop, page: BulkPage, tmp_path: Path) -> None:
    open_file(loop, page, write_csv(tmp_path, line("UI-1", Consignee=""), line("", Count="two")))
    assert text(page, 0, "Consignee") == "! Required."
    assert text(page, 1, "Reference") == "! Required."
    assert text(page, 1, "Count") == "! two", "what stands in the file stays readable"
    assert cell(page, 0, "Consignee").data(Qt.ItemDataRole.EditRole) == ""


def test_f4_goes_from_one_wrong_cell_to_the_next_and_at_last_to_the_button(
    loop: RunningLoop, page: BulkPage, tmp_path: Path
) -> None:
    open_file(loop, page, write_csv(tmp_path, line("UI-1"), line("UI-2", ZIP=""), line("UI-3", Count="two")))
    press(page, Qt.Key.Key_F4)
    assert page.grid.currentIndex() == cell(page, 1, "ZIP")
    QTest.keyClicks(page.grid, "3")
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    QTest.keyClicks(editor, "8103")
    press(page, Qt.Key.Key_Return)
    settled(loop, page)
    assert text(page, 1, "ZIP") == "✎ 38103"
    press(page, Qt.Key.Key_F4)
    assert page.grid.currentIndex() == cell(page, 2, "Count")
    QTest.keyClicks(page.grid, "4")
    press(page, Qt.Key.Key_Return)
    settled(loop, page)
    press(page, Qt.Key.Key_F4)
    assert QApplication.focusWidget() is page.foot.send_button
    assert button(page) == "Send 3 orders: 3 new"


def test_copied_cells_run_nothing_and_paste_as_they_were(loop: RunningLoop, page: BulkPage, tmp_path: Path) -> None:
    # In the file they are guarded, as spreadsheets need it.
    rows = (line("UI-1", Consignee="'=HYPERLINK(1)", City="Memphis"), line("UI-2", Consignee="''=1"), line("UI-3"))
    open_file(loop, page, write_csv(tmp_path, *rows))
    page.grid.setFocus()
    page.grid.stand_on(cell(page, 0, "Consignee"))
    press(page, Qt.Key.Key_C, CTRL)
    assert QGuiApplication.clipboard().text() == "'=HYPERLINK(1)"
    press(page, Qt.Key.Key_Down, SHIFT)
    press(page, Qt.Key.Key_C, CTRL)
    page.grid.stand_on(cell(page, 1, "Consignee"))
    press(page, Qt.Key.Key_V, CTRL)
    settled(loop, page)
    assert [text(page, row, "Consignee") for row in range(3)] == ["=HYPERLINK(1)", "✎ =HYPERLINK(1)", "✎ '=1"]


def test_cells_are_filled_down_pasted_emptied_and_all_of_it_undone(
    loop: RunningLoop, page: BulkPage, tmp_path: Path
) -> None:
    rows = [line(f"UI-{number}", City=f"Town {number}") for number in range(4)]
    open_file(loop, page, write_csv(tmp_path, *rows))
    page.grid.setFocus()
    page.grid.stand_on(cell(page, 0, "City"))
    for _ in range(2):
        press(page, Qt.Key.Key_Down, SHIFT)
    press(page, Qt.Key.Key_D, CTRL)
    settled(loop, page)
    towns = [page.session.sheet.cell(row, 3) for row in range(4)]  # type: ignore[union-attr]
    assert towns == ["Town 0", "Town 0", "Town 0", "Town 3"]
    press(page, Qt.Key.Key_Z, CTRL)
    assert text(page, 1, "City") == "Town 1"
    press(page, Qt.Key.Key_Y, CTRL)
    assert text(page, 1, "City") == "✎ Town 0"
    press(page, Qt.Key.Key_Z, CTRL)

    page.grid.stand_on(cell(page, 2, "City"))
    QGuiApplication.clipboard().setText("Boston\tMA\nReno\tNV\n")
    press(page, Qt.Key.Key_V, CTRL)
    settled(loop, page)
    assert [text(page, row, "State") for row in (2, 3)] == ["✎ MA", "✎ NV"]
    press(page, Qt.Key.Key_V, CTRL)
    assert page.session.corrections == 1, "the same block again changes nothing"
    page.grid.stand_on(cell(page, 3, "City"))
    press(page, Qt.Key.Key_V, CTRL)
    assert page.bar.text.startswith("Nothing was pasted: the block is 2 × 2 cells, and 1 × ")
    press(page, Qt.Key.Key_Delete)
    settled(loop, page)
    assert verdict(page, 3) == "! To correct"
    for _ in range(2):
        press(page, Qt.Key.Key_Z, CTRL)
    settled(loop, page)
    assert [text(page, row, "City") for row in range(4)] == [f"Town {number}" for number in range(4)]
    assert not page.session.can_undo


def test_what_is_being_typed_outlives_verdicts_that_come_in(loop: RunningLoop, page: BulkPage, tmp_path: Path) -> None:
    open_file(loop, page, write_csv(tmp_path, line("UI-1", Count="x")))
    page.grid.setFocus()
    page.grid.stand_on(cell(page, 0, "Count"))
    QTest.keyClicks(page.grid, "1")
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    QTest.keyClicks(editor, "2")
    page.session.changed.emit()  # a verdict came in
    assert editor.text() == "12"
    QTest.keyClick(editor, Qt.Key.Key_Return)
    settled(loop, page)
    assert text(page, 0, "Count") == "✎ 12"


def test_nothing_is_sent_while_it_is_not_known_what_would_be(
    loop: RunningLoop, page: BulkPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_file(loop, page, write_csv(tmp_path, line("UI-1"), line("UI-2")))
    look, gate = import_verdicts.look_here, asyncio.Event()

    async def slowly(*given: object) -> None:
        await gate.wait()
        await look(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(import_verdicts, "look_here", slowly)
    page.session.change(lambda sheet: sheet.set_cells({(0, 3): "Nashville"}), 1)
    assert not page.foot.send_button.isEnabled()
    loop.until(lambda: not page.session._look_later.isActive())
    # A second edit while the look is under way is looked at after it.
    page.session.change(lambda sheet: sheet.set_cells({(1, 3): ""}), 1)
    page.send()
    assert not page.tasks.running("send")
    gate.set()
    settled(loop, page)
    loop.until(page.foot.send_button.isEnabled)
    assert button(page) == "Send 1 order: 1 new"
    assert verdict(page, 1) == "! To correct"


def test_rows_that_come_to_a_tab_wait_for_the_cell_that_is_open(
    loop: RunningLoop, page: BulkPage, tmp_path: Path
) -> None:
    open_file(loop, page, write_csv(tmp_path, line("UI-1", Count="x"), line("UI-2")))
    page.tabs.choose("blocked")
    page.grid.setFocus()
    page.grid.stand_on(cell(page, 0, "Count"))
    QTest.keyClicks(page.grid, "1")
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    page.session.change(lambda sheet: sheet.set_cells({(1, 5): ""}), 1)
    settled(loop, page)
    page._add_rows()
    assert list(page.model.rows) == [0]
    QTest.keyClicks(editor, "2")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    loop.until(lambda: list(page.model.rows) == [0, 1])
    assert text(page, 0, "Count") == "✎ 12"


def test_a_text_is_found_and_replaced_in_the_shown_rows(loop: RunningLoop, page: BulkPage, tmp_path: Path) -> None:
    rows = [line(f"UI-{number}", City="Memphs" if number % 2 else "Memphis") for number in range(6)]
    open_file(loop, page, write_csv(tmp_path, *rows))
    page.grid.setFocus()
    press(page, Qt.Key.Key_H, CTRL)
    assert page.replace_bar.isVisible()
    page.replace_bar.sought.setText("memphs")
    page.replace_bar.sought.setFocus()
    press(page, Qt.Key.Key_Return)
    settled(loop, page)
    assert page.grid.currentIndex() == cell(page, 1, "City")
    press(page, Qt.Key.Key_Return)
    settled(loop, page)
    assert page.grid.currentIndex() == cell(page, 3, "City")
    page.replace_bar.by.setText("Memphis")
    page.replace_bar.by.setFocus()
    press(page, Qt.Key.Key_Return)
    settled(loop, page)
    assert page.replace_bar.said.text() == "3 cells changed."
    assert text(page, 5, "City") == "✎ Memphis"
    press(page, Qt.Key.Key_Escape)
    assert not page.replace_bar.isVisible()
    assert QApplication.focusWidget() is page.grid
    press(page, Qt.Key.Key_Z, CTRL)
    assert text(page, 5, "City") == "Memphs"


def test_a_tab_shows_the_rows_of_a_verdict_and_a_mended_row_stays_until_it_is_chosen_again(
    loop: RunningLoop, page: BulkPage, tmp_path: Path
) -> None:
    open_file(loop, page, write_csv(tmp_path, line("UI-1"), line("UI-2", ZIP=""), line("UI-3", ZIP="")))
    page.tabs.tabs["blocked"].click()
    assert list(page.model.rows) == [1, 2]
    page.grid.setFocus()
    page.grid.stand_on(cell(page, 1, "ZIP"))
    page.session.change(lambda sheet: sheet.set_cells({(1, 5): "38103"}), 1)
    settled(loop, page)
    loop.until(lambda: page.tabs.tabs["blocked"].text() == "To correct 1")
    assert list(page.model.rows) == [1, 2]
    page.tabs.tabs["blocked"].click()
    assert list(page.model.rows) == [2]


def test_a_column_without_a_field_is_said_first_and_is_given_one(
    loop: RunningLoop, page: BulkPage, tmp_path: Path
) -> None:
    titles = ["Reference", "Consignee", "Street", "City", "State", "Column X", "Phone", "Facility", "Delivery type",
              "Commodity", "Count", "Volume"]  # fmt: skip
    path = tmp_path / "odd.csv"
    path.write_text(csv_text(line("UI-1", ZIP="n/a"), titles=titles))
    open_file(loop, page, path)
    assert list(page.missing.buttons) == ["consignee.zip"]
    assert page.missing.isVisible()
    page.grid.setFocus()
    page.grid.stand_on(cell(page, 0, "Column X"))
    press(page, Qt.Key.Key_Down, ALT)
    panel = page.mapping.panel
    assert panel is not None
    assert panel.list.words[0].startswith("ZIP, required, no column yet")
    QTest.keyClicks(panel.sought, "zip")
    QTest.keyClick(panel.sought, Qt.Key.Key_Return)
    settled(loop, page)
    assert page.missing.isHidden()
    assert page.session.sheet is not None
    assert page.session.sheet.mapping.columns[5].path == "consignee.zip"
    assert "ZIP, column Column X" in page.model.headerData(6, Qt.Orientation.Horizontal)


def test_a_mapping_is_remembered_for_files_with_these_titles(loop: RunningLoop, page: BulkPage, tmp_path: Path) -> None:
    titles = ["Reference", "Consignee", "Street", "City", "State", "Column X", "Phone", "Facility", "Delivery type",
              "Commodity", "Count", "Volume"]  # fmt: skip
    for name, reference in (("one.csv", "UI-1"), ("two.csv", "UI-2")):
        path = tmp_path / name
        path.write_text(csv_text(line(reference, ZIP="n/a"), titles=titles))
        open_file(loop, page, path)
        if name == "one.csv":
            page.mapping._take_field(page.session.sheet, 5, _use("consignee.zip"))  # type: ignore[arg-type]
            settled(loop, page)
    assert page.missing.isHidden()


def _use(path: str) -> object:
    from app.desk.bulk.mapping.column_mapping import ColumnUse

    return ColumnUse(path)


def test_how_the_file_was_read_is_corrected_in_place(loop: RunningLoop, page: BulkPage, tmp_path: Path) -> None:
    path = tmp_path / "umlaut.csv"
    path.write_bytes(csv_text(line("UI-1", Consignee="Müller"), separator=";").encode("cp1252"))
    open_file(loop, page, path)
    assert page.found.buttons["separator"].accessibleName().startswith("Separator: ")
    assert text(page, 0, "Consignee") == "Müller"
    other = next(each for each in page.found.menu_of("encoding").actions() if "Cyrillic" in each.text())
    other.trigger()
    loop.until(lambda: page.session.sheet is not None and text(page, 0, "Consignee") != "Müller")
    settled(loop, page)
    assert page.found.buttons["encoding"].text() != ""


def test_another_file_over_corrections_asks_first(loop: RunningLoop, page: BulkPage, tmp_path: Path) -> None:
    open_file(loop, page, write_csv(tmp_path, line("UI-1", ZIP="")))
    page.session.change(lambda sheet: sheet.set_cells({(0, 5): "38103"}), 1)
    page.open_files([write_csv(tmp_path, line("UI-9"), name="other.csv")])
    box = question(loop, page)
    assert box.text() == "Put orders.csv away?"
    answer(box, "Keep it open")
    loop.rest()
    assert text(page, 0, "Reference") == "UI-1"


def test_what_cannot_be_read_is_said_where_the_file_was_opened(
    loop: RunningLoop, page: BulkPage, tmp_path: Path
) -> None:
    path = tmp_path / "empty.csv"
    path.write_bytes(b"")
    page.open_files([path])
    loop.until(lambda: page.start.heading.text() == "empty.csv was not read")
    assert page.start.sentence.text()
    assert page.start.open_button.isVisible()


def test_of_the_file_before_one_that_cannot_be_read_nothing_is_left(
    loop: RunningLoop, page: BulkPage, tmp_path: Path
) -> None:
    open_file(loop, page, write_csv(tmp_path, line("UI-1")))
    (tmp_path / "empty.csv").write_text("")
    page.open_files([tmp_path / "empty.csv"])
    loop.until(lambda: page.start.heading.text() == "empty.csv was not read")
    loop.until(lambda: page.status_text() == "No file is open", page.status_text)
    assert page.session.sheet is None
    assert page.model.rowCount() == 0


def test_a_pasted_table_is_read_like_a_file(loop: RunningLoop, page: BulkPage) -> None:
    QGuiApplication.clipboard().setText(csv_text(line("UI-1"), separator="\t"))
    page.start.open_button.setFocus()
    press(page, Qt.Key.Key_V, CTRL)
    loop.until(lambda: page.model.rowCount() == 1)
    settled(loop, page)
    assert page.title.accessibleName() == "Pasted table: 1 order"


def test_an_order_opens_in_the_form_and_comes_back_into_its_cells(
    loop: RunningLoop, page: BulkPage, tmp_path: Path
) -> None:
    open_file(loop, page, write_csv(tmp_path, line("UI-1"), line("UI-2", ZIP="")))
    page.grid.setFocus()
    page.grid.stand_on(page.model.index_of(1, -1))
    press(page, Qt.Key.Key_Return)
    assert page.stack.currentWidget() is page.form
    assert page.form.title.accessibleName() == "UI-2 · Row 3 of the file"
    focus = QApplication.focusWidget()
    assert focus is page.form.form.fields["consignee.zip"].editor
    QTest.keyClicks(focus, "38103")
    QTest.keyClick(focus, Qt.Key.Key_Return, CTRL)
    settled(loop, page)
    assert page.stack.currentWidget() is page._grid_face
    assert text(page, 1, "ZIP") == "✎ 38103"
    assert verdict(page, 1) == "+ New order"
    assert QApplication.focusWidget() is page.grid
    press(page, Qt.Key.Key_Z, CTRL)
    assert page.session.sheet is not None
    assert page.session.sheet.cell(1, 5) == ""


def test_what_the_form_says_and_no_cell_can_is_told(loop: RunningLoop, page: BulkPage, tmp_path: Path) -> None:
    open_file(loop, page, write_csv(tmp_path, line("UI-1")))
    assert page.session.sheet is not None
    draft = page.session.sheet.draft(0)
    draft.freightDetails[0].commodity = "SOFA|CHAIR"
    page.open_in_form(0)
    page._take_draft(draft)
    settled(loop, page)
    assert page.bar.text == (
        "Not taken into the file: Freight lines. A semicolon, bar or line break parts the values of a cell."
    )
    assert text(page, 0, "Commodity") == "SOFA"


def test_an_order_from_the_form_waits_for_a_large_change_that_is_under_way(
    loop: RunningLoop, page: BulkPage, tmp_path: Path
) -> None:
    open_file(loop, page, write_csv(tmp_path, *(line(f"UI-{number}") for number in range(400))))
    sheet = page.session.sheet
    assert sheet is not None
    draft = sheet.draft(0)
    draft.consignee.city = "Reno"
    places = [(row, 3) for row in range(400)]
    page.session.change(lambda each: each.set_cells(dict.fromkeys(places, "Boston")), len(places))
    assert page.tasks.running("edit")
    assert page.session.put_draft(0, draft) == ()
    settled(loop, page)
    assert [sheet.cell(row, 3) for row in (0, 1, 399)] == ["Reno", "Boston", "Boston"]
    assert page.session.corrections == 2


def test_a_large_change_of_a_file_that_was_put_away_touches_nothing_of_the_next(
    loop: RunningLoop, page: BulkPage, tmp_path: Path
) -> None:
    open_file(loop, page, write_csv(tmp_path, *(line(f"UI-{number}") for number in range(400))))
    begun, go_on = Event(), Event()
    places = [(row, 3) for row in range(400)]

    def slowly(sheet: ImportSheet) -> Edit:
        begun.set()
        assert go_on.wait(10)
        return sheet.set_cells(dict.fromkeys(places, "Boston"))

    page.session.change(slowly, len(places))
    loop.until(begun.is_set)
    following = write_csv(tmp_path, *(line(f"NEXT-{number}") for number in range(500)), name="next.csv")
    page.close_file()
    page.session.open(partial(read_file, following), "next.csv")
    loop.until(lambda: page.session.sheet is not None and len(page.session.sheet) == 500)
    page.session.change(lambda each: each.set_cells(dict.fromkeys(places, "Reno")), len(places))
    go_on.set()
    settled(loop, page)
    assert page.session.sheet is not None
    assert [page.session.sheet.cell(row, 3) for row in (0, 399, 400)] == ["Reno", "Reno", "Memphis"]
    assert page.session.corrections == 1


def test_closing_during_a_large_change_asks_for_it(loop: RunningLoop, page: BulkPage, tmp_path: Path) -> None:
    open_file(loop, page, write_csv(tmp_path, *(line(f"UI-{number}") for number in range(400))))
    page.session.change(lambda each: each.set_cells({(row, 3): "Boston" for row in range(400)}), 400)
    assert page.session.corrections == 0
    page.close_button.click()
    answer(question(loop, page), "Keep it open")
    assert page.session.corrections == 1
    assert text(page, 0, "City") == "✎ Boston"


def test_another_file_is_asked_for_by_key_while_one_is_open(
    loop: RunningLoop, page: BulkPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    following = write_csv(tmp_path, line("NEXT-1"), line("NEXT-2"), name="next.csv")

    async def chosen(*_: object) -> Path:
        return following

    monkeypatch.setattr(bulk_page, "file_to_read", chosen)
    open_file(loop, page, write_csv(tmp_path, line("UI-1")))
    QTest.keyClick(page.grid, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    loop.until(
        lambda: page.session.name == "next.csv" and page.session.sheet is not None and len(page.session.sheet) == 2
    )
    settled(loop, page)


def test_a_corrected_cell_is_shown_whole(loop: RunningLoop, page: BulkPage, tmp_path: Path) -> None:
    open_file(loop, page, write_csv(tmp_path, line("UI-1", ZIP=""), line("UI-2", ZIP="38103-2201")))
    page.session.change(lambda sheet: sheet.set_cells({(0, 5): "38104-2201"}), 1)
    shown = text(page, 0, "ZIP")
    assert shown == "✎ 38104-2201"
    room = page.grid.columnWidth(cell(page, 0, "ZIP").column()) - 2 * SPACE_2
    assert page.grid.fontMetrics().horizontalAdvance(shown) <= room


def test_leaving_the_form_with_something_typed_asks(loop: RunningLoop, page: BulkPage, tmp_path: Path) -> None:
    open_file(loop, page, write_csv(tmp_path, line("UI-1", ZIP="")))
    page.open_in_form(0)
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClicks(focus, "38103")
    press(page, Qt.Key.Key_Escape)
    answer(question(loop, page), "Leave it")
    loop.until(lambda: page.stack.currentWidget() is page._grid_face)
    assert page.session.corrections == 0


def test_what_is_decided_for_one_is_decided_for_all_alike(loop: RunningLoop, page: BulkPage, tmp_path: Path) -> None:
    open_file(loop, page, write_csv(tmp_path, *(line(f"UI-{number}") for number in range(3))))
    page.grid.stand_on(page.model.index(0, 0))
    page.pane.leave_all_button.click()
    assert button(page) == "Nothing to send"
    assert page.tabs.tabs["left"].text() == "Left out 3"
    assert verdict(page, 2) == "○ Left out"
    page.pane.back_button.click()
    assert button(page) == "Send 1 order: 1 new"


def test_the_orders_are_sent_as_one_import_and_the_same_file_again_sends_nothing(
    loop: RunningLoop, page: BulkPage, tmp_path: Path
) -> None:
    path = write_csv(tmp_path, line("UI-1"), line("UI-2"))
    open_file(loop, page, path)
    page.foot.send_button.click()
    loop.until(lambda: page.stack.currentWidget() is page.start)
    settled(loop, page)
    (shown,) = loop.run(import_batch.summaries(page.desk))
    assert (shown.name, shown.total) == ("orders.csv", 2)
    (card,) = page.start.cards.cards.values()
    assert card.name.accessibleName() == "orders.csv"
    loop.run(import_batch.feed(page.desk))
    open_file(loop, page, path)
    assert page.foot.summary.text() == "Nothing to send: all 2 orders are as this file says."
    assert not page.foot.send_button.isEnabled()


def test_it_asks_before_orders_leave_for_days_that_may_be_the_wrong_way_round(
    loop: RunningLoop, page: BulkPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class November(date):
        @classmethod
        def today(cls) -> "November":
            return cls(2026, 11, 23)

    monkeypatch.setattr(cell_reading, "date", November)
    titles = (*TITLES, "Requested delivery date")
    days = ("31/12/2026", "12/1/2026")  # the first tells the order of both
    rows = [[*line(f"UI-{at}"), day] for at, day in enumerate(days)]
    open_file(loop, page, write_csv(tmp_path, *rows, titles=titles))
    assert text(page, 1, titles[-1]) == "? 12/1/2026"
    page.foot.send_button.click()
    box = question(loop, page.window())
    assert box.text() == "Send 1 order with a date that is over?"
    answer(box, "Look at them")
    loop.until(lambda: page.model.rowCount() == 1)
    assert [name for name, each in page.tabs.tabs.items() if each.isChecked()] == ["remarks"]
    assert page.grid.here == (1, len(TITLES))
    assert not loop.run(import_batch.summaries(page.desk))
    page.foot.send_button.click()
    answer(question(loop, page.window()), "Send anyway")
    loop.until(lambda: page.stack.currentWidget() is page.start)
    settled(loop, page)
    (shown,) = loop.run(import_batch.summaries(page.desk))
    assert shown.total == 2


def test_a_decision_leaves_the_keyboard_in_the_grid(loop: RunningLoop, page: BulkPage, tmp_path: Path) -> None:
    open_file(loop, page, write_csv(tmp_path, line("DK-1"), line("DK-2")))
    page.grid.go_to(0, 0)
    for chosen in (page.pane.leave_button, page.pane.back_button, page.pane.leave_all_button):
        chosen.setFocus()
        QTest.keyClick(chosen, Qt.Key.Key_Space)
        settled(loop, page)
        assert not chosen.isVisible()
        assert page.grid.hasFocus()


def test_a_verdict_follows_what_happens_to_the_order_in_the_outbox(
    loop: RunningLoop, page: BulkPage, window_practice_desk: Desk, tmp_path: Path
) -> None:
    desk, news = window_practice_desk, page.services.news
    open_file(loop, page, write_csv(tmp_path, line("OUT-1"), line("OUT-2")))
    assert [verdict(page, row) for row in (0, 1)] == ["+ New order"] * 2
    write = loop.run(outbox.queue_submission(desk, submission("OUT-1"), None))
    news.queue_changed.emit()
    loop.until(lambda: verdict(page, 0) == "± Changes an order")
    assert verdict(page, 1) == "+ New order"
    loop.run(outbox.settle(desk, write, "withdrawn", "Withdrawn."))
    news.queue_changed.emit()
    loop.until(lambda: verdict(page, 0) == "+ New order")


def test_an_unknown_facility_is_doubted_and_the_near_code_mends_all_cells_with_it(
    loop: RunningLoop, page: BulkPage, tmp_path: Path
) -> None:
    teach(loop, page.desk, "facility", {"code": "MEM01", "city": "Memphis"})
    codes = ("MEM01", "MEM", "DAL01", "MEM")
    open_file(loop, page, write_csv(tmp_path, *(line(f"UF-{at}", Facility=code) for at, code in enumerate(codes))))
    assert [text(page, row, "Facility") for row in range(4)] == ["MEM01", "? MEM", "? DAL01", "? MEM"]
    assert verdict(page, 1) == verdict(page, 0)
    page.grid.go_to(1, 0)
    put = next(each for each in page.pane.findChildren(QPushButton) if each.text() == "Put MEM01")
    put.setFocus()
    put.click()
    settled(loop, page)
    assert page.grid.hasFocus()
    assert [text(page, row, "Facility") for row in range(4)] == ["MEM01", "✎ MEM01", "? DAL01", "✎ MEM01"]
    assert "2 cells changed" in page.bar.text
    page.foot.send_button.click()
    loop.until(lambda: page.stack.currentWidget() is page.start)
    settled(loop, page)
    assert "cells changed" not in page.bar.text
    assert loop.run(import_batch.summaries(page.desk))[0].total == 4


def test_a_facility_that_became_known_meanwhile_is_not_doubted_any_more(
    loop: RunningLoop, page: BulkPage, tmp_path: Path
) -> None:
    open_file(loop, page, write_csv(tmp_path, line("UF-1", Facility="DAL01")))
    assert text(page, 0, "Facility") == "DAL01", "a desk that knows no facility doubts none"
    teach(loop, page.desk, "facility", {"code": "MEM01"})
    page.enter()
    loop.until(lambda: text(page, 0, "Facility") == "? DAL01")
    teach(loop, page.desk, "facility", {"code": "DAL01"})
    page.enter()
    loop.until(lambda: text(page, 0, "Facility") == "DAL01" and not page.session.remarks)


def test_an_import_is_paused_and_goes_on_and_is_stopped_after_a_yes(
    loop: RunningLoop, page: BulkPage, tmp_path: Path
) -> None:
    open_file(loop, page, write_csv(tmp_path, line("UI-1"), line("UI-2")))
    page.foot.send_button.click()
    loop.until(lambda: page.start.cards.cards)
    (card,) = page.start.cards.cards.values()
    card.pause_button.click()
    loop.until(lambda: card.summary.state == "paused")
    assert card.state.text().startswith("◔ Paused.")
    card.resume_button.click()
    loop.until(lambda: card.summary.state == "running")
    card.stop_button.click()
    answer(question(loop, page), "Stop the import")
    loop.until(lambda: card.summary.state == "stopped")
    assert page.bar.text == "The import of orders.csv was stopped. 2 orders were not sent."


def test_a_long_reference_is_elided_in_the_title_of_the_form(loop: RunningLoop, page: BulkPage, tmp_path: Path) -> None:
    page.resize(780, 600)
    open_file(loop, page, write_csv(tmp_path, line("R" * 200)))
    page.grid.setFocus()
    press(page, Qt.Key.Key_Return)
    loop.until(lambda: page.form.title.text().endswith("…"))
    assert page.form.title.accessibleName() == f"{'R' * 200} · Row 2 of the file"
    assert page.form.minimumSizeHint().width() <= 780


def test_a_long_name_of_a_file_is_elided_in_the_title_of_its_cancellations(
    loop: RunningLoop, page: BulkPage, tmp_path: Path
) -> None:
    page.resize(780, 600)
    path = tmp_path / f"{'cancelled-' * 6}.csv"
    path.write_text("Reference\nGONE-1\n")
    page.open_files([path])
    loop.until(lambda: page.session.sheet is not None)
    page.cancel_button.click()
    face = page.cancelling.face
    loop.until(lambda: face.title.text().endswith("…"))
    assert face.title.accessibleName() == f"Cancel orders by {path.name}"
    assert face.minimumSizeHint().width() <= 780


def test_orders_are_cancelled_by_a_file_after_a_yes(loop: RunningLoop, page: BulkPage, tmp_path: Path) -> None:
    path = tmp_path / "away.csv"
    path.write_text("Reference\nGONE-1\nGONE-2\nGONE-1\n")
    page.open_files([path])
    loop.until(lambda: page.session.sheet is not None)
    page.cancel_button.click()
    loop.until(lambda: page.cancelling.face.model.lines)
    assert page.cancelling.face.cancel_button.text() == "Cancel 2 orders…"
    heard: list[dict[int, str]] = []
    page.services.news.cancelling_many.connect(heard.append)
    page.cancelling.face.cancel_button.click()
    answer(question(loop, page), "Cancel 2 orders…")
    loop.until(lambda: heard)
    assert sorted(heard[0].values()) == ["GONE-1", "GONE-2"]

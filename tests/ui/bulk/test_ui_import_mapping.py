"""What a person does with the mapping of a file: fixed values, a template's values, a table of values, names, files."""

from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6.QtWidgets import QDialog, QFileDialog, QLineEdit, QMenu, QPushButton

from app.desk.bulk.mapping import kept_mappings
from app.desk.bulk.mapping.column_mapping import ColumnMapping
from app.desk.bulk.rows.import_sheet import ImportSheet
from app.desk.desk import Desk
from app.desk.drafts import templates
from app.desk.drafts.templates import Template
from app.ui.base.page import PageServices
from app.ui.bulk.bulk_page import BulkPage
from app.ui.bulk.mapping.fixed_values import FixedValues
from app.ui.bulk.mapping.translations import TranslationsDialog
from app.ui.widgets.name_dialog import NameDialog
from tests.support.loop import RunningLoop
from tests.ui.bulk.import_help import line, open_file, settled, verdict, write_csv
from tests.ui.conftest import Show

T = TypeVar("T", bound=QDialog)


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, show: Show, window_practice_desk: Desk) -> BulkPage:
    made = BulkPage(services)
    show(made)
    made.take_desk(window_practice_desk)
    settled(loop, made)
    return made


def dialog(loop: RunningLoop, page: BulkPage, kind: type[T]) -> T:
    """The one open dialog of this kind, once it is open."""
    loop.until(lambda: page.window().findChildren(kind))
    (found,) = page.window().findChildren(kind)
    return found


def take(loop: RunningLoop, page: BulkPage, shown: QDialog) -> None:
    """Press the dialog's primary button."""
    (button,) = [each for each in shown.findChildren(QPushButton) if each.property("kind") == "primary"]
    button.click()
    settled(loop, page)


def choose(menu: QMenu, *titles: str) -> None:
    """Choose a line of the menu, or of a menu within it."""
    for title in titles[:-1]:
        (action,) = [each for each in menu.actions() if each.text() == title]
        within = action.menu()
        assert isinstance(within, QMenu)
        menu = within
    (last,) = [each for each in menu.actions() if each.text() == titles[-1]]
    last.trigger()


def choose_file(loop: RunningLoop, page: BulkPage, path: Path) -> None:
    """Choose a file in the dialog that is open."""
    shown = dialog(loop, page, QFileDialog)
    field = shown.findChild(QLineEdit)
    assert isinstance(field, QLineEdit)
    field.setText(str(path))
    shown.accept()
    settled(loop, page)


def mapping_of(page: BulkPage) -> object:
    assert page.session.sheet is not None
    return page.session.sheet.mapping


def draft_of(page: BulkPage, key: int = 0) -> object:
    assert page.session.sheet is not None
    return page.session.sheet.draft(key)


def test_one_value_for_every_order_fills_blank_cells_and_no_others(
    loop: RunningLoop, page: BulkPage, tmp_path: Path
) -> None:
    open_file(loop, page, write_csv(tmp_path, line("UI-1", Facility="", State=""), line("UI-2", State="MS")))
    choose(page.mapping.menu(), "One value for every order…")
    shown = dialog(loop, page, FixedValues)
    shown.fields["consignee.state"].set_text("TN")
    take(loop, page, shown)
    assert page.session.sheet is not None
    assert [page.session.sheet.draft(key).consignee.state for key in (0, 1)] == ["TN", "MS"]
    # It is shown again, and an emptied one is taken away.
    choose(page.mapping.menu(), "One value for every order…")
    shown = dialog(loop, page, FixedValues)
    assert shown.fields["consignee.state"].text() == "TN"
    shown.fields["consignee.state"].set_text("")
    take(loop, page, shown)
    assert page.session.sheet.draft(0).consignee.state == ""


def test_the_values_of_a_saved_template_are_taken_for_every_order(
    loop: RunningLoop, page: BulkPage, window_practice_desk: Desk, tmp_path: Path
) -> None:
    stores = Template("Stores", {"billToCode": "ACME", "deliveryType": "STORE"})
    loop.run(templates.save(window_practice_desk, stores, default=False))
    open_file(loop, page, write_csv(tmp_path, line("UI-1", **{"Delivery_type": ""})))
    page.mapping.ask_fixed()
    shown = dialog(loop, page, FixedValues)
    shown.template.setCurrentIndex(shown.template.findText("Stores"))
    shown.template.activated.emit(shown.template.currentIndex())
    assert shown.fields["billToCode"].text() == "ACME"
    take(loop, page, shown)
    assert page.session.sheet is not None
    draft = page.session.sheet.draft(0)
    assert (draft.billToCode, draft.deliveryType) == ("ACME", "STORE")


def test_without_a_template_none_is_offered(loop: RunningLoop, page: BulkPage, tmp_path: Path) -> None:
    open_file(loop, page, write_csv(tmp_path, line("UI-1")))
    page.mapping.ask_fixed()
    assert not dialog(loop, page, FixedValues).template.isVisible()


def test_words_of_the_file_are_given_their_meaning(loop: RunningLoop, page: BulkPage, tmp_path: Path) -> None:
    rows = [line(f"UI-{number}", **{"Delivery_type": word}) for number, word in enumerate(("To the door", "HOME"))]
    open_file(loop, page, write_csv(tmp_path, *rows))
    assert verdict(page, 0) == "! To correct"
    sheet = page.session.sheet
    assert sheet is not None
    page.mapping._take_field(sheet, list(sheet.titles).index("Delivery type"), "values")
    shown = dialog(loop, page, TranslationsDialog)
    assert [each.found for each in shown.rows.rows()] == ["To the door", "HOME"]
    first, second = shown.rows.rows()
    shown.rows.load([replace(first, means="HOME"), second])
    take(loop, page, shown)
    assert verdict(page, 0) == "+ New order"
    assert page.session.sheet is not None
    assert page.session.sheet.draft(0).deliveryType == "HOME"


def test_a_mapping_is_kept_under_a_name_used_and_deleted(loop: RunningLoop, page: BulkPage, tmp_path: Path) -> None:
    open_file(loop, page, write_csv(tmp_path, line("UI-1")))
    choose(page.mapping.menu(), "Keep under a name…")
    shown = dialog(loop, page, NameDialog)
    shown.named.emit("Our ERP")
    settled(loop, page)
    before = mapping_of(page)
    open_file(loop, page, write_csv(tmp_path, line("UI-2"), name="other.csv"))
    page.mapping._take_fixed(page.session.sheet, {"poNumber": "PO-1"})  # type: ignore[arg-type]
    settled(loop, page)
    assert page.session.sheet is not None
    assert page.session.sheet.draft(0).poNumber == "PO-1"
    choose(page.mapping.menu(), "Use", "Our ERP")
    settled(loop, page)
    assert page.session.sheet.draft(0).poNumber == ""
    assert page.session.sheet.mapping.name == "Our ERP"
    assert before is not page.session.sheet.mapping
    choose(page.mapping.menu(), "Delete", "Our ERP")
    settled(loop, page)
    assert not any(each.text() == "Use" for each in page.mapping.menu().actions())


def test_a_mapping_that_was_chosen_for_another_file_is_not_put_in_force(
    loop: RunningLoop, page: BulkPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_file(loop, page, write_csv(tmp_path, line("R-1")))
    choose(page.mapping.menu(), "Keep under a name…")
    dialog(loop, page, NameDialog).named.emit("Our ERP")
    settled(loop, page)
    asked: list[object] = []
    page.mapping.asked.connect(asked.append)
    sheet = page.session.sheet
    assert sheet is not None
    load, other = kept_mappings.load, ImportSheet(sheet.table, sheet.mapping)

    async def slow(*given: Any) -> ColumnMapping:
        found = await load(*given)
        page.mapping.show_sheet(other, ())  # another file has come while the journal was read
        return found

    monkeypatch.setattr(kept_mappings, "load", slow)
    choose(page.mapping.menu(), "Use", "Our ERP")
    loop.until(lambda: "was chosen for another file" in page.bar.text)
    assert asked == []


def test_a_mapping_is_handed_on_as_a_file_and_no_other_file_is_taken_for_one(
    loop: RunningLoop, page: BulkPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_file(loop, page, write_csv(tmp_path, line("UI-1")))
    page.mapping._take_fixed(page.session.sheet, {"poNumber": "PO-9"})  # type: ignore[arg-type]
    settled(loop, page)
    choose(page.mapping.menu(), "Save as a file to hand on…")
    choose_file(loop, page, tmp_path / "ours.waybill-mapping")
    loop.until((tmp_path / "ours.waybill-mapping").exists)
    page.mapping._take_fixed(page.session.sheet, {})  # type: ignore[arg-type]
    settled(loop, page)
    assert page.session.sheet is not None
    assert page.session.sheet.draft(0).poNumber == ""
    choose(page.mapping.menu(), "Take from a file…")
    choose_file(loop, page, tmp_path / "ours.waybill-mapping")
    loop.until(lambda: page.session.sheet is not None and page.session.sheet.draft(0).poNumber == "PO-9")
    choose(page.mapping.menu(), "Take from a file…")
    choose_file(loop, page, tmp_path / "orders.csv")
    loop.until(lambda: "This is no file of a mapping of columns." in page.bar.text, lambda: page.bar.text)

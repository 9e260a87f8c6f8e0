"""Far too much pasted by mistake: refused in words as a whole, and the window goes on at once. Nothing is ever cut."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.contract.draft import FreightDraft
from app.desk.desk import Desk
from app.ui.base.page import PageServices
from app.ui.entry.entry_page import EntryPage
from app.ui.widgets.field import MOST_LETTERS, TOO_MUCH, Field
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.entry.entry_help import page_on

CTRL = Qt.KeyboardModifier.ControlModifier
MUCH = "x" * (MOST_LETTERS + 1)


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, window_desk: Desk, show: Show) -> EntryPage:
    return page_on(loop, services, show, window_desk)


@pytest.fixture(autouse=True)
def clipboard() -> Iterator[None]:
    yield
    QApplication.clipboard().clear()


def paste(text: str) -> None:
    """Ctrl+V where the keyboard is."""
    QApplication.clipboard().setText(text)
    here = QApplication.focusWidget()
    assert here is not None
    QTest.keyClick(here, Qt.Key.Key_V, CTRL)


@pytest.mark.parametrize("path", ["orderReferenceNumber", "shipDate", "billToCode", "deliveryInstructions"])
def test_a_field_takes_none_of_it_and_says_so(page: EntryPage, path: str) -> None:
    field = page.form.fields[path]
    assert isinstance(field, Field)
    page.form.go_to(path)
    QTest.keyClicks(field.editor, "so far")
    paste(MUCH)
    assert (field.editor.text() if path == "shipDate" else field.text()) == "so far"  # type: ignore[union-attr]
    assert field.shown == TOO_MUCH
    QTest.keyClicks(field.editor, "!")
    assert field.text() == "so far!"
    assert field.shown != TOO_MUCH


def test_a_long_text_that_is_kept_is_shown_whole_and_can_be_shortened(page: EntryPage) -> None:
    """It may come from an earlier version, or from a file."""
    field = page.form.fields["orderReferenceNumber"]
    field.set_text(MUCH + "y")
    assert field.text() == MUCH + "y"
    page.form.go_to("orderReferenceNumber")
    QTest.keyClick(field.editor, Qt.Key.Key_End)
    QTest.keyClick(field.editor, Qt.Key.Key_Backspace)
    assert field.text() == MUCH


def test_a_cell_takes_none_of_it_open_or_closed(page: EntryPage) -> None:
    rows = page.form.lists["freightDetails"]
    page.form.go_to("freightDetails[0].commodity")
    paste(MUCH)
    assert rows.note == f"Nothing was pasted: a cell holds more than {MOST_LETTERS:,} characters."
    QTest.keyClicks(rows.grid, "S")
    paste(MUCH)
    assert rows.note == TOO_MUCH
    assert [each.commodity for each in page.form.draft().freightDetails] == ["S"]


def test_more_rows_than_any_order_has_are_refused(page: EntryPage) -> None:
    rows = page.form.lists["freightDetails"]
    page.form.go_to("freightDetails[0].commodity")
    paste("\n".join(["SOFA\t1\t2"] * 20_001))
    assert rows.note == "Nothing was pasted: 20,001 rows are more than 20,000 at once."
    assert page.form.draft().freightDetails == [FreightDraft()]


def test_the_scan_field_takes_a_column_of_thousands_and_not_of_hundreds_of_thousands(page: EntryPage) -> None:
    page.form.lists["freightDetails"].model.load([FreightDraft("SOFA", "5000", "1")])
    page.form.scan.field.setFocus()
    paste("\n".join(f"B{number:07}" for number in range(50_000)))
    assert page.form.scan.last == "✕ Nothing was added: more than 300,000 characters at once."
    paste("\n".join(f"B{number:049}" for number in range(5_000)))
    assert page.form.scan.last == "✓ 5,000 added."

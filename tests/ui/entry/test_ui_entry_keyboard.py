"""A whole order by keyboard alone: Tab follows the eye, keys go to whatever has the keyboard, nothing traps it."""

import json
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QWidget

from app.desk.desk import Desk
from app.desk.sending import outbox
from app.ui.base.page import PageServices
from app.ui.entry.entry_page import EntryPage, blank_draft
from app.ui.entry.form.layout_data import SECTIONS
from app.ui.widgets.grid.grid_view import RowsGrid
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show

ALT, CTRL = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier
SPECIAL = {"\t": Qt.Key.Key_Tab, "\n": Qt.Key.Key_Return, "↓": Qt.Key.Key_Down}


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, window_desk: Desk, show: Show) -> Iterator[EntryPage]:
    made = EntryPage(services)
    made.take_desk(window_desk)
    show(made)
    loop.until(lambda: not made.tasks.running("reopen"))
    made.enter()
    yield made
    QApplication.clipboard().clear()


def keyboard() -> QWidget:
    """What has the keyboard now."""
    found = QApplication.focusWidget()
    assert found is not None
    return found


def type_keys(loop: RunningLoop, keys: str) -> None:
    """As a person types; `\\t`, `\\n` and `↓` are Tab, Enter and an arrow."""
    for each in keys:
        if each in SPECIAL:
            QTest.keyPress(keyboard(), SPECIAL[each])
        else:
            QTest.keyClicks(keyboard(), each)
        loop.breathe()


def test_arrows_in_a_field_of_one_line_do_not_scroll_the_form(loop: RunningLoop, page: EntryPage) -> None:
    page.window().resize(900, 500)
    page.form.go_to("orderReferenceNumber")
    loop.rest()
    bar = page._scroll.verticalScrollBar()
    assert bar.maximum() > 0
    bar.setValue(5)
    field = keyboard()
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up):
        QTest.keyClick(field, key)
        assert (bar.value(), keyboard()) == (5, field)
    QTest.keyClick(field, Qt.Key.Key_PageDown)
    assert bar.value() > 5


def test_tab_follows_the_eye_through_the_whole_form(loop: RunningLoop, page: EntryPage) -> None:
    page.show_draft("d-1", blank_draft())
    page.form.go_to("orderReferenceNumber")
    places, seen = [], []
    while page.form.isAncestorOf(keyboard()):
        here = keyboard()
        at = here.mapTo(page.form, QPoint(0, 0))
        inside = here.currentIndex().column() if isinstance(here, RowsGrid) else 0
        places.append((at.y(), at.x(), inside))
        seen.append(here)
        QTest.keyClick(here, Qt.Key.Key_Tab)
        assert len(seen) < 60, "the keyboard is caught"
    assert places == sorted(places)
    for path, field in page.form.fields.items():
        assert field.editor in seen, path
    assert page.form.scan.field in seen
    assert all(each.grid in seen or not each.model.rows for each in page.form.lists.values())
    assert all(each.add_button in seen for each in page.form.lists.values())


def test_every_stop_of_the_keyboard_has_a_name(loop: RunningLoop, page: EntryPage) -> None:
    first = keyboard()
    for _ in range(80):
        assert keyboard().accessibleName() or keyboard().accessibleDescription(), keyboard()
        QTest.keyClick(keyboard(), Qt.Key.Key_Tab)
        if keyboard() is first:
            break
    assert keyboard() is first, "Tab comes round"


def test_every_section_is_reached_by_its_key_from_anywhere(page: EntryPage) -> None:
    for number, plan in enumerate(SECTIONS, 1):
        QTest.keyClick(keyboard(), Qt.Key(Qt.Key.Key_0 + number), ALT)
        assert page.form.sections[plan.title].isAncestorOf(keyboard()), plan.title


def test_an_order_from_nothing_by_keyboard_alone(loop: RunningLoop, page: EntryPage, window_desk: Desk) -> None:
    """Fields, a choice, a date as one says it, two freight lines, five scans, a reference, and off it goes."""
    type_keys(loop, "R-1\tPO-7")
    QTest.keyClick(keyboard(), Qt.Key.Key_Tab)
    type_keys(loop, "↓")
    assert isinstance(keyboard(), QComboBox)
    type_keys(loop, "\t\t\t\t\tMEM01\t+0\t\t\t")
    type_keys(loop, "Josefina Rivera\t1420 Vance Avenue\tSuite 9\tMemphis\tTN\t381040142\t9015550142\t\t\t")
    type_keys(loop, "SOFA\t2\t62.5\t148\n")
    type_keys(loop, "CHAIR\t3\t31\n\n")
    QTest.keyClick(keyboard(), Qt.Key.Key_4, ALT)
    QTest.keyClick(keyboard(), Qt.Key.Key_Backtab)
    type_keys(loop, "TRL-4471\n")
    type_keys(loop, "WB01\nWB02\nCHAIR\nWB03\nWB04\nWB05\n")
    QTest.keyClick(keyboard(), Qt.Key.Key_5, ALT)
    QTest.keyClick(keyboard(), Qt.Key.Key_Space)  # the button that adds one
    type_keys(loop, "DEPT\t17\t")
    QTest.keyClick(keyboard(), Qt.Key.Key_6, ALT)
    type_keys(loop, "Call first.")
    assert page.check().count == 0, page.check().issues()
    QTest.keyPress(keyboard(), Qt.Key.Key_Return, CTRL)
    loop.until(lambda: "R-1 is in the outbox" in page.bar.text)
    (write,) = loop.run(outbox.writes(window_desk, (), 10))
    sent = json.loads(loop.run(outbox.story(window_desk, write.id)).payload)
    assert (sent["deliveryType"], sent["consignee"]["zip"], sent["consignee"]["phone1"]) == (
        "HOME",
        "381040142",
        "9015550142",
    )
    assert [line["commodity"] for line in sent["freightDetails"]] == ["SOFA", "CHAIR"]
    assert [(item["barcode"], item["commodity"]) for item in sent["barcoding"]["barcodeItemDetails"]] == [
        ("WB01", "SOFA"), ("WB02", "SOFA"), ("WB03", "CHAIR"), ("WB04", "CHAIR"), ("WB05", "CHAIR"),
    ]  # fmt: skip
    assert sent["otherReferenceNumbers"] == [{"type": "DEPT", "value": "17"}]
    assert len(sent["shipDate"]) == len("2026-11-21")

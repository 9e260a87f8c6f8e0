"""Scanning barcodes: every key of a fast scanner arrives, what an order cannot take is refused, nothing is sent."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.contract.draft import BarcodeDraft, BarcodingDraft, FreightDraft, OrderDraft
from app.desk.desk import Desk
from app.desk.drafts import saved_drafts
from app.desk.known import known_data
from app.desk.sending import outbox
from app.ui.base.page import PageServices
from app.ui.entry.entry_page import EntryPage
from app.ui.entry.form.entry_form import OrderForm
from app.ui.theme.theme import Theme
from app.ui.widgets import sounds
from tests.support.desks import order_draft, submission
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
NONE = Qt.KeyboardModifier.NoModifier
FREIGHT = [
    FreightDraft("SOFA", "2", "60", "140"),
    FreightDraft("CHAIR", "3", "30", "70"),
    FreightDraft("LAMP", "1", "2"),
]
BARCODES = "barcoding.barcodeItemDetails"
SCANNER_MS = 2  # 20 characters in 40 ms


@pytest.fixture(autouse=True)
def clipboard() -> Iterator[None]:
    yield
    QApplication.clipboard().clear()


@pytest.fixture
def beeps(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    heard: list[int] = []
    monkeypatch.setattr(QApplication, "beep", lambda: heard.append(1))
    monkeypatch.setattr(sounds, "_LEAST_S", 0.0)
    return heard


@pytest.fixture
def form(theme: Theme, show: Show) -> OrderForm:
    made = OrderForm(theme)
    show(made)
    made.load(OrderDraft(freightDetails=FREIGHT))
    made.scan.field.setFocus()
    return made


def scan(form: OrderForm, *codes: str) -> None:
    for code in codes:
        QTest.keyClicks(form.scan.field, code)
        QTest.keyClick(form.scan.field, Qt.Key.Key_Return)


def press(form: OrderForm, key: Qt.Key, keys: Qt.KeyboardModifier = NONE) -> None:
    QTest.keyClick(form.scan.field, key, keys)


def scanned(form: OrderForm) -> list[tuple[str, str]]:
    return [(row.barcode, row.commodity) for row in form.lists[BARCODES].rows()]


def paste(form: OrderForm, text: str) -> None:
    QApplication.clipboard().setText(text)
    press(form, Qt.Key.Key_V, CTRL)


def test_each_scan_is_a_row_of_the_current_commodity(form: OrderForm) -> None:
    scan(form, "CHAIR", "WB1", "WB2")
    assert form.lists[BARCODES].rows() == [BarcodeDraft("CHAIR", "WB1", "1"), BarcodeDraft("CHAIR", "WB2", "1")]
    assert form.scan.last == "✓ WB2 · CHAIR"
    assert form.scan.field.text() == ""
    assert form.scan.field.hasFocus()


def test_the_commodity_is_switched_by_key_by_scan_and_by_its_bar(form: OrderForm) -> None:
    press(form, Qt.Key.Key_Down, CTRL)
    scan(form, "WB1", "lamp", "WB2")
    assert scanned(form) == [("WB1", "CHAIR"), ("WB2", "LAMP")]
    assert form.scan.current == "SOFA", "there is one lamp alone, and no sofa was scanned"
    press(form, Qt.Key.Key_Up, CTRL)
    assert form.scan.last == "Now scanning LAMP."
    press(form, Qt.Key.Key_Down, CTRL)
    assert form.scan.current == "SOFA"
    form.scan.bars.chosen.emit("CHAIR")
    scan(form, "WB3")
    assert scanned(form)[-1] == ("WB3", "CHAIR")


def test_a_duplicate_is_refused_with_words_colour_and_sound(form: OrderForm, beeps: list[int]) -> None:
    scan(form, "WB1", "WB1")
    assert scanned(form) == [("WB1", "SOFA")]
    assert form.scan.last == "✕ WB1 is already on this order."
    assert form.scan._last.property("tone") == "bad"
    assert form.scan.field.property("wrong") is True
    assert beeps == [1]
    scan(form, "WB2")
    assert form.scan.field.property("wrong") is False
    assert form.scan._last.property("tone") == "good"
    assert beeps == [1]


def test_what_is_no_commodity_of_the_order_is_refused(form: OrderForm, beeps: list[int]) -> None:
    form.scan.others = frozenset({"DESK"})
    scan(form, "DESK")
    assert form.scan.last == "✕ DESK is a commodity, but not in the freight of this order."
    form.load(OrderDraft())
    scan(form, "WB1")
    assert form.scan.last == "✕ WB1: The freight has no commodity yet. Enter the freight first."
    press(form, Qt.Key.Key_Down, CTRL)
    assert scanned(form) == []
    assert len(beeps) == 3


def test_the_real_bell_is_no_fault_without_a_sound_card(form: OrderForm) -> None:
    scan(form, "WB1", "WB1")
    assert form.scan.last.startswith("✕")


def test_a_full_commodity_hands_over_and_taking_off_leads_back(form: OrderForm) -> None:
    scan(form, "S1", "S2")
    assert form.scan.last == "✓ S2 · SOFA. SOFA is full: now scanning CHAIR."
    assert form.scan.current == "CHAIR"
    press(form, Qt.Key.Key_Backspace)
    assert form.scan.current == "SOFA"
    scan(form, "S2", "C1", "C2", "C3", "L1")
    assert [commodity for _, commodity in scanned(form)] == ["SOFA"] * 2 + ["CHAIR"] * 3 + ["LAMP"]
    assert form.scan.bars.words()[-1] == "LAMP: ✓ 1 of 1, being scanned"
    scan(form, "X1")
    assert form.scan.last == "! X1 · LAMP. More than the freight says: 2 scanned, the freight says 1."


def test_whoever_chooses_a_full_commodity_scans_on_with_it(form: OrderForm) -> None:
    scan(form, "S1", "S2")
    press(form, Qt.Key.Key_Up, CTRL)
    scan(form, "S3")
    assert scanned(form)[-1] == ("S3", "SOFA")
    assert form.scan.last.startswith("! S3 · SOFA. More than the freight says: 3 scanned")


def test_a_pasted_column_hands_over_as_it_goes(form: OrderForm) -> None:
    paste(form, "S1\nS2\nC1\nC2\nC3\nL1")
    assert [commodity for _, commodity in scanned(form)] == ["SOFA"] * 2 + ["CHAIR"] * 3 + ["LAMP"]


def test_groups(form: OrderForm) -> None:
    scan(form, "WB1")
    press(form, Qt.Key.Key_G, CTRL)
    scan(form, "x" * 51)
    assert form.scan.last.endswith("At most 50 characters; this has 51.")
    scan(form, "PAL-7", "WB2", "WB3")
    assert "group PAL-7" in form.scan._now.text()
    assert form.scan.group_button.accessibleName() == "End group"
    press(form, Qt.Key.Key_G, CTRL)
    scan(form, "WB4")
    assert [row.groupBarcode for row in form.lists[BARCODES].rows()] == ["", "PAL-7", "PAL-7", ""]
    form.scan.group_button.click()
    form.scan.group_button.click()
    assert form.scan.last == "No group was begun."


def test_bars_show_scanned_against_the_freight_in_words_too(form: OrderForm) -> None:
    scan(form, "WB1", "WB2", "CHAIR", "WB3")
    assert form.scan.bars.words() == ["SOFA: ✓ 2 of 2", "CHAIR: 1 of 3, being scanned", "LAMP: 0 of 1"]
    scan(form, "SOFA", "WB4")
    assert form.scan.bars.words()[0] == "SOFA: ! 3 of 2, being scanned"
    form.load(OrderDraft(freightDetails=[FreightDraft("SOFA", "5000", "1")]))
    assert form.scan.bars.words() == ["SOFA: 0 of 5,000, being scanned"]
    form.load(OrderDraft())
    assert form.scan.bars.words() == []
    assert form.scan.bars.isHidden()


def test_bars_follow_what_is_typed_in_the_grids(form: OrderForm) -> None:
    freight = form.lists["freightDetails"]
    freight.model.type_in(freight.model.index(0, 1), "9")
    form.check()
    assert form.scan.bars.words()[0] == "SOFA: 0 of 9, being scanned"


def test_the_last_is_taken_off_and_put_back_by_key(form: OrderForm) -> None:
    scan(form, "WB1", "WB2")
    press(form, Qt.Key.Key_Backspace)
    assert (scanned(form), form.scan.last) == ([("WB1", "SOFA")], "WB2 was removed. Ctrl+Z puts it back.")
    press(form, Qt.Key.Key_Z, CTRL)
    assert len(scanned(form)) == 2
    press(form, Qt.Key.Key_Z, CTRL)
    assert scanned(form) == [("WB1", "SOFA")]
    press(form, Qt.Key.Key_Y, CTRL)
    assert len(scanned(form)) == 2
    press(form, Qt.Key.Key_Delete)
    press(form, Qt.Key.Key_Delete)
    press(form, Qt.Key.Key_Delete)
    assert (scanned(form), form.scan.last) == ([], "✕ There is no barcode to remove.")


def test_keys_that_edit_the_code_leave_the_rows_alone(form: OrderForm) -> None:
    scan(form, "WB1")
    QTest.keyClicks(form.scan.field, "AB")
    press(form, Qt.Key.Key_Z, CTRL)
    QTest.keyClicks(form.scan.field, "AB")
    press(form, Qt.Key.Key_Backspace)
    press(form, Qt.Key.Key_Backspace)
    held = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Backspace, NONE, "", True)
    QApplication.sendEvent(form.scan.field, held)
    assert scanned(form) == [("WB1", "SOFA")]


def test_enter_in_the_empty_field_adds_nothing(form: OrderForm) -> None:
    scan(form, "", "   ")
    assert scanned(form) == []


def test_a_pasted_column_is_scanned_line_by_line_as_one_step(form: OrderForm, beeps: list[int]) -> None:
    scan(form, "WB1")
    paste(form, "WB2\r\nWB3\tCHAIR\r\n\r\nWB1\r\nWB4\tTABLE\r\nWB2\r\n")
    assert scanned(form) == [("WB1", "SOFA"), ("WB2", "SOFA"), ("WB3", "CHAIR")]
    assert form.scan.last == (
        "✕ 2 added. 3 refused: WB1 is already on this order. WB4: TABLE is not in the freight of this order. "
        "WB2 is already on this order."
    )
    assert beeps == [1]
    press(form, Qt.Key.Key_Z, CTRL)
    assert scanned(form) == [("WB1", "SOFA")]
    paste(form, "A\nB\nC")
    assert form.scan.last == "✓ 3 added."


def test_a_pasted_table_is_no_scan_its_rows_stand_in_the_grid(form: OrderForm, beeps: list[int]) -> None:
    scan(form, "WB0")
    paste(form, "WB1\tCHAIR\t2\tDining chair\r\nWB2\tLAMP\t1\r\n")
    assert form.lists[BARCODES].rows()[1:] == [
        BarcodeDraft("CHAIR", "WB1", "2", "Dining chair"),
        BarcodeDraft("LAMP", "WB2", "1"),
    ]
    assert form.scan.last == "✓ 2 rows pasted. Ctrl+Z undoes that."
    assert form.scan.field.hasFocus()
    press(form, Qt.Key.Key_Z, CTRL)
    assert scanned(form) == [("WB0", "SOFA")]
    assert beeps == []
    paste(form, "\t".join("1234567") + "\n" + "\t".join("1234567"))
    assert form.scan.last.startswith("✕ Nothing was pasted: the block is 7 columns wide")
    assert beeps == [1]


def test_enter_in_the_load_number_goes_on_to_scanning(form: OrderForm) -> None:
    """A load number comes from a scanner too; what is scanned after it are barcodes."""
    load = form.fields["barcoding.receivingLoadNumber"].editor
    load.setFocus()
    QTest.keyClicks(load, "TRL-1")
    QTest.keyClick(load, Qt.Key.Key_Return)
    assert form.scan.field.hasFocus()
    assert form.draft().barcoding.receivingLoadNumber == "TRL-1"


def test_a_row_that_was_added_by_hand_and_left_empty_gives_way(form: OrderForm) -> None:
    form.lists[BARCODES].add_row()
    scan(form, "WB1")
    assert scanned(form) == [("WB1", "SOFA")]


def test_a_column_pasted_into_the_grid_takes_the_commodity_that_is_scanned(form: OrderForm) -> None:
    press(form, Qt.Key.Key_Down, CTRL)
    rows = form.lists[BARCODES]
    QApplication.clipboard().setText("Barcode\nA1\nA2\n")
    rows.grid.setFocus()
    QTest.keyClick(rows.grid, Qt.Key.Key_V, CTRL)
    assert rows.rows() == [BarcodeDraft("CHAIR", "A1", "1"), BarcodeDraft("CHAIR", "A2", "1")]


def test_a_code_that_waits_in_the_field_is_something_to_do(form: OrderForm) -> None:
    QTest.keyClicks(form.scan.field, "WB1")
    assert [each.path for each in form.check().fields][-1] == "scan"
    form.lists["freightDetails"].grid.setFocus()
    form.go_to("scan")
    assert form.scan.field.hasFocus()
    press(form, Qt.Key.Key_Return)
    assert "scan" not in [each.path for each in form.check().fields]


def test_another_order_begins_afresh(form: OrderForm) -> None:
    press(form, Qt.Key.Key_G, CTRL)
    scan(form, "PAL-7", "CHAIR", "WB1")
    form.load(OrderDraft(freightDetails=FREIGHT))
    assert (form.scan.current, form.scan.last, form.scan.field.text()) == ("SOFA", "", "")
    scan(form, "WB1")
    assert form.lists[BARCODES].rows() == [BarcodeDraft("SOFA", "WB1", "1")]


def test_endless_codes_do_not_widen_the_form(form: OrderForm) -> None:
    before = form.minimumSizeHint().width()
    form.load(OrderDraft(freightDetails=[FreightDraft("C" * 4000, "1")]))
    scan(form, "W" * 4000, "WB1", "WB1")
    assert form.minimumSizeHint().width() <= before
    assert scanned(form) == [("WB1", "C" * 4000)]


def test_the_field_says_its_state_to_a_screen_reader(form: OrderForm) -> None:
    scan(form, "WB1", "WB1")
    said = form.scan.field.accessibleDescription()
    for words in ("Scanning SOFA", "already on this order", "Ctrl+Up"):
        assert words in said
    assert form.scan.field.accessibleName() == "Scan barcodes"


# On a real desk, at a scanner's speed


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, window_desk: Desk, show: Show) -> EntryPage:
    made = EntryPage(services)
    made.take_desk(window_desk)
    show(made)
    loop.until(lambda: not made.tasks.running("reopen"))
    return made


def test_a_scanner_at_full_speed_loses_no_key_while_the_draft_is_checked_and_kept(
    loop: RunningLoop, page: EntryPage, window_desk: Desk
) -> None:
    """Twenty characters in forty milliseconds, code after code, on an order that is large already."""
    many = [BarcodeDraft("SOFA", f"OLD{number:07}", "1") for number in range(2000)]
    draft = replace(order_draft("R-1"), freightDetails=FREIGHT, barcoding=BarcodingDraft("TRL-1", many))
    page.show_draft("d-1", draft)
    page.form.scan.field.setFocus()
    codes = [f"WB{number:018}" for number in range(60)]
    for code in codes:
        QTest.keyClicks(page.form.scan.field, code, NONE, SCANNER_MS)
        QTest.keyClick(page.form.scan.field, Qt.Key.Key_Return, NONE, SCANNER_MS)
    assert [row.barcode for row in page.form.draft().barcoding.barcodeItemDetails[2000:]] == codes
    assert sum(loop.run(outbox.counts(window_desk)).values()) == 0, "a scanner submits nothing"
    loop.run(page.flush())
    kept = loop.run(saved_drafts.load(window_desk, "d-1"))
    assert kept is not None
    assert kept.draft == page.form.draft()


def keyboard() -> QWidget:
    """What has the keyboard now."""
    found = QApplication.focusWidget()
    assert found is not None
    return found


@pytest.mark.parametrize("breathing", [True, False], ids=["two milliseconds a key", "all keys at once"])
def test_a_scanner_in_the_grid_loses_no_key_either(loop: RunningLoop, page: EntryPage, breathing: bool) -> None:
    """Keys that have piled up come in one turn: what Enter does must be done when the next key comes."""
    page.show_draft("d-1", replace(order_draft("R-1"), freightDetails=FREIGHT))
    rows = page.form.lists[BARCODES]
    rows.add_row()
    codes = [f"WB{number:018}" for number in range(30)]
    for code in codes:
        for letter in code:
            QTest.keyClicks(keyboard(), letter)
            if breathing:
                loop.breathe()
        # Pressed only: the cell's editor is gone before the key comes up.
        QTest.keyPress(keyboard(), Qt.Key.Key_Return)
    assert [row.barcode for row in rows.rows()] == [*codes, ""]


def test_an_order_with_a_code_that_waits_is_not_sent(loop: RunningLoop, page: EntryPage, window_desk: Desk) -> None:
    page.form.load(order_draft("R-1"))
    QTest.keyClicks(page.form.scan.field, "WB1")
    page.submit()
    loop.rest()
    assert sum(loop.run(outbox.counts(window_desk)).values()) == 0
    assert page.form.scan.field.hasFocus()


def test_the_code_of_a_known_commodity_that_is_not_in_the_freight_is_no_barcode(
    loop: RunningLoop, page: EntryPage, window_desk: Desk
) -> None:
    loop.run(outbox.queue_submission(window_desk, submission("R-0"), None))
    while loop.run(known_data.learn_some(window_desk)):
        pass
    known = order_draft("R-0").freightDetails[0].commodity
    page.show_draft("d-1", replace(order_draft("R-1"), freightDetails=[FreightDraft("TABLE", "1", "2")]))
    page.form.go_to("scan")
    loop.until(lambda: known in page.form.scan.others)
    scan(page.form, known)
    assert page.form.scan.last == f"✕ {known} is a commodity, but not in the freight of this order."
    assert page.form.lists[BARCODES].rows() == []

"""The dialog for slots: asked for, picked by day and time, reserved after a yes, shown with the order."""

from collections.abc import Iterator
from datetime import date, datetime

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton

from app.desk.desk import Desk
from app.ui.base.page import Page, PageServices
from app.ui.orders.detail.detail_body import HereView
from app.ui.orders.orders_page import OrdersPage
from app.ui.slots.slots_dialog import ReservationView, SlotOrder, SlotsDialog
from tests.support.fault_server import INFORMATION, MANAGEMENT, FaultServer
from tests.support.faults import Answer, act_then_drop, json_answer
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.orders.orders_help import fill, idle, order

GET, RESERVE = "/PartnerA/getSlot", "/PartnerA/reserveSlot"
SLOTS = {
    "hub": "H1",
    "slots": [
        {"slotId": "S-3", "date": "2026-11-25", "from": "08:00", "to": "12:00", "remaining": 2},
        {"slotId": "S-2", "date": "2026-11-24", "from": "12:00", "to": "16:00", "remaining": 1},
        {"slotId": "S-1", "date": "2026-11-24", "from": "08:00", "to": "12:00", "remaining": 4},
    ],
}
ORDER = SlotOrder("R-1", "MEM01", "38104", date(2026, 11, 24))


@pytest.fixture
def page(services: PageServices, show: Show, window_desk: Desk) -> Page:
    made = Page(services, "slots")
    show(made)
    made.take_desk(window_desk)
    return made


@pytest.fixture
def dialog(page: Page, loop: RunningLoop, window_desk: Desk, fault_server: FaultServer) -> Iterator[SlotsDialog]:
    fault_server.serve(MANAGEMENT + GET, json_answer(SLOTS))
    fault_server.serve(MANAGEMENT + RESERVE, json_answer({"reservationId": "RSV-1", "reserved": True}))
    made = SlotsDialog(page, window_desk, ORDER)
    made.open_for()
    loop.until(lambda: made.isVisible() and not page.tasks.busy)
    yield made
    if made._open:
        made.reject()
    loop.until(lambda: not page.tasks.busy)


def lines(dialog: SlotsDialog) -> tuple[list[str], list[str]]:
    days, times = dialog.days, dialog.times
    return (
        [days.item(at).text() for at in range(days.count())],
        [times.item(at).text() for at in range(times.count())],
    )


def get(dialog: SlotsDialog, loop: RunningLoop) -> None:
    dialog.get_button.click()
    loop.until(lambda: dialog._found is not None)


def answer(loop: RunningLoop, action: str) -> str:
    """Press a button of the question, and return the question."""

    def box() -> QMessageBox | None:
        found = QApplication.activeModalWidget()
        return found if isinstance(found, QMessageBox) else None

    loop.until(lambda: box() is not None)
    asked = box()
    assert asked is not None
    said = asked.text()
    next(each for each in asked.buttons() if each.text() == action).click()
    return said


def earlier(dialog: SlotsDialog) -> list[str]:
    found = []
    for at in range(dialog._earlier.count()):
        item = dialog._earlier.itemAt(at)
        widget = None if item is None else item.widget()
        if isinstance(widget, ReservationView):
            found.append(widget.findChildren(type(dialog.heading))[0].text())
    return found


def test_the_slots_are_shown_by_day_and_time_with_the_rest_as_it_is(dialog: SlotsDialog, loop: RunningLoop) -> None:
    get(dialog, loop)
    days, times = lines(dialog)
    assert days == ["Tue 24 Nov 2026 · 2 slots", "Wed 25 Nov 2026 · 1 slot"]
    assert times == ["08:00 to 12:00", "12:00 to 16:00"]
    assert dialog.rest.text() == "Hub: H1\nSlot id: S-1\nRemaining: 4"
    dialog.days.setFocus()
    QTest.keyClick(dialog.days, Qt.Key.Key_Down)
    assert lines(dialog)[1] == ["08:00 to 12:00"]
    assert dialog.heading.text().startswith("3 slots, asked at ")


def test_a_slot_is_reserved_after_a_yes_and_stands_below(
    dialog: SlotsDialog, loop: RunningLoop, fault_server: FaultServer
) -> None:
    get(dialog, loop)
    dialog.times.setCurrentRow(1)
    dialog.reserve_button.click()
    assert answer(loop, "Reserve it") == "Reserve Tue 24 Nov 2026, 12:00 to 16:00 for order R-1?"
    loop.until(lambda: earlier(dialog) == ["✓ Tue 24 Nov 2026, 12:00 to 16:00 · Accepted"])
    assert b'"slotId":"S-2"' in fault_server.seen("/reserveSlot")[0].body
    assert "RSV-1" in dialog.bar.text


def test_a_no_sends_nothing(dialog: SlotsDialog, loop: RunningLoop, fault_server: FaultServer) -> None:
    get(dialog, loop)
    dialog.reserve_button.click()
    answer(loop, "Do not reserve")
    loop.until(lambda: not dialog._page.tasks.busy)
    assert fault_server.seen("/reserveSlot") == []
    assert earlier(dialog) == []


def test_a_reservation_without_an_answer_is_in_doubt_until_a_person_decides(
    dialog: SlotsDialog, loop: RunningLoop, fault_server: FaultServer
) -> None:
    fault_server.plan(act_then_drop(), "/reserveSlot", times=None)
    get(dialog, loop)
    dialog.reserve_button.click()
    answer(loop, "Reserve it")
    loop.until(lambda: earlier(dialog) == ["! Tue 24 Nov 2026, 08:00 to 12:00 · In doubt"])
    assert "It may have arrived." in dialog.bar.text
    (no,) = [each for each in dialog.findChildren(QPushButton) if each.text() == "It did not arrive"]
    no.click()
    loop.until(lambda: earlier(dialog) == ["○ Tue 24 Nov 2026, 08:00 to 12:00 · Did not arrive"])
    assert len(fault_server.seen("/reserveSlot")) == 1


def test_slots_of_another_question_cannot_be_reserved(dialog: SlotsDialog, loop: RunningLoop) -> None:
    get(dialog, loop)
    assert dialog.reserve_button.isEnabled()
    QTest.keyClicks(dialog.zip.editor, "9")
    assert lines(dialog) == ([], [])
    assert not dialog.reserve_button.isEnabled()


def test_partner_b_offers_days_and_says_that_it_takes_no_reservation(
    dialog: SlotsDialog, loop: RunningLoop, fault_server: FaultServer
) -> None:
    fault_server.serve(MANAGEMENT + "/PartnerB/getSlot", json_answer(SLOTS))
    dialog.partner.put("B")
    get(dialog, loop)
    assert lines(dialog)[0][0] == "Tue 24 Nov 2026 · 2 slots"
    assert not dialog.reserve_button.isEnabled()
    assert "Partner B has no reservation" in dialog.rest.text()


def test_what_is_wrong_is_said_beside_its_field_and_nothing_is_asked(
    dialog: SlotsDialog, loop: RunningLoop, fault_server: FaultServer
) -> None:
    dialog.reference.put("")
    dialog.day.put("someday")
    dialog.more.put("crew two")
    dialog.ask()
    assert dialog.reference.shown == "An order reference is needed to ask for slots."
    assert dialog.day.shown == "This is no day. Type it as +3, fri or 12/24."
    assert dialog.more.shown == "“crew two” is not name = value."
    assert fault_server.seen("/getSlot") == []


def test_trouble_is_said_and_an_answer_without_slots_is_shown_as_it_is(
    dialog: SlotsDialog, loop: RunningLoop, fault_server: FaultServer
) -> None:
    fault_server.serve(MANAGEMENT + GET, Answer(403))
    get(dialog, loop)
    assert dialog.heading.text() == "The slots are not known"
    assert dialog.bar.text
    fault_server.serve(MANAGEMENT + GET, json_answer({"message": "Nothing before Monday"}))
    dialog.ask()
    loop.until(lambda: dialog.rest.text() == "Message: Nothing before Monday")
    assert dialog.bar.text == ""


def test_an_order_leads_to_its_slots_and_shows_what_was_reserved(
    services: PageServices, show: Show, loop: RunningLoop, window_desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.serve(MANAGEMENT + GET, json_answer(SLOTS))
    fault_server.serve(MANAGEMENT + RESERVE, json_answer({"reservationId": "RSV-1"}))
    fault_server.serve(INFORMATION + "/orders/12", json_answer({"OrderNumber": 12, "CRN": "R-00012"}))
    fill(loop, window_desk, [order(12, zip="38104", requested_delivery=datetime(2030, 1, 2))])
    page = OrdersPage(services)
    show(page)
    page.take_desk(window_desk)
    loop.until(lambda: idle(page) and page.model.rowCount() > 0)
    page.table.selectRow(0)
    page.table.setFocus()
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(page.table, Qt.Key.Key_S, keys)
    loop.until(lambda: bool(page.findChildren(SlotsDialog)))
    (dialog,) = page.findChildren(SlotsDialog)
    assert (dialog.reference.text(), dialog.zip.text()) == ("R-00012", "38104")
    get(dialog, loop)
    dialog.reserve_button.click()
    answer(loop, "Reserve it")
    loop.until(lambda: len(earlier(dialog)) == 1)
    dialog.accept()
    assert page.side.order is not None
    detail = page.side.order
    told = ("Delivery slot", "✓ Tue 24 Nov 2026, 08:00 to 12:00 · Accepted")
    loop.until(lambda: told in [each.facts[0][:2] for each in detail.body.findChildren(HereView)])
    loop.until(lambda: idle(page))


@pytest.mark.parametrize("slots", [True, False])
def test_megabytes_in_an_answer_are_shown_in_part(
    dialog: SlotsDialog, loop: RunningLoop, fault_server: FaultServer, slots: bool
) -> None:
    long: dict[str, object] = {"note": "x" * 2_000_000, **{f"field {at}": at for at in range(3_000)}}
    answered = [{**SLOTS["slots"][0], **long}] if slots else long  # type: ignore[dict-item]
    fault_server.serve(MANAGEMENT + GET, json_answer(answered))
    get(dialog, loop)
    assert dialog.rest.text().startswith(f"{'Slot id: S-3' if slots else 'Note: xxx'}")
    assert "xxx…" in dialog.rest.text()
    assert len(dialog.rest.text()) < 2_000

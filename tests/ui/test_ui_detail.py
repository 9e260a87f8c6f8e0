"""One order beside the table: as last seen at once, whole when the provider has answered, and what can be done."""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QPushButton

from app.desk import outbox
from app.desk.desk import Desk
from app.ui.orders.detail import DetailPane
from app.ui.orders.page import OrdersPage
from app.ui.page import Room
from tests.support.desks import submission
from tests.support.fault_server import INFORMATION, Answer, FaultServer
from tests.support.faults import answered, held, json_answer
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.orders_help import NOW, fill, idle, order

RECORD = {
    "OrderNumber": 7,
    "CRN": "R-00007",
    "StatusId": "DSO",
    "Status": "Dispatched",
    "PO": ["PO-1", "PO-2"],
    "Consignee": {"Name": "J. Rivera", "Phone": "901", "Address": {"StreetAddress1": "12 Beale", "City": "Memphis"}},
    "Commodities": [{"CommodityCode": "CHAIR", "Description": "Chairs", "Count": 2}],
    "Notes": [{"Text": "Call first.", "CreatedDate": "2026-11-20T09:00:00"}],
    "ProofOfDelivery": [{"Filename": "bol.pdf", "Folder": "BOL"}, {"Filename": "x.png", "Folder": "ZZZ"}],
    "DateImported": NOW.isoformat(),
    "DateLoaded": NOW.isoformat(),
    "LoadedById": "L-9",
}


@pytest.fixture
def page(loop: RunningLoop, room: Room, show: Show, window_desk: Desk, fault_server: FaultServer) -> OrdersPage:
    fault_server.serve(f"{INFORMATION}/orders/7", json_answer(RECORD))
    fill(loop, window_desk, [order(number, extra={"CRN": f"R-{number:05}"}) for number in range(6, 9)])
    made = OrdersPage(room)
    show(made)
    made.take_desk(window_desk)
    loop.until(lambda: idle(made))
    return made


@pytest.fixture(autouse=True)
def clipboard() -> Iterator[None]:
    yield
    QApplication.clipboard().clear()


def open_order(loop: RunningLoop, page: OrdersPage, number: int = 7) -> DetailPane:
    page.beside.show_order(number)
    loop.until(lambda: idle(page))
    assert page.beside.order is not None
    return page.beside.order


def words(pane: DetailPane) -> list[str]:
    """Everything that the body says."""
    return [each.text() for each in pane._scroll.findChildren(QLabel) if each.isVisibleTo(pane)]


def test_it_shows_what_was_seen_and_then_the_whole_of_it(
    loop: RunningLoop, page: OrdersPage, fault_server: FaultServer
) -> None:
    gate = fault_server.gate()
    fault_server.plan(held(before=gate), "/orders/7")
    page.beside.show_order(7)
    assert page.beside.order is not None
    pane = page.beside.order
    loop.until(lambda: pane.title.text() == "R-00007")
    assert "Notes" not in words(pane)
    gate.release()
    loop.until(lambda: "Notes" in words(pane))
    said = words(pane)
    for expected in ("J. Rivera", "12 Beale", "2 × Chairs", "PO-1, PO-2", "Call first.", "bol.pdf", "Document (ZZZ)"):
        assert expected in said, expected
    assert "Bill of lading (BOL)" in said
    assert any(each.endswith("by L-9") for each in said)
    assert pane.state_label.text() == "▶ Dispatched (DSO)"
    assert pane.age_label.text() == "As the provider told it just now"
    assert "Loaded done" in pane.rail.accessibleDescription()


@pytest.mark.parametrize("answer", [Answer(500), Answer(404), Answer(200, b"<html>")], ids=["500", "404", "page"])
def test_when_the_provider_does_not_tell_it_is_shown_as_last_seen(
    loop: RunningLoop, page: OrdersPage, fault_server: FaultServer, answer: Answer
) -> None:
    fault_server.plan(answered(answer), "/orders/7", times=None)
    pane = open_order(loop, page)
    loop.until(pane.answer_label.isVisible)
    assert pane.answer_label.text().endswith("Shown as last seen.")
    assert pane.title.text() == "R-00007"


def test_the_status_is_looked_up_and_said_with_its_time(
    loop: RunningLoop, page: OrdersPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.book.submit(b'{"orderReferenceNumber": "R-00007"}')
    pane = open_order(loop, page)
    QTest.keyClick(page, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    loop.until(lambda: pane.answer_label.text().startswith("The provider says: Pending Receipt. Asked at "))
    fault_server.serve(
        "/OrderManagementApi/Order/status", json_answer({"orderReferenceNumber": "X", "status": "Complete"})
    )
    pane.look_up_button.click()
    loop.until(lambda: "unverified" in pane.answer_label.text())
    assert "Complete" not in pane.answer_label.text()


def test_an_answer_is_not_left_standing_beside_another_order(loop: RunningLoop, page: OrdersPage) -> None:
    pane = open_order(loop, page)
    pane.look_up_button.click()
    loop.until(lambda: "no order with reference" in pane.answer_label.text())
    open_order(loop, page, 8)
    assert not pane.answer_label.isVisible() or "R-00007" not in pane.answer_label.text()


def test_the_reference_is_copied_as_it_is(loop: RunningLoop, page: OrdersPage) -> None:
    pane = open_order(loop, page)
    pane.copy_button.click()
    assert QApplication.clipboard().text() == "R-00007"
    assert pane.answer_label.text() == "Copied R-00007."


def question(loop: RunningLoop, page: OrdersPage) -> QMessageBox:
    loop.until(lambda: page.findChildren(QMessageBox))
    (box,) = page.findChildren(QMessageBox)
    assert isinstance(box, QMessageBox)
    return box


def press(box: QMessageBox, words: str) -> None:
    (found,) = [each for each in box.findChildren(QPushButton) if each.text() == words]
    found.click()


def test_cancelling_names_the_order_and_is_queued_only_on_yes(
    loop: RunningLoop, page: OrdersPage, window_desk: Desk
) -> None:
    pane = open_order(loop, page)
    QTest.keyClick(page, Qt.Key.Key_Delete, Qt.KeyboardModifier.ControlModifier)
    box = question(loop, page)
    assert box.text() == "Cancel order R-00007 for J. Rivera?"
    pane.cancel_button.click()
    loop.rest()
    assert len(page.findChildren(QMessageBox)) == 1, "one question at a time"
    QTest.keyClick(box, Qt.Key.Key_Escape)
    loop.until(lambda: not page.findChildren(QMessageBox))
    assert loop.run(outbox.writes(window_desk, (), 5)) == []
    pane.cancel_button.click()
    press(question(loop, page), "Cancel the order")
    loop.until(lambda: loop.run(outbox.writes(window_desk, (), 5)))
    (write,) = loop.run(outbox.writes(window_desk, (), 5))
    assert (write.kind, write.reference, write.state) == ("cancel", "R-00007", "queued")
    assert json.loads(loop.run(outbox.story(window_desk, write.id)).payload) == {"orderReferenceNumber": "R-00007"}
    loop.until(lambda: "Sent from this desk" in words(pane))


def test_an_order_is_cancelled_where_it_is_whatever_profile_was_chosen_meanwhile(
    loop: RunningLoop, page: OrdersPage, window_desk: Desk
) -> None:
    pane = open_order(loop, page)
    pane.cancel_button.click()
    box = question(loop, page)
    other = replace(window_desk, profile=replace(window_desk.profile, id="production"))
    page.take_desk(other)
    press(box, "Cancel the order")
    loop.until(lambda: loop.run(outbox.writes(window_desk, (), 5)))
    assert loop.run(outbox.writes(other, (), 5)) == []


def test_until_the_next_order_has_come_nothing_is_done_to_the_one_before(loop: RunningLoop, page: OrdersPage) -> None:
    pane = open_order(loop, page)
    page.beside.show_order(8)
    pane.cancel_button.click()
    pane.copy_button.click()
    loop.rest()
    assert page.findChildren(QMessageBox) == []
    assert QApplication.clipboard().text() == ""


@pytest.mark.parametrize("more", [{"StatusId": "CMP"}, {"StatusId": "CAN"}, {"IsDelivered": True}, {"CRN": None}])
def test_what_cannot_be_cancelled_offers_no_cancelling(
    loop: RunningLoop, page: OrdersPage, fault_server: FaultServer, more: dict[str, object]
) -> None:
    fault_server.serve(f"{INFORMATION}/orders/7", json_answer(RECORD | more))
    pane = open_order(loop, page)
    loop.until(lambda: not pane.cancel_button.isEnabled())
    QTest.keyClick(page, Qt.Key.Key_Delete, Qt.KeyboardModifier.ControlModifier)
    loop.rest()
    assert page.findChildren(QMessageBox) == []


def test_what_this_desk_sent_is_listed(loop: RunningLoop, page: OrdersPage, window_desk: Desk, room: Room) -> None:
    pane = open_order(loop, page)
    loop.run(outbox.queue_submission(window_desk, submission("R-00007"), None))
    room.news.wrote.emit()
    loop.until(lambda: "◔ Order: Queued" in words(pane))

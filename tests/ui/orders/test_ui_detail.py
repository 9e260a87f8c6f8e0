"""One order beside the table: as last seen at once, whole when the provider has answered, and the actions on it."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QPushButton

from app.contract.codes import ManagementStatus, OrderState
from app.contract.information import Order
from app.desk.desk import Desk
from app.desk.looked_up import LookUp
from app.desk.report.case_file import Step
from app.desk.sending import outbox
from app.desk.sending.order_status import GOES_WITH, order_status_words
from app.ui.base.page import PageServices
from app.ui.orders.detail import detail_body
from app.ui.orders.detail.detail_body import SectionView
from app.ui.orders.detail.detail_head import DetailHead
from app.ui.orders.detail.order_detail import DetailPane
from app.ui.orders.order_sections import Section, lateness, milestones, sections
from app.ui.orders.orders_page import OrdersPage
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_3
from app.ui.widgets import call_choice
from app.ui.widgets.call_choice import CALL_CHOICE
from app.ui.widgets.map_choice import MAP_CHOICE
from app.ui.widgets.milestones import MilestoneRail, below
from tests.support.desks import submission
from tests.support.fault_server import INFORMATION, Answer, FaultServer
from tests.support.faults import answered, held, json_answer
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.orders.orders_help import NOW, choose, fill, idle, order, selected
from tests.ui.questions_help import answer, question

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
def page(
    loop: RunningLoop, services: PageServices, show: Show, window_desk: Desk, fault_server: FaultServer
) -> OrdersPage:
    fault_server.serve(f"{INFORMATION}/orders/7", json_answer(RECORD))
    fill(loop, window_desk, [order(number, extra={"CRN": f"R-{number:05}"}) for number in range(6, 9)])
    made = OrdersPage(services)
    show(made)
    made.take_desk(window_desk)
    loop.until(lambda: idle(made))
    return made


@pytest.fixture(autouse=True)
def clipboard() -> Iterator[None]:
    yield
    QApplication.clipboard().clear()


def open_order(loop: RunningLoop, page: OrdersPage, number: int = 7) -> DetailPane:
    page.side.show_order(number)
    loop.until(lambda: idle(page))
    assert page.side.order is not None
    return page.side.order


def words(pane: DetailPane) -> list[str]:
    """Everything that the body says."""
    return [each.text() for each in pane._scroll.findChildren(QLabel) if each.isVisibleTo(pane)]


def test_an_order_shows_as_last_seen_and_then_in_full(
    loop: RunningLoop, page: OrdersPage, fault_server: FaultServer
) -> None:
    gate = fault_server.gate()
    fault_server.plan(held(before=gate), "/orders/7")
    page.side.show_order(7)
    assert page.side.order is not None
    pane = page.side.order
    loop.until(lambda: pane.title.text() == "R-00007")
    assert "Call first." not in words(pane)
    loop.until(lambda: words(pane).count("Asking the provider…") > 1)  # a section is seen a turn after it is made
    gate.release()
    loop.until(lambda: "Call first." in words(pane))
    said = words(pane)
    for expected in ("J. Rivera", "12 Beale", "2 × Chairs", "PO-1", "PO-2", "Documents 2", "Document (ZZZ)"):
        assert expected in said, expected
    assert "Bill of lading (BOL)" in said
    assert [each.accessibleName() for each in pane.documents.tiles] == [
        "Bill of lading (BOL), bol.pdf",
        "Document (ZZZ), x.png",
    ]
    assert "Asking the provider…" not in said
    assert any(each.endswith("by L-9") for each in said)
    assert pane.state_label.text() == "▶ Dispatched (DSO)"
    assert pane.age_label.text() == "As told just now"
    assert "Loaded, done" in pane.rail.accessibleDescription()


@pytest.mark.parametrize("answer", [Answer(500), Answer(404), Answer(200, b"<html>")], ids=["500", "404", "page"])
def test_an_order_that_cannot_be_fetched_shows_as_last_seen(
    loop: RunningLoop, page: OrdersPage, fault_server: FaultServer, answer: Answer
) -> None:
    fault_server.plan(answered(answer), "/orders/7", times=None)
    pane = open_order(loop, page)
    loop.until(lambda: pane.bar.text)
    assert pane.bar.text.endswith("Shown as last seen.")
    assert pane.title.text() == "R-00007"


def test_the_status_is_looked_up_and_said_with_its_time(
    loop: RunningLoop, page: OrdersPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.book.submit(b'{"orderReferenceNumber": "R-00007"}')
    pane = open_order(loop, page)
    QTest.keyClick(page, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    loop.until(lambda: pane.bar.text.startswith("R-00007: The provider says: Pending Receipt. Asked at "))
    fault_server.serve(
        "/OrderManagementApi/Order/status", json_answer({"orderReferenceNumber": "X", "status": "Complete"})
    )
    pane.look_up_button.click()
    loop.until(lambda: "unverified" in pane.bar.text)
    assert "Complete" not in pane.bar.text


def test_both_vocabularies_of_state_stand_side_by_side(
    loop: RunningLoop, page: OrdersPage, fault_server: FaultServer
) -> None:
    pane = open_order(loop, page)
    loop.until(lambda: "Not asked; usually “Out for delivery”" in words(pane))
    assert "Dispatched (DSO)" in words(pane)
    fault_server.book.submit(b'{"orderReferenceNumber": "R-00007"}')
    pane.look_up_button.click()
    loop.until(lambda: any("the list goes with “Out for delivery”" in each for each in words(pane)))
    assert any(each.startswith("“Pending Receipt”, asked at ") for each in words(pane))


def test_the_details_keep_their_scroll_place_when_the_store_changes(
    loop: RunningLoop, page: OrdersPage, services: PageServices, fault_server: FaultServer
) -> None:
    pane = open_order(loop, page)
    loop.until(lambda: "Call first." in words(pane))
    shown = pane.findChildren(SectionView)
    services.news.queue_changed.emit()
    loop.until(lambda: idle(page))
    assert pane.findChildren(SectionView) == shown
    fault_server.serve(f"{INFORMATION}/orders/7", json_answer(RECORD | {"BOL": "B-1"}))
    pane.ask_again()
    loop.until(lambda: "B-1" in words(pane))
    # All but the history, which tells the change.
    assert len({*pane.findChildren(SectionView)} & {*shown}) == len(shown) - 1


def test_previous_and_next_without_closing(loop: RunningLoop, page: OrdersPage) -> None:
    choose(loop, page, 8)
    pane = page.side.order
    assert pane is not None
    for press, number in ((pane.head.after_button, 7), (pane.head.after_button, 6), (pane.head.before_button, 7)):
        press.click()
        loop.until(lambda: pane.number_label.text() == f"Number {number}")  # noqa: B023
        assert selected(page) == [number]
    QTest.keyClick(page, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    loop.until(lambda: pane.number_label.text() == "Number 8")
    QTest.keyClick(page, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    loop.until(lambda: idle(page) and not page.tasks.running("step"))
    assert pane.number_label.text() == "Number 8"


def test_in_a_low_window_the_head_scrolls_with_the_details(loop: RunningLoop, page: OrdersPage) -> None:
    pane = open_order(loop, page)
    assert not pane.body.isAncestorOf(pane.head)
    page.resize(1000, 560)
    loop.until(lambda: pane.body.isAncestorOf(pane.head) and pane.copy_button.isVisible())
    pane._scroll.setFocus()
    QTest.keyClick(pane._scroll, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert QApplication.clipboard().text() == "R-00007"
    page.side.show_order(4711)
    loop.until(lambda: "cannot be shown" in pane.states.state_text)
    assert pane.head.isVisible()
    page.resize(1280, 800)
    open_order(loop, page)
    loop.until(lambda: not pane.body.isAncestorOf(pane.head) and pane.head.isVisible())


def test_in_a_high_window_the_room_is_for_the_details_and_not_between_the_buttons(
    loop: RunningLoop, page: OrdersPage
) -> None:
    page.resize(1_600, 1_000)
    head = open_order(loop, page).head
    loop.until(lambda: head.change_button.isVisible() and head.look_up_button.y() > head.change_button.y())
    assert head.look_up_button.y() - head.change_button.geometry().bottom() <= SPACE_3
    loop.rest()
    before = head.height()
    head.show_listed(False)
    loop.rest(10)
    assert head.height() == before, "what is said in their place moves nothing below it"


def test_escape_leaves_the_order_for_the_table(loop: RunningLoop, page: OrdersPage) -> None:
    pane = open_order(loop, page)
    pane._scroll.setFocus()
    QTest.keyClick(pane._scroll, Qt.Key.Key_Escape)
    assert not pane.isVisible()
    assert page.table.hasFocus()


def test_an_order_is_watched_from_where_it_is_shown(loop: RunningLoop, page: OrdersPage) -> None:
    pane = open_order(loop, page)
    button = pane.head.watch_button
    for watched in (True, False):
        button.click()
        loop.until(lambda: button.isChecked() == watched)  # noqa: B023
        assert page.watch_list.is_watched(7) == watched
        assert button.accessibleName().startswith("Stop watching" if watched else "Watch this order")


def test_an_order_that_was_never_seen_is_asked_for(
    loop: RunningLoop, page: OrdersPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    gate = fault_server.gate()
    fault_server.serve(f"{INFORMATION}/orders/99", json_answer(RECORD | {"OrderNumber": 99, "CRN": "R-99"}))
    fault_server.plan(held(before=gate), "/orders/99")
    page.side.show_order(99)
    pane = page.side.order
    assert pane is not None
    loop.until(lambda: "Asking the provider" in pane.states.state_text)
    assert not pane.clone_button.isEnabled()
    gate.release()
    loop.until(lambda: pane.title.text() == "R-99")
    assert pane.states.state_text == ""
    page.side.show_order(98)
    loop.until(lambda: "no order with this number" in pane.states.state_text)
    provider, window_desk.provider = window_desk.provider, None
    page.side.show_order(97)
    loop.until(lambda: "is not known here" in pane.states.state_text)
    assert not pane.cancel_button.isEnabled()
    window_desk.provider = provider


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"DateRequestedDelivery": "2026-11-20T00:00:00"}, ("4 days late", "bad")),
        ({"DateRequestedDelivery": "2026-11-20", "DateScheduledDelivery": "2026-11-24"}, ("Due today", "warn")),
        ({"DateScheduledDelivery": "2026-11-25"}, ("Due tomorrow", "soft")),
        ({"DateRequestedDelivery": "2026-11-20", "DateActualDelivery": "2026-11-21"}, ("Delivered 1 day late", "bad")),
        (
            {"DateRequestedDelivery": "2026-11-20", "DateActualDelivery": "2026-11-20T23:00:00"},
            ("Delivered in time", "good"),
        ),
        ({"DateRequestedDelivery": "2026-11-20", "StatusId": "CAN"}, ("", "")),
        ({"DateRequestedDelivery": "2026-11-20", "StatusId": "CMP"}, ("", "")),
        ({}, ("", "")),
    ],
)
def test_lateness_in_words(more: dict[str, str], words: tuple[str, str]) -> None:
    assert lateness(Order.model_validate(more), date(2026, 11, 24)) == words


def test_the_rail_and_the_dates_say_the_same() -> None:
    order = Order.model_validate(
        RECORD | {"DateRequestedDelivery": "2026-11-20", "DateScheduledDelivery": "2026-11-23", "DateLoaded": None}
    )
    stations = milestones(order)
    assert [(each.word, each.done) for each in stations] == [
        ("Imported", True), ("Receipt", False), ("Scheduled", True), ("Loading", False), ("Delivery", False),
    ]  # fmt: skip
    dates = dict(next(each.lines for each in sections(order) if each.heading == "Dates"))
    assert dates["Scheduled delivery"].endswith("3 days after the requested day")


REACHED_WORDS = ("Imported", "Received", "Scheduled", "Loaded", "Delivered")
PLANS = {
    "DateEstimatedReceive": "2026-11-18",
    "DateRequestedDelivery": "2026-11-20",
    "DateScheduledDelivery": "2026-11-23",
}


@pytest.mark.parametrize(
    ("more", "last_words"),
    [
        ({}, {"Import": ["–"], "Delivery": ["–"]}),
        (
            PLANS,
            {
                "Receipt": ["estimated", "Wed 18 Nov"],
                "Scheduled": ["for", "Mon 23 Nov"],
                "Delivery": ["due", "Mon 23 Nov"],
            },
        ),
        ({"DateRequestedDelivery": "2026-11-20"}, {"Scheduling": ["–"], "Delivery": ["due", "Fri 20 Nov"]}),
        (PLANS | {"IsReceived": True, "IsDelivered": True}, {"Received": ["no date"], "Delivered": ["no date"]}),
        (
            PLANS | {"DateReceived": "2026-11-19", "DateActualDelivery": "2026-11-24"},
            {"Received": ["Thu 19 Nov"], "Delivered": ["Tue 24 Nov"]},
        ),
        (PLANS | {"StatusId": "CAN"}, {"Receipt": ["–"], "Delivery": ["–"]}),
        (PLANS | {"StatusId": "CMP"}, {"Receipt": ["–"], "Delivery": ["–"]}),
        (PLANS | {"IsDelivered": False, "StatusId": "DSO"}, {"Delivery": ["due", "Mon 23 Nov"]}),
    ],
)
def test_the_date_of_a_plan_is_never_shown_as_one_of_what_happened(
    more: dict[str, Any], last_words: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.ui.widgets.milestones.today", lambda: date(2026, 11, 24))
    order = Order.model_validate(more)
    stations = {each.word: each for each in milestones(order)}
    assert len(stations) == 5
    for word, lines in last_words.items():
        assert list(below(stations[word])) == lines
    happened = {"DateImported", "DateReceived", "DateLoaded", "DateActualDelivery"} & set(more)
    told = {getattr(order, name) for name in happened}
    for each in stations.values():
        assert each.done == (each.word in REACHED_WORDS)
        if each.when is not None:  # a date that is no plan's is one that the provider told as such
            assert each.plan or each.when in told
        step = Step(each.word, each.when, each.done, each.plan, each.plan_more).row
        assert step[2] == ("Done" if each.done else "Planned" if each.when else "Not reached")
        if each.plan:
            assert step[1].startswith(f"{each.plan} ")


def test_a_planned_milestone_is_a_ring_and_is_called_planned(theme: Theme, show: Show) -> None:
    rail = MilestoneRail(theme)
    show(rail)
    rail.resize(500, rail.sizeHint().height())
    rail.set_stations(milestones(Order.model_validate(PLANS | {"DateReceived": "2026-11-19T08:00:00"})))
    assert rail.accessibleDescription() == (
        "Import, not reached, no date; Received, done, Thu 19 Nov 2026 08:00; "
        "Scheduled, done, for Mon 23 Nov 2026 the delivery; Loading, not reached, no date; "
        "Delivery, planned, due Mon 23 Nov 2026 as scheduled"
    )
    shown, accent = rail.grab().toImage(), theme.colour("accent")
    filled = [shown.pixelColor(50 + 100 * place, 14) == accent for place in range(5)]
    assert filled == [False, True, True, False, False]


def test_every_state_has_a_word_of_the_order_status() -> None:
    assert set(GOES_WITH) == set(OrderState)
    assert set(GOES_WITH.values()) == set(ManagementStatus) - {ManagementStatus.IN_IMPORT_QUEUE}
    at = datetime(2026, 11, 24, 14, 2, 10)
    same = LookUp(at, "", ManagementStatus.COMPLETE, proven=True)
    assert order_status_words("CMP", same) == "“Complete”, asked at 14:02:10"
    assert order_status_words("CMP", LookUp(at, "")) == "Not proven; usually “Complete”"
    assert order_status_words("???", None) == "Not asked; no status goes with this state"


def test_an_answer_is_not_left_standing_beside_another_order(loop: RunningLoop, page: OrdersPage) -> None:
    pane = open_order(loop, page)
    pane.look_up_button.click()
    loop.until(lambda: "no order with reference" in pane.bar.text)
    open_order(loop, page, 8)
    assert "R-00007" not in pane.bar.text


def test_the_reference_is_copied_as_it_is(loop: RunningLoop, page: OrdersPage) -> None:
    pane = open_order(loop, page)
    pane.copy_button.click()
    assert QApplication.clipboard().text() == "R-00007"
    assert pane.bar.text == "Copied R-00007."
    pane.head.copy_number_button.click()
    assert QApplication.clipboard().text() == "7"


def test_single_fields_and_whole_sections_are_copied_letter_for_letter(
    loop: RunningLoop, page: OrdersPage, fault_server: FaultServer
) -> None:
    name = "A & B \u202e <b>"
    fault_server.serve(f"{INFORMATION}/orders/7", json_answer(RECORD | {"Consignee": {"Name": name, "Phone": "901"}}))
    pane = open_order(loop, page)
    loop.until(lambda: "Call first." in words(pane))
    (section,) = [each for each in pane.findChildren(SectionView) if each.section.heading == "Consignee"]
    menu = section.menu()
    texts = [each.text() for each in menu.actions() if each.text()]
    assert texts == ["All of Consignee", "A && B ⟨U+202E⟩ <b>", "Phone: 901"]
    actions = [each for each in menu.actions() if each.text()]
    for place, expected in ((1, name), (2, "901"), (0, f"{name}\nPhone: 901")):
        actions[place].trigger()
        assert QApplication.clipboard().text() == expected


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
    answer(question(loop, page), "Cancel the order")
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
    answer(box, "Cancel the order")
    loop.until(lambda: loop.run(outbox.writes(window_desk, (), 5)))
    assert loop.run(outbox.writes(other, (), 5)) == []


def test_until_the_next_order_has_come_nothing_is_done_to_the_one_before(loop: RunningLoop, page: OrdersPage) -> None:
    pane = open_order(loop, page)
    page.side.show_order(8)
    pane.cancel_button.click()
    pane.copy_button.click()
    loop.rest()
    assert page.findChildren(QMessageBox) == []
    assert QApplication.clipboard().text() == ""


@contextmanager
def busy_store(desk: Desk) -> Iterator[None]:
    """In this block nothing is read from the store, as on a machine that has much else to do."""
    gate = threading.Event()
    desk.reader._thread.submit(gate.wait)
    try:
        yield
    finally:
        gate.set()


def test_nothing_of_the_order_before_stays_while_the_next_one_is_read(
    loop: RunningLoop, page: OrdersPage, window_desk: Desk
) -> None:
    pane = open_order(loop, page)
    loop.until(lambda: "12 Beale" in words(pane))
    with busy_store(window_desk):
        page.table.select_only(page.model.row_of(8) or 0)
        assert (pane.title.text(), pane.number_label.text()) == ("R-00008", "Number 8")
        assert pane.state_label.text() == "○ Started (STD)"
        assert words(pane) == [], "what the body said was of the order before"
        assert (pane.head.documents_button.text().strip(), pane.age_label.text()) == ("Documents", "")
        pane.cancel_button.click()
        loop.until(lambda: "Reading…" in words(pane))
        assert "Consignee 1" in words(pane), "the row knows that much"
        assert "12 Beale" not in words(pane)
        assert not pane.cancel_button.isEnabled()
        assert page.findChildren(QMessageBox) == []
    loop.until(lambda: idle(page) and "Reading…" not in words(pane))
    assert (pane.title.text(), pane.cancel_button.isEnabled()) == ("R-00008", True)


def test_the_keyboard_stays_in_the_details_while_another_order_comes(
    loop: RunningLoop, page: OrdersPage, window_desk: Desk
) -> None:
    pane = open_order(loop, page)
    (menu,) = [each for each in pane.body.findChildren(QPushButton) if each.accessibleName() == "Copy from Consignee"]
    menu.setFocus()
    with busy_store(window_desk):
        page.side.show_order(8)
        assert pane._scroll.hasFocus()


def test_an_order_that_is_known_by_its_number_alone_says_that_it_is_read(
    loop: RunningLoop, page: OrdersPage, window_desk: Desk
) -> None:
    pane = open_order(loop, page)
    with busy_store(window_desk):
        page.side.show_order(8)
        assert (pane.title.text(), words(pane), pane.state_label.text()) == ("Order 8", [], "")
        loop.until(lambda: "Reading…" in pane.states.state_text)
    loop.until(lambda: pane.title.text() == "R-00008")


@pytest.mark.parametrize("more", [{"StatusId": "CMP"}, {"StatusId": "CAN"}, {"IsDelivered": True}, {"CRN": None}])
def test_an_order_that_cannot_be_cancelled_offers_no_cancelling(
    loop: RunningLoop, page: OrdersPage, fault_server: FaultServer, more: dict[str, object]
) -> None:
    fault_server.serve(f"{INFORMATION}/orders/7", json_answer(RECORD | more))
    pane = open_order(loop, page)
    loop.until(lambda: not pane.cancel_button.isEnabled())
    QTest.keyClick(page, Qt.Key.Key_Delete, Qt.KeyboardModifier.ControlModifier)
    loop.rest()
    assert page.findChildren(QMessageBox) == []


def test_the_writes_of_this_desk_are_listed(
    loop: RunningLoop, page: OrdersPage, window_desk: Desk, services: PageServices
) -> None:
    pane = open_order(loop, page)
    loop.run(outbox.queue_submission(window_desk, submission("R-00007"), None))
    services.news.queue_changed.emit()
    loop.until(lambda: "◔ Order: Queued" in words(pane))


def test_how_old_an_order_is_is_said_again_while_it_stands_there(
    loop: RunningLoop, services: PageServices, show: Show
) -> None:
    head = DetailHead(services.theme)
    show(head)
    said = iter(["As told just now", "As told 4 minutes ago"])
    head.show_age(lambda: next(said))
    assert head.age_label.text() == "As told just now"
    head.age_clock.timeout.emit()
    assert head.age_label.text() == "As told 4 minutes ago"


@pytest.mark.parametrize(
    ("told", "words"),
    [("2026-11-23", "Mon 23 Nov"), ("2026-08-15", "Sat 15 Aug"), ("2026-01-27", "27 Jan 2026")],
)
def test_a_day_of_the_rail_that_is_not_near_has_its_year(
    told: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.ui.widgets.milestones.today", lambda: date(2026, 11, 24))
    station = milestones(Order.model_validate({"DateImported": told}))[0]
    assert below(station) == (words,)


def test_a_phone_number_and_a_mail_address_are_clicked_and_an_address_once_a_map_is_chosen(
    loop: RunningLoop, page: OrdersPage, window_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def taken(address: str) -> bool:
        opened.append(address)
        return "tel:" not in address or len(opened) > 1

    for place in (detail_body, call_choice):
        monkeypatch.setattr(place, "open_address", taken)
    theme = page.services.theme
    lines = (("", "Ann Lee"), ("", "84 Beale Street"), ("Phone", "901-555-1002"), ("Email", "ann@example.com"))
    view = detail_body.SectionView(theme, Section("Consignee", lines, place="84 Beale Street, Memphis, TN"))
    by_name = {each.accessibleName(): each for each in view.findChildren(QPushButton)}
    said: list[str] = []
    view.said.connect(said.append)
    phone = by_name["Copy 901-555-1002"]
    phone.click()
    assert (opened, said[-1], QApplication.clipboard().text()) == ([], "901-555-1002 is copied.", "901-555-1002")
    loop.run(CALL_CHOICE.keep(window_desk.journal, by_program=True))
    assert phone.accessibleName() == "Call 901-555-1002"
    phone.click()
    assert (opened, said[-1]) == (
        ["tel:9015551002"],
        "No program of this computer takes calls. 901-555-1002 is copied.",
    )
    phone.click()
    assert said[-1] == "This computer was asked to call 901-555-1002. The number is copied."
    by_name["Write to ann@example.com"].click()
    assert opened == ["tel:9015551002", "tel:9015551002", "mailto:ann@example.com"]
    assert view.map_button.isHidden(), "off until a site is chosen"
    loop.run(MAP_CHOICE.keep(window_desk.journal, "osm"))
    assert not view.map_button.isHidden()
    view.map_button.click()
    assert opened[-1] == "https://www.openstreetmap.org/search?query=84%20Beale%20Street%2C%20Memphis%2C%20TN"
    loop.run(MAP_CHOICE.keep(window_desk.journal, ""))
    assert view.map_button.isHidden()
    view.deleteLater()

"""A list of open orders that shrinks without a reason says so above itself for as long as that lasts."""

import json
from datetime import datetime

import pytest
from PySide6.QtWidgets import QPushButton

from app.desk.desk import Desk
from app.desk.sync.departed_orders import Departed, OpenCount
from app.ui.base.page import PageServices
from app.ui.orders.fetching.freshness import shrunk_words
from app.ui.orders.orders_page import OrdersPage
from app.ui.widgets.text.times import clock
from tests.support.fault_server import INFORMATION, Answer, FaultServer
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.orders.orders_help import COMPLETED, NOW, idle, numbers, order, serve, shown

ALL = range(1, 35)


@pytest.fixture
def page(
    loop: RunningLoop, services: PageServices, show: Show, window_desk: Desk, fault_server: FaultServer
) -> OrdersPage:
    """34 open orders have come."""
    made = OrdersPage(services)
    show(made)
    serve(fault_server, [order(each) for each in ALL])
    serve(fault_server, [], COMPLETED)
    shown(loop, made, window_desk)
    refresh(loop, made)
    assert len(numbers(made)) == 34
    assert made.bar.text == ""
    return made


def refresh(loop: RunningLoop, page: OrdersPage) -> None:
    page.refresher.results = {}
    page.refresher.start()
    loop.until(lambda: bool(page.refresher.results) and not page.refresher.busy and idle(page))


def press(page: OrdersPage, words: str) -> None:
    (found,) = [each for each in page.bar.findChildren(QPushButton) if each.text() == words and each.isVisible()]
    found.click()


def open_by_number(server: FaultServer, *numbers: int) -> None:
    for each in numbers:
        record = {"OrderNumber": each, "CRN": f"R-{each}", "StatusId": "STD", "DateImported": NOW.isoformat()}
        server.serve(f"{INFORMATION}/orders/{each}", Answer(200, json.dumps(record).encode()))


def test_it_is_said_with_what_it_was_before_and_nothing_is_claimed_gone(
    loop: RunningLoop, page: OrdersPage, fault_server: FaultServer
) -> None:
    had = max(each.fetched_at for each in page.fetching._known["open"] if each.fetched_at is not None)
    serve(fault_server, [order(each) for each in (1, 2, 3)])
    open_by_number(fault_server, *range(4, 10))
    refresh(loop, page)
    assert page.bar.text == (
        f"The provider's list of open orders now has 3; at {clock(had)} it had 34. 31 of them are on no other list: "
        "nothing says that they are completed or cancelled. 6 are open by their number. 25 could not be found by "
        "number."
    )
    refresh(loop, page)
    assert f"at {clock(had)} it had 34" in page.bar.text, "not what it had at the last refresh"
    loop.until(lambda: page.count_label.whole == "3 orders · 31 left the list unexplained")
    press(page, "Show them")
    loop.until(lambda: idle(page) and sorted(numbers(page)) == list(ALL)[3:])
    assert page.bar.text == ""
    page.filter.clear()
    loop.until(lambda: idle(page) and sorted(numbers(page)) == [1, 2, 3])
    refresh(loop, page)
    assert "it had 34" in page.bar.text


def test_it_goes_once_they_are_in_the_list_again(
    loop: RunningLoop, page: OrdersPage, fault_server: FaultServer
) -> None:
    serve(fault_server, [])
    refresh(loop, page)
    assert "now has 0" in page.bar.text
    serve(fault_server, [order(each) for each in ALL])
    refresh(loop, page)
    assert page.bar.text == ""
    loop.until(lambda: page.count_label.whole == "34 orders")


def test_closed_by_hand_it_is_not_said_again_of_the_same_orders(
    loop: RunningLoop, page: OrdersPage, fault_server: FaultServer
) -> None:
    serve(fault_server, [order(each) for each in range(1, 21)])
    refresh(loop, page)
    assert "now has 20" in page.bar.text
    page.bar._close()
    refresh(loop, page)
    assert page.bar.text == ""
    serve(fault_server, [order(each) for each in range(1, 11)])
    refresh(loop, page)
    assert "now has 10" in page.bar.text, "more of them left"


def test_orders_that_were_completed_are_no_reason(
    loop: RunningLoop, page: OrdersPage, fault_server: FaultServer
) -> None:
    for each in ALL:
        record = {"OrderNumber": each, "CRN": f"R-{each}", "StatusId": "CMP", "DateActualDelivery": NOW.isoformat()}
        fault_server.serve(f"{INFORMATION}/orders/{each}", Answer(200, json.dumps(record).encode()))
    serve(fault_server, [])
    refresh(loop, page)
    assert page.bar.text == ""


def test_the_message_says_how_many_are_missing_and_what_became_of_them() -> None:
    assert shrunk_words(Departed(open=100, unfound=2), None) == ""
    assert shrunk_words(Departed(open=1_000, unfound=40), None) == "", "of many a few may be between two lists"
    assert shrunk_words(Departed(open=0, unfound=2), None) == ""
    at = datetime(2026, 11, 20, 10, 2)
    assert shrunk_words(Departed(open=3, unfound=1_031, unasked=991), OpenCount(1_034, at)) == (
        f"The provider's list of open orders now has 3; at {clock(at)} it had 1,034. 1,031 of them are on no other "
        "list: nothing says that they are completed or cancelled. 40 could not be found by number. 991 are still to "
        "be looked up."
    )
    after_a_start = shrunk_words(Departed(open=3, unfound=31, still_open=31), OpenCount(3, at))
    assert after_a_start.startswith("The provider's list of open orders now has 3; 31 more were in it before.")
    assert after_a_start.endswith(" 31 are open by their number.")

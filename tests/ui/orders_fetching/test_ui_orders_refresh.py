"""The orders page and the provider: refreshing, the selection after it, and the words when nothing comes."""

from dataclasses import replace

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from app.desk.desk import Desk
from app.ui.base.page import PageServices
from app.ui.orders.orders_page import OrdersPage
from tests.support.fault_server import COMPLETE, INFORMATION, Answer, FaultServer
from tests.support.faults import answered, held, json_answer
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.orders.orders_help import COMPLETED, NOW, OPEN, choose, fill, idle, numbers, order, selected, serve, shown


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, show: Show) -> OrdersPage:
    made = OrdersPage(services)
    assert loop is not None
    show(made)
    return made


def test_selection_filter_and_scroll_survive_a_refresh(
    loop: RunningLoop, page: OrdersPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    world = [order(number) for number in range(1, 301)]
    serve(fault_server, world)
    serve(fault_server, [], COMPLETED)
    fill(loop, window_desk, world)
    shown(loop, page, window_desk)
    choose(loop, page, 295)
    QTest.keyClicks(page.filter, "R-")
    loop.until(lambda: idle(page))
    page.table.verticalScrollBar().setValue(page.table.verticalScrollBar().maximum() // 3)
    before = page.table.rowAt(0)
    assert before > 20
    world.append(order(301))  # one more: the rows are counted anew
    serve(fault_server, world)
    page.refresher.start()
    loop.until(lambda: idle(page) and page.model.rowCount() == 301)
    assert selected(page) == [295]
    assert page.filter.text() == "R-"
    assert abs(page.table.rowAt(0) - before) <= 1, "the table does not jump back to the selected row"


def test_a_selected_row_is_marked_again_when_its_page_comes_back(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    world = [order(number) for number in range(1, 1_001)]
    fill(loop, offline_desk, world)
    shown(loop, page, offline_desk)
    page.table.scrollToBottom()
    loop.until(lambda: page.model.row_of(1) is not None)
    loop.until(lambda: idle(page))
    choose(loop, page, 1)
    page.table.scrollToTop()
    fill(loop, offline_desk, [order(1_001)])
    page.reload()
    loop.until(lambda: idle(page) and page.model.rowCount() == 1_001)
    assert page.model.row_of(1) is None, "its page was let go"
    page.table.scrollToBottom()
    loop.until(lambda: selected(page) == [1])


def test_with_no_order_ever_seen_the_reason_is_shown(loop: RunningLoop, page: OrdersPage, offline_desk: Desk) -> None:
    shown(loop, page, offline_desk)
    assert page.states.state_text == "No orders seen yet Not connected yet."


def test_while_asking_and_when_there_is_nothing(
    loop: RunningLoop, page: OrdersPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    gate = fault_server.gate()
    fault_server.plan(held(before=gate), OPEN)
    shown(loop, page, window_desk)
    page.refresher.start()
    loop.until(lambda: "Asking the provider" in page.states.state_text)
    loop.until(page.progress.isVisible)
    gate.release()
    loop.until(lambda: "No open orders" in page.states.state_text)
    loop.until(lambda: not page.progress.isVisible())


def test_when_nothing_could_be_fetched_it_is_said_and_tried_again(
    loop: RunningLoop, page: OrdersPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.plan_by(lambda seen: answered(Answer(403)) if seen.path.endswith(OPEN) else None)
    shown(loop, page, window_desk)
    heard: list[str] = []
    page.provider_asked.connect(heard.append)
    page.refresher.start()
    loop.until(lambda: "No orders could be fetched" in page.states.state_text and idle(page))
    assert "were not refreshed" in page.bar.text
    assert heard[0]
    (again,) = [each for each in page.bar.findChildren(QPushButton) if each.text() == "Try again"]
    fault_server.plan_by(None)
    again.click()
    loop.until(lambda: "No open orders" in page.states.state_text)
    loop.until(lambda: page.bar.text == "")


def test_orders_of_the_provider_arrive_and_leave(
    loop: RunningLoop, page: OrdersPage, window_desk: Desk, fault_server: FaultServer
) -> None:
    first = fault_server.book.submit(b'{"orderReferenceNumber": "R-1", "consignee": {"consigneeName": "J. Rivera"}}')
    fault_server.serve(INFORMATION + OPEN, json_answer([first.record | {"DateImported": NOW.isoformat()}]))
    shown(loop, page, window_desk)
    page.refresher.start()
    loop.until(lambda: numbers(page) == [first.number])
    told: list[str] = []
    page.status_changed.connect(told.append)
    fault_server.book.move("R-1", COMPLETE)
    fault_server.serve(INFORMATION + OPEN, json_answer([]))
    page.refresher.start()
    loop.until(lambda: idle(page) and numbers(page) == [])
    loop.until(lambda: told and " · as of " in told[-1])
    page.tabs["completed"].setChecked(True)
    loop.until(lambda: numbers(page) == [first.number])


def test_another_profile_s_orders_are_its_own(loop: RunningLoop, page: OrdersPage, offline_desk: Desk) -> None:
    other = replace(offline_desk, profile=replace(offline_desk.profile, id="other"))
    fill(loop, offline_desk, [order(1)])
    fill(loop, other, [order(2)])
    shown(loop, page, offline_desk)
    choose(loop, page, 1)
    shown(loop, page, other)
    assert numbers(page) == [2]
    assert page.side.order is not None
    assert not page.side.order.isVisible()

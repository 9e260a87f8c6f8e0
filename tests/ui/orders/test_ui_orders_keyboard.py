"""The keyboard on the orders page: Enter opens the order that was typed, and every text that is typed filters."""

import threading
from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.desk.desk import Desk
from app.ui.base.page import PageServices
from app.ui.orders.orders_page import OrdersPage
from app.ui.theme.tokens import SEARCH_LEAST_WIDTH
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.orders.orders_help import NOW, choose, fill, idle, numbers, order, selected, shown


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, show: Show, offline_desk: Desk) -> OrdersPage:
    assert loop is not None
    made = OrdersPage(services)
    show(made)
    return made


def focused(page: OrdersPage) -> QWidget | None:
    return page.window().focusWidget()


def test_enter_opens_the_order_of_the_typed_text_and_no_row_of_before(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    fill(loop, offline_desk, [order(number) for number in range(1, 10)])
    shown(loop, page, offline_desk)
    page.focus_filter()
    QTest.keyClicks(page.filter, "R-00004")  # a scanner: no event of the loop between its keys
    QTest.keyClick(page.filter, Qt.Key.Key_Return)
    assert (numbers(page)[0], selected(page)) == (9, [])
    loop.until(lambda: page.side.key == 4)
    assert (selected(page), page.table.hasFocus()) == ([4], True)


def test_the_key_of_documents_types_nothing_where_no_order_is_open(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    fill(loop, offline_desk, [order(number) for number in range(1, 10)])
    shown(loop, page, offline_desk)
    page.focus_filter()
    for widget in (page.filter, page.table):
        page.bar.clear()
        widget.setFocus()
        # A key as it comes from the system has the letter as its text.
        QTest.sendKeyEvent(QTest.KeyAction.Click, widget, Qt.Key.Key_D, "d", Qt.KeyboardModifier.AltModifier)
        assert page.filter.text() == ""
        assert page.bar.text == "No order is open beside the list. Enter opens the selected one."
    QTest.keyClicks(page.filter, "d")
    assert page.filter.text() == "d"


def test_a_key_for_a_row_says_that_none_is_selected(loop: RunningLoop, page: OrdersPage, offline_desk: Desk) -> None:
    fill(loop, offline_desk, [order(number) for number in range(1, 10)])
    shown(loop, page, offline_desk)
    for widget in (page.filter, page.table):
        for key in (Qt.Key.Key_D, Qt.Key.Key_E):
            page.bar.clear()
            widget.setFocus()
            QTest.keyClick(widget, key, Qt.KeyboardModifier.ControlModifier)
            assert page.bar.text == "No order is selected."


def test_down_in_the_filter_goes_to_the_rows(loop: RunningLoop, page: OrdersPage, offline_desk: Desk) -> None:
    fill(loop, offline_desk, [order(number) for number in range(1, 10)])
    shown(loop, page, offline_desk)
    page.focus_filter()
    QTest.keyClick(page.filter, Qt.Key.Key_Down)
    assert (selected(page), page.table.hasFocus()) == ([9], True)
    QTest.keyClick(page.table, Qt.Key.Key_Down)
    assert selected(page) == [8]
    page.focus_filter()
    QTest.keyClick(page.filter, Qt.Key.Key_Down)
    assert (selected(page), page.table.hasFocus()) == ([8], True), "the selected row stays"
    page.focus_filter()
    QTest.keyClicks(page.filter, "R-00004")
    loop.until(lambda: idle(page) and numbers(page) == [4])
    QTest.keyClick(page.filter, Qt.Key.Key_Down)
    assert (selected(page), page.table.hasFocus()) == ([4], True)
    loop.until(lambda: idle(page) and page.side.key == 4)


def test_home_and_end_do_not_scroll_sideways(loop: RunningLoop, page: OrdersPage, offline_desk: Desk) -> None:
    page.window().resize(900, 600)
    fill(loop, offline_desk, [order(number) for number in range(1, 60)])
    shown(loop, page, offline_desk)
    page.table.setFocus()
    page.table.select_only(3)
    for key, number in ((Qt.Key.Key_End, 1), (Qt.Key.Key_Home, 59)):
        QTest.keyClick(page.table, key)
        assert (selected(page), page.table.horizontalScrollBar().value()) == ([number], 0)
    assert page.table.horizontalScrollBar().maximum() > 0


def test_rows_are_selected_alone_also_while_a_modifier_is_down(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    fill(loop, offline_desk, [order(number) for number in range(1, 10)])
    shown(loop, page, offline_desk)
    choose(loop, page, 2)
    window = page.window().windowHandle()
    for key, modifier in (
        (Qt.Key.Key_Shift, Qt.KeyboardModifier.ShiftModifier),
        (Qt.Key.Key_Control, Qt.KeyboardModifier.ControlModifier),
    ):
        QTest.keyPress(window, key, modifier)
        assert QApplication.keyboardModifiers() == modifier
        page.step(-1)
        loop.until(lambda: idle(page) and page.side.key != 2)
        assert selected(page) == [3]
        page.focus_filter()
        QTest.keyClick(window, Qt.Key.Key_Return, modifier)
        loop.until(lambda: idle(page) and page.side.key == 9)
        assert selected(page) == [9]
        QTest.keyRelease(window, key)
        choose(loop, page, 2)


def test_keys_after_enter_begin_another_filter_and_open_nothing(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    fill(loop, offline_desk, [order(number) for number in range(1, 10)])
    shown(loop, page, offline_desk)
    page.focus_filter()
    QTest.keyClicks(page.filter, "R-00004")
    QTest.keyClick(page.filter, Qt.Key.Key_Return)
    QTest.keyClicks(page.filter, "R-00007")
    assert page.filter.text() == "R-00007"
    loop.until(lambda: idle(page) and numbers(page) == [7])
    assert (selected(page), page.filter.hasFocus()) == ([], True)


def test_the_line_keeps_the_keyboard_while_no_order_is_found(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    fill(loop, offline_desk, [order(number) for number in range(1, 10)])
    shown(loop, page, offline_desk)
    page.focus_filter()
    QTest.keyClicks(page.filter, "nobody")
    QTest.keyClick(page.filter, Qt.Key.Key_Return)
    loop.until(lambda: idle(page) and page.model.rowCount() == 0)
    assert page.filter.hasFocus()
    QTest.keyClicks(page.filter, "R-00003")
    loop.until(lambda: idle(page) and numbers(page) == [3])


def test_a_view_without_orders_lends_the_keyboard_to_the_line_and_the_next_gives_it_back(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    fill(loop, offline_desk, [order(number) for number in range(1, 4)])
    shown(loop, page, offline_desk)
    page.enter()
    page.views.next()
    loop.until(lambda: idle(page) and page.model.rowCount() == 0)
    assert focused(page) is page.filter
    page.views.previous()
    loop.until(lambda: idle(page) and page.model.rowCount() == 3)
    assert focused(page) is page.table


def test_the_line_has_the_keyboard_while_the_store_is_empty(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    shown(loop, page, offline_desk)
    page.enter()
    assert focused(page) is page.filter
    fill(loop, offline_desk, [order(1)])
    page.reload()
    loop.until(lambda: idle(page) and page.model.rowCount() == 1)
    assert focused(page) is page.table


def test_orders_on_other_lists_are_counted_and_shown_by_a_second_enter(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    fill(loop, offline_desk, [order(number) for number in range(1, 4)])
    fill(loop, offline_desk, [order(8, delivered_at=NOW), order(9, delivered_at=NOW)], "completed")
    fill(loop, offline_desk, [order(12)], "other")
    shown(loop, page, offline_desk)
    page.focus_filter()
    QTest.keyClicks(page.filter, "r-00008")
    loop.until(lambda: idle(page) and "No order here" in page.states.state_text)
    assert page.states.state_text == "No order here matches this filter 1 completed order matches it."
    QTest.keyClick(page.filter, Qt.Key.Key_Return)
    loop.until(lambda: idle(page) and numbers(page) == [8])
    assert page.filter.text() == "list:open,completed,other r-00008"
    page.filter.setText("consignee 5")
    loop.until(lambda: idle(page) and "No order here" in page.states.state_text)
    assert page.states.state_text.endswith("1 order on no list matches it.")
    page.filter.setText("nobody")
    loop.until(lambda: idle(page) and "No order matches this filter" in page.states.state_text)


def test_home_and_end_lead_to_the_first_and_the_last_order(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    fill(loop, offline_desk, [order(number) for number in range(1, 8)])
    shown(loop, page, offline_desk)
    page.enter()
    choose(loop, page, 4)
    QTest.keyClick(page.table, Qt.Key.Key_End)
    loop.until(lambda: page.side.key == 1)
    assert selected(page) == [1]
    QTest.keyClick(page.table, Qt.Key.Key_Home, Qt.KeyboardModifier.ShiftModifier)
    assert sorted(selected(page)) == [1, 2, 3, 4, 5, 6, 7]


def test_what_the_filter_finds_on_other_lists_is_said_beside_the_rows_too(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    fill(loop, offline_desk, [order(1, crn="TWIN-1"), order(2)])
    fill(loop, offline_desk, [order(3, crn="TWIN-2")], "completed")
    shown(loop, page, offline_desk)
    assert not page.more_found.isVisible()
    page.filter.setText("twin")
    loop.until(lambda: idle(page) and page.more_found.isVisible())
    assert (numbers(page), page.more_found.text()) == ([1], "+1 completed")
    page.more_found.click()
    loop.until(lambda: idle(page) and sorted(numbers(page)) == [1, 3])
    loop.until(lambda: not page.more_found.isVisible())
    page.filter.setText("twin")
    loop.until(lambda: idle(page) and page.more_found.isVisible())
    page.filter.clear()
    loop.until(lambda: idle(page) and not page.more_found.isVisible())


@pytest.mark.parametrize("width", [780, 900])
def test_in_a_narrow_window_nothing_of_the_filter_s_line_covers_its_neighbour(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk, width: int
) -> None:
    page.resize(width, 600)
    fill(loop, offline_desk, [order(1, crn="TWIN-1")])
    fill(loop, offline_desk, [order(at, crn=f"TWIN-{at}") for at in range(3, 25)], "completed")
    shown(loop, page, offline_desk)
    page.filter.setText("twin")
    loop.until(lambda: idle(page) and page.more_found.isVisible())
    page.more_found.setText("+22 completed, +3 on no list")
    page.count_label.say("4,000 orders, 12 of them from before Tue 27 Oct, 130 or more in the outbox")
    page._share_line()
    loop.rest()
    line = (page.filter, page.more_found, page.line.clear_button, page.count_label, page.tools, page.new_button)
    for before, after in pairwise(line):
        assert before.geometry().right() < after.geometry().left()
    assert page.more_found.width() >= page.more_found.minimumSizeHint().width()
    assert page.new_button.geometry().right() < page.width() == width
    assert page.filter.width() >= SEARCH_LEAST_WIDTH


def test_a_row_whose_page_is_not_there_yet_opens_once_it_is_and_shows_no_other_meanwhile(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    fill(loop, offline_desk, [order(number) for number in range(1, 3_001)])
    shown(loop, page, offline_desk)
    choose(loop, page, 3_000)
    pane = page.side.order
    assert pane is not None
    assert pane.title.text() == "Order 3000"
    gate = threading.Event()
    offline_desk.reader._thread.submit(gate.wait)
    try:
        page.table.setFocus()
        QTest.keyClick(page.table, Qt.Key.Key_End)
        loop.rest()
        assert (page.side.key, pane.title.text(), pane.isVisible()) == (None, "Reading…", True)
        assert not pane.cancel_button.isEnabled()
    finally:
        gate.set()
    loop.until(lambda: idle(page) and page.side.key == 1 and pane.title.text() == "Order 1")
    assert selected(page) == [1]

"""The orders page on a real desk: it shows the store; selection, sorting and place survive a refresh."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.desk.desk import Desk
from app.desk.text.pasted_cells import read_block
from app.store.cache import order_query
from app.store.cache.index import page_search, segments
from app.ui.base.page import PageServices
from app.ui.orders import row_loader
from app.ui.orders.orders_page import OrdersPage
from app.ui.widgets.lists.loaded_pages import PAGE
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.orders.orders_help import NOW, choose, fill, idle, numbers, order, shown


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, show: Show) -> OrdersPage:
    made = OrdersPage(services)
    assert loop is not None
    show(made)
    return made


@pytest.fixture(autouse=True)
def clipboard() -> Iterator[None]:
    yield
    QApplication.clipboard().clear()


def test_stored_orders_are_shown_newest_first(loop: RunningLoop, page: OrdersPage, offline_desk: Desk) -> None:
    fill(loop, offline_desk, [order(number) for number in range(1, 8)])
    shown(loop, page, offline_desk)
    assert numbers(page) == [7, 6, 5, 4, 3, 2, 1]
    assert page.states.state_text == ""
    assert page.count_label.whole == "7 orders"
    assert page.tabs["open"].text() == "Open 7"
    assert page.tabs["completed"].text() == "Completed"


def test_the_filter_acts_at_every_key_and_says_when_nothing_matches(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    fill(loop, offline_desk, [order(number) for number in range(1, 10)])
    shown(loop, page, offline_desk)
    QTest.keyClick(page, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert page.filter.hasFocus()
    QTest.keyClicks(page.filter, "mem")
    loop.until(lambda: idle(page) and numbers(page) == [9, 6, 3])
    assert page.count_label.whole == "3 orders"
    QTest.keyClicks(page.filter, "phisto")
    loop.until(lambda: "No order matches this filter" in page.states.state_text)
    page.states._action.click()
    loop.until(lambda: len(numbers(page)) == 9)
    assert page.filter.text() == ""


def test_a_list_without_watched_orders_says_how_to_watch_one(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    fill(loop, offline_desk, [order(1)])
    shown(loop, page, offline_desk)
    page.filter.setText("watched")
    loop.until(lambda: idle(page) and "No order here is watched" in page.states.state_text)
    assert "Ctrl+B" in page.states.state_text
    page.filter.setText("watched mem")
    loop.until(lambda: idle(page) and "No order matches this filter" in page.states.state_text)


@pytest.mark.parametrize("typed", ["%", "_", '"', "'", "*", "a OR b", "R-00001 -", "\x00", "<img src=x>", "🚚", " "])
def test_odd_letters_in_the_filter_are_letters(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk, typed: str
) -> None:
    fill(loop, offline_desk, [order(1), order(2, consignee_name=f"odd {typed} name")])
    shown(loop, page, offline_desk)
    page.filter.setText(typed)
    loop.until(lambda: idle(page))
    assert 2 in numbers(page) or typed in ("a OR b", "R-00001 -")


def test_a_header_sorts_and_sorts_back(loop: RunningLoop, page: OrdersPage, offline_desk: Desk) -> None:
    fill(loop, offline_desk, [order(1, city="B"), order(2, city="c"), order(3, city="A")])
    shown(loop, page, offline_desk)
    header = page.table.horizontalHeader()
    city = next(at for at, each in enumerate(page.model.columns) if each.name == "city")
    page.table._on_header(city)
    loop.until(lambda: numbers(page) == [3, 1, 2])
    assert (header.sortIndicatorSection(), header.sortIndicatorOrder()) == (city, Qt.SortOrder.AscendingOrder)
    page.table._on_header(city)
    loop.until(lambda: numbers(page) == [2, 1, 3])
    assert header.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder


def test_every_column_can_be_sorted_by(loop: RunningLoop, page: OrdersPage, offline_desk: Desk) -> None:
    fill(loop, offline_desk, [order(1), order(2)])
    fill(loop, offline_desk, [order(3), order(4)], "completed")
    shown(loop, page, offline_desk)
    for name in ("open", "completed"):
        page.tabs[name].setChecked(True)
        loop.until(lambda: idle(page))
        for place in range(page.model.columnCount()):
            page.table._on_header(place)
            loop.until(lambda: idle(page))
            assert len(numbers(page)) == 2


def test_the_tabs_show_their_lists_with_their_own_sorting(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    fill(loop, offline_desk, [order(1), order(2)])
    fill(loop, offline_desk, [order(8, delivered_at=NOW - timedelta(days=1)), order(7, delivered_at=NOW)], "completed")
    shown(loop, page, offline_desk)
    page.table._on_header(2)
    loop.until(lambda: numbers(page) == [1, 2])
    page.tabs["completed"].setChecked(True)
    loop.until(lambda: numbers(page) == [7, 8])
    assert page.model.columns[-1].title == "Imported"
    page.tabs["open"].setChecked(True)
    loop.until(lambda: numbers(page) == [1, 2])


def test_rows_on_screen_are_read_first_and_the_rest_of_their_page_after(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    fill(loop, offline_desk, [order(number) for number in range(1, PAGE + 200)])
    shown(loop, page, offline_desk)
    begun: list[int] = []
    page.loader.changed.connect(lambda: begun.append(len(page.model.pages[0])))
    page.reload()
    loop.until(lambda: bool(begun) and len(page.model.pages[0]) == PAGE)
    assert page.table.rowAt(page.table.viewport().height() - 1) < begun[0] < PAGE
    page.table.selectAll()
    begun.clear()
    page.reload()
    loop.until(lambda: bool(begun))
    assert begun[0] == PAGE, "those that are chosen stay chosen"
    bar = page.table.verticalScrollBar()
    bar.setValue(PAGE - 5)
    page.table.clearSelection()
    begun.clear()
    page.reload()
    loop.until(lambda: bool(begun) and not page.tasks.busy)
    assert sorted(page.model.pages) == [0, 1], "scrolled to, all that is on screen comes at once"


def test_scrolling_through_5000_orders_fetches_the_pages_that_are_seen(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    fill(loop, offline_desk, [order(number) for number in range(1, 5_001)])
    shown(loop, page, offline_desk)
    assert page.model.rowCount() == 5_000
    bar = page.table.verticalScrollBar()
    seen: set[int] = set()
    for part in (0.0, 0.25, 0.5, 0.999, 1.0, 0.1):
        bar.setValue(int(bar.maximum() * part))
        top = page.table.rowAt(0)
        loop.until(lambda top=top: page.model.line(top) is not None)  # type: ignore[misc]
        line = page.model.line(top)
        assert line is not None
        assert line.number == 5_000 - top
        seen.add(top // PAGE)
    assert len(page.model.pages) < 15, "only what was looked at was fetched"
    assert len(seen) >= 4


def test_a_closed_order_opens_again_at_the_next_click_or_enter(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    fill(loop, offline_desk, [order(number) for number in range(1, 4)])
    shown(loop, page, offline_desk)
    choose(loop, page, 2)
    assert page.side.order is not None
    assert page.side.order.isVisible()
    QTest.keyClick(page.table, Qt.Key.Key_Escape)
    assert not page.side.order.isVisible()
    choose(loop, page, 2)
    assert page.side.order.isVisible()
    QTest.keyClick(page.table, Qt.Key.Key_Escape)
    QTest.keyClick(page.table, Qt.Key.Key_Return)
    loop.until(lambda: idle(page))
    assert page.side.order.isVisible()


def test_ctrl_c_copies_a_row_that_pastes_into_a_spreadsheet(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    fill(loop, offline_desk, [order(1, consignee_name="Tab\tand\nline\r\nbreak"), order(2)])
    shown(loop, page, offline_desk)
    choose(loop, page, 1)
    QTest.keyClick(page.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    loop.until(lambda: "R-00001" in QApplication.clipboard().text())
    titles, cells = read_block(QApplication.clipboard().text())
    assert titles == [each.title for each in page.model.columns]
    assert len(cells) == len(page.model.columns)
    assert "R-00001" in cells
    assert "Tab\tand\nline\r\nbreak" in cells


def test_typing_in_the_table_begins_a_filter_and_chords_do_not(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    fill(loop, offline_desk, [order(number) for number in (1, 2, 30)])
    shown(loop, page, offline_desk)
    page.filter.setText("what was asked for before")
    loop.until(lambda: idle(page))
    page.filter.clear()
    loop.until(lambda: page.model.rowCount() == 3)
    page.table.setFocus()
    QTest.keyClick(page.table, Qt.Key.Key_Space)
    QTest.keyClick(page.table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert (page.filter.text(), page.table.hasFocus()) == ("", True)
    QTest.keyClick(page.table, Qt.Key.Key_R, Qt.KeyboardModifier.ShiftModifier)
    assert page.filter.hasFocus()
    QTest.keyClicks(page.filter, "-00030")
    loop.until(lambda: numbers(page) == [30])
    QTest.keyClick(page.filter, Qt.Key.Key_Return)
    assert page.table.hasFocus()
    QTest.keyClicks(page.table, "x")
    assert page.filter.text() == "x"


def test_a_common_word_is_shown_at_once_and_counted_exactly_after(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("consignee", "onsignee consig")  # the second has each three letters of the first, and not the word
    fill(loop, offline_desk, [order(number, consignee_name=words[number % 2]) for number in range(1, 201)])
    loop.run(offline_desk.cache.write(segments.index_some, 300, 1))
    shown(loop, page, offline_desk)
    monkeypatch.setattr(order_query, "QUICKLY_READ", 0)
    monkeypatch.setattr(page_search, "_FEW", 0)
    monkeypatch.setattr(row_loader, "_LARGE", 0)
    told, status = list[str](), list[str]()
    page.loader.changed.connect(lambda: told.append(page.count_label.whole))
    page.status_changed.connect(status.append)
    page.filter.setText("consignee")
    loop.until(lambda: idle(page) and not page.tasks.running("ahead"))
    assert numbers(page) == list(range(200, 0, -2))
    assert page.count_label.whole == "100 orders"
    assert (told[0], told[-1]) == ("up to 200 orders", "100 orders")
    assert status[-1].startswith("100 orders · "), "the status bar does not wait for its next second"

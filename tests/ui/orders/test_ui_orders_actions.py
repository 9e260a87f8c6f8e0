"""The actions on rows: by menu and by key, on one order and on many, each with its result."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from app.desk.desk import Desk
from app.desk.orders.watched_orders import watched
from app.store.cache.order_rows import OrderLine
from app.ui.base.page import PageServices
from app.ui.orders.actions import order_actions
from app.ui.orders.actions.results_dialog import ResultsDialog
from app.ui.orders.filter.same_value import same_value
from app.ui.orders.orders_page import OrdersPage
from tests.support.fault_server import MANAGEMENT, Answer, FaultServer
from tests.support.faults import held, json_answer
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.orders.orders_help import choose, fill, idle, numbers, order, select, shown
from tests.ui.orders.test_ui_orders_model import line

STATUS = MANAGEMENT + "/Order/status"


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, show: Show, window_desk: Desk) -> OrdersPage:
    made = OrdersPage(services)
    fill(loop, window_desk, [order(number) for number in range(1, 1_001)] + [order(2_000, crn=None)])
    show(made)
    shown(loop, made, window_desk)
    return made


@pytest.fixture(autouse=True)
def clipboard() -> Iterator[None]:
    yield
    QApplication.clipboard().clear()


def press(page: OrdersPage, key: str) -> None:
    """A key, pressed in the table."""
    pressed = QKeySequence(key)[0]  # type: ignore[index]
    page.table.setFocus()
    QTest.keyClick(page.table, pressed.key(), pressed.keyboardModifiers())


def statuses(server: FaultServer, known: dict[str, str]) -> None:
    """The provider knows how these stand, and nothing of others."""

    def answer(seen: Any) -> Answer:
        asked = seen.query.get("OrderReferenceNumber") or seen.query.get("SystemNumber")
        if asked not in known:
            return Answer(404)
        field = "orderReferenceNumber" if "OrderReferenceNumber" in seen.query else "systemNumber"
        value = asked if field == "orderReferenceNumber" else int(asked)
        return json_answer({field: value, "status": known[asked]})

    server.serve(STATUS, answer)


def results(loop: RunningLoop, page: OrdersPage) -> ResultsDialog:
    loop.until(lambda: page.findChildren(ResultsDialog))
    (found,) = page.findChildren(ResultsDialog)
    return found


def told(dialog: ResultsDialog) -> dict[str, str]:
    items = [dialog.list.topLevelItem(at) for at in range(dialog.list.topLevelItemCount())]
    return {each.text(0): each.text(1) for each in items if each is not None}


def copied(loop: RunningLoop) -> str:
    loop.until(lambda: QApplication.clipboard().text())
    return QApplication.clipboard().text()


def test_one_order_is_opened_changed_and_cloned_by_key(
    loop: RunningLoop, page: OrdersPage, services: PageServices
) -> None:
    asked: list[tuple[str, int]] = []
    services.news.change_order.connect(lambda number: asked.append(("change", number)))
    services.news.clone_order.connect(lambda number: asked.append(("clone", number)))
    choose(loop, page, 990)
    press(page, "Escape")
    assert page.side.key is None
    press(page, "Ctrl+E")
    press(page, "Ctrl+D")
    assert asked == [("change", 990), ("clone", 990)]


def test_an_action_for_one_order_refuses_several(loop: RunningLoop, page: OrdersPage, services: PageServices) -> None:
    asked: list[int] = []
    services.news.change_order.connect(asked.append)
    select(page, 990, 991)
    press(page, "Ctrl+E")
    assert asked == []
    assert "one order at a time" in page.bar.text


@pytest.mark.parametrize(
    ("number", "said"),
    [(3_000, "R-03000 is closed and cannot be changed. Clone it for a new order."), (2_000, "has no reference")],
)
def test_a_closed_order_is_not_changed_by_key_or_menu(
    loop: RunningLoop, page: OrdersPage, services: PageServices, window_desk: Desk, number: int, said: str
) -> None:
    """Sent again, it would be a second order: its button is off, and the key is no way around that."""
    asked: list[int] = []
    services.news.change_order.connect(asked.append)
    fill(loop, window_desk, [order(3_000, state="CMP")])
    shown(loop, page, window_desk)
    choose(loop, page, number)
    press(page, "Ctrl+E")
    assert said in page.bar.text
    (change,) = [each for each in page.row_actions.actions if each.name == "change"]
    assert not page.row_actions.possible(change)
    choose(loop, page, 990)
    assert page.row_actions.possible(change)
    assert asked == []


def test_rows_are_copied_as_text_and_one_field_alone(loop: RunningLoop, page: OrdersPage) -> None:
    select(page, 990, 995, 2_000)
    press(page, "Ctrl+Shift+C")
    assert copied(loop) == "\nR-00995\nR-00990"
    loop.until(lambda: "Copied Reference of 3 rows." in page.bar.text)
    QApplication.clipboard().clear()
    press(page, "Ctrl+Alt+C")
    first, second, third = copied(loop).split("\n\n")
    assert "Reference: R-00995" in second
    assert "Number: 990" in third
    assert "Reference" not in first, "what is empty is left out"


def test_rows_far_from_the_screen_are_copied_too(loop: RunningLoop, page: OrdersPage) -> None:
    page.table.selectAll()
    press(page, "Ctrl+Shift+C")
    lines = copied(loop).split("\n")
    assert len(lines) == 1_001
    assert lines[-1] == "R-00001"


def test_too_many_rows_are_said_to_be(loop: RunningLoop, page: OrdersPage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order_actions, "MOST_COPIED", 1_000)
    page.table.selectAll()
    press(page, "Ctrl+C")
    assert "1,001 rows are selected" in page.bar.text
    press(page, "Ctrl+L")
    assert "500 at a time" in page.bar.text


def test_the_status_of_one_order_shows_in_the_bar(
    loop: RunningLoop, page: OrdersPage, fault_server: FaultServer
) -> None:
    statuses(fault_server, {"R-00990": "Received"})
    choose(loop, page, 990)
    press(page, "Ctrl+L")
    loop.until(lambda: "R-00990: The provider says: Received." in page.bar.text)


def test_the_status_of_several_orders_shows_row_by_row(
    loop: RunningLoop, page: OrdersPage, fault_server: FaultServer
) -> None:
    statuses(fault_server, {"R-00990": "Received", "2000": "Complete"})
    select(page, 990, 991, 2_000)
    press(page, "Ctrl+L")
    dialog = results(loop, page)
    loop.until(lambda: dialog.ended)
    assert told(dialog) == {
        "R-00990": "✓ The provider says: Received.",
        "R-00991": "! The provider has no order with reference R-00991.",
        "2000": "✓ The provider says: Complete.",
    }
    assert dialog.summary.text().startswith("3 of 3, 1 to check. Asked at ")
    dialog.accept()
    loop.rest()


def test_asking_about_many_can_be_stopped(loop: RunningLoop, page: OrdersPage, fault_server: FaultServer) -> None:
    fault_server.plan(held(before=fault_server.gate()), STATUS, times=None)
    select(page, *range(900, 920))
    press(page, "Ctrl+L")
    dialog = results(loop, page)
    dialog.stop_button.click()
    loop.until(lambda: not page.tasks.running("asking"))
    assert dialog.summary.text().startswith("Stopped after 0 of 20")
    dialog.accept()
    loop.rest()


def test_many_are_refreshed_row_by_row(loop: RunningLoop, page: OrdersPage, fault_server: FaultServer) -> None:
    fault_server.serve("/OrderInformationApi/orders/991", json_answer({"OrderNumber": 991, "CRN": "R-00991"}))
    fault_server.serve("/OrderInformationApi/orders/990", Answer(404))
    select(page, 990, 991)
    press(page, "Shift+F5")
    dialog = results(loop, page)
    loop.until(lambda: dialog.ended)
    assert told(dialog)["R-00991"] == "✓ Refreshed."
    assert told(dialog)["R-00990"].startswith("! The provider has no order")
    dialog.accept()
    loop.until(lambda: idle(page))


@pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard", extend=True)
def test_the_menu_names_every_action_with_its_key(loop: RunningLoop, page: OrdersPage) -> None:
    choose(loop, page, 990)
    page.table.menu_asked.emit(page.mapToGlobal(page.rect().center()), "consignee_name")
    (menu,) = [each for each in page.findChildren(QMenu) if each.isVisible()]
    lines = {each.text().split("\t")[0]: each for each in menu.actions() if each.text()}
    assert {"Open", "Change order", "Clone", "Look up status", "Copy as table", "Cancel order…"} <= set(lines)
    assert lines["Clone"].text().endswith("Ctrl+D")
    assert all(each.isEnabled() for each in lines.values())
    lines["Copy only Consignee"].trigger()
    assert copied(loop) == "Consignee 3"
    menu.close()
    select(page, 990, 991)
    page.table.menu_asked.emit(page.mapToGlobal(page.rect().center()), "crn")
    (menu,) = [each for each in page.findChildren(QMenu) if each.isVisible()]
    lines = {each.text().split("\t")[0]: each for each in menu.actions() if each.text()}
    assert not lines["Clone"].isEnabled()
    assert lines["Cancel orders…"].isEnabled()
    menu.close()
    loop.rest()


@pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard", extend=True)
def test_the_menu_key_opens_the_menu_below_the_row(loop: RunningLoop, page: OrdersPage) -> None:
    choose(loop, page, 990)
    QTest.keyClick(page.table, Qt.Key.Key_Menu)
    page.table.customContextMenuRequested.emit(page.table.rect().bottomRight() * 2)
    (menu,) = [each for each in page.findChildren(QMenu) if each.isVisible()]
    menu.close()
    loop.rest()


@pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard", extend=True)
def test_the_menu_of_a_row_filters_by_the_value_under_the_pointer(
    loop: RunningLoop, page: OrdersPage, window_desk: Desk
) -> None:
    fill(loop, window_desk, [order(3_000, city="St. Louis")])
    page.reload()
    loop.until(lambda: idle(page) and page.model.row_of(3_000) is not None)
    select(page, 3_000)
    page.row_actions.open_menu(page.mapToGlobal(page.rect().center()), "city")
    loop.until(lambda: any(each.isVisible() for each in page.findChildren(QMenu)))
    (menu,) = [each for each in page.findChildren(QMenu) if each.isVisible()]
    entry = next(each for each in menu.actions() if each.text().startswith("Filter by"))
    assert entry.text() == 'Filter by city:"St. Louis"'
    entry.trigger()
    menu.close()
    loop.until(lambda: idle(page) and numbers(page) == [3_000])
    assert page.filter.text() == 'city:"St. Louis"'


@pytest.mark.parametrize(
    ("column", "piece"),
    [
        ("facility_name", "facility:MEM01"),
        ("state", "status:STD"),
        ("consignee_name", "Ann  Lee"),
        ("zip", "zip:38103"),
        ("requested_delivery", "requested:2026-12-01"),
        ("phone", ""),
        ("why", ""),
    ],
)
def test_a_value_becomes_the_piece_of_a_filter_that_finds_it(column: str, piece: str) -> None:
    found = line(
        1, facility_name="North", facility_id="MEM01", state="STD", zip="38103", consignee_name='Ann "Lee',
        requested_delivery=datetime(2026, 12, 1),
    )  # fmt: skip
    assert same_value(found, column) == piece


def test_orders_watched_one_right_after_the_other_are_all_watched(loop: RunningLoop, page: OrdersPage) -> None:
    """The next key comes before the first order is stored, and moves on to another row."""
    page.table.select_only(0)
    wanted = set(numbers(page)[:12])
    for _ in range(12):
        press(page, "Ctrl+B")
        press(page, "Down")
    loop.until(lambda: not page.tasks.busy)
    assert page.watch_list.numbers == wanted


def test_what_was_to_be_watched_at_another_connection_is_left_alone(
    loop: RunningLoop, page: OrdersPage, window_desk: Desk
) -> None:
    line_of_it = page.model.line(0)
    assert isinstance(line_of_it, OrderLine)
    page.watch_list.toggle_soon([line_of_it])
    other = replace(window_desk, profile=replace(window_desk.profile, id="other"))
    page.take_desk(other)
    loop.until(lambda: not page.tasks.busy)
    assert not loop.run(watched(other))

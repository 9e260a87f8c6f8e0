"""The reasons of orders among the orders: the column, the line beside the table, the filter; rules followed at once."""

from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import Qt

from app.desk.desk import Desk
from app.desk.reasons.reason_rules import ALL_RULES, save_rule
from app.ui.base.page import PageServices
from app.ui.orders.orders_page import OrdersPage
from app.ui.orders.table.arrangement import names_of, shown
from app.ui.orders.table.column_list import BY_NAME
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.orders.orders_help import NOW, fill, idle, numbers, order
from tests.ui.orders.orders_help import shown as shown_on
from tests.ui.orders.views_help import view

DAY = timedelta(days=1)
WHY = BY_NAME["why"]


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, show: Show, window_desk: Desk) -> OrdersPage:
    made = OrdersPage(services)
    received = NOW - 5 * DAY
    orders = [
        order(1),
        order(2, requested_delivery=NOW - 3 * DAY),
        order(3, state="AVL", received_at=received, requested_delivery=NOW - 2 * DAY),
        order(4, state="AVL", received_at=received),
    ]
    fill(loop, window_desk, orders)
    show(made)
    shown_on(loop, made, window_desk)
    return made


def why(page: OrdersPage) -> dict[int, str]:
    lines = [page.model.line(row) for row in range(page.model.rowCount())]
    return {line.number: WHY.text(line) for line in lines if line is not None and line.number is not None}


def said(days: int) -> str:
    when = NOW - days * DAY
    return f"{when:%a} {when.day} {when:%b}"


def test_the_column_says_the_worst_reason_and_its_tooltip_all(loop: RunningLoop, page: OrdersPage) -> None:
    page.columns.put(shown(page.state.columns, "why"))
    loop.until(lambda: idle(page) and why(page)[2] != "")
    assert why(page) == {
        1: "",
        2: f"3 days late: never received, was due {said(3)}",
        3: f"2 days late: received {said(5)}, never scheduled, was requested for {said(2)}",
        4: f"Not scheduled: received {said(5)}, no day is requested",
    }
    row = next(row for row in range(page.model.rowCount()) if getattr(page.model.line(row), "number", 0) == 3)
    index = page.model.index(row, names_of(page.state.columns).index("why"))
    tip = page.model.data(index, Qt.ItemDataRole.ToolTipRole)
    assert "2 days late" in tip
    assert "Not scheduled" in tip
    line = page.model.line(row)
    assert line is not None
    assert WHY.ink(line) == "bad"
    assert WHY.copied(line) == why(page)[3]


def test_the_first_line_beside_the_table_says_why(loop: RunningLoop, page: OrdersPage) -> None:
    page.open_order(2)
    loop.until(lambda: idle(page))
    assert page.side.order is not None
    label = page.side.order.head.why_label
    assert label.accessibleName() == f"3 days late: never received, was due {said(3)}"
    page.open_order(1)
    loop.until(lambda: idle(page))
    assert label.accessibleName() == ""


def test_reasons_follow_the_rules(loop: RunningLoop, page: OrdersPage, window_desk: Desk) -> None:
    loop.until(lambda: why(page)[2] != "")
    overdue = next(rule for rule in ALL_RULES if rule.name == "overdue")
    loop.run(save_rule(window_desk, replace(overdue, days=3)))
    page.services.news.stored.emit()
    loop.until(lambda: idle(page) and why(page)[3].startswith("Not scheduled"))
    assert why(page)[2].startswith("3 days late")


def test_the_filter_finds_by_reason(loop: RunningLoop, page: OrdersPage) -> None:
    page.filter.setText("why:overdue")
    loop.until(lambda: idle(page) and sorted(numbers(page)) == [2, 3])
    page.filter.setText("why:unscheduled")
    loop.until(lambda: idle(page) and sorted(numbers(page)) == [3, 4])
    page.show_rule("overdue")
    loop.until(lambda: idle(page) and sorted(numbers(page)) == [2, 3])
    assert "why:overdue" in page.filter.text()


def test_views_of_trouble_show_why(loop: RunningLoop, page: OrdersPage) -> None:
    view(loop, page, "needs attention")
    loop.until(lambda: idle(page))
    assert names_of(page.state.columns)[:3] == ("state", "crn", "why")
    assert "phone" in names_of(page.state.columns)


def test_the_column_says_what_the_forecast_says_once_it_is_made(
    loop: RunningLoop, page: OrdersPage, window_desk: Desk
) -> None:
    began = NOW - 30 * DAY
    completed = [
        order(
            number,
            state="CMP",
            facility_id="MEM01",
            imported_at=began,
            requested_delivery=began + 5 * DAY,
            delivered_at=began + 10 * DAY,
        )
        for number in range(100, 124)
    ]
    fill(loop, window_desk, completed, "completed")
    fill(
        loop,
        window_desk,
        [order(9, facility_id="MEM01", imported_at=NOW - DAY, requested_delivery=NOW + 4 * DAY)],
    )
    page.columns.put(shown(page.state.columns, "why"))
    page.reload()
    loop.until(lambda: idle(page) and why(page)[2] != "")
    assert why(page)[9] == ""  # no forecast has been made
    page.line.set_text("why:likely-late")
    loop.until(lambda: numbers(page) == [9] and why(page)[9].startswith("Likely late: 9 of 10 at MEM01 "))
    likely = next(rule for rule in ALL_RULES if rule.name == "likely-late")
    loop.run(save_rule(window_desk, replace(likely, on=False)))
    page.line.set_text("")
    page._reasons_stale = True
    page.reload()
    loop.until(lambda: idle(page) and why(page).get(9) == "")

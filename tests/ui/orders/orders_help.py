"""Helpers of the tests of the orders page: orders in the store, a provider that has them, and a look at the rows."""

import json
from datetime import datetime, timedelta
from typing import Any

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QTest

from app.desk.desk import Desk
from app.store.cache import order_store as cache_store
from app.store.cache.index import segments
from app.store.cache.order_rows import ListName, OrderFacts
from app.ui.orders.orders_page import OrdersPage
from app.ui.widgets.lists.loaded_pages import PAGE
from tests.support.fault_server import INFORMATION, Answer, FaultServer
from tests.support.loop import RunningLoop
from tests.support.order_facts import facts

OPEN, COMPLETED = "/orders/open", "/orders/completed"
NOW = datetime.now().replace(microsecond=0)


def order(number: int, **columns: Any) -> OrderFacts:
    """An order of today; the higher its number, the later it was imported."""
    told: dict[str, Any] = {
        "crn": f"R-{number:05}",
        "state": "STD",
        "consignee_name": f"Consignee {number % 7}",
        "city": ("Memphis", "Nashville", "Mobile")[number % 3],
        "imported_at": NOW.replace(hour=0, minute=0, second=0) + timedelta(seconds=number),
    }
    return facts(number, **{**told, **columns})


def fill(loop: RunningLoop, desk: Desk, orders: list[OrderFacts], list_name: ListName = "open") -> None:
    """Put orders into the store as a refresh did a minute ago."""
    asked = NOW - timedelta(minutes=1)
    loop.run(desk.cache.write(cache_store.store_orders, desk.profile.id, list_name, orders, asked))
    while loop.run(desk.cache.write(segments.index_some)):
        pass


def idle(page: OrdersPage) -> bool:
    return not any(
        page.tasks.running(name)
        for name in ("rows", "refresh", "age", "older", "detail", "redraw detail", "view counts")
    )


def numbers(page: OrdersPage) -> list[int]:
    """The numbers of the rows at hand."""
    lines = [page.model.line(row) for row in range(min(page.model.rowCount(), PAGE))]
    return [each.number for each in lines if each is not None and each.number is not None]


def shown(loop: RunningLoop, page: OrdersPage, desk: Desk) -> None:
    page.take_desk(desk)
    loop.until(lambda: idle(page))


def serve(server: FaultServer, orders: list[OrderFacts], path: str = OPEN) -> None:
    """The provider has these, in whichever window they were imported."""
    records = [
        {
            "OrderNumber": each.number,
            "CRN": each.crn,
            "StatusId": each.state,
            "Consignee": {"Name": each.consignee_name, "Address": {"City": each.city}},
            "DateImported": each.imported_at.isoformat() if each.imported_at else None,
        }
        for each in orders
    ]

    def answer(seen: object) -> Answer:
        query = getattr(seen, "query", {})
        inside = [r for r in records if query["StartDate"] <= str(r["DateImported"]) <= query["EndDate"]]
        return Answer(200, json.dumps(inside).encode())

    server.serve(INFORMATION + path, answer)


def choose(loop: RunningLoop, page: OrdersPage, number: int) -> None:
    row = page.model.row_of(number)
    assert row is not None
    place = page.table.visualRect(page.model.index(row, 1)).center()
    QTest.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    loop.until(lambda: idle(page))


def select(page: OrdersPage, *numbers: int) -> None:
    """Select these orders, as somebody does with Ctrl held."""
    flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    page.table.clearSelection()
    for number in numbers:
        row = page.model.row_of(number)
        assert row is not None
        page.table.selectionModel().select(page.model.index(row, 0), flags)


def selected(page: OrdersPage) -> list[int]:
    rows = page.table.selectionModel().selectedRows()
    lines = [page.model.line(each.row()) for each in rows]
    return [each.number for each in lines if each is not None and each.number is not None]

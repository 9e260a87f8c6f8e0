"""The horizon of fetching, and the counts: orders fetched of earlier dates are counted apart."""

from datetime import datetime, time, timedelta

import pytest
from PySide6.QtTest import QTest

from app.desk.desk import Desk
from app.desk.text.typed_dates import short_day
from app.ui.base.page import PageServices
from app.ui.orders.fetching.freshness import shown_orders
from app.ui.orders.orders_page import OrdersPage
from tests.support.fault_server import FaultServer
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.orders.orders_help import COMPLETED, NOW, idle, numbers, order, serve, shown

OLD = NOW - timedelta(days=60)


@pytest.fixture
def page(
    loop: RunningLoop, services: PageServices, show: Show, window_desk: Desk, fault_server: FaultServer
) -> OrdersPage:
    """A desk that has fetched a year, and fetches thirty days from now on."""
    made = OrdersPage(services)
    show(made)
    serve(fault_server, [order(1), order(2), order(3, imported_at=OLD, city="Boston"), order(4, imported_at=OLD)])
    serve(fault_server, [], COMPLETED)
    shown(loop, made, window_desk)
    horizon = made.fetching.controls.horizon
    horizon.setCurrentIndex(horizon.findData(365))
    loop.until(lambda: idle(made) and sorted(numbers(made)) == [1, 2, 3, 4])
    assert made.count_label.whole == "4 orders"
    return made


def first_day() -> datetime:
    return datetime.combine(datetime.now().date() - timedelta(days=30), time())


def fetch_30(loop: RunningLoop, page: OrdersPage) -> str:
    horizon = page.fetching.controls.horizon
    horizon.setCurrentIndex(horizon.findData(30))
    loop.until(lambda: idle(page) and "before" in page.count_label.whole)
    return short_day(first_day().date(), first_day().date())


def test_what_was_fetched_for_a_year_is_not_counted_for_thirty_days(loop: RunningLoop, page: OrdersPage) -> None:
    told: list[str] = []
    page.status_changed.connect(told.append)
    day = fetch_30(loop, page)
    assert page.fetching.controls.horizon.currentText() == "Fetch 30 days", "it says what is fetched"
    assert page.count_label.whole == f"4 orders, 2 of them from before {day}"
    loop.until(lambda: told and told[-1].startswith(f"4 orders, 2 of them from before {day} · as of"))
    assert sorted(numbers(page)) == [1, 2, 3, 4], "nothing that is known vanishes"
    QTest.keyClicks(page.filter, "boston")
    loop.until(lambda: idle(page) and numbers(page) == [3])
    assert page.count_label.whole == f"1 order, 1 of them from before {day}"
    page.filter.clear()
    QTest.keyClicks(page.filter, "R-00001")
    loop.until(lambda: idle(page) and numbers(page) == [1])
    assert page.count_label.whole == "1 order"
    page.filter.clear()
    horizon = page.fetching.controls.horizon
    horizon.setCurrentIndex(horizon.findData(90))
    loop.until(lambda: idle(page) and page.count_label.whole == "4 orders")


def test_the_list_of_dates_has_a_line_for_what_is_not_fetched_any_more(loop: RunningLoop, page: OrdersPage) -> None:
    fetch_30(loop, page)
    page.fetching.controls.dates_button.click()
    loop.until(lambda: idle(page))
    lines = page.fetching.dates.list
    last = lines.topLevelItem(lines.topLevelItemCount() - 1)
    assert last is not None
    assert f"to {short_day((first_day() - timedelta(days=1)).date(), first_day().date())}" in last.text(0)
    assert "2 orders, as of" in last.text(1)
    assert "not fetched any more" in last.text(1)
    counted = [lines.topLevelItem(at) for at in range(lines.topLevelItemCount())]
    found = [int(each.text(1).split()[1]) for each in counted if each is not None and " order" in each.text(1)]
    assert sum(found) == 4, "all lines together are what the list holds"
    assert not page.fetching.dates.retry_button.isVisible(), "nothing of it is missing"
    needed = [lines.fontMetrics().horizontalAdvance(each.text(0)) for each in counted if each is not None]
    assert lines.columnWidth(0) > max(needed), "the dates are whole"


def test_orders_of_earlier_dates_are_counted_apart() -> None:
    assert shown_orders(1_204, exact=True, older=0, before=NOW.date()) == "1,204 orders"
    found = shown_orders(1_204, exact=True, older=1_200, before=NOW.date())
    assert found.startswith("1,204 orders, 1,200 of them from before ")

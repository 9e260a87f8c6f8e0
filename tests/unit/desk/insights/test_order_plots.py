"""The plots of orders on stores made by hand: what counts, what is left out, and that each filter finds its figure."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

import pytest

from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress
from app.desk.filter.filter_language import parse
from app.desk.filter.resolve_filter import resolve
from app.desk.insights.insight_choice import InsightChoice
from app.desk.insights.order_plots import OrderPlots
from app.desk.insights.plot_data import Plot, Target
from app.desk.insights.read_plots import NAMES, read_all, read_likely_late
from app.store.cache import fetched_windows, order_query, order_store
from app.store.cache.order_rows import ListName, OrderFacts
from tests.support.order_facts import facts

NOW = datetime(2026, 6, 24, 10, 0)  # a Wednesday
DAY = timedelta(days=1)
TWO_WEEKS = InsightChoice("-13..today")


def order(number: int, *, delivered: int | None = None, due: int | None = None, **more: Any) -> OrderFacts:
    """An order at MEM01. `delivered` and `due` are days before today."""
    known: dict[str, Any] = {"state": "CMP" if delivered is not None else "AVL", "facility_id": "MEM01"}
    if delivered is not None:
        known["delivered_at"] = NOW - delivered * DAY
    if due is not None:
        known["requested_delivery"] = NOW - due * DAY
    return facts(number, **known | more)


@pytest.fixture
def still(offline_desk: Desk) -> Desk:
    return replace(offline_desk, now=lambda: NOW)


async def fill(desk: Desk, list_name: ListName, orders: Sequence[OrderFacts]) -> None:
    await desk.cache.write(order_store.store_orders, desk.profile.id, list_name, orders, NOW)


async def fetched(desk: Desk, first: datetime, last: datetime) -> None:
    await desk.cache.write(fetched_windows.finish_window, desk.profile.id, "completed", first, last, NOW, 1)


def plots(desk: Desk, choice: InsightChoice = TWO_WEEKS) -> OrderPlots:
    return OrderPlots(desk.reader.read_separately_now, desk.profile.id, choice, NOW.date())


async def finds(desk: Desk, target: Target | None) -> int:
    """How many orders the rows behind a mark are."""
    assert target is not None
    parsed = parse(target.orders, NOW.date())
    assert parsed.problems == ()
    query = await resolve(desk, parsed, "number", descending=False)
    return await desk.reader.read(order_query.count_orders, query)


def said(plot: Plot, series: int = 0) -> dict[str, str]:
    assert all(len(place.cells) == len(plot.axis) for place in plot.places), "a table has a title for each cell"
    marks = zip(plot.places, plot.series[series].marks, strict=True)
    return {place.label: mark.words for place, mark in marks if mark is not None}


def left_out(plot: Plot) -> list[str]:
    return [each.sentence for each in plot.left_out]


@pytest.mark.asyncio
async def test_on_time_by_week_and_facility(still: Desk) -> None:
    """Nine of this week's eleven on time at MEM01; last week five of five at DAL02, written in two ways."""
    this_week = [order(at, delivered=1, due=1 if at < 5 else 0 if at < 8 else 3) for at in range(10)]
    last_week = [order(20 + at, delivered=8, due=8, facility_id="DAL02" if at else "dal02") for at in range(5)]
    others = [
        order(30, delivered=1),  # no due day
        order(31, delivered=1, due=9, state="CAN"),
        order(32, delivered=30, due=40),  # before the chosen days
        order(33, delivered=1, due=9, scheduled_delivery=NOW - DAY),  # on the day it was scheduled for
    ]
    await fill(still, "completed", [*this_week, *last_week, *others])
    await fill(still, "open", [order(40, due=9)])
    by_week, by_facility = plots(still).on_time()
    assert [each.label for each in by_week.places] == ["11 Jun", "15 Jun", "22 Jun"]
    assert said(by_week) == {"15 Jun": "100 %, 5 of 5", "22 Jun": "82 %, 9 of 11"}
    assert [each.name for each in by_week.series] == ["All facilities", "MEM01", "dal02"]
    assert said(by_week, 1) == {"22 Jun": "82 %, 9 of 11"}
    assert said(by_facility) == {"MEM01": "82 %, 9 of 11", "dal02": "100 %, 5 of 5"}
    assert (by_week.axis, by_week.by) == (("First day", "Last day"), "Facility")
    assert by_week.places[1].cells == (date(2026, 6, 15), date(2026, 6, 21))
    assert [mark.cases for _, _, mark in by_facility.marks()] == [11, 5]
    assert (by_facility.axis, by_facility.by) == (("Facility",), "")
    for plot in (by_week, by_facility):
        for _, _, mark in plot.marks():
            assert mark.words.endswith(f" of {await finds(still, mark.target)}")
        assert left_out(plot)[-1] == "1 delivered order had no day it was due and is left out."
        assert await finds(still, plot.left_out[-1].target) == 1
        assert "Cancelled orders are left out" in plot.definition


@pytest.mark.asyncio
async def test_a_share_of_few_is_not_drawn(still: Desk) -> None:
    await fill(still, "completed", [order(at, delivered=1, due=1) for at in range(4)])
    by_week, by_facility = plots(still).on_time()
    assert list(by_week.marks()) == list(by_facility.marks()) == []
    assert by_week.nothing == "Too few for a plot: 4 delivered orders, and 5 of a kind are needed for one mark."
    (nothing, _) = plots(still, InsightChoice("-2..-2")).on_time()
    assert nothing.nothing == "No order that is known here was delivered on these days."


@pytest.mark.asyncio
async def test_what_was_delivered_without_a_day_it_was_due_was_delivered_all_the_same(still: Desk) -> None:
    await fill(still, "completed", [order(at, delivered=1) for at in range(4)])
    for plot in plots(still).on_time():
        assert plot.nothing == "No order that was delivered on these days had a day it was due."
        assert left_out(plot)[-1] == "4 delivered orders had no day they were due and are left out."


@pytest.mark.asyncio
async def test_days_that_were_not_fetched_are_said(still: Desk) -> None:
    await fill(still, "completed", [order(at, delivered=1, due=1) for at in range(6)])
    (by_week, _) = plots(still).on_time()
    assert left_out(by_week) == [
        "14 of these days were not fetched (11 Jun 2026 to 24 Jun 2026): their orders are missing here. "
        "How many days are fetched is chosen in Orders."
    ]
    await fetched(still, datetime(2026, 6, 12), datetime(2026, 6, 24, 23, 59, 59))
    (by_week, _) = plots(still).on_time()
    assert left_out(by_week) == [
        "1 of these days was not fetched (11 Jun 2026): its orders are missing here. "
        "How many days are fetched is chosen in Orders."
    ]


@pytest.mark.asyncio
async def test_open_orders_by_age_and_state(still: Desk) -> None:
    def imported(number: int, days: int, state: str, **more: Any) -> OrderFacts:
        return order(number, state=state, imported_at=NOW - days * DAY, **more)

    orders = [
        *(imported(at, 0, "STD") for at in range(3)),
        imported(3, 1, "DSO"),
        imported(4, 9, "DSO", facility_id="DAL02"),
        imported(5, 200, "STD"),
        imported(6, -1, "STD"),  # of a clock that is ahead
        imported(7, 2, "CMP"),
        imported(8, 3, "XYZ"),  # a status that is not in the contract
        order(9, state="AVL"),  # no day of import
    ]
    await fill(still, "open", orders)
    plot = plots(still).open_by_age()
    assert [each.name for each in plot.series] == ["Started (STD)", "Dispatched (DSO)", "XYZ"]
    assert said(plot, 0) == {"0–1 d": "4 orders", "31+ d": "1 order"}
    assert said(plot, 1) == {"0–1 d": "1 order", "8–14 d": "1 order"}
    for series, _, mark in plot.marks():
        if series < 2:
            assert await finds(still, mark.target) == mark.value
        else:
            assert mark.target is None, "no filter can name such a status"
    assert left_out(plot) == ["1 open order has no day of import and is left out."]
    assert await finds(still, plot.left_out[0].target) == 1
    narrowed = plots(still, InsightChoice(facilities=("dal02",))).open_by_age()
    assert [each.name for each in narrowed.series] == ["Dispatched (DSO)"]
    assert plots(still, InsightChoice(facilities=("none",))).open_by_age().nothing == "There are no open orders."


@pytest.mark.asyncio
async def test_steps_as_quantiles(still: Desk) -> None:
    """Twenty orders that took 1 to 20 days from received to delivered, and one that was received after its delivery."""
    orders = [order(at, delivered=1, received_at=NOW - (at + 1) * DAY) for at in range(1, 21)]
    odd = [order(90, delivered=1, received_at=NOW), order(91, delivered=2)]
    await fill(still, "completed", [*orders, *odd])
    steps, by_facility = plots(still).steps()
    assert said(steps) == {"Received to delivered": "half within 10 days, 9 of 10 within 18 days; 20 orders"}
    ((_, _, mark),) = steps.marks()
    assert (mark.low, mark.value, mark.high) == (2, 10, 18)
    assert await finds(still, mark.target) == 20
    assert left_out(steps)[-1] == (
        "Received to delivered: 2 orders without both days, or with the later one first, are left out."
    )
    assert await finds(still, steps.left_out[-1].target) == 2
    assert said(by_facility) == {"MEM01": "half within 10 days, 9 of 10 within 18 days; 20 orders"}
    await fill(still, "completed", [order(100, delivered=1, received_at=NOW - 3 * DAY, facility_id="DAL02")])
    (_, by_facility) = plots(still).steps()
    assert "1 facility with fewer than 20 orders is left out." in left_out(by_facility)


@pytest.mark.asyncio
async def test_all_plots_come_in_their_order_also_with_nothing(still: Desk) -> None:
    found = await read_all(still, InsightChoice(), Progress())
    assert tuple(each.name for each in found) == NAMES
    assert all(each.nothing and each.definition and not list(each.marks()) for each in found)
    likely = await read_likely_late(still, Progress())
    assert (likely.orders, likely.calibration) == (0, None)

"""The forecast on stores made by hand: which open orders are likely late, why, and where it is silent."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress, Stopped
from app.desk.filter.filter_language import parse
from app.desk.filter.resolve_filter import resolve
from app.desk.forecast import forecast_words as words
from app.desk.forecast.likely_late import likely_late_orders, read_forecast
from app.store.cache import order_query, order_store
from app.store.cache.order_rows import ListName, OrderFacts
from tests.support.order_facts import facts

NOW = datetime(2026, 6, 30, 10, 0)
TODAY = NOW.date()
DAY = timedelta(days=1)
RECEIVED = NOW - 40 * DAY


def completed(number: int, took: int, had: int, *, facility: str = "MEM01", delivery: str = "HOME") -> OrderFacts:
    """Received 40 days ago, requested `had` days later, delivered `took` days later."""
    return facts(
        number,
        state="CMP",
        facility_id=facility,
        delivery_type=delivery,
        imported_at=RECEIVED - DAY,
        received_at=RECEIVED,
        requested_delivery=RECEIVED + had * DAY,
        delivered_at=RECEIVED + took * DAY,
    )


def awaited(number: int, received: int, left: int, **more: Any) -> OrderFacts:
    """Received so many days ago, and requested for a day that lies so many days ahead."""
    known: dict[str, Any] = {
        "state": "AVL",
        "facility_id": "MEM01",
        "delivery_type": "HOME",
        "imported_at": NOW - (received + 1) * DAY,
        "received_at": NOW - received * DAY,
        "requested_delivery": NOW + left * DAY,
    }
    return facts(number, **known | more)


@pytest.fixture
def still(offline_desk: Desk) -> Desk:
    return replace(offline_desk, now=lambda: NOW)


async def fill(desk: Desk, list_name: ListName, orders: Sequence[OrderFacts]) -> None:
    await desk.cache.write(order_store.store_orders, desk.profile.id, list_name, orders, NOW)


def hurried() -> list[OrderFacts]:
    """Twenty orders that had three days: 18 took four or five, two took nine."""
    return [completed(1_000 + at, 4 if at < 9 else 5 if at < 18 else 9, 3) for at in range(20)]


@pytest.mark.asyncio
async def test_an_order_with_less_time_than_others_took_is_likely_late(still: Desk) -> None:
    await fill(still, "completed", hurried())
    await fill(still, "open", [awaited(1, 0, 3), awaited(2, 0, 4), awaited(3, 0, 5)])
    found = await likely_late_orders(still)
    assert sorted(found) == [1, 2], "with five days, no more than two of twenty took longer"
    assert words.ground_words(found[1]) == (
        "9 of 10 at MEM01 (HOME) take up to 5 days from received to delivered; 3 days are left. "
        "Of 20 that had no more than its 3 days, 20 took longer."
    )
    assert (found[2].cases, found[2].longer, found[2].left) == (20, 11, 4)


@pytest.mark.asyncio
async def test_it_is_silent_below_twenty_cases(still: Desk) -> None:
    with_more_time = [completed(3_000 + at, 8, 9) for at in range(30)]
    await fill(still, "completed", [*hurried()[:19], *with_more_time])
    await fill(still, "open", [awaited(1, 0, 3)])
    assert await likely_late_orders(still) == {}


@pytest.mark.asyncio
async def test_all_delivery_types_of_the_facility_count_where_one_has_too_few(still: Desk) -> None:
    await fill(still, "completed", [*hurried()[:19], completed(2_000, 4, 3, delivery="STORE")])
    await fill(still, "open", [awaited(1, 0, 3)])
    (ground,) = (await likely_late_orders(still)).values()
    assert (ground.group.facility, ground.group.delivery, ground.cases) == ("MEM01", None, 20)
    assert words.ground_words(ground).startswith("9 of 10 at MEM01 take up to 5 days from received")


@pytest.mark.asyncio
async def test_all_facilities_count_where_one_has_too_few(still: Desk) -> None:
    await fill(still, "completed", [*hurried()[:10], *(completed(2_000 + at, 4, 3, facility="D") for at in range(10))])
    await fill(still, "open", [awaited(1, 0, 3)])
    (ground,) = (await likely_late_orders(still)).values()
    assert words.ground_words(ground).startswith("9 of 10 at all facilities take up to 4 days from received")


@pytest.mark.asyncio
async def test_who_has_waited_is_compared_with_those_who_waited_as_long(still: Desk) -> None:
    slow = [completed(3_000 + at, 9, 6) for at in range(20)]
    quick = [completed(4_000 + at, 2, 6) for at in range(60)]
    await fill(still, "completed", [*slow, *quick])
    await fill(still, "open", [awaited(1, 0, 6), awaited(2, 4, 2)])
    found = await likely_late_orders(still)
    assert sorted(found) == [2], "on the first day most are quick; after four days only the slow ones are left"
    assert words.ground_words(found[2]) == (
        "9 of 10 at MEM01 (HOME) that waited 4 days took up to 9 days from received to delivered; 2 days are left. "
        "Of 20 that had no more than its 6 days, 20 took longer."
    )


@pytest.mark.asyncio
async def test_nothing_is_foretold_of_what_is_known(still: Desk) -> None:
    await fill(still, "completed", hurried())
    known = [
        awaited(1, 5, -1),  # late already
        awaited(2, 0, 3, scheduled_delivery=NOW + 6 * DAY),  # scheduled after the requested day: known too
        awaited(3, 0, 3, state="CAN"),
        awaited(4, 0, 3, delivered_at=NOW),
        awaited(5, 0, 3, requested_delivery=None),
    ]
    await fill(still, "open", known)
    assert await likely_late_orders(still) == {}


@pytest.mark.asyncio
async def test_the_filter_finds_them_and_follows_a_change(still: Desk) -> None:
    await fill(still, "completed", hurried())
    await fill(still, "open", [awaited(1, 0, 3), awaited(2, 0, 9)])

    async def found(typed: str) -> list[int]:
        query = await resolve(still, parse(typed, TODAY), "number", descending=False)
        return [line.number for line in await still.reader.read(order_query.page_orders, query, 10)]

    assert await found("list:open is:likely_late") == [1]
    assert await found("list:open -is:likely_late") == [2]
    await still.cache.write(
        order_store.store_orders, still.profile.id, "open", [awaited(2, 0, 4)], NOW + timedelta(seconds=5)
    )
    assert await found("list:open is:likely_late") == [1, 2]


@pytest.mark.asyncio
async def test_a_row_of_the_table_is_judged_alike(still: Desk) -> None:
    await fill(still, "completed", hurried())
    await fill(still, "open", [awaited(1, 0, 3), awaited(2, 0, 9)])
    forecast, found = await read_forecast(still), await likely_late_orders(still)
    for line in await still.reader.read(order_query.orders_numbered, still.profile.id, [1, 2, 1_000]):
        assert forecast.of_line(line) == found.get(line.number)


@pytest.mark.asyncio
async def test_reading_stops_when_it_is_asked_to(still: Desk) -> None:
    await fill(still, "completed", [completed(at, 4, 3) for at in range(3_000)])
    with pytest.raises(Stopped):
        await read_forecast(still, Progress(stop=True))

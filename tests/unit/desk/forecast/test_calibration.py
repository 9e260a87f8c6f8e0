"""How often the forecast was right: counted on a store made by hand, and quoted for the practice world of a seed."""

import re
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache

import apsw
import pytest

from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress
from app.desk.forecast.calibration import Calibration, Read, calibrate, read_calibration
from app.desk.forecast.forecast_words import calibration_words
from app.practice.world.life import Life, state_at
from app.practice.world.made_orders import made_up_facts, order_roll, start_order
from app.practice.world.seconds import NEVER
from app.store.cache import order_store
from app.store.cache.index import segments
from app.store.cache.order_rows import OrderFacts
from tests.support.cache_memory import memory
from tests.support.order_facts import facts

NOW = datetime(2026, 6, 30, 10, 0)
TODAY = NOW.date()
DAY = timedelta(days=1)


def reading(c: apsw.Connection) -> Read:
    """Runs a function of the store on this connection."""
    return lambda function, *args: function(c, *args)


def order(number: int, received: int, had: int, took: int | None) -> OrderFacts:
    """Received so many days ago, with so many days until its requested day."""
    begun = NOW - received * DAY
    return facts(
        number,
        state="AVL" if took is None else "CMP",
        facility_id="MEM01",
        delivery_type="HOME",
        imported_at=begun - DAY,
        received_at=begun,
        requested_delivery=begun + had * DAY,
        delivered_at=None if took is None else begun + took * DAY,
    )


@pytest.mark.asyncio
async def test_cases_come_before_and_tests_after_one_day(offline_desk: Desk) -> None:
    """Before the split twenty slow orders; after it thirty with three days, ten of them late, and ten with six."""
    desk = replace(offline_desk, now=lambda: NOW)
    cases = [order(at, 150, 3, 5) for at in range(20)]
    tested = [
        *(order(100 + at, 20, 3, 5) for at in range(9)),
        order(109, 20, 3, None),  # never delivered, and its day has passed: late
        *(order(110 + at, 20, 3, 2) for at in range(20)),
        *(order(130 + at, 20, 6, 5) for at in range(10)),
    ]
    not_tested = [order(200, 1, 3, None), order(201, 20, -1, None), order(202, 70, 3, 5)]
    done = [each for each in (*cases, *tested, *not_tested) if each.delivered_at]
    left = [each for each in (*tested, *not_tested) if each.delivered_at is None]
    for name, orders in (("completed", done), ("open", left)):
        await desk.cache.write(order_store.store_orders, desk.profile.id, name, orders, NOW)  # type: ignore[arg-type]
    found = await read_calibration(desk, Progress())
    split = TODAY - 60 * DAY
    assert found == Calibration(
        TODAY - 145 * DAY, split, TODAY - DAY, cases=21, tested=40, late=10, called=30, right=10, silent=0
    )
    assert calibration_words(found) == (
        "Made from 21 orders delivered from 5 Feb 2026 to 30 Apr 2026. "
        "Checked on 40 orders received after that and requested for a day up to 29 Jun 2026: each on the day it was "
        "received, against the day it was requested for. "
        "It called 30 likely late, 10 of which were late. Of 10 late orders it had called 10."
    )


@pytest.mark.parametrize(
    ("called", "right", "late", "words"),
    [
        (0, 0, 43, "It called none of them likely late; 43 were late."),
        (0, 0, 0, "It called none of them likely late, and none was late."),
        (9, 0, 43, "It called 9 likely late, none of which was late. It had called none of the 43 late orders."),
        (9, 0, 0, "It called 9 likely late, none of which was late."),
        (9, 4, 43, "It called 9 likely late, 4 of which were late. Of 43 late orders it had called 4."),
    ],
)
def test_how_often_it_was_right_is_said_without_a_zero(called: int, right: int, late: int, words: str) -> None:
    found = Calibration(
        TODAY - 145 * DAY, TODAY - 60 * DAY, TODAY - DAY, cases=21, tested=60, late=late, called=called, right=right,
        silent=0,
    )  # fmt: skip
    assert found.enough
    assert calibration_words(found).endswith(f"was requested for. {words}")


def test_a_short_history_is_halved_and_too_few_tests_say_nothing() -> None:
    c = memory()
    assert calibrate(reading(c), "p", TODAY) is None
    assert "not known yet" in calibration_words(None)
    order_store.store_orders(c, "p", "completed", [order(at, 30, 3, 5) for at in range(20)], NOW)
    found = calibrate(reading(c), "p", TODAY)
    assert found is not None
    assert (found.split, found.tested, found.enough) == (TODAY - 13 * DAY, 0, False)
    assert "not known yet" in calibration_words(found)


@cache
def practice_calibration(seed: int, orders: int) -> Calibration:
    """The practice world's orders of a year, as the provider would list them today."""
    now = int(NOW.timestamp())
    c = memory()
    made = [_made(seed, 700_000 + at, now - (at * 330 * 86_400) // orders, now) for at in range(orders)]
    for name, done in (("completed", True), ("open", False)):
        listed = [each for each in made if each.state != "CAN" and (each.state == "CMP") is done]
        order_store.store_orders(c, "p", name, listed, NOW)  # type: ignore[arg-type]
    while segments.index_some(c, 4_000, 1):
        pass
    found = calibrate(reading(c), "p", TODAY)
    assert found is not None
    return found


def _made(seed: int, number: int, imported: int, now: int) -> OrderFacts:
    start = start_order(seed, number, "main", imported)
    life: Life = start.life

    def moment(second: int) -> datetime | None:
        return None if second == NEVER or second > now else datetime.fromtimestamp(second)

    made = made_up_facts(order_roll(seed, number), number, start.facility)
    return facts(
        number,
        state=str(state_at(life, now).value),
        facility_id=start.facility,
        delivery_type=made.delivery_type,
        imported_at=moment(life.imported),
        received_at=moment(life.received),
        requested_delivery=datetime.fromtimestamp(life.requested),
        loaded_at=moment(life.loaded),
        delivered_at=moment(life.delivered),
    )


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_in_the_practice_world_most_that_it_calls_were_late(seed: int) -> None:
    found = practice_calibration(seed, 12_000)
    assert found.enough
    assert found.called >= 20
    by_chance = found.late / found.tested
    assert found.right / found.called > 0.5 > 2 * by_chance, calibration_words(found)
    assert re.search(r"It called [\d,]+ likely late, [\d,]+ of which were late\.", calibration_words(found))

"""Orders that left the open list are looked up, a few in a refresh; those found nowhere stay listed as departed."""

from dataclasses import replace
from datetime import timedelta

import pytest

from app.desk.desk import Desk
from app.desk.orders import stored_orders
from app.desk.sync import order_sync
from app.desk.sync.departed_orders import look_for_departed
from app.desk.sync.window_plan import all_jobs
from tests.support.fault_server import INFORMATION, Answer, FaultServer
from tests.support.faults import answered, json_answer
from tests.support.listed_orders import COMPLETED, OPEN, TODAY, Record, in_window, record

pytestmark = pytest.mark.asyncio


async def leave(desk: Desk, server: FaultServer, *numbers: int) -> None:
    """These orders are open at one refresh and no longer at the next."""
    world: list[Record] = [record(number, 0) for number in numbers]
    server.serve(INFORMATION + OPEN, in_window(world))
    await order_sync.refresh(desk, "open", 0)
    world.clear()
    await order_sync.refresh(desk, "open", 0)


async def list_of(desk: Desk, number: int) -> str:
    found = await stored_orders.detail(desk, number)
    assert found is not None
    return found.line.list


async def test_the_completed_list_is_looked_at_first(desk_today: Desk, fault_server: FaultServer) -> None:
    await leave(desk_today, fault_server, 1)
    done = record(1, 0, StatusId="CMP", DateActualDelivery=TODAY.isoformat())
    fault_server.serve(INFORMATION + COMPLETED, in_window([done], "DateActualDelivery"))
    await order_sync.fetch(desk_today, all_jobs(("completed",), TODAY, 0))
    found = await look_for_departed(desk_today)
    assert (found.asked, found.unfound, found.trouble) == (0, 0, "")
    assert fault_server.seen("/orders/1") == []
    assert await list_of(desk_today, 1) == "completed"


@pytest.mark.parametrize(("state", "place"), [("CMP", "completed"), ("CAN", "other")])
async def test_the_rest_are_asked_for_by_number(
    desk_today: Desk, fault_server: FaultServer, state: str, place: str
) -> None:
    await leave(desk_today, fault_server, 1)
    fault_server.serve(INFORMATION + "/orders/1", json_answer(record(1, 0, StatusId=state)))
    found = await look_for_departed(desk_today)
    assert (found.asked, found.unfound) == (1, 0)
    assert await list_of(desk_today, 1) == place
    assert (await look_for_departed(desk_today)).asked == 0


async def test_one_that_is_nowhere_stays_named_and_is_asked_for_again_after_a_rest(
    desk_today: Desk, fault_server: FaultServer
) -> None:
    await leave(desk_today, fault_server, 1, 2)
    fault_server.serve(INFORMATION + "/orders/1", Answer(404))
    fault_server.serve(INFORMATION + "/orders/2", json_answer(record(2, 0)))  # open still, and in no list
    found = await look_for_departed(desk_today)
    assert (found.asked, found.unfound, found.unasked) == (2, 2, 0)
    assert (await look_for_departed(desk_today)).asked == 0
    assert [await list_of(desk_today, each) for each in (1, 2)] == ["other", "other"]
    later = replace(desk_today, now=lambda: TODAY + timedelta(hours=2))
    assert (await look_for_departed(later)).asked == 2


async def test_many_are_asked_for_a_few_at_a_time_and_the_next_goes_on(
    desk_today: Desk, fault_server: FaultServer
) -> None:
    await leave(desk_today, fault_server, *range(1, 8))
    first = await look_for_departed(desk_today, 5)
    assert (first.asked, first.unfound, first.unasked) == (5, 7, 2)
    second = await look_for_departed(desk_today, 5)
    assert (second.asked, second.unasked) == (2, 0)
    asked = [each.path.rpartition("/")[2] for number in range(1, 8) for each in fault_server.seen(f"/orders/{number}")]
    assert sorted(asked) == list("1234567"), "each once"


async def test_trouble_that_is_everyone_s_ends_the_asking(desk_today: Desk, fault_server: FaultServer) -> None:
    await leave(desk_today, fault_server, 1, 2, 3)
    for number in (1, 2, 3):
        fault_server.plan(answered(Answer(403)), f"/orders/{number}", times=None)
    found = await look_for_departed(desk_today)
    assert (found.asked, found.unfound, found.unasked) == (0, 3, 3)
    assert found.trouble
    assert len([each for number in (1, 2, 3) for each in fault_server.seen(f"/orders/{number}")]) == 1


async def test_trouble_that_is_one_order_s_own_holds_up_no_other(desk_today: Desk, fault_server: FaultServer) -> None:
    await leave(desk_today, fault_server, 1, 2)
    fault_server.serve(INFORMATION + "/orders/2", json_answer(["no order"]))
    fault_server.serve(INFORMATION + "/orders/1", json_answer(record(1, 0, StatusId="CAN")))
    found = await look_for_departed(desk_today)
    assert (found.asked, found.unfound, found.trouble) == (2, 1, "")


@pytest.mark.usefixtures("in_chicago")
async def test_times_with_a_zone_move_nothing_to_and_fro(desk_today: Desk, fault_server: FaultServer) -> None:
    """Monday at the provider is still Sunday here, so the order comes in another window than its own."""
    world = [record(1, 0, DateImported="2026-11-16T02:00:00Z")]
    fault_server.serve(INFORMATION + OPEN, in_window(world))
    for _ in range(2):
        for job in all_jobs(("open",), TODAY, 12):
            await order_sync.fetch(desk_today, [job])
        assert await list_of(desk_today, 1) == "open"
        assert (await look_for_departed(desk_today)).unfound == 0
    world.clear()
    for _ in range(2):  # the window that held it, and the window of its time here
        for job in all_jobs(("open",), TODAY, 12):
            await order_sync.fetch(desk_today, [job])
    assert await list_of(desk_today, 1) == "other"


async def test_without_a_connection_nobody_is_asked(desk_today: Desk, fault_server: FaultServer) -> None:
    await leave(desk_today, fault_server, 1)
    provider, desk_today.provider = desk_today.provider, None
    found = await look_for_departed(desk_today)
    desk_today.provider = provider
    assert (found.asked, found.trouble) == (0, "Not connected yet.")

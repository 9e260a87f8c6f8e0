"""A refresh against the fault server: windows known, windows missing with their reason, and what came is kept."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import apsw
import pytest

from app.desk import orders, sync
from app.desk.desk import Desk
from app.desk.sync import Progress
from app.store.cache_rows import OrderQuery, WindowRow
from app.store.cache_schema import CACHE
from app.store.database import Database
from tests.support.failing_disk import FailingDisk
from tests.support.fault_server import INFORMATION, Answer, FaultServer, Seen
from tests.support.faults import answered, json_answer, truncated

OPEN, COMPLETED = "/orders/open", "/orders/completed"
TODAY = datetime(2026, 11, 20, 14, 2, 10)
pytestmark = pytest.mark.asyncio

Record = dict[str, object]


def record(number: int, days_ago: int, **more: object) -> Record:
    imported = (TODAY - timedelta(days=days_ago)).replace(hour=8, minute=0, second=0)
    return {"OrderNumber": number, "CRN": f"R-{number}", "StatusId": "STD", "DateImported": imported.isoformat()} | more


def in_window(world: list[Record], by: str = "DateImported") -> Callable[[Seen], Answer]:
    """What the provider has in the window that is asked for."""

    def answer(seen: Seen) -> Answer:
        start, end = seen.query["StartDate"], seen.query["EndDate"]
        return json_answer([each for each in world if start <= str(each[by]) <= end])

    return answer


@pytest.fixture
def world(fault_server: FaultServer) -> list[Record]:
    """The provider's open orders; a test changes them as it likes."""
    made: list[Record] = []
    fault_server.serve(INFORMATION + OPEN, in_window(made))
    return made


@pytest.fixture
def desk_today(desk: Desk) -> Desk:
    """The desk on a day that stands still but for its seconds, so that windows are known."""
    ticks = iter(range(100_000))
    return replace(desk, now=lambda: TODAY + timedelta(milliseconds=next(ticks)))


async def numbers(desk: Desk, list_name: str = "open") -> list[int]:
    query = OrderQuery(desk.profile.id, "open" if list_name == "open" else "completed", sort="number", descending=False)
    return [line.number for line in await orders.page(desk, query, 0, 1_000)]


async def covered(desk: Desk) -> list[WindowRow]:
    return list(await orders.coverage(desk, "open"))


async def test_both_ends_of_each_window_are_asked_for_and_what_came_is_known(
    desk_today: Desk, fault_server: FaultServer, world: list[Record]
) -> None:
    world += [record(number, number % 30) for number in range(1, 61)]
    told: list[Progress] = []
    result = await sync.refresh(desk_today, "open", 30, told.append)
    assert (result.orders, result.trouble, result.missing, result.unreadable) == (60, "", (), 0)
    asked = [each.query for each in fault_server.seen(OPEN)]
    assert asked[0] == {
        "IncludePOs": "true",
        "IncludeCommodities": "true",
        "StartDate": "2026-11-14T00:00:00",
        "EndDate": "2026-11-20T23:59:59",
    }
    assert len(asked) == 5
    assert await numbers(desk_today) == list(range(1, 61))
    rows = await covered(desk_today)
    assert [(row.start, row.end) for row in rows] == sync.windows(TODAY, 30)
    assert sum(row.count or 0 for row in rows) == 60
    assert all(row.error is None and row.fetched_at is not None for row in rows)
    assert told[0] == Progress(0, 5, 0)
    assert told[-1].orders == 60
    assert [each.orders for each in told] == sorted(each.orders for each in told)


async def test_a_window_that_fails_keeps_its_reason_and_the_others_stay(
    desk_today: Desk, fault_server: FaultServer, world: list[Record]
) -> None:
    world += [record(number, number) for number in range(21)]
    second = sync.windows(TODAY, 20)[1]

    def planner(seen: Seen) -> object:
        wanted = seen.path.endswith(OPEN) and seen.query["StartDate"] == second[0].isoformat()
        return answered(Answer(500)) if wanted else None

    fault_server.plan_by(planner)  # type: ignore[arg-type]
    result = await sync.refresh(desk_today, "open", 20)
    assert result.missing == (second,)
    assert "failed" in result.trouble
    assert (await numbers(desk_today)) == [*range(7), *range(14, 21)]
    by_start = {row.start: row for row in await covered(desk_today)}
    assert by_start[second[0]].error == result.trouble
    assert by_start[second[0]].fetched_at is None
    assert [row.error for start, row in by_start.items() if start != second[0]] == [None, None]
    fault_server.plan_by(None)
    again = await sync.refresh(desk_today, "open", 20)
    assert again.trouble == ""
    assert (await numbers(desk_today)) == list(range(21))


async def test_a_window_that_fails_later_leaves_what_was_seen_and_when(
    desk_today: Desk, fault_server: FaultServer, world: list[Record]
) -> None:
    world += [record(1, 0), record(2, 1)]
    await sync.refresh(desk_today, "open", 6)
    (before,) = await covered(desk_today)
    world.clear()
    fault_server.plan(answered(Answer(500)), OPEN, times=None)
    await sync.refresh(desk_today, "open", 6)
    (after,) = await covered(desk_today)
    assert after.fetched_at == before.fetched_at
    assert after.error
    assert await numbers(desk_today) == [1, 2]


async def test_what_came_before_a_break_is_kept(
    desk_today: Desk, fault_server: FaultServer, world: list[Record]
) -> None:
    world += [record(number, 0) for number in range(300)]
    whole = len(json.dumps(world))
    fault_server.plan(truncated(whole * 2 // 3), OPEN)
    result = await sync.refresh(desk_today, "open", 6)
    assert len(result.missing) == 1
    kept = await numbers(desk_today)
    assert 150 < len(kept) < 250
    assert result.orders == len(kept)
    (row,) = await covered(desk_today)
    assert row.fetched_at is None
    assert row.error


@pytest.mark.parametrize("status", [401, 403])
async def test_what_every_window_would_meet_is_met_once(
    desk_today: Desk, fault_server: FaultServer, status: int
) -> None:
    fault_server.plan(answered(Answer(status)), OPEN, times=None)
    result = await sync.refresh(desk_today, "open", 30)
    assert list(result.missing) == sync.windows(TODAY, 30)
    assert result.trouble
    assert len(fault_server.seen(OPEN)) <= 2


async def test_without_a_connection_the_trouble_is_told(offline_desk: Desk) -> None:
    result = await sync.refresh(offline_desk, "open", 30)
    assert (result.orders, result.trouble) == (0, "Not connected yet.")
    assert await sync.refresh_order(offline_desk, 5) == "Not connected yet."


async def test_an_order_that_left_the_open_list_leaves_it_here(desk_today: Desk, world: list[Record]) -> None:
    world += [record(1, 0), record(2, 3), record(3, 25)]
    await sync.refresh(desk_today, "open", 30)
    del world[1]
    await sync.refresh(desk_today, "open", 30)
    assert await numbers(desk_today) == [1, 3]
    found = await orders.detail(desk_today, 2)
    assert found is not None
    assert found.line.list == "other"


async def test_an_order_outside_the_days_asked_for_is_not_thought_gone(desk_today: Desk, world: list[Record]) -> None:
    world += [record(1, 0), record(2, 25)]
    await sync.refresh(desk_today, "open", 30)
    world.clear()
    await sync.refresh(desk_today, "open", 7)
    assert await numbers(desk_today) == [2]


async def test_a_window_that_broke_off_drops_nothing(
    desk_today: Desk, fault_server: FaultServer, world: list[Record]
) -> None:
    world += [record(1, 0), record(2, 1)]
    await sync.refresh(desk_today, "open", 6)
    del world[1]
    fault_server.plan(truncated(40), OPEN, times=None)
    await sync.refresh(desk_today, "open", 6)
    assert await numbers(desk_today) == [1, 2]


async def test_completed_orders_move_to_their_list(
    desk_today: Desk, fault_server: FaultServer, world: list[Record]
) -> None:
    world += [record(1, 3), record(2, 3)]
    await sync.refresh(desk_today, "open", 30)
    done = world.pop() | {"StatusId": "CMP", "DateActualDelivery": TODAY.replace(hour=9).isoformat()}
    fault_server.serve(INFORMATION + COMPLETED, in_window([done], "DateActualDelivery"))
    await sync.refresh(desk_today, "completed", 30)
    await sync.refresh(desk_today, "open", 30)
    assert (await numbers(desk_today), await numbers(desk_today, "completed")) == ([1], [2])
    assert await orders.counts(desk_today) == {"open": 1, "completed": 1}


async def test_records_that_cannot_be_read_are_counted(desk_today: Desk, fault_server: FaultServer) -> None:
    strange = [record(1, 0), {"CRN": "no number"}, 7, "text", None, record(2, 0)]
    fault_server.serve(INFORMATION + OPEN, json_answer(strange))
    result = await sync.refresh(desk_today, "open", 6)
    assert (result.orders, result.unreadable, result.trouble) == (2, 4, "")
    assert await numbers(desk_today) == [1, 2]


async def test_one_order_is_fetched_whole(desk_today: Desk, fault_server: FaultServer, world: list[Record]) -> None:
    world.append(record(7, 0))
    await sync.refresh(desk_today, "open", 6)
    whole = record(7, 0, Notes=[{"Text": "Call first."}], Remarks="New words")
    fault_server.serve(INFORMATION + "/orders/7", json_answer(whole))
    assert await sync.refresh_order(desk_today, 7) == ""
    found = await orders.detail(desk_today, 7)
    assert found is not None
    assert json.loads(found.raw)["Notes"] == [{"Text": "Call first."}]
    assert found.line.list == "open"
    await sync.refresh(desk_today, "open", 6)
    later = await orders.detail(desk_today, 7)
    assert later is not None
    assert json.loads(later.raw)["Notes"] == [{"Text": "Call first."}], "a list without notes erases none"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Answer(404), "no order with this number"),
        (Answer(500), "failed"),
        (Answer(200, b"[]"), "not an order"),
        (Answer(200, b"<html>"), ""),
    ],
)
async def test_trouble_with_one_order_is_a_sentence_and_erases_nothing(
    desk_today: Desk, fault_server: FaultServer, world: list[Record], answer: Answer, words: str
) -> None:
    world.append(record(7, 0))
    await sync.refresh(desk_today, "open", 6)
    fault_server.plan(answered(answer), "/orders/7", times=None)
    sentence = await sync.refresh_order(desk_today, 7)
    assert sentence
    assert words in sentence
    assert await numbers(desk_today) == [7]


async def test_a_cache_that_takes_nothing_is_told_and_the_provider_is_left_in_peace(
    desk_today: Desk, fault_server: FaultServer, world: list[Record], tmp_path: Path
) -> None:
    world += [record(number, 0) for number in range(3)]
    fault_server.serve(INFORMATION + "/orders/2", json_answer(record(2, 0)))
    disk = FailingDisk()
    database = Database(tmp_path / "shaky-cache.sqlite3", CACHE, vfs=disk.vfs)
    await database.opened()
    shaky = replace(desk_today, cache=database)
    disk.fail = apsw.FullError
    result = await sync.refresh(shaky, "open", 30)
    assert "disk is full" in result.trouble
    assert list(result.missing) == sync.windows(TODAY, 30)
    assert len(fault_server.seen(OPEN)) == 1
    assert "disk is full" in await sync.refresh_order(shaky, 2)
    disk.fail = None
    await database.close()
    disk.unregister()


async def test_a_connection_given_up_meanwhile_ends_the_refresh_with_its_reason(
    desk_today: Desk, world: list[Record]
) -> None:
    world += [record(number, number) for number in range(15)]
    provider = desk_today.provider

    def hang_up(progress: Progress) -> None:
        if progress.windows_done == 1:
            desk_today.provider, desk_today.trouble = None, "The connection was changed."

    result = await sync.refresh(desk_today, "open", 14, hang_up)
    desk_today.provider = provider
    assert result.trouble == "The connection was changed."
    assert list(result.missing) == sync.windows(TODAY, 14)[1:]
    assert await numbers(desk_today) == list(range(7))

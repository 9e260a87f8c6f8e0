"""A refresh against the fault server: whole windows are known, gaps have a reason, orders that came are kept."""

import asyncio
import contextlib
import json
import threading
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import apsw
import pytest

from app.desk.desk import Desk
from app.desk.orders import stored_orders
from app.desk.sync import fetch_window, order_sync, window_plan
from app.desk.sync.order_sync import Progress
from app.desk.sync.window_plan import Gap, Window, all_jobs, find_gaps, stale_jobs
from app.store.cache.index import sort_order
from app.store.cache.order_rows import COMMON_SORTS, OrderQuery
from app.store.cache.schema.cache_schema import CACHE, CACHE_FOR_READING
from app.store.sqlite.database import Database
from tests.support.failing_disk import FailingDisk
from tests.support.fault_server import INFORMATION, Answer, FaultServer, Seen
from tests.support.faults import Fault, answered, json_answer, truncated
from tests.support.listed_orders import (
    COMPLETED,
    OPEN,
    TODAY,
    WITH_DOCUMENTS,
    Record,
    covered,
    in_window,
    numbers,
    record,
)

pytestmark = pytest.mark.asyncio


def spans(gaps: tuple[Gap, ...]) -> list[Window]:
    return [(each.start, each.end) for each in gaps]


def whole(days: int) -> list[Window]:
    """The days of a horizon as one span."""
    cut = window_plan.windows(TODAY, days)
    return [(cut[-1][0], cut[0][1])]


async def test_both_ends_of_each_window_are_asked_for_and_what_came_is_known(
    desk_today: Desk, fault_server: FaultServer, world: list[Record]
) -> None:
    world += [record(number, number % 30) for number in range(1, 61)]
    told: list[Progress] = []
    result = await order_sync.refresh(desk_today, "open", 30, told.append)
    assert (result.orders, result.trouble, result.missing, result.unreadable) == (60, "", (), 0)
    asked = sorted((each.query for each in fault_server.seen(OPEN)), key=lambda each: each["StartDate"], reverse=True)
    assert asked[0] == {
        "IncludePOs": "true",
        "IncludeCommodities": "true",
        "StartDate": "2026-11-20T00:00:00",
        "EndDate": "2026-11-21T23:59:59",  # the provider's clock may be ahead
    }
    assert (asked[1]["StartDate"], asked[1]["EndDate"]) == ("2026-11-16T00:00:00", "2026-11-19T23:59:59")
    assert len(asked) == 6
    assert await numbers(desk_today) == list(range(1, 61))
    rows = await covered(desk_today)
    assert [(row.start, row.end) for row in rows] == window_plan.windows(TODAY, 30)
    assert sum(row.count or 0 for row in rows) == 60
    assert all(row.error is None and row.fetched_at is not None for row in rows)
    assert told[0] == Progress(0, 6, 0)
    assert (told[-1].windows_done, told[-1].orders, told[-1].under_way) == (6, 60, {})
    assert any(len(each.under_way) > 1 for each in told), "several windows at once"
    assert [each.orders for each in told] == sorted(each.orders for each in told)


async def test_a_window_that_fails_keeps_its_reason_and_the_others_stay(
    desk_today: Desk, fault_server: FaultServer, world: list[Record]
) -> None:
    world += [record(number, number) for number in range(21)]
    second = window_plan.windows(TODAY, 20)[2]
    assert second == (datetime(2026, 11, 9), datetime(2026, 11, 15, 23, 59, 59))

    def planner(seen: Seen) -> Fault | None:
        wanted = seen.path.endswith(OPEN) and seen.query["StartDate"] == second[0].isoformat()
        return answered(Answer(500)) if wanted else None

    fault_server.plan_by(planner)
    result = await order_sync.refresh(desk_today, "open", 20)
    assert spans(result.missing) == [second]
    assert result.missing[0].sentence == result.trouble
    assert "failed" in result.trouble
    assert (await numbers(desk_today)) == [*range(5), *range(12, 21)]
    by_start = {row.start: row for row in await covered(desk_today)}
    assert (by_start[second[0]].error, by_start[second[0]].tries) == (result.trouble, 3)
    assert by_start[second[0]].fetched_at is None
    assert [row.error for start, row in by_start.items() if start != second[0]] == [None] * 4
    fault_server.plan_by(None)
    again = await order_sync.refresh(desk_today, "open", 20)
    assert again.trouble == ""
    assert (await numbers(desk_today)) == list(range(21))


async def test_a_window_that_fails_later_leaves_what_was_seen_and_when(
    desk_today: Desk, fault_server: FaultServer, world: list[Record]
) -> None:
    world += [record(1, 0), record(2, 1)]
    await order_sync.refresh(desk_today, "open", 4)
    before = await covered(desk_today)
    world.clear()
    fault_server.plan(answered(Answer(500)), OPEN, times=None)
    await order_sync.refresh(desk_today, "open", 4)
    after = await covered(desk_today)
    assert [each.fetched_at for each in after] == [each.fetched_at for each in before]
    assert all(each.error for each in after)
    assert await numbers(desk_today) == [1, 2]


async def test_what_came_before_a_break_is_kept(
    desk_today: Desk, fault_server: FaultServer, world: list[Record]
) -> None:
    world += [record(number, 0) for number in range(300)]
    fault_server.plan(truncated(len(json.dumps(world)) * 2 // 3), OPEN, times=None)
    result = await order_sync.refresh(desk_today, "open", 0)
    assert spans(result.missing) == whole(0)
    kept = await numbers(desk_today)
    assert 150 < len(kept) < 250
    assert result.orders == 3 * len(kept)
    (row,) = await covered(desk_today)
    assert row.fetched_at is None
    assert row.error


async def test_a_window_that_breaks_off_is_tried_again_and_then_in_halves(
    desk_today: Desk, fault_server: FaultServer, world: list[Record]
) -> None:
    """A proxy may cut every long reply."""
    world += [record(number, 2 + number % 3) for number in range(300)]

    def planner(seen: Seen) -> Fault | None:
        long = seen.path.endswith(OPEN) and len(in_window(world)(seen).body) > 20_000
        return truncated(20_000) if long else None

    fault_server.plan_by(planner)
    result = await order_sync.refresh(desk_today, "open", 4)
    assert (result.trouble, result.missing) == ("", ())
    assert await numbers(desk_today) == list(range(300))
    assert len(fault_server.seen(OPEN)) == 5, "today, twice the week, both its halves"


@pytest.mark.parametrize("status", [401, 403])
async def test_what_every_window_would_meet_is_met_once(
    desk_today: Desk, fault_server: FaultServer, status: int
) -> None:
    fault_server.plan(answered(Answer(status)), OPEN, times=None)
    result = await order_sync.refresh(desk_today, "open", 60)
    assert spans(result.missing) == whole(60)
    assert result.trouble
    assert len(fault_server.seen(OPEN)) <= 2 * 4, "those under way, with an old and a new token"


async def test_without_a_connection_the_trouble_is_told(offline_desk: Desk) -> None:
    result = await order_sync.refresh(offline_desk, "open", 30)
    assert (result.orders, result.trouble) == (0, "Not connected yet.")
    assert await fetch_window.refresh_order(offline_desk, 5) == "Not connected yet."


async def test_an_order_that_left_the_open_list_leaves_it_here(desk_today: Desk, world: list[Record]) -> None:
    world += [record(1, 0), record(2, 3), record(3, 25)]
    await order_sync.refresh(desk_today, "open", 30)
    del world[1]
    await order_sync.refresh(desk_today, "open", 30)
    assert await numbers(desk_today) == [1, 3]
    found = await stored_orders.detail(desk_today, 2)
    assert found is not None
    assert found.line.list == "other"


async def test_an_order_outside_the_days_asked_for_is_not_thought_gone(desk_today: Desk, world: list[Record]) -> None:
    world += [record(1, 0), record(2, 25)]
    await order_sync.refresh(desk_today, "open", 30)
    world.clear()
    await order_sync.refresh(desk_today, "open", 7)
    assert await numbers(desk_today) == [2]
    assert [each.count for each in await covered(desk_today)][:3] == [0, 0, 0]


async def test_a_window_that_broke_off_drops_nothing(
    desk_today: Desk, fault_server: FaultServer, world: list[Record]
) -> None:
    world += [record(1, 1), record(2, 1)]
    await order_sync.refresh(desk_today, "open", 6)
    del world[1]
    fault_server.plan(truncated(40), OPEN, times=None)
    await order_sync.refresh(desk_today, "open", 6)
    assert await numbers(desk_today) == [1, 2]


async def test_completed_orders_move_to_their_list(
    desk_today: Desk, fault_server: FaultServer, world: list[Record]
) -> None:
    world += [record(1, 3), record(2, 3)]
    await order_sync.refresh(desk_today, "open", 30)
    done = world.pop() | {"StatusId": "CMP", "DateActualDelivery": TODAY.replace(hour=9).isoformat()}
    fault_server.serve(INFORMATION + COMPLETED, in_window([done], "DateActualDelivery"))
    await order_sync.refresh(desk_today, "completed", 30)
    await order_sync.refresh(desk_today, "open", 30)
    assert (await numbers(desk_today), await numbers(desk_today, "completed")) == ([1], [2])
    assert await stored_orders.counts(desk_today) == {"open": 1, "completed": 1}


async def test_records_that_cannot_be_read_are_counted(desk_today: Desk, fault_server: FaultServer) -> None:
    strange = [record(1, 0), {"CRN": "no number"}, 7, "text", None, record(2, 0)]
    fault_server.serve(INFORMATION + OPEN, json_answer(strange))
    result = await order_sync.refresh(desk_today, "open", 0)
    assert (result.orders, result.unreadable, result.trouble) == (2, 4, "")
    assert await numbers(desk_today) == [1, 2]


async def test_records_that_cannot_be_read_are_told_with_the_windows_they_came_in(
    desk_today: Desk, world: list[Record]
) -> None:
    odd = [{"CRN": "no number", "DateImported": record(1, days)["DateImported"]} for days in (0, 20, 20)]
    world += [record(1, 0), record(2, 10), record(3, 20), *odd]
    result = await order_sync.refresh(desk_today, "open", 30)
    cut, before = window_plan.windows(TODAY, 30), TODAY - timedelta(days=20)
    (twenty,) = [each for each in cut if each[0] <= before <= each[1]]
    assert (result.orders, result.unreadable, result.unreadable_in) == (3, 3, (cut[0], twenty))


async def test_a_record_of_a_window_that_is_tried_again_is_counted_once(
    desk_today: Desk, fault_server: FaultServer
) -> None:
    strange = [{"CRN": "no number"}, record(1, 0)]
    fault_server.serve(INFORMATION + OPEN, json_answer(strange))
    fault_server.plan(truncated(len(json.dumps(strange)) - 1), OPEN, times=2)
    result = await order_sync.refresh(desk_today, "open", 0)
    assert (result.unreadable, result.trouble, len(fault_server.seen(OPEN))) == (1, "", 3)


async def test_one_order_is_fetched_whole(desk_today: Desk, fault_server: FaultServer, world: list[Record]) -> None:
    world.append(record(7, 0))
    await order_sync.refresh(desk_today, "open", 6)
    whole = record(7, 0, Notes=[{"Text": "Call first."}], Remarks="New words")
    fault_server.serve(INFORMATION + "/orders/7", json_answer(whole))
    assert await fetch_window.refresh_order(desk_today, 7) == ""
    found = await stored_orders.detail(desk_today, 7)
    assert found is not None
    assert json.loads(found.raw)["Notes"] == [{"Text": "Call first."}]
    assert found.line.list == "open"
    await order_sync.refresh(desk_today, "open", 6)
    later = await stored_orders.detail(desk_today, 7)
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
    await order_sync.refresh(desk_today, "open", 6)
    fault_server.plan(answered(answer), "/orders/7", times=None)
    sentence = await fetch_window.refresh_order(desk_today, 7)
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
    result = await order_sync.refresh(shaky, "open", 30)
    assert "disk is full" in result.trouble
    assert spans(result.missing) == whole(30)
    assert len(fault_server.seen(OPEN)) <= 8, "those under way"
    assert "disk is full" in await fetch_window.refresh_order(shaky, 2)
    disk.fail = None
    await database.close()
    disk.unregister()


async def test_a_connection_given_up_meanwhile_ends_the_refresh_with_its_reason(
    desk_today: Desk, world: list[Record]
) -> None:
    world += [record(number, number) for number in range(60)]
    provider = desk_today.provider

    def hang_up(progress: Progress) -> None:
        if progress.windows_done == 1:
            desk_today.provider, desk_today.trouble = None, "The connection was changed."

    result = await order_sync.refresh(desk_today, "open", 59, hang_up)
    desk_today.provider = provider
    assert result.trouble == "The connection was changed."
    (gap,) = spans(result.missing)
    assert gap[0] == window_plan.windows(TODAY, 59)[-1][0]
    assert await numbers(desk_today) == list(range((TODAY.date() - gap[1].date()).days)), "what was under way came"


async def test_a_list_that_is_not_allowed_stops_the_other_in_nothing(
    desk_today: Desk, fault_server: FaultServer, world: list[Record]
) -> None:
    world += [record(number, number) for number in range(30)]
    fault_server.plan(answered(Answer(403)), COMPLETED, times=None)
    jobs = all_jobs(("completed", "open"), TODAY, 30)
    results = await order_sync.fetch(desk_today, jobs)
    assert (results["open"].trouble, results["open"].orders) == ("", 30)
    assert spans(results["completed"].missing) == whole(30)
    assert len(fault_server.seen(COMPLETED)) <= 4


async def test_a_provider_that_asks_for_a_short_rest_gets_it(
    desk_today: Desk, fault_server: FaultServer, world: list[Record]
) -> None:
    world += [record(1, 0)]
    fault_server.plan(answered(Answer(503, headers=(("Retry-After", "0"),))), OPEN, times=2)
    result = await order_sync.refresh(desk_today, "open", 0)
    assert (result.trouble, await numbers(desk_today)) == ("", [1])


async def test_a_provider_that_asks_for_a_long_rest_is_asked_for_nothing_more(
    desk_today: Desk, fault_server: FaultServer
) -> None:
    fault_server.plan(answered(Answer(503, headers=(("Retry-After", "600"),))), OPEN, times=None)
    result = await order_sync.refresh(desk_today, "open", 90)
    assert spans(result.missing) == whole(90)
    assert len(fault_server.seen(OPEN)) <= 4
    assert result.not_before is not None
    assert timedelta(seconds=590) < result.not_before - TODAY <= timedelta(seconds=601)


async def test_many_windows_that_fail_in_a_row_end_the_run(desk_today: Desk, fault_server: FaultServer) -> None:
    fault_server.plan(answered(Answer(500)), OPEN, times=None)
    result = await order_sync.refresh(desk_today, "open", 365)
    assert spans(result.missing) == whole(365)
    assert len(fault_server.seen(OPEN)) < 30, "of more than fifty windows, each call repeated"


async def test_what_was_stopped_is_kept_and_gone_on_with(
    desk_today: Desk, fault_server: FaultServer, world: list[Record]
) -> None:
    world += [record(number, number) for number in range(200)]
    began, jobs = desk_today.now(), all_jobs(("open",), TODAY, 200)
    enough = asyncio.Event()

    def told(progress: Progress) -> None:
        if progress.windows_done >= 10:
            enough.set()

    running = asyncio.ensure_future(order_sync.fetch(desk_today, jobs, told))
    await enough.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    known = await order_sync.read_coverage(desk_today)
    left = stale_jobs(jobs, known, began, desk_today.now())
    assert jobs[0] in left, "today is never over"
    assert 10 < len(left) < len(jobs) - 8
    # Several windows are fetched at a time, so the last of them may have come out of turn.
    assert {each.sentence for each in find_gaps(jobs, known, TODAY)} == {""}
    before = len(fault_server.seen(OPEN))
    results = await order_sync.fetch(desk_today, left)
    assert len(fault_server.seen(OPEN)) - before == len(left), "no whole window is asked for again"
    assert (results["open"].trouble, await numbers(desk_today)) == ("", list(range(200)))
    assert find_gaps(jobs, await order_sync.read_coverage(desk_today), TODAY) == ()


@contextlib.asynccontextmanager
async def busy_cache(desk: Desk) -> AsyncIterator[tuple[Desk, Callable[[], None]]]:
    """The desk, with a connection for reading as in the program, while its cache stores nothing until it is called."""
    reader, disk = Database(desk.cache.path, CACHE), threading.Event()
    await reader.opened()
    storing = asyncio.ensure_future(desk.cache.write(lambda _: disk.wait(20)))
    yield replace(desk, reader=reader), disk.set
    assert await storing, "the cache was let go"
    await reader.close()


async def test_the_next_windows_are_requested_while_orders_wait_to_be_stored(
    desk_today: Desk, fault_server: FaultServer, world: list[Record]
) -> None:
    world += [record(number, number) for number in range(30)]
    held = fault_server.gate()
    fault_server.plan(Fault(after=held), OPEN, times=None)
    async with busy_cache(desk_today) as (desk, let_go):
        running = asyncio.ensure_future(order_sync.refresh(desk, "open", 80))
        await fault_server.until(4, OPEN)
        await asyncio.sleep(0.2)
        assert len(fault_server.seen(OPEN)) == 4, "the provider sends four at once"
        held.release()
        await fault_server.until(8, OPEN)
        let_go()
        assert (await running).orders == 30


async def test_orders_that_wait_to_be_stored_are_kept_by_a_refresh_that_is_stopped(
    desk_today: Desk, world: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetch_window, "_BATCH", 100)
    world += [record(number, 0) for number in range(1_000)]
    told, two_batches = list[int](), asyncio.Event()

    def on_progress(progress: Progress) -> None:
        told.append(progress.orders)
        if progress.orders >= 300:
            two_batches.set()

    async with busy_cache(desk_today) as (desk, let_go):
        running = asyncio.ensure_future(order_sync.fetch(desk, all_jobs(("open",), TODAY, 0), on_progress))
        await two_batches.wait()
        running.cancel()
        let_go()
        with pytest.raises(asyncio.CancelledError):
            await running
    assert len(await numbers(desk_today)) == max(told) < 1_000


async def test_documents_that_are_asked_for_and_not_there_are_known_to_be_none(
    desk_today: Desk, fault_server: FaultServer, world: list[Record]
) -> None:
    world.append(record(7, 0, ProofOfDelivery=[{"Folder": "POD"}]))
    await order_sync.fetch(desk_today, all_jobs(("open",), TODAY, 0), parts={"open": WITH_DOCUMENTS})
    assert fault_server.seen(OPEN)[-1].query["IncludePOD"] == "true"
    world[0] = record(7, 0)
    await order_sync.refresh(desk_today, "open", 0)
    kept = await stored_orders.detail(desk_today, 7)
    assert kept is not None
    assert json.loads(kept.raw)["ProofOfDelivery"] == [{"Folder": "POD"}], "not asked for, so not erased"
    await order_sync.fetch(desk_today, all_jobs(("open",), TODAY, 0), parts={"open": WITH_DOCUMENTS})
    gone = await stored_orders.detail(desk_today, 7)
    assert gone is not None
    assert json.loads(gone.raw)["ProofOfDelivery"] == []


async def test_a_clock_that_was_set_back_between_two_starts_hides_nothing(
    desk_today: Desk, fault_server: FaultServer, world: list[Record]
) -> None:
    world.append(record(1, 0, Status="Old"))
    tomorrow = replace(desk_today, now=lambda: TODAY + timedelta(hours=5))
    await order_sync.refresh(tomorrow, "open", 3)
    world[0] = record(1, 0, Status="New")
    later = replace(desk_today)  # another start, whose clock is right
    assert await order_sync.check_clock(later)
    await order_sync.refresh(later, "open", 3)
    found = await stored_orders.detail(later, 1)
    assert found is not None
    assert found.line.status == "New"


async def test_once_a_list_is_read_ahead_no_pages_of_what_was_stored_stay_in_memory(
    desk_today: Desk, world: list[Record]
) -> None:
    def held(c: apsw.Connection) -> int:
        return c.status(apsw.SQLITE_DBSTATUS_CACHE_USED)[0]

    world += [record(number, 0) for number in range(500)]
    await order_sync.refresh(desk_today, "open", 1)
    reader = Database(desk_today.cache.path, CACHE_FOR_READING)
    await reader.opened()
    before = await desk_today.cache.read(held)
    await stored_orders.read_ahead(replace(desk_today, reader=reader), OrderQuery(desk_today.profile.id))
    assert await desk_today.cache.read(held) < before / 4
    await reader.close()


async def test_what_most_sort_by_is_made_ready_once_orders_are_there(desk_today: Desk, world: list[Record]) -> None:
    world += [record(number, 0) for number in range(3)]
    await order_sync.refresh(desk_today, "open", 1)

    async def slow() -> list[str]:
        return [sort for sort in COMMON_SORTS if await desk_today.reader.read(sort_order.lacks_sort_index, sort)]

    assert await slow() == list(COMMON_SORTS), "none costs whoever stores the first orders"
    for _ in range(2):
        await stored_orders.make_common_sortable(desk_today)
        assert await slow() == []

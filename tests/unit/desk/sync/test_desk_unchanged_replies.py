"""A window whose reply is word for word the last one is not parsed again; any other is."""

from collections.abc import Callable

import apsw
import pytest

from app.api.information_service import Include
from app.desk.desk import Desk
from app.desk.sync import announced_orders, fetch_window, order_sync, window_plan
from app.desk.sync.order_sync import Progress
from app.desk.sync.window_plan import all_jobs, split_large
from app.store.cache import reply_digests
from app.store.cache.order_columns import OrderColumns
from app.store.cache.reply_digests import WindowRequest
from tests.support.fault_server import INFORMATION, FaultServer
from tests.support.faults import json_answer, truncated
from tests.support.listed_orders import COMPLETED, OPEN, WITH_DOCUMENTS, Record, covered, in_window, numbers, record

pytestmark = pytest.mark.asyncio


class Readings:
    """Counts the records that are parsed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0

        def counted(asked: Include) -> Callable[[str], OrderColumns | None]:
            read = announced_orders.quick_columns(asked)

            def each(raw: str) -> OrderColumns | None:
                self.count += 1
                return read(raw)

            return each

        monkeypatch.setattr(fetch_window, "quick_columns", counted)

    def taken(self) -> int:
        count, self.count = self.count, 0
        return count


async def test_a_window_that_comes_word_for_word_again_is_not_read_and_is_as_old_as_its_asking(
    desk_today: Desk, world: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    readings = Readings(monkeypatch)
    world += [record(number, number) for number in range(12)]
    first = await order_sync.refresh(desk_today, "open", 12)
    assert (first.changed, readings.taken()) == (12, 12)
    before = {row.start: row for row in await covered(desk_today)}
    told: list[Progress] = []
    again = await order_sync.refresh(desk_today, "open", 12, told.append)
    assert (again.orders, again.changed, again.trouble, readings.taken()) == (12, 0, "", 0)
    assert told[-1].orders == 12
    for row in await covered(desk_today):
        old = before[row.start]
        assert row.fetched_at
        assert old.fetched_at
        assert row.fetched_at > old.fetched_at
        assert (row.count, row.error) == (old.count, None)
    world[3]["Status"] = "Changed"
    changed = await order_sync.refresh(desk_today, "open", 12)
    assert (changed.changed, changed.orders) == (1, 12)
    assert 0 < readings.taken() < 12, "of the other windows nothing is read"
    world.pop(5)
    gone = await order_sync.refresh(desk_today, "open", 12)
    assert gone.changed == 1
    assert 5 not in await numbers(desk_today)
    readings.taken()
    await order_sync.refresh(desk_today, "open", 12)
    assert readings.taken() == 0


async def test_a_window_is_read_when_other_parts_are_asked_for_or_one_of_its_orders_came_otherwise(
    desk_today: Desk, fault_server: FaultServer, world: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    readings = Readings(monkeypatch)
    world += [record(1, 0), record(2, 9)]
    await order_sync.refresh(desk_today, "open", 12)
    readings.taken()
    jobs = all_jobs(("open",), desk_today.now(), 12)
    with_documents = {**fetch_window.LIST_INCLUDES, "open": WITH_DOCUMENTS}
    await order_sync.fetch(desk_today, jobs, parts=with_documents)
    assert readings.taken() == 2
    await order_sync.fetch(desk_today, jobs, parts=with_documents)
    assert readings.taken() == 0
    single = json_answer(record(2, 9, Status="By number", Notes=[]))
    fault_server.serve(f"{INFORMATION}/orders/2", lambda _: single)
    assert await fetch_window.refresh_order(desk_today, 2) == ""
    result = await order_sync.fetch(desk_today, jobs, parts=with_documents)
    assert (readings.taken(), result["open"].changed) == (1, 1), "what the list says last is what holds"


async def test_an_order_touched_while_the_same_reply_was_under_way_is_read_after_all(
    desk_today: Desk, world: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    readings = Readings(monkeypatch)
    world += [record(1, 0)]
    await order_sync.refresh(desk_today, "open", 0)
    readings.taken()
    real = reply_digests.accept_unchanged

    def touched(c: apsw.Connection, request: WindowRequest, digest: bytes) -> reply_digests.UnchangedReply | None:
        c.execute("UPDATE seen SET at = at + 1")
        return real(c, request, digest)

    monkeypatch.setattr(reply_digests, "accept_unchanged", touched)
    again = await order_sync.refresh(desk_today, "open", 0)
    assert (again.orders, again.trouble, readings.taken()) == (1, "", 1)


async def test_what_cannot_all_be_read_is_looked_at_each_time_anew(
    desk_today: Desk, world: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    readings = Readings(monkeypatch)
    world += [record(1, 0), {"OrderNumber": None, "DateImported": record(1, 0)["DateImported"]}]
    for _ in range(2):
        result = await order_sync.refresh(desk_today, "open", 0)
        assert (result.orders, result.unreadable, readings.taken()) == (1, 1, 2)


async def test_a_known_window_that_breaks_off_leaves_what_came(
    desk_today: Desk, fault_server: FaultServer, world: list[Record]
) -> None:
    world += [record(number, 0) for number in range(1, 1_001)]
    await order_sync.refresh(desk_today, "open", 0)
    for each in world:
        each["Status"] = "Changed"
    fault_server.plan_by(lambda seen: truncated(70_000) if seen.path.endswith(OPEN) else None)
    result = await order_sync.refresh(desk_today, "open", 0)
    assert result.trouble
    assert result.changed > 200, "what came before it broke off is kept"


@pytest.mark.parametrize("list_name", ["open", "completed"])
async def test_a_window_of_many_orders_is_asked_for_day_by_day_from_the_next_time_on_and_each_day_keeps_its_reply(
    desk_today: Desk,
    fault_server: FaultServer,
    world: list[Record],
    monkeypatch: pytest.MonkeyPatch,
    list_name: window_plan.Listed,
) -> None:
    readings = Readings(monkeypatch)
    monkeypatch.setattr(window_plan, "_MANY", 5)
    monkeypatch.setattr(window_plan, "_GUESSED", 1)
    for number in range(30):
        world.append(record(number, number // 3))
        if list_name == "completed":
            world[-1] |= {"DateActualDelivery": world[-1]["DateImported"], "DateImported": None}
    fault_server.serve(INFORMATION + COMPLETED, in_window(world, "DateActualDelivery"))
    jobs = all_jobs((list_name,), desk_today.now(), 9)
    assert (await order_sync.fetch(desk_today, jobs))[list_name].changed == 30
    for turn, read in (("day by day", 27), ("the same again", 0)):
        days = split_large(jobs, await order_sync.read_coverage(desk_today))
        assert [(each.end - each.start).days for each in days] == [0] * 10, turn
        readings.taken()
        # One day at a time, as the clock asks: each leaves the others as they are known.
        for day in days:
            got = (await order_sync.fetch(desk_today, [day]))[list_name]
            assert (got.orders, got.changed, got.trouble) == (3, 0, "")
            assert split_large(jobs, await order_sync.read_coverage(desk_today)) == days
        assert readings.taken() == read, turn
    rows = (await order_sync.read_coverage(desk_today))[list_name]
    assert [each.count for each in rows] == [3] * 10


async def test_what_left_a_window_that_is_noted_by_its_days_has_left_the_open_list(
    desk_today: Desk, world: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window_plan, "_MANY", 5)
    world += [record(number, number // 3) for number in range(30)]
    await order_sync.refresh(desk_today, "open", 9)
    del world[9], world[20:23]
    result = await order_sync.refresh(desk_today, "open", 9)
    assert (result.orders, result.changed, result.trouble) == (26, 4, "")
    assert await numbers(desk_today) == [each["OrderNumber"] for each in world]
    assert sum(row.count or 0 for row in await covered(desk_today)) == 26

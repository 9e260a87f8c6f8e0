"""The order of events, and the time between them, do not depend on a clock that can be set."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from app.contract.submission import wire_bytes
from app.desk.desk import Desk
from app.desk.sending import outbox, sending_words, settling
from app.desk.sending.evidence import GRACE
from app.desk.sending.verdict import verdict
from app.desk.sync import order_sync
from app.desk.team.teamwork import Teamwork
from app.desk.team_side import was_last
from app.desk.timing import Timing
from app.store.cache import order_query, order_store
from app.store.journal.records import WriteRow
from app.store.journal.team.team_log import OwnLatest
from app.store.team.team_calls import ClockDifference
from app.store.team.team_file import OthersWrite
from tests.support.desks import let_time_pass, set_clock, submission
from tests.support.fault_server import COMPLETE, FaultServer
from tests.support.faults import answered, drop_before, json_answer
from tests.support.order_facts import facts

SUBMIT, STATUS = "/Order/submit", "/Order/status"
HOUR, MINUTE, SECOND = timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1)


async def queue(desk: Desk, reference: str, **fields: str) -> int:
    return await outbox.queue_submission(desk, submission(reference, **fields), None)


async def row(desk: Desk, write_id: int) -> WriteRow:
    return (await outbox.story(desk, write_id)).row


@pytest.mark.asyncio
@pytest.mark.parametrize("step", [-HOUR, -MINUTE, timedelta(), HOUR])
async def test_what_was_seen_before_a_change_confirms_it_under_no_clock(
    desk: Desk, fault_server: FaultServer, step: timedelta
) -> None:
    """The hour that comes twice, or a clock that was set: the record of before is older than the acceptance."""
    await queue(desk, "R-1")
    await outbox.drain(desk)
    await order_sync.refresh(desk, "open", 7)
    set_clock(desk, step)
    change = await queue(desk, "R-1", poNumber="PO-2")
    await outbox.drain(desk)
    await settling.settle(desk)
    assert (await row(desk, change)).state == "accepted"
    await order_sync.check_clock(desk)  # as at each start
    await order_sync.refresh(desk, "open", 7)
    await settling.settle(desk)
    assert (await row(desk, change)).state == "confirmed"


@pytest.mark.asyncio
async def test_a_note_does_not_hide_that_the_provider_holds_other_values(desk: Desk, fault_server: FaultServer) -> None:
    """A note is a later change of the write than what the provider was asked for, but no later order."""
    write = await queue(desk, "R-1")
    await outbox.drain(desk)
    sent = wire_bytes(submission("R-1"))
    assert (await verdict(desk, "R-1", sent)).nothing_new
    fault_server.book.submit(wire_bytes(submission("R-1", "Somebody Else")))
    await order_sync.refresh(desk, "open", 7)
    await settling.settle(desk)
    assert "Somebody Else" in ((await row(desk, write)).note or "")
    found = await verdict(desk, "R-1", sent)
    assert (found.nothing_new, found.compared) == (False, "returned")


@pytest.mark.usefixtures("in_chicago")
@pytest.mark.parametrize("apart", [timedelta(minutes=-20), timedelta(minutes=20)])
def test_the_later_of_two_desks_is_the_later_one_where_the_hour_comes_twice(apart: timedelta) -> None:
    mine = datetime(2026, 11, 1, 7, 0, tzinfo=UTC)  # 01:00 in Chicago, for the second time
    theirs = OthersWrite(
        "Ben", "b", 1, "place", "R-1", "submit", "accepted", False, mine, mine, mine, False, "changes", "", None,
        mine + apart,
    )  # fmt: skip
    link = SimpleNamespace(clock=ClockDifference(0, 1))
    team = Teamwork(link, None, "place")  # type: ignore[arg-type]
    assert was_last(team, theirs, OwnLatest("a", 1, mine, {})) == (apart > timedelta())


@pytest.mark.asyncio
async def test_after_a_restart_it_is_asked_for_anew(desk: Desk) -> None:
    """What an earlier run has seen is in the cache, but nobody knows any more whether it was asked for after."""
    write = await queue(desk, "R-1")
    await outbox.drain(desk)
    await order_sync.refresh(desk, "open", 7)
    desk.timing = Timing()
    await settling.settle(desk)
    assert (await row(desk, write)).state == "accepted"
    await order_sync.refresh(desk, "open", 7)
    await settling.settle(desk)
    assert (await row(desk, write)).state == "confirmed"


@pytest.mark.asyncio
async def test_what_no_open_list_shows_is_asked_for_by_its_number(desk: Desk, fault_server: FaultServer) -> None:
    """It was completed before any list was fetched: a record of an earlier run is on no list that is asked for."""
    write = await queue(desk, "R-1")
    await outbox.drain(desk)
    fault_server.book.move("R-1", COMPLETE)
    await order_sync.refresh(desk, "completed", 7)
    desk.timing = Timing()
    await settling.settle(desk)
    assert (await row(desk, write)).state == "confirmed"


@pytest.mark.asyncio
@pytest.mark.parametrize("step", [HOUR, -HOUR, timedelta(days=30), -timedelta(days=30)])
async def test_a_clock_that_was_set_does_not_end_the_grace_nor_draw_it_out(
    desk: Desk, fault_server: FaultServer, step: timedelta
) -> None:
    fault_server.plan(drop_before(), SUBMIT)
    write = await queue(desk, "R-1")
    await outbox.drain(desk)
    set_clock(desk, step)
    await settling.settle_doubts(desk)
    assert not await _goes_again(desk, write)
    await outbox.drain(desk)
    assert len(fault_server.seen(SUBMIT)) == 1
    let_time_pass(desk, GRACE)
    await settling.settle_doubts(desk)
    assert await _goes_again(desk, write)
    await outbox.drain(desk)
    assert len(fault_server.seen(SUBMIT)) == 2


@pytest.mark.asyncio
async def test_a_connection_that_is_chosen_again_does_not_shorten_the_grace(
    desk: Desk, fault_server: FaultServer
) -> None:
    """The clock was set forward, and the desk that saw the attempt end gave way to another one."""
    fault_server.plan(drop_before(), SUBMIT)
    write = await queue(desk, "R-1")
    await outbox.drain(desk)
    set_clock(desk, HOUR)
    await settling.settle_doubts(desk)
    again = replace(desk)
    let_time_pass(again, 11 * SECOND)
    await settling.settle_doubts(again)
    assert not await _goes_again(again, write)
    let_time_pass(again, GRACE)
    await settling.settle_doubts(again)
    assert await _goes_again(again, write)


@pytest.mark.asyncio
async def test_only_the_provider_that_asked_for_a_pause_gets_it(desk: Desk) -> None:
    desk.timing.back_off(60)
    assert replace(desk).timing.backing_off
    assert not replace(desk, profile=replace(desk.profile, base_url="http://elsewhere.example")).timing.backing_off


@pytest.mark.asyncio
async def test_the_grace_holds_also_before_the_same_reference_is_sent_again(
    desk: Desk, fault_server: FaultServer
) -> None:
    await queue(desk, "R-1")
    await outbox.drain(desk)
    fault_server.plan(answered(json_answer({"title": "Not found"}, 404)), STATUS, times=None)
    await queue(desk, "R-1", poNumber="PO-2")
    set_clock(desk, HOUR)
    (waits,) = await outbox.drain(desk)
    assert (waits.state, waits.retry_later) == ("queued", True)
    let_time_pass(desk, GRACE)
    (held,) = await outbox.drain(desk)
    assert held.held


@pytest.mark.asyncio
@pytest.mark.parametrize(("closed_for", "settled"), [(GRACE, True), (SECOND, False), (-HOUR, False)])
async def test_after_a_restart_the_time_since_is_told_by_the_clock(
    desk: Desk, fault_server: FaultServer, closed_for: timedelta, settled: bool
) -> None:
    fault_server.plan(drop_before(), SUBMIT)
    write = await queue(desk, "R-1")
    await outbox.drain(desk)
    desk.timing = Timing()
    set_clock(desk, closed_for)
    await settling.settle_doubts(desk)
    assert await _goes_again(desk, write) is settled
    let_time_pass(desk, GRACE)  # a clock that was set back draws it out by no more than that
    await settling.settle_doubts(desk)
    assert await _goes_again(desk, write)


async def _goes_again(desk: Desk, write: int) -> bool:
    """Whether the grace is over, by what is said of a new order that the provider does not know."""
    return sending_words.RESEND_PLANNED in ((await row(desk, write)).note or "")


@pytest.mark.asyncio
async def test_a_look_is_known_by_its_own_moment_and_no_two_have_the_same(desk: Desk) -> None:
    now = datetime(2026, 11, 21, 14, 2, 10, 123_456)
    first, second, earlier = (
        desk.timing.stamp_request(at, change) for at, change in ((now, 5), (now, 6), (now - HOUR, 7))
    )
    assert len({first, second, earlier}) == 3
    for asked, change in ((first, 5), (second, 6), (earlier, 7)):
        await desk.cache.write(order_store.store_orders, desk.profile.id, "open", [facts(change)], asked)
        seen = await desk.reader.read(order_query.order_detail, desk.profile.id, change)
        assert seen is not None
        assert desk.timing.requested_after(seen.seen_at, change)
        assert not desk.timing.requested_after(seen.seen_at, change + 1)
    assert not replace(desk.timing).requested_after(first, 0), "nobody knows"


@pytest.mark.asyncio
@pytest.mark.usefixtures("in_chicago")
@pytest.mark.parametrize("fold", [0, 1])
async def test_ten_seconds_are_ten_where_the_hour_comes_twice(desk: Desk, fold: int) -> None:
    now = datetime(2026, 11, 1, 1, 30, fold=fold)
    desk.now = lambda: now
    write = await row(desk, await outbox.queue_cancellation(desk, "R-1"))
    assert write.not_before is not None
    assert write.not_before - write.queued_at == outbox.UNDO
    assert await outbox.drain(desk) == []


def test_the_end_of_an_attempt_counts_and_not_the_clock() -> None:
    ticks = [100.0]
    timing = Timing(lambda: ticks[0])
    long_ago = datetime(2020, 1, 1, tzinfo=UTC)
    now = long_ago + timedelta(days=1)
    assert timing.since_attempt("R", long_ago, timing.instant(now)) == timedelta(days=1)
    timing.record_attempt("R")
    ticks[0] = 130.0
    assert timing.since_attempt("R", long_ago, timing.instant(now)) == timedelta(seconds=30)
    assert timing.since_attempt("S", now, timing.instant(long_ago)) == timedelta(seconds=30), (
        "set back: since the start"
    )


@pytest.mark.asyncio
@pytest.mark.parametrize("step", [-24 * HOUR, -HOUR, HOUR])
async def test_a_clock_that_is_set_keeps_no_cancellation_back(desk: Desk, step: timedelta) -> None:
    """Its ten seconds are over although the clock says that they are not for a day."""
    await queue(desk, "R-1")
    await outbox.drain(desk)
    await outbox.queue_cancellation(desk, "R-1")
    set_clock(desk, step)
    let_time_pass(desk, 2 * outbox.UNDO)
    assert [each.state for each in await outbox.drain(desk)] == ["accepted"]

"""Many writes leave at the same time: never two of one reference, and none after the queue has stopped."""

import itertools
import json
from collections import Counter
from collections.abc import Callable

import pytest

from app.desk.desk import Desk
from app.desk.sending import outbox
from app.store.journal import write_store
from app.store.journal.records import WriteState
from app.store.store_errors import WrongState
from tests.support.desks import submission
from tests.support.fault_server import COMPLETE, Answer, Fault, FaultServer, Seen
from tests.support.faults import act_then_drop, answered, held

SUBMIT = "/Order/submit"
MANY = 24
SENDING: tuple[WriteState, ...] = ("sending",)
pytestmark = pytest.mark.asyncio


async def queue_many(desk: Desk, count: int = MANY, edits: int = 1) -> list[int]:
    return [
        await outbox.queue_submission(desk, submission(f"R-{number}", f"Edit {edit}"), None)
        for edit in range(edits)
        for number in range(count)
    ]


async def states(desk: Desk) -> Counter[str]:
    return Counter(each.state for each in await outbox.writes(desk, (), 1_000))


def only_the(number: int, fault: Fault) -> Callable[[Seen], Fault | None]:
    """This fault for the order that comes at this place, counted from 1."""
    count = itertools.count(1)
    return lambda seen: fault if seen.path.endswith(SUBMIT) and next(count) == number else None


async def test_other_references_are_on_their_way_at_once(desk: Desk, fault_server: FaultServer) -> None:
    """The answers are held until eight orders are there: one by one they would never come together."""
    await queue_many(desk)
    gate = fault_server.gate()
    came: list[Seen] = []

    def hold(seen: Seen) -> Fault | None:
        if not seen.path.endswith(SUBMIT):
            return None
        came.append(seen)
        if len(came) == 9:  # the first went alone
            gate.release()
        return held(before=gate) if 1 < len(came) < 9 else None

    fault_server.plan_by(hold)
    outcomes = await outbox.drain(desk)
    assert [each.state for each in outcomes] == ["accepted"] * MANY
    assert all(len(each.versions) == 1 for each in fault_server.book.all())


async def test_edits_of_one_order_keep_their_order(desk: Desk, fault_server: FaultServer) -> None:
    await queue_many(desk, edits=3)
    seen_sending: list[int] = []

    def count(seen: Seen) -> Fault | None:
        if seen.path.endswith(SUBMIT):
            rows = desk.journal.read_now(write_store.writes_page, desk.profile.id, SENDING, 100)
            seen_sending.append(len(rows) - len({each.reference for each in rows}))
        return None

    fault_server.plan_by(count)
    assert len(await outbox.drain(desk)) == 3 * MANY
    assert set(seen_sending) == {0}
    for order in fault_server.book.all():
        names = [json.loads(each)["consignee"]["consigneeName"] for each in order.versions]
        assert names == ["Edit 0", "Edit 1", "Edit 2"]


async def test_the_first_goes_alone(desk: Desk, fault_server: FaultServer) -> None:
    """A provider that asks for a rest puts one order in doubt, not eight."""
    fault_server.plan(answered(Answer(503)), SUBMIT, times=None)
    await queue_many(desk)
    (outcome,) = await outbox.drain(desk)
    assert (outcome.state, outcome.go_on) == ("in_doubt", False)
    assert await states(desk) == {"in_doubt": 1, "queued": MANY - 1}


async def test_what_stops_one_lane_stops_all_and_is_told_last(desk: Desk, fault_server: FaultServer) -> None:
    await queue_many(desk)

    fault_server.plan_by(only_the(6, answered(Answer(429))))
    outcomes = await outbox.drain(desk)
    assert not outcomes[-1].go_on
    assert all(each.go_on for each in outcomes[:-1])
    assert len(outcomes) <= 6 + 7 + 7
    found = await states(desk)
    assert (found["in_doubt"], found["sending"]) == (0, 0), "what was turned back was not taken"
    assert found["accepted"] == len(outcomes) - 1


async def test_a_doubt_holds_up_its_own_order_only(desk: Desk, fault_server: FaultServer) -> None:
    fault_server.plan_by(only_the(8, act_then_drop()))
    await queue_many(desk, edits=2)
    await outbox.drain(desk)
    assert await states(desk) == {"accepted": 2 * MANY - 2, "in_doubt": 1, "queued": 1}
    (doubt,) = [each for each in await outbox.writes(desk, (), 1_000) if each.state == "in_doubt"]
    assert len(fault_server.book.all(doubt.reference)[0].versions) == 1


async def test_what_was_withdrawn_meanwhile_is_passed_over(desk: Desk, fault_server: FaultServer) -> None:
    writes = await queue_many(desk)

    def change_of_mind(seen: Seen) -> Fault | None:
        if seen.path.endswith(SUBMIT) and not fault_server.seen(SUBMIT):
            desk.journal.write_now(write_store.settle, writes[-1], "withdrawn", "Not any more.", desk.now())
        return None

    fault_server.plan_by(change_of_mind)
    assert len(await outbox.drain(desk)) == MANY - 1
    assert fault_server.book.all(f"R-{MANY - 1}") == []


async def test_a_fault_of_our_own_lets_the_other_workers_finish(desk: Desk, fault_server: FaultServer) -> None:
    """Nothing is broken off in the middle, and nobody claims to know what was not known."""
    await queue_many(desk)
    calls = 0

    def broken() -> None:
        nonlocal calls
        calls += 1
        if calls == 8:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await outbox.drain(desk, broken)
    found = await states(desk)
    assert found["sending"] == 0
    assert found["accepted"] + found["in_doubt"] + found["queued"] == MANY
    assert found["in_doubt"] <= 1
    for order in fault_server.book.all():
        assert len(order.versions) == 1
    with pytest.raises(WrongState):
        await outbox.settle(desk, 1, "queued", "It was sent.")


async def test_a_look_that_was_taken_before_a_long_wait_is_taken_again(desk: Desk, fault_server: FaultServer) -> None:
    """Closed while the others held the places on the wire: it would be a second order."""
    await queue_many(desk, 20)
    await outbox.drain(desk)
    writes = await queue_many(desk, 20)
    looked: list[str] = []
    ticks, later = desk.timing.ticks, [0.0]
    desk.timing.ticks = lambda: ticks() + later[0]
    gate = fault_server.gate()

    def slow(seen: Seen) -> Fault | None:
        if seen.path.endswith("/Order/status"):
            looked.append(seen.query["OrderReferenceNumber"])
        if len(looked) == 17 and not later[0]:  # the first, eight on the wire, and eight that wait for a place there
            fault_server.book.move("R-16", COMPLETE)
            later[0] = 60.0
            gate.release()
        return held(before=gate) if seen.path.endswith(SUBMIT) and len(looked) > 1 and not later[0] else None

    fault_server.plan_by(slow)
    await outbox.drain(desk)
    assert looked.count("R-16") == 2
    assert len(fault_server.book.all("R-16")) == 1
    assert (await outbox.story(desk, writes[16])).row.held is not None


async def test_what_is_held_back_at_the_last_moment_is_looked_at_again_and_stops_nobody(
    desk: Desk, fault_server: FaultServer
) -> None:
    """The computer slept between the look and the first byte: that is no reason for the others to wait."""
    writes = await queue_many(desk, 12)
    ticks, slept = desk.timing.ticks, [0.0]
    desk.timing.ticks = lambda: ticks() + slept[0]

    def sleep_once() -> None:
        if not slept[0] and desk.journal.read_now(write_store.writes_page, desk.profile.id, SENDING, 1):
            slept[0] = 60.0

    outcomes = await outbox.drain(desk, sleep_once)
    assert [each.state for each in outcomes] == ["accepted"] * 12
    asked = Counter(each.query["OrderReferenceNumber"] for each in fault_server.seen("/Order/status"))
    assert asked["R-0"] == 2
    told = await outbox.story(desk, writes[0])
    assert [each.outcome for each in told.attempts] == ["not_sent", "accepted"]
    assert all(len(each.versions) == 1 for each in fault_server.book.all())


async def test_what_is_too_late_each_time_stops_the_run(desk: Desk, fault_server: FaultServer) -> None:
    """A disk that takes a minute for each write: nothing leaves, nothing is lost, and it is tried again later."""
    await queue_many(desk, 12)
    ticks, slept = desk.timing.ticks, [0.0]
    desk.timing.ticks = lambda: ticks() + slept[0]

    def sleep_each_time() -> None:
        if desk.journal.read_now(write_store.writes_page, desk.profile.id, SENDING, 1):
            slept[0] += 60.0

    (outcome,) = await outbox.drain(desk, sleep_each_time)
    assert (outcome.state, outcome.go_on, outcome.stale) == ("queued", False, True)
    assert await states(desk) == {"queued": 12}
    assert len(fault_server.seen("/Order/status")) == 3
    assert fault_server.book.all() == []

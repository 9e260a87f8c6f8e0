"""One bad order holds up no other, and trouble that is everybody's stops the queue before it is all thrown after it."""

import itertools
import json
from collections import Counter
from collections.abc import Callable

import pytest

from app.desk.circuit_breaker import CircuitBreaker
from app.desk.desk import Desk
from app.desk.sending import outbox, settling
from app.desk.sending.evidence import GRACE
from app.store.journal.records import UNASKED, WriteRow
from app.store.store_errors import WrongState
from tests.support.desks import let_time_pass, submission
from tests.support.fault_server import Answer, Fault, FaultServer, Seen
from tests.support.faults import act_then_drop, answered, drop_before

SUBMIT, STATUS = "/Order/submit", "/Order/status"
pytestmark = pytest.mark.asyncio


async def queue(desk: Desk, *references: str) -> list[int]:
    return [await outbox.queue_submission(desk, submission(each), None) for each in references]


async def queue_many(desk: Desk, count: int = 60) -> list[int]:
    return await queue(desk, *(f"R-{number}" for number in range(count)))


async def row(desk: Desk, write: int) -> WriteRow:
    return (await outbox.story(desk, write)).row


async def states(desk: Desk) -> Counter[str]:
    return Counter(each.state for each in await outbox.writes(desk, (), 1_000))


def named(seen: Seen) -> str:
    """The reference that a request is about."""
    if seen.path.endswith(STATUS):
        return seen.query["OrderReferenceNumber"]
    return str(json.loads(seen.body)["orderReferenceNumber"]) if seen.path.endswith(SUBMIT) else ""


def whenever(path: str, fault: Fault, *references: str) -> Callable[[Seen], Fault | None]:
    """This fault for every such request, or for those about these references."""

    def plan(seen: Seen) -> Fault | None:
        return fault if seen.path.endswith(path) and (not references or named(seen) in references) else None

    return plan


@pytest.fixture
def orders_are_named(fault_server: FaultServer) -> FaultServer:
    """Answers 403 to the submission of any order whose reference begins with NO: the plan is made without its body."""
    path = "/OrderManagementApi" + SUBMIT

    def answer(seen: Seen) -> Answer:
        if named(seen).startswith("NO"):
            return Answer(403)
        return Answer(200, json.dumps(fault_server.book.submit(seen.body).status_record).encode())

    fault_server.serve(path, answer)
    return fault_server


async def test_one_order_that_cannot_be_asked_about_holds_up_no_other(desk: Desk, fault_server: FaultServer) -> None:
    fault_server.plan_by(whenever(STATUS, answered(Answer(500)), "R-1"))
    bad, good = await queue(desk, "R-1", "R-2")
    first, second = await outbox.drain(desk)
    assert (first.write_id, first.state, first.retry_later, first.go_on) == (bad, "queued", True, True)
    assert second.state == "accepted"
    assert "could not be asked" in ((await row(desk, bad)).note or "")
    (later,) = await queue(desk, "R-3")
    assert [each.write_id for each in await outbox.drain(desk)] == [later, bad], "it is behind the others from then on"
    fault_server.plan_by(None)
    assert [each.state for each in await outbox.drain(desk)] == ["accepted"]
    assert (desk.breaker, desk.urgent, desk.deferred) == (CircuitBreaker(), set(), set())
    assert [each.reference for each in fault_server.book.all()] == ["R-2", "R-3", "R-1"]
    assert good != bad


async def test_one_order_that_is_not_allowed_waits_for_a_person_and_the_others_go_on(
    desk: Desk, orders_are_named: FaultServer
) -> None:
    bad, good = await queue(desk, "NO-1", "R-2")
    first, _ = await outbox.drain(desk)
    assert (first.state, first.held, first.blocked, desk.blocked) == ("queued", True, False, "")
    assert (await row(desk, good)).state == "accepted"
    for _ in range(3):
        assert await outbox.drain(desk) == []
    kept = await row(desk, bad)
    assert (kept.state, kept.held, kept.attempts) == ("queued", first.sentence, 1)
    assert kept.held is not None
    assert kept.held.endswith("Then send it.")
    (attempt,) = (await outbox.story(desk, bad)).attempts
    assert (attempt.outcome, attempt.http_status) == ("not_authorised", 403)
    await outbox.release(desk, bad)
    assert [each.held for each in await outbox.drain(desk)] == [True]
    assert len(orders_are_named.seen(SUBMIT)) == 3


@pytest.mark.parametrize("encoding", ["utf-32", "hex"])
async def test_an_encoding_that_cannot_be_holds_up_nothing(
    desk: Desk, fault_server: FaultServer, encoding: str
) -> None:
    body = (
        f'<?xml version="1.0" encoding="{encoding}"?><R><OrderReferenceNumber>R-1</OrderReferenceNumber></R>'.encode()
    )
    fault_server.plan(answered(Answer(200, body, "application/xml")), "/Order/submit")
    writes = [await outbox.queue_submission(desk, submission(each), None) for each in ("R-1", "R-2")]
    await outbox.drain(desk)
    assert [(await outbox.story(desk, each)).row.state for each in writes] == ["accepted", "accepted"]


async def test_what_may_not_be_asked_about_waits_for_a_person(desk: Desk, fault_server: FaultServer) -> None:
    fault_server.plan_by(whenever(STATUS, answered(Answer(403)), "R-1"))
    bad, good = await queue(desk, "R-1", "R-2")
    await outbox.drain(desk)
    assert (await row(desk, good)).state == "accepted"
    assert "not be asked" in ((await row(desk, bad)).held or "")
    fault_server.plan_by(None)
    assert await outbox.drain(desk) == []
    await outbox.release(desk, bad)
    assert (await row(desk, bad)).agreed == UNASKED, "which is the answer to no question about the order"
    assert [each.state for each in await outbox.drain(desk)] == ["accepted"]


async def test_the_third_that_is_turned_away_bars_the_connection_until_one_is_let_in(
    desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.plan(answered(Answer(403)), SUBMIT, times=4)
    writes = await queue_many(desk, 20)
    outcomes = await outbox.drain(desk)
    assert [each.go_on for each in outcomes] == [True, True, False]
    assert desk.blocked == outcomes[-1].sentence
    assert (await outbox.counts(desk))["queued"] == 20
    assert await outbox.count_held(desk) == 3
    first_three = {
        each.write_id for each in outcomes
    }  # workers look up at the same time: which three come first is open
    assert len(first_three) == 3
    (probe,) = await outbox.drain(desk)
    assert (probe.held, probe.go_on) == (True, False)
    assert probe.write_id in set(writes) - first_three, "none is tried a second time"
    await outbox.drain(desk)
    assert desk.blocked == ""
    assert await outbox.count_held(desk) == 0, "what waited for the permission is let in with the others"
    await outbox.drain(desk)
    assert await states(desk) == {"accepted": 20}
    assert all(len(each.versions) == 1 for each in fault_server.book.all())


async def test_what_is_let_in_with_others_is_not_what_a_person_is_to_send_again(
    desk: Desk, fault_server: FaultServer
) -> None:
    """One of three that were turned away was let go, ended in doubt and is offered again: that is for a person."""
    fault_server.plan(answered(Answer(403)), SUBMIT, times=3)
    offered, *others = await queue(desk, "R-1", "R-2", "R-3")
    await outbox.drain(desk)
    await outbox.release(desk, offered)
    fault_server.plan(drop_before(), SUBMIT, times=2)
    await outbox.drain(desk)
    for _ in range(3):  # it is sent again by itself in between
        let_time_pass(desk, GRACE * 2)
        await settling.settle_doubts(desk)
        await outbox.drain(desk)
    held = (await row(desk, offered)).held
    assert held is not None
    fault_server.book.submit(b'{"orderReferenceNumber": "R-1"}')  # it came late, or another desk sent it
    await queue(desk, "R-4")
    await outbox.drain(desk)
    assert [(await row(desk, each)).state for each in others] == ["accepted", "accepted"]
    assert (await row(desk, offered)).held == held
    assert [len(each.versions) for each in fault_server.book.all("R-1")] == [1]


@pytest.mark.parametrize("fault", [answered(Answer(500)), drop_before(), drop_before().with_reset(), act_then_drop()])
async def test_an_outage_puts_three_in_doubt_and_not_the_whole_queue(
    desk: Desk, fault_server: FaultServer, fault: Fault
) -> None:
    fault_server.plan_by(whenever(SUBMIT, fault))
    await queue_many(desk)
    outcomes = await outbox.drain(desk)
    assert (outcomes[-1].go_on, outcomes[-1].state) == (False, "in_doubt")
    assert await states(desk) == {"in_doubt": 3, "queued": 57}
    await outbox.drain(desk)
    assert await states(desk) == {"in_doubt": 4, "queued": 56}, "one goes alone to see whether it is over"
    fault_server.plan_by(None)
    await outbox.drain(desk)
    assert await states(desk) == {"in_doubt": 4, "accepted": 56}


async def test_an_outage_in_the_middle_stops_what_is_not_on_the_wire(desk: Desk, fault_server: FaultServer) -> None:
    fault_server.plan_by(
        lambda seen: drop_before() if seen.path.endswith(SUBMIT) and len(fault_server.seen(SUBMIT)) > 20 else None
    )
    await queue_many(desk)
    await outbox.drain(desk)
    found = await states(desk)
    assert 3 <= found["in_doubt"] <= 3 + 8
    assert found["accepted"] + found["in_doubt"] + found["queued"] == 60


async def test_a_doubt_now_and_then_stops_nothing(desk: Desk, fault_server: FaultServer) -> None:
    count = itertools.count(1)
    fault_server.plan_by(lambda seen: act_then_drop() if seen.path.endswith(SUBMIT) and next(count) % 7 == 0 else None)
    await queue_many(desk)
    await outbox.drain(desk)
    found = await states(desk)
    assert found["queued"] == 0
    assert found["in_doubt"] == 8


async def test_three_that_cannot_be_asked_about_stop_the_run_but_not_what_comes_after(
    desk: Desk, fault_server: FaultServer
) -> None:
    bad = ("R-0", "R-1", "R-2")
    fault_server.plan_by(whenever(STATUS, answered(Answer(500)), *bad))
    await queue_many(desk, 6)
    outcomes = await outbox.drain(desk)
    assert [each.go_on for each in outcomes] == [True, True, False]
    assert not outcomes[-1].blocked
    await outbox.drain(desk)
    assert await states(desk) == {"accepted": 3, "queued": 3}
    await queue(desk, "R-9")
    await outbox.drain(desk)
    assert await states(desk) == {"accepted": 4, "queued": 3}


async def test_the_same_order_again_and_again_is_no_reason_to_stop(desk: Desk, fault_server: FaultServer) -> None:
    fault_server.plan_by(whenever(STATUS, answered(Answer(500)), "R-1"))
    await queue(desk, "R-1")
    for _ in range(5):
        (outcome,) = await outbox.drain(desk)
        assert outcome.go_on
    assert desk.breaker.cause is None


async def test_a_reference_that_cannot_be_sent_is_said_in_words(desk: Desk) -> None:
    with pytest.raises(WrongState, match="31 characters"):
        await outbox.queue_cancellation(desk, "X" * 31)

"""An order about which the provider cannot be asked waits by itself; a person is never locked out of sending it."""

from datetime import timedelta

import pytest

from app.desk.desk import Desk
from app.desk.sending import outbox, settling
from app.store.journal.records import UNASKED, WriteRow
from app.store.store_errors import WrongState
from tests.support.desks import let_time_pass, submission
from tests.support.fault_server import CANCELLED, COMPLETE, Answer, Fault, FaultServer
from tests.support.faults import act_then_drop, answered, drop_before, json_answer

SUBMIT, CANCEL, STATUS = "/Order/submit", "/Order/cancel", "/Order/status"
pytestmark = pytest.mark.asyncio


async def queue(desk: Desk, *references: str) -> list[int]:
    return [await outbox.queue_submission(desk, submission(each), None) for each in references]


async def row(desk: Desk, write: int) -> WriteRow:
    return (await outbox.story(desk, write)).row


async def let_go(desk: Desk, write: int) -> None:
    """A person says yes to what stands there."""
    await outbox.release(desk, write, await row(desk, write))


@pytest.mark.parametrize(
    "silence",
    [answered(Answer(500)), answered(Answer(503)), answered(Answer(403)), answered(Answer(200, b"{")), drop_before()],
)
async def test_a_doubt_that_can_never_be_asked_about_is_sent_again_by_a_person_alone(
    desk: Desk, fault_server: FaultServer, silence: Fault
) -> None:
    fault_server.plan(drop_before(), SUBMIT)
    (write,) = await queue(desk, "R-1")
    await outbox.drain(desk)
    fault_server.plan(silence, STATUS, times=None)
    await settling.settle_doubts(desk)
    await outbox.settle(desk, write, "queued", "Sent again by a person's decision.")
    for _ in range(5):
        let_time_pass(desk, timedelta(hours=1))
        await outbox.drain(desk)
        await settling.settle(desk)
    waits = await row(desk, write)
    assert (waits.state, waits.verdict, waits.agreed) == ("queued", UNASKED, None)
    assert "could not be asked" in (waits.note or "")
    assert len(fault_server.seen(SUBMIT)) == 1, "nothing sends it by itself"
    await let_go(desk, write)
    (sent,) = await outbox.drain(desk)
    assert sent.state == "accepted"
    assert len(fault_server.seen(SUBMIT)) == 2


async def test_the_yes_counts_only_as_long_as_nobody_answers(desk: Desk, fault_server: FaultServer) -> None:
    fault_server.book.submit(b'{"orderReferenceNumber":"R-1"}')
    fault_server.book.move("R-1", COMPLETE)
    fault_server.plan(answered(Answer(500)), STATUS, times=2)
    (write,) = await queue(desk, "R-1")
    await outbox.drain(desk)
    assert (await row(desk, write)).verdict == UNASKED
    await let_go(desk, write)
    (held,) = await outbox.drain(desk)
    assert held.held
    assert (await row(desk, write)).verdict == "closed"
    assert fault_server.seen(SUBMIT) == []


async def test_once_it_was_asked_about_there_is_nothing_to_say_yes_to(desk: Desk, fault_server: FaultServer) -> None:
    queued = json_answer({"orderReferenceNumber": "R-1", "systemNumber": 7, "status": "In Import Queue"})
    fault_server.plan(answered(Answer(500)), STATUS, times=2)
    (write,) = await queue(desk, "R-1")
    await outbox.drain(desk)
    seen = await row(desk, write)
    fault_server.plan(answered(queued), STATUS)
    await outbox.drain(desk)
    assert (await row(desk, write)).verdict is None
    with pytest.raises(WrongState, match="reason why this waits has changed"):
        await outbox.release(desk, write, seen)


@pytest.mark.parametrize("status", [500, 503])
async def test_whichever_order_a_person_wants_sent_has_its_turn(
    desk: Desk, fault_server: FaultServer, status: int
) -> None:
    """Of those about which nobody answers only one is tried now and then, the oldest first."""
    fault_server.plan(answered(Answer(status)), STATUS, times=None)
    writes = await queue(desk, *(f"R-{number}" for number in range(9)))
    for _ in range(12):
        await outbox.drain(desk)
    wanted = writes[6]
    await let_go(desk, wanted)  # it is looked at first
    await outbox.drain(desk)
    assert (await row(desk, wanted)).verdict == UNASKED
    if (await row(desk, wanted)).agreed != UNASKED:
        await let_go(desk, wanted)
    await outbox.drain(desk)
    assert (await row(desk, wanted)).state == "accepted"
    assert [each.reference for each in fault_server.book.all()] == ["R-6"]


async def test_what_is_found_after_a_blind_sending_proves_nothing(desk: Desk, fault_server: FaultServer) -> None:
    """Nobody knows whether the order was there before."""
    fault_server.book.submit(b'{"orderReferenceNumber":"R-1"}')
    fault_server.plan(answered(Answer(500)), STATUS, times=4)
    (write,) = await queue(desk, "R-1")
    await outbox.drain(desk)
    await let_go(desk, write)
    fault_server.plan(drop_before(), SUBMIT)
    (doubt,) = await outbox.drain(desk)
    assert doubt.state == "in_doubt"
    assert await settling.settle_doubts(desk) == 0
    assert (await row(desk, write)).state == "in_doubt"


@pytest.mark.parametrize("lost", [True, False])
async def test_a_cancellation_sent_blindly_is_not_proven_by_an_order_that_may_have_been_cancelled_before(
    desk: Desk, fault_server: FaultServer, lost: bool
) -> None:
    fault_server.book.submit(b'{"orderReferenceNumber":"R-1"}')
    fault_server.plan(answered(Answer(500)), STATUS, times=4)
    write = await outbox.queue_cancellation(desk, "R-1")
    let_time_pass(desk, outbox.UNDO)
    await outbox.drain(desk)
    await let_go(desk, write)
    fault_server.plan(act_then_drop() if lost else Fault(), CANCEL)
    await outbox.drain(desk)
    fault_server.book.move("R-1", CANCELLED)
    before = (await row(desk, write)).state
    await settling.settle(desk)
    kept = await row(desk, write)
    assert kept.state == before == ("in_doubt" if lost else "accepted")
    assert "before" in (kept.note or "")

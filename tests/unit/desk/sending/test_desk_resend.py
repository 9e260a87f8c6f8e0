"""A new order in doubt is sent again by itself, once, and only where the provider certainly does not know it."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from app.contract.submission import wire_bytes
from app.desk.desk import Desk
from app.desk.sending import outbox, resend, settling
from app.desk.sending.evidence import GRACE
from app.desk.sync import order_sync
from app.desk.timing import Timing
from app.store.journal import automatic_resend, write_store
from app.store.journal.claim import LastLook
from app.store.journal.records import WriteRow, WriteStory
from app.store.journal.recovery import unfinished_writes
from app.store.store_errors import WrongState
from tests.support.desks import let_time_pass, submission
from tests.support.fault_server import CANCELLED, COMPLETE, Answer, FaultServer, Seen
from tests.support.faults import Fault, act_then_drop, answered, drop_before, json_answer, late

SUBMIT, CANCEL, STATUS = "/Order/submit", "/Order/cancel", "/Order/status"
TAKEN = ("accepted", "confirmed")
A_WHILE = GRACE + timedelta(seconds=1)
NOT_FOUND = json_answer({"title": "Not found"}, 404)
pytestmark = pytest.mark.asyncio


async def queue(desk: Desk, reference: str = "R-1", name: str = "J. Rivera") -> int:
    return await outbox.queue_submission(desk, submission(reference, name), None)


async def lost(desk: Desk, server: FaultServer, fault: Fault | None = None) -> int:
    """A new order in doubt."""
    server.plan(fault or drop_before(), SUBMIT)
    write = await queue(desk)
    await outbox.drain(desk)
    assert (await row(desk, write)).state == "in_doubt"
    return write


async def told(desk: Desk, write: int) -> WriteStory:
    return await outbox.story(desk, write)


async def row(desk: Desk, write: int) -> WriteRow:
    return (await told(desk, write)).row


async def look(desk: Desk) -> None:
    """As the clock does: settle, then send what may be sent."""
    await settling.settle(desk)
    await outbox.drain(desk)


async def look_twice(desk: Desk) -> None:
    for _ in range(2):
        await look(desk)
        let_time_pass(desk, A_WHILE)
    await look(desk)


def sent(server: FaultServer) -> int:
    return len(server.seen(SUBMIT))


async def test_it_is_sent_again_once_after_the_grace_with_the_same_bytes(desk: Desk, fault_server: FaultServer) -> None:
    write = await lost(desk, fault_server)
    await look(desk)
    first = (await row(desk, write)).missed_at
    assert first is not None
    let_time_pass(desk, GRACE - timedelta(seconds=20))
    await look(desk)
    assert sent(fault_server) == 1, "the first attempt may be on its way still"
    let_time_pass(desk, timedelta(seconds=25))
    assert (await settling.settle(desk)).to_resend == 1
    assert "by itself" in ((await row(desk, write)).note or "")
    assert [each.state for each in await outbox.drain(desk)] == ["accepted"]
    kept = await told(desk, write)
    assert kept.row.missed_at == first
    assert kept.row.missed_again_at is not None
    assert kept.row.resend == kept.attempts[1].id
    assert [each.outcome for each in kept.attempts] == ["unknown", "accepted"]
    assert kept.row.missed_again_at - first >= GRACE - timedelta(seconds=1)
    assert fault_server.book.all("R-1")[0].versions == [wire_bytes(submission("R-1"))]
    await order_sync.refresh(desk, "open", 7)
    await settling.settle(desk)
    assert (await row(desk, write)).state == "confirmed"


async def test_a_late_arrival_of_the_first_attempt_is_the_same_order(desk: Desk, fault_server: FaultServer) -> None:
    write = await lost(desk, fault_server, late())
    await look_twice(desk)
    assert (await row(desk, write)).state in TAKEN
    assert len(fault_server.let_arrive()) == 1
    (order,) = fault_server.book.all("R-1")
    assert order.versions == [wire_bytes(submission("R-1"))] * 2


@pytest.mark.parametrize("settled", [True, False])
async def test_what_arrives_before_the_second_look_is_not_sent_again(
    desk: Desk, fault_server: FaultServer, settled: bool
) -> None:
    write = await lost(desk, fault_server, late())
    await settling.settle(desk)
    let_time_pass(desk, A_WHILE)
    if settled:
        await settling.settle(desk)
    fault_server.let_arrive()
    await outbox.drain(desk)
    assert (sent(fault_server), (await row(desk, write)).state) == (1, "in_doubt")
    await settling.settle_doubts(desk)
    assert (await row(desk, write)).state == "accepted"
    assert len(fault_server.book.all("R-1")[0].versions) == 1


async def test_what_arrived_and_was_closed_meanwhile_is_for_a_person(desk: Desk, fault_server: FaultServer) -> None:
    """While another order is open the status of a closed one is "not found": only the list shows it."""
    write = await lost(desk, fault_server, late())
    fault_server.plan(answered(NOT_FOUND), STATUS, times=None)
    await settling.settle(desk)
    let_time_pass(desk, A_WHILE)
    await settling.settle(desk)
    fault_server.let_arrive()
    fault_server.book.move("R-1", COMPLETE)
    await look_twice(desk)
    kept = await row(desk, write)
    assert (sent(fault_server), kept.state, kept.resend) == (1, "in_doubt", None)
    assert "listed as number" in (kept.note or "")


@pytest.mark.parametrize("path", ["/orders/open", "/orders/completed"])
async def test_without_the_lists_it_is_not_sent_again(desk: Desk, fault_server: FaultServer, path: str) -> None:
    write = await lost(desk, fault_server)
    fault_server.plan(answered(Answer(403)), path, times=None)
    await look_twice(desk)
    kept = await row(desk, write)
    assert (sent(fault_server), kept.state) == (1, "in_doubt")
    assert "lists are not known" in (kept.note or "")


UNCERTAIN = {
    "nothing": Answer(200),
    "null": Answer(200, b"null"),
    "an empty list": Answer(200, b"[]"),
    "another order": json_answer({"orderReferenceNumber": "R-9", "systemNumber": 9, "status": "Complete"}),
    "no status": json_answer({"orderReferenceNumber": "R-1"}),
    "a web page": Answer(404, b"<html>Not here</html>", "text/html"),
    "refused": json_answer({"title": "Bad request"}, 400),
    "failed": Answer(500),
    "in the import queue": json_answer({"orderReferenceNumber": "R-1", "status": "In Import Queue"}),
    "closed": json_answer({"orderReferenceNumber": "R-1", "status": "Cancelled"}),
}


@pytest.mark.parametrize("which", ["first", "second", "last"])
@pytest.mark.parametrize("answer", UNCERTAIN.values(), ids=UNCERTAIN)
async def test_what_is_not_certain_is_no_evidence(
    desk: Desk, fault_server: FaultServer, answer: Answer, which: str
) -> None:
    """Neither as the first look, nor as one of those after it, nor as the last one before it would leave."""
    await lost(desk, fault_server)
    if which != "first":
        await settling.settle(desk)
    fault_server.plan(answered(answer), STATUS, times=None)
    if which == "last":
        let_time_pass(desk, A_WHILE)
        await outbox.drain(desk)
    else:
        await look_twice(desk)
    assert sent(fault_server) == 1
    assert fault_server.book.all("R-1") == []


@pytest.mark.parametrize(
    "answer", [NOT_FOUND, Answer(404), Answer(204), Answer(400, b"Order not found", "text/plain")], ids=str
)
async def test_each_way_of_saying_that_there_is_no_such_order_counts(
    desk: Desk, fault_server: FaultServer, answer: Answer
) -> None:
    write = await lost(desk, fault_server)
    fault_server.plan(answered(answer), STATUS, times=None)
    await look_twice(desk)
    assert (sent(fault_server), (await row(desk, write)).state in TAKEN) == (2, True)


async def _changed(desk: Desk, server: FaultServer) -> int:
    await queue(desk, "R-1", "Before")
    await outbox.drain(desk)
    server.plan(drop_before(), SUBMIT)
    return await queue(desk)


async def _used_and_gone(desk: Desk, server: FaultServer) -> int:
    """Cancelled, and shown nowhere since."""
    write = await _changed(desk, server)
    server.book.move("R-1", CANCELLED)
    server.plan(answered(NOT_FOUND), STATUS, times=None)
    await outbox.drain(desk)
    let_time_pass(desk, A_WHILE)
    await outbox.drain(desk)
    await outbox.release(desk, write)
    return write


async def _withdrawn_doubt(desk: Desk, server: FaultServer) -> int:
    write = await lost(desk, server)
    await outbox.settle(desk, write, "withdrawn", "Not any more.")
    server.plan(drop_before(), SUBMIT)
    write = await queue(desk, "R-1", "Other")
    let_time_pass(desk, A_WHILE)
    await outbox.drain(desk)
    await outbox.release(desk, write)
    return write


async def _cancelling(desk: Desk, server: FaultServer) -> int:
    await queue(desk)
    await outbox.drain(desk)
    server.plan(drop_before(), CANCEL)
    write = await outbox.queue_cancellation(desk, "R-1")
    let_time_pass(desk, outbox.UNDO)
    return write


@pytest.mark.parametrize("made", [_changed, _used_and_gone, _withdrawn_doubt, _cancelling])
async def test_what_is_no_new_order_is_for_a_person(
    desk: Desk, fault_server: FaultServer, made: Callable[[Desk, FaultServer], "object"]
) -> None:
    write = await made(desk, fault_server)  # type: ignore[misc]
    await outbox.drain(desk)
    assert (await row(desk, write)).state == "in_doubt"
    fault_server.plan(answered(NOT_FOUND), STATUS, times=None)
    before = sent(fault_server), len(fault_server.seen(CANCEL))
    await look_twice(desk)
    assert (sent(fault_server), len(fault_server.seen(CANCEL))) == before
    kept = await row(desk, write)
    assert (kept.missed_at, kept.resend) == (None, None)


async def test_a_second_doubt_is_for_a_person(desk: Desk, fault_server: FaultServer) -> None:
    write = await lost(desk, fault_server)
    fault_server.plan(drop_before(), SUBMIT)
    await look_twice(desk)
    assert sent(fault_server) == 2
    for _ in range(3):
        await look_twice(desk)
    kept = await row(desk, write)
    assert (sent(fault_server), kept.state, kept.held is not None) == (2, "queued", True)


async def test_a_second_doubt_is_settled_where_it_is_proven(desk: Desk, fault_server: FaultServer) -> None:
    write = await lost(desk, fault_server)
    fault_server.plan(act_then_drop(), SUBMIT)
    await look_twice(desk)
    await settling.settle_doubts(desk)
    assert (sent(fault_server), (await row(desk, write)).state in TAKEN) == (2, True)


async def test_killed_in_the_second_attempt_it_is_never_tried_again(desk: Desk, fault_server: FaultServer) -> None:
    write = await lost(desk, fault_server)
    await settling.settle(desk)
    let_time_pass(desk, A_WHILE)
    (ready,) = await resend.ready(desk)
    look = LastLook("send", "new", "")
    begun = await desk.journal.write(
        automatic_resend.claim_resend, ready, lambda: look, desk.now(), desk.now(), desk.profile
    )
    assert begun[1] is not None
    with pytest.raises(WrongState):  # nobody begins it twice
        await desk.journal.write(
            automatic_resend.claim_resend, ready, lambda: look, desk.now(), desk.now(), desk.profile
        )
    await outbox.recover(desk)  # the next start
    desk.timing = Timing()
    for _ in range(2):
        await look_twice(desk)
    kept = await told(desk, write)
    assert [each.outcome for each in kept.attempts] == ["unknown", "died"]
    assert (sent(fault_server), kept.row.held is not None) == (1, True), "a person decides"


async def test_the_first_look_outlives_a_restart(desk: Desk, fault_server: FaultServer) -> None:
    await lost(desk, fault_server)
    await settling.settle(desk)
    await outbox.recover(desk)
    let_time_pass(desk, A_WHILE)
    desk.timing = Timing()
    await outbox.drain(desk)
    assert sent(fault_server) == 2


async def test_two_looks_in_one_moment_are_one(desk: Desk, fault_server: FaultServer) -> None:
    """At a start long after the doubt the first look is as good as the second: one mishap is not to count twice."""
    await lost(desk, fault_server)
    let_time_pass(desk, A_WHILE)
    await look(desk)
    await look(desk)
    assert sent(fault_server) == 1
    let_time_pass(desk, resend.APART)
    await look(desk)
    assert sent(fault_server) == 2


async def test_a_look_before_an_attempt_says_nothing_of_it(desk: Desk, fault_server: FaultServer) -> None:
    write = await lost(desk, fault_server)
    await settling.settle(desk)
    assert (await row(desk, write)).missed_at is not None
    fault_server.plan(drop_before(), SUBMIT)
    let_time_pass(desk, A_WHILE)
    await outbox.settle(desk, write, "queued", "Sent again by a person's decision.")
    await outbox.drain(desk)
    await outbox.release(desk, write)
    await outbox.drain(desk)
    kept = await row(desk, write)
    assert (sent(fault_server), kept.state, kept.missed_at) == (2, "in_doubt", None)
    assert await resend.ready(desk) == []


async def test_what_never_left_the_second_time_is_looked_for_twice_more(desk: Desk, fault_server: FaultServer) -> None:
    write = await lost(desk, fault_server)
    await settling.settle(desk)
    let_time_pass(desk, A_WHILE)
    ticks, slept = desk.timing.ticks, [0.0]
    desk.timing.ticks = lambda: ticks() + slept[0]

    def sleep_once() -> None:
        slept[0] = 60.0  # between the attempt being written down and its first byte

    await outbox.drain(desk, sleep_once)
    kept = await told(desk, write)
    assert [each.outcome for each in kept.attempts] == ["unknown", "not_sent"]
    assert (kept.row.state, kept.row.resend, kept.row.missed_at) == ("in_doubt", None, None)
    assert sent(fault_server) == 1
    await look_twice(desk)
    assert (sent(fault_server), (await row(desk, write)).state in TAKEN) == (2, True)


async def test_what_is_turned_back_the_second_time_is_tried_another_time(desk: Desk, fault_server: FaultServer) -> None:
    write = await lost(desk, fault_server)
    fault_server.plan(answered(json_answer({}, 429, retry_after="30")), SUBMIT)
    await look_twice(desk)
    assert (sent(fault_server), (await row(desk, write)).state) == (2, "in_doubt")
    let_time_pass(desk, A_WHILE)
    await look_twice(desk)
    assert (sent(fault_server), (await row(desk, write)).state in TAKEN) == (3, True)


async def test_what_is_refused_the_second_time_is_rejected_once_it_is_certain(
    desk: Desk, fault_server: FaultServer
) -> None:
    """The first attempt may have arrived: until that is known nobody says that it failed."""
    write = await lost(desk, fault_server)
    fault_server.plan(answered(json_answer({"title": "No such zip."}, 400)), SUBMIT)
    await look(desk)
    let_time_pass(desk, A_WHILE)
    await look(desk)
    kept = await row(desk, write)
    assert (sent(fault_server), kept.state) == (2, "in_doubt")
    assert "second attempt" in (kept.note or "")
    let_time_pass(desk, A_WHILE)
    await look(desk)
    kept = await row(desk, write)
    assert (sent(fault_server), kept.state) == (2, "rejected")
    assert kept.note == "No such zip. The provider shows nothing of the order."


async def test_what_is_not_allowed_the_second_time_is_for_a_person(desk: Desk, fault_server: FaultServer) -> None:
    write = await lost(desk, fault_server)
    fault_server.plan(answered(Answer(403)), SUBMIT)
    for _ in range(3):
        await look_twice(desk)
    kept = await row(desk, write)
    assert (sent(fault_server), kept.state, kept.held is not None) == (2, "queued", True)


async def test_a_copy_of_the_journal_sends_nothing_again(desk: Desk, fault_server: FaultServer) -> None:
    """In both folders it would be sent again."""
    await desk.journal.write(unfinished_writes.recover, desk.now(), "here")
    await lost(desk, fault_server)
    await settling.settle(desk)
    await desk.journal.write(unfinished_writes.recover, desk.now(), "elsewhere")
    await look_twice(desk)
    assert sent(fault_server) == 1


async def test_a_person_s_word_in_between_counts(desk: Desk, fault_server: FaultServer) -> None:
    """Withdrawn after the second look was asked for, and before the attempt was written down."""
    write = await lost(desk, fault_server)
    await settling.settle(desk)
    let_time_pass(desk, A_WHILE)

    def withdraw(seen: Seen) -> None:
        if seen.path.endswith("/orders/completed") and not fault_server.seen("/orders/completed"):
            desk.journal.write_now(write_store.settle, write, "withdrawn", "Not any more.", desk.now())

    fault_server.plan_by(withdraw)
    await outbox.drain(desk)
    assert (sent(fault_server), (await row(desk, write)).state) == (1, "withdrawn")

"""The last look before a write leaves: an order that was closed meanwhile never becomes a second order (F4)."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from app.contract.submission import wire_bytes
from app.desk.desk import Desk
from app.desk.sending import outbox
from app.desk.sending.evidence import GRACE
from app.desk.sending.verdict import verdict
from app.store.journal.records import WriteRow
from app.store.sqlite.database import Database
from app.store.store_errors import WrongState
from tests.support.desks import let_time_pass, set_clock, submission
from tests.support.fault_server import CANCELLED, COMPLETE, OPEN, Answer, Fault, FaultServer, Seen
from tests.support.faults import act_then_drop, answered, json_answer

SUBMIT, CANCEL, STATUS = "/Order/submit", "/Order/cancel", "/Order/status"
pytestmark = pytest.mark.asyncio


async def queue(desk: Desk, reference: str, name: str = "J. Rivera") -> int:
    return await outbox.queue_submission(desk, submission(reference, name), None)


async def row(desk: Desk, write_id: int) -> WriteRow:
    return (await outbox.story(desk, write_id)).row


def past_undo(desk: Desk) -> None:
    later = desk.now() + outbox.UNDO
    desk.now = lambda: later


@pytest.mark.parametrize("closed", [CANCELLED, COMPLETE])
async def test_a_closed_order_stops_and_asks(desk: Desk, fault_server: FaultServer, closed: str) -> None:
    await queue(desk, "R-1", "A")
    await outbox.drain(desk)
    fault_server.book.move("R-1", closed)
    second = await queue(desk, "R-1", "B")
    (outcome,) = await outbox.drain(desk)
    assert (outcome.state, outcome.go_on) == ("queued", True)
    assert "second" in outcome.sentence
    assert len(fault_server.book.all("R-1")) == 1
    held = await row(desk, second)
    assert (held.held, held.verdict) == (outcome.sentence, "closed")
    assert await outbox.count_held(desk) == 1
    assert await outbox.drain(desk) == []  # it waits for a person, however often the queue is looked at
    await outbox.release(desk, second)
    (sent,) = await outbox.drain(desk)
    assert sent.state == "accepted"
    assert [len(each.versions) for each in fault_server.book.all("R-1")] == [1, 1]


async def test_a_yes_to_one_thing_is_no_yes_to_another(desk: Desk, fault_server: FaultServer) -> None:
    """Held because nothing was known; by the time a person lets it go, the order is known to be closed."""
    await queue(desk, "R-1", "A")
    await outbox.drain(desk)
    other = json_answer({"orderReferenceNumber": "ELSE", "systemNumber": 5, "status": "Complete"})
    fault_server.plan(answered(other), STATUS)
    second = await queue(desk, "R-1", "B")
    await outbox.drain(desk)
    assert (await row(desk, second)).verdict == "unknown"
    fault_server.book.move("R-1", COMPLETE)
    await outbox.release(desk, second)
    (again,) = await outbox.drain(desk)
    assert again.state == "queued"
    assert (await row(desk, second)).verdict == "closed"
    assert len(fault_server.seen(SUBMIT)) == 1


async def test_in_the_import_queue_it_waits_for_its_turn(desk: Desk, fault_server: FaultServer) -> None:
    waiting = json_answer({"orderReferenceNumber": "R-1", "systemNumber": 7, "status": "In Import Queue"})
    fault_server.plan(answered(waiting), STATUS)
    write = await queue(desk, "R-1")
    (outcome,) = await outbox.drain(desk)
    assert (outcome.state, outcome.go_on, outcome.retry_later) == ("queued", True, True)
    assert (await row(desk, write)).held is None
    (sent,) = await outbox.drain(desk)
    assert sent.state == "accepted"


async def test_another_order_in_the_answer_stops_only_what_this_desk_sent_before(
    desk: Desk, fault_server: FaultServer
) -> None:
    await queue(desk, "OLD")
    await outbox.drain(desk)
    fault_server.book.move("OLD", COMPLETE)  # from now on the latest closed order answers for unknown ones (trap 2)
    await queue(desk, "R-1")
    (fresh,) = await outbox.drain(desk)
    assert fresh.state == "accepted"


@pytest.mark.parametrize(("status", "concerns_all"), [(429, True), (503, True), (500, False)])
async def test_what_cannot_be_asked_is_not_sent(
    desk: Desk, fault_server: FaultServer, status: int, concerns_all: bool
) -> None:
    fault_server.plan(answered(Answer(status)), STATUS, times=None)
    write = await queue(desk, "R-1")
    (outcome,) = await outbox.drain(desk)
    assert (outcome.state, outcome.go_on) == ("queued", not concerns_all)
    assert outcome.retry_later is not concerns_all, "it is asked again by the clock"
    assert fault_server.seen(SUBMIT) == []
    assert (await row(desk, write)).held is None


async def test_a_cancellation_of_what_is_closed_or_gone_is_not_sent(desk: Desk, fault_server: FaultServer) -> None:
    await queue(desk, "R-1")
    await outbox.drain(desk)
    fault_server.book.move("R-1", CANCELLED)
    write = await outbox.queue_cancellation(desk, "R-1")
    past_undo(desk)
    (outcome,) = await outbox.drain(desk)
    assert "nothing left to cancel" in outcome.sentence
    assert (await row(desk, write)).held == outcome.sentence
    assert fault_server.seen(CANCEL) == []


async def test_out_for_delivery_is_said_before_it_is_cancelled(desk: Desk, fault_server: FaultServer) -> None:
    await queue(desk, "R-1")
    await outbox.drain(desk)
    on_the_van = json_answer({"orderReferenceNumber": "R-1", "systemNumber": 700001, "status": "Out for delivery"})
    fault_server.plan(answered(on_the_van), STATUS, times=2)
    write = await outbox.queue_cancellation(desk, "R-1")
    past_undo(desk)
    (outcome,) = await outbox.drain(desk)
    assert "out for delivery" in outcome.sentence
    await outbox.release(desk, write)
    (sent,) = await outbox.drain(desk)
    assert sent.state == "accepted"


async def test_an_undone_cancellation_never_leaves(desk: Desk, fault_server: FaultServer) -> None:
    await queue(desk, "R-1")
    await outbox.drain(desk)
    write = await outbox.queue_cancellation(desk, "R-1")
    await outbox.settle(desk, write, "withdrawn", "Withdrawn.")
    past_undo(desk)
    assert await outbox.drain(desk) == []
    assert fault_server.seen(CANCEL) == []
    with pytest.raises(WrongState):
        await outbox.release(desk, write)


async def test_the_verdict_names_what_a_change_would_change(desk: Desk, fault_server: FaultServer) -> None:
    assert (await verdict(desk, "R-1")).kind == "new"
    await queue(desk, "R-1", "A")
    await outbox.drain(desk)
    order = submission("R-1", "B", poNumber="PO-9")
    found = await verdict(desk, "R-1", wire_bytes(order))
    assert found.kind == "changes"
    assert {(each.path, each.before, each.after) for each in found.differences} == {
        ("consignee.consigneeName", "A", "B"),
        ("poNumber", "", "PO-9"),
    }
    fault_server.book.move("R-1", COMPLETE)
    closed = await verdict(desk, "R-1")
    assert (closed.kind, closed.needs_yes) == ("closed", True)


def hides_closed_orders(fault_server: FaultServer) -> None:
    """Order status as services.md has it, step 2: while any order is open, no closed one is shown."""

    def literal(seen: Seen) -> Fault | None:
        reference = seen.query.get("OrderReferenceNumber")
        hidden = seen.path.endswith(STATUS) and not fault_server.book.all(reference, state=OPEN)
        return answered(json_answer({"title": "Not found"}, 404)) if hidden else None

    fault_server.plan_by(literal)


@pytest.mark.parametrize("arrived", [True, False])
async def test_not_found_is_no_leave_to_send_what_was_sent_before(
    desk: Desk, fault_server: FaultServer, arrived: bool
) -> None:
    """The status of a closed order is "not found" while others are open: sending again would make a second one."""
    hides_closed_orders(fault_server)
    fault_server.plan(Fault() if arrived else act_then_drop(), SUBMIT)
    first = await queue(desk, "R-1", "A")
    await outbox.drain(desk)
    if not arrived:
        await outbox.settle(desk, first, "withdrawn", "A person's decision.")
    fault_server.book.move("R-1", COMPLETE)
    second = await queue(desk, "R-1", "B")
    (waits,) = await outbox.drain(desk)
    assert (waits.state, waits.retry_later) == ("queued", True)  # it may be on its way through the provider
    let_time_pass(desk, GRACE)
    (held,) = await outbox.drain(desk)
    assert (held.state, held.held) == ("queued", True)
    assert "second order" in held.sentence
    assert len(fault_server.book.all("R-1")) == 1
    await outbox.release(desk, second)
    assert [each.state for each in await outbox.drain(desk)] == ["accepted"]


async def test_a_withdrawn_doubt_still_counts_as_sent(desk: Desk, fault_server: FaultServer) -> None:
    """What a person took out of doubt may be there all the same; another order's status proves nothing of it."""
    fault_server.plan(act_then_drop(), SUBMIT)
    first = await queue(desk, "R-1", "A")
    await outbox.drain(desk)
    await outbox.settle(desk, first, "withdrawn", "A person's decision.")
    fault_server.book.move("R-1", COMPLETE)
    await queue(desk, "OTHER")
    await outbox.drain(desk)
    fault_server.book.move("OTHER", COMPLETE)
    await queue(desk, "R-1", "B")
    (held,) = await outbox.drain(desk)
    assert (held.state, held.held) == ("queued", True)
    assert len(fault_server.book.all("R-1")) == 1


async def test_what_provably_never_acted_may_be_sent_again(desk: Desk, fault_server: FaultServer) -> None:
    fault_server.plan(answered(Answer(400)), SUBMIT)
    await queue(desk, "R-1", "A")
    await outbox.drain(desk)
    await queue(desk, "R-1", "B")
    assert [each.state for each in await outbox.drain(desk)] == ["accepted"]


HOURS = timedelta(hours=10)
LATE: dict[str, Callable[[Desk], None]] = {
    "the disk was slow": lambda desk: let_time_pass(desk, HOURS),
    "the computer slept": lambda desk: set_clock(desk, HOURS),  # some clocks stand still then
}


@pytest.mark.parametrize("late", LATE.values(), ids=LATE)
async def test_a_look_is_taken_again_when_it_is_old_at_the_moment_of_leaving(
    desk: Desk, fault_server: FaultServer, monkeypatch: pytest.MonkeyPatch, late: Callable[[Desk], None]
) -> None:
    """Closed in the hours between the attempt being written down and its first byte: it would be a second order."""
    await queue(desk, "R-1", "A")
    await outbox.drain(desk)
    second = await queue(desk, "R-1", "B")

    async def slow(*args: Any, **kwargs: Any) -> Any:
        begun = await Database.write(desk.journal, *args, **kwargs)
        fault_server.book.move("R-1", COMPLETE)
        late(desk)
        return begun

    with monkeypatch.context() as slowly:
        slowly.setattr(desk.journal, "write", slow)
        (outcome,) = await outbox.drain(desk)
    assert (outcome.state, outcome.held, outcome.go_on) == ("queued", True, True), "looked at again at once"
    assert len(fault_server.seen(SUBMIT)) == 1
    assert (await row(desk, second)).verdict == "closed"
    assert len(fault_server.book.all("R-1")) == 1


@pytest.mark.parametrize("told", ["ab-01", "AB-01", "\uff21\uff22-01"])
async def test_a_reference_that_the_provider_may_take_for_another_is_for_a_person(
    desk: Desk, fault_server: FaultServer, told: str
) -> None:
    """One that compares without case would overwrite somebody else's open order."""
    status = {"orderReferenceNumber": told, "systemNumber": 7, "status": "Received"}
    fault_server.plan(answered(json_answer(status)), STATUS, times=2)
    write = await queue(desk, "Ab-01")
    await outbox.drain(desk)
    cancellation = await outbox.queue_cancellation(desk, "aB-01")
    let_time_pass(desk, outbox.UNDO)
    await outbox.drain(desk)
    assert "same order" in ((await row(desk, cancellation)).held or "")
    assert fault_server.seen(CANCEL) == []
    held = (await row(desk, write)).held or ""
    assert told in held
    assert "same order" in held
    assert fault_server.seen(SUBMIT) == []
    await outbox.release(desk, write)
    assert [each.state for each in await outbox.drain(desk)] == ["accepted"]


async def test_a_yes_to_another_doubt_is_none_to_a_reference_alike(desk: Desk, fault_server: FaultServer) -> None:
    """Held as it may be a second order; by the time a person lets it go, it may change somebody else's."""
    await queue(desk, "R-1", "A")
    await outbox.drain(desk)
    write = await queue(desk, "R-1", "B")
    for told in ("X-7", "r-1"):
        status = {"orderReferenceNumber": told, "systemNumber": 7, "status": "Received"}
        fault_server.plan(answered(json_answer(status)), STATUS)
        await outbox.drain(desk)
        assert (await row(desk, write)).held
        await outbox.release(desk, write)
    assert len(fault_server.seen(SUBMIT)) == 1
    await outbox.drain(desk)
    assert len(fault_server.seen(SUBMIT)) == 2

"""A person who cancels agrees to the verdict on screen, and to no later one."""

import pytest

from app.desk.desk import Desk
from app.desk.sending import outbox, settling
from app.desk.sending.evidence import GRACE
from app.store.journal.records import WriteRow
from tests.support.desks import let_time_pass, submission
from tests.support.fault_server import FaultServer
from tests.support.faults import answered, drop_before, json_answer

CANCEL, STATUS = "/Order/cancel", "/Order/status"
ON_THE_TRUCK = {"orderReferenceNumber": "R-1", "systemNumber": 700_001, "status": "Out for delivery"}
pytestmark = pytest.mark.asyncio


async def row(desk: Desk, write_id: int) -> WriteRow:
    return (await outbox.story(desk, write_id)).row


async def cancelled(desk: Desk) -> int:
    """An open order and its cancellation, which may leave."""
    await outbox.queue_submission(desk, submission("R-1"), None)
    await outbox.drain(desk)
    write = await outbox.queue_cancellation(desk, "R-1")
    let_time_pass(desk, outbox.UNDO)
    return write


async def test_a_cancellation_waits_for_its_order_however_the_provider_pads_the_reference(
    desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.plan(drop_before(), "/Order/submit")
    await outbox.queue_submission(desk, submission("R-1"), None)
    await outbox.drain(desk)
    write = await outbox.queue_cancellation(desk, "R-1   ")
    let_time_pass(desk, outbox.UNDO)
    assert await outbox.drain(desk) == [], "the order before it is in doubt"
    assert (await row(desk, write)).reference == "R-1"


async def test_a_yes_to_an_open_order_is_none_to_one_on_the_truck(desk: Desk, fault_server: FaultServer) -> None:
    """In doubt, offered again while the order was open, let go: by then it is out for delivery."""
    fault_server.plan(drop_before(), CANCEL)
    write = await cancelled(desk)
    await outbox.drain(desk)
    let_time_pass(desk, GRACE)
    await settling.settle(desk)
    assert "as open still" in ((await row(desk, write)).held or "")
    await outbox.release(desk, write)
    fault_server.plan(answered(json_answer(ON_THE_TRUCK)), STATUS, times=None)
    left = len(fault_server.seen(CANCEL))
    await outbox.drain(desk)
    held = await row(desk, write)
    assert ("out for delivery" in (held.held or ""), held.verdict) == (True, "out_for_delivery")
    assert len(fault_server.seen(CANCEL)) == left
    await outbox.release(desk, write, held)
    (sent,) = await outbox.drain(desk)
    assert sent.state == "accepted", "this time it was asked"


async def test_a_yes_to_one_on_the_truck_is_none_to_one_that_is_open(desk: Desk, fault_server: FaultServer) -> None:
    """It came back to the terminal: cancelling it needs no yes, and the one given changes nothing."""
    write = await cancelled(desk)
    fault_server.plan(answered(json_answer(ON_THE_TRUCK)), STATUS)
    (held,) = await outbox.drain(desk)
    assert held.held
    await outbox.release(desk, write)
    (sent,) = await outbox.drain(desk)
    assert sent.state == "accepted"


def cancelled_before(number: int) -> dict[str, object]:
    return {"orderReferenceNumber": "R-1", "systemNumber": number, "status": "Cancelled"}


@pytest.mark.parametrize("arrives", [False, True])
async def test_what_was_said_of_the_order_before_proves_no_cancellation(
    desk: Desk, fault_server: FaultServer, *, arrives: bool
) -> None:
    """Trap 2: the new order waits in the import queue, and "Cancelled" is said of the one before it."""
    write = await cancelled(desk)
    fault_server.plan(answered(json_answer(cancelled_before(600_001))), STATUS, times=None)
    if not arrives:
        fault_server.plan(drop_before(), CANCEL)
    (held,) = await outbox.drain(desk)
    assert held.held, "there is nothing left to cancel, it says"
    await outbox.release(desk, write, await row(desk, write))
    await outbox.drain(desk)
    for _ in range(2):
        await settling.settle(desk)
    kept = await row(desk, write)
    assert kept.state == ("accepted" if arrives else "in_doubt")
    assert "closed before" in (kept.note or "")

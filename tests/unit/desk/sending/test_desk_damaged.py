"""A write with damaged bytes: everything else about it is shown, and it is not sent any more."""

import pytest

from app.desk.desk import Desk
from app.desk.drafts import copy_order
from app.desk.printing import print_subject
from app.desk.sending import outbox, settling
from app.desk.sending.evidence import GRACE
from app.desk.sending.verdict import verdict
from app.desk.sync import order_sync
from app.store.journal.records import WriteRow
from app.store.store_errors import JournalDamaged
from tests.support.damage import spoil
from tests.support.desks import let_time_pass, submission
from tests.support.fault_server import CANCELLED, FaultServer
from tests.support.faults import act_then_drop, drop_before

SUBMIT, CANCEL, STATUS = "/Order/submit", "/Order/cancel", "/Order/status"
pytestmark = pytest.mark.asyncio


async def queue(desk: Desk, reference: str, **fields: str) -> int:
    return await outbox.queue_submission(desk, submission(reference, **fields), None)


async def row(desk: Desk, write_id: int) -> WriteRow:
    return (await outbox.story(desk, write_id)).row


async def test_a_person_decides_and_the_reference_is_free_again(desk: Desk, fault_server: FaultServer) -> None:
    fault_server.plan(act_then_drop(), SUBMIT)
    doubt = await queue(desk, "R-1")
    await outbox.drain(desk)
    await desk.journal.write(spoil, doubt)
    told = await outbox.story(desk, doubt)
    assert (told.row.damaged, told.row.reference, [each.outcome for each in told.attempts]) == (
        True,
        "R-1",
        ["unknown"],
    )
    anew = await queue(desk, "R-1", poNumber="PO-2")
    assert await outbox.drain(desk) == []
    with pytest.raises(JournalDamaged):
        await outbox.settle(desk, doubt, "queued", "Sent again by a person's decision.")
    await outbox.settle(desk, doubt, "accepted", "A person found that it had arrived.", seen="in_doubt")
    (sent,) = await outbox.drain(desk)
    assert (sent.write_id, sent.state) == (anew, "accepted")


async def test_evidence_is_said_as_far_as_it_goes_and_it_is_not_offered_again(
    desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.plan(drop_before(), SUBMIT)
    write = await queue(desk, "R-1")
    await outbox.drain(desk)
    await desk.journal.write(spoil, write)
    let_time_pass(desk, GRACE)
    await settling.settle(desk)
    kept = await row(desk, write)
    assert (kept.state, kept.note) == ("in_doubt", "The provider shows nothing of the order.")
    fault_server.book.submit(b'{"orderReferenceNumber":"R-1"}')
    await settling.settle(desk)
    assert "cannot be compared" in ((await row(desk, write)).note or "")


async def test_a_cancellation_needs_no_bytes_to_be_settled(desk: Desk, fault_server: FaultServer) -> None:
    await queue(desk, "R-1")
    await outbox.drain(desk)
    fault_server.plan(act_then_drop(), CANCEL)
    write = await outbox.queue_cancellation(desk, "R-1")
    let_time_pass(desk, outbox.UNDO)
    await outbox.drain(desk)
    await desk.journal.write(spoil, write)
    await settling.settle(desk)
    assert (await row(desk, write)).state == "confirmed"
    assert fault_server.book.all("R-1", state=CANCELLED)


async def test_what_was_taken_is_not_confirmed_and_says_why(desk: Desk) -> None:
    write = await queue(desk, "R-1")
    await outbox.drain(desk)
    await desk.journal.write(spoil, write)
    await order_sync.refresh(desk, "open", 7)
    await settling.settle(desk)
    kept = await row(desk, write)
    assert kept.state == "accepted"
    assert "damaged here" in (kept.note or "")


async def test_a_damaged_write_is_not_copied_printed_or_compared(desk: Desk) -> None:
    write = await queue(desk, "R-1")
    await outbox.drain(desk)
    await desk.journal.write(spoil, write)
    with pytest.raises(JournalDamaged, match="cannot be reused"):
        await copy_order.clone_write(desk, write)
    with pytest.raises(JournalDamaged, match="cannot be printed"):
        await print_subject.sent_order(desk, write)
    found = await verdict(desk, "R-1", b'{"orderReferenceNumber":"R-1"}')
    assert (found.kind, found.compared) == ("changes", "")

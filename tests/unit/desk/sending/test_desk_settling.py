"""Doubts are settled by evidence only; an accepted write is confirmed only once its order was read back."""

import itertools
from dataclasses import replace
from datetime import datetime, timedelta

import apsw
import pytest

from app.contract.codes import ManagementStatus
from app.contract.replies import StatusReading
from app.contract.submission import wire_bytes
from app.desk.desk import Desk
from app.desk.sending import evidence, outbox, settling
from app.desk.sending.evidence import GRACE, Evidence
from app.desk.sync import fetch_window, order_sync
from app.store.journal import profile_store, write_store
from app.store.journal.records import WriteRow, WriteState
from tests.support.desks import let_time_pass, profile_of, provider_of, submission
from tests.support.fault_server import CANCELLED, COMPLETE, Answer, Fault, FaultServer, Seen, start_fault_server
from tests.support.faults import act_then_drop, answered, drop_before, json_answer

SUBMIT, CANCEL, STATUS = "/Order/submit", "/Order/cancel", "/Order/status"
NOW = datetime(2026, 11, 24, 14, 0)


async def queue(desk: Desk, reference: str, name: str = "J. Rivera") -> int:
    return await outbox.queue_submission(desk, submission(reference, name), None)


async def row(desk: Desk, write_id: int) -> WriteRow:
    return (await outbox.story(desk, write_id)).row


@pytest.mark.asyncio
async def test_an_order_that_was_not_there_before_and_is_now_has_arrived(desk: Desk, fault_server: FaultServer) -> None:
    fault_server.plan(act_then_drop(), SUBMIT)
    write = await queue(desk, "R-1")
    await outbox.drain(desk)
    assert (await row(desk, write)).state == "in_doubt"
    assert await settling.settle_doubts(desk) == 1
    settled = await row(desk, write)
    assert settled.state == "accepted"
    assert "It arrived" in (settled.note or "")
    assert len(fault_server.seen(SUBMIT)) == 1


@pytest.mark.asyncio
async def test_absent_after_the_grace_is_offered_again_and_not_before(desk: Desk, fault_server: FaultServer) -> None:
    fault_server.plan(drop_before(), SUBMIT, times=2)
    write = await queue(desk, "R-1")
    await outbox.drain(desk)
    looked = await settling.settle(desk)
    assert (looked.changed, looked.journal_changed) == (False, True), (
        "what is known now is told although it settles nothing"
    )
    assert "import queue" in ((await row(desk, write)).note or "")
    let_time_pass(desk, GRACE + timedelta(seconds=1))
    assert (await settling.settle(desk)).to_resend == 1
    await outbox.drain(desk)  # by itself, the first time
    assert len(fault_server.seen(SUBMIT)) == 2
    assert await settling.settle_doubts(desk) == 0
    let_time_pass(desk, GRACE + timedelta(seconds=1))
    assert await settling.settle_doubts(desk) == 1
    offered = await row(desk, write)
    assert offered.state == "queued"
    assert offered.held is not None
    assert await outbox.drain(desk) == []  # a person sends it again, nobody else
    await outbox.release(desk, write)
    (sent,) = await outbox.drain(desk)
    assert sent.state == "accepted"
    assert [len(each.versions) for each in fault_server.book.all("R-1")] == [1]


@pytest.mark.asyncio
async def test_a_change_in_doubt_stays_with_a_person(desk: Desk, fault_server: FaultServer) -> None:
    """The order was there before: that it is there now proves nothing."""
    await queue(desk, "R-1", "A")
    await outbox.drain(desk)
    fault_server.plan(act_then_drop(), SUBMIT)
    write = await queue(desk, "R-1", "B")
    await outbox.drain(desk)
    assert await settling.settle_doubts(desk) == 0
    assert (await row(desk, write)).state == "in_doubt"


@pytest.mark.asyncio
@pytest.mark.parametrize("closed", [CANCELLED, COMPLETE])
async def test_closed_meanwhile_is_for_a_person(desk: Desk, fault_server: FaultServer, closed: str) -> None:
    fault_server.plan(act_then_drop(), SUBMIT)
    write = await queue(desk, "R-1")
    await outbox.drain(desk)
    fault_server.book.move("R-1", closed)
    assert await settling.settle_doubts(desk) == 0
    assert (await row(desk, write)).state == "in_doubt"


@pytest.mark.asyncio
async def test_a_cancellation_in_doubt_is_settled_by_the_status(desk: Desk, fault_server: FaultServer) -> None:
    await queue(desk, "R-1")
    await outbox.drain(desk)
    fault_server.plan(act_then_drop(), CANCEL)
    write = await outbox.queue_cancellation(desk, "R-1")
    let_time_pass(desk, outbox.UNDO)
    await outbox.drain(desk)
    assert (await row(desk, write)).state == "in_doubt"
    assert await settling.settle_doubts(desk) == 1
    assert (await row(desk, write)).state == "accepted"
    assert await settling.confirm_accepted(desk) == 1
    assert (await row(desk, write)).state == "confirmed"


@pytest.mark.asyncio
async def test_nothing_is_settled_by_trouble_or_by_another_order(desk: Desk, fault_server: FaultServer) -> None:
    fault_server.plan(drop_before(), SUBMIT)
    write = await queue(desk, "R-1")
    await outbox.drain(desk)
    let_time_pass(desk, GRACE * 2)
    other = json_answer({"orderReferenceNumber": "ELSE", "systemNumber": 5, "status": "Received"})
    fault_server.plan(answered(other), STATUS)
    assert await settling.settle_doubts(desk) == 0
    assert "another order" in ((await row(desk, write)).note or "")


@pytest.mark.asyncio
async def test_accepted_is_confirmed_once_it_was_seen_and_agrees(desk: Desk, fault_server: FaultServer) -> None:
    write = await queue(desk, "R-1")
    await outbox.drain(desk)
    let_time_pass(desk, timedelta(seconds=2))
    assert (await order_sync.refresh(desk, "open", 7)).trouble == ""
    assert await settling.confirm_accepted(desk) == 1
    assert (await row(desk, write)).state == "confirmed"
    assert "Confirmed as " in ((await row(desk, write)).note or "")


@pytest.mark.asyncio
async def test_an_order_of_which_nothing_is_returned_is_not_called_read_back(
    desk: Desk, fault_server: FaultServer
) -> None:
    """Nothing about a reply is promised (notes.md, trap 7): number and reference alone are nothing that was sent."""
    write = await queue(desk, "R-1")
    await outbox.drain(desk)
    fault_server.plan(answered(json_answer([{"OrderNumber": 700_001, "CRN": "R-1"}])), "/orders/open", times=None)
    await order_sync.refresh(desk, "open", 7)
    assert await settling.confirm_accepted(desk) == 0
    kept = await row(desk, write)
    assert kept.state == "accepted"
    assert "shows it as number 700001. It returns nothing" in (kept.note or "")
    before = kept.change
    await settling.confirm_accepted(desk)
    assert (await row(desk, write)).change == before, "it is said once"


@pytest.mark.asyncio
async def test_absent_from_the_status_but_listed_is_not_absent(desk: Desk, fault_server: FaultServer) -> None:
    """A closed order's status is "not found" while others are open: the completed list knows it all the same."""
    fault_server.plan(act_then_drop(), SUBMIT)
    write = await queue(desk, "R-1")
    await outbox.drain(desk)
    fault_server.book.move("R-1", COMPLETE)
    fault_server.plan(answered(json_answer({"title": "Not found"}, 404)), STATUS, times=None)
    let_time_pass(desk, GRACE * 2)
    assert await settling.settle_doubts(desk) == 0
    kept = await row(desk, write)
    assert (kept.state, kept.held) == ("in_doubt", None)
    assert "listed as number 700001" in (kept.note or "")


@pytest.mark.asyncio
async def test_absent_is_not_said_while_the_lists_cannot_be_had(desk: Desk, fault_server: FaultServer) -> None:
    fault_server.plan(drop_before(), SUBMIT)
    write = await queue(desk, "R-1")
    await outbox.drain(desk)
    let_time_pass(desk, GRACE * 2)
    fault_server.plan(answered(Answer(500)), "/orders/completed", times=None)
    assert await settling.settle_doubts(desk) == 0
    assert (await row(desk, write)).state == "in_doubt"


@pytest.mark.asyncio
async def test_the_same_reference_with_other_contents_is_no_arrival(desk: Desk, fault_server: FaultServer) -> None:
    """Somebody else's order under the same reference: it was not there before, and it is not this one."""
    fault_server.plan(drop_before(), SUBMIT)
    write = await queue(desk, "R-1", "A")
    await outbox.drain(desk)
    fault_server.book.submit(wire_bytes(submission("R-1", "Somebody else")))
    assert await settling.settle_doubts(desk) == 0
    assert "differs" in ((await row(desk, write)).note or "")


@pytest.mark.asyncio
@pytest.mark.parametrize("kind", ["submit", "cancel"])
async def test_a_reply_that_only_repeats_the_reference_proves_nothing(
    desk: Desk, fault_server: FaultServer, kind: str
) -> None:
    """ "No such order" may be a 200 that carries the reference; it is neither an arrival nor an open order."""
    if kind == "cancel":
        await queue(desk, "R-1")
        await outbox.drain(desk)
    fault_server.plan(drop_before(), SUBMIT if kind == "submit" else CANCEL)
    write = await (queue(desk, "R-1") if kind == "submit" else outbox.queue_cancellation(desk, "R-1"))
    let_time_pass(desk, outbox.UNDO)
    await outbox.drain(desk)
    let_time_pass(desk, GRACE * 2)
    told = json_answer({"orderReferenceNumber": "R-1", "systemNumber": None, "status": "No such order"})
    fault_server.plan(answered(told), STATUS)
    assert await settling.settle_doubts(desk) == 0
    kept = await row(desk, write)
    assert (kept.state, kept.held) == ("in_doubt", None)
    assert "can read" in (kept.note or "")


@pytest.mark.asyncio
async def test_doubts_that_stay_do_not_keep_others_from_being_settled(desk: Desk, fault_server: FaultServer) -> None:
    """However many wait for a person, an older or newer one that evidence settles is reached."""
    fault_server.plan(act_then_drop(), SUBMIT, times=60)
    for number in range(60):
        await queue(desk, f"R-{number}")
        await outbox.drain(desk)
    for number in range(1, 60):
        fault_server.book.move(f"R-{number}", COMPLETE)
    assert await settling.settle_doubts(desk) == 1
    assert (await row(desk, 1)).state == "accepted"


@pytest.mark.asyncio
async def test_a_number_of_another_order_confirms_nothing(desk: Desk, fault_server: FaultServer) -> None:
    """The answer may speak of another order with the same consignee: reading that one back proves nothing of this."""
    await queue(desk, "OTHER")
    await outbox.drain(desk)
    told = json_answer({"reference": "OTHER", "systemNumber": fault_server.book.all("OTHER")[0].number})
    fault_server.plan(answered(told), SUBMIT)
    write = await queue(desk, "R-1")
    await outbox.drain(desk)
    let_time_pass(desk, timedelta(seconds=2))
    await order_sync.refresh(desk, "open", 7)
    assert await settling.confirm_accepted(desk) == 1
    assert (await row(desk, write)).state == "accepted"


@pytest.mark.asyncio
async def test_a_record_that_says_nothing_of_the_order_confirms_nothing(desk: Desk, fault_server: FaultServer) -> None:
    """The number is right, but neither the reference nor any field of what was sent stands in the record."""
    write = await queue(desk, "R-1")
    await outbox.drain(desk)
    let_time_pass(desk, timedelta(seconds=2))
    fault_server.plan(
        answered(json_answer({"OrderNumber": 700001, "CRN": "ELSE", "StatusId": "AVL"})), "/orders/700001"
    )
    assert await settling.confirm_accepted(desk) == 0
    assert (await row(desk, write)).state == "accepted"


@pytest.mark.asyncio
async def test_an_order_asked_for_before_it_was_accepted_confirms_nothing(
    desk: Desk, fault_server: FaultServer
) -> None:
    """The answer to a question that was asked earlier may tell what was there earlier."""
    # All of it happens within one second, a millisecond after the other, however slow the computer is.
    start, ticks = desk.now().replace(microsecond=0), itertools.count(100)
    desk.now = lambda: start + timedelta(milliseconds=next(ticks))
    first = await queue(desk, "R-1")
    await outbox.drain(desk)
    change = await queue(desk, "R-1")

    def answer_late(seen: Seen) -> Fault | None:
        """While the order is being told, the change is accepted."""
        if seen.path.endswith("/orders/700001"):
            desk.journal.write_now(accept, change, desk)
        return None

    fault_server.plan_by(answer_late)
    assert await settling.confirm_accepted(desk) == 1
    fault_server.plan_by(None)
    await settling.confirm_accepted(desk)
    assert (await row(desk, first)).state == "confirmed"
    assert (await row(desk, change)).state == "accepted"
    let_time_pass(desk, timedelta(seconds=1))
    await fetch_window.refresh_order(desk, 700001)
    assert await settling.confirm_accepted(desk) == 1
    assert (await row(desk, change)).state == "confirmed"


@pytest.mark.asyncio
async def test_what_was_replaced_is_said_to_be_so_and_not_measured_by_its_successor(
    desk: Desk, fault_server: FaultServer
) -> None:
    first, second = await queue(desk, "R-1", "A"), await queue(desk, "R-1", "B")
    await outbox.drain(desk)
    let_time_pass(desk, timedelta(seconds=1))
    await order_sync.refresh(desk, "open", 7)
    assert await settling.confirm_accepted(desk) == 1
    assert await settling.confirm_accepted(desk) == 0
    assert (await row(desk, second)).state == "confirmed"
    replaced = await row(desk, first)
    assert replaced.state == "accepted"
    assert "later change" in (replaced.note or "")


def accept(c: apsw.Connection, write_id: int, desk: Desk) -> None:
    attempt = write_store.begin_attempt(c, write_id, desk.now(), "changes")
    reply = b'{"orderReferenceNumber":"R-1","systemNumber":700001}'
    write_store.end_attempt(c, attempt, "accepted", desk.now(), http_status=200, reply=reply)


def _write(kind: str, verdict: str | None = None) -> WriteRow:
    state: WriteState = "in_doubt"
    assert kind in ("submit", "cancel")
    return WriteRow(1, "p", "submit" if kind == "submit" else "cancel", "R-1", state, NOW, NOW, None, None, 1, verdict)


def _status(status: ManagementStatus | None, *, mentions: bool = True, found: bool = True) -> StatusReading:
    return StatusReading(status, mentions, 7, found, "")


@pytest.mark.parametrize("status", list(ManagementStatus))
@pytest.mark.parametrize("was_absent", [True, False])
@pytest.mark.parametrize("kind", ["submit", "cancel"])
@pytest.mark.parametrize("late", [True, False])
def test_nothing_counts_as_arrived_but_what_can_only_be_so(
    status: ManagementStatus, was_absent: bool, kind: str, late: bool
) -> None:
    judged = evidence.judge(
        _write(kind),
        b'{"orderReferenceNumber":"R-1"}',
        was_absent=was_absent,
        waited=GRACE * 2 if late else timedelta(seconds=1),
        evidence=Evidence(_status(status)),
    )
    closed = status in (ManagementStatus.COMPLETE, ManagementStatus.CANCELLED)
    if kind == "submit":
        assert judged.finding == ("arrived" if was_absent and not closed else "person")
    elif status is ManagementStatus.CANCELLED:
        assert judged.finding == "arrived"
    elif status is ManagementStatus.COMPLETE:
        assert judged.finding == "person"
    else:
        assert judged.finding == ("absent" if late else "person")


@pytest.mark.asyncio
async def test_a_damaged_write_keeps_no_other_from_being_settled(desk: Desk, fault_server: FaultServer) -> None:
    def spoil(c: apsw.Connection) -> None:
        c.execute("DROP TRIGGER writes_keep_what_was_queued")
        c.execute("UPDATE writes SET payload = ? WHERE id = ?", (b"{", damaged))

    fault_server.plan(act_then_drop(), SUBMIT, times=2)
    damaged = await queue(desk, "R-1")
    whole = await queue(desk, "R-2")
    await outbox.drain(desk)
    await outbox.drain(desk)
    await desk.journal.write(spoil)
    assert (await settling.settle(desk)).doubts == 1
    rows = {each.id: each for each in await outbox.writes(desk, (), 10)}
    assert rows[whole].state in ("accepted", "confirmed")
    assert rows[damaged].state == "in_doubt"
    assert "is damaged" in (rows[damaged].note or "")


@pytest.mark.asyncio
async def test_doubts_that_meet_no_answer_never_hide_the_others(desk: Desk, fault_server: FaultServer) -> None:
    """Three orders whose status the provider cannot give, and one behind them, the oldest, that has arrived."""
    silent = {"R-1", "R-2", "R-3"}
    fault_server.plan(act_then_drop(), SUBMIT, times=None)
    writes = []
    for number in range(4):
        writes.append(await queue(desk, f"R-{number}"))
        await outbox.drain(desk)

    def status(seen: Seen) -> Fault | None:
        asked = seen.path.endswith(STATUS) and seen.query.get("OrderReferenceNumber") in silent
        return answered(Answer(500)) if asked else None

    fault_server.plan_by(status)
    await settling.settle_doubts(desk)
    assert [(await row(desk, each)).state for each in writes] == ["in_doubt"] * 4, "three in a row end the look"
    assert await settling.settle_doubts(desk) == 1, "the next one begins with those that were not asked about"
    assert (await row(desk, writes[0])).state == "accepted"
    silent.discard("R-2")
    for _ in range(2):
        await settling.settle_doubts(desk)
    assert (await row(desk, writes[2])).state == "accepted", "whoever met no answer has another turn"


@pytest.mark.asyncio
async def test_a_yes_to_sending_again_is_for_that_time(desk: Desk, fault_server: FaultServer) -> None:
    """Sent again and in doubt again: what holds it back the next time is not overruled by the yes of before."""
    fault_server.plan(drop_before(), SUBMIT, times=3)
    write = await queue(desk, "R-1")
    await outbox.drain(desk)
    for _ in range(3):  # it is sent again by itself in between
        let_time_pass(desk, GRACE + timedelta(seconds=1))
        await settling.settle_doubts(desk)
        await outbox.drain(desk)
    await outbox.release(desk, write, await row(desk, write))
    await outbox.drain(desk)
    assert (await row(desk, write)).state == "in_doubt"
    await outbox.settle(desk, write, "queued", "Sent again by a person's decision.", seen="in_doubt")
    (waits,) = await outbox.drain(desk)
    assert waits.retry_later, "it may be in the import queue still"
    assert len(fault_server.seen(SUBMIT)) == 3


@pytest.mark.asyncio
@pytest.mark.parametrize("name", ["J. Rivera", "Somebody else"])
async def test_what_another_provider_shows_says_nothing_of_what_was_accepted_before_the_connection_led_there(
    desk: Desk, fault_server: FaultServer, name: str
) -> None:
    write = await queue(desk, "R-1")
    replaced = await queue(desk, "R-2", "A")
    await queue(desk, "R-2", "B")
    await outbox.drain(desk)
    with start_fault_server() as other:
        moved = replace(profile_of(other), id=desk.profile.id)
        await desk.journal.write(profile_store.move_profile, moved)
        async with provider_of(other) as provider:
            new = Desk(moved, desk.journal, desk.cache, desk.reader, datetime.now, provider)
            await provider.management.submit_order(wire_bytes(submission("R-1", name)))
            await order_sync.refresh(new, "open", 7)
            await settling.settle(new)
            kept = await row(new, write)
            assert (kept.state, "led before" in (kept.note or "")) == ("accepted", True)
            assert "A later change" in ((await row(new, replaced)).note or "")
            assert not (await settling.settle(new)).journal_changed, "it is said once"
            sent = await queue(new, "R-3")
            await outbox.drain(new)
            await order_sync.refresh(new, "open", 7)
            await settling.settle(new)
            assert (await row(new, sent)).state == "confirmed"

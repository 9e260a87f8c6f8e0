"""A finding proves nothing about a write that has changed since the provider was asked."""

import asyncio
from datetime import datetime, timedelta

import pytest

from app.desk.desk import Desk
from app.desk.sending import outbox, settling
from app.desk.sending.evidence import GRACE
from app.store.journal.records import WriteRow
from app.store.journal.recovery import rebuild, unfinished_writes
from tests.support.desks import let_time_pass, submission
from tests.support.fault_server import Answer, FaultServer
from tests.support.faults import Fault, act_then_drop, answered, drop_before, held, json_answer

SUBMIT, STATUS, COMPLETED = "/Order/submit", "/Order/status", "/orders/completed"
UNKNOWN = json_answer({"title": "Not found"}, 404)
pytestmark = pytest.mark.asyncio


async def queue(desk: Desk, **fields: str) -> int:
    return await outbox.queue_submission(desk, submission("R-1", **fields), None)


async def row(desk: Desk, write: int) -> WriteRow:
    return (await outbox.story(desk, write)).row


async def in_doubt(desk: Desk, fault_server: FaultServer) -> int:
    """An order of which nothing arrived, so long ago that this can be told."""
    fault_server.plan(drop_before(), SUBMIT)
    write = await queue(desk)
    await outbox.drain(desk)
    let_time_pass(desk, GRACE * 2)
    return write


async def send_again(desk: Desk, write: int) -> None:
    """As a person does who has read that it may be a second order."""
    await outbox.settle(desk, write, "queued", "Sent again by a person's decision.", seen="in_doubt")
    await outbox.drain(desk)
    await outbox.release(desk, write, await row(desk, write))
    await outbox.drain(desk)


async def reached(fault_server: FaultServer, path: str, number: int) -> None:
    async with asyncio.timeout(10):
        while len(fault_server.seen(path)) < number:  # noqa: ASYNC110  # on another thread
            await asyncio.sleep(0.001)


async def test_absence_from_before_it_was_sent_again_is_no_absence(desk: Desk, fault_server: FaultServer) -> None:
    """Looking through the lists takes minutes; a person has it sent again meanwhile, and it arrives unsaid."""
    write = await in_doubt(desk, fault_server)
    gate = fault_server.gate()
    fault_server.plan(held(before=gate), COMPLETED)
    looking = asyncio.create_task(settling.settle(desk))
    await reached(fault_server, COMPLETED, 1)
    fault_server.plan(act_then_drop(), SUBMIT)
    await send_again(desk, write)
    gate.release()
    await looking
    found = await row(desk, write)
    assert (found.state, found.held) == ("in_doubt", None), "it is there: nobody may be told that it is not"
    assert await settling.settle_doubts(desk) == 1
    assert (await row(desk, write)).state == "accepted"


async def test_words_about_a_doubt_are_not_put_on_what_was_accepted_since(
    desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.plan(drop_before(), SUBMIT)
    write = await queue(desk)
    await outbox.drain(desk)
    gate = fault_server.gate()
    before = len(fault_server.seen(STATUS))
    fault_server.plan(Fault(act=False, answer=UNKNOWN, after=gate), STATUS)
    looking = asyncio.create_task(settling.settle_doubts(desk))
    await reached(fault_server, STATUS, before + 1)
    let_time_pass(desk, GRACE * 2)
    await send_again(desk, write)
    gate.release()
    await looking
    found = await row(desk, write)
    assert (found.state, "accepted the order" in (found.note or "")) == ("accepted", True), found.note


async def test_an_order_that_may_be_an_earlier_one_of_its_reference_proves_no_arrival(
    desk: Desk, fault_server: FaultServer
) -> None:
    """The first is accepted and not imported yet; a change of it is lost; then the first appears. What they differ in
    is not returned."""
    await queue(desk)
    await outbox.drain(desk)
    let_time_pass(desk, GRACE * 2)
    fault_server.plan(answered(UNKNOWN), STATUS, times=2)
    change = await queue(desk, deliveryInstructions="At the other door.")
    await outbox.drain(desk)
    fault_server.plan(drop_before(), SUBMIT)
    await outbox.release(desk, change, await row(desk, change))
    await outbox.drain(desk)
    assert (await row(desk, change)).verdict == "new"
    let_time_pass(desk, GRACE * 2)
    assert await settling.settle_doubts(desk) == 0
    assert (await row(desk, change)).state == "in_doubt"


async def test_what_was_said_of_a_queued_order_proves_nothing_once_the_journal_was_brought_back(
    desk: Desk, fault_server: FaultServer
) -> None:
    """It was looked at and turned away; then somebody else sent an order with this reference."""
    write = await queue(desk)
    fault_server.plan(answered(Answer(401)), SUBMIT, times=2)
    await outbox.drain(desk)
    assert ((await row(desk, write)).state, (await row(desk, write)).verdict) == ("queued", "new")
    await desk.journal.write(unfinished_writes.put_in_doubt, datetime.now(), rebuild.BROUGHT_BACK)
    fault_server.book.submit((await outbox.story(desk, write)).payload)
    let_time_pass(desk, timedelta(hours=1))
    assert await settling.settle_doubts(desk) == 0
    assert (await row(desk, write)).state == "in_doubt"


async def test_a_connection_that_is_given_up_between_two_questions_settles_nothing(
    desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.plan(act_then_drop(), SUBMIT)
    write = await queue(desk)
    await outbox.drain(desk)
    gate = fault_server.gate()
    before = len(fault_server.seen(STATUS))
    fault_server.plan(held(after=gate), STATUS)
    looking = asyncio.create_task(settling.settle(desk))
    await reached(fault_server, STATUS, before + 1)
    desk.provider, provider = None, desk.provider
    gate.release()
    await looking
    desk.provider = provider
    await settling.settle(desk)
    assert (await row(desk, write)).state in ("accepted", "confirmed")

"""A status look-up claims no more than the reply proves (trap 2)."""

import json
from collections.abc import Awaitable, Callable
from datetime import datetime

import pytest

from app.contract.codes import ManagementStatus
from app.contract.replies import read_status
from app.desk.desk import Desk
from app.desk.sending import outbox, settling
from app.desk.sending.evidence import gather
from app.desk.sending.order_status import judge, last_answer, look_up
from app.desk.sending.sending_words import no_such_order
from app.desk.sending.verdict import verdict
from tests.support.desks import submission
from tests.support.fault_server import COMPLETE, MANAGEMENT, Answer, FaultServer
from tests.support.faults import answered, json_answer
from tests.support.practice_calls import Caller
from tests.support.practice_process import PracticeProcess

AT = datetime(2026, 11, 20, 14, 2, 10)


@pytest.mark.parametrize("status", list(ManagementStatus))
def test_a_reply_about_the_order_itself_is_the_provider_s_word(status: ManagementStatus) -> None:
    body = json.dumps({"orderReferenceNumber": "R-1", "systemNumber": 700001, "status": status.value}).encode()
    answer = judge(read_status(body, "R-1"), no_such_order("R-1"), AT)
    assert answer.sentence == f"The provider says: {status.value}."
    assert (answer.status, answer.proven, answer.system_number, answer.at) == (status, True, 700001, AT)


@pytest.mark.parametrize(
    "body",
    [
        b'{"orderReferenceNumber": "R-2", "status": "Complete"}',
        b'"Complete"',
        b"Complete",
        b'{"status": "Complete", "systemNumber": 5}',
        b'[{"orderReferenceNumber": "R-10", "status": "Cancelled"}]',
    ],
)
def test_a_reply_about_another_order_proves_nothing_and_names_no_status(body: bytes) -> None:
    answer = judge(read_status(body, "R-1"), no_such_order("R-1"), AT)
    assert answer.sentence == "The provider answered about another order, so the status is unverified."
    assert (answer.status, answer.proven, answer.system_number) == (None, False, None)


def test_a_status_that_is_none_of_the_six_is_not_guessed_at() -> None:
    body = b'{"orderReferenceNumber": "R-1", "status": "Shipped"}'
    answer = judge(read_status(body, "R-1"), no_such_order("R-1"), AT)
    assert answer.sentence == "The provider knows the order but gave no status that Waybill can read."
    assert (answer.status, answer.proven) == (None, False)


@pytest.mark.parametrize("body", [b"", b"null", b"[]", b"{}"])
def test_nothing_is_no_order(body: bytes) -> None:
    answer = judge(read_status(body, "R-1"), no_such_order("R-1"), AT)
    assert answer.sentence == "The provider has no order with reference R-1."
    assert not answer.proven


@pytest.mark.asyncio
async def test_it_is_asked_by_reference_alone(desk: Desk, fault_server: FaultServer) -> None:
    await outbox.queue_submission(desk, submission("R-1"), None)
    await outbox.drain(desk)
    answer = await look_up(desk, "R-1")
    assert (answer.status, answer.proven) == (ManagementStatus.PENDING_RECEIPT, True)
    assert fault_server.seen("/Order/status")[0].query == {"OrderReferenceNumber": "R-1"}


@pytest.mark.asyncio
@pytest.mark.parametrize("asks", [verdict, gather])
async def test_an_answer_is_remembered_whatever_it_was_asked_for(
    desk: Desk, fault_server: FaultServer, asks: Callable[[Desk, str], Awaitable[object]]
) -> None:
    await outbox.queue_submission(desk, submission("R-1"), None)
    await outbox.drain(desk)
    before = await look_up(desk, "R-1")
    fault_server.book.move("R-1", COMPLETE)
    await asks(desk, "R-1")
    latest = last_answer(desk, 701, "R-1")
    assert latest is not None
    assert (before.status, latest.status) == (ManagementStatus.PENDING_RECEIPT, ManagementStatus.COMPLETE)


@pytest.mark.asyncio
async def test_the_answer_that_confirms_a_cancellation_is_remembered(desk: Desk, fault_server: FaultServer) -> None:
    await outbox.queue_submission(desk, submission("R-1"), None)
    await outbox.drain(desk)
    await outbox.end_undo(desk, [await outbox.queue_cancellation(desk, "R-1")])
    await outbox.drain(desk)
    desk.looked_up.clear()
    assert await settling.confirm_accepted(desk) >= 1
    latest = last_answer(desk, 701, "R-1")
    assert latest is not None
    assert latest.status is ManagementStatus.CANCELLED


@pytest.mark.asyncio
async def test_the_latest_closed_order_of_the_bill_to_is_not_taken_for_it(
    desk: Desk, fault_server: FaultServer
) -> None:
    await outbox.queue_submission(desk, submission("R-OLD"), None)
    await outbox.drain(desk)
    fault_server.book.move("R-OLD", COMPLETE)
    answer = await look_up(desk, "R-NEW")
    assert "unverified" in answer.sentence
    assert not answer.proven
    assert "Complete" not in answer.sentence


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Answer(404), "no order with reference R-1"),
        (Answer(204), "no order with reference R-1"),
        (json_answer({"title": "Order not found"}, 400), "no order with reference R-1"),
        (Answer(500), "failed"),
        (Answer(403), "403"),
        (Answer(200, b"<html>log in</html>", "text/html"), ""),
    ],
    ids=["404", "204", "400", "500", "403", "page"],
)
async def test_trouble_is_a_sentence_and_no_status(
    desk: Desk, fault_server: FaultServer, answer: Answer, words: str
) -> None:
    fault_server.plan(answered(answer), f"{MANAGEMENT}/Order/status", times=None)
    found = await look_up(desk, "R-1")
    assert words in found.sentence
    assert found.sentence
    assert (found.status, found.proven) == (None, False)


@pytest.mark.asyncio
async def test_without_a_connection_the_reason_is_told(offline_desk: Desk) -> None:
    assert (await look_up(offline_desk, "R-1")).sentence == "Not connected yet."


@pytest.mark.asyncio
async def test_practice_follows_an_order_from_the_queue_to_its_cancellation(
    practice_desk: Desk, practice: PracticeProcess
) -> None:
    reference = "DESK-LOOKUP-1"
    assert not (await look_up(practice_desk, reference)).proven
    await outbox.queue_submission(practice_desk, submission(reference), None)
    (sent,) = await outbox.drain(practice_desk)
    assert sent.state == "accepted", sent.sentence
    assert (await look_up(practice_desk, reference)).proven
    Caller(practice.facts).advance(60)  # out of the import queue: until then a cancellation waits
    await outbox.queue_cancellation(practice_desk, reference)
    later = practice_desk.now() + outbox.UNDO
    practice_desk.now = lambda: later
    (cancelled,) = await outbox.drain(practice_desk)
    assert cancelled.state == "accepted", cancelled.sentence
    assert (await look_up(practice_desk, reference)).status is ManagementStatus.CANCELLED
    assert len(Caller(practice.facts).behind_the_counter(reference)) == 1

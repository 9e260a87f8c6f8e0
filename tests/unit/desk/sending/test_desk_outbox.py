"""Every outcome a write can have, against a provider at its worst: what arrived and what the journal says of it."""

import json
import socket

import pytest

from app.contract.submission import wire_bytes
from app.desk.desk import Desk
from app.desk.drafts import saved_drafts
from app.desk.sending import outbox
from app.desk.sending.verdict import verdict
from app.store.journal import write_store as journal_store
from app.store.journal.records import WriteState
from tests.support.desks import order_draft, provider_of, submission
from tests.support.fault_server import CANCELLED, COMPLETE, Answer, Fault, FaultServer, Seen
from tests.support.faults import (
    act_then_drop,
    acted_but,
    answered,
    cut_head,
    drop_before,
    drop_unread,
    json_answer,
    malformed,
    truncated,
)

SUBMIT, CANCEL = "/Order/submit", "/Order/cancel"
pytestmark = pytest.mark.asyncio

PROBLEM = {
    "title": "One or more validation errors occurred.",
    "status": 400,
    "errors": {"consignee.zip": ["Not a ZIP that is served."], "": ["Call the depot."]},
}


async def queue(desk: Desk, reference: str, name: str = "J. Rivera") -> int:
    return await outbox.queue_submission(desk, submission(reference, name), None)


async def state_of(desk: Desk, write_id: int) -> WriteState:
    return (await outbox.story(desk, write_id)).row.state


async def test_an_accepted_order_arrives_byte_for_byte_once(desk: Desk, fault_server: FaultServer) -> None:
    order = submission("R-1", "Zoë Núñez ☃ “quoted”", deliveryInstructions="a\nb\tc \\ /")
    write = await outbox.queue_submission(desk, order, None)
    kept = (await outbox.story(desk, write)).payload
    (outcome,) = await outbox.drain(desk)
    (seen,) = fault_server.seen(SUBMIT)
    assert seen.body == kept
    assert json.loads(kept)["consignee"]["consigneeName"] == "Zoë Núñez ☃ “quoted”"
    assert (outcome.write_id, outcome.state, outcome.go_on) == (write, "accepted", True)
    assert outcome.sentence == "The provider accepted the order as number 700001. Status: Pending Receipt."
    told = await outbox.story(desk, write)
    (attempt,) = told.attempts
    assert (told.row.state, told.row.note) == ("accepted", outcome.sentence)
    assert (attempt.outcome, attempt.http_status, attempt.reply_type) == ("accepted", 200, "application/json")
    assert json.loads(attempt.reply or b"") == fault_server.book.all("R-1")[0].status_record
    assert await outbox.drain(desk) == []
    assert len(fault_server.seen(SUBMIT)) == 1


async def test_a_cancellation_goes_its_way(desk: Desk, fault_server: FaultServer) -> None:
    await queue(desk, "R-1")
    write = await outbox.queue_cancellation(desk, "R-1")
    (first,) = await outbox.drain(desk)
    assert await outbox.drain(desk) == []  # it can still be undone
    later = desk.now() + outbox.UNDO
    assert await outbox.next_due(desk, desk.now()) is not None
    desk.now = lambda: later
    assert await outbox.next_due(desk, desk.now()) is None
    (second,) = await outbox.drain(desk)
    assert (first.state, second.state, second.write_id) == ("accepted", "accepted", write)
    assert second.sentence.startswith("The provider accepted the cancellation")
    assert fault_server.seen(CANCEL)[0].body == b'{"orderReferenceNumber":"R-1"}'
    assert fault_server.book.all("R-1")[0].state == CANCELLED


async def test_it_is_in_the_journal_before_the_first_byte_leaves(desk: Desk, fault_server: FaultServer) -> None:
    """The server looks into the journal at the moment in which it has read the request's header."""
    write = await queue(desk, "R-1")
    found: list[tuple[str, int]] = []

    def look(seen: object) -> Fault | None:
        if getattr(seen, "path", "").endswith(SUBMIT):
            told = desk.journal.read_now(journal_store.write_story, write)
            found.append((told.row.state, sum(each.ended_at is None for each in told.attempts)))
        return None

    fault_server.plan_by(look)
    await outbox.drain(desk)
    assert found == [("sending", 1)]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (json_answer(PROBLEM, 400), {"consignee.zip": "Not a ZIP that is served.", "": "Call the depot."}),
        (Answer(400, b"The depot is closed.", "text/plain"), {}),
        (Answer(400), {}),
        (Answer(422, b"<problem><title>No</title></problem>", "application/problem+xml"), {}),
        (json_answer({"title": "Gone"}, 404), {}),
        (json_answer({"title": "Conflict"}, 409), {}),
    ],
    ids=["problem", "text", "empty", "xml", "404", "409"],
)
async def test_a_refusal_is_kept_with_the_provider_s_words(
    desk: Desk, fault_server: FaultServer, answer: Answer, words: dict[str, str]
) -> None:
    fault_server.plan(answered(answer), SUBMIT)
    write = await queue(desk, "R-1")
    other = await queue(desk, "R-2")
    first, second = await outbox.drain(desk)
    assert (first.state, first.go_on, second.state) == ("rejected", True, "accepted")
    told = await outbox.story(desk, write)
    assert (told.row.state, told.row.note) == ("rejected", first.sentence)
    assert told.attempts[0].http_status == answer.status
    assert outbox.field_errors(told) == words
    if answer.body and answer.media_type == "text/plain":
        assert "The depot is closed." in first.sentence
    assert outbox.field_errors(await outbox.story(desk, other)) == {}


async def test_without_a_token_it_waits_and_so_does_the_rest(desk: Desk, fault_server: FaultServer) -> None:
    fault_server.plan(answered(Answer(401)), SUBMIT, times=2)  # also with a new token
    first = await queue(desk, "R-1")
    second = await queue(desk, "R-2")
    (outcome,) = await outbox.drain(desk)
    assert (outcome.state, outcome.go_on) == ("queued", False)
    assert desk.blocked == outcome.sentence
    assert outcome.sentence.endswith("Sending then goes on by itself.")
    assert [await state_of(desk, each) for each in (first, second)] == ["queued", "queued"]
    assert fault_server.book.all() == []
    assert [each.state for each in await outbox.drain(desk)] == ["accepted", "accepted"]
    assert desk.blocked == ""
    assert [each.reference for each in fault_server.book.all()] == ["R-1", "R-2"]
    assert all(len(each.versions) == 1 for each in fault_server.book.all())


@pytest.mark.parametrize("path", [SUBMIT, "/Order/status"])
async def test_why_it_was_turned_away_is_still_said_after_the_connection_was_closed(
    desk: Desk, fault_server: FaultServer, path: str
) -> None:
    fault_server.plan(answered(Answer(401)), path, times=None)
    write = await queue(desk, "R-1")
    (outcome,) = await outbox.drain(desk)
    assert outcome.blocked
    assert desk.provider is not None
    await desk.provider.aclose()
    await outbox.drain(desk)
    assert (await outbox.story(desk, write)).row.note == outcome.sentence


@pytest.mark.parametrize("arrived", [True, False])
async def test_busy_is_in_doubt_and_the_rest_is_not_thrown_after_it(
    desk: Desk, fault_server: FaultServer, arrived: bool
) -> None:
    """A provider that asks for a rest would otherwise answer the whole queue so: a thousand orders in doubt at once."""
    answer = json_answer({"title": "Busy"}, 503, retry_after="7")
    fault_server.plan(acted_but(answer) if arrived else answered(answer), SUBMIT)
    first, second = await queue(desk, "R-1"), await queue(desk, "R-2")
    (outcome,) = await outbox.drain(desk)
    assert (outcome.write_id, outcome.state, outcome.go_on) == (first, "in_doubt", False)
    assert outcome.retry_after == 7.0
    assert [await state_of(desk, each) for each in (first, second)] == ["in_doubt", "queued"]
    assert (await outbox.story(desk, first)).attempts[0].outcome == "busy"


@pytest.mark.parametrize(("asked", "rest"), [("7", 7.0), ("0", 0.0), (None, 5.0), ("soon", 5.0)])
async def test_what_was_turned_back_stays_in_the_queue_and_goes_later_by_itself(
    desk: Desk, fault_server: FaultServer, asked: str | None, rest: float
) -> None:
    fields = {} if asked is None else {"retry_after": asked}
    fault_server.plan(answered(json_answer({"title": "Too many"}, 429, **fields)), SUBMIT)
    first, second = await queue(desk, "R-1"), await queue(desk, "R-2")
    (outcome,) = await outbox.drain(desk)
    assert (outcome.write_id, outcome.state, outcome.go_on, outcome.retry_after) == (first, "queued", False, rest)
    assert "not taken" in outcome.sentence
    assert [await state_of(desk, each) for each in (first, second)] == ["queued", "queued"]
    assert (await outbox.story(desk, first)).attempts[0].outcome == "not_taken"
    assert {each.state for each in await outbox.drain(desk)} == {"accepted"}
    assert [len(each.versions) for each in fault_server.book.all()] == [1, 1]


async def test_one_that_is_always_turned_back_does_not_hold_up_the_others(
    desk: Desk, fault_server: FaultServer
) -> None:
    body = wire_bytes(submission("R-1"))
    fault_server.serve("/OrderManagementApi/Order/submit", lambda seen: _turn_back(fault_server, seen, body))
    await queue(desk, "R-1")
    await queue(desk, "R-2")
    await outbox.drain(desk)
    await outbox.drain(desk)
    assert fault_server.book.all("R-2"), "it goes before the one that was turned back"


def _turn_back(server: FaultServer, seen: Seen, body: bytes) -> Answer:
    return Answer(429) if seen.body == body else json_answer(server.book.submit(seen.body).status_record)


@pytest.mark.parametrize("literal", [True, False])
@pytest.mark.parametrize("closed", [None, COMPLETE])
async def test_what_was_taken_though_turned_back_makes_no_second_order(
    desk: Desk, fault_server: FaultServer, closed: str | None, literal: bool
) -> None:
    """The next look finds it: an open one is sent the same data again, a closed one waits for a person, also where
    only the list of completed orders shows it."""
    fault_server.plan(acted_but(Answer(429)), SUBMIT)
    write = await queue(desk, "R-1")
    await outbox.drain(desk)
    if closed:
        fault_server.book.move("R-1", closed)
    fault_server.book.submit(wire_bytes(submission("OTHER")))
    if literal and closed:
        fault_server.plan(answered(json_answer({"title": "Not found"}, 404)), "/Order/status")
    await outbox.drain(desk)
    assert len(fault_server.book.all("R-1")) == 1
    kept = (await outbox.story(desk, write)).row
    assert (kept.state, kept.held is not None) == (("queued", True) if closed else ("accepted", False))


async def test_without_the_lists_what_was_turned_back_waits(desk: Desk, fault_server: FaultServer) -> None:
    fault_server.plan(answered(Answer(429)), SUBMIT)
    write = await queue(desk, "R-1")
    await outbox.drain(desk)
    fault_server.plan(answered(Answer(403)), "/orders/open")
    (outcome,) = await outbox.drain(desk)
    assert (outcome.state, outcome.retry_later) == ("queued", True)
    assert "lists are not known" in outcome.sentence
    assert (await outbox.story(desk, write)).row.waits_unasked, "a person may send it without"
    assert [each.state for each in await outbox.drain(desk)] == ["accepted"]


@pytest.mark.parametrize(
    "fault",
    [
        drop_unread(),
        drop_unread().with_reset(),
        drop_before(),
        drop_before().with_reset(),
        act_then_drop(),
        act_then_drop().with_reset(),
        cut_head(9),
        truncated(10),
        malformed(b"\x00\x01" * 30),
        acted_but(Answer(500)),
        acted_but(Answer(502, b"<html>bad gateway</html>", "text/html")),
        acted_but(Answer(200, b"<html>log in</html>", "text/html")),
        acted_but(Answer(200, b"\x00\x01\xfe", "application/octet-stream")),
        acted_but(Answer(200, b'{"title":"Not taken."}', "application/problem+json")),
        acted_but(json_answer({"orderReferenceNumber": "R-7", "systemNumber": 7, "status": "Received"})),
        acted_but(json_answer({"orderReferenceNumber": "R-1", "success": False})),
        acted_but(Answer(302, headers=(("Location", "/login"),))),
    ],
    ids=str,
)
async def test_whatever_may_have_arrived_is_in_doubt_and_never_sent_again_by_itself(
    desk: Desk, fault_server: FaultServer, fault: Fault
) -> None:
    fault_server.plan(fault, SUBMIT)
    first, second = await queue(desk, "R-1"), await queue(desk, "R-2")
    told = [outcome.state for outcome in await outbox.drain(desk)]
    assert told[0] == "in_doubt"
    for _ in range(3):
        await outbox.drain(desk)
    assert [await state_of(desk, each) for each in (first, second)] == ["in_doubt", "accepted"]
    sent = [json.loads(each.body or b"{}").get("orderReferenceNumber") for each in fault_server.seen(SUBMIT)]
    assert len(sent) == 2
    (attempt,) = (await outbox.story(desk, first)).attempts
    assert attempt.outcome == "unknown"
    assert attempt.sentence


async def test_refused_connections_leave_everything_queued(desk: Desk, fault_server: FaultServer) -> None:
    await queue(desk, "R-0")
    await outbox.drain(desk)  # the token is had; now nobody listens
    assert desk.provider is not None
    await desk.provider.aclose()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        fault_server.port, port = free.getsockname()[1], fault_server.port
    desk.provider = provider_of(fault_server)
    fault_server.port = port
    first, second = await queue(desk, "R-1"), await queue(desk, "R-2")
    async with desk.provider:
        (outcome,) = await outbox.drain(desk)
    assert (outcome.write_id, outcome.state, outcome.go_on) == (first, "queued", False)
    assert "could not be reached" in outcome.sentence
    assert [await state_of(desk, each) for each in (first, second)] == ["queued", "queued"]
    told = await outbox.story(desk, first)
    assert told.attempts == []  # how the order stands could not be asked, so nothing was tried
    assert "could not be reached" in (told.row.note or "")
    async with provider_of(fault_server) as provider:
        desk.provider = provider
        assert [each.state for each in await outbox.drain(desk)] == ["accepted", "accepted"]


async def test_without_a_provider_nothing_is_tried(offline_desk: Desk) -> None:
    write = await queue(offline_desk, "R-1")
    assert await outbox.drain(offline_desk) == []
    told = await outbox.story(offline_desk, write)
    found = await verdict(offline_desk, "R-1")
    outcome = await outbox.send(offline_desk, told.row, found)
    assert (outcome.state, outcome.sentence, outcome.go_on) == ("queued", "Not connected yet.", False)
    assert told.attempts == []


async def test_a_fault_of_our_own_leaves_it_in_doubt(desk: Desk, fault_server: FaultServer) -> None:
    write = await queue(desk, "R-1")

    def broken() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await outbox.drain(desk, broken)
    told = await outbox.story(desk, write)
    assert told.row.state == "in_doubt"
    assert [each.outcome for each in told.attempts] == ["unknown"]
    assert fault_server.seen(SUBMIT) == []


async def test_a_draft_becomes_the_write_and_is_closed(desk: Desk) -> None:
    await saved_drafts.save(desk, "d-1", order_draft("R-1"))
    write = await outbox.queue_submission(desk, submission("R-1"), "d-1")
    assert await saved_drafts.all_open(desk) == []
    assert (await outbox.story(desk, write)).row.draft_id == "d-1"

"""A connection that sends XML: the provider gets the same orders, and a write in doubt goes again as the same bytes."""

import json
from dataclasses import replace
from uuid import uuid4

import pytest

from app.contract.codes import Format
from app.contract.request_body import draft_of_body
from app.contract.submission import Cancellation, wire_bytes
from app.contract.xml_writer import body_in
from app.desk.desk import Desk
from app.desk.requests import send_request
from app.desk.requests.send_request import Request
from app.desk.sending import outbox, settling
from app.desk.sending.evidence import GRACE
from app.store.journal.records import ROOTS
from tests.support.desks import let_time_pass, submission
from tests.support.fault_server import MANAGEMENT, FaultServer
from tests.support.faults import answered, drop_before, json_answer
from tests.support.practice_calls import Caller
from tests.support.practice_process import PracticeProcess

SUBMIT, CANCEL = "/Order/submit", "/Order/cancel"
XML, JSON = "application/xml", "application/json"
pytestmark = pytest.mark.asyncio


def sends(desk: Desk, form: Format) -> None:
    desk.profile = replace(desk.profile, sends=form)


async def queue(desk: Desk, reference: str, **fields: str) -> int:
    return await outbox.queue_submission(desk, submission(reference, **fields), None)


def left(server: FaultServer, path: str = SUBMIT) -> list[tuple[str, bytes]]:
    """The format and the bytes of each write that arrived."""
    return [(each.headers["content-type"], each.body) for each in server.seen(path)]


async def test_practice_holds_the_same_order_whichever_format_it_came_in(
    practice_desk: Desk, practice: PracticeProcess
) -> None:
    caller, held = Caller(practice.facts), []
    for form in ("json", "xml"):
        sends(practice_desk, form)
        reference = f"X-{uuid4().hex[:12]}"
        write = await queue(practice_desk, reference, deliveryInstructions="<ring> & wait\r\nat the “gate”")
        assert [each.state for each in await outbox.drain(practice_desk)] == ["accepted"]
        assert [each.sent_as for each in (await outbox.story(practice_desk, write)).attempts] == [form]
        [order] = caller.behind_the_counter(reference)
        held.append(replace(draft_of_body(order["body"])[0], orderReferenceNumber="R"))
        assert practice_desk.provider is not None
        cancellation = wire_bytes(Cancellation(orderReferenceNumber=reference))
        body, sent_as = body_in(form, cancellation, ROOTS["cancel"])
        await practice_desk.provider.management.cancel_order(body, sent_as=sent_as)
        assert [each["cancelled"] for each in caller.behind_the_counter(reference)] == [True]
    assert held[0] == held[1]
    assert held[0].deliveryInstructions == "<ring> & wait\r\nat the “gate”"


async def test_what_left_is_shown_as_it_left(desk: Desk, fault_server: FaultServer) -> None:
    write = await queue(desk, "R-1")
    payload = wire_bytes(submission("R-1"))
    assert (await outbox.story(desk, write)).body == payload
    sends(desk, "xml")
    told = await outbox.story(desk, write)
    assert told.body == body_in("xml", payload, ROOTS["submit"])[0] != payload
    await outbox.drain(desk)
    sends(desk, "json")
    told = await outbox.story(desk, write)
    assert left(fault_server) == [(XML, told.body)]
    assert told.payload == payload


async def test_a_write_in_doubt_goes_again_as_the_same_bytes(desk: Desk, fault_server: FaultServer) -> None:
    sends(desk, "xml")
    fault_server.plan(drop_before(), SUBMIT)
    write = await queue(desk, "R-1")
    await outbox.drain(desk)
    sends(desk, "json")
    await queue(desk, "R-2")
    for _ in range(3):
        await settling.settle(desk)
        await outbox.drain(desk)
        let_time_pass(desk, GRACE * 2)
    sent = [(kind, body) for kind, body in left(fault_server) if b"R-1" in body]
    assert len(sent) == 2
    assert sent[0] == sent[1]
    assert sent[0][0] == XML
    assert [each.sent_as for each in (await outbox.story(desk, write)).attempts] == ["xml", "xml"]
    assert [kind for kind, body in left(fault_server) if b"R-2" in body] == [JSON]


async def test_what_the_provider_turned_back_goes_as_the_connection_says_by_now(
    desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.plan(answered(json_answer({"title": "Slow down"}, 429)), SUBMIT)
    write = await queue(desk, "R-1")
    await outbox.drain(desk)
    sends(desk, "xml")
    let_time_pass(desk, GRACE)
    await outbox.drain(desk)
    assert [kind for kind, _ in left(fault_server)] == [JSON, XML]
    assert [each.sent_as for each in (await outbox.story(desk, write)).attempts] == ["json", "xml"]


async def test_an_order_that_xml_cannot_hold_goes_as_json(desk: Desk, fault_server: FaultServer) -> None:
    sends(desk, "xml")
    await queue(desk, "R-1", deliveryInstructions="floor\x0btwo")
    await outbox.drain(desk)
    [(kind, body)] = left(fault_server)
    assert (kind, json.loads(body)["deliveryInstructions"]) == (JSON, "floor\x0btwo")


async def test_a_cancellation_leaves_as_xml(desk: Desk, fault_server: FaultServer) -> None:
    fault_server.book.submit(wire_bytes(submission("R-1")))
    sends(desk, "xml")
    await outbox.queue_cancellation(desk, "R-1")
    let_time_pass(desk, outbox.UNDO)
    await outbox.drain(desk)
    expected = body_in("xml", wire_bytes(Cancellation(orderReferenceNumber="R-1")), ROOTS["cancel"])[0]
    assert left(fault_server, CANCEL) == [(XML, expected)]
    assert fault_server.book.all("R-1")[0].state == "Cancelled"


async def test_quotes_and_trucks_leave_so_too_and_reservations_do_not(desk: Desk, fault_server: FaultServer) -> None:
    sends(desk, "xml")
    for path in ("/Quote/submit", "/Truck/submit", "/PartnerA/reserveSlot"):
        fault_server.serve(MANAGEMENT + path, json_answer({"status": "Received"}))
    for operation in ("quote_submit", "truck_submit", "partner_a_reserve_slot"):
        row = await send_request.send(desk, Request(operation, b'{"weight":1.50}', "", "Memphis"))
        assert row.state == "accepted"
        assert row.sent_as == ("json" if operation == "partner_a_reserve_slot" else "xml")
        assert row.payload == b'{"weight":1.50}'
    assert [left(fault_server, path)[0][0] for path in ("/Quote/submit", "/Truck/submit", "/PartnerA/reserveSlot")] == [
        XML, XML, JSON,
    ]  # fmt: skip
    assert b"<QuoteSubmissionRequest>\n  <weight>1.50</weight>" in left(fault_server, "/Quote/submit")[0][1]

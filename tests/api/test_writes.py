"""A write is made once, with exactly the given bytes; its error says whether it may have taken effect."""

import asyncio
import socket
from dataclasses import replace

import pytest

from app.api.errors import (
    ApiError,
    BrokenReply,
    NotAllowed,
    NotAuthorised,
    NotFound,
    NoToken,
    NotSent,
    NotTaken,
    Refused,
    SentUnknown,
    ServerFault,
)
from app.api.provider import Addresses, Provider
from tests.api.conftest import QUICK, SHORT, Open, cancellation, order
from tests.support.fault_server import CANCELLED, FaultServer
from tests.support.faults import (
    Answer,
    Fault,
    act_then_drop,
    acted_but,
    answered,
    cut_head,
    drop_before,
    drop_unread,
    held,
    json_answer,
    malformed,
    truncated,
)

pytestmark = pytest.mark.asyncio
SUBMIT = "/Order/submit"
PAGE = b"<!DOCTYPE html><html><body>Please log in</body></html>"


def closed_port() -> int:
    """A port at which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def failing(provider: Provider, payload: bytes) -> ApiError:
    with pytest.raises(ApiError) as caught:
        await provider.management.submit_order(payload)
    return caught.value


async def test_the_exact_bytes_arrive_once_with_the_token(fault_server: FaultServer, open_on: Open) -> None:
    payload = '{"orderReferenceNumber":"R-1",  "consignee":{"consigneeName":"Ångström \\u0041"}}'.encode()
    async with open_on(fault_server) as provider:
        reply = await provider.management.submit_order(payload)
    (seen,) = fault_server.seen(SUBMIT)
    assert seen.body == payload
    assert seen.headers["content-type"] == seen.headers["accept"] == "application/json"
    assert seen.headers["authorization"] == "Bearer token-1"
    assert (reply.status, reply.data()) == (200, fault_server.book.all("R-1")[0].status_record)


async def test_a_cancellation_goes_its_own_way(fault_server: FaultServer, open_on: Open) -> None:
    async with open_on(fault_server) as provider:
        await provider.management.submit_order(order("R-1"))
        assert (await provider.management.cancel_order(cancellation("R-1"))).status == 200
        with pytest.raises(NotFound):
            await provider.management.cancel_order(cancellation("R-1"))
    assert fault_server.book.all("R-1")[0].state == CANCELLED


@pytest.mark.parametrize(
    ("fault", "arrived"),
    [
        (drop_unread(), False),
        (drop_unread().with_reset(), False),
        (drop_before(), False),
        (drop_before().with_reset(), False),
        (act_then_drop(), True),
        (act_then_drop().with_reset(), True),
        (cut_head(9), True),
        (cut_head(30), True),
        (truncated(10), True),
        (truncated(10).with_reset(), True),
        (truncated(0), True),
        (malformed(b"SSH-2.0-OpenSSH_9.2\r\n"), True),
        (malformed(b"\x00\x01\x02" * 50), True),
        (acted_but(Answer(303, headers=(("Location", "/elsewhere"),))), True),
        (acted_but(Answer(500)), True),
        (acted_but(Answer(504)), True),
        (acted_but(Answer(503)), True),
        (acted_but(Answer(200, PAGE, "text/html")), True),
        (acted_but(Answer(200, b'{"status": "Pend')), True),
        (acted_but(Answer(200, b"<result><status>", "application/xml")), True),
        (acted_but(Answer(200, b"\x1f\x8b nonsense", headers=(("Content-Encoding", "gzip"),))), True),
    ],
    ids=str,
)
async def test_whatever_ends_it_after_it_began_is_in_doubt_and_never_repeated(
    fault_server: FaultServer, open_on: Open, fault: Fault, arrived: bool
) -> None:
    fault_server.plan(fault, SUBMIT)
    async with open_on(fault_server) as provider:
        error = await failing(provider, order("R-1"))
    assert error.may_have_acted
    assert not isinstance(error, NotSent)
    assert len(fault_server.seen(SUBMIT)) == 1
    assert bool(fault_server.book.all("R-1")) == arrived
    assert fault_server.seen("/elsewhere") == []


async def test_a_connection_closed_on_arrival_is_in_doubt(fault_server: FaultServer, open_on: Open) -> None:
    async with open_on(fault_server) as provider:
        fault_server.plan(answered(Answer(404, headers=(("Connection", "close"),))), "/Order/status")
        await provider.management.order_status(reference="none")
        fault_server.drop_connections(1)
        error = await failing(provider, order("R-1"))
    assert isinstance(error, SentUnknown)
    assert fault_server.seen(SUBMIT) == []


async def test_no_answer_in_time_is_in_doubt_though_it_arrives_later(fault_server: FaultServer, open_on: Open) -> None:
    gate = fault_server.gate()
    fault_server.plan(held(before=gate), SUBMIT)
    async with open_on(fault_server, deadlines=SHORT) as provider:
        error = await failing(provider, order("R-1"))
        assert isinstance(error, SentUnknown)
        assert "no answer in time" in error.sentence
        assert fault_server.book.all("R-1") == []
        gate.release()
        await fault_server.until_connections(0)
    assert len(fault_server.book.all("R-1")) == 1


@pytest.mark.parametrize(
    ("fault", "kind"), [(Fault(drip=(1, 0.05)), BrokenReply), (Fault(drip_head=(1, 0.05)), SentUnknown)], ids=str
)
async def test_an_answer_that_drips_does_not_hold_a_write(
    fault_server: FaultServer, open_on: Open, fault: Fault, kind: type[ApiError]
) -> None:
    """Each drop comes long before the silence would count as one: only the deadline of the whole ends it."""
    fault_server.plan(fault, SUBMIT)
    async with open_on(fault_server, deadlines=replace(QUICK, write=0.4)) as provider, asyncio.timeout(1.5):
        error = await failing(provider, order("R-1"))
    assert isinstance(error, kind)
    assert error.may_have_acted


@pytest.mark.parametrize("name", ["base_url", "auth_url"])
async def test_where_nothing_listens_nothing_was_sent(fault_server: FaultServer, open_on: Open, name: str) -> None:
    nowhere = f"http://127.0.0.1:{closed_port()}"
    addresses = Addresses(**{**fault_server.addresses, name: nowhere})
    async with open_on(fault_server, addresses=addresses) as provider:
        error = await failing(provider, order("R-1"))
    assert isinstance(error, NotSent)
    assert not error.may_have_acted
    assert error.sentence == f"{nowhere} could not be reached: nothing listens at that address."
    assert fault_server.seen(SUBMIT) == []


@pytest.mark.parametrize(
    ("address", "words"),
    [("http://waybill.invalid", "the name is not known"), ("https://127.0.0.1:{port}", "does not speak TLS")],
)
async def test_a_name_unknown_or_without_tls_was_not_sent_to(
    fault_server: FaultServer, open_on: Open, address: str, words: str
) -> None:
    addresses = replace(Addresses(**fault_server.addresses), base_url=address.format(port=fault_server.port))
    async with open_on(fault_server, addresses=addresses) as provider:
        error = await failing(provider, order("R-1"))
    assert isinstance(error, NotSent)
    assert words in error.sentence
    assert fault_server.book.all("R-1") == []


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (json_answer({"error": "invalid_client"}, 400), NotAuthorised),
        (json_answer({"error": "temporarily"}, 503), NoToken),
        (Answer(500), NoToken),
        (Answer(404), NoToken),
        (Answer(200, PAGE, "text/html"), NoToken),
        (json_answer({"expires_in": 5}), NoToken),
    ],
)
async def test_without_a_token_nothing_leaves(
    fault_server: FaultServer, open_on: Open, answer: Answer, kind: type[ApiError]
) -> None:
    fault_server.plan(answered(answer), "/connect/token", times=None)
    async with open_on(fault_server) as provider:
        error = await failing(provider, order("R-1"))
    assert type(error) is kind
    assert not error.may_have_acted
    assert fault_server.seen(SUBMIT) == []


async def test_a_401_sends_the_same_bytes_once_more_with_a_new_token(fault_server: FaultServer, open_on: Open) -> None:
    async with open_on(fault_server) as provider:
        await provider.management.submit_order(order("R-1", "First"))
        fault_server.tokens.revoke()
        await provider.management.submit_order(order("R-1", "Second"))
    bodies = [each.body for each in fault_server.seen(SUBMIT)]
    assert bodies == [order("R-1", "First"), order("R-1", "Second"), order("R-1", "Second")]
    assert fault_server.book.all("R-1")[0].versions == [order("R-1", "First"), order("R-1", "Second")]
    assert fault_server.tokens.issued == 2


async def test_a_401_for_good_is_an_answer(fault_server: FaultServer, open_on: Open) -> None:
    fault_server.plan(answered(Answer(401)), SUBMIT, times=None)
    async with open_on(fault_server) as provider:
        error = await failing(provider, order("R-1"))
    assert isinstance(error, NotAuthorised)
    assert not error.may_have_acted
    assert (len(fault_server.seen(SUBMIT)), fault_server.tokens.issued) == (2, 2)


async def test_refused_with_a_401_and_then_without_a_token_it_did_not_act(
    fault_server: FaultServer, open_on: Open
) -> None:
    async with open_on(fault_server) as provider:
        await provider.management.submit_order(order("R-0"))
        fault_server.tokens.revoke()
        fault_server.plan(act_then_drop(), "/connect/token")
        error = await failing(provider, order("R-1"))
    assert isinstance(error, NoToken)
    assert fault_server.book.all("R-1") == []


async def test_broken_after_a_401_it_is_in_doubt_again(fault_server: FaultServer, open_on: Open) -> None:
    fault_server.plan(answered(Answer(401)), SUBMIT)
    fault_server.plan(act_then_drop(), SUBMIT)
    async with open_on(fault_server) as provider:
        error = await failing(provider, order("R-1"))
    assert isinstance(error, SentUnknown)
    assert len(fault_server.book.all("R-1")) == 1


async def test_what_is_not_wanted_any_more_does_not_leave(fault_server: FaultServer, open_on: Open) -> None:
    """Asked each time that it is about to: a token or a connection may have taken hours to come."""
    async with open_on(fault_server) as provider:
        with pytest.raises(NotSent):
            await provider.management.submit_order(order("R-1"), lambda: False)
        assert fault_server.seen(SUBMIT) == []
        fault_server.tokens.revoke()
        once = iter((True, False))
        with pytest.raises(NotSent):
            await provider.management.submit_order(order("R-1"), lambda: next(once))
        assert (len(fault_server.seen(SUBMIT)), fault_server.book.all("R-1")) == (1, [])
        await provider.management.submit_order(order("R-1"), lambda: True)
    assert len(fault_server.book.all("R-1")) == 1


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (json_answer({"title": "No", "errors": {"city": ["Too long."]}}, 400), Refused),
        (Answer(400), Refused),
        (Answer(400, b"<problem><title>No</title></problem>", "application/xml"), Refused),
        (Answer(400, b"Just no.", "text/plain"), Refused),
        (Answer(422, b"\xff\xfe"), Refused),
        (json_answer({"title": "Forbidden"}, 403), NotAllowed),
        (Answer(404), NotFound),
        (json_answer({}, 429, retry_after="3"), NotTaken),
        (Answer(502), ServerFault),
    ],
)
async def test_a_write_that_was_answered_is_never_sent_again(
    fault_server: FaultServer, open_on: Open, answer: Answer, kind: type[ApiError]
) -> None:
    fault_server.plan(answered(answer), SUBMIT, times=None)
    async with open_on(fault_server) as provider:
        error = await failing(provider, order("R-1"))
    assert type(error) is kind
    assert len(fault_server.seen(SUBMIT)) == 1


async def test_a_refusal_cut_short_is_still_a_refusal(fault_server: FaultServer, open_on: Open) -> None:
    answer = json_answer({"title": "No", "detail": "x" * 500}, 400)
    fault_server.plan(Fault(act=False, answer=answer, keep_body=40), SUBMIT)
    async with open_on(fault_server) as provider:
        assert isinstance(await failing(provider, order("R-1")), Refused)


@pytest.mark.parametrize(
    "answer",
    [
        Answer(200),
        Answer(204),
        Answer(202),
        Answer(200, b'"Accepted"'),
        Answer(200, b"Accepted", "text/plain"),
        Answer(200, b"<result>ok</result>", "application/xml"),
        Answer(201, b"null"),
        json_answer({"success": True, "errors": [], "error": None, "status": "Received"}),
        json_answer({"success": "true", "error": "None", "status": 200}),
    ],
    ids=str,
)
async def test_a_success_of_any_shape_is_one(fault_server: FaultServer, open_on: Open, answer: Answer) -> None:
    fault_server.plan(acted_but(answer), SUBMIT)
    async with open_on(fault_server) as provider:
        reply = await provider.management.submit_order(order("R-1"))
    assert (reply.status, reply.body) == (answer.status, answer.body)


@pytest.mark.parametrize(
    "answer",
    [
        json_answer({"success": False, "message": "Not today."}),
        json_answer({"Errors": {"zip": ["Unknown."]}, "orderReferenceNumber": "R-1"}),
        json_answer([{"error": "login_required"}]),
        json_answer({"title": "Bad request", "status": 400}),
        Answer(200, b"<result><Success>false</Success></result>", "application/xml"),
        Answer(200, b'<?xml version="1.0"?>\n<html><body>Please log in</body></html>', "text/xml"),
        Answer(200, b"<!-- gateway --><html><body>Please log in</body></html>", "text/plain"),
        Answer(200, b"<script>location = '/login'</script>", None),
    ],
    ids=str,
)
async def test_a_success_that_says_otherwise_settles_nothing(
    fault_server: FaultServer, open_on: Open, answer: Answer
) -> None:
    fault_server.plan(answered(answer), SUBMIT)
    async with open_on(fault_server) as provider:
        error = await failing(provider, order("R-1"))
    assert (type(error), error.may_have_acted) == (BrokenReply, True)


async def test_a_result_larger_than_reason_is_not_read_to_its_end(fault_server: FaultServer, open_on: Open) -> None:
    fault_server.plan(acted_but(Answer(200, b"x" * 6_000_000, "text/plain")), SUBMIT)
    async with open_on(fault_server) as provider:
        error = await failing(provider, order("R-1"))
    assert isinstance(error, BrokenReply)


async def test_many_writes_at_once_wait_for_a_line_and_none_fails(fault_server: FaultServer, open_on: Open) -> None:
    async with open_on(fault_server, connections=4) as provider:
        await asyncio.gather(*(provider.management.submit_order(order(f"R-{each}")) for each in range(100)))
    assert len(fault_server.book.all()) == 100
    assert len({each.connection for each in fault_server.seen(SUBMIT)}) <= 4


async def test_a_closed_provider_sends_nothing(fault_server: FaultServer, open_on: Open) -> None:
    provider = open_on(fault_server)
    await provider.aclose()
    assert isinstance(await failing(provider, order("R-1")), NotSent)

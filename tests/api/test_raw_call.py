"""Calls by hand over sockets: sent once, timed, cut at a size, and never with the token in what is kept."""

import asyncio
import json

import pytest

from app.api.errors import BadAddress
from app.api.provider import Provider
from app.api.raw_call import RawAnswer, RawRequest, address_of
from tests.support.desks import provider_of
from tests.support.fault_server import INFORMATION, MANAGEMENT, FaultServer, Seen
from tests.support.faults import (
    Answer,
    act_then_drop,
    answered,
    drop_unread,
    held,
    json_answer,
    slow,
    truncated,
)

pytestmark = pytest.mark.asyncio
QUOTE = "/Quote/submit"


def post(body: bytes = b"{}", **more: object) -> RawRequest:
    return RawRequest("management", "POST", QUOTE, body=body, content_type="application/json", writes=True, **more)  # type: ignore[arg-type]


def get(path: str = "/Facilities", **more: object) -> RawRequest:
    return RawRequest("management", "GET", path, **more)  # type: ignore[arg-type]


async def call(server: FaultServer, request: RawRequest, **settings: int) -> RawAnswer:
    async with provider_of(server) as provider:
        return await provider.raw.call(request, **settings)


async def test_everything_that_is_known_of_an_answer(fault_server: FaultServer) -> None:
    fault_server.serve(MANAGEMENT + QUOTE, json_answer({"quote": 1}))
    answer = await call(fault_server, post(b'{"weight": 1.50}'))
    assert (answer.status, answer.reason, json.loads(answer.body)) == (200, "Fault", {"quote": 1})
    assert (answer.size, answer.sentence, answer.cut, answer.may_have_acted) == (len(answer.body), "", False, True)
    assert answer.content_type == "application/json"
    assert dict(answer.headers)["content-type"] == answer.content_type
    names = [each.name for each in answer.phases]
    assert names == ["wait", "connect", "send", "first byte", "body"]
    assert answer.seconds == pytest.approx(sum(each.seconds for each in answer.phases))
    [seen] = fault_server.seen(QUOTE)
    assert (seen.body, seen.headers["content-type"], seen.headers["accept"]) == (
        b'{"weight": 1.50}',
        "application/json",
        "application/json",
    )


async def test_a_kept_connection_has_no_connecting(fault_server: FaultServer) -> None:
    fault_server.serve(MANAGEMENT + "/Facilities", json_answer([]))
    async with provider_of(fault_server) as provider:
        await provider.raw.call(get())
        names = [each.name for each in (await provider.raw.call(get())).phases]
    assert "connect" not in names
    assert "first byte" in names


async def test_a_slow_provider_shows_in_its_phase(fault_server: FaultServer) -> None:
    fault_server.serve(MANAGEMENT + "/Facilities", json_answer([]))
    fault_server.plan(slow(0.3), "/Facilities")
    phases = {each.name: each.seconds for each in (await call(fault_server, get())).phases}
    assert phases["first byte"] > 0.25
    assert max(phases, key=lambda name: phases[name]) == "first byte"


async def test_query_and_headers_go_as_they_are(fault_server: FaultServer) -> None:
    fault_server.serve(MANAGEMENT + "/Facilities", json_answer([]))
    request = get(query=(("ZipCode", "A&B c"), ("ZipCode", "é")), headers=(("X-Kind", "k"),), accept="application/xml")
    await call(fault_server, request)
    [seen] = fault_server.seen("/Facilities")
    assert seen.headers["x-kind"] == "k"
    assert seen.headers["accept"] == "application/xml"
    root = fault_server.origin + MANAGEMENT
    assert address_of(root, request) == fault_server.origin + seen.target


@pytest.mark.parametrize("status", [302, 400, 403, 404, 429, 500, 503])
async def test_a_refusal_is_an_answer_too(fault_server: FaultServer, status: int) -> None:
    body = json.dumps({"title": "No such thing"}).encode()
    fault_server.plan(answered(Answer(status, body, "application/problem+json")), QUOTE)
    answer = await call(fault_server, post())
    assert (answer.status, answer.body) == (status, body)
    assert answer.sentence
    assert answer.may_have_acted == (status in {302, 500, 503})
    assert len(fault_server.seen(QUOTE)) == 1


@pytest.mark.parametrize("writes", [True, False])
async def test_no_answer_is_said_and_nothing_is_sent_again(fault_server: FaultServer, writes: bool) -> None:
    fault_server.serve(MANAGEMENT + QUOTE, json_answer({}))
    fault_server.serve(MANAGEMENT + "/Facilities", json_answer([]))
    request = post() if writes else get()
    fault_server.plan(act_then_drop(), request.path, times=None)
    answer = await call(fault_server, request)
    assert (answer.status, answer.may_have_acted) == (0, writes)
    assert answer.sentence.endswith(".")
    assert len(fault_server.seen(request.path)) == 1


async def test_a_provider_that_is_not_there(fault_server: FaultServer) -> None:
    fault_server.plan(drop_unread(), "/connect/token", times=None)
    answer = await call(fault_server, post())
    assert (answer.status, answer.may_have_acted) == (0, False)
    assert fault_server.seen(QUOTE) == []


async def test_what_came_of_a_broken_answer_is_shown(fault_server: FaultServer) -> None:
    fault_server.serve(MANAGEMENT + "/Facilities", json_answer(["x" * 100]))
    fault_server.plan(truncated(10), "/Facilities")
    answer = await call(fault_server, get())
    assert (answer.status, len(answer.body)) == (200, 10)
    assert "broke off" in answer.sentence


async def test_a_long_answer_is_cut_and_that_is_said(fault_server: FaultServer) -> None:
    fault_server.serve(MANAGEMENT + "/Facilities", Answer(200, b"x" * 100_000, "text/plain"))
    answer = await call(fault_server, get(), cap=10 * 1024)
    assert (answer.cut, len(answer.body)) == (True, 10 * 1024)
    assert "10 KiB" in answer.sentence


async def test_a_refused_token_is_renewed_once(fault_server: FaultServer) -> None:
    fault_server.serve(MANAGEMENT + QUOTE, json_answer({}))
    async with provider_of(fault_server) as provider:
        await provider.raw.call(post())
        fault_server.tokens.revoke()
        assert (await provider.raw.call(post())).status == 200
        fault_server.plan_by(lambda seen: answered(Answer(401)) if seen.path.endswith(QUOTE) else None)
        answer = await provider.raw.call(post())
    assert (answer.status, answer.may_have_acted) == (401, False)


async def test_an_answer_is_kept_without_token_and_secret(fault_server: FaultServer) -> None:
    tokens = fault_server.tokens
    tokens.issued = 12_345  # tokens of a length that says something

    def repeat(seen: Seen) -> Answer:
        words = {"token": seen.headers["authorization"], "secret": tokens.client_secret}
        headers = (("X-Seen", seen.headers["authorization"]), ("Set-Cookie", "s=1"))
        return Answer(200, json.dumps(words).encode(), headers=headers)

    fault_server.serve(MANAGEMENT + "/Facilities", repeat)
    async with provider_of(fault_server) as provider:
        answer = await provider.raw.call(get())
        assert provider.raw.reveals(f"see {tokens.client_secret}")
        assert provider.raw.reveals("token-12346")
        assert not provider.raw.reveals("no secret")
    kept = answer.body + repr(answer.headers).encode()
    assert b"token-12346" not in kept
    assert tokens.client_secret.encode() not in kept
    assert answer.hidden == 4
    assert b"s=1" not in kept


async def test_only_paths_are_called(fault_server: FaultServer) -> None:
    async with provider_of(fault_server) as provider:
        for path in ("@example.com/", "example.com", ""):
            with pytest.raises(BadAddress):
                await provider.raw.call(get(path))
        fault_server.serve(INFORMATION + "/orders/open", json_answer([]))
        assert (await provider.raw.call(RawRequest("information", "GET", "/orders/open"))).status == 200
    assert provider.raw.root("management") == fault_server.origin + MANAGEMENT


async def test_a_call_can_be_stopped(fault_server: FaultServer) -> None:
    gate = fault_server.gate()
    fault_server.plan(held(before=gate), QUOTE)

    async def made(provider: Provider) -> RawAnswer:
        return await provider.raw.call(post())

    async with provider_of(fault_server) as provider, asyncio.TaskGroup() as group:
        task = group.create_task(made(provider))
        await fault_server.until(1, QUOTE)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    gate.release()
    await fault_server.until_connections(0)

"""One token for any number of calls, renewed once, shown to its own origins only."""

import asyncio
from collections.abc import Callable

import httpx2
import pytest

from app.api.auth import MOST_REFUSALS, REFUSALS_S, ProviderAuth
from app.api.errors import (
    ApiError,
    BrokenReply,
    Busy,
    Closing,
    NotAuthorised,
    NoToken,
    NotSent,
    SentUnknown,
    ServerFault,
)
from app.api.provider import Addresses, Credentials, Provider, open_provider
from app.contract.codes import ALL_SCOPES, SCOPE_INFO_ORDERS
from tests.api.conftest import QUICK, SHORT, Open, order
from tests.support.fault_server import FaultServer
from tests.support.faults import Answer, Fault, answered, drop_before, held, json_answer

pytestmark = pytest.mark.asyncio
TOKEN, STATUS = "/connect/token", "/Order/status"


async def ask(provider: Provider) -> None:
    await provider.management.order_status(reference="none")


async def test_a_token_is_asked_for_as_services_md_says(fault_server: FaultServer, open_on: Open) -> None:
    async with open_on(fault_server) as provider:
        await ask(provider)
        assert provider.auth.granted == frozenset(ALL_SCOPES)
    (seen,) = fault_server.seen(TOKEN)
    assert seen.headers["content-type"] == "application/x-www-form-urlencoded"
    form = dict(httpx2.QueryParams(seen.body.decode()))
    assert form == {
        "grant_type": "client_credentials",
        "scope": " ".join(ALL_SCOPES),
        "client_id": "desk-client",
        "client_secret": "desk-secret",
        "response_type": "token",
    }
    assert "authorization" not in seen.headers


async def test_many_calls_wait_for_one_token(fault_server: FaultServer, open_on: Open) -> None:
    gate = fault_server.gate()
    fault_server.plan(held(before=gate), TOKEN)
    async with open_on(fault_server) as provider:
        calls = [asyncio.create_task(ask(provider)) for _ in range(50)]
        await fault_server.until(1, TOKEN)
        gate.release()
        await asyncio.gather(*calls)
    assert (len(fault_server.seen(TOKEN)), len(fault_server.seen(STATUS))) == (1, 50)


async def test_calls_that_stop_waiting_leave_the_token_to_the_others(fault_server: FaultServer, open_on: Open) -> None:
    gate = fault_server.gate()
    fault_server.plan(held(before=gate), TOKEN)
    async with open_on(fault_server) as provider:
        calls = [asyncio.create_task(ask(provider)) for _ in range(9)]
        await fault_server.until(1, TOKEN)
        for call in calls[:-1]:
            call.cancel()
        await asyncio.wait(calls[:-1])
        assert all(call.cancelled() for call in calls[:-1])
        gate.release()
        await calls[-1]
    assert (len(fault_server.seen(TOKEN)), len(fault_server.seen(STATUS))) == (1, 1)


async def test_a_token_that_nobody_waits_for_any_more_is_still_kept(fault_server: FaultServer, open_on: Open) -> None:
    gate = fault_server.gate()
    fault_server.plan(held(before=gate), TOKEN)
    async with open_on(fault_server) as provider:
        call = asyncio.create_task(ask(provider))
        await fault_server.until(1, TOKEN)
        call.cancel()
        await asyncio.wait([call])
        gate.release()
        await ask(provider)
    assert len(fault_server.seen(TOKEN)) == 1


async def test_a_token_that_fails_with_nobody_waiting_says_nothing(fault_server: FaultServer, open_on: Open) -> None:
    """The log is watched by every test: an exception that nobody took would be said there."""
    gate = fault_server.gate()
    fault_server.plan(Fault(before=gate, act=False, answer=Answer(500)), TOKEN)
    async with open_on(fault_server) as provider:
        call = asyncio.create_task(ask(provider))
        await fault_server.until(1, TOKEN)
        call.cancel()
        await asyncio.wait([call])
        gate.release()
        await fault_server.until_connections(0)
        await ask(provider)


async def test_200_calls_meet_a_401_together(fault_server: FaultServer, open_on: Open) -> None:
    """F11: all are on the wire with the old token when it is refused; one new token, one more try each."""
    async with open_on(fault_server, connections=200) as provider:
        await ask(provider)
        gate = fault_server.gate()
        fault_server.plan(Fault(before=gate), STATUS, times=200)
        calls = [asyncio.create_task(ask(provider)) for _ in range(200)]
        await fault_server.until(201, STATUS)
        fault_server.tokens.revoke()
        gate.release()
        await asyncio.gather(*calls)
    used = [each.headers["authorization"] for each in fault_server.seen(STATUS)]
    assert (used.count("Bearer token-1"), used.count("Bearer token-2"), len(used)) == (201, 200, 401)
    assert fault_server.tokens.issued == 2


async def test_a_401_for_good_is_a_clear_answer_after_one_retry(fault_server: FaultServer, open_on: Open) -> None:
    fault_server.plan(answered(Answer(401)), STATUS, times=None)
    async with open_on(fault_server, connections=200) as provider:
        ends = await asyncio.gather(*(ask(provider) for _ in range(200)), return_exceptions=True)
    assert {type(each) for each in ends} == {NotAuthorised}
    assert len(fault_server.seen(STATUS)) == 400
    assert fault_server.tokens.issued == 2


async def test_calls_that_are_refused_for_good_ask_for_a_few_tokens_a_minute(
    fault_server: FaultServer, open_on: Open
) -> None:
    """However many calls there are, one after the other or together; and once they are let in, all go on at once."""
    clock = Clock()
    fault_server.plan_by(lambda seen: answered(Answer(401)) if seen.path.endswith(STATUS) else None)
    async with open_on(fault_server) as provider:
        provider.auth._clock = clock
        for minute in range(1, 4):
            for _ in range(30):
                with pytest.raises(NotAuthorised):
                    await ask(provider)
            assert fault_server.tokens.issued == 1 + minute * MOST_REFUSALS
            clock.now += REFUSALS_S
        fault_server.plan_by(None)
        await ask(provider)
        assert fault_server.tokens.issued == 1 + 3 * MOST_REFUSALS, "the token that is held is good again"
        fault_server.tokens.revoke()
        await ask(provider)


async def test_tokens_that_end_early_are_renewed_however_often(fault_server: FaultServer, open_on: Open) -> None:
    """Nobody is refused for good there: the new token is taken."""
    async with open_on(fault_server) as provider:
        for _ in range(3 * MOST_REFUSALS):
            await ask(provider)
            fault_server.tokens.revoke()
        await ask(provider)
    assert fault_server.tokens.issued == 1 + 3 * MOST_REFUSALS


@pytest.mark.parametrize("status", [400, 401, 403])
async def test_a_token_service_that_refuses_for_good_is_asked_a_few_times_a_minute(
    fault_server: FaultServer, open_on: Open, status: int
) -> None:
    clock = Clock()
    fault_server.plan_by(lambda seen: answered(Answer(status)) if seen.path == TOKEN else None)
    async with open_on(fault_server) as provider:
        provider.auth._clock = clock
        said = set()
        for minute in range(1, 3):
            for _ in range(20):
                with pytest.raises(NotAuthorised) as caught:
                    await ask(provider)
                said.add(caught.value.sentence)
            assert len(fault_server.seen(TOKEN)) == minute * MOST_REFUSALS
            clock.now += REFUSALS_S
        assert len(said) == 1, "what it answered last is the answer"
        fault_server.plan_by(None)
        await ask(provider)


async def test_a_person_is_not_answered_with_an_earlier_refusal(fault_server: FaultServer, open_on: Open) -> None:
    fault_server.plan_by(lambda seen: answered(Answer(401)) if seen.path == TOKEN else None)
    async with open_on(fault_server) as provider:
        for _ in range(MOST_REFUSALS + 1):
            with pytest.raises(NotAuthorised):
                await ask(provider)
        fault_server.plan_by(None)
        with pytest.raises(NotAuthorised):
            await ask(provider)
        provider.auth.ask_once_more()
        await ask(provider)


async def test_a_token_service_that_asks_to_be_left_alone_is(fault_server: FaultServer, open_on: Open) -> None:
    clock = Clock()
    fault_server.plan(answered(Answer(429, headers=(("Retry-After", "90"),))), TOKEN)
    async with open_on(fault_server) as provider:
        provider.auth._clock = clock
        for passed, words in ((0.0, "wait 90 s"), (30.0, "wait 60 s"), (59.0, "wait 1 s")):
            clock.now += passed
            with pytest.raises(NoToken, match=words) as caught:
                await provider.management.submit_order(order("R-1"))
            assert isinstance(caught.value.reason, Busy)
        assert len(fault_server.seen(TOKEN)) == 1
        clock.now += 1.0
        await provider.management.submit_order(order("R-1"))
        assert len(fault_server.seen(TOKEN)) == 2


async def test_a_late_401_for_an_old_token_uses_the_new_one(fault_server: FaultServer, open_on: Open) -> None:
    async with open_on(fault_server) as provider:
        await ask(provider)
        gate = fault_server.gate()
        fault_server.plan(held(before=gate), STATUS)
        late = asyncio.create_task(ask(provider))
        await fault_server.until(2, STATUS)
        fault_server.tokens.revoke()
        await ask(provider)
        gate.release()
        await late
    assert fault_server.tokens.issued == 2


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("life", "usable"), [(3600.0, 3540.0), (120.0, 60.0), (119.0, 59.5), (10.0, 5.0), (0.0, 60.0), (-5.0, 60.0)]
)
async def test_a_token_is_used_until_its_margin(fault_server: FaultServer, life: float, usable: float) -> None:
    fault_server.tokens.life = life
    clock = Clock()
    async with httpx2.AsyncClient(trust_env=False) as client:
        auth = ProviderAuth(
            client,
            fault_server.origin + TOKEN,
            Credentials("desk-client", "desk-secret"),
            frozenset({("http", "127.0.0.1", fault_server.port)}),
            scopes=ALL_SCOPES,
            seconds=5.0,
            clock=clock,
        )
        address = f"{fault_server.origin}/OrderManagementApi{STATUS}"
        for moment, issued in ((0.0, 1), (usable - 0.01, 1), (usable, 2), (2 * usable - 0.01, 2)):
            clock.now = 1_000.0 + moment
            await client.get(address, auth=auth)
            assert fault_server.tokens.issued == issued
        await auth.aclose()


@pytest.mark.parametrize("scope", [{"scope": "a b"}, {"scopes": ["a", "b"]}, {"scope": ["b", "a"]}, {"scopes": "b a"}])
async def test_what_is_granted_is_read_in_each_form(
    fault_server: FaultServer, open_on: Open, scope: dict[str, object]
) -> None:
    fault_server.plan(answered(json_answer({"access_token": "t", "expires_in": "300", **scope})), TOKEN)
    async with open_on(fault_server) as provider:
        grant = await provider.auth.request_token()
    assert (grant.scopes, grant.seconds) == (frozenset({"a", "b"}), 300.0)


async def test_a_grant_that_is_not_said_is_none(fault_server: FaultServer, open_on: Open) -> None:
    fault_server.plan(answered(json_answer({"access_token": "t", "expires_in": 300})), TOKEN)
    async with open_on(fault_server) as provider:
        assert (await provider.auth.request_token((SCOPE_INFO_ORDERS,))).scopes is None
    assert b"scope=order_information_api%3Aorders&" in fault_server.seen(TOKEN)[0].body


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        (answered(json_answer({"error": "invalid_client"}, 400)), NotAuthorised, "this client id with this secret"),
        (answered(Answer(401)), NotAuthorised, "this client id with this secret"),
        (answered(json_answer({"error": "invalid_scope"}, 400)), NotAuthorised, "does not grant it what was asked"),
        (answered(json_answer({"error": "x" * 500}, 400)), NotAuthorised, "refused to grant access"),
        (answered(json_answer({"error": ["odd"]}, 400)), NotAuthorised, "refused to grant access"),
        (answered(Answer(400, b"<html>", "text/html")), NotAuthorised, "refused to grant access"),
        (answered(Answer(404)), BrokenReply, "not as a token service"),
        (answered(Answer(302, headers=(("Location", "/x"),))), BrokenReply, "not as a token service"),
        (answered(Answer(200, b"<html>Hello</html>", "text/html")), BrokenReply, "not as a token service"),
        (answered(json_answer({"access_token": "two words"})), BrokenReply, "not as a token service"),
        (answered(json_answer({"access_token": ""})), BrokenReply, "not as a token service"),
        (answered(json_answer(["token"])), BrokenReply, "not as a token service"),
        (answered(json_answer({}, 429, retry_after="9")), Busy, "asks to wait 9 s"),
        (answered(Answer(500)), ServerFault, "failed"),
        (drop_before(), SentUnknown, "without an answer"),
    ],
    ids=str,
)
async def test_the_troubles_of_a_token_are_told_apart(
    fault_server: FaultServer, open_on: Open, fault: Fault, kind: type[ApiError], words: str
) -> None:
    fault_server.plan(fault, TOKEN)
    async with open_on(fault_server) as provider:
        with pytest.raises(kind, match=words) as caught:
            await provider.auth.request_token()
    assert len(caught.value.sentence) < 400


async def test_wrong_secret_wrong_address_and_wrong_scope_are_three_things(
    fault_server: FaultServer, open_on: Open
) -> None:
    async with open_on(fault_server, secret="guess") as provider:
        with pytest.raises(NotAuthorised) as wrong_secret:
            await provider.auth.request_token()
    fault_server.plan(answered(json_answer({"error": "invalid_scope"}, 400)), TOKEN)
    async with open_on(fault_server) as provider:
        with pytest.raises(NotAuthorised) as wrong_scope:
            await provider.auth.request_token()
    addresses = Addresses(**{**fault_server.addresses, "auth_url": "http://127.0.0.1:1"})
    async with open_on(fault_server, addresses=addresses) as provider:
        with pytest.raises(NotSent, match="could not be reached") as wrong_address:
            await provider.auth.request_token()
    assert (wrong_secret.value.code, wrong_scope.value.code) == ("invalid_client", "invalid_scope")
    assert len({each.value.sentence for each in (wrong_secret, wrong_scope, wrong_address)}) == 3


async def test_a_read_tries_a_busy_token_service_again_and_no_other(fault_server: FaultServer, open_on: Open) -> None:
    fault_server.plan(answered(Answer(503)), TOKEN)
    fault_server.plan(drop_before(), TOKEN)
    async with open_on(fault_server) as provider:
        await ask(provider)
        assert len(fault_server.seen(TOKEN)) == 3
    fault_server.plan(answered(Answer(404)), TOKEN, times=None)
    async with open_on(fault_server) as provider:
        with pytest.raises(NoToken) as caught:
            await ask(provider)
    assert isinstance(caught.value.reason, BrokenReply)
    assert len(fault_server.seen(TOKEN)) == 4


async def test_a_token_service_that_says_nothing_is_left_in_time(fault_server: FaultServer, open_on: Open) -> None:
    gate = fault_server.gate()
    fault_server.plan(held(before=gate), TOKEN)
    async with open_on(fault_server, deadlines=SHORT) as provider, asyncio.timeout(10):
        with pytest.raises(NoToken):
            await provider.management.submit_order(order("R-1"))
    gate.release()
    assert fault_server.book.all() == []


async def test_closing_ends_a_token_request_under_way(fault_server: FaultServer, open_on: Open) -> None:
    gate = fault_server.gate()
    fault_server.plan(held(before=gate), TOKEN)
    provider = open_on(fault_server)
    call = asyncio.create_task(provider.management.submit_order(order("R-1")))
    await fault_server.until(1, TOKEN)
    async with asyncio.timeout(5):
        await provider.aclose()
        with pytest.raises(Closing, match="closing"):
            await call
    gate.release()


async def test_the_token_of_two_services_on_two_hosts_goes_to_both(
    fault_servers: Callable[[], FaultServer],
) -> None:
    one, two = fault_servers(), fault_servers()
    two.check_tokens = False
    two.serve("/OrderInformationApi/overage", json_answer([]))
    addresses = Addresses(one.origin, two.addresses["info_base_url"], one.origin)
    credentials = Credentials("desk-client", "desk-secret")
    async with open_provider(addresses, credentials, deadlines=QUICK) as provider:
        await ask(provider)
        await provider.information.overage("L")
    assert one.tokens.issued == 1
    assert two.seen("/overage")[0].headers["authorization"] == "Bearer token-1"

"""The capability card: what a connection test finds at the practice service's clients, and at wrong places."""

import socket
from dataclasses import replace
from datetime import datetime
from urllib.parse import parse_qs

import pytest

from app.api.errors import BadAddress
from app.api.provider import Addresses, Credentials
from app.contract.codes import (
    ALL_SCOPES,
    SCOPE_INFO_AUDITS,
    SCOPE_INFO_ORDERS,
    SCOPE_INTEGRATION,
    SCOPE_ORDERS,
    SCOPE_QUOTES,
)
from app.desk.connections.connection import CapabilityCard, connect, examine
from app.desk.connections.connections_words import PURPOSES
from tests.support.desks import practice_profile, profile_of
from tests.support.fault_server import INFORMATION, MANAGEMENT, TOKEN, Answer, FaultServer
from tests.support.faults import answered, json_answer
from tests.support.practice_process import PracticeFactory, PracticeProcess

pytestmark = pytest.mark.asyncio
AT = datetime(2026, 11, 20, 14, 2, 10)
SECRET = "canary-secret"


def now() -> datetime:
    return AT


@pytest.fixture
def free_port() -> int:
    """A port on which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


async def card_of(facts: dict[str, str], who: str = "", **changed: str) -> CapabilityCard:
    places = Addresses(facts["base_url"], facts["info_base_url"], facts["auth_url"])
    secret = changed.pop("client_secret", facts[f"{who}client_secret"])
    client = changed.pop("client_id", facts[f"{who}client_id"])
    return await examine(replace(places, **changed), Credentials(client, secret), now)


def allowed(card: CapabilityCard) -> dict[str, bool | None]:
    return {each.scope: each.allowed for each in card.abilities}


async def test_the_main_client_may_do_everything(practice: PracticeProcess) -> None:
    card = await card_of(practice.facts)
    assert card.connected
    assert allowed(card) == dict.fromkeys(PURPOSES, True)
    assert all(each.sentence == "Granted and tried." for each in card.abilities)
    assert set(card.scopes) == set(ALL_SCOPES)
    assert (card.at, card.token_seconds) == (AT, 3600.0)


@pytest.mark.parametrize("switch", ["", "scopes-narrowed", "scopes-list", "scopes-absent", "token-error-plain"])
async def test_the_limited_client_sees_orders_and_is_told_what_else_it_lacks(
    practice_factory: PracticeFactory, switch: str
) -> None:
    """However the token service says no: refusing the whole request, or granting less than was asked for."""
    arguments = ("--orders", "5", "--audits", "2", *(("--switch", switch) if switch else ()))
    card = await card_of(practice_factory(*arguments).facts, "limited_")
    if switch == "token-error-plain":
        assert card.trouble  # an error without its code: nothing tells which of id, secret and scope was refused
        return
    assert allowed(card) == {scope: scope == SCOPE_INFO_ORDERS for scope in PURPOSES}
    assert card.scopes == (SCOPE_INFO_ORDERS,)
    sentences = {each.scope: each.sentence for each in card.abilities}
    assert "can be written here but not sent" in sentences[SCOPE_ORDERS]
    assert "Audits cannot be shown" in sentences[SCOPE_INFO_AUDITS]


@pytest.mark.parametrize(
    "changed", [{"client_secret": SECRET}, {"client_id": "nobody"}], ids=["wrong secret", "wrong id"]
)
async def test_wrong_credentials_are_said_and_the_secret_is_not(
    practice: PracticeProcess, changed: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    card = await card_of(practice.facts, **changed)
    assert not card.connected
    assert set(card.wrong) == {"client_secret"}
    assert "id or secret" in card.trouble or "secret" in card.trouble
    assert card.abilities == ()
    assert card.scopes == ()
    assert SECRET not in card.trouble + caplog.text + repr(card)


async def test_an_authorisation_address_where_nobody_listens(practice: PracticeProcess, free_port: int) -> None:
    card = await card_of(practice.facts, auth_url=f"http://127.0.0.1:{free_port}")
    assert set(card.wrong) == {"auth_url"}
    assert "could not be reached: nothing listens at that address" in card.trouble


async def test_a_host_that_does_not_exist(practice: PracticeProcess) -> None:
    card = await card_of(practice.facts, auth_url="https://provider.invalid")
    assert set(card.wrong) == {"auth_url"}
    assert "provider.invalid" in card.trouble


@pytest.mark.parametrize("field", ["base_url", "info_base_url", "auth_url"])
@pytest.mark.parametrize("address", ["ftp://x", "provider.example", "https://", "https://a b", "https://u@h"])
async def test_an_address_that_is_none_names_its_field(practice: PracticeProcess, field: str, address: str) -> None:
    card = await card_of(practice.facts, **{field: address})
    assert set(card.wrong) == {field}
    assert not card.connected


@pytest.mark.parametrize(
    "answer",
    [
        Answer(200, b"<html>Welcome</html>", "text/html"),
        Answer(404),
        Answer(500),
        Answer(302, headers=(("Location", "/login"),)),
        json_answer({"token": "x"}),
        Answer(200),
    ],
    ids=["page", "404", "500", "redirect", "no token", "empty"],
)
async def test_something_that_is_no_token_service(fault_server: FaultServer, answer: Answer) -> None:
    fault_server.plan(answered(answer), TOKEN, times=None)
    card = await examine(Addresses(**fault_server.addresses), Credentials("desk-client", SECRET), now)
    assert not card.connected
    assert card.trouble
    assert card.wrong == {"auth_url": card.trouble}


async def test_a_service_that_is_elsewhere_is_unknown_not_refused(practice: PracticeProcess, free_port: int) -> None:
    """Nobody said no: the scope stays asked for, and the card says what could not be tried."""
    card = await card_of(practice.facts, base_url=f"http://127.0.0.1:{free_port}")
    assert set(card.wrong) == {"base_url"}
    assert "could not be reached: nothing listens" in card.wrong["base_url"]
    assert (card.connected, card.works) == (True, False)
    found = allowed(card)
    assert (found[SCOPE_ORDERS], found[SCOPE_QUOTES], found[SCOPE_INTEGRATION]) == (None, None, None)
    assert (found[SCOPE_INFO_ORDERS], found[SCOPE_INFO_AUDITS]) == (True, True)
    assert "could not be tried" in next(each for each in card.abilities if each.allowed is None).sentence
    assert set(card.scopes) == set(ALL_SCOPES)


async def test_every_address_is_tried_also_without_a_token(practice: PracticeProcess, free_port: int) -> None:
    nowhere = f"http://127.0.0.1:{free_port}"
    card = await card_of(practice.facts, base_url=nowhere, info_base_url=f"{nowhere}/x", auth_url=nowhere)
    assert set(card.wrong) == {"base_url", "info_base_url", "auth_url"}
    card = await card_of(practice.facts, client_secret=SECRET, info_base_url=nowhere)
    assert set(card.wrong) == {"client_secret", "info_base_url"}
    malformed = await card_of(practice.facts, base_url="a", info_base_url="b")
    assert set(malformed.wrong) == {"base_url", "info_base_url"}


async def test_an_address_of_which_nothing_is_granted_is_tried_too(practice: PracticeProcess, free_port: int) -> None:
    card = await card_of(practice.facts, "limited_", base_url=f"http://127.0.0.1:{free_port}")
    assert set(card.wrong) == {"base_url"}


async def test_an_address_without_its_last_part_is_not_the_service(practice: PracticeProcess) -> None:
    """The commonest slip: the information address without /OrderInformationApi."""
    card = await card_of(practice.facts, info_base_url=practice.facts["base_url"])
    assert card.wrong == {
        "info_base_url": "What answers there is not the order information service: check the address."
    }


@pytest.mark.parametrize("answer", [Answer(503), Answer(500), Answer(403)], ids=["503", "500", "403"])
async def test_a_service_that_fails_or_refuses_is_in_its_place(fault_server: FaultServer, answer: Answer) -> None:
    for path in ("/Order/test", "/Quote/test", "/Integration/crossReference"):
        fault_server.serve(f"{MANAGEMENT}{path}", answer)
    fault_server.serve(f"{INFORMATION}/audit", json_answer([]))
    card = await examine(Addresses(**fault_server.addresses), Credentials("desk-client", "desk-secret"), now)
    assert card.works
    assert card.complete == (answer.status == 403)


async def test_a_service_that_does_not_know_the_token_is_another_one(fault_server: FaultServer) -> None:
    for path in ("/Order/test", "/Quote/test", "/Integration/crossReference"):
        fault_server.serve(f"{MANAGEMENT}{path}", Answer(401))
    fault_server.serve(f"{INFORMATION}/audit", json_answer([]))
    card = await examine(Addresses(**fault_server.addresses), Credentials("desk-client", "desk-secret"), now)
    assert card.wrong == {
        "base_url": "The service there does not accept the access that was just granted: check the address."
    }


async def test_granted_is_not_called_allowed_when_its_use_is_refused(fault_server: FaultServer) -> None:
    fault_server.serve(f"{MANAGEMENT}/Order/test", Answer())
    fault_server.serve(f"{MANAGEMENT}/Quote/test", Answer(403))
    fault_server.serve(f"{MANAGEMENT}/Integration/crossReference", json_answer([]))
    fault_server.serve(f"{INFORMATION}/audit", json_answer([]))
    card = await examine(Addresses(**fault_server.addresses), Credentials("desk-client", "desk-secret"), now)
    assert card.complete
    assert allowed(card) == {scope: scope != SCOPE_QUOTES for scope in PURPOSES}
    refused = next(each for each in card.abilities if each.scope == SCOPE_QUOTES)
    assert refused.sentence == "Granted, but refused when used. Quotes cannot be sent."
    assert SCOPE_QUOTES not in card.scopes


async def test_a_client_that_is_granted_nothing(fault_server: FaultServer) -> None:
    token = json_answer({"access_token": "t", "expires_in": 60, "token_type": "Bearer", "scope": "other"})
    fault_server.plan(answered(token), TOKEN, times=None)
    card = await examine(Addresses(**fault_server.addresses), Credentials("desk-client", "desk-secret"), now)
    assert card.trouble == "The provider grants this client none of the five permissions."
    assert not card.connected


async def test_the_test_changes_nothing_at_the_provider(fault_server: FaultServer) -> None:
    await examine(Addresses(**fault_server.addresses), Credentials("desk-client", "desk-secret"), now)
    posts = {each.path for each in fault_server.seen(method="POST")}
    assert posts == {TOKEN}


async def test_connect_asks_for_what_was_granted_and_sends_nothing_yet(fault_server: FaultServer) -> None:
    fault_server.serve(f"{INFORMATION}/audit", json_answer([]))
    profile = replace(profile_of(fault_server), scopes=(SCOPE_INFO_ORDERS,))
    async with connect(profile, "desk-secret") as provider:
        assert fault_server.seen() == []
        await provider.information.audits(AT, AT).all()
    assert scopes_asked_for(fault_server) == {SCOPE_INFO_ORDERS}
    async with connect(profile_of(fault_server), "desk-secret") as provider:
        await provider.information.audits(AT, AT).all()
    assert scopes_asked_for(fault_server) == set(ALL_SCOPES)


def scopes_asked_for(server: FaultServer) -> set[str]:
    """Those of the latest token request."""
    return set(parse_qs(server.seen(TOKEN)[-1].body.decode())["scope"][0].split())


async def test_connect_refuses_an_address_that_is_none(practice: PracticeProcess) -> None:
    with pytest.raises(BadAddress):
        connect(replace(practice_profile(practice.facts), base_url="nowhere"), "secret")

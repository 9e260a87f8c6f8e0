"""Tokens: the request, the reply, and the answer to a call without a good token."""

import pytest

from app.contract.codes import ALL_SCOPES, SCOPE_INFO_ORDERS, SCOPE_ORDERS
from tests.support.practice_calls import INFORMATION, MANAGEMENT, Caller
from tests.support.practice_process import PracticeFactory, PracticeProcess

ALIVE = f"{MANAGEMENT}/Order/test"


def test_a_token_says_what_it_is(caller: Caller) -> None:
    reply = caller.ask_token(scope=f"{SCOPE_ORDERS} {SCOPE_INFO_ORDERS}")
    assert (reply.status, reply.kind) == (200, "application/json")
    record = reply.json()
    assert record.keys() == {"access_token", "expires_in", "token_type", "scope"}
    assert (record["expires_in"], record["token_type"]) == (3600, "Bearer")
    assert set(record["scope"].split()) == {SCOPE_ORDERS, SCOPE_INFO_ORDERS}


def test_no_scope_asks_for_all_of_the_clients(caller: Caller, practice: PracticeProcess) -> None:
    assert set(caller.ask_token().json()["scope"].split()) == set(ALL_SCOPES)
    limited = Caller(practice.facts, "limited_")
    assert limited.ask_token().json()["scope"] == SCOPE_INFO_ORDERS


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"client_secret": "wrong"}, 401, "invalid_client"),
        ({"client_secret": None}, 401, "invalid_client"),
        ({"client_id": "nobody"}, 401, "invalid_client"),
        ({"grant_type": "password"}, 400, "unsupported_grant_type"),
        ({"grant_type": None}, 400, "unsupported_grant_type"),
        ({"response_type": None}, 400, "invalid_request"),
        ({"scope": "order_management_api:everything"}, 400, "invalid_scope"),
    ],
)
def test_a_wrong_request_is_refused_with_an_oauth_error(
    caller: Caller, fields: dict[str, str | None], status: int, code: str
) -> None:
    reply = caller.ask_token(**fields)
    assert (reply.status, reply.kind, reply.json()["error"]) == (status, "application/json", code)


def test_a_client_is_granted_no_more_than_it_may_have(practice: PracticeProcess) -> None:
    limited = Caller(practice.facts, "limited_")
    reply = limited.ask_token(scope=f"{SCOPE_INFO_ORDERS} {SCOPE_ORDERS}")
    assert (reply.status, reply.json()["error"]) == (400, "invalid_scope")


def test_a_token_request_must_be_a_form(caller: Caller) -> None:
    reply = caller.send("POST", caller.facts["token_url"], b"{}", {"Content-Type": "application/json"})
    assert (reply.status, reply.json()["error"]) == (400, "invalid_request")
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    assert caller.send("POST", caller.facts["token_url"], b"\xff%ff&=&&", form).status == 400
    assert caller.send("GET", caller.facts["token_url"]).status == 405


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer ", "Bearer nonsense", "Basic {}", "{}", "Token {}"])
@pytest.mark.parametrize("path", [ALIVE, f"{INFORMATION}/orders/open"])
def test_a_missing_or_wrong_token_is_a_401_without_a_body(caller: Caller, header: str | None, path: str) -> None:
    headers = {} if header is None else {"Authorization": header.format(caller.token())}
    reply = caller.send("GET", path, None, headers)
    assert (reply.status, reply.body) == (401, b"")


def test_an_expired_token_is_a_401(practice_factory: PracticeFactory) -> None:
    running = practice_factory("--token-life", "0")
    caller = Caller(running.facts)
    record = caller.ask_token().json()
    assert record["expires_in"] == 0
    reply = caller.send("GET", ALIVE, None, {"Authorization": f"Bearer {record['access_token']}"})
    assert (reply.status, reply.body) == (401, b"")


def test_a_restart_forgets_the_tokens(practice_factory: PracticeFactory, tmp_path: object) -> None:
    first = practice_factory()
    caller = Caller(first.facts)
    assert caller.get(ALIVE).status == 200
    other = Caller(practice_factory().facts, bearer=caller.bearer)
    assert other.get(ALIVE).status == 401

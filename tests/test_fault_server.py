"""The fault server itself, called with the standard library: what it promises to the tests that stand on it."""

import asyncio
import http.client
import json
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode

import pytest

from tests.support.fault_server import CANCELLED, COMPLETE, OPEN, FaultServer, start_fault_server
from tests.support.faults import (
    Answer,
    Fault,
    act_then_drop,
    answered,
    cut_head,
    drop_before,
    drop_unread,
    held,
    json_answer,
    malformed,
    slow,
    truncated,
)

SUBMIT, CANCEL = "/OrderManagementApi/Order/submit", "/OrderManagementApi/Order/cancel"


def call(server: FaultServer, method: str, target: str, body: object = None, token: str = "") -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        connection.request(method, target, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def take_token(server: FaultServer) -> str:
    form = {"client_id": server.tokens.client_id, "client_secret": server.tokens.client_secret, "scope": "a b"}
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request("POST", "/connect/token", urlencode(form))
    reply = json.loads(connection.getresponse().read())
    connection.close()
    assert reply["scope"] == "a b"
    return str(reply["access_token"])


def submit(server: FaultServer, reference: str, token: str) -> dict[str, object]:
    status, body = call(server, "POST", SUBMIT, {"orderReferenceNumber": reference}, token)
    assert status == 200
    reply: dict[str, object] = json.loads(body)
    return reply


def test_the_upsert_rule(fault_server: FaultServer) -> None:
    """An open order is updated; a closed one is left alone and a second order is made."""
    token = take_token(fault_server)
    first = submit(fault_server, "R", token)
    assert submit(fault_server, "R", token) == first
    assert len(fault_server.book.all("R")[0].versions) == 2
    fault_server.book.move("R", COMPLETE)
    second = submit(fault_server, "R", token)
    assert second["systemNumber"] != first["systemNumber"]
    assert [each.state for each in fault_server.book.all("R")] == [COMPLETE, OPEN]
    assert call(fault_server, "POST", CANCEL, {"orderReferenceNumber": "R"}, token)[0] == 200
    assert call(fault_server, "POST", CANCEL, {"orderReferenceNumber": "R"}, token)[0] == 404
    assert [each.state for each in fault_server.book.all("R")] == [COMPLETE, CANCELLED]


def test_status_prefers_the_open_order_and_else_tells_of_the_latest_closed_one(fault_server: FaultServer) -> None:
    token = take_token(fault_server)
    status = "/OrderManagementApi/Order/status?OrderReferenceNumber="
    assert call(fault_server, "GET", status + "A", token=token)[0] == 404
    submit(fault_server, "A", token)
    submit(fault_server, "B", token)
    fault_server.book.move("B", COMPLETE)
    assert json.loads(call(fault_server, "GET", status + "A", token=token)[1])["status"] == OPEN
    assert json.loads(call(fault_server, "GET", status + "none", token=token)[1])["orderReferenceNumber"] == "B"


def test_without_a_good_token_nothing_takes_effect(fault_server: FaultServer) -> None:
    token = take_token(fault_server)
    assert call(fault_server, "POST", SUBMIT, {"orderReferenceNumber": "R"})[0] == 401
    assert call(fault_server, "POST", SUBMIT, {"orderReferenceNumber": "R"}, "guess")[0] == 401
    fault_server.tokens.revoke()
    assert call(fault_server, "POST", SUBMIT, {"orderReferenceNumber": "R"}, token)[0] == 401
    assert fault_server.book.all() == []
    assert call(fault_server, "POST", "/connect/token", {"client_id": "x"})[0] == 400


def test_every_request_is_recorded_as_it_came(fault_server: FaultServer) -> None:
    call(fault_server, "POST", "/any%20where?a=1&b=%26", {"x": 1}, "t")
    (seen,) = fault_server.seen("/any where", method="POST")
    assert (seen.path, seen.query, seen.body) == ("/any where", {"a": "1", "b": "&"}, b'{"x": 1}')
    assert seen.headers["authorization"] == "Bearer t"
    assert fault_server.seen("/else") == fault_server.seen(method="GET") == []


@pytest.mark.parametrize(
    ("fault", "acts"),
    [
        (drop_unread(), False),
        (drop_before(), False),
        (drop_before().with_reset(), False),
        (act_then_drop(), True),
        (act_then_drop().with_reset(), True),
        (cut_head(8), True),
        (truncated(5), True),
        (malformed(b"nonsense\r\n\r\n"), True),
    ],
    ids=str,
)
def test_a_fault_ends_the_call_and_acts_or_not(fault_server: FaultServer, fault: Fault, acts: bool) -> None:
    token = take_token(fault_server)
    fault_server.plan(fault, SUBMIT)
    with pytest.raises((OSError, http.client.HTTPException)):
        call(fault_server, "POST", SUBMIT, {"orderReferenceNumber": "R"}, token)
    assert bool(fault_server.book.all("R")) == acts
    assert submit(fault_server, "R", token)["orderReferenceNumber"] == "R"


def test_an_answer_in_place_of_acting(fault_server: FaultServer) -> None:
    fault_server.plan(answered(json_answer({"a": 1}, 429, retry_after="3")), SUBMIT, times=2)
    token = take_token(fault_server)
    assert call(fault_server, "POST", SUBMIT, {}, token) == (429, b'{"a": 1}')
    assert call(fault_server, "POST", SUBMIT, {}, token)[0] == 429
    assert fault_server.book.all() == []


def test_plans_come_before_the_planner_and_go_by_path_and_method(fault_server: FaultServer) -> None:
    fault_server.plan_by(lambda seen: answered(Answer(418)))
    fault_server.plan(answered(Answer(500)), "/a", method="POST")
    assert [call(fault_server, "GET", "/a")[0], call(fault_server, "POST", "/a")[0]] == [418, 500]
    assert call(fault_server, "POST", "/a")[0] == 418
    fault_server.plan_by(None)
    assert call(fault_server, "GET", "/a")[0] == 404


def test_a_gate_swaps_the_order_of_two_calls(fault_server: FaultServer) -> None:
    """The first to come is the last to act: a late attempt overtaken by a newer edit."""
    token = take_token(fault_server)
    gate = fault_server.gate()
    fault_server.plan(held(before=gate), SUBMIT)
    with ThreadPoolExecutor() as pool:
        late = pool.submit(call, fault_server, "POST", SUBMIT, {"orderReferenceNumber": "R", "v": 1}, token)
        fault_server.wait_for(1, SUBMIT)
        call(fault_server, "POST", SUBMIT, {"orderReferenceNumber": "R", "v": 2}, token)
        gate.release()
        assert late.result(10)[0] == 200
    versions = [json.loads(each)["v"] for each in fault_server.book.all("R")[0].versions]
    assert versions == [2, 1]


def test_a_slow_answer_and_a_dripping_one_come_whole(fault_server: FaultServer) -> None:
    fault_server.serve("/a", Answer(200, b"0123456789"))
    fault_server.plan(slow(0.01), "/a")
    fault_server.plan(Fault(drip=(3, 0.001)), "/a")
    assert [call(fault_server, "GET", "/a")[1] for _ in range(2)] == [b"0123456789"] * 2


def test_connections_can_be_dropped_as_they_come(fault_server: FaultServer) -> None:
    fault_server.drop_connections(1)
    with pytest.raises((OSError, http.client.HTTPException)):
        call(fault_server, "GET", "/a")
    assert call(fault_server, "GET", "/a")[0] == 404
    assert len(fault_server.seen()) == 1


def test_a_condition_that_is_not_met_says_what_came(fault_server: FaultServer) -> None:
    with pytest.raises(AssertionError, match="0 of 1 requests for '/never'"):
        fault_server.wait_for(1, "/never", seconds=0.01)


def test_several_servers_know_nothing_of_each_other(fault_servers: Callable[[], FaultServer]) -> None:
    one, two = fault_servers(), fault_servers()
    call(one, "GET", "/a")
    assert (len(one.seen()), len(two.seen())) == (1, 0)


@pytest.mark.asyncio
async def test_a_coroutine_can_wait_without_stopping_its_loop(fault_server: FaultServer) -> None:
    waiting = asyncio.create_task(fault_server.until(1, "/a"))
    await asyncio.to_thread(call, fault_server, "GET", "/a")
    assert len(await waiting) == 1
    await fault_server.until_connections(0)


def test_a_connection_that_is_made_as_the_server_ends_is_closed() -> None:
    """An open one would be found by the collection after this test, which fails it then."""
    for _ in range(20):
        with start_fault_server() as server:
            held = socket.create_connection(("127.0.0.1", server.port))
        held.close()

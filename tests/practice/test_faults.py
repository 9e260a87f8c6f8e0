"""Faults: each does to a reply what its words say, before or after acting, and comes again from the same seed."""

import http.client
import time

import pytest

from tests.practice.conftest import fresh_reference, order
from tests.support.practice_calls import INFORMATION, MANAGEMENT, Caller
from tests.support.practice_process import PracticeFactory

SUBMIT, ALIVE = f"{MANAGEMENT}/Order/submit", f"{MANAGEMENT}/Order/test"
OPEN = f"{INFORMATION}/orders/open"
FAULTS = {
    *("latency", "rate-429", "rate-503", "error-500", "reset-before", "reset-after", "truncate", "malformed"),
    *("slow-body", "token-expire", "fault-on"),
}
CUT_OFF = (ConnectionResetError, http.client.IncompleteRead, http.client.RemoteDisconnected)


def held(caller: Caller, reference: str) -> int:
    """How many orders the service holds under a reference."""
    return len(caller.behind_the_counter(reference))


@pytest.mark.parametrize(("switch", "status"), [("rate-429", 429), ("rate-503", 503), ("error-500", 500)])
def test_a_refusal_comes_before_acting(owner: Caller, switch: str, status: int) -> None:
    owner.headers()
    for value, retry_after in ((1, None), ("1:3", "3")):
        owner.switch(**{switch.replace("-", "_"): value})
        reference = fresh_reference()
        reply = owner.post(SUBMIT, order(orderReferenceNumber=reference))
        assert (reply.status, reply.body, reply.headers.get("retry-after")) == (status, b"", retry_after)
        assert held(owner, reference) == 0


@pytest.mark.parametrize(("switch", "kept"), [("reset_before", 0), ("reset_after", 1)])
def test_a_reset_before_or_after_acting(owner: Caller, switch: str, kept: int) -> None:
    reference = fresh_reference()
    owner.switch(**{switch: 1})
    with pytest.raises(ConnectionResetError):
        owner.post(SUBMIT, order(orderReferenceNumber=reference))
    assert held(owner, reference) == kept


def test_a_truncated_reply_ends_in_the_middle_after_acting(owner: Caller) -> None:
    reference = fresh_reference()
    owner.switch(truncate=1)
    with pytest.raises(CUT_OFF):
        owner.post(SUBMIT, order(orderReferenceNumber=reference))
    assert held(owner, reference) == 1
    with pytest.raises(CUT_OFF):
        owner.get(OPEN)


def test_a_malformed_reply_is_whole_http_and_no_record(owner: Caller) -> None:
    owner.switch(malformed=1)
    for reply in (owner.post(SUBMIT, order()), owner.get(OPEN)):
        assert (reply.status, reply.kind) == (200, "application/json")
        with pytest.raises(ValueError, match=r"JSON|Expecting|delimiter|Unterminated|Invalid|Extra"):
            reply.json()
    assert not owner.get(OPEN, "text/xml").body.endswith(b">")


def test_a_slow_body_takes_its_time(owner: Caller) -> None:
    size = len(owner.get(f"{MANAGEMENT}/Facilities").body)
    owner.switch(slow_body=size * 4)
    began = time.monotonic()
    assert len(owner.get(f"{MANAGEMENT}/Facilities").body) == size
    assert time.monotonic() - began >= 0.24


def test_latency_comes_before_each_reply(owner: Caller) -> None:
    owner.headers()
    owner.switch(latency=150)
    began = time.monotonic()
    assert owner.get(ALIVE).status == 200
    assert time.monotonic() - began >= 0.15


def test_a_token_expires_before_its_time(owner: Caller) -> None:
    stale = owner.headers()
    assert owner.send("GET", ALIVE, None, stale).status == 200
    url = owner.facts["control_url"] + "switches"
    owner.switch(token_expire=1)
    assert owner.send("GET", ALIVE, None, stale).status == 401
    owner.bearer = ""
    assert owner.post(url, {"token-expire": None}).status == 200
    assert owner.send("GET", ALIVE, None, stale).status == 401
    assert owner.get(ALIVE).status == 200


def test_faults_can_be_kept_to_some_paths(owner: Caller) -> None:
    owner.switch(rate_503=1, fault_on="/order/submit")
    assert owner.get(ALIVE).status == 200
    assert owner.post(SUBMIT, order()).status == 503
    assert owner.ask_token().status == 200
    owner.switch(fault_on="connect/token")
    assert owner.ask_token().status == 503
    owner.switch(rate_503=None, reset_after=1)
    with pytest.raises(ConnectionResetError):
        owner.ask_token()


def test_without_a_path_the_token_endpoint_is_spared(owner: Caller) -> None:
    owner.switch(rate_503=1)
    assert owner.ask_token().status == 200
    assert owner.get(ALIVE).status == 503


def test_faults_come_again_from_the_same_seed(practice_factory: PracticeFactory) -> None:
    def story(seed: str) -> list[int]:
        running = practice_factory("--seed", seed, "--switch", "rate-429=0.3,error-500=0.3")
        caller = Caller(running.facts)
        return [caller.get(ALIVE).status for _ in range(60)]

    first = story("11")
    assert first == story("11")
    assert first != story("12")
    assert set(first) == {200, 429, 500}

"""Fixtures of the practice service's own tests: callers of its clients, and orders written by hand from services.md."""

import json
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.support.practice_calls import Caller
from tests.support.practice_process import SMALL, PracticeProcess, start_practice

DATA = Path(__file__).parent / "data"
Body = dict[str, Any]
_NUMBERS = count(1)


def data(name: str) -> bytes:
    """A file of test data."""
    return (DATA / name).read_bytes()


def fresh_reference() -> str:
    """A reference that no other test has used."""
    return f"TEST-{next(_NUMBERS):05}"


def order(name: str = "order_least.json", **changes: object) -> Body:
    """An order of the test data under a fresh reference; None leaves a field out."""
    body = {**json.loads(data(name)), "orderReferenceNumber": fresh_reference(), **changes}
    return {field: value for field, value in body.items() if value is not None}


@pytest.fixture
def caller(practice: PracticeProcess) -> Caller:
    """The main client of the shared service."""
    return Caller(practice.facts)


@pytest.fixture
def other(practice: PracticeProcess) -> Caller:
    """The second client of the shared service."""
    return Caller(practice.facts, "other_")


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PracticeProcess]:
    """A service of the module's own, whose clock and switches its tests may change; nothing waits in its queue."""
    running = start_practice(tmp_path_factory.mktemp("own"), *SMALL, "--switch", "import-queue=0")
    yield running
    running.stop()


@pytest.fixture
def owner(own: PracticeProcess) -> Iterator[Caller]:
    """The main client of the module's own service; the switches are put back as they were."""
    caller = Caller(own.facts)
    before = caller.get(own.facts["control_url"] + "switches").json()
    yield caller
    after = caller.get(own.facts["control_url"] + "switches").json()
    restored = dict.fromkeys(after) | before
    caller.switch(**{name.replace("-", "_"): value for name, value in restored.items()})


Submit = Callable[..., int]


@pytest.fixture
def submit(owner: Caller) -> Submit:
    """Submits an order to the module's own service and returns its system number."""

    def send(body: Body | None = None, **changes: object) -> int:
        reply = owner.post("/OrderManagementApi/Order/submit", body or order("order_least.json", **changes))
        assert reply.status == 200, reply.body
        return int(reply.json()["systemNumber"])

    return send

"""F3 in small: hundreds of writes meet every fault at random, and no claim about any of them is false."""

import asyncio
import json
import random
from dataclasses import replace

import pytest

from app.api.errors import ApiError
from app.api.provider import Provider
from tests.api.conftest import QUICK, Open, order
from tests.support.fault_server import FaultServer, Seen
from tests.support.faults import (
    Answer,
    Fault,
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

pytestmark = pytest.mark.asyncio
PATIENT = replace(QUICK, write=2.0)  # short enough to cut a drip, long enough for a busy machine

FATES: list[Fault | None] = [
    *[None] * 15,
    drop_unread(),
    drop_unread().with_reset(),
    drop_before(),
    drop_before().with_reset(),
    act_then_drop(),
    act_then_drop().with_reset(),
    cut_head(5),
    truncated(0),
    truncated(15),
    truncated(15).with_reset(),
    malformed(b"\r\n\r\n"),
    answered(Answer(401)),
    answered(json_answer({"title": "No"}, 400)),
    answered(Answer(403)),
    answered(Answer(404)),
    answered(json_answer({}, 429, retry_after="1")),
    answered(Answer(503)),
    answered(Answer(500)),
    acted_but(Answer(500)),
    acted_but(Answer(503)),
    acted_but(Answer(302, headers=(("Location", "/"),))),
    acted_but(Answer(200)),
    acted_but(Answer(200, b"<html>Welcome</html>", "text/html")),
    acted_but(Answer(200, b'{"half": ')),
    answered(Answer(200, b"<html>Welcome</html>", "text/html")),
    Fault(drip=(1, 0.1)),
]


@pytest.mark.parametrize("seed", range(4))
async def test_no_claim_is_false(fault_server: FaultServer, open_on: Open, seed: int) -> None:
    """Accepted: it is there. Not acted: it is not. Unknown: at most once. And nothing was ever made twice."""
    chance = random.Random(seed)

    def fate(seen: Seen) -> Fault | None:
        if seen.path.endswith("/connect/token"):
            return drop_before() if chance.random() < 0.05 else None
        if chance.random() < 0.01:
            fault_server.tokens.revoke()
        return chance.choice(FATES)

    fault_server.plan_by(fate)
    claims: dict[str, str] = {}

    async def one(provider: Provider, reference: str) -> None:
        try:
            await provider.management.submit_order(order(reference))
        except ApiError as error:
            claims[reference] = "unknown" if error.may_have_acted else "not acted"
        else:
            claims[reference] = "accepted"

    async with open_on(fault_server, deadlines=PATIENT, connections=16) as provider:
        await asyncio.gather(*(one(provider, f"R-{number}") for number in range(100)))
    await fault_server.until_connections(0)

    booked = {each.reference: len(each.versions) for each in fault_server.book.all()}
    assert len(booked) == len(fault_server.book.all())
    assert set(booked.values()) == {1}
    for reference, claim in claims.items():
        assert claim != "accepted" or reference in booked
        assert claim != "not acted" or reference not in booked
    assert {"accepted", "not acted", "unknown"} == set(claims.values())


async def test_a_write_is_seen_once_or_twice_after_a_401_and_never_more(
    fault_server: FaultServer, open_on: Open
) -> None:
    chance = random.Random(99)
    fault_server.plan_by(lambda seen: chance.choice(FATES) if seen.path.endswith("submit") else None)
    async with open_on(fault_server, deadlines=PATIENT) as provider:
        calls = (provider.management.submit_order(order(f"R-{number}")) for number in range(150))
        await asyncio.gather(*calls, return_exceptions=True)
    times: dict[str, int] = {}
    for seen in fault_server.seen("/Order/submit"):
        if seen.body:
            reference = json.loads(seen.body)["orderReferenceNumber"]
            times[reference] = times.get(reference, 0) + 1
    assert set(times.values()) <= {1, 2}

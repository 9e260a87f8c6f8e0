"""S6: orders from a file submitted, each in the journal with full sync before it is sent.

The yardstick is a bare loop of the HTTP client with the same concurrency, the same bytes, and no journal. Ours asks for
the status of each reference just before it is sent, which is a second request for each order: the note holds the ratio
to a bare loop that makes both requests too. The practice service runs beside it, on the same processors, and answers at
once; no provider does, so it is measured a second time with answers that take as long as over the internet.
"""

import asyncio
import itertools
import statistics
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import httpx2

from app.contract.submission import OrderSubmission, wire_bytes
from app.desk.desk import Desk
from app.desk.sending import outbox
from tests.bench.harness import Measure, Result, alternate
from tests.faults.workbench import databases
from tests.support.desks import practice_profile, practice_provider, submission
from tests.support.practice_calls import MANAGEMENT, Caller
from tests.support.practice_process import start_practice

ORDERS = 500  # a turn
AWAY_MS = 50  # from a provider over the internet, there and back
_LANES = 8  # so many orders are on the wire at a time, as from the outbox
_turns = itertools.count()


def _made() -> list[OrderSubmission]:
    """New orders for a turn, checked, as they come from a file."""
    turn = next(_turns)
    return [submission(f"S6-{turn}-{number}", f"Consignee {number}") for number in range(ORDERS)]


async def _ours(facts: dict[str, str], folder: Path) -> float:
    made = _made()
    journal, cache, reader = databases(folder)
    await journal.opened()
    async with practice_provider(facts) as provider:
        desk = Desk(practice_profile(facts), journal, cache, reader, datetime.now, provider)
        await provider.management.test_orders()  # the token is had
        began = time.perf_counter()
        await asyncio.gather(*(outbox.queue_submission(desk, each, None) for each in made))
        outcomes = await outbox.drain(desk)
        took = time.perf_counter() - began
    assert [each.state for each in outcomes] == ["accepted"] * ORDERS
    for database in (journal, reader, cache):
        await database.close()
    return took


async def _bare(facts: dict[str, str], *, look: bool) -> float:
    made = iter([(each.orderReferenceNumber, wire_bytes(each)) for each in _made()])
    root = facts["base_url"] + MANAGEMENT
    headers = Caller(facts).headers() | {"Content-Type": "application/json", "Accept": "application/json"}

    async def lane(client: httpx2.AsyncClient, orders: Iterator[tuple[str, bytes]]) -> None:
        for reference, payload in orders:
            if look:
                await client.get(f"{root}/Order/status", params={"OrderReferenceNumber": reference})
            reply = await client.post(f"{root}/Order/submit", content=payload)
            assert reply.status_code == 200

    async with httpx2.AsyncClient(headers=headers, trust_env=False) as client:
        await client.get(f"{root}/Order/test")
        began = time.perf_counter()
        await asyncio.gather(*(lane(client, made) for _ in range(_LANES)))
        return time.perf_counter() - began


def run(rounds: int) -> Result:
    """Against a practice service that answers at once."""
    return _against(rounds)


def run_away(rounds: int) -> Result:
    """Submit to a provider that answers after `AWAY_MS`."""
    return _against(rounds, "--switch", f"latency={AWAY_MS}")


def _against(rounds: int, *switches: str) -> Result:
    """Both, turn and turn about, against one practice service."""
    both: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        world = ("--orders", "50", "--audits", "1", "--switch", "arrivals=0")
        practice = start_practice(home / "practice", *world, *switches)

        def ours() -> float:
            desk = home / f"desk-{next(_turns)}"
            desk.mkdir()
            return asyncio.run(_ours(practice.facts, desk))

        def yardstick() -> float:
            both.append(asyncio.run(_bare(practice.facts, look=True)))
            return asyncio.run(_bare(practice.facts, look=False))

        try:
            result = alternate(ours, yardstick, rounds)
        finally:
            practice.stop()
    with_look = statistics.median(both[1:])
    note = (
        f"{ORDERS:,} orders a turn, {_LANES} at a time, {ORDERS / result.ours:,.0f} orders/s; a bare loop that asks "
        f"for the status too takes {with_look:.3g} s: ratio {result.ours / with_look:.2f}"
    )
    return Result(result.ours, result.yardstick, note)


MEASURE = Measure("S6", "orders journalled, rechecked and submitted", "bare HTTP without both", "s", 1.25, run)
AWAY = Measure("S6-AWAY", f"the same, {AWAY_MS} ms away", "bare HTTP without both", "s", 1.25, run_away)

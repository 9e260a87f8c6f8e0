"""BULK: many orders queued at once against the practice service, which now and then acts and resets the connection, or
says 503. All end confirmed, none is left to a person; one order each, with the bytes that were queued.
"""

import asyncio
import json
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from app.contract.submission import wire_bytes
from app.desk.desk import Desk
from app.desk.sending import outbox, settling
from app.desk.sending.evidence import GRACE
from app.desk.sync import order_sync
from app.store.journal.records import WriteState
from tests.faults.harness import Fault as Measure
from tests.faults.harness import Report
from tests.faults.sender_child import order
from tests.faults.workbench import databases
from tests.support.desks import practice_profile, practice_provider
from tests.support.practice_calls import Caller
from tests.support.practice_process import PracticeProcess, start_practice

_RATE = "0.01"
_SWITCHES = ("arrivals=0", f"reset-after={_RATE}", f"rate-503={_RATE}")
_LATER_S = 300.0
_ROUNDS = 10


def run(size: int, seed: int) -> Report:
    """`size` orders."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        switches = [word for each in _SWITCHES for word in ("--switch", each)]
        world = ("--orders", "50", "--audits", "1", "--seed", str(seed))
        practice = start_practice(folder / "practice", *world, *switches)
        try:
            return asyncio.run(_submit(practice, folder, size, seed))
        finally:
            practice.stop()


async def _submit(practice: PracticeProcess, folder: Path, size: int, seed: int) -> Report:
    report = Report()
    journal, cache, reader = databases(folder)
    ahead = GRACE - GRACE
    try:
        async with practice_provider(practice.facts) as provider:
            now = lambda: datetime.now() + ahead  # noqa: E731
            desk = Desk(practice_profile(practice.facts), journal, cache, reader, now, provider)
            began = time.monotonic()
            for number in range(size):
                await outbox.queue_submission(desk, order(seed, number), None)
            queued = time.monotonic()
            rests = await _drain(desk)
            sent = time.monotonic()
            once_sent = _told(await outbox.counts(desk))
            caller = Caller(practice.facts)
            # What is sent again meets no more faults, since what is in doubt twice is for a person; questions still do.
            await asyncio.to_thread(lambda: caller.switch(reset_after=False, rate_503=_RATE, fault_on="Order/status"))
            desk.timing.ticks = lambda: time.monotonic() + ahead.total_seconds()
            for _ in range(_ROUNDS):
                await asyncio.to_thread(caller.advance, _LATER_S)
                ahead += GRACE
                if not await _settle(desk):
                    break
            settled = time.monotonic()
            await _compare(desk, caller, size, seed, report)
            report.note = (
                f"queued in {queued - began:.1f} s, sent in {sent - queued:.1f} s with {rests} rests, settled in "
                f"{settled - sent:.1f} s; once sent {once_sent}, at the end {_told(await outbox.counts(desk))}"
            )
    finally:
        for each in (journal, reader, cache):
            await each.close()
    return report


def _told(counts: Mapping[WriteState, int]) -> str:
    return ", ".join(f"{count:,} {state}" for state, count in counts.items() if count)


async def _drain(desk: Desk) -> int:
    """Send all; how often the provider asked for a rest, which takes no time here."""
    rests = 0
    while (await outbox.counts(desk))["queued"] and rests < 100_000:
        await outbox.drain(desk)
        rests += 1
    return rests - 1


async def _settle(desk: Desk) -> bool:
    """As the clock does, until nothing changes any more without more time; whether anything is not settled then."""
    for _ in range(20):
        await order_sync.refresh(desk, "open", 2)
        settled = await settling.settle(desk)
        if settled.to_resend:
            await _drain(desk)
            await outbox.drain(desk)
        elif not settled.changed:
            break
    counts = await outbox.counts(desk)
    return any(counts[state] for state in ("queued", "sending", "in_doubt", "accepted"))


async def _compare(desk: Desk, caller: Caller, size: int, seed: int, report: Report) -> None:
    """Every order in the journal against the orders behind the counter."""
    ended: Counter[str] = Counter()
    for write in await outbox.writes(desk, (), 1_000_000):
        flagged = write.state in ("in_doubt", "rejected") or write.held is not None
        ended["confirmed" if write.state == "confirmed" else "flagged" if flagged else write.state] += 1
    report.check(set(ended) == {"confirmed"}, f"left to a person, or not settled: {dict(ended)}")
    report.check(sum(ended.values()) == size, f"{sum(ended.values())} of {size} in the journal")
    for number in range(size):
        wanted = order(seed, number)
        there = await asyncio.to_thread(caller.behind_the_counter, wanted.orderReferenceNumber)
        (write,) = await outbox.history(desk, wanted.orderReferenceNumber)
        report.tried += 1
        limit = (1,) if write.state == "confirmed" else (0, 1)
        report.check(len(there) in limit, f"{write.reference}: {write.state}, {len(there)} orders")
        if there:
            report.check(there[0]["submissions"] == 1, f"{write.reference}: came {there[0]['submissions']} times")
            same = there[0]["body"] == json.loads(wire_bytes(wanted))
            report.check(same, f"{write.reference}: other contents than were queued")


FAULT = Measure(
    "BULK", "orders at once, 1 % reset after acting, 1 % 503: all confirmed, 0 left to a person", run, 100, 10_000
)

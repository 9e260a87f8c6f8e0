"""F1: `kill -9` at random points of a submission of many orders: none lost, none doubled, none changed.

A child process queues and sends; it is killed either at a moment of the clock or just as the oracle meets its Nth
request (before it acts), and started again. What was being sent comes back as in doubt. At the end every write settles.
"""

import asyncio
import json
import os
import random
import signal
import tempfile
import threading
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from app.contract.submission import wire_bytes
from app.desk.sending import outbox
from tests.faults.harness import Fault as Measure
from tests.faults.harness import Report
from tests.faults.sender_child import order, profile
from tests.faults.workbench import STATUS, SUBMIT, Bench, bench
from tests.support.children import Child, child, run_child
from tests.support.fault_server import FaultServer, Seen, start_fault_server
from tests.support.faults import Fault, drop_before

_CHILD = "tests.faults.sender_child"
_FIRST_LIVES = 0.1  # of the kills fall while orders are still being queued, or before anything is opened
_LONGEST_S = 0.03


@dataclass(slots=True)
class _Killer:
    """Kills the child as the oracle meets a request: `left` more of them may pass."""

    chance: random.Random
    child: int = 0
    left: int = -1
    guard: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, seen: Seen) -> Fault | None:
        if not seen.path.endswith((SUBMIT, STATUS)):
            return None
        with self.guard:
            self.left -= 1
            if self.left != -1 or not self.child:
                return None
            _kill(self.child)
            return drop_before() if self.chance.random() < 0.4 else None


def _kill(child: int) -> None:
    os.kill(child, signal.SIGKILL)


@dataclass(slots=True)
class _Told:
    """The lines that the children printed while they lived."""

    queued: set[str] = field(default_factory=set)
    recovered: int = 0
    done: bool = False


def _live(folder: Path, facts: dict[str, str], seed: int, killer: _Killer, told: _Told, report: Report) -> bool:
    """One life of the child, up to its violent end; whether it was killed."""
    with child(_CHILD, [str(folder), json.dumps(facts), str(seed)]) as life:
        return _lived(life, killer, told, report)


def _lived(life: Child, killer: _Killer, told: _Told, report: Report) -> bool:
    chance = killer.chance
    by_request = chance.random() < 0.6
    with killer.guard:
        killer.child, killer.left = (life.pid, chance.randrange(5)) if by_request else (0, -1)
    alarm: threading.Timer | None = None
    started = 0
    early = chance.random() < _FIRST_LIVES
    for line in life.stdout:
        word, _, rest = line.strip().partition(" ")
        if word == "sending":
            started = int(rest)
        elif word == "recovered":
            told.recovered += int(rest)
            report.check(int(rest) == started, f"{started} were being sent, {rest} came back in doubt")
        elif word == "queued":
            told.queued.add(rest)
        told.done = told.done or word == "done"
        if alarm is None and not by_request and (early or word == "recovered"):
            alarm = threading.Timer(chance.random() * _LONGEST_S, _kill, (life.pid,))
            alarm.start()
    with killer.guard:
        killer.child = 0  # its number may be another's once it has been waited for
    if alarm is not None:
        alarm.cancel()
        alarm.join()
    status, _, complaints = life.end()
    killed = status == -signal.SIGKILL
    report.check(killed or status == 0, f"a life ended with {status}: {complaints[-300:]}")
    return killed


def run(size: int, seed: int) -> Report:
    """`size` kills of a submission of twice as many orders."""
    report, told, orders = Report(), _Told(), 2 * size
    killer = _Killer(random.Random(seed))
    with tempfile.TemporaryDirectory() as name, start_fault_server() as server:
        folder = Path(name)
        facts = {
            **server.addresses,
            "client_id": server.tokens.client_id,
            "client_secret": server.tokens.client_secret,
            "orders": str(orders),
        }
        server.plan_by(killer)
        lives = 0
        while report.tried < size and not told.done and not report.found:
            lives += 1
            report.tried += _live(folder, facts, seed, killer, told, report)
        while not told.done and not report.found:  # the last lives are long ones
            _live_on(folder, facts, seed, told)
        asyncio.run(_settle(server, folder, facts, seed, told, report))
    report.note = f"{orders} orders, {lives} lives, {told.recovered} found while being sent; {report.note}"
    return report


def _live_on(folder: Path, facts: dict[str, str], seed: int, told: _Told) -> None:
    status, printed, complaints = run_child(_CHILD, [str(folder), json.dumps(facts), str(seed)])
    assert status == 0, complaints
    said = printed.splitlines()
    told.queued |= {line.split()[1] for line in said if line.startswith("queued ")}
    told.done = "done" in said


async def _settle(
    server: FaultServer, folder: Path, facts: dict[str, str], seed: int, told: _Told, report: Report
) -> None:
    """Let everything settle, then compare journal and oracle, order by order."""
    async with bench(server, folder) as made:
        made.desk.profile = profile(facts)
        await outbox.recover(made.desk)
        before = await outbox.counts(made.desk)
        await made.settle_down(rounds=2)
        after = await outbox.counts(made.desk)
        known = {each.reference for each in await outbox.writes(made.desk, (), 1_000_000)}
        report.check(told.queued <= known, f"said to be queued, but lost: {sorted(told.queued - known)[:5]}")
        for number in range(int(facts["orders"])):
            await _compare(made, seed, number, report)
        report.check(after["confirmed"] == int(facts["orders"]), f"at the end: {after}")
        report.note = f"{before['in_doubt']} in doubt before settling, {after['confirmed']} confirmed after"


async def _compare(made: Bench, seed: int, number: int, report: Report) -> None:
    wanted = order(seed, number)
    reference, payload = wanted.orderReferenceNumber, wire_bytes(wanted)
    writes = await outbox.history(made.desk, reference)
    if not report.check(len(writes) == 1, f"{reference}: {len(writes)} times in the journal"):
        return
    kept = (await outbox.story(made.desk, writes[0].id)).payload
    held = Counter(version for each in made.server.book.all(reference) for version in each.versions)
    orders = len(made.server.book.all(reference))
    report.check(kept == payload, f"{reference}: other bytes in the journal than were queued")
    report.check(held == {payload: 1} and orders == 1, f"{reference}: {orders} orders, {sum(held.values())} versions")


FAULT = Measure("F1", "kill -9 while sending: none lost, doubled or changed", run, 8, 500)

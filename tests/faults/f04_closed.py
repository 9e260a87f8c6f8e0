"""F4: the order is closed or cancelled between attempts, in many interleavings.

The desk stops and asks, and makes no second order. The person of this measure never says yes to sending a closed order,
and does say yes to sending an order again of which the provider shows nothing.
"""

import random
from dataclasses import dataclass

from app.desk.sending import outbox, settling
from app.desk.sending.evidence import GRACE
from app.desk.sync import order_sync
from tests.faults.harness import Fault as Measure
from tests.faults.harness import Report
from tests.faults.spread import spread
from tests.faults.workbench import SUBMIT, Bench, nothing_newer, run_cases
from tests.support.desks import submission
from tests.support.fault_book import CANCELLED, COMPLETE
from tests.support.faults import (
    Answer,
    Fault,
    act_then_drop,
    acted_but,
    answered,
    cut_head,
    drop_before,
    json_answer,
    late,
)

_LIE = "arrived, but said to be turned back"
_FIRST: dict[str, Fault] = {
    "accepted": Fault(),
    "arrived, unsaid": act_then_drop(),
    "arrived, half said": cut_head(20),
    "arrived, busy": acted_but(Answer(503)),
    "lost": drop_before(),
    "late": late(),
    "busy": answered(Answer(503)),
    "turned back": answered(Answer(429)),
    _LIE: acted_but(Answer(429)),
    "refused": answered(json_answer({"title": "No."}, 400)),
}


@dataclass(slots=True)
class _Story:
    """One interleaving: what is done about the one order, step by step."""

    bench: Bench
    chance: random.Random
    reference: str
    edits: int = 0

    async def send(self, fault: Fault) -> int:
        """Queue an edit and send what can be sent."""
        self.edits += 1
        self.bench.script.then(SUBMIT, fault)
        order = submission(self.reference, f"Edit {self.edits}")
        write = await outbox.queue_submission(self.bench.desk, order, None)
        await outbox.drain(self.bench.desk)
        return write

    async def step(self) -> None:
        """Something that may happen at a desk in any order."""
        bench = self.bench
        match self.chance.randrange(10):
            case 0:
                await settling.settle(bench.desk)
            case 1:
                bench.skip(GRACE)
            case 2:
                await bench.reopen()
            case 3:
                await order_sync.refresh(bench.desk, self.chance.choice(("open", "completed")), 7)
            case 4:
                await outbox.drain(bench.desk)
            case 5:
                await self._withdraw_a_doubt()
            case 6:
                await self._send_again()
            case 7:
                bench.server.let_arrive(lambda each: nothing_newer(bench.server.book, each))
            case 8:
                for _ in range(2):
                    bench.skip(GRACE)
                    await settling.settle(bench.desk)
                await outbox.drain(bench.desk)
            case _:
                self._another_order()

    async def _withdraw_a_doubt(self) -> None:
        for each in await outbox.writes(self.bench.desk, ("in_doubt",), 1):
            await outbox.settle(self.bench.desk, each.id, "withdrawn", "Not any more.")

    async def _send_again(self) -> None:
        for each in await self.bench.held():
            if (each.note or "").endswith("It can be sent again."):
                await outbox.release(self.bench.desk, each.id)

    def _another_order(self) -> None:
        """Somebody else's, open or closed: what the order status may speak of instead (notes.md, trap 2)."""
        name = f"OTHER-{self.chance.randrange(1_000)}"
        self.bench.server.book.submit(b'{"orderReferenceNumber":"%s"}' % name.encode())
        if self.chance.random() < 0.5:
            self.bench.server.book.move(name, COMPLETE)


async def _case(bench: Bench, chance: random.Random, number: int, report: Report) -> None:
    story = _Story(bench, chance, f"R-{number}")
    bench.script.literal = chance.random() < 0.5
    first = chance.choice(tuple(_FIRST))
    closed = chance.choice((COMPLETE, COMPLETE, CANCELLED))
    await story.send(_FIRST[first])
    for _ in range(chance.randrange(3)):
        await story.step()
    was_there = bench.server.book.move(story.reference, closed) is not None
    for _ in range(chance.randrange(4)):
        await story.step()
    before = _versions(bench, story.reference)
    await story.send(Fault())
    for _ in range(chance.randrange(8)):
        await story.step()
    label = f"number {number}, first {first}, then {closed}, literal {bench.script.literal}"
    after = _versions(bench, story.reference)
    if was_there and not _hidden(bench, closed, lied=first == _LIE):
        report.check(len(after) == 1, f"{label}: {len(after)} orders")
        report.check(after == before, f"{label}: sent all the same")
    await _check_asked(bench, story.reference, was_there, report, label)


def _hidden(bench: Bench, closed: str, *, lied: bool) -> bool:
    """A cancelled order that neither status nor list shows: nobody can know of it (notes.md, "cancelled orders"). Where
    the provider said that it had not taken it, its answer about another closed order shows nothing of it either."""
    return closed == CANCELLED and (bench.script.literal or lied)


def _versions(bench: Bench, reference: str) -> list[int]:
    return [len(each.versions) for each in bench.server.book.all(reference)]


async def _check_asked(bench: Bench, reference: str, was_there: bool, report: Report, label: str) -> None:
    """What could not be sent stands where a person finds it, or waits for its turn."""
    latest = (await outbox.history(bench.desk, reference))[0]
    if was_there and _versions(bench, reference) == [1]:
        report.check(latest.state in ("queued", "in_doubt"), f"{label}: the edit is {latest.state}")


def _chunk(size: int, seed: int) -> Report:
    return run_cases(_case, size, seed)


def run(size: int, seed: int) -> Report:
    """`size` interleavings."""
    return spread(_chunk, size, seed, few=100)


FAULT = Measure("F4", "closed or cancelled between attempts: stops and asks, no second orders", run, 40, 2_000)

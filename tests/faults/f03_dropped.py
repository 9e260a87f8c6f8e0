"""F3: the reply is dropped, cut or garbled at each stage.

Each run sends one order. The desk never says "failed" about an order that arrived, nor "done" about one that did not,
and in the end evidence settles every order.
"""

import random
from collections.abc import Callable
from dataclasses import replace

from app.desk.sending import outbox
from app.desk.sending.evidence import GRACE
from tests.faults.harness import Fault as Measure
from tests.faults.harness import Report
from tests.faults.spread import spread
from tests.faults.workbench import CANCEL, STATUS, SUBMIT, Bench, run_cases
from tests.support.desks import QUICK, provider_of, submission
from tests.support.fault_book import CANCELLED
from tests.support.faults import (
    Answer,
    Fault,
    act_then_drop,
    acted_but,
    answered,
    cut_head,
    dripping,
    drop_before,
    drop_unread,
    held,
    malformed,
    truncated,
)

_LIE = "acted, but said that it was turned back"
_PAGE = Answer(200, b"<html><body>Please log in</body></html>", "text/html")
_PROBLEM = Answer(400, b'{"title":"No.","errors":{"consignee.zip":["Not served."]}}', "application/problem+json")


def _bytes(chance: random.Random) -> bytes:
    return b"\x00" + chance.randbytes(chance.randrange(1, 200))


def _status(chance: random.Random) -> Answer:
    return Answer(chance.choice((500, 502, 504, 503, 408, 301, 302, 303, 307)))


STAGES: dict[str, Callable[[random.Random], Fault]] = {
    "header read": lambda _: drop_unread(),
    "header read, reset": lambda _: drop_unread().with_reset(),
    "body read": lambda _: drop_before(),
    "body read, reset": lambda _: drop_before().with_reset(),
    "acted": lambda _: act_then_drop(),
    "acted, reset": lambda _: act_then_drop().with_reset(),
    "in the reply's header": lambda chance: cut_head(chance.randrange(1, 70)),
    "in the reply's header, reset": lambda chance: cut_head(chance.randrange(1, 70)).with_reset(),
    "in the reply's body": lambda chance: truncated(chance.randrange(60)),
    "in the reply's body, reset": lambda chance: truncated(chance.randrange(60)).with_reset(),
    "no HTTP": lambda chance: malformed(_bytes(chance)),
    "acted, but a status of doubt": lambda chance: acted_but(_status(chance)),
    "not acted, and a status of doubt": lambda chance: answered(_status(chance)),
    "acted, but a web page": lambda _: acted_but(_PAGE),
    "not acted, and a web page": lambda _: answered(_PAGE),
    "refused": lambda _: answered(_PROBLEM),
    "turned back": lambda _: answered(Answer(429)),
    _LIE: lambda _: acted_but(Answer(429)),
    "too late": lambda _: held(),
    "too slow": lambda _: dripping(1, 0.05),
}
_NAMES = tuple(STAGES)
_HASTE = replace(QUICK, write=0.15)  # for the stages that outlast it


async def _case(bench: Bench, chance: random.Random, number: int, report: Report) -> None:
    stage = _NAMES[number % len(_NAMES)]
    fault = STAGES[stage](chance)
    kind = chance.choice(("submit", "submit", "cancel"))
    reference = f"R-{number}"
    write = await outbox.queue_submission(bench.desk, submission(reference), None)
    if kind == "cancel":
        await outbox.drain(bench.desk)
        write = await outbox.queue_cancellation(bench.desk, reference)
        bench.skip(outbox.UNDO)
    gate = bench.server.gate()
    bench.script.then(
        CANCEL if kind == "cancel" else SUBMIT, replace(fault, before=gate) if stage == "too late" else fault
    )
    if stage in ("too late", "too slow"):
        await _in_haste(bench)
    else:
        await outbox.drain(bench.desk)
    label = f"{stage}, {kind}, number {number}"
    arrived_late = stage == "too late"
    if stage == _LIE:
        await _check_lie(bench, reference, write, kind, report, label)
        return
    await _check(bench, reference, write, kind, report, f"{label}, at once", arrived_late=arrived_late)
    gate.release()
    if arrived_late:
        await _until_acted(bench, reference, kind)
    bench.script.then(STATUS, *chance.choices((act_then_drop(), answered(Answer(500)), Fault()), k=chance.randrange(3)))
    await bench.settle_down()
    await _check(bench, reference, write, kind, report, f"{label}, settled")
    ended = await bench.row(write)
    if kind == "submit":  # a new order: nobody had to say that it may be sent again
        report.check(ended.agreed is None, f"{label}: a person had to send it again")
    wanted = "rejected" if stage == "refused" else "confirmed"
    report.check(ended.state == wanted, f"{label}: ended {ended.state}, not {wanted}: {ended.note}")


async def _check_lie(bench: Bench, reference: str, write: int, kind: str, report: Report, label: str) -> None:
    """What the provider says it did not take stays in the queue; the next look at the order finds what it did."""
    report.check((await bench.row(write)).state == "queued", f"{label}: not in the queue")
    await bench.settle_down()
    ended, orders = await bench.row(write), bench.server.book.all(reference)
    report.check(len(orders) == 1, f"{label}: {len(orders)} orders")
    if kind == "cancel":
        report.check(ended.held is not None and "Cancelled" in ended.held, f"{label}: ended {ended.state}")
    else:
        report.check(ended.state == "confirmed", f"{label}: ended {ended.state}: {ended.note}")
        report.check(len(set(orders[0].versions)) == 1, f"{label}: other data than were queued")


async def _in_haste(bench: Bench) -> None:
    """Send with a deadline that passes while the provider is silent."""
    async with provider_of(bench.server, deadlines=_HASTE) as provider:
        bench.desk.provider, patient = provider, bench.desk.provider
        await outbox.drain(bench.desk)
        bench.desk.provider = patient


async def _until_acted(bench: Bench, reference: str, kind: str) -> None:
    """The late request takes effect, well within the grace: a request made after it on the server is answered later."""
    assert bench.desk.provider is not None
    while not _acted(bench, reference, kind):
        await bench.desk.provider.management.order_status(reference=reference)


def _acted(bench: Bench, reference: str, kind: str) -> bool:
    orders = bench.server.book.all(reference)
    return any(each.state == CANCELLED for each in orders) if kind == "cancel" else bool(orders)


async def _check(
    bench: Bench, reference: str, write: int, kind: str, report: Report, label: str, *, arrived_late: bool = False
) -> None:
    state = (await bench.row(write)).state
    if _acted(bench, reference, kind) or arrived_late:
        report.check(state in ("accepted", "confirmed", "in_doubt"), f"{label}: arrived, but is {state}")
    else:
        report.check(state not in ("accepted", "confirmed"), f"{label}: never arrived, but is {state}")
    versions = [len(each.versions) for each in bench.server.book.all(reference)]
    report.check(versions in ([], [1]), f"{label}: {versions} versions of orders")


def _chunk(size: int, seed: int) -> Report:
    return run_cases(_case, size, seed)


def run(size: int, seed: int) -> Report:
    """`size` seeds of each stage."""
    assert GRACE.total_seconds() > QUICK.write  # the grace outlasts any request that is still on its way
    return spread(_chunk, size * len(STAGES), seed, few=5 * len(STAGES))


FAULT = Measure(
    "F3", "the reply dropped at each stage: never failed when it arrived, never done when it did not", run, 3, 100
)

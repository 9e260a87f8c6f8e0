"""F16: malformed replies of every kind, from every operation the outbox depends on: no crash, no false confirmation.

The oracle holds an order in these cases only if a readable reply says so. Without such a reply nothing may be
confirmed, and a write with a garbled reply is in doubt.
"""

import json
import random
from collections.abc import Callable

from app.api.auth import MOST_REFUSALS
from app.desk.sending import outbox, settling
from app.desk.sending.evidence import GRACE
from app.desk.sync import order_sync
from tests.faults.harness import Fault as Measure
from tests.faults.harness import Report
from tests.faults.spread import spread
from tests.faults.workbench import CANCEL, STATUS, SUBMIT, Bench, run_cases
from tests.support.desks import submission
from tests.support.fault_server import TOKEN
from tests.support.faults import Answer, Fault, answered, drop_before, json_answer

Maker = Callable[[random.Random, str], Answer]
OPEN_LIST, COMPLETED_LIST = "/orders/open", "/orders/completed"


def _record(reference: str) -> dict[str, object]:
    """The texts in the replies of both services together."""
    return {
        "orderReferenceNumber": reference,
        "systemNumber": 700_500,
        "status": "Received",
        "OrderNumber": 700_500,
        "CRN": reference,
        "StatusId": "AVL",
        "access_token": "token",
    }


def _cut(chance: random.Random, reference: str) -> Answer:
    """Within the first record: one that came whole would be a sighting, however the rest of its list ends."""
    text = json.dumps(chance.choice(([_record(reference)], _record(reference)))).encode()
    return Answer(200, text[: chance.randrange(1, len(text) - 2)])


def _odd(chance: random.Random) -> object:
    return chance.choice(
        (None, True, -1, 1.5, "", "\x00", [], {}, [[]], {"a": {}}, "Nobody knows", 2**70, ["x", 1, None])
    )


def _wrong_types(chance: random.Random, reference: str) -> Answer:
    record = {name: _odd(chance) for name in _record(reference)}
    record["orderReferenceNumber"] = chance.choice((reference, _odd(chance)))
    return json_answer(chance.choice((record, [record], [[record]], {"result": record}, _odd(chance))))


def _huge_numbers(chance: random.Random, reference: str) -> Answer:
    number = chance.choice(("1" + "0" * 400, "1e999", "-1e999", "9" * 5_000, "NaN", "Infinity", "1e-400", "0x10"))
    body = '{"orderReferenceNumber":"%s","systemNumber":%s,"status":%s,"expires_in":%s,"OrderNumber":%s}'
    return Answer(200, (body % (f"not {reference}", number, number, number, number)).encode())


def _nested(chance: random.Random, _reference: str) -> Answer:
    depth = chance.choice((100, 1_000, 50_000))
    opening, closing = chance.choice((("[", "]"), ('{"a":', "}"), ("<a>", "</a>")))
    middle = "" if opening == "[" else "1"
    return Answer(200, (opening * depth + middle + closing * depth).encode())


def _broken_xml(chance: random.Random, reference: str) -> Answer:
    bomb = '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>'
    outside = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'
    open_end = f"<order><orderReferenceNumber>{reference}</orderReferenceNumber><status>Received</status>"
    text = chance.choice((bomb, outside, open_end, "<a><b></a></b>", "<?xml version='1.0'?>", "<a>\x00</a>", "<"))
    return Answer(200, text.encode(), chance.choice(("application/xml", "text/xml")))


def _web_page(chance: random.Random, reference: str) -> Answer:
    page = f"<!DOCTYPE html><html><head><title>Received</title></head><body>{reference}: Received</body></html>"
    kind = chance.choice(("text/html", "text/html; charset=utf-8", "application/json", None))
    return Answer(200, (chance.choice(("", "\ufeff", "\r\n  ")) + page).encode(), kind)


def _wrong_kind(chance: random.Random, reference: str) -> Answer:
    body = chance.choice((chance.randbytes(chance.randrange(1, 400)), b"\xff\xd8\xff\xe0" + chance.randbytes(50)))
    return Answer(
        200, b"\x00" + body, chance.choice(("application/json", "image/jpeg", "application/octet-stream", None))
    )


def _another(chance: random.Random, _reference: str) -> Answer:
    record = _record(f"ELSE-{chance.randrange(99)}")
    return json_answer(chance.choice((record, [record], [record, record])))


KINDS: dict[str, tuple[Maker, bool]] = {  # and whether a write that is answered so must be in doubt
    "cut": (_cut, True),
    "wrong types": (_wrong_types, False),
    "huge numbers": (_huge_numbers, False),
    "nested": (_nested, False),
    "broken XML": (_broken_xml, True),
    "web page": (_web_page, True),
    "wrong kind": (_wrong_kind, True),
    "another order": (_another, True),
}
_PLACES = (SUBMIT, CANCEL, STATUS, OPEN_LIST, COMPLETED_LIST, "number", TOKEN)
_NAMES = tuple(KINDS)


async def _case(bench: Bench, chance: random.Random, number: int, report: Report) -> None:
    kind, place = _NAMES[number % len(_NAMES)], chance.choice(_PLACES)
    reference = f"R-{number}"
    maker, in_doubt = KINDS[kind]
    label = f"{kind} at {place}, number {number}"

    def garbled() -> Fault:
        return answered(maker(chance, reference))

    if place in (SUBMIT, CANCEL):
        await _answer_to_a_write(bench, place, reference, garbled(), report, label if in_doubt else "")
    elif place == TOKEN:
        await _answer_for_a_token(bench, reference, garbled, report, label)
    else:
        path = "/orders/700500" if place == "number" else place
        await _answer_to_a_look(bench, path, reference, garbled, chance, report, label)
    await _nothing_claimed(bench, report, label)


async def _answer_to_a_write(
    bench: Bench, place: str, reference: str, fault: Fault, report: Report, doubted: str
) -> None:
    """The reply is garbled, and the oracle has not acted."""
    if place == CANCEL:
        await outbox.queue_submission(bench.desk, submission(reference), None)
        await outbox.drain(bench.desk)
        await outbox.queue_cancellation(bench.desk, reference)
        bench.skip(outbox.UNDO)
    else:
        await outbox.queue_submission(bench.desk, submission(reference), None)
    bench.script.then(place, fault)
    (outcome,) = await outbox.drain(bench.desk)
    report.check(not doubted or outcome.state == "in_doubt", f"{doubted}: {outcome.state}, {outcome.sentence}")
    await _look(bench)


async def _answer_for_a_token(
    bench: Bench, reference: str, garbled: Callable[[], Fault], report: Report, label: str
) -> None:
    bench.server.tokens.revoke()
    bench.script.then(TOKEN, *(garbled() for _ in range(8)))
    await outbox.queue_submission(bench.desk, submission(reference), None)
    await outbox.drain(bench.desk)
    bench.script.clear_path(TOKEN)
    state = (await outbox.counts(bench.desk))["queued"]
    report.check(state == 1 and not bench.server.book.all(reference), f"{label}: not waiting in the queue")
    # The minute in which a few refusals may be asked about is over before the next case, or that would be answered 401.
    assert bench.desk.provider is not None
    for _ in range(MOST_REFUSALS):
        bench.desk.provider.auth.ask_once_more()


async def _answer_to_a_look(
    bench: Bench,
    path: str,
    reference: str,
    garbled: Callable[[], Fault],
    chance: random.Random,
    report: Report,
    label: str,
) -> None:
    """A write in doubt that never arrived, or one that was accepted and is nowhere to be seen."""
    said = json_answer({"orderReferenceNumber": reference, "systemNumber": 700_500, "status": "In Import Queue"})
    doubt = path == STATUS or chance.random() < 0.5
    bench.script.then(SUBMIT, drop_before() if doubt else answered(said))
    await outbox.queue_submission(bench.desk, submission(reference), None)
    await outbox.drain(bench.desk)
    bench.skip(GRACE)
    bench.script.then(path, *(garbled() for _ in range(12)))
    await _look(bench)
    bench.script.clear_path(path)
    if doubt:
        found = await outbox.counts(bench.desk)
        report.check(not found["accepted"], f"{label}: said to have arrived")


async def _look(bench: Bench) -> None:
    for name in ("open", "completed"):
        await order_sync.refresh(bench.desk, "open" if name == "open" else "completed", 3)
    await settling.settle(bench.desk)
    bench.skip(GRACE)
    await settling.settle(bench.desk)


async def _nothing_claimed(bench: Bench, report: Report, label: str) -> None:
    """Every confirmed order is at the oracle, and every confirmed cancellation has taken effect there."""
    for write in await outbox.writes(bench.desk, ("confirmed",), 10):
        orders = bench.server.book.all(write.reference)
        there = any(write.kind == "submit" or each.state == "Cancelled" for each in orders)
        report.check(there, f"{label}: {write.kind} confirmed, {write.note}")


def _chunk(size: int, seed: int) -> Report:
    return run_cases(_case, size, seed)


def run(size: int, seed: int) -> Report:
    """`size` replies of each kind."""
    return spread(_chunk, size * len(KINDS), seed, few=20 * len(KINDS))


FAULT = Measure("F16", "malformed replies of each kind: no crash, no false confirmation", run, 8, 500)

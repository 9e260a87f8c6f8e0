"""F21: an import killed at random moments, against a provider that drops connections and says 503.

`size` kills of an import of a hundred times as many orders, at a moment of the clock after a step, while reading,
freezing, feeding or sending. Then everything settles. Each order is at the provider exactly once, with the contents of
the file; the receipt has every row; the same file again sends nothing, also with its rows in another order.
"""

import asyncio
import csv
import json
import random
import signal
import tempfile
import threading
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from app.desk.bulk.outcome import import_batch, import_receipt
from app.desk.files.stoppable_work import Progress
from app.desk.sending import outbox
from tests.faults.harness import Fault as Measure
from tests.faults.harness import Report
from tests.faults.import_child import freeze
from tests.faults.sender_child import profile
from tests.faults.workbench import STATUS, SUBMIT, Bench, bench
from tests.support.children import Child, child
from tests.support.fault_server import FaultServer, Seen, start_fault_server
from tests.support.faults import Answer, Fault, act_then_drop, answered, drop_before

_ORDERS = 100  # for each kill
_RATE = 0.005  # of the requests meet trouble
_TITLES = ("Reference", "Consignee", "Street", "City", "State", "ZIP", "Phone", "Commodity", "Count", "Volume")
_ROUNDS = 40


@dataclass(slots=True)
class _Trouble:
    """What the provider does to a request now and then."""

    chance: random.Random
    guard: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, seen: Seen) -> Fault | None:
        if not seen.path.endswith((SUBMIT, STATUS)):
            return None
        with self.guard:
            if self.chance.random() > _RATE:
                return None
            return self.chance.choice((drop_before(), act_then_drop(), answered(Answer(503))))


def rows_of(seed: int, count: int) -> list[list[str]]:
    """The rows of the file: two freight lines for each order, so that rows belong together."""
    chance = random.Random(seed)
    found = []
    for number in range(count):
        name = f"Consignee {number} {chance.choice(('Núñez', 'Ōkami', 'Smith, Jr.', '☃'))}"
        once = [f"R-{number}", name, f"{number} Beale Street", "Memphis", "TN", "02144", "901-555-0142"]
        found += [
            [*once, item, str(chance.randint(1, 9)), f"{chance.randint(1, 400) / 4}"] for item in ("SOFA", "CHAIR")
        ]
    return found


def write_file(path: Path, rows: list[list[str]]) -> None:
    """The file as a spreadsheet writes it."""
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows([_TITLES, *rows])


def run(size: int, seed: int) -> Report:
    """`size` kills."""
    report, chance = Report(), random.Random(seed)
    rows = rows_of(seed, size * _ORDERS)
    with tempfile.TemporaryDirectory() as name, start_fault_server() as server:
        folder, file = Path(name), Path(name) / "orders.csv"
        write_file(file, rows)
        facts = {
            **server.addresses,
            "client_id": server.tokens.client_id,
            "client_secret": server.tokens.client_secret,
        }
        server.plan_by(_Trouble(random.Random(seed)))
        lives = 0
        while report.tried < size and not report.found:
            lives += 1
            report.tried += _live(folder, facts, file, chance, report)
        asyncio.run(_finish(server, folder, facts, rows, report))
        report.note = f"{size * _ORDERS:,} orders, {lives} lives; {report.note}"
    return report


def _live(folder: Path, facts: dict[str, str], file: Path, chance: random.Random, report: Report) -> bool:
    """One life of the child; whether it was killed. Most lives end while sending, some before."""
    with child("tests.faults.import_child", [str(folder), json.dumps(facts), str(file)]) as life:
        return _lived(life, chance, report)


def _lived(life: Child, chance: random.Random, report: Report) -> bool:
    until = chance.choice(("recovered", "frozen", "frozen", "frozen"))
    after_s = chance.random() * (0.6 if until == "recovered" else 1.2)
    alarm: threading.Timer | None = None
    for line in life.stdout:
        if line.strip() == until and alarm is None:
            alarm = threading.Timer(after_s, life.kill)
            alarm.start()
    if alarm is not None:
        alarm.cancel()
        alarm.join()
    status, _, complaints = life.end()
    killed = status == -signal.SIGKILL
    report.check(killed or status == 0, f"a life ended with {status}: {complaints[-600:]}")
    return killed


async def _finish(
    server: FaultServer, folder: Path, facts: dict[str, str], rows: list[list[str]], report: Report
) -> None:
    """Let everything be sent and settle; then compare file, journal, provider and receipt."""
    async with bench(server, folder) as made:
        made.desk.profile = profile(facts)
        await outbox.recover(made.desk)
        if not await import_batch.summaries(made.desk):
            await freeze(made.desk, folder / "orders.csv")
        for _ in range(_ROUNDS):
            await import_batch.run(made.desk)
            await made.settle_down(rounds=1)
            await import_batch.feed(made.desk)
            (about,) = await import_batch.summaries(made.desk)
            if about.state == "done":
                break
        orders = len(rows) // 2
        report.check(about.state == "done" and about.accepted == orders, f"at the end: {about}")
        _compare(server, rows, report)
        await _look_at_receipt(made, folder, about.id, rows, report)
        await _send_again(made, folder, rows, report)
        report.note = f"{about.accepted:,} accepted"


def _compare(server: FaultServer, rows: list[list[str]], report: Report) -> None:
    found = server.book.all()
    twice = [name for name, count in Counter(each.reference for each in found).items() if count > 1]
    report.check(not twice, f"made twice: {twice[:5]}")
    by_reference = {each.reference: each for each in found}
    for first, second in zip(rows[::2], rows[1::2], strict=True):
        order = by_reference.get(first[0])
        if not report.check(order is not None, f"{first[0]} never came") or order is None:
            continue
        report.check(len(order.versions) == 1, f"{first[0]} came {len(order.versions)} times")
        sent = json.loads(order.versions[-1])
        lines = [[each["commodity"], str(each["count"]), each["volume"]] for each in sent["freightDetails"]]
        meant = [[row[7], row[8], float(row[9])] for row in (first, second)]
        same = lines == meant and sent["consignee"]["consigneeName"] == first[1] and sent["consignee"]["zip"] == "02144"
        report.check(same, f"{first[0]} came with other contents")


async def _look_at_receipt(made: Bench, folder: Path, import_id: int, rows: list[list[str]], report: Report) -> None:
    target = folder / "receipt.csv"
    await import_receipt.write_receipt(made.desk, import_id, target, Progress(), replace=True)
    with target.open(encoding="utf-8-sig", newline="") as file:
        found = list(csv.DictReader(file))
    report.check([each["Reference"] for each in found] == [row[0] for row in rows], "the receipt has other rows")
    outcomes = Counter(each["Waybill outcome"] for each in found)
    report.check(set(outcomes) <= {"Accepted", "Confirmed"}, f"the receipt says {dict(outcomes)}")
    report.check(all(each["Waybill order number"] for each in found), "the receipt lacks order numbers")


async def _send_again(made: Bench, folder: Path, rows: list[list[str]], report: Report) -> None:
    turned = list(reversed(rows))
    write_file(folder / "again.csv", turned)
    for name in ("orders.csv", "again.csv", "receipt.csv"):
        report.check(await freeze(made.desk, folder / name) is None, f"{name} again would send something")


FAULT = Measure("F21", "kill -9 while importing, with faults: each order once, the file again sends 0", run, 1, 100)

"""A desk on a fault server, its clock and the server's plans in a test's hand: one bench, any number of cases.

Each case has an order book and a profile of its own, so that the databases and the connections need not be made anew.
"""

import asyncio
import json
import random
import tempfile
import time
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

from app.api.network.transport import Transport
from app.api.provider import Deadlines
from app.desk.circuit_breaker import CircuitBreaker
from app.desk.desk import Desk
from app.desk.sending import outbox, settling
from app.desk.sending.evidence import GRACE
from app.desk.sync import order_sync
from app.store.cache.schema.cache_schema import CACHE
from app.store.journal.records import WriteRow
from app.store.journal.schema.journal_schema import JOURNAL
from app.store.sqlite.database import Database
from tests.faults.harness import Report
from tests.support.desks import QUICK, profile_of, provider_of
from tests.support.fault_book import OPEN, OrderBook
from tests.support.fault_server import FaultServer, Seen, start_fault_server
from tests.support.faults import Fault, answered, json_answer

SUBMIT, CANCEL, STATUS = "/Order/submit", "/Order/cancel", "/Order/status"
_A_MOMENT = timedelta(seconds=5)


class Script:
    """What the provider does next, by the end of the path.

    `literal`: while any order is open, the status of a closed one is "not found" (services.md, "Order status", step 2).
    `waiting`: references that the provider says are in its import queue.
    """

    def __init__(self, server: FaultServer) -> None:
        self.server = server
        self.clear()

    def clear(self) -> None:
        """Drop all plans."""
        self.literal = False
        self.waiting: set[str] = set()
        self._planned: dict[str, deque[Fault]] = defaultdict(deque)

    def then(self, path: str, *faults: Fault) -> None:
        """The next requests for this path meet these replies, one each."""
        self._planned[path].extend(faults)

    def clear_path(self, path: str) -> None:
        """Drop the plans for this path."""
        self._planned.pop(path, None)

    def __call__(self, seen: Seen) -> Fault | None:
        """For `FaultServer.plan_by`."""
        planned = next((faults for path, faults in self._planned.items() if faults and seen.path.endswith(path)), None)
        if planned:
            return planned.popleft()
        return self._status(seen) if seen.path.endswith(STATUS) else None

    def _status(self, seen: Seen) -> Fault | None:
        reference = seen.query.get("OrderReferenceNumber", "")
        book = self.server.book
        if reference in self.waiting and (own := book.all(reference, state=OPEN)):
            return answered(json_answer(own[0].status_record | {"status": "In Import Queue"}))
        hidden = self.literal and book.all(state=OPEN) and not book.all(reference, state=OPEN)
        return answered(json_answer({"title": "Not found"}, 404)) if hidden else None


@dataclass(slots=True)
class Bench:
    """A desk and the provider behind it."""

    server: FaultServer
    folder: Path
    desk: Desk
    script: Script
    ahead: timedelta = field(default_factory=timedelta)
    ticked: timedelta = field(default_factory=timedelta)

    def now(self) -> datetime:
        """The desk's clock."""
        return datetime.now() + self.ahead

    def ticks(self) -> float:
        """The monotonic clock."""
        return time.monotonic() + self.ticked.total_seconds()

    def skip(self, span: timedelta) -> None:
        """Let time pass at the desk."""
        self.ahead += span
        self.ticked += span

    def set_clock(self, span: timedelta) -> None:
        """Set the desk's clock forward or back; no time passes by that."""
        self.ahead += span

    def new_case(self, name: str) -> None:
        """An empty book, a profile of its own, no plans."""
        self.script.clear()
        self.server.book = OrderBook()
        self.server.let_arrive(lambda _: False)
        self.desk.profile, self.desk.breaker = replace(self.desk.profile, id=name), CircuitBreaker()
        self.desk.urgent, self.desk.deferred = set(), set()

    async def reopen(self) -> int:
        """Close the databases and open them again, as after a restart; how many writes were being sent."""
        for each in (self.desk.journal, self.desk.reader, self.desk.cache):
            await each.close()
        self.desk.journal, self.desk.cache, self.desk.reader = databases(self.folder)
        return await outbox.recover(self.desk)

    async def settle_down(self, *, rounds: int = 3) -> None:
        """What a patient person does: let the grace pass, read back, and send again what is offered as absent."""
        for _ in range(rounds):
            self.skip(GRACE + _A_MOMENT)
            await settling.settle(self.desk)
            for write in await self.held():
                if (write.note or "").endswith("It can be sent again."):
                    await outbox.release(self.desk, write.id)
            await outbox.drain(self.desk)
            self.skip(_A_MOMENT)
            await order_sync.refresh(self.desk, "open", 7)
            await settling.settle(self.desk)

    async def held(self) -> list[WriteRow]:
        """The writes that wait for a person."""
        return [each for each in await outbox.writes(self.desk, ("queued",), 1_000) if each.held]

    async def row(self, write_id: int) -> WriteRow:
        """A write as the journal has it."""
        return (await outbox.story(self.desk, write_id)).row


def nothing_newer(book: OrderBook, late: Seen) -> bool:
    """Whether a submission that comes late is the first of its order, or says what the order says already: what is
    newer, or closed, has been waited for, since nothing is on its way for longer than the grace."""
    if not late.path.endswith(SUBMIT):
        return False
    orders = book.all(json.loads(late.body)["orderReferenceNumber"])
    return not orders or (orders[-1].state == OPEN and orders[-1].versions[-1] == late.body)


def databases(folder: Path) -> tuple[Database, Database, Database]:
    """Journal, cache, and the cache to read from."""
    journal, cache = Database(folder / "journal.sqlite3", JOURNAL), Database(folder / "cache.sqlite3", CACHE)
    cache.read_now(lambda c: None)  # it is there before a second connection opens it
    return journal, cache, Database(folder / "cache.sqlite3", CACHE)


@asynccontextmanager
async def bench(
    server: FaultServer, folder: Path, deadlines: Deadlines = QUICK, *, transport: Transport | None = None
) -> AsyncIterator[Bench]:
    """A bench in a folder of its own."""
    journal, cache, reader = databases(folder)
    script = Script(server)
    server.plan_by(script)
    async with provider_of(server, deadlines=deadlines, transport=transport) as provider:
        desk = Desk(profile_of(server), journal, cache, reader, datetime.now, provider)
        made = Bench(server, folder, desk, script)
        desk.now, desk.timing.ticks = made.now, made.ticks
        try:
            yield made
        finally:
            for each in (desk.journal, desk.reader, desk.cache):
                await each.close()


Case = Callable[[Bench, random.Random, int, Report], Awaitable[None]]


def run_cases(case: Case, size: int, seed: int, deadlines: Deadlines = QUICK) -> Report:
    """`size` cases, each with chances of its own: number N of a seed is the same in every run."""
    report = Report()

    async def all_of_them() -> None:
        async with bench(server, Path(folder), deadlines) as made:
            for number in range(size):
                made.new_case(f"case-{number}")
                report.tried += 1
                try:
                    await case(made, random.Random(f"{seed}/{number}"), number, report)
                except Exception as error:  # noqa: BLE001  # a finding, with the number to see it again
                    report.found.append(f"seed {seed}, number {number}: {type(error).__name__}: {error}")

    with tempfile.TemporaryDirectory() as folder, start_fault_server() as server:
        asyncio.run(all_of_them())
    return report

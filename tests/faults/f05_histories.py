"""F5: random histories of edits, submissions, cancellations, provider moves, faults, deaths and restarts.

After every step the oracle holds every order that the journal claims, and none that the journal says failed. No
payload is there twice, and no second order without a person's yes. The provider holds the last confirmed payload, or
the order is flagged.
"""

import asyncio
import tempfile
from collections import Counter
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from typing import Any, ClassVar

from hypothesis import HealthCheck, Phase, Verbosity, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from app.desk.sending import outbox, settling
from app.desk.sending.evidence import GRACE
from app.desk.sync import order_sync
from app.store.journal.records import WriteRow
from tests.faults.harness import Fault as Measure
from tests.faults.harness import Report
from tests.faults.spread import spread
from tests.faults.workbench import CANCEL, STATUS, SUBMIT, Bench, bench, nothing_newer
from tests.support.desks import submission
from tests.support.fault_book import CANCELLED, COMPLETE, OPEN
from tests.support.fault_server import start_fault_server
from tests.support.faults import (
    Answer,
    Fault,
    act_then_drop,
    acted_but,
    answered,
    cut_head,
    drop_before,
    held,
    json_answer,
    late,
    truncated,
)

REFERENCES = st.sampled_from(("R-1", "R-2"))
FAULTS: dict[str, Fault] = {
    "acted, unsaid": act_then_drop(),
    "lost": drop_before(),
    "late": late(),
    "cut in the header": cut_head(15),
    "cut in the body": truncated(20).with_reset(),
    "busy": answered(Answer(503)),
    "acted, busy": acted_but(Answer(503)),
    "turned back": answered(Answer(429)),
    "acted, turned back": acted_but(Answer(429)),
    "failed": answered(Answer(500)),
    "refused": answered(json_answer({"title": "No."}, 400)),
    "turned away": answered(Answer(401)),
    "a web page": answered(Answer(200, b"<html>log in</html>", "text/html")),
}
_STEPS = 14
_TELLING = 100  # histories: so many tell of everything
_CONFIRMED = ("accepted", "confirmed")


class Table:
    """The bench that all histories of a process share, and the loop that it lives under."""

    def __init__(self) -> None:
        self.runner = asyncio.Runner()
        self.bench: Bench
        self.histories = 0
        self.sent_again = 0  # orders, by Waybill itself
        self.arrived_late = 0  # first attempts at what was sent again
        self.unknowable = 0  # second orders that nobody could know of
        self._stack = ExitStack()
        self._desk = AsyncExitStack()

    def __enter__(self) -> "Table":
        folder = self._stack.enter_context(tempfile.TemporaryDirectory())
        server = self._stack.enter_context(start_fault_server())
        self.bench = self.runner.run(self._desk.enter_async_context(bench(server, Path(folder))))
        return self

    def __exit__(self, *_: object) -> None:
        self.runner.run(self._desk.aclose())
        self.runner.close()
        self._stack.close()


class History(RuleBasedStateMachine):
    """One desk, two orders, and everything that can happen to them."""

    table: ClassVar[Table]

    def __init__(self) -> None:
        super().__init__()
        self.table.histories += 1
        self.bench = self.table.bench
        self.bench.new_case(f"history-{self.table.histories}")
        self.edits = 0
        self.yes: Counter[str] = Counter()  # a person's yes to what may be a second order
        self.again: Counter[int] = Counter()  # a person's yes to sending the same bytes again
        self.orders: Counter[str] = Counter()  # how many there were after the step before
        self.unknowable: Counter[str] = Counter()  # second orders of which nobody could know
        self.resends: set[int] = set()  # writes that Waybill sent again by itself
        self.came_late: set[int] = set()  # writes that arrived after all, when they had been refused another time

    def run(self, work: Any) -> Any:
        return self.table.runner.run(work)

    @initialize(literal=st.booleans())
    def provider(self, literal: bool) -> None:
        self.bench.script.literal = literal

    @rule(reference=REFERENCES)
    def submit(self, reference: str) -> None:
        self.edits += 1
        order = submission(reference, f"Edit {self.edits}")
        self.run(outbox.queue_submission(self.bench.desk, order, None))

    @rule(
        reference=REFERENCES,
        name=st.sampled_from(("lost", "late", "late", "busy", "acted, unsaid")),
        arrives=st.sampled_from(("never", "before", "between", "after")),
    )
    def submit_without_an_answer(self, reference: str, name: str, arrives: str) -> None:
        """What the other rules come to seldom: a new order in doubt, until it is sent again or found."""
        self.bench.script.then(SUBMIT, FAULTS[name])
        self.submit(reference)
        self.send()
        for moment in ("before", "between"):
            if arrives == moment:
                self.late_arrive()
            self.bench.skip(GRACE)
            self.run(settling.settle(self.bench.desk))
        self.send()
        if arrives == "after":
            self.late_arrive()

    @rule(reference=REFERENCES)
    def cancel(self, reference: str) -> None:
        self.run(outbox.queue_cancellation(self.bench.desk, reference))
        self.bench.skip(outbox.UNDO)

    @rule(path=st.sampled_from((SUBMIT, SUBMIT, CANCEL, STATUS, "/orders/open")), name=st.sampled_from(sorted(FAULTS)))
    def break_something(self, path: str, name: str) -> None:
        self.bench.script.then(path, FAULTS[name])

    @rule()
    def send(self) -> None:
        self.run(outbox.drain(self.bench.desk))

    @rule(acts=st.booleans())
    def die_while_sending(self, acts: bool) -> None:
        self.run(self._die(acts))

    async def _die(self, acts: bool) -> None:
        server = self.bench.server
        gate, before = server.gate(), len(server.seen(SUBMIT))
        self.bench.script.clear_path(SUBMIT)
        self.bench.script.then(SUBMIT, held(before=gate) if acts else Fault(act=False, before=gate, keep_head=0))
        sending = asyncio.create_task(outbox.drain(self.bench.desk))
        while not sending.done() and len(server.seen(SUBMIT)) == before:  # noqa: ASYNC110  # on another thread
            await asyncio.sleep(0.001)
        if not sending.done():
            sending.cancel()  # what a killed process leaves behind: an attempt without an end
        await asyncio.wait({sending})
        self.bench.script.clear_path(SUBMIT)
        gate.release()
        came = server.seen(SUBMIT)[before:]
        while acts and came and not self._holds(came[0].body):  # noqa: ASYNC110
            await asyncio.sleep(0.001)
        await self.bench.reopen()

    def _holds(self, payload: bytes) -> bool:
        return any(payload in each.versions for each in self.bench.server.book.all())

    @rule()
    def restart(self) -> None:
        self.run(self.bench.reopen())

    @rule()
    def let_time_pass(self) -> None:
        self.bench.skip(GRACE)

    @rule()
    def settle_as_time_passes(self) -> None:
        """What the clock does while nobody looks: the second look after the grace, and what is sent again then."""
        for _ in range(2):
            self.bench.skip(GRACE)
            self.run(settling.settle(self.bench.desk))
        self.run(outbox.drain(self.bench.desk))

    @rule()
    def late_arrive(self) -> None:
        """What was on its way takes effect: at any time before something newer of its order does."""
        book = self.bench.server.book
        for seen in self.bench.server.let_arrive(lambda each: nothing_newer(book, each)):
            for write in self.run(outbox.writes(self.bench.desk, ("rejected",), 1_000)):
                if self.run(outbox.story(self.bench.desk, write.id)).payload == seen.body:
                    self.came_late.add(write.id)
            self.table.arrived_late += any(
                self.run(outbox.story(self.bench.desk, each)).payload == seen.body for each in self.resends
            )

    @rule(name=st.sampled_from(("open", "completed")))
    def refresh(self, name: Any) -> None:
        self.run(order_sync.refresh(self.bench.desk, name, 3))

    @rule()
    def settle(self) -> None:
        self.run(settling.settle(self.bench.desk))

    @rule(which=st.integers(0, 5))
    def undo(self, which: int) -> None:
        found = self.run(outbox.writes(self.bench.desk, ("queued", "in_doubt"), 10))
        if found:
            self.run(outbox.settle(self.bench.desk, found[which % len(found)].id, "withdrawn", "Not any more."))

    @rule(which=st.integers(0, 5))
    def let_go(self, which: int) -> None:
        """Also what nobody answers about: whoever sends that says yes to a second order too."""
        queued = self.run(outbox.writes(self.bench.desk, ("queued",), 1_000))
        found = [each for each in queued if each.held or each.waits_unasked]
        if not found:
            return
        write = found[which % len(found)]
        self.again[write.id] += 1
        self.yes[write.reference] += write.verdict != "changes" and write.kind == "submit"
        self.run(outbox.release(self.bench.desk, write.id))

    @rule(reference=REFERENCES, state=st.sampled_from((COMPLETE, CANCELLED)))
    def provider_closes(self, reference: str, state: str) -> None:
        self.bench.server.book.move(reference, state)

    @rule(reference=REFERENCES)
    def provider_is_behind(self, reference: str) -> None:
        self.bench.script.waiting.symmetric_difference_update({reference})

    @invariant()
    def holds(self) -> None:
        writes = self.run(outbox.writes(self.bench.desk, (), 1_000))
        for write in writes:
            self._check_claim(write)
        for reference in ("R-1", "R-2"):
            self._check_order(reference, [each for each in writes if each.reference == reference])

    def _check_claim(self, write: WriteRow) -> None:
        orders = self.bench.server.book.all(write.reference)
        assert write.state != "sending", "nothing is being sent between two steps"
        if write.kind == "cancel":
            cancelled = any(each.state == CANCELLED for each in orders)
            assert cancelled or write.state not in _CONFIRMED, f"cancellation {write.id} is claimed"
            return
        payload = self.run(outbox.story(self.bench.desk, write.id)).payload
        there = sum(each.versions.count(payload) for each in orders)
        turned_back = self._turned_back(write)
        assert there or write.state not in _CONFIRMED, f"{write.id} is {write.state}, but not there"
        # The provider may have taken what it said it had not: then it is sent again, and is there with the same data.
        excused = turned_back or write.id in self.came_late
        assert not there or write.state != "rejected" or excused, f"{write.id} is rejected, but there"
        if write.resend is not None and write.id not in self.resends:
            self.resends.add(write.id)
            self.table.sent_again += 1
        allowed = 1 + self.again[write.id] + turned_back + (write.id in self.resends)
        assert there <= allowed, f"{write.id} is there {there} times"

    def _check_order(self, reference: str, writes: list[WriteRow]) -> None:
        orders = self.bench.server.book.all(reference)
        if len(orders) > max(1, self.orders[reference]) and self._nobody_could_know(reference, writes):
            self.unknowable[reference] += 1
            self.table.unknowable += 1
        self.orders[reference] = len(orders)
        allowed = 1 + self.yes[reference] + self.unknowable[reference]
        assert len(orders) <= allowed, f"{len(orders)} orders, {self.yes[reference]} times yes"
        confirmed = [each for each in writes if each.kind == "submit" and each.state == "confirmed"]
        if not confirmed:
            return
        last = confirmed[0]  # the latest first
        if not any(each.id > last.id and self._is_flagged(each) for each in writes):
            payload = self.run(outbox.story(self.bench.desk, last.id)).payload
            assert orders[-1].versions[-1] == payload, f"the provider does not hold {last.id}, and nothing says so"

    def _nobody_could_know(self, reference: str, writes: list[WriteRow]) -> bool:
        """The provider took it and denied it or said nothing, cancelled it, and shows it nowhere since: by no status,
        in no list."""
        earlier = self.bench.server.book.all(reference)[:-1]
        closed = [each for each in self.bench.server.book.all() if each.state != OPEN]
        shown = not self.bench.script.literal and closed[-1].reference == reference
        hidden = not shown and all(each.state == CANCELLED for each in earlier)
        return hidden and any(self._turned_back(each) or each.resend is not None for each in writes)

    def _turned_back(self, write: WriteRow) -> int:
        """How often the provider said that it had not taken a write (429)."""
        attempts = self.run(outbox.story(self.bench.desk, write.id)).attempts
        return sum(1 + each.repeats for each in attempts if each.outcome == "not_taken")

    def _is_flagged(self, write: WriteRow) -> bool:
        """A later write of the order that is accepted, in doubt, queued, that was taken out of doubt by a person, or of
        which the provider said that it had not taken it."""
        if self._turned_back(write):
            return True
        return write.state not in ("rejected",) and (write.state != "withdrawn" or write.attempts > 0)


def _chunk(size: int, seed: int) -> Report:
    chosen = settings(
        max_examples=size,
        stateful_step_count=_STEPS,
        deadline=None,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
        print_blob=False,
    )
    report = Report()
    with Table() as table:
        machine = type("History", (History,), {"table": table})
        try:
            run_state_machine_as_test(seeded(seed)(machine), settings=chosen)
        except Exception as error:  # noqa: BLE001  # a finding, with the shortest history that shows it
            report.found.append("\n".join([f"seed {seed}: {error!r}", *getattr(error, "__notes__", ())]))
        report.tried = table.histories
        report.note = f"{seed} {table.sent_again} {table.arrived_late} {table.unknowable}"
        report.check(size < _TELLING or table.sent_again > 0, f"seed {seed}: nothing was ever sent again by itself")
    return report


def run(size: int, seed: int) -> Report:
    """About `size` histories."""
    report = spread(_chunk, size, seed, few=100)
    parts = [each.split() for each in report.note.split("; ")]
    again, late_ones, unknowable = (sum(int(each[column]) for each in parts) for column in (1, 2, 3))
    report.note = (
        f"sent again by itself {again:,}, of which the first attempt came after all {late_ones:,}; second orders of "
        f"one that was cancelled and that the provider showed nowhere {unknowable:,}"
    )
    return report


FAULT = Measure("F5", "random histories: the provider holds what is confirmed, or it is flagged", run, 100, 10_000)

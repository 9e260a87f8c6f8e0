"""The send queue: which queued write leaves next, how many leave at the same time, and when the queue stops.

Invariants: two writes of one reference are never sent at the same time. Trouble that concerns every write (no
connection, no token, a provider that asks for a pause, the disk) stops the queue at once. Trouble that may be one
write's own lets the other writes go on, until the circuit breaker opens.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime

from app.api.errors import Closing
from app.desk.desk import Desk
from app.desk.sending import resend
from app.desk.sending.evidence import ask_lists, with_lists
from app.desk.sending.last_look import decide_resend
from app.desk.sending.send_write import Outcome, record_unrecorded, send
from app.desk.sending.verdict import Verdict, verdict
from app.desk.team_side import Claimed
from app.store.journal import claim, own_evidence, write_store
from app.store.journal.records import UNASKED, WriteRow
from app.store.sqlite.text_values import local
from app.store.store_errors import JournalDamaged, StoreError, WrongState

_FEW = 8  # up to so many writes leave one after the other, in the order in which they were queued
_WORKERS = 16  # more writes than that are looked up and sent by so many workers
_IN_FLIGHT = 8  # so many writes are on the wire at any moment; the other workers look theirs up meanwhile
_STALE_S = 3.0  # a last look that is older is repeated before the write gets its place on the wire
_LOOKS = 3  # at one write, where each was stale by the time the write was about to leave


async def drain(
    desk: Desk,
    on_change: Callable[[], None] = lambda: None,
    on_outcome: Callable[[Outcome], None] = lambda _: None,
    may_go_on: Callable[[], bool] = lambda: True,
) -> list[Outcome]:
    """Send the queued writes, oldest first, until none is left or none can be sent; the outcome of each.

    If nothing more can be sent, the last outcome says why. `on_change` is called after every change of the journal,
    `on_outcome` just before that for each write that has ended. No further write is begun once `may_go_on` is False.
    """
    if desk.unrecorded:
        # An attempt without an end in the journal blocks its reference: it is recorded before anything is sent.
        failed = await record_unrecorded(desk)
        on_change()
        if failed is not None:
            on_outcome(failed)
            return [failed]
    return await _Drain(desk, on_change, on_outcome, may_go_on).run()


@dataclass(slots=True)
class _Drain:
    """One pass through the send queue."""

    desk: Desk
    on_change: Callable[[], None]
    on_outcome: Callable[[Outcome], None]
    may_go_on: Callable[[], bool]
    ready: deque[WriteRow] = field(default_factory=deque)  # to be sent; no two of one reference
    tried: set[int] = field(default_factory=set)  # each write is tried once in a pass
    outcomes: list[Outcome] = field(default_factory=list)
    stopped: bool = False
    in_flight: int = 0
    slots: asyncio.Condition = field(default_factory=asyncio.Condition)  # guards `in_flight`
    oldest: datetime | None = None  # when the first of the ready writes was queued
    throttled: set[str] = field(default_factory=set)  # references of which a write met a 429
    lists: asyncio.Lock = field(default_factory=asyncio.Lock)  # guards the two fields below
    list_requests: int = 0
    list_trouble: str = ""  # why the last request for the lists failed
    readmitted: set[int] = field(default_factory=set)  # writes that met a 403 before another write was let in

    async def run(self) -> list[Outcome]:
        """Read the queue and send what is ready, again and again until the queue holds nothing new."""
        while self.goes_on and self.desk.provider is not None and await self._read_queue():
            await self._send_ready()
            await self._readmit()
        # The outcome that stopped the queue comes last, whichever worker met it: the caller reads the reason there.
        return sorted(self.outcomes, key=lambda outcome: not outcome.go_on)

    @property
    def goes_on(self) -> bool:
        """Whether another write may be begun."""
        return not self.stopped and self.may_go_on()

    async def _read_queue(self) -> bool:
        """Fill `ready` with the writes that were not tried yet; whether there are any."""
        desk = self.desk
        waiting = await desk.journal.read(write_store.ready_writes, desk.profile.id, desk.now())
        # By id, which is the order in which the orders were queued; `_priority` below keeps that order within each
        # rank.
        waiting = sorted([*waiting, *await resend.ready(desk)], key=lambda each: each.id)
        self.ready.extend(sorted((each for each in waiting if each.id not in self.tried), key=self._priority))
        if self.ready:
            self.oldest = local(min(each.queued_at for each in self.ready))
            self.throttled = await desk.journal.read(own_evidence.turned_back_references, desk.profile.id)
            self.tried.update(each.id for each in self.ready)
        return bool(self.ready)

    def _priority(self, write: WriteRow) -> int:
        """Urgent writes first: of those that cannot be looked up only the first is tried. Deferred writes last, so that
        a few failing ones hold up nobody."""
        if UNASKED in write.consents or write.id in self.desk.urgent:
            return 0
        return 2 if write.id in self.desk.deferred else 1

    async def _send_ready(self) -> None:
        workers = _WORKERS if len(self.ready) > _FEW else 1
        # The first write goes alone: trouble that stops it would have put a write of each worker in doubt.
        await self._work(1)
        ended = await asyncio.gather(*(self._work(None) for _ in range(workers)), return_exceptions=True)
        for error in ended:  # only once all have ended: a worker never cancels the write of another worker
            if isinstance(error, BaseException):
                raise error

    async def _work(self, count: int | None) -> None:
        """Send `count` of the ready writes one after the other, or all of them."""
        while self.ready and self.goes_on and count != 0:
            count = None if count is None else count - 1
            try:
                outcome = await self._try(self.ready.popleft())
            except BaseException:
                # The other workers begin nothing more. They are not cancelled: the error is heard of after their end.
                self.stopped = True
                raise
            if outcome is None:
                continue
            self.outcomes.append(outcome)
            self.stopped = self.stopped or not outcome.go_on
            self.on_outcome(outcome)
            self.on_change()

    async def _try(self, write: WriteRow) -> Outcome | None:
        """Look a write up for the last time and send it; None if it is not to be sent now."""
        desk = self.desk
        desk.urgent.discard(write.id)
        try:
            # The claim before the look: what another desk sent until the claim was got has to be in the answer.
            async with _claimed(desk, write.reference) as claim:
                if claim.state == "waits":
                    return await self._wait_for_claim(write, claim)
                # Looked up before a slot is taken: the other workers use the wire meanwhile.
                found = await verdict(desk, write.reference)
                if isinstance(found.error, Closing):  # our own doing: it says nothing of the write
                    self.stopped = True
                    return None
                async with self._slot():
                    outcome = await self._look_and_send(write, found, claim)
                    return None if outcome is None else self._learn_from(outcome)
        except WrongState:
            return None  # withdrawn since the queue was read
        except JournalDamaged as error:
            return Outcome(write.id, write.state, error.sentence, recorded=False)  # the other writes are whole
        except StoreError as error:
            return Outcome(write.id, write.state, error.sentence, go_on=False, recorded=False)

    async def _wait_for_claim(self, write: WriteRow, claim: Claimed) -> Outcome:
        """Another desk sends this reference at the moment, or the team cannot be asked: the write waits."""
        if write.state == "queued":
            note = write_store.set_note
            await self.desk.journal.write(note, write.id, claim.sentence, self.desk.now(), change=write.change)
        return Outcome(write.id, write.state, claim.sentence, retry_later=True)

    async def _look_and_send(self, write: WriteRow, found: Verdict, claim: Claimed) -> Outcome | None:
        if write.state == "in_doubt" and await self._sent_by_others(write):
            return None  # what the provider shows may be the other desk's order: `settling` weighs it
        outcome = None

        def begun() -> None:
            # The outcome of the attempt is unknown until it is in the journal. Before it has begun nothing was sent.
            claim.keep = claim.state == "got"
            self.on_change()

        for _ in range(_LOOKS):
            if self.goes_on and self._is_stale(found):
                found = await verdict(self.desk, write.reference)
                self.stopped = self.stopped or isinstance(found.error, Closing)
            found = await self._check_lists(write, found)
            if not self.goes_on or self._stays_in_doubt(write, found):
                break
            outcome = await send(self.desk, write, found, begun, unclaimed=claim.state == "unclaimed")
            claim.keep = claim.keep and (outcome.failure == "doubt" or not outcome.recorded)
            # A computer that slept or a slow disk makes this one look stale. It stops the queue only if it recurs.
            if not outcome.stale:
                break
        return outcome

    async def _sent_by_others(self, write: WriteRow) -> bool:
        team = self.desk.team
        return team is not None and await team.sent_by_others(write.reference) is not None

    def _is_stale(self, found: Verdict) -> bool:
        """Whether the write waited so long for its place on the wire that the order may have been closed since."""
        return found.asked is not None and self.desk.timing.age(found.asked, self.desk.now()) > _STALE_S

    async def _check_lists(self, write: WriteRow, found: Verdict) -> Verdict:
        """The verdict with the evidence of the lists, for a new order that was in doubt or throttled before: the
        provider may have taken that order although it said otherwise, and may have closed it since."""
        unseen = found.kind in ("new", "unknown") and found.error is None
        sent_before = write.state == "in_doubt" or write.reference in self.throttled
        if not unseen or not sent_before or not self.goes_on:
            return found
        requests = self.list_requests
        # Workers that wait here share one request. It must begin after the look of each of them: a list that was
        # requested before the look may be older than the verdict.
        async with self.lists:
            if self.list_requests == requests:
                self.list_requests += 1
                self.list_trouble = await ask_lists(self.desk, self.oldest or self.desk.now())
            return await with_lists(self.desk, write, found, self.list_trouble)

    def _stays_in_doubt(self, write: WriteRow, found: Verdict) -> bool:
        """Whether a write in doubt is not to be resent after all: `settling` weighs the evidence then."""
        if write.state != "in_doubt":
            return False
        return decide_resend(found, connected=self.desk.provider is not None).decision in ("wait", "hold")

    @asynccontextmanager
    async def _slot(self) -> AsyncGenerator[None]:
        """A place on the wire, as soon as there is one."""
        async with self.slots:
            await self.slots.wait_for(self._has_slot)
            self.in_flight += 1
        try:
            yield
        finally:
            # Also after an error: a slot that is never given back would stop the queue for good.
            async with self.slots:
                self.in_flight -= 1
                self.slots.notify_all()

    def _has_slot(self) -> bool:
        """Whether a worker need not wait: there is a place on the wire, or nothing more is sent anyway."""
        return self.in_flight < (1 if self.desk.breaker.one_at_a_time else _IN_FLIGHT) or not self.goes_on

    def _learn_from(self, outcome: Outcome) -> Outcome:
        """Draw the consequences of an outcome for the other writes.

        Called while the slot is held: the next write is begun only once the breaker knows of this one.
        """
        desk, breaker = self.desk, self.desk.breaker
        desk.timing.back_off(outcome.retry_after)
        if outcome.status_known:
            breaker.record_answer()
        if outcome.failure is not None:
            breaker.record_failure(outcome.write_id, outcome.failure)
            desk.deferred.add(outcome.write_id)
        elif outcome.state in ("accepted", "rejected"):
            if breaker.cause == "turned away":
                # A write that a person has sent since, and that is in doubt, no longer waits for a permission.
                self.readmitted |= breaker.failed["turned away"] - breaker.failed.get("doubt", set())
            breaker.record_success()
            desk.deferred.discard(outcome.write_id)
        elif outcome.state == "queued" and outcome.retry_after is not None:
            desk.deferred.add(outcome.write_id)  # a write that meets a 429 each time does not hold up the others
        if outcome.failure is not None and breaker.cause is not None:
            outcome = replace(outcome, go_on=False, blocked=breaker.cause == "turned away")
        if outcome.blocked:
            desk.blocked = outcome.sentence
        elif outcome.failure in (None, "doubt"):
            desk.blocked = ""
        self.stopped = self.stopped or not outcome.go_on  # before another worker gets the slot
        return outcome

    async def _readmit(self) -> None:
        """The provider lets writes in again: those held only because of a 403 go back to the queue."""
        if self.readmitted:
            await self.desk.journal.write(claim.release_not_allowed, self.readmitted, self.desk.now())
            self.readmitted = set()
            self.on_change()


@asynccontextmanager
async def _claimed(desk: Desk, reference: str) -> AsyncGenerator[Claimed]:
    """Hold the claim on a reference for the time of the block: no other desk of the team begins an attempt with it.

    Without a team nothing is asked and nothing waits.
    """
    team = desk.team
    if team is None:
        yield Claimed("alone")
        return
    found = await team.claim(reference)
    try:
        yield found
    finally:
        # Also after an error: otherwise the others would wait until the claim ends by itself. Where no answer came in
        # time, the claim may have been got all the same; of a write that waits then, the team gives it back.
        if found.state in ("got", "unclaimed") and not found.keep:
            team.give_back(reference)
        else:
            team.tell()

"""How what is queued leaves: oldest first, on several lanes when there is much, and when it has to stop.

Invariants: never two writes of one reference at a time. What concerns every write (no connection, no token, a provider
that asks for a rest, the disk) stops the run at once; what may be one write's own trouble lets the others go on, until
`brake` says that it is not. While the last ones ended badly the next goes alone.
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
from app.desk.sending.last_look import decide_again
from app.desk.sending.list_evidence import ask_lists, with_lists
from app.desk.sending.send_write import Outcome, end_unended, send
from app.desk.sending.verdict import Verdict, verdict
from app.store.journal import claim, own_evidence, write_store
from app.store.journal.records import UNASKED, WriteRow
from app.store.sqlite.text_values import local
from app.store.store_errors import JournalDamaged, StoreError, WrongState

_FEW = 8  # so many leave one after the other, in the order in which they were queued
_LANES = 16  # more than that leave on so many lanes: other references, never two writes of one,
_OLD_S = 3.0  # a last look that is older is taken again
_LOOKS = 3  # at one write, where each was too old by the time it was about to leave
_SLOTS = 8  # of which so many are being sent at any moment, while the others are looked at for the last time


async def drain(
    desk: Desk,
    told: Callable[[], None] = lambda: None,
    ended: Callable[[Outcome], None] = lambda _: None,
    wanted: Callable[[], bool] = lambda: True,
) -> list[Outcome]:
    """Send what is queued, oldest first, until nothing is left or nothing can be sent; how each ended.

    A few leave one by one; many leave on several lanes, at most one write of a reference at a time. When nothing more
    can be sent, the last outcome says why. `told` is called whenever the journal has changed, and just before that
    `ended` for each write as it ends. Nothing more is begun once `wanted` says no.
    """
    if desk.unended:
        unkept = await end_unended(desk)
        told()
        if unkept is not None:
            ended(unkept)
            return [unkept]
    run = _Run(desk, told, ended, wanted)
    passed: set[int] = set()  # each write is tried once
    while run.may_go_on and desk.provider is not None:
        waiting = await desk.journal.read(write_store.writes_waiting, desk.profile.id, desk.now())
        waiting = sorted([*waiting, *await resend.ready(desk)], key=lambda each: each.id)
        found = [each for each in waiting if each.id not in passed]
        # What ended badly the last time is tried behind the others, so that a few of them hold up nobody; what a
        # person wants sent goes before them, since of those that nobody answers about only the first is tried.
        run.ready.extend(sorted(found, key=lambda each: desk.brake.place(each.id, unasked=each.agreed == UNASKED)))
        if not run.ready:
            break
        run.since = min(local(each.queued_at) for each in run.ready)
        run.turned_back = await desk.journal.read(own_evidence.turned_back, desk.profile.id)
        passed.update(each.id for each in run.ready)
        await _send_ready(run)
        await _let_in(run)
    return sorted(run.outcomes, key=lambda outcome: not outcome.go_on)


@dataclass(slots=True)
class _Run:
    """What is ready to be sent (no two of one reference), and how those before it ended."""

    desk: Desk
    told: Callable[[], None]
    ended: Callable[[Outcome], None]
    wanted: Callable[[], bool]
    ready: deque[WriteRow] = field(default_factory=deque)
    outcomes: list[Outcome] = field(default_factory=list)
    go_on: bool = True
    under_way: int = 0
    turns: asyncio.Condition = field(default_factory=asyncio.Condition)  # over the number before it
    since: datetime | None = None  # when the first of them was queued
    turned_back: set[str] = field(default_factory=set)  # references of which something was not taken (429)
    lists: asyncio.Lock = field(default_factory=asyncio.Lock)  # over what is known of the lists
    lists_begun: int = 0  # how often they were asked for
    lists_trouble: str = ""  # why they could not be, the last time
    let_in: set[int] = field(default_factory=set)  # were turned away, while another is not any more

    @property
    def may_go_on(self) -> bool:
        """Whether another one may be begun."""
        return self.go_on and self.wanted()

    @property
    def has_room(self) -> bool:
        """Whether one more may be on the wire, or need not wait any longer."""
        return self.under_way < (1 if self.desk.brake.careful else _SLOTS) or not self.may_go_on


async def _send_ready(run: _Run) -> None:
    """Send all that is ready. One goes first: what stops it would have stopped or put in doubt every lane at once."""
    lanes = _LANES if len(run.ready) > _FEW else 1
    await _lane(run, 1)
    ended = await asyncio.gather(*(_lane(run, None) for _ in range(lanes)), return_exceptions=True)
    for error in ended:  # a lane never breaks another one off, since a write is not cancelled
        if isinstance(error, BaseException):
            raise error


async def _lane(run: _Run, count: int | None) -> None:
    """Send one after the other, `count` or as long as there are any."""
    while run.ready and run.may_go_on and count != 0:
        count = None if count is None else count - 1
        try:
            outcome = await _try(run, run.ready.popleft())
        except BaseException:
            run.go_on = False
            raise
        if outcome is None:
            continue
        run.outcomes.append(outcome)
        run.go_on = run.go_on and outcome.go_on
        run.ended(outcome)
        run.told()


async def _try(run: _Run, write: WriteRow) -> Outcome | None:
    """Look at a write of the queue for the last time, and send it in its turn; None when there is no sending it now."""
    desk = run.desk
    desk.brake.ahead.discard(write.id)
    try:
        found = await verdict(desk, write.reference)
        if isinstance(found.error, Closing):  # what is known of the write stays as it is
            run.go_on = False
            return None
        async with _slot(run):
            outcome = None
            for _ in range(_LOOKS):
                if run.may_go_on and _is_old(desk, found):
                    found = await verdict(desk, write.reference)
                    run.go_on = run.go_on and not isinstance(found.error, Closing)
                found = await _closer(run, write, found)
                if not run.may_go_on or _stays_in_doubt(desk, write, found):
                    break
                outcome = await send(desk, write, found, run.told)
                # The computer slept, or the disk took its time: that concerns this one look. It is no reason to stop,
                # unless it goes on.
                if not outcome.too_late:
                    break
            return None if outcome is None else _weighed(run, outcome)
    except WrongState:
        return None  # withdrawn since the queue was read
    except JournalDamaged as error:
        return Outcome(write.id, write.state, error.sentence, kept=False)  # the others are whole
    except StoreError as error:
        return Outcome(write.id, write.state, error.sentence, go_on=False, kept=False)


async def _closer(run: _Run, write: WriteRow, found: Verdict) -> Verdict:
    """The look with what the lists say, for a new order that was in doubt or turned back before: the provider may have
    taken it although it said otherwise, and may have closed it since."""
    desk = run.desk
    unseen = found.kind in ("new", "unknown") and found.error is None
    before = write.state == "in_doubt" or write.reference in run.turned_back
    if not unseen or not before or not run.may_go_on:
        return found
    begun = run.lists_begun
    async with run.lists:  # those who wait here at the same time share an asking that begins after their own look
        if run.lists_begun == begun:
            run.lists_begun += 1
            run.lists_trouble = await ask_lists(desk, run.since or desk.now())
        return await with_lists(desk, write, found, run.lists_trouble)


def _stays_in_doubt(desk: Desk, write: WriteRow, found: Verdict) -> bool:
    """Whether it is no order to send again after all: what is known of it by now is for `settling` to weigh."""
    if write.state != "in_doubt":
        return False
    return decide_again(found, connected=desk.provider is not None).decision in ("wait", "hold")


def _is_old(desk: Desk, found: Verdict) -> bool:
    """Whether the place on the wire came so late that the order may have been closed since."""
    return found.asked is not None and desk.timing.age(found.asked, desk.now()) > _OLD_S


@asynccontextmanager
async def _slot(run: _Run) -> AsyncGenerator[None]:
    """A place on the wire, as soon as there is one."""
    async with run.turns:
        await run.turns.wait_for(lambda: run.has_room)
        run.under_way += 1
    try:
        yield
    finally:
        async with run.turns:
            run.under_way -= 1
            run.turns.notify_all()


def _weighed(run: _Run, outcome: Outcome) -> Outcome:
    """What the ending of one says of the others: the next one is begun only after that."""
    desk, brake = run.desk, run.desk.brake
    desk.timing.leave_alone(outcome.rest)
    if outcome.asked:
        brake.answered()
    if outcome.trouble is not None:
        brake.note(outcome.write_id, outcome.trouble)
    elif outcome.state in ("accepted", "rejected"):
        if brake.cause == "turned away":
            # One that a person has sent since, and that is in doubt, waits for something else by now.
            run.let_in |= brake.in_row["turned away"] - brake.in_row.get("doubt", set())
        brake.let_off(outcome.write_id)
    elif outcome.state == "queued" and outcome.rest is not None:
        brake.behind.add(outcome.write_id)  # one that is always turned back does not hold up the others
    if outcome.trouble is not None and brake.cause is not None:
        outcome = replace(outcome, go_on=False, barred=brake.cause == "turned away")
    if outcome.barred:
        desk.barred = outcome.sentence
    elif outcome.trouble in (None, "doubt"):
        desk.barred = ""
    run.go_on = run.go_on and outcome.go_on  # before anybody else has the place
    return outcome


async def _let_in(run: _Run) -> None:
    """The connection was put right: what waited for that and for nothing else goes its way again."""
    if run.let_in:
        await run.desk.journal.write(claim.let_in, run.let_in, run.desk.now())
        run.let_in = set()
        run.told()

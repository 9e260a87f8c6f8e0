"""The one road of every write: journal first, then the wire, then the outcome into the journal.

Invariants: the exact bytes are on the disk before the first one leaves. A write that may have arrived is in doubt and
is never sent again by itself; only one that provably never left goes back to the queue. Whatever happens here, the
journal says so before anybody else is told.
"""

import asyncio
import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from app.api.errors import ApiError, Busy, Closing, NotAllowed, NotAuthorised, NotFound, NotSent, Refused
from app.api.wire import Reply
from app.contract.draft import OrderDraft
from app.contract.replies import StatusReading, read_problem, read_status
from app.contract.shape import draft_of_body
from app.contract.submission import Cancellation, OrderSubmission, wire_bytes
from app.desk.desk import Desk
from app.desk.recheck import TO_DO, decide
from app.desk.verdict import Verdict, VerdictKind, verdict
from app.store import journal, journal_sending
from app.store.errors import JournalDamaged, StoreError, WrongState
from app.store.journal_rows import Outcome as AttemptOutcome
from app.store.journal_rows import WriteRow, WriteState, WriteStory
from app.store.journal_sending import Look, begin

UNDO = timedelta(seconds=10)
_FEW = 8  # so many leave one after the other, in the order in which they were queued
_LANES = 16  # more than that leave on so many lanes: other references, never two writes of one,
_SLOTS = 8  # of which so many are being sent at any moment, while the others are looked at for the last time


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a write stands now: its state in the journal, the sentence about it, and whether to go on sending others.

    `kept` is False when the journal could not be read or written: the sentence says why. `later` means that it waits in
    the queue for its turn, and is tried again by the clock; `held` that it waits for a person.
    """

    write_id: int
    state: WriteState
    sentence: str
    go_on: bool = True
    kept: bool = True
    later: bool = False
    held: bool = False
    barred: bool = False  # until a person puts the connection right
    rest: float | None = None  # for how many seconds the provider asked to be left alone


async def queue_submission(
    desk: Desk, submission: OrderSubmission, draft_id: str | None, agreed: VerdictKind | None = None
) -> int:
    """Journal a submission with its exact bytes; its number in the sequence. Raises `StoreError` if it is not kept.

    `agreed` is a verdict that a person has said yes to, where one was asked for.
    """
    return await desk.journal.write(
        journal.queue_write,
        desk.profile.id,
        "submit",
        submission.orderReferenceNumber,
        wire_bytes(submission),
        desk.now(),
        draft_id=draft_id,
        agreed=agreed,
    )


async def queue_cancellation(desk: Desk, reference: str) -> int:
    """The same for cancelling the open order with this reference; it can be taken back for `UNDO` before it leaves."""
    payload = wire_bytes(Cancellation(orderReferenceNumber=reference))
    now = desk.now()
    return await desk.journal.write(
        journal.queue_write, desk.profile.id, "cancel", reference, payload, now, not_before=now + UNDO
    )


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
    run = _Run(desk, told, ended, wanted)
    passed: set[int] = set()  # each write is tried once
    while run.may_go_on and desk.provider is not None:
        waiting = await desk.journal.read(journal.writes_waiting, desk.profile.id, desk.now())
        run.ready.extend(each for each in waiting if each.id not in passed)
        if not run.ready:
            break
        passed.update(each.id for each in run.ready)
        await _send_ready(run)
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
    slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_SLOTS))

    @property
    def may_go_on(self) -> bool:
        """Whether another one may be begun."""
        return self.go_on and self.wanted()


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
        run.desk.barred = outcome.sentence if outcome.barred else ""
        run.go_on = run.go_on and outcome.go_on
        run.ended(outcome)
        run.told()


async def _try(run: _Run, write: WriteRow) -> Outcome | None:
    """Look at a write of the queue for the last time, and send it in its turn; None when there is no sending it now."""
    desk = run.desk
    try:
        found = await verdict(desk, write.reference)
        if isinstance(found.error, Closing):  # what is known of the write stays as it is
            run.go_on = False
            return None
        async with run.slots:
            return await send(desk, write, found, run.told) if run.may_go_on else None
    except WrongState:
        return None  # withdrawn since the queue was read
    except JournalDamaged as error:
        return Outcome(write.id, write.state, error.sentence, kept=False)  # the others are whole
    except StoreError as error:
        return Outcome(write.id, write.state, error.sentence, go_on=False, kept=False)


async def send(desk: Desk, write: WriteRow, found: Verdict, told: Callable[[], None] = lambda: None) -> Outcome:
    """Send one queued write, if it may go by what was just `found` of it; trouble of the call is told in the result.

    Raises `WrongState` if it is not queued, and `StoreError` if the attempt could not be written down: it was not sent.
    """
    provider = desk.provider
    if provider is None:
        return Outcome(write.id, write.state, desk.trouble, go_on=False)
    seen, begun = await desk.journal.write(
        begin, write, lambda tried: _decide(desk, write, found, tried), desk.now()
    )
    if begun is None:
        return _not_now(write, seen)
    attempt = begun.attempt
    call = provider.management.submit_order if write.kind == "submit" else provider.management.cancel_order
    try:
        told()
        reply = await call(begun.payload)
    except ApiError as error:
        ending = _end_badly(desk, write, attempt, error)
    except Exception:
        # A fault of ours after the attempt began: nobody knows what left, and the journal must not claim otherwise.
        await _end(desk, attempt, "unknown", "Waybill failed while sending. Look the order up.")
        raise
    else:
        ending = _end_well(desk, write, attempt, reply)
    finally:
        desk.timing.note_tried(write.reference)
    try:
        return await ending
    except StoreError as error:
        words = f"How the sending of {write.reference} ended could not be written down. {error.sentence}"
        return Outcome(
            write.id, "sending", f"{words} At the next start it counts as in doubt.", go_on=False, kept=False
        )


def _decide(desk: Desk, write: WriteRow, found: Verdict, tried: datetime | None) -> Look:
    at = found.asked or desk.timing.instant(desk.now())
    waited = None if tried is None else desk.timing.since_tried(write.reference, tried, at)
    return decide(write, found, waited, connected=desk.provider is not None)


def _not_now(write: WriteRow, seen: Look) -> Outcome:
    return Outcome(
        write.id,
        "queued",
        seen.sentence,
        go_on=seen.decision != "stop",
        later=seen.decision == "wait",
        held=seen.decision == "hold",
        barred=seen.barred,
        rest=seen.rest,
    )


async def _end_well(desk: Desk, write: WriteRow, attempt: int, reply: Reply) -> Outcome:
    reading = read_status(reply.body, write.reference)
    sentence = _accepted_words(write, reading)
    await _end(desk, attempt, "accepted", sentence, status=reply.status, body=reply.body, kind=reply.content_type)
    return Outcome(write.id, "accepted", sentence)


def _accepted_words(write: WriteRow, reading: StatusReading) -> str:
    what = "The provider accepted the cancellation" if write.kind == "cancel" else "The provider accepted the order"
    number = "" if reading.system_number is None else f" as number {reading.system_number}"
    status = "" if reading.status is None else f" Status: {reading.status.value}."
    return f"{what}{number}.{status}"


async def _end_badly(desk: Desk, write: WriteRow, attempt: int, error: ApiError) -> Outcome:
    body = _problem_bytes(error) if isinstance(error, Refused) else None
    kind = "application/problem+json" if body else None
    barred = isinstance(error, NotAuthorised | NotAllowed)
    sentence = f"{error.sentence} {TO_DO}" if barred else error.sentence
    state = await _end(desk, attempt, _outcome_of(error), sentence, status=_status_of(error), body=body, kind=kind)
    if isinstance(error, Closing) and write.note:
        await desk.journal.write(journal.explain, write.id, write.note, desk.now())  # the reason stays to be read
    # Without a connection, a token or the permission nothing else would leave either, and a provider that asks for a
    # rest would put each of the others in doubt: the rest waits.
    rest = error.retry_after if isinstance(error, Busy) else None
    go_on = state != "queued" and not isinstance(error, Busy)
    return Outcome(write.id, state, sentence, go_on=go_on, barred=barred, rest=rest)


def _status_of(error: ApiError) -> int | None:
    """The status of the answer that the error stands for, where it stands for one."""
    if isinstance(error, NotFound):
        return 404
    return 403 if isinstance(error, NotAllowed) else getattr(error, "status", None)


def _outcome_of(error: ApiError) -> AttemptOutcome:
    match error:
        case NotSent():
            return "not_sent"
        case NotAuthorised() | NotAllowed():
            return "not_authorised"
        case Busy():
            return "busy"
    return "unknown" if error.may_have_acted else "rejected"


def _problem_bytes(error: Refused) -> bytes:
    problem = error.problem
    record = {
        "title": problem.title,
        "detail": problem.detail,
        "status": error.status,
        "errors": {path: list(words) for path, words in problem.errors.items()},
    }
    return json.dumps(record, ensure_ascii=False).encode()


async def _end(
    desk: Desk,
    attempt: int,
    outcome: AttemptOutcome,
    sentence: str,
    *,
    status: int | None = None,
    body: bytes | None = None,
    kind: str | None = None,
) -> WriteState:
    return await desk.journal.write(
        journal.end_attempt,
        attempt,
        outcome,
        desk.now(),
        http_status=status,
        reply=body,
        reply_type=kind,
        sentence=sentence,
    )


async def story(desk: Desk, write_id: int) -> WriteStory:
    """A write with everything that was tried."""
    return await desk.journal.read(journal.write_story, write_id)


async def settle(
    desk: Desk, write_id: int, state: WriteState, sentence: str, *, seen: WriteState | None = None
) -> None:
    """A person's decision about a write: withdrawn, queued again, or accepted.

    Raises `WrongState` if that is not possible, or if it is no longer in the state in which the person has `seen` it.
    """
    await desk.journal.write(journal.settle, write_id, state, sentence, desk.now(), seen=seen)


def provider_words(told: WriteStory) -> dict[str, str]:
    """What the provider said about single fields when it refused, by field path."""
    for attempt in reversed(told.attempts):
        if attempt.reply is not None and attempt.outcome == "rejected":
            return {path: " ".join(words) for path, words in read_problem(attempt.reply).errors.items()}
    return {}


async def writes(desk: Desk, states: tuple[WriteState, ...], limit: int, *, held: bool | None = None) -> list[WriteRow]:
    """The latest writes in any of these states, or in any state; `held` picks among the queued ones."""
    return await desk.journal.read(journal.writes_page, desk.profile.id, states, limit, held=held)


async def counts(desk: Desk) -> dict[WriteState, int]:
    """How many writes are in each state."""
    return await desk.journal.read(journal.counts, desk.profile.id)


async def recover(desk: Desk) -> int:
    """At start: whatever was being sent when the program ended is in doubt. How many."""
    return await desk.journal.write(journal.recover, desk.now())


async def history(desk: Desk, reference: str) -> list[WriteRow]:
    """What this desk sent about an order, latest first."""
    return await desk.journal.read(journal.writes_of, desk.profile.id, reference)


async def next_due(desk: Desk) -> datetime | None:
    """When the next write that can still be taken back is to leave."""
    return await desk.journal.read(journal_sending.next_due, desk.profile.id)


async def let_go(desk: Desk, write_id: int, seen: WriteRow | None = None) -> None:
    """A person has decided: what is held, or can still be taken back, is sent now.

    If the provider then says something else than what it was held for, it is held again.
    Raises `WrongState` when it is not in the queue any more, or held for something else than when it was `seen`.
    """
    await desk.journal.write(journal.release, write_id, desk.now(), seen)


async def count_held(desk: Desk) -> int:
    """How many queued writes wait for a person."""
    return await desk.journal.read(journal.count_held, desk.profile.id)


def draft_again(payload: bytes) -> OrderDraft:
    """What was sent, as a draft that can be changed and sent again."""
    return draft_of_body(json.loads(payload))[0]

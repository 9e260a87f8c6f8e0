"""One queued write leaves: the last look, the bytes on the wire, and how it ended into the journal.

Invariant: whatever happens after the attempt is written down, the journal says so before anybody else is told, and
never claims to know what nobody knows.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from app.api.errors import (
    ApiError,
    Busy,
    Closing,
    NotAllowed,
    NotAuthorised,
    NotFound,
    NotSent,
    NotTaken,
    Refused,
    TooLate,
)
from app.api.reply import Reply
from app.contract.replies import StatusReading, another_order, read_status
from app.desk.circuit_breaker import Trouble
from app.desk.desk import Desk
from app.desk.sending.last_look import TO_DO, TO_DO_AND_SEND, decide, decide_again, was_asked
from app.desk.sending.provider_evidence import SECOND_ATTEMPT
from app.desk.sending.verdict import Verdict
from app.store.journal import claim, write_store
from app.store.journal.automatic_resend import begin_again
from app.store.journal.claim import Look, begin
from app.store.journal.records import NEVER_LEFT, WriteRow, WriteState
from app.store.journal.records import Outcome as AttemptOutcome
from app.store.store_errors import StoreError, WrongState

# A disk, a token or a connection may take its time, and the computer may sleep meanwhile: an order that was looked at
# longer ago may have been closed since, and is looked at again.
_GOOD_FOR_S = 45.0
_NOT_KEPT = "How this ended could not be written down at the time, so nobody knows whether it arrived."
_LOOK_UP = "whether this one arrived is not known. Look it up before sending it again."
_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a write stands now: its state in the journal, the sentence about it, and whether to go on sending others.

    `kept` is False when the journal could not be read or written: the sentence says why. `later` means that it waits in
    the queue for its turn, and is tried again by the clock; `held` that it waits for a person. `trouble` is the sort of
    it, where it may be this write's own; `go_on` is False at once for what concerns all of them.
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
    trouble: Trouble | None = None
    asked: bool = True  # the provider has said how the order stands
    too_late: bool = False  # it was held back at the last moment, and is to be looked at again


async def send(desk: Desk, write: WriteRow, found: Verdict, told: Callable[[], None] = lambda: None) -> Outcome:
    """Send one queued write, or one in doubt again, if it may go by what was just `found` of it; trouble of the call is
    told in the result.

    Raises `WrongState` if it does not stand so any more, and `StoreError` if the attempt could not be written down: it
    was not sent.
    """
    provider = desk.provider
    if provider is None:
        return Outcome(write.id, write.state, desk.trouble, go_on=False, asked=False)
    if write.state == "in_doubt":
        looked_at = desk.now() if found.asked is None else found.asked.clock
        seen, begun = await desk.journal.write(
            begin_again, write, lambda: _decide_again(desk, found), desk.now(), looked_at, desk.profile
        )
    else:
        seen, begun = await desk.journal.write(
            begin, write, lambda tried: _decide(desk, write, found, tried), desk.now(), desk.profile
        )
    if begun is None:
        return _not_now(write, seen, found)
    attempt = begun.attempt

    def wanted() -> bool:
        return found.asked is None or desk.timing.age(found.asked, desk.now()) < _GOOD_FOR_S

    call = provider.management.submit_order if write.kind == "submit" else provider.management.cancel_order
    try:
        told()
        reply = await call(begun.payload, wanted)
    except NotAllowed as error:
        ending = _end_turned_away(desk, write, attempt, error)
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
        return replace(await ending, asked=was_asked(found))
    except StoreError as error:
        desk.unended[attempt] = write.id
        words = f"How the sending of {write.reference} ended could not be written down. {error.sentence}"
        return _unkept(write.id, f"{words} As soon as that is possible it counts as in doubt.")


async def end_unended(desk: Desk) -> Outcome | None:
    """Write down what could not be written down when it ended: that nobody knows. None once all of it is kept."""
    for attempt, write_id in list(desk.unended.items()):
        try:
            await _end(desk, attempt, "unknown", _NOT_KEPT)
        except WrongState:  # it was ended otherwise: the failing commit had arrived after all
            pass
        except StoreError as error:
            return _unkept(write_id, f"{_NOT_KEPT} {error.sentence}")
        del desk.unended[attempt]
    return None


def _unkept(write_id: int, sentence: str) -> Outcome:
    return Outcome(write_id, "sending", sentence, go_on=False, kept=False)


def _decide(desk: Desk, write: WriteRow, found: Verdict, tried: datetime | None) -> Look:
    at = found.asked or desk.timing.instant(desk.now())
    waited = None if tried is None else desk.timing.since_tried(write.reference, tried, at)
    return decide(write, found, waited, connected=desk.provider is not None)


def _decide_again(desk: Desk, found: Verdict) -> Look:
    return decide_again(found, connected=desk.provider is not None)


def _not_now(write: WriteRow, seen: Look, found: Verdict) -> Outcome:
    asked = was_asked(found)
    trouble: Trouble | None = "turned away" if isinstance(found.error, NotAllowed) else None if asked else "unasked"
    return Outcome(
        write.id,
        write.state,
        seen.sentence,
        go_on=seen.decision != "stop",
        later=seen.decision == "wait",
        held=seen.decision == "hold",
        barred=seen.barred,
        rest=seen.rest,
        trouble=None if seen.decision == "stop" else trouble,
        asked=asked,
    )


async def _end_well(desk: Desk, write: WriteRow, attempt: int, reply: Reply) -> Outcome:
    if other := another_order(reply.body, write.reference):
        return await _end_mixed_up(desk, write, attempt, reply, other)
    reading = read_status(reply.body, write.reference)
    sentence = _accepted_words(write, reading)
    await _end(desk, attempt, "accepted", sentence, status=reply.status, body=reply.body, kind=reply.content_type)
    return Outcome(write.id, "accepted", sentence)


async def _end_mixed_up(desk: Desk, write: WriteRow, attempt: int, reply: Reply, other: str) -> Outcome:
    """What was meant for another order proves nothing of this one."""
    sentence = f"The provider's answer speaks of another order, {other[:_LONGEST_NAME]}: {_LOOK_UP}"
    await _end(desk, attempt, "unknown", sentence, status=reply.status, body=reply.body, kind=reply.content_type)
    return Outcome(write.id, "in_doubt", sentence, trouble="doubt")


def _accepted_words(write: WriteRow, reading: StatusReading) -> str:
    what = "The provider accepted the cancellation" if write.kind == "cancel" else "The provider accepted the order"
    number = "" if reading.system_number is None else f" as number {reading.system_number}"
    status = "" if reading.status is None else f" Status: {reading.status.value}."
    return f"{what}{number}.{status}"


async def _end_turned_away(desk: Desk, write: WriteRow, attempt: int, error: NotAllowed) -> Outcome:
    """A 403 is an answer: this one is not sent again by itself. A person decides about it, and the others go on."""
    sentence = f"{error.sentence} {TO_DO_AND_SEND}"
    state = await desk.journal.write(claim.turn_away, write.id, attempt, sentence, desk.now())
    return Outcome(write.id, state, sentence, held=state == "queued", trouble="turned away")


async def _end_badly(desk: Desk, write: WriteRow, attempt: int, error: ApiError) -> Outcome:
    body = _problem_bytes(error) if isinstance(error, Refused) else None
    kind = "application/problem+json" if body else None
    barred = isinstance(error, NotAuthorised)
    sentence = f"{error.sentence} {TO_DO}" if barred else error.sentence
    outcome = _outcome_of(error)
    if write.state == "in_doubt" and outcome == "rejected":
        sentence = f"{sentence} {SECOND_ATTEMPT}"
    state = await _end(desk, attempt, outcome, sentence, status=_status_of(error), body=body, kind=kind)
    if isinstance(error, Closing) and write.note:
        await desk.journal.write(write_store.explain, write.id, write.note, desk.now())  # the reason stays to be read
    # Without a connection or a token nothing else would leave either, and a provider that asks for a rest would put
    # each of the others in doubt: the rest waits.
    rest = error.rest
    go_on = outcome not in NEVER_LEFT and not isinstance(error, Busy)
    trouble: Trouble | None = "doubt" if state == "in_doubt" and outcome not in NEVER_LEFT else None
    too_late = isinstance(error, TooLate)
    return Outcome(write.id, state, sentence, go_on=go_on, barred=barred, rest=rest, trouble=trouble, too_late=too_late)


def _status_of(error: ApiError) -> int | None:
    """The status of the answer that the error stands for, where it stands for one."""
    return 404 if isinstance(error, NotFound) else getattr(error, "status", None)


def _outcome_of(error: ApiError) -> AttemptOutcome:
    match error:
        case NotSent():
            return "not_sent"
        case NotAuthorised():
            return "not_authorised"
        case NotTaken():
            return "not_taken"
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
        write_store.end_attempt,
        attempt,
        outcome,
        desk.now(),
        http_status=status,
        reply=body,
        reply_type=kind,
        sentence=sentence,
    )

"""Sends one write: the decision by the last look, the bytes on the wire, the outcome into the journal.

Invariants: the attempt is in the journal before the first byte leaves, and its outcome before anybody is told. If
nobody knows whether the write arrived, the journal says so.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

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
from app.contract.replies import another_order, read_status
from app.desk.circuit_breaker import Failure
from app.desk.desk import Desk
from app.desk.sending import sending_words as words
from app.desk.sending.last_look import answered, decide, decide_resend, keep_others_version
from app.desk.sending.verdict import Verdict
from app.store.journal import claim, import_store, write_store
from app.store.journal.automatic_resend import claim_resend
from app.store.journal.claim import Claim, LastLook, claim_write
from app.store.journal.records import NO_EFFECT, WriteRow, WriteState
from app.store.journal.records import Outcome as AttemptOutcome
from app.store.store_errors import StoreError, WrongState

if TYPE_CHECKING:
    from app.store.team.team_file import OthersWrite

# A disk, a token or a connection may take its time, and the computer may sleep meanwhile. The first byte leaves only
# while the last look is younger than this: an order that was looked up earlier may have been closed since.
_GOOD_FOR_S = 45.0
_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a write stands after it was tried: its state in the journal, and the sentence about it."""

    write_id: int
    state: WriteState
    sentence: str
    go_on: bool = True  # whether other writes may be sent after this one
    recorded: bool = True  # False: the journal could not be read or written, and the sentence says why
    retry_later: bool = False  # it waits in the queue, and is tried again by the clock
    held: bool = False  # it waits for a person
    blocked: bool = False  # nothing is sent until a person corrects the connection
    retry_after: float | None = None  # the pause that the provider asked for, in seconds
    failure: Failure | None = None  # for the circuit breaker: trouble that may be this write's own
    status_known: bool = True  # the provider said how the order stands
    stale: bool = False  # it did not leave because the last look was too old: look again


async def send(
    desk: Desk,
    write: WriteRow,
    found: Verdict,
    on_change: Callable[[], None] = lambda: None,
    *,
    unclaimed: bool = False,
) -> Outcome:
    """Send a queued write, or resend a write in doubt, if the verdict just `found` allows it.

    `unclaimed`: the team could not be asked for the claim on the reference, which the journal then says.

    Trouble of the call is in the outcome. Raises `WrongState` if the write has changed since it was read, and
    `StoreError` if the attempt could not be recorded; in both cases nothing was sent.
    """
    provider = desk.provider
    if provider is None:
        return Outcome(write.id, write.state, desk.trouble, go_on=False, status_known=False)
    seen, begun = await _claim(desk, write, found, unclaimed=unclaimed)
    if begun is None:
        return _not_sent(write, seen, found)
    # From here on the journal says "sending": whatever happens, an outcome has to be recorded.
    attempt = begun.attempt

    # The client calls this just before the first byte: a token or a connection may have taken minutes.
    def is_fresh() -> bool:
        return found.asked is None or desk.timing.age(found.asked, desk.now()) < _GOOD_FOR_S

    call = provider.management.submit_order if write.kind == "submit" else provider.management.cancel_order
    try:
        # Before the call: the row shows that its order is being sent while the wire is slow.
        on_change()
        reply = await call(begun.body, is_fresh, begun.sent_as)
    except NotAllowed as error:
        ending = _record_refusal(desk, write, attempt, error)
    except ApiError as error:
        ending = _record_error(desk, write, attempt, error)
    except Exception:
        # A fault of ours after the attempt began: nobody knows what left, and the journal must not claim otherwise.
        await _record_end(desk, write.id, attempt, "unknown", words.SENDING_FAILED)
        raise
    else:
        ending = _record_reply(desk, write, attempt, reply)
    finally:
        # In `finally`: an attempt that ended with a fault of ours may have arrived too, and the grace counts from its
        # end.
        desk.timing.record_attempt(write.reference)
    try:
        return replace(await ending, status_known=answered(found))
    except StoreError as error:
        # Kept in memory, because the journal cannot take it now; after a crash the open attempt says the same.
        desk.unrecorded[attempt] = write.id
        return _unrecorded(write.id, words.end_not_recorded(write.reference, error.sentence))


async def _claim(desk: Desk, write: WriteRow, found: Verdict, *, unclaimed: bool) -> tuple[LastLook, Claim | None]:
    """The last look at a write, and its attempt if that says to send it. Raises as `send`."""
    sent = [] if desk.team is None else await desk.team.writes_of(write.reference)
    sent = [each for each in sent if each.tried and each.kind == "submit"]
    theirs = sent[0] if sent else None
    known = {each.desk: max(other.number for other in sent if other.desk == each.desk) for each in sent}
    version = "" if theirs is None else await _others_version(desk, write, theirs)
    # The decision is a function, because it runs within the transaction that begins the attempt.
    if write.state == "in_doubt":
        looked_at = desk.now() if found.asked is None else found.asked.clock
        return await desk.journal.write(
            claim_resend,
            write,
            lambda: _decide_resend(desk, found),
            desk.now(),
            looked_at,
            desk.profile,
            unclaimed=unclaimed,
            known=known,
        )
    return await desk.journal.write(
        claim_write,
        write,
        lambda tried: _decide(desk, write, found, tried, theirs, version),
        desk.now(),
        desk.profile,
        unclaimed=unclaimed,
        known=known,
    )


async def record_unrecorded(desk: Desk) -> Outcome | None:
    """Record the attempts whose end the journal could not take at the time: their outcome is unknown by now.

    None once all are recorded, else an outcome that says why not.
    """
    for attempt, write_id in list(desk.unrecorded.items()):
        try:
            await _record_end(desk, write_id, attempt, "unknown", words.END_NOT_RECORDED)
        except WrongState:  # the commit that seemed to fail had reached the disk after all
            pass
        except StoreError as error:
            return _unrecorded(write_id, words.still_not_recorded(error.sentence))
        desk.unrecorded.pop(attempt, None)  # the connection's desk before this one may have done the same
    return None


def _unrecorded(write_id: int, sentence: str) -> Outcome:
    return Outcome(write_id, "sending", sentence, go_on=False, recorded=False)


def _decide(
    desk: Desk,
    write: WriteRow,
    found: Verdict,
    last_attempt: datetime | None,
    theirs: "OthersWrite | None",
    version: str,
) -> LastLook:
    """The look by the verdict and the team. `version` says which version of another desk it would undo, empty: none."""
    at = found.asked or desk.timing.instant(desk.now())
    since = None if last_attempt is None else desk.timing.since_attempt(write.reference, last_attempt, at)
    sender = ""
    if theirs is not None and desk.team is not None:
        since_theirs = desk.team.since(theirs, at.clock)
        if since is None or since_theirs < since:
            since, sender = since_theirs, theirs.person
    look = decide(write, found, since, connected=desk.provider is not None, sender=sender)
    if theirs is None or not version:
        return look
    return keep_others_version(write, look, version, f"{theirs.desk}.{theirs.number}")


async def _others_version(desk: Desk, write: WriteRow, theirs: "OthersWrite") -> str:
    """The sentence about what another desk sent of the order since this write was decided, empty if there is none."""
    decided = await desk.journal.read(import_store.decided, write.id)
    assert desk.team is not None
    if not desk.team.is_news_since(theirs, decided.at, decided.clock):
        return ""
    if write.kind == "submit" and decided.sha256 == theirs.sha256:
        return ""  # the same order: whichever arrives last, the provider holds what both want
    says = words.others_version if write.kind == "submit" else words.cancels_others_version
    return says(theirs.person, desk.team.local_moment(theirs))


def _decide_resend(desk: Desk, found: Verdict) -> LastLook:
    return decide_resend(found, connected=desk.provider is not None)


def _not_sent(write: WriteRow, look: LastLook, found: Verdict) -> Outcome:
    """The outcome of a write that the last look kept from being sent."""
    known = answered(found)
    failure: Failure | None = "turned away" if isinstance(found.error, NotAllowed) else None if known else "unasked"
    return Outcome(
        write.id,
        write.state,
        look.sentence,
        go_on=look.decision != "stop",
        retry_later=look.decision == "wait",
        held=look.decision == "hold",
        blocked=look.blocked,
        retry_after=look.rest,
        failure=None if look.decision == "stop" else failure,
        status_known=known,
    )


async def _record_reply(desk: Desk, write: WriteRow, attempt: int, reply: Reply) -> Outcome:
    if other := another_order(reply.body, write.reference):
        return await _record_misdirected_reply(desk, write, attempt, reply, other)
    reading = read_status(reply.body, write.reference)
    accepted = words.accepted_cancellation if write.kind == "cancel" else words.accepted_order
    sentence = accepted(reading.system_number, None if reading.status is None else reading.status.value)
    await _record_end(
        desk, write.id, attempt, "accepted", sentence, status=reply.status, body=reply.body, kind=reply.content_type
    )
    return Outcome(write.id, "accepted", sentence)


async def _record_misdirected_reply(desk: Desk, write: WriteRow, attempt: int, reply: Reply, other: str) -> Outcome:
    """A reply about another order proves nothing about this one: the write is in doubt."""
    sentence = words.misdirected_reply(other[:_LONGEST_NAME])
    await _record_end(
        desk, write.id, attempt, "unknown", sentence, status=reply.status, body=reply.body, kind=reply.content_type
    )
    return Outcome(write.id, "in_doubt", sentence, failure="doubt")


async def _record_refusal(desk: Desk, write: WriteRow, attempt: int, error: NotAllowed) -> Outcome:
    """A 403 is an answer: the write is held until a person decides, and the other writes go on."""
    sentence = words.needs_permission_for_one(error.sentence)
    state = await desk.journal.write(claim.hold_not_allowed, write.id, attempt, sentence, desk.now())
    return Outcome(write.id, state, sentence, held=state == "queued", failure="turned away")


async def _record_error(desk: Desk, write: WriteRow, attempt: int, error: ApiError) -> Outcome:
    body = _problem_bytes(error) if isinstance(error, Refused) else None
    kind = "application/problem+json" if body else None
    blocked = isinstance(error, NotAuthorised)
    sentence = words.needs_permission(error.sentence) if blocked else error.sentence
    outcome = _outcome_of(error)
    if write.state == "in_doubt" and outcome == "rejected":
        sentence = words.second_attempt(sentence)
    state = await _record_end(
        desk, write.id, attempt, outcome, sentence, status=_status_of(error), body=body, kind=kind
    )
    if isinstance(error, Closing) and write.note:
        await desk.journal.write(write_store.set_note, write.id, write.note, desk.now())  # why it waited before
    # Without a connection or a token no other write would leave either. A provider that answers 408 or 503 would put
    # each of the other writes in doubt. So both stop the queue at once. Any other 5xx may be this order's own.
    go_on = outcome not in NO_EFFECT and not isinstance(error, Busy)
    return Outcome(
        write.id,
        state,
        sentence,
        go_on=go_on,
        blocked=blocked,
        retry_after=error.rest,
        failure="doubt" if state == "in_doubt" and outcome not in NO_EFFECT else None,
        stale=isinstance(error, TooLate),
    )


def _status_of(error: ApiError) -> int | None:
    """The HTTP status of the answer, if there was one."""
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


async def _record_end(
    desk: Desk,
    write_id: int,
    attempt: int,
    outcome: AttemptOutcome,
    sentence: str,
    *,
    status: int | None = None,
    body: bytes | None = None,
    kind: str | None = None,
) -> WriteState:
    state, change = await desk.journal.write(
        claim.end_attempt,
        attempt,
        outcome,
        desk.now(),
        http_status=status,
        reply=body,
        reply_type=kind,
        sentence=sentence,
    )
    desk.timing.record_end(write_id, change)
    return state

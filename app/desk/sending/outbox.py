"""The outbox: how a write is queued, read, decided about by a person, and undone.

Invariants: the exact bytes are on the disk before the first one leaves. A write goes back to the queue only if no byte
left or the provider turned it back. A write that may have arrived is in doubt; only a new order that the provider was
found twice not to know is resent, and only once (`resend`). The journal is written before anybody is told.

The way of a write: `queue_submission` here, `send_queue.drain`, `last_look.decide`, `send_write.send`, and for what is
in doubt after that `settling`.
"""

import json
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta

from pydantic import ValidationError

from app.contract.draft import OrderDraft
from app.contract.replies import read_problem
from app.contract.request_body import draft_of_body
from app.contract.submission import Cancellation, OrderSubmission, wire_bytes
from app.desk.desk import Desk
from app.desk.sending.send_queue import drain
from app.desk.sending.send_write import Outcome, send
from app.desk.sending.sending_words import reference_too_long
from app.desk.sending.verdict import VerdictKind
from app.store.journal import claim, held_writes, own_evidence, profile_store, undo_window, write_store
from app.store.journal.profile_store import UnfinishedConnection
from app.store.journal.records import WriteRow, WriteState, WriteStory
from app.store.journal.recovery import unfinished_writes
from app.store.store_errors import WrongState

__all__ = ["Outcome", "drain", "send"]
UNDO = timedelta(seconds=10)


# Queueing


async def queue_submission(
    desk: Desk, submission: OrderSubmission, draft_id: str | None, agreed: VerdictKind | None = None
) -> int:
    """Write a submission with its exact bytes into the journal; its id. Raises `StoreError` if that failed.

    `agreed` is the verdict that a person has said yes to, where a yes was needed.
    """
    return await desk.journal.write(
        write_store.queue_write,
        desk.profile.id,
        "submit",
        submission.orderReferenceNumber,
        wire_bytes(submission),
        desk.now(),
        draft_id=draft_id,
        agreed=agreed,
    )


async def queue_cancellation(desk: Desk, reference: str) -> int:
    """Queue the cancellation of the open order with this reference; it can be undone for `UNDO` before it leaves.

    Raises `WrongState` for a reference that a cancellation cannot name: one from another program may be too long.
    """
    # Without blanks, as in a submission: the journal recognises writes of one order by their equal references.
    reference = reference.strip()
    try:
        payload = wire_bytes(Cancellation(orderReferenceNumber=reference))
    except ValidationError:
        raise WrongState(reference_too_long(reference)) from None
    # With its zone: ten seconds are ten also in the hour that comes twice when summer time ends.
    now = desk.now().astimezone()
    return await desk.journal.write(
        write_store.queue_write, desk.profile.id, "cancel", reference, payload, now, not_before=now + UNDO
    )


# A person decides


async def settle(
    desk: Desk, write_id: int, state: WriteState, sentence: str, *, seen: WriteState | None = None
) -> None:
    """A person's decision about a write: withdrawn, queued again, or accepted.

    Raises `WrongState` if that is not possible, or if the write is no longer in the state in which it was `seen`.
    """
    await desk.journal.write(write_store.settle, write_id, state, sentence, desk.now(), seen=seen)
    if state == "queued":
        # Only once the decision is stored: one that was not kept must not hurry anything.
        desk.urgent.add(write_id)
    else:
        desk.breaker.record_settled(write_id)


async def release(desk: Desk, write_id: int, seen: WriteRow | None = None) -> None:
    """A person sends a write that is held, can still be undone, or cannot be looked up.

    If the provider then says anything else than the write was held for, the write is held again. Raises `WrongState` if
    the write is not queued any more, or waits for another reason than when it was `seen`.
    """
    await desk.journal.write(held_writes.release, write_id, desk.now(), seen)
    desk.urgent.add(write_id)


# The time in which a cancellation can be undone


async def undoable(desk: Desk) -> list[WriteRow]:
    """The cancellations that can still be undone."""
    return await desk.journal.read(undo_window.undoable, desk.profile.id)


async def end_undo(desk: Desk, write_ids: Collection[int]) -> int:
    """The time to undo these is over: they leave with the queue. How many there were."""
    return await desk.journal.write(undo_window.end_undo, write_ids, desk.now())


async def hold_undoable(desk: Desk) -> int:
    """Another connection is chosen: cancellations that can still be undone wait for a person. How many there were."""
    return await desk.journal.write(undo_window.hold_undoable, undo_window.LEFT, desk.now(), desk.profile.id)


async def next_due(desk: Desk, after: datetime) -> datetime | None:
    """When the next cancellation that could still be undone at a moment is to leave."""
    return await desk.journal.read(claim.next_due, desk.profile.id, after)


# Reading


async def story(desk: Desk, write_id: int) -> WriteStory:
    """A write with its bytes and all its attempts."""
    return replace(await desk.journal.read(write_store.write_story, write_id), sends=desk.profile.sends)


async def writes(
    desk: Desk, states: tuple[WriteState, ...], limit: int, *, held: bool | None = None, of: int | None = None
) -> list[WriteRow]:
    """The latest writes in any of these states, or in any state.

    `held` picks among the queued ones, `of` the writes of one import, or with 0 those of none.
    """
    return await desk.journal.read(write_store.writes_page, desk.profile.id, states, limit, held=held, of=of)


async def writes_by_id(desk: Desk, write_ids: Collection[int]) -> dict[int, WriteRow]:
    """The writes with these ids as they are now."""
    found = await desk.journal.read(write_store.writes_by_id, write_ids)
    return {each.id: each for each in found}


async def history(desk: Desk, reference: str) -> list[WriteRow]:
    """All writes of a reference, latest first."""
    return await desk.journal.read(write_store.writes_of, desk.profile.id, reference)


async def counts(desk: Desk) -> dict[WriteState, int]:
    """How many writes are in each state."""
    return await desk.journal.read(write_store.counts, desk.profile.id)


async def count_held(desk: Desk) -> int:
    """How many queued writes wait for a person."""
    return await desk.journal.read(held_writes.count_held, desk.profile.id)


async def last_attempt(desk: Desk, reference: str) -> datetime | None:
    """When this desk last sent an order with this reference that may have arrived; None if none can have."""
    return await desk.journal.read(own_evidence.last_attempt_at, desk.profile.id, reference)


async def other_outboxes(desk: Desk) -> list[UnfinishedConnection]:
    """The other connections with unfinished writes."""
    return await desk.journal.read(profile_store.unfinished_connections, desk.profile.id)


def field_errors(story: WriteStory) -> dict[str, str]:
    """The provider's words about single fields when it refused a write, by field path."""
    for attempt in reversed(story.attempts):
        if attempt.reply is not None and attempt.outcome == "rejected":
            return {path: " ".join(words) for path, words in read_problem(attempt.reply).errors.items()}
    return {}


def draft_of(payload: bytes) -> OrderDraft:
    """A draft with the content of a submission, to be changed and sent again."""
    return draft_of_body(json.loads(payload))[0]


# The start


async def recover(desk: Desk, place: str = "") -> int:
    """At start: writes that were being sent when the program ended are in doubt. How many there were.

    Writes that were queued in another folder than `place`, where that is known, are in doubt too.
    """
    return await desk.journal.write(unfinished_writes.recover, desk.now(), place)

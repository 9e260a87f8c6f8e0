"""The one road of every write: journal first, then the wire, then the outcome into the journal.

Invariants: the exact bytes are on the disk before the first one leaves. Only a write that provably never left or was
turned back goes back to the queue. One that may have arrived is in doubt and is not sent again by itself, but for a new
order that the provider has been found twice not to know (`resend`), and that once. Whatever happens here, the
journal says so before anybody else is told.

How what is queued leaves, and when the queue stops, is in `lanes`; how one write leaves is in `sending`.
"""

import json
from collections.abc import Collection
from datetime import datetime, timedelta

from pydantic import ValidationError

from app.contract.draft import OrderDraft
from app.contract.replies import read_problem
from app.contract.request_body import draft_of_body
from app.contract.submission import Cancellation, OrderSubmission, wire_bytes
from app.desk.desk import Desk
from app.desk.sending.send_queue import drain
from app.desk.sending.send_write import Outcome, send
from app.desk.sending.verdict import VerdictKind
from app.store.journal import claim, copied_folder, held_writes, own_evidence, profile_store, undo_window, write_store
from app.store.journal.profile_store import UnfinishedConnection
from app.store.journal.records import WriteRow, WriteState, WriteStory
from app.store.store_errors import WrongState

__all__ = ["Outcome", "drain", "send"]
UNDO = timedelta(seconds=10)


async def queue_submission(
    desk: Desk, submission: OrderSubmission, draft_id: str | None, agreed: VerdictKind | None = None
) -> int:
    """Journal a submission with its exact bytes; its number in the sequence. Raises `StoreError` if it is not kept.

    `agreed` is a verdict that a person has said yes to, where one was asked for.
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
    """The same for cancelling the open order with this reference; it can be taken back for `UNDO` before it leaves.

    Raises `WrongState` for a reference that cannot be sent, as one from elsewhere may be.
    """
    reference = reference.strip()  # as it is in a submission: what is sent of one order takes turns
    try:
        payload = wire_bytes(Cancellation(orderReferenceNumber=reference))
    except ValidationError:
        raise WrongState(
            f"{reference} has {len(reference)} characters and a cancellation can name 30 at most: ask the provider to "
            "cancel the order."
        ) from None
    now = desk.now().astimezone()  # with its zone: ten seconds are ten also where an hour comes twice
    return await desk.journal.write(
        write_store.queue_write, desk.profile.id, "cancel", reference, payload, now, not_before=now + UNDO
    )


async def story(desk: Desk, write_id: int) -> WriteStory:
    """A write with everything that was tried."""
    return await desk.journal.read(write_store.write_story, write_id)


async def settle(
    desk: Desk, write_id: int, state: WriteState, sentence: str, *, seen: WriteState | None = None
) -> None:
    """A person's decision about a write: withdrawn, queued again, or accepted.

    Raises `WrongState` if that is not possible, or if it is no longer in the state in which the person has `seen` it.
    """
    await desk.journal.write(write_store.settle, write_id, state, sentence, desk.now(), seen=seen)
    if state == "queued":
        desk.urgent.add(write_id)
    else:
        desk.breaker.record_settled(write_id)


def provider_words(told: WriteStory) -> dict[str, str]:
    """What the provider said about single fields when it refused, by field path."""
    for attempt in reversed(told.attempts):
        if attempt.reply is not None and attempt.outcome == "rejected":
            return {path: " ".join(words) for path, words in read_problem(attempt.reply).errors.items()}
    return {}


async def writes(desk: Desk, states: tuple[WriteState, ...], limit: int, *, held: bool | None = None) -> list[WriteRow]:
    """The latest writes in any of these states, or in any state; `held` picks among the queued ones."""
    return await desk.journal.read(write_store.writes_page, desk.profile.id, states, limit, held=held)


async def counts(desk: Desk) -> dict[WriteState, int]:
    """How many writes are in each state."""
    return await desk.journal.read(write_store.counts, desk.profile.id)


async def recover(desk: Desk, place: str = "") -> int:
    """At start: whatever was being sent when the program ended is in doubt, and so is what was queued in another place
    than this one, where that is named. How many."""
    return await desk.journal.write(copied_folder.recover, desk.now(), place)


async def elsewhere(desk: Desk) -> list[UnfinishedConnection]:
    """What waits in the outboxes of other connections."""
    return await desk.journal.read(profile_store.unfinished_connections, desk.profile.id)


async def history(desk: Desk, reference: str) -> list[WriteRow]:
    """What this desk sent about an order, latest first."""
    return await desk.journal.read(write_store.writes_of, desk.profile.id, reference)


async def standing_of(desk: Desk, write_ids: Collection[int]) -> dict[int, WriteRow]:
    """How these writes stand now, by their numbers."""
    found = await desk.journal.read(write_store.writes_by_id, write_ids)
    return {each.id: each for each in found}


async def still_open(desk: Desk) -> list[WriteRow]:
    """The cancellations that can still be taken back."""
    return await desk.journal.read(undo_window.undoable, desk.profile.id)


async def let_leave(desk: Desk, write_ids: Collection[int]) -> int:
    """The time to take these back is over: they leave with what is queued. How many did."""
    return await desk.journal.write(undo_window.end_undo, write_ids, desk.now())


async def hold_open(desk: Desk) -> int:
    """Another connection is chosen: what can still be taken back of this one's waits for a person. How many."""
    return await desk.journal.write(undo_window.hold_undoable, undo_window.LEFT, desk.now(), desk.profile.id)


async def held_open(desk: Desk) -> list[WriteRow]:
    """The cancellations that were held because their time to be taken back had not run out."""
    return await desk.journal.read(undo_window.held_undoable, desk.profile.id)


async def next_due(desk: Desk) -> datetime | None:
    """When the next write that can still be taken back is to leave."""
    return await desk.journal.read(claim.next_due, desk.profile.id)


async def let_go(desk: Desk, write_id: int, seen: WriteRow | None = None) -> None:
    """A person has decided: what is held, can still be taken back, or cannot be asked about is sent now.

    If the provider then says something else than what it waited for, it is held again.
    Raises `WrongState` when it is not in the queue any more, or waits for something else than when it was `seen`.
    """
    await desk.journal.write(held_writes.release, write_id, desk.now(), seen)
    desk.urgent.add(write_id)


async def last_tried(desk: Desk, reference: str) -> datetime | None:
    """When this desk last sent an order with this reference that may have arrived; None when none can have."""
    return await desk.journal.read(own_evidence.last_attempt_at, desk.profile.id, reference)


async def count_held(desk: Desk) -> int:
    """How many queued writes wait for a person."""
    return await desk.journal.read(held_writes.count_held, desk.profile.id)


def draft_again(payload: bytes) -> OrderDraft:
    """What was sent, as a draft that can be changed and sent again."""
    return draft_of_body(json.loads(payload))[0]

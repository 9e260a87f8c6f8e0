"""How a write leaves the queue: the last look at it, the decision and the beginning of the attempt are one change.

Invariant: between what the journal knew when it was decided to send and the attempt being written down nothing else
was written, and the bytes handed out are those that were queued.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import apsw

from app.store.journal import held_writes, write_store
from app.store.journal.own_evidence import last_attempt_at
from app.store.journal.profile_store import Profile, leads_to
from app.store.journal.records import UNASKED, WriteRow, WriteState
from app.store.sqlite.plain_rows import value
from app.store.sqlite.text_values import read_moment, to_moment
from app.store.store_errors import JournalDamaged, WrongState

Decision = Literal["send", "wait", "hold", "stop"]
NOT_ALLOWED = "not_allowed"  # in the place of a verdict: whoever lets it go says yes to no answer about the order
_NOT_SENT = "Found damaged at the last look, and not sent."
_DAMAGED = "damaged"  # the same, where the bytes are not those that were queued


@dataclass(frozen=True, slots=True)
class LastLook:
    """`send` it, let it `wait` in the queue for a while, `hold` it for a person, or `stop` sending altogether.

    `said` is the verdict's kind; a person who lets it go says yes to exactly that. `rest` is for how many seconds the
    provider asked to be left alone, where it did; `blocked`, that a person has to put the connection right.
    """

    decision: Decision
    said: str
    sentence: str
    rest: float | None = None
    blocked: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """An attempt that is written down: its id, and the exact bytes to send."""

    attempt: int
    payload: bytes


def claim_write(
    c: apsw.Connection,
    write: WriteRow,
    decide: Callable[[datetime | None], LastLook],
    now: datetime,
    place: Profile | None = None,
) -> tuple[LastLook, Claim | None]:
    """Decide about a queued write, and begin its attempt or write down why not. `place` is where it would go.

    `decide` is given when this desk last sent an order with this reference that may have arrived, None when none can
    have. What has other bytes than were queued is held: a person puts it away. Raises as `journal.begin_attempt`;
    `WrongState` also when what is to be held is not in the queue any more, and when the connection leads elsewhere by
    now: what was asked there and agreed to says nothing here.
    """
    if place is not None:
        refuse_if_moved(c, place)
    look = decide(last_attempt_at(c, write.profile, write.reference))
    if look.decision == "send":
        try:
            attempt = write_store.begin_attempt(c, write.id, now, look.said)
        except JournalDamaged as error:
            if error.why != write_store.OTHER_BYTES:
                raise
            look = LastLook("hold", _DAMAGED, _NOT_SENT)
        else:
            return look, Claim(attempt, write_store.payload(c, write.id))
    if look.decision == "hold":
        held_writes.hold(c, write.id, look.sentence, now, look.said)
    else:
        write_store.set_note(c, write.id, look.sentence, now)
        held_writes.mark_unasked(c, write.id, unasked=look.said == UNASKED)
    return look, None


def refuse_if_moved(c: apsw.Connection, place: Profile) -> None:
    """Raise `WrongState` where the connection leads elsewhere by now: what was asked there says nothing here."""
    if not leads_to(c, place):
        raise WrongState("This connection leads elsewhere by now, so this was not sent.")


def hold_not_allowed(c: apsw.Connection, write_id: int, attempt: int, sentence: str, now: datetime) -> WriteState:
    """The provider did not allow it (403): it did nothing, and the write waits for a person, in one change."""
    state = write_store.end_attempt(c, attempt, "not_authorised", now, http_status=403, sentence=sentence)
    if state == "queued":  # one that was sent again by itself is in doubt as before
        held_writes.hold(c, write_id, sentence, now, NOT_ALLOWED)
    return state


def release_not_allowed(c: apsw.Connection, write_ids: Collection[int], now: datetime) -> None:
    """What waits for a person because nobody was let in waits for its turn again; no verdict is said yes to by it."""
    for each in write_ids:
        c.execute(
            "UPDATE writes SET held = NULL, changed_at = ? WHERE id = ? AND state = 'queued' AND held IS NOT NULL",
            (to_moment(now), each),
        )


def next_due(c: apsw.Connection, profile: str) -> datetime | None:
    """When the next write whose time has not come may go out."""
    found = value(
        c,
        "SELECT min(not_before) FROM writes WHERE profile = ? AND state = 'queued' AND held IS NULL",
        (profile,),
    )
    return None if found is None else read_moment(found)

"""Claiming a queued write: the decision by the last look and the start of the attempt are one transaction.

Invariants: nothing is written to the journal between the decision to send a write and the start of its attempt. The
bytes handed out are those that were queued, or their XML where the connection sends XML.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Literal

import apsw

from app.contract.codes import Format
from app.store.journal import held_writes, write_store
from app.store.journal.own_evidence import last_attempt_at, last_change
from app.store.journal.profile_store import Profile, leads_to
from app.store.journal.records import ROOTS, UNASKED, Outcome, WriteRow, WriteState
from app.store.journal.team import team_log
from app.store.sqlite.plain_rows import value
from app.store.sqlite.text_values import read_moment, to_moment
from app.store.store_errors import JournalDamaged, WrongState
from app.translation import translate

Decision = Literal["send", "wait", "hold", "stop"]
# Stands in `LastLook.verdict` and in the column `verdict` of a write that the provider turned away with 403. A person
# who releases such a write has agreed to nothing that the provider said about the order.
NOT_ALLOWED = "not_allowed"
NOTHING_KNOWN: Mapping[str, int] = MappingProxyType({})
_DAMAGED = "damaged"  # stands there for a write whose stored bytes are not those that were queued
_NOT_SENT = translate("Found damaged at the last look, and not sent.")


@dataclass(frozen=True, slots=True)
class LastLook:
    """The decision about a write: `send` it, let it `wait` in the queue, `hold` it for a person, or `stop` the queue.

    `verdict` is the kind of the verdict; a person who releases the write agrees to exactly this kind. `rest` is the
    number of seconds for which the provider asks for no requests, if it does. `blocked` means that a person has to
    correct the connection first.
    """

    decision: Decision
    verdict: str
    sentence: str
    rest: float | None = None
    blocked: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """An attempt that is stored in the journal: its id, the exact bytes to send, and their format."""

    attempt: int
    body: bytes
    sent_as: Format


def claim_write(
    c: apsw.Connection,
    write: WriteRow,
    decide: Callable[[datetime | None], LastLook],
    now: datetime,
    place: Profile | None = None,
    *,
    unclaimed: bool = False,
    known: Mapping[str, int] = NOTHING_KNOWN,
) -> tuple[LastLook, Claim | None]:
    """Decide about a queued write, and begin its attempt or store why not. `place` is the connection to send it by.

    `unclaimed`: this desk's team could not be asked for the claim on the reference, which is stored with the attempt.
    `known` is what was known of other desks then, as `team_log.note_known` stores it.

    `decide` gets the moment of this desk's last attempt with this reference that may have arrived, None if there is
    none. A write whose stored bytes are damaged is held, so that a person can withdraw it.

    Raises as `write_store.begin_attempt`; `WrongState` also if a write to hold is not queued any more, or if the
    connection leads to another provider by now.
    """
    if place is not None:
        refuse_if_moved(c, place)
    look = decide(last_attempt_at(c, write.profile, write.reference))
    if look.decision == "send":
        try:
            body, sent_as = body_to_send(c, write, place)
            attempt = write_store.begin_attempt(c, write.id, now, look.verdict, sent_as=sent_as)
        except JournalDamaged as error:
            # Other damage is repaired at the next start. A payload that a repair could not restore stays damaged.
            if error.why != write_store.OTHER_BYTES:
                raise
            look = LastLook("hold", _DAMAGED, _NOT_SENT)
        else:
            if unclaimed:
                team_log.mark_unclaimed(c, attempt)
            team_log.note_known(c, attempt, known)
            return look, Claim(attempt, body, sent_as)
    if look.decision == "hold":
        # Not the verdict alone: the sentence is what a person reads beside the button that releases the write.
        held_writes.hold(c, write.id, look.sentence, now, look.verdict)
    else:
        write_store.set_note(c, write.id, look.sentence, now)
        held_writes.mark_unasked(c, write.id, unasked=look.verdict == UNASKED)
    return look, None


def body_to_send(c: apsw.Connection, write: WriteRow, place: Profile | None) -> tuple[bytes, Format]:
    """The bytes to send for a write, and their format: that of an earlier attempt which may have arrived, else that of
    the connection. Raises `JournalDamaged` as `write_store.payload`."""
    from app.contract.xml_writer import body_in  # here: the first paint needs none of it

    wanted = write_store.earlier_format(c, write.id) or ("json" if place is None else place.sends)
    return body_in(wanted, write_store.payload(c, write.id), ROOTS[write.kind])


def refuse_if_moved(c: apsw.Connection, place: Profile) -> None:
    """Raise `WrongState` if the connection leads elsewhere by now: another provider's verdict proves nothing there."""
    if not leads_to(c, place):
        raise WrongState(translate("This connection leads to another provider now, so this was not sent."))


def end_attempt(
    c: apsw.Connection,
    attempt: int,
    outcome: Outcome,
    now: datetime,
    *,
    http_status: int | None = None,
    reply: bytes | None = None,
    reply_type: str | None = None,
    sentence: str | None = None,
) -> tuple[WriteState, int]:
    """`write_store.end_attempt`, with the number of the change that stored the end: what the provider is asked from
    then on, it answers after it had the write."""
    state = write_store.end_attempt(
        c,
        attempt,
        outcome,
        now,
        http_status=http_status,
        reply=reply,
        reply_type=reply_type,
        sentence=sentence,
    )
    return state, last_change(c)


def hold_not_allowed(c: apsw.Connection, write_id: int, attempt: int, sentence: str, now: datetime) -> WriteState:
    """End an attempt that the provider answered with 403 (it did nothing), and hold the write, in one transaction."""
    state = write_store.end_attempt(c, attempt, "not_authorised", now, http_status=403, sentence=sentence)
    if state == "queued":  # after an automatic resend the write stays in doubt instead
        held_writes.hold(c, write_id, sentence, now, NOT_ALLOWED)
    return state


def release_not_allowed(c: apsw.Connection, write_ids: Collection[int], now: datetime) -> None:
    """Release writes that were held because of a 403, since the provider allows writes again. No yes is stored."""
    for write_id in write_ids:
        c.execute(
            # The conditions: a person may have withdrawn or released some of these writes since their ids were
            # collected.
            "UPDATE writes SET held = NULL, changed_at = ? WHERE id = ? AND state = 'queued' AND held IS NOT NULL",
            (to_moment(now), write_id),
        )


def next_due(c: apsw.Connection, profile: str, after: datetime) -> datetime | None:
    """The earliest `not_before` after a moment, of the queued writes that are not held."""
    found = value(
        c,
        "SELECT min(not_before) FROM writes WHERE profile = ? AND state = 'queued' AND held IS NULL AND not_before > ?",
        (profile, to_moment(after)),
    )
    return None if found is None else read_moment(found)

"""Every write (submission or cancellation) that this desk ever queued, as JSON and with its outcomes.

Invariants:
- The bytes of a write never change. A write is deleted only by `retention.forget_before`, long after it ended.
- A write changes its state only along the lines drawn in `records`.
- At most one write of a (profile, reference) is `sending` at any time.
- An attempt is on the disk before its first byte is sent.

All functions take the connection first and run through `Database.read` or `Database.write`. Moments are in UTC; a `now`
without a zone is local time.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

import hashlib
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

import apsw

from app.contract.codes import Format
from app.store.journal.records import (
    MAY_HAVE_ARRIVED,
    NO_EFFECT,
    OUTCOMES,
    SETTLEMENTS,
    STATES,
    AttemptRow,
    Outcome,
    WriteKind,
    WriteRow,
    WriteState,
    WriteStory,
    attempt_row,
    write_row,
)
from app.store.journal.schema.seal import damaged_writes, preserve_damage
from app.store.sqlite.plain_rows import row, rows, value
from app.store.sqlite.text_values import local, read_moment, storable, to_moment
from app.store.store_errors import JournalDamaged, WrongState
from app.translation import translate

WRITE = """
    SELECT id, profile, kind, reference, state, queued_at, changed_at, draft_id, note,
           (SELECT count(*) FROM attempts WHERE write_id = writes.id), verdict, agreed, held, not_before, change,
           missed_at, missed_again_at, resend
    FROM writes
"""
DAMAGED = translate(
    "The stored data of this entry is damaged, so it is not sent. Look it up. If the provider does not have it, "
    "withdraw it and enter it again."
)
OTHER_BYTES = "its bytes are not those that were queued"
REMOVED_PROFILES = "profiles.removed"  # the setting in which `profile_store` lists removed connections
# `not_before` is at most seconds ahead. A later one was written before the clock was set back, and counts as passed.
_LONGEST_WAIT = timedelta(minutes=1)
_NOT_ALLOWED = 403
_CORRECTED = translate("It was corrected, and queued again.")


class SentOrder(NamedTuple):
    """A submission, by this computer's time: when it was queued, its state, and when that changed last."""

    id: int
    state: WriteState
    queued: datetime
    changed: datetime


class Refusal(NamedTuple):
    """An attempt that the provider refused, and its sentence."""

    write_id: int
    reference: str
    sentence: str


def queue_write(
    c: apsw.Connection,
    profile: str,
    kind: WriteKind,
    reference: str,
    payload: bytes,
    now: datetime,
    draft_id: str | None = None,
    *,
    agreed: str | None = None,
    not_before: datetime | None = None,
) -> int:
    """Store the exact bytes to send, before any of them is sent, and return the write's id.

    The draft `draft_id` is closed and tied to the write in the same transaction, so that it can be queued only once; an
    earlier write of this draft that the provider rejected is withdrawn. `agreed` is the verdict that a person said yes
    to. The write is not sent before `not_before`, and can be withdrawn until then.

    Raises `WrongState` if the draft was queued or closed before, or if the connection was removed.
    """
    refuse_removed(c, profile)
    c.execute(
        """
        INSERT INTO writes (profile, kind, reference, payload, sha256, state, queued_at, changed_at, draft_id,
                            agreed, not_before)
        VALUES (?1, ?2, ?3, ?4, ?5, 'queued', ?6, ?6, ?7, ?8, ?9)
        """,
        (
            profile,
            kind,
            reference,
            payload,
            _digest(payload),
            to_moment(now),
            draft_id,
            agreed,
            None if not_before is None else to_moment(not_before),
        ),
    )
    write_id = c.last_insert_rowid()
    if draft_id is not None:
        _close_draft(c, draft_id, write_id, now)
    return write_id


def refuse_removed(c: apsw.Connection, profile: str) -> None:
    """Raise `WrongState` if the connection was removed."""
    # The outbox of a removed connection is on no page, so nobody would see this write.
    removed = value(
        c,
        """
        SELECT 1 FROM settings, json_each(settings.value) AS removed
        WHERE settings.key = ?1 AND removed.value ->> 'id' = ?2 AND ?2 NOT IN (SELECT id FROM profiles)
        """,
        (REMOVED_PROFILES, profile),
    )
    if removed is not None:
        raise WrongState(translate("This connection has been removed, so nothing was queued for it."))


def _close_draft(c: apsw.Connection, draft_id: str, write_id: int, now: datetime) -> None:
    c.execute(
        "UPDATE drafts SET closed_at = ?, submission_id = ? WHERE id = ? AND closed_at IS NULL",
        (to_moment(now), write_id, draft_id),
    )
    # The condition of the UPDATE decides, not a SELECT before it: of two calls for one draft only one changes a row.
    if c.changes() == 0:
        raise WrongState(translate("This draft has been queued or closed already, so it was not queued again."))
    for (rejected,) in rows(c, "SELECT id FROM writes WHERE draft_id = ? AND state = 'rejected'", (draft_id,)):
        settle(c, rejected, "withdrawn", _CORRECTED, now)


def begin_attempt(
    c: apsw.Connection, write_id: int, now: datetime, verdict: str | None = None, *, sent_as: Format = "json"
) -> int:
    """queued → sending; returns the attempt's id. To be committed before the first byte is sent.

    `verdict` is what the provider has just answered about the reference; it decides later what can settle a doubt.
    `sent_as` is the format in which the bytes are about to leave.
    Raises `WrongState` from any other state, while the write is held for a person, or while another write of the
    reference is `sending`; `JournalDamaged` if the stored bytes are not those that were queued.
    """
    payload(c, write_id)
    if value(c, "SELECT held FROM writes WHERE id = ?", (write_id,)) is not None:
        raise WrongState(translate("This waits for a person's decision, so it is not sent."))
    c.execute(
        "UPDATE writes SET verdict = coalesce(?, verdict), missed_at = NULL, missed_again_at = NULL WHERE id = ?",
        (verdict, write_id),
    )
    return _begin(c, write_id, "queued", now, sent_as)


def begin_resend(
    c: apsw.Connection, write_id: int, now: datetime, missed_again_at: datetime, *, sent_as: Format = "json"
) -> int:
    """in doubt → sending, for `automatic_resend`; returns the attempt's id, stored in `resend` too."""
    attempt = _begin(c, write_id, "in_doubt", now, sent_as)
    c.execute(
        "UPDATE writes SET resend = ?, missed_again_at = ? WHERE id = ?",
        (attempt, to_moment(missed_again_at), write_id),
    )
    return attempt


def earlier_format(c: apsw.Connection, write_id: int) -> Format | None:
    """The format in which a write left before, None if it never did.

    A write that may have arrived is sent again with the same bytes, whatever its connection says by now.
    """
    found: Format | None = value(
        c,
        f"SELECT sent_as FROM attempts WHERE write_id = ? AND {MAY_HAVE_ARRIVED} ORDER BY id DESC LIMIT 1",
        (write_id,),
    )
    return found


def _begin(c: apsw.Connection, write_id: int, old: WriteState, now: datetime, sent_as: Format) -> int:
    try:
        _move(c, write_id, old, "sending", now)
    except apsw.ConstraintError as error:  # the unique index `writes_one_sending`
        raise WrongState(translate("Another change to the same order is being sent. This one waits for it.")) from error
    # The state first: the unique index `writes_one_sending` refuses a second write of the reference before an attempt
    # exists.
    c.execute(
        "INSERT INTO attempts (write_id, started_at, sent_as) VALUES (?, ?, ?)", (write_id, to_moment(now), sent_as)
    )
    return c.last_insert_rowid()


def end_attempt(
    c: apsw.Connection,
    attempt_id: int,
    outcome: Outcome,
    now: datetime,
    *,
    http_status: int | None = None,
    reply: bytes | None = None,
    reply_type: str | None = None,
    sentence: str | None = None,
) -> WriteState:
    """Store how an attempt ended; returns the write's new state (see `OUTCOMES`).

    After an automatic resend the write is in doubt unless it was accepted, because the first attempt may have arrived.
    If the resend provably did nothing, and the provider did not answer 403, the write may be resent automatically once
    more, after two new looks.

    Raises `WrongState` if the attempt has ended before.
    """
    write_id = value(c, "SELECT write_id FROM attempts WHERE id = ? AND ended_at IS NULL", (attempt_id,))
    if write_id is None:
        raise WrongState(translate("This attempt has ended already."))
    c.execute(
        """
        UPDATE attempts SET ended_at = ?, outcome = ?, http_status = ?, reply = ?, reply_type = ?, sentence = ?
        WHERE id = ?
        """,
        (to_moment(now), outcome, http_status, reply, _storable(reply_type), _storable(sentence), attempt_id),
    )
    resent = value(c, "SELECT resend FROM writes WHERE id = ?", (write_id,)) == attempt_id
    if outcome in NO_EFFECT:
        _merge_with_last(c, write_id, attempt_id)
        if resent and http_status != _NOT_ALLOWED:
            c.execute(
                "UPDATE writes SET resend = NULL, missed_at = NULL, missed_again_at = NULL WHERE id = ?", (write_id,)
            )
    state = "in_doubt" if resent and OUTCOMES[outcome] != "accepted" else OUTCOMES[outcome]
    # The old state stands in the condition of `_move`: an attempt that ended before, or a write that a repair has put
    # in doubt meanwhile, is not changed a second time.
    _move(c, write_id, "sending", state, now, sentence)
    return state


def _merge_with_last(c: apsw.Connection, write_id: int, attempt_id: int) -> None:
    """Count an attempt that did nothing in the row of an equal one before it, so that hours of tries stay one row."""
    last = value(
        c,
        """
        SELECT last.id FROM attempts this JOIN attempts last
          ON last.id = (SELECT max(id) FROM attempts WHERE write_id = ?1 AND id < ?2)
        WHERE this.id = ?2 AND last.outcome = this.outcome AND last.http_status IS this.http_status
          AND last.sentence IS this.sentence AND last.sent_as = this.sent_as
          AND this.reply IS NULL AND last.reply IS NULL
        """,
        (write_id, attempt_id),
    )
    if last is not None:
        c.execute(
            """
            UPDATE attempts SET repeats = repeats + 1, ended_at = (SELECT ended_at FROM attempts WHERE id = ?)
            WHERE id = ?
            """,
            (attempt_id, last),
        )
        c.execute("DELETE FROM attempts WHERE id = ?", (attempt_id,))


def settle(
    c: apsw.Connection,
    write_id: int,
    state: WriteState,
    sentence: str | None,
    now: datetime,
    *,
    seen: WriteState | None = None,
    change: int | None = None,
) -> None:
    """Store what a look-up proved or a person decided about a write that was `seen` in a state (None: in any state).

    `change` is the number of the write's last change when it was looked up: a look-up proves nothing about an attempt
    that began later. Raises `WrongState` if `change` or `seen` is not current any more, or if the step is not in
    `SETTLEMENTS`; `JournalDamaged` if the write would be queued and its bytes are not those that were queued.
    """
    current, changed = row(c, "SELECT state, change FROM writes WHERE id = ?", (write_id,)) or (None, None)
    if (current, state) not in SETTLEMENTS or seen not in (None, current) or change not in (None, changed):
        raise _not_allowed(current, state)
    if state == "queued":
        payload(c, write_id)
        # A yes counts for one attempt: it was given to what was known before that one.
        c.execute("UPDATE writes SET agreed = NULL WHERE id = ?", (write_id,))
    _move(c, write_id, current, state, now, sentence)


def payload(c: apsw.Connection, write_id: int) -> bytes:
    """The exact bytes queued. Raises `JournalDamaged` if they were damaged, `WrongState` for an unknown id."""
    stored = _stored_bytes(c, write_id)
    if _digest(stored) != value(c, "SELECT sha256 FROM writes WHERE id = ?", (write_id,)):
        raise JournalDamaged(DAMAGED, OTHER_BYTES)
    if damaged_writes(c, (write_id,)):
        raise JournalDamaged(DAMAGED)
    return stored


def _stored_bytes(c: apsw.Connection, write_id: int) -> bytes:
    stored = value(c, "SELECT payload FROM writes WHERE id = ?", (write_id,))
    if stored is None:
        raise WrongState(translate("The outbox has no entry {number}.", number=write_id))
    return bytes(stored)


def writes_page(
    c: apsw.Connection,
    profile: str,
    states: Collection[WriteState],
    limit: int,
    offset: int = 0,
    *,
    held: bool | None = None,
    of: int | None = None,
) -> list[WriteRow]:
    """Writes in any of `states` (all when empty), the latest first.

    `held` leaves only those queued writes that are held for a person (True) or are not (False).
    `of` leaves only the writes of one import, or, if it is 0, those of no import.
    """
    marks = ", ".join("?" * len(states)) if states else "state"
    found = rows(
        c,
        f"""
        {WRITE} WHERE profile = ? AND state IN ({marks})
          AND (state <> 'queued' OR coalesce((held IS NOT NULL) = ?, 1))
          AND (? IS NULL OR ? = coalesce((SELECT import FROM import_orders WHERE write_id = writes.id), 0))
        ORDER BY id DESC LIMIT ? OFFSET ?
        """,
        (profile, *states, held, of, of, limit, offset),
    )
    return marked_damaged(c, [write_row(values) for values in found])


def marked_damaged(c: apsw.Connection, found: list[WriteRow]) -> list[WriteRow]:
    """The given writes with `damaged` set. Only writes that a person is to decide about are checked."""
    # To check a row means to read its payload, so writes that need no decision are not checked for a list of hundreds.
    damaged = damaged_writes(c, [each.id for each in found if each.state == "in_doubt" or each.held is not None])
    return [replace(each, damaged=True) if each.id in damaged else each for each in found]


def set_note(c: apsw.Connection, write_id: int, sentence: str, now: datetime, *, change: int | None = None) -> None:
    """Replace the write's note; its state stays. The same sentence changes nothing.

    `change` is the number of the write's last change that the sentence is about; after another change it is dropped.
    """
    with preserve_damage(c, write_id):
        c.execute(
            """
            UPDATE writes SET note = ?1, changed_at = ?2
            WHERE id = ?3 AND note IS NOT ?1 AND change IS coalesce(?4, change)
            """,
            (sentence, to_moment(now), write_id, change),
        )


def ready_writes(c: apsw.Connection, profile: str, now: datetime | None = None) -> list[WriteRow]:
    """Queued writes that may be sent now, oldest first.

    Of each reference only the oldest write is ready, and none while another write of it is sending or in doubt. A held
    write is not ready, nor (with `now`) one whose `not_before` has not come.
    """
    found = rows(
        c,
        f"""
        {WRITE} WHERE profile = ?1 AND state = 'queued' AND held IS NULL
          AND (?2 IS NULL OR not_before IS NULL OR not_before <= ?2 OR not_before > ?3)
          AND NOT EXISTS (
            SELECT 1 FROM writes other
            WHERE other.profile = writes.profile AND other.reference = writes.reference
              AND (other.state IN ('sending', 'in_doubt') OR (other.state = 'queued' AND other.id < writes.id)))
        ORDER BY id
        """,
        (profile, *([None] * 2 if now is None else map(to_moment, (now, now.astimezone() + _LONGEST_WAIT)))),
    )
    return [write_row(values) for values in found]


def writes_of(c: apsw.Connection, profile: str, reference: str) -> list[WriteRow]:
    """All writes that this desk ever queued for a reference, the latest first."""
    found = rows(c, f"{WRITE} WHERE profile = ? AND reference = ? ORDER BY id DESC", (profile, reference))
    return [write_row(values) for values in found]


def writes_by_id(c: apsw.Connection, write_ids: Collection[int]) -> list[WriteRow]:
    """The writes with these ids, in the order of the ids; unknown ids are left out."""
    found = [rows(c, f"{WRITE} WHERE id = ?", (each,)) for each in write_ids]
    return marked_damaged(c, [write_row(values) for each in found for values in each])


def write_story(c: apsw.Connection, write_id: int) -> WriteStory:
    """One write with its stored bytes and its attempts. Raises `WrongState` for an unknown id."""
    stored = _stored_bytes(c, write_id)
    found = rows(c, f"{WRITE} WHERE id = ?", (write_id,))
    damaged = bool(damaged_writes(c, (write_id,)))
    return WriteStory(write_row(found[0], damaged=damaged), stored, _attempts(c, write_id))


def counts(c: apsw.Connection, profile: str) -> dict[WriteState, int]:
    """The number of writes in each state; every state is a key."""
    found = rows(c, "SELECT state, count(*) FROM writes WHERE profile = ? GROUP BY state", (profile,))
    return dict.fromkeys(STATES, 0) | dict(found)


def last_sent(c: apsw.Connection, profile: str, reference: str) -> WriteRow | None:
    """The latest submission of a reference that the provider accepted; None when this desk sent none."""
    found = row(
        c,
        f"""
        {WRITE} WHERE profile = ? AND reference = ? AND kind = 'submit' AND state IN ('accepted', 'confirmed')
        ORDER BY id DESC LIMIT 1
        """,
        (profile, reference),
    )
    return None if found is None else write_row(found)


def sent_orders(c: apsw.Connection, profile: str, first: datetime, end: datetime) -> list[SentOrder]:
    """The submissions that were queued from `first` until before `end`, oldest first."""
    statement = """
        SELECT id, state, queued_at, changed_at FROM writes
        WHERE profile = ? AND kind = 'submit' AND queued_at >= ? AND queued_at < ? ORDER BY id
    """
    found = rows(c, statement, (profile, to_moment(first), to_moment(end)))
    return [SentOrder(*each[:2], *(local(read_moment(at)) for at in each[2:])) for each in found]


def refusals(c: apsw.Connection, profile: str, first: datetime, end: datetime) -> list[Refusal]:
    """The refused attempts of submissions that were queued from `first` until before `end`, oldest first.

    A refusal stays one, also of an order that was corrected and sent again.
    """
    statement = """
        SELECT writes.id, reference, coalesce(sentence, '') FROM attempts JOIN writes ON writes.id = write_id
        WHERE profile = ? AND kind = 'submit' AND queued_at >= ? AND queued_at < ? AND outcome = 'rejected'
        ORDER BY attempts.id
    """
    return [Refusal(*each) for each in rows(c, statement, (profile, to_moment(first), to_moment(end)))]


def _attempts(c: apsw.Connection, write_id: int) -> list[AttemptRow]:
    found = rows(
        c,
        """
        SELECT id, write_id, started_at, ended_at, outcome, http_status, reply, reply_type, sentence, repeats,
               sent_as
        FROM attempts WHERE write_id = ? ORDER BY id
        """,
        (write_id,),
    )
    return [attempt_row(values) for values in found]


def _move(
    c: apsw.Connection,
    write_id: int,
    old: WriteState,
    new: WriteState,
    now: datetime,
    sentence: str | None = None,
) -> None:
    # Only from the state that was read: another change may have come first.
    c.execute(
        "UPDATE writes SET state = ?, changed_at = ?, note = ? WHERE id = ? AND state = ?",
        (new, to_moment(now), _storable(sentence), write_id, old),
    )
    if c.changes() != 1:
        raise _not_allowed(value(c, "SELECT state FROM writes WHERE id = ?", (write_id,)), new)


def _not_allowed(current: WriteState | None, wanted: WriteState) -> WrongState:
    words = {"current": _state_words(current), "wanted": _state_words(wanted)}
    return WrongState(translate("Something {current} cannot become {wanted}.", **words))


def _state_words(state: WriteState | None) -> str:
    return "unknown" if state is None else state.replace("_", " ")


def _storable(text: str | None) -> str | None:
    """`storable` for a text that may be missing; replies and sentences may quote any bytes of the provider."""
    return None if text is None else storable(text)


# SHA-256 guards against a disk that flips bits; it keeps no secret.
def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()

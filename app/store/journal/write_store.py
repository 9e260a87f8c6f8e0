"""Every submission and cancellation this desk ever queued, with its exact bytes and its outcomes.

Invariants: what was queued never changes and is never deleted; a write moves only along the lines drawn in
`journal_rows`; at most one write of a (profile, reference) is being sent at any time; an attempt is on the
disk before the first byte goes out. All functions take the connection first and run through
`Database.read` or `Database.write`. Moments are kept in UTC; a `now` without a zone is local time.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

import hashlib
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta

import apsw

from app.store.journal.records import (
    NEVER_LEFT,
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
from app.store.sqlite.text_values import storable, to_moment
from app.store.store_errors import JournalDamaged, WrongState

WRITE = """
    SELECT id, profile, kind, reference, state, queued_at, changed_at, draft_id, note,
           (SELECT count(*) FROM attempts WHERE write_id = writes.id), verdict, agreed, held, not_before, change,
           missed_at, missed_again_at, resend
    FROM writes
"""
DAMAGED = (
    "What is kept of this here is damaged: it is not what was queued, so it is not sent. Look it up. If the provider "
    "does not have it, withdraw it and enter it anew."
)
OTHER_BYTES = "its bytes are not those that were queued"
REMOVED_PROFILES = "profiles.removed"  # the setting in which `profile_store` lists removed connections
_LONGEST_WAIT = timedelta(minutes=1)  # what waits longer was told to by a clock that has been set back since
_NOT_ALLOWED = 403
_CORRECTED = "It was corrected, and queued again."
_DIED = "Waybill stopped while this was being sent, so nobody knows yet whether it arrived."


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
    _refuse_removed(c, profile)
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
        c.execute(
            "UPDATE drafts SET closed_at = ?, submission_id = ? WHERE id = ? AND closed_at IS NULL",
            (to_moment(now), write_id, draft_id),
        )
        if c.changes() == 0:
            raise WrongState("This draft has been queued or closed already, so it was not queued again.")
        for (refused,) in rows(c, "SELECT id FROM writes WHERE draft_id = ? AND state = 'rejected'", (draft_id,)):
            settle(c, refused, "withdrawn", _CORRECTED, now)
    return write_id


def _refuse_removed(c: apsw.Connection, profile: str) -> None:
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
        raise WrongState("This connection has been removed, so nothing was queued for it.")


def begin_attempt(c: apsw.Connection, write_id: int, now: datetime, verdict: str | None = None) -> int:
    """queued → sending, and the attempt's id. To be committed before the first byte is sent.

    `verdict` is what the provider has just said of the reference: it decides later what a doubt can be settled by.
    Raises `WrongState` from any other state, while it is held for a person, or while another write of the same
    reference is being sent; `JournalDamaged` when the bytes kept are not those that were queued.
    """
    payload(c, write_id)
    if value(c, "SELECT held FROM writes WHERE id = ?", (write_id,)) is not None:
        raise WrongState("This waits for a person's decision, so it is not sent.")
    c.execute(
        "UPDATE writes SET verdict = coalesce(?, verdict), missed_at = NULL, missed_again_at = NULL WHERE id = ?",
        (verdict, write_id),
    )
    return _begin(c, write_id, "queued", now)


def begin_resend(c: apsw.Connection, write_id: int, now: datetime, missed_again_at: datetime) -> int:
    """in doubt → sending, by itself (see `journal_resend`), and the attempt's id, which the write bears from now on."""
    attempt = _begin(c, write_id, "in_doubt", now)
    c.execute(
        "UPDATE writes SET resend = ?, missed_again_at = ? WHERE id = ?",
        (attempt, to_moment(missed_again_at), write_id),
    )
    return attempt


def _begin(c: apsw.Connection, write_id: int, old: WriteState, now: datetime) -> int:
    try:
        _move(c, write_id, old, "sending", now)
    except apsw.ConstraintError as error:
        raise WrongState("Another change to the same order is being sent. This one waits for it.") from error
    c.execute("INSERT INTO attempts (write_id, started_at) VALUES (?, ?)", (write_id, to_moment(now)))
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
    """Write down how an attempt ended; the write's new state (see `OUTCOMES`) is returned.

    One that was sent again by itself is in doubt also where this attempt did nothing: the one before it may have
    arrived. What never left, or was turned back, may be sent again by itself another time, once it has been looked for
    twice from now on; a 403 is an answer to a person.

    Raises `WrongState` when the attempt has ended already.
    """
    write_id = value(c, "SELECT write_id FROM attempts WHERE id = ? AND ended_at IS NULL", (attempt_id,))
    if write_id is None:
        raise WrongState("This attempt has ended already.")
    c.execute(
        """
        UPDATE attempts SET ended_at = ?, outcome = ?, http_status = ?, reply = ?, reply_type = ?, sentence = ?
        WHERE id = ?
        """,
        (to_moment(now), outcome, http_status, reply, _said_by(reply_type), _said_by(sentence), attempt_id),
    )
    again = value(c, "SELECT resend FROM writes WHERE id = ?", (write_id,)) == attempt_id
    if outcome in NEVER_LEFT:
        _count_with_the_last(c, write_id, attempt_id)
        if again and http_status != _NOT_ALLOWED:
            c.execute(
                "UPDATE writes SET resend = NULL, missed_at = NULL, missed_again_at = NULL WHERE id = ?", (write_id,)
            )
    state = "in_doubt" if again and OUTCOMES[outcome] != "accepted" else OUTCOMES[outcome]
    _move(c, write_id, "sending", state, now, sentence)
    return state


def _count_with_the_last(c: apsw.Connection, write_id: int, attempt_id: int) -> None:
    """An attempt that did nothing, as the one before it: one row says how often, however long that goes on."""
    last = value(
        c,
        """
        SELECT last.id FROM attempts this JOIN attempts last
          ON last.id = (SELECT max(id) FROM attempts WHERE write_id = ?1 AND id < ?2)
        WHERE this.id = ?2 AND last.outcome = this.outcome AND last.http_status IS this.http_status
          AND last.sentence IS this.sentence AND this.reply IS NULL AND last.reply IS NULL
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
    """Write down what a look-up proved or a person decided about a write that was `seen` in a state, or in any.

    `change` is the number of its last change when it was looked up: what was found says nothing of an attempt since.
    Raises `WrongState` when it is another one by now, and unless the change is in `SETTLEMENTS`; `JournalDamaged`
    when it would go back to the queue and its bytes are not those that were queued.
    """
    current, changed = row(c, "SELECT state, change FROM writes WHERE id = ?", (write_id,)) or (None, None)
    if (current, state) not in SETTLEMENTS or seen not in (None, current) or change not in (None, changed):
        raise WrongState(f"Something {_said(current)} cannot become {_said(state)}.")
    if state == "queued":
        payload(c, write_id)
        c.execute("UPDATE writes SET agreed = NULL WHERE id = ?", (write_id,))  # the yes was to the time before
    _move(c, write_id, current, state, now, sentence)


def recover(c: apsw.Connection, now: datetime) -> int:
    """At start: whatever was being sent when the program died is in doubt now. Returns how many."""
    open_ones = rows(c, "SELECT id FROM attempts WHERE ended_at IS NULL")
    for (attempt_id,) in open_ones:
        end_attempt(c, attempt_id, "died", now, sentence=_DIED)
    return len(open_ones)


def payload(c: apsw.Connection, write_id: int) -> bytes:
    """The exact bytes queued. Raises `JournalDamaged` when they are not, `WrongState` for an unknown id."""
    kept = _kept_bytes(c, write_id)
    if _digest(kept) != value(c, "SELECT sha256 FROM writes WHERE id = ?", (write_id,)):
        raise JournalDamaged(DAMAGED, OTHER_BYTES)
    if damaged_writes(c, (write_id,)):
        raise JournalDamaged(DAMAGED)
    return kept


def _kept_bytes(c: apsw.Connection, write_id: int) -> bytes:
    kept = value(c, "SELECT payload FROM writes WHERE id = ?", (write_id,))
    if kept is None:
        raise WrongState(f"There is nothing numbered {write_id} in the outbox.")
    return bytes(kept)


def writes_page(
    c: apsw.Connection,
    profile: str,
    states: Collection[WriteState],
    limit: int,
    offset: int = 0,
    *,
    held: bool | None = None,
) -> list[WriteRow]:
    """Writes in any of `states` (all when empty), the latest first; of the queued ones only those that are held
    for a person, or only those that are not, where `held` says so."""
    marks = ", ".join("?" * len(states)) if states else "state"
    found = rows(
        c,
        f"""
        {WRITE} WHERE profile = ? AND state IN ({marks})
          AND (state <> 'queued' OR coalesce((held IS NOT NULL) = ?, 1))
        ORDER BY id DESC LIMIT ? OFFSET ?
        """,
        (profile, *states, held, limit, offset),
    )
    return marked_damaged(c, [write_row(values) for values in found])


def marked_damaged(c: apsw.Connection, found: list[WriteRow]) -> list[WriteRow]:
    """The same rows, those marked that a person is to decide about and that are damaged."""
    damaged = damaged_writes(c, [each.id for each in found if each.state == "in_doubt" or each.held is not None])
    return [replace(each, damaged=True) if each.id in damaged else each for each in found]


def set_note(c: apsw.Connection, write_id: int, sentence: str, now: datetime, *, change: int | None = None) -> None:
    """Replace the latest words about a write; its state stays. The same words again change nothing, nor do words about
    how it was at its last `change`, if that is named and not its last any more."""
    with preserve_damage(c, write_id):
        c.execute(
            """
            UPDATE writes SET note = ?1, changed_at = ?2
            WHERE id = ?3 AND note IS NOT ?1 AND change IS coalesce(?4, change)
            """,
            (sentence, to_moment(now), write_id, change),
        )


def ready_writes(c: apsw.Connection, profile: str, now: datetime | None = None) -> list[WriteRow]:
    """Queued writes that may go out now, oldest first: of a reference only the oldest, and none while
    another one of it is being sent or in doubt, it is held, or (with `now`) its time has not come."""
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
    """All this desk ever queued for a reference, the latest first."""
    found = rows(c, f"{WRITE} WHERE profile = ? AND reference = ? ORDER BY id DESC", (profile, reference))
    return [write_row(values) for values in found]


def writes_by_id(c: apsw.Connection, write_ids: Collection[int]) -> list[WriteRow]:
    """Those of these that there are, as they stand now."""
    found = [rows(c, f"{WRITE} WHERE id = ?", (each,)) for each in write_ids]
    return marked_damaged(c, [write_row(values) for each in found for values in each])


def write_story(c: apsw.Connection, write_id: int) -> WriteStory:
    """One write with what is kept of its bytes, and its attempts. Raises `WrongState` for an unknown id."""
    kept = _kept_bytes(c, write_id)
    found = rows(c, f"{WRITE} WHERE id = ?", (write_id,))
    return WriteStory(write_row(found[0], damaged=bool(damaged_writes(c, (write_id,)))), kept, _attempts(c, write_id))


def counts(c: apsw.Connection, profile: str) -> dict[WriteState, int]:
    """How many writes are in each state; every state is present."""
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


def _attempts(c: apsw.Connection, write_id: int) -> list[AttemptRow]:
    found = rows(
        c,
        """
        SELECT id, write_id, started_at, ended_at, outcome, http_status, reply, reply_type, sentence, repeats
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
    c.execute(
        "UPDATE writes SET state = ?, changed_at = ?, note = ? WHERE id = ? AND state = ?",
        (new, to_moment(now), _said_by(sentence), write_id, old),
    )
    if c.changes() != 1:
        current = value(c, "SELECT state FROM writes WHERE id = ?", (write_id,))
        raise WrongState(f"Something {_said(current)} cannot become {_said(new)}.")


def _said(state: WriteState | None) -> str:
    return "unknown" if state is None else state.replace("_", " ")


def _said_by(words: str | None) -> str | None:
    """Words that may come from outside, fit to be kept."""
    return None if words is None else storable(words)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()

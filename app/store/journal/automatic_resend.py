"""The automatic resend: Waybill sends a new order in doubt a second time, once, if two looks do not find it.

Invariants:
- A write is resent only if the provider had answered, just before its one attempt, that it has no such order, and if
  this desk has used the reference for nothing else.
- The attempt's number is stored with the write (`resend`) in the transaction that begins it, so there is no third one.
- Every attempt starts without a look: `begin_attempt` clears the moments at which the provider did not know the order.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import NamedTuple

import apsw

from app.store.journal import write_store
from app.store.journal.claim import NOTHING_KNOWN, Claim, LastLook, body_to_send, refuse_if_moved
from app.store.journal.own_evidence import last_forbidden_attempt
from app.store.journal.profile_store import Profile
from app.store.journal.records import MAY_HAVE_ARRIVED, WriteRow, write_row
from app.store.journal.schema.seal import preserve_damage
from app.store.journal.team import team_log
from app.store.journal.write_store import WRITE, marked_damaged
from app.store.sqlite.plain_rows import row, rows
from app.store.sqlite.text_values import read_moment, to_moment
from app.store.store_errors import WrongState
from app.translation import translate

_ATTEMPTS = f"FROM attempts WHERE write_id = writes.id AND {MAY_HAVE_ARRIVED}"
_ALLOWED = f"""
    state = 'in_doubt' AND kind = 'submit' AND verdict = 'new' AND resend IS NULL
    AND (SELECT count(*) {_ATTEMPTS}) = 1 AND (SELECT max(id) {_ATTEMPTS}) > ?2
    AND NOT EXISTS (
        SELECT 1 FROM writes other WHERE other.profile = writes.profile AND other.reference = writes.reference
          AND other.id <> writes.id
          AND (other.state IN ('sending', 'in_doubt', 'accepted', 'confirmed')
               OR EXISTS (SELECT 1 FROM attempts WHERE write_id = other.id AND {MAY_HAVE_ARRIVED})))
"""


class MissedWrite(NamedTuple):
    """A write in doubt that the provider did not know at `missed_at`, and the end of its last attempt."""

    write: WriteRow
    missed_at: datetime
    tried_at: datetime


def may_resend(c: apsw.Connection, write_id: int) -> bool:
    """Whether this write in doubt may be resent automatically, if the provider does not know it."""
    found = row(c, f"SELECT 1 FROM writes WHERE id = ?1 AND {_ALLOWED}", (write_id, last_forbidden_attempt(c)))
    return found is not None


def record_first_miss(c: apsw.Connection, write_id: int, at: datetime, change: int) -> WriteRow | None:
    """Store the first of two looks: the provider did not know the order `at` this moment.

    `change` is the number of the write's last change when the provider was asked. Returns the write as it is now; None
    if it has changed since, or may not be resent.
    """
    with preserve_damage(c, write_id):
        c.execute(
            f"UPDATE writes SET missed_at = ?3 WHERE id = ?1 AND change = ?4 AND missed_at IS NULL AND {_ALLOWED}",
            (write_id, last_forbidden_attempt(c), to_moment(at), change),
        )
        stored = c.changes() == 1
    found = row(c, f"{WRITE} WHERE id = ?", (write_id,)) if stored else None
    return None if found is None else write_row(found)


def missed_once(c: apsw.Connection, profile: str) -> list[MissedWrite]:
    """The writes that one look since their attempt did not find, oldest first."""
    found = rows(
        c,
        f"{WRITE} WHERE profile = ?1 AND missed_at IS NOT NULL AND {_ALLOWED} ORDER BY id",
        (profile, last_forbidden_attempt(c)),
    )
    sound = [each for each in marked_damaged(c, [write_row(values) for values in found]) if not each.damaged]
    return [MissedWrite(each, each.missed_at, _tried_at(c, each.id)) for each in sound if each.missed_at is not None]


def _tried_at(c: apsw.Connection, write_id: int) -> datetime:
    found = row(c, "SELECT ended_at, started_at FROM attempts WHERE write_id = ? ORDER BY id DESC LIMIT 1", (write_id,))
    assert found is not None
    return read_moment(found[0] or found[1])


def claim_resend(
    c: apsw.Connection,
    write: WriteRow,
    decide: Callable[[], LastLook],
    now: datetime,
    missed_again_at: datetime,
    place: Profile,
    *,
    unclaimed: bool = False,
    known: Mapping[str, int] = NOTHING_KNOWN,
) -> tuple[LastLook, Claim | None]:
    """Decide by the second look, and begin the second attempt, in one transaction. Otherwise the write stays in doubt.

    `unclaimed` and `known` as in `claim.claim_write`.

    Raises `WrongState` if the write has changed since it was read, if its reference was used again, or if the
    connection leads to another provider by now; `JournalDamaged` as `write_store.payload`.
    """
    refuse_if_moved(c, place)
    body, sent_as = body_to_send(c, write, place)
    # The number of the last change, not the state: the write may have been settled and put in doubt again since the
    # look.
    current = row(c, "SELECT change FROM writes WHERE id = ? AND missed_at IS NOT NULL", (write.id,))
    if current != (write.change,) or not may_resend(c, write.id):
        raise WrongState(translate("This has changed since it was looked up, so it was not sent again."))
    # Decided inside the transaction: nothing can change in the journal between this decision and the start of the
    # attempt.
    look = decide()
    if look.decision != "send":
        return look, None
    attempt = write_store.begin_resend(c, write.id, now, missed_again_at, sent_as=sent_as)
    if unclaimed:
        team_log.mark_unclaimed(c, attempt)
    team_log.note_known(c, attempt, known)
    return look, Claim(attempt, body, sent_as)

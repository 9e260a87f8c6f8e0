"""Queued writes that are held for a person: why each is held, and which verdict the person said yes to.

Invariants: a held write is not sent until a person releases it. A person's yes counts for the verdict that was shown,
and only while the connection leads to the provider that gave this verdict.
"""

from datetime import datetime

import apsw

from app.store.journal.records import UNASKED, WriteRow
from app.store.journal.schema.seal import preserve_damage
from app.store.journal.write_store import payload, settle
from app.store.sqlite.plain_rows import row, rows, value
from app.store.sqlite.text_values import to_moment
from app.store.store_errors import WrongState
from app.translation import translate

_BEFORE = "Held before this connection led here: "  # not translated: stored sentences are compared with it
_NOT_QUEUED = translate("This is not in the queue any more.")


def hold(c: apsw.Connection, write_id: int, sentence: str, now: datetime, verdict: str | None = None) -> None:
    """Hold a queued write until a person decides, because of `verdict`. Raises `WrongState` if it is not queued."""
    if value(c, "SELECT state FROM writes WHERE id = ?", (write_id,)) != "queued":
        raise WrongState(_NOT_QUEUED)
    with preserve_damage(c, write_id):
        c.execute(
            "UPDATE writes SET held = ?1, note = ?1, changed_at = ?2, verdict = coalesce(?4, verdict) WHERE id = ?3",
            (sentence, to_moment(now), write_id, verdict),
        )


def release(c: apsw.Connection, write_id: int, now: datetime, seen: WriteRow | None = None) -> None:
    """Release a write for a person who said yes to what `seen` shows: why it is held, or that it is sent unasked.

    Raises `WrongState` if the write is not queued, or is held for another reason by now; `JournalDamaged` as `payload`.
    """
    held, verdict = row(c, "SELECT held, verdict FROM writes WHERE id = ?", (write_id,)) or (None, None)
    # The yes was given to the sentence on screen. The last look may have replaced it between the drawing and the click.
    if seen is not None and (held, verdict == UNASKED) != (seen.held, seen.verdict == UNASKED):
        raise WrongState(translate("The reason why this waits has changed. Read it, and decide again."))
    payload(c, write_id)
    c.execute(
        """
        UPDATE writes SET agreed = iif(held IS NULL AND verdict IS NOT ?3, agreed, verdict), held = NULL,
                          not_before = NULL, changed_at = ?1
        WHERE id = ?2 AND state = 'queued'
        """,
        (to_moment(now), write_id, UNASKED),
    )
    if c.changes() == 0:
        raise WrongState(_NOT_QUEUED)


def mark_unasked(c: apsw.Connection, write_id: int, *, unasked: bool) -> None:
    """Store whether a queued write waits because the provider could not be asked about the order."""
    with preserve_damage(c, write_id):
        c.execute(
            "UPDATE writes SET verdict = ?1 WHERE id = ?2 AND state = 'queued' AND (verdict IS ?3) <> ?4",
            (UNASKED if unasked else None, write_id, UNASKED, unasked),
        )


def revoke_agreements(c: apsw.Connection, profile: str) -> None:
    """Drop all verdicts and yeses of queued writes, because the connection leads to another provider from now on."""
    found = rows(
        c,
        """
        SELECT id FROM writes WHERE profile = ?2 AND state = 'queued'
          AND coalesce(agreed, verdict, held) IS NOT NULL AND coalesce(substr(held, 1, length(?1)) <> ?1, 1)
        """,
        (_BEFORE, profile),
    )
    for (write_id,) in found:
        with preserve_damage(c, write_id):
            c.execute(
                """
                UPDATE writes SET agreed = NULL, verdict = NULL, held = ?1 || held,
                                  note = iif(held IS NULL, note, ?1 || held)
                WHERE id = ?2
                """,
                (_BEFORE, write_id),
            )


def requeue_on_hold(
    c: apsw.Connection, write_id: int, sentence: str, now: datetime, *, change: int | None = None
) -> None:
    """in doubt → queued and held: the write is proven not to have arrived, and a person decides whether to send it.

    `change` as in `settle`.
    """
    # Both steps run in one transaction, so the send queue never finds the write queued and not held.
    settle(c, write_id, "queued", sentence, now, change=change)
    hold(c, write_id, sentence, now)


def count_held(c: apsw.Connection, profile: str) -> int:
    """The number of queued writes that are held for a person."""
    return int(
        value(c, "SELECT count(*) FROM writes WHERE profile = ? AND state = 'queued' AND held IS NOT NULL", (profile,))
    )

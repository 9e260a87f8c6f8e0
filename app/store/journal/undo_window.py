"""Cancellations that can still be undone, because they wait a few seconds before they are sent.

Invariant: a cancellation is sent by itself only if its time to undo ended while a person could see it. If the program
ends or another connection is chosen before that, the cancellation is held for a person.
"""

from collections.abc import Collection
from datetime import datetime

import apsw

from app.store.journal.held_writes import hold
from app.store.journal.records import WriteRow, write_row
from app.store.journal.schema.seal import preserve_damage
from app.store.journal.write_store import WRITE, marked_damaged
from app.store.sqlite.plain_rows import rows
from app.store.sqlite.text_values import to_moment

# These three are not translated: `held_undoable` finds the held writes by the stored sentence.
ENDED = "Waybill ended while this cancellation could still be undone, so it was not sent."
LEFT = "Another connection was chosen while this cancellation could still be undone, so it was not sent."
# Its time to undo was over by the next start. Nobody noted whether that was so before the program ended.
UNSENT = "Waybill ended before this cancellation was sent, perhaps while it could still be undone."
# `not_before` of a cancellation with attempts is the time of its next attempt, not the end of its time to undo.
_UNDOABLE = """
    kind = 'cancel' AND state = 'queued' AND held IS NULL AND not_before IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM attempts WHERE write_id = writes.id)
"""


def undoable(c: apsw.Connection, profile: str) -> list[WriteRow]:
    """The cancellations that can still be undone, oldest first."""
    found = rows(c, f"{WRITE} WHERE profile = ? AND {_UNDOABLE} ORDER BY id", (profile,))  # our own words
    return [write_row(values) for values in found]


def end_undo(c: apsw.Connection, write_ids: Collection[int], now: datetime) -> int:
    """Let these cancellations be sent, since their time to undo ended in sight of a person; returns how many were."""
    done = 0
    for write_id in write_ids:
        with preserve_damage(c, write_id):
            c.execute(
                f"UPDATE writes SET not_before = NULL, changed_at = ? WHERE id = ? AND {_UNDOABLE}",  # noqa: S608  # as above
                (to_moment(now), write_id),
            )
            done += c.changes()
    return done


def hold_undoable(c: apsw.Connection, sentence: str, now: datetime, profile: str | None = None) -> int:
    """Hold the cancellations that can still be undone, of one connection or of all; returns how many.

    `sentence` is `ENDED` or `LEFT`. One whose time to undo is over is not held if only the connection changes, because
    that time ended in sight of a person.
    """
    found = rows(
        c,
        f"""
        SELECT id, not_before <= ? FROM writes WHERE {_UNDOABLE} AND profile = coalesce(?, profile)
        """,  # noqa: S608  # as above
        (to_moment(now), profile),
    )
    held = 0
    for write_id, over in found:
        if not over or sentence == ENDED:
            hold(c, write_id, UNSENT if over else sentence, now)
            held += 1
        with preserve_damage(c, write_id):
            c.execute("UPDATE writes SET not_before = NULL WHERE id = ?", (write_id,))
    return held


def held_undoable(c: apsw.Connection, profile: str) -> list[WriteRow]:
    """The cancellations that `hold_undoable` held, oldest first."""
    found = rows(
        c,
        f"{WRITE} WHERE profile = ? AND state = 'queued' AND held IN (?, ?, ?) ORDER BY id",
        (profile, ENDED, UNSENT, LEFT),
    )
    return marked_damaged(c, [write_row(values) for values in found])

"""Cancellations that can still be taken back: until when, and what becomes of those that the program leaves so.

Invariant: a cancellation leaves by itself only if its time ran out in sight of a person. What could still be taken back
when the program ended, or when another connection was chosen, is held and waits for a person.
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

ENDED = "Waybill ended while this cancellation could still be taken back, so it was not sent."
LEFT = "Another connection was chosen while this cancellation could still be taken back, so it was not sent."
# A cancellation that was tried may wait for another moment, which is none to take it back in.
_OPEN = """
    kind = 'cancel' AND state = 'queued' AND held IS NULL AND not_before IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM attempts WHERE write_id = writes.id)
"""


def undoable(c: apsw.Connection, profile: str) -> list[WriteRow]:
    """The cancellations that can still be taken back, the oldest first."""
    found = rows(c, f"{WRITE} WHERE profile = ? AND {_OPEN} ORDER BY id", (profile,))  # our own words
    return [write_row(values) for values in found]


def end_undo(c: apsw.Connection, write_ids: Collection[int], now: datetime) -> int:
    """The time of these has run out in sight of a person: they leave with what is queued. How many did."""
    done = 0
    for each in write_ids:
        with preserve_damage(c, each):
            c.execute(
                f"UPDATE writes SET not_before = NULL, changed_at = ? WHERE id = ? AND {_OPEN}",  # noqa: S608  # as above
                (to_moment(now), each),
            )
            done += c.changes()
    return done


def hold_undoable(c: apsw.Connection, sentence: str, now: datetime, profile: str | None = None) -> int:
    """Keep what can still be taken back from being sent until a person decides; of one connection, or of all.

    How many. `sentence` is `ENDED` or `LEFT`.
    """
    found = rows(
        c,
        f"SELECT id FROM writes WHERE {_OPEN} AND profile = coalesce(?, profile)",  # noqa: S608  # as above
        (profile,),
    )
    for (write_id,) in found:
        hold(c, write_id, sentence, now)
        with preserve_damage(c, write_id):
            c.execute("UPDATE writes SET not_before = NULL WHERE id = ?", (write_id,))
    return len(found)


def held_undoable(c: apsw.Connection, profile: str) -> list[WriteRow]:
    """Those that `hold_undoable` has left to a person, the oldest first."""
    found = rows(
        c,
        f"{WRITE} WHERE profile = ? AND state = 'queued' AND held IN (?, ?) ORDER BY id",
        (profile, ENDED, LEFT),
    )
    return marked_damaged(c, [write_row(values) for values in found])

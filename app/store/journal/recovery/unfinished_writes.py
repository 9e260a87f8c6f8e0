"""Writes that were on their way when the program ended, the folder was copied, or the journal was restored.

Invariant: no such write is sent again automatically. It may have been sent by the attempt that was cut off, by the
program in another folder, or after the backup was made, and a newer write of the order may have followed it.
"""

from datetime import datetime

import apsw

from app.store.journal import import_store, undo_window
from app.store.journal.own_evidence import forbid_automatic_resend
from app.store.journal.request_store import end_unfinished
from app.store.journal.setting_store import read_setting, write_setting
from app.store.journal.write_store import end_attempt
from app.store.sqlite.plain_rows import rows, value
from app.store.sqlite.text_values import to_moment
from app.translation import translate

_PLACE = "journal.place"  # the setting: where this journal was last used
_DIED = translate("Waybill stopped while this was being sent. It is not known yet whether it arrived.")
_IMPORT_ELSEWHERE = translate(
    "Paused: the folder was copied, or the journal restored, while this import was under way."
)
FROM_ELSEWHERE = translate(
    "Queued in another folder or on another computer. It may have been sent from there, so it is not sent "
    "automatically. Look it up first."
)


def recover(c: apsw.Connection, now: datetime, place: str) -> int:
    """At start: put the writes in doubt that may have been sent, and return how many there were.

    These are all writes with an open attempt and, if the journal was last used in another `place`, all queued writes.
    `place` names the folder and the computer; an empty text means unknown. A cancellation whose time to undo was open
    when the program ended is held for a person.
    """
    open_attempts = end_open_attempts(c, now)
    end_unfinished(c, now)
    # Before the place is compared: a cancellation that could still be undone needs a person in the same folder too.
    undo_window.hold_undoable(c, undo_window.ENDED, now)
    before = read_setting(c, _PLACE)
    if not place or before == place:
        return open_attempts
    write_setting(c, _PLACE, place)
    if before is None:  # a new journal
        return open_attempts
    forbid_automatic_resend(c)  # otherwise both copies of the journal would send a write in doubt again
    import_store.pause_all(c, _IMPORT_ELSEWHERE, now)  # and both would feed what is left of an import
    queued = int(value(c, "SELECT count(*) FROM writes WHERE state = 'queued'"))
    if queued:
        put_in_doubt(c, now, FROM_ELSEWHERE)
    return open_attempts + queued


def end_open_attempts(c: apsw.Connection, now: datetime) -> int:
    """Put every write in doubt that was `sending` when the program ended; returns how many."""
    found = rows(c, "SELECT id FROM attempts WHERE ended_at IS NULL")
    for (attempt_id,) in found:
        end_attempt(c, attempt_id, "died", now, sentence=_DIED)
    return len(found)


def put_in_doubt(c: apsw.Connection, now: datetime, sentence: str) -> list[str]:
    """Put every queued or sending write in doubt with this sentence; returns the references of all writes in doubt.

    The verdict of a queued write is dropped, because the provider gave it at some earlier time and not just before the
    write was sent. No attempt made so far may lead to an automatic resend.
    """
    c.execute(
        "UPDATE attempts SET ended_at = ?, outcome = 'died', sentence = ? WHERE ended_at IS NULL",
        (to_moment(now), sentence),
    )
    forbid_automatic_resend(c)
    import_store.pause_all(c, _IMPORT_ELSEWHERE, now)
    c.execute(
        """
        UPDATE writes SET state = 'in_doubt', note = ?, changed_at = ?, held = NULL, not_before = NULL,
                          verdict = iif(state = 'queued', NULL, verdict)
        WHERE state IN ('queued', 'sending')
        """,
        (sentence, to_moment(now)),
    )
    return [name for (name,) in rows(c, "SELECT reference FROM writes WHERE state = 'in_doubt' ORDER BY id")]

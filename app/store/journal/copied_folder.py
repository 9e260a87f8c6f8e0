"""Where a journal is used: one that comes from elsewhere may be a copy, and the other may go on without it.

Invariant: what was queued in another place is not sent by itself. It may have been sent from there since, and something
newer after it.
"""

from datetime import datetime

import apsw

from app.store.journal import undo_window, write_store
from app.store.journal.own_evidence import forbid_automatic_resend
from app.store.journal.recovery.rebuild import put_in_doubt
from app.store.journal.setting_store import read_setting, write_setting
from app.store.sqlite.plain_rows import value

_PLACE = "journal.place"
FROM_ELSEWHERE = (
    "This was queued in another folder or on another computer, from where it may have been sent since. So it is not "
    "sent by itself: look it up first."
)


def recover(c: apsw.Connection, now: datetime, place: str) -> int:
    """At start: `journal.recover`, and whatever is queued in a journal that was last used in another place is in doubt
    too; how many are. What could still be taken back when the program ended waits for a person. `place` names where it
    is used now; empty where nobody knows."""
    died = write_store.recover(c, now)
    undo_window.hold_undoable(c, undo_window.ENDED, now)
    before = read_setting(c, _PLACE)
    if not place or before == place:
        return died
    write_setting(c, _PLACE, place)
    if before is None:  # never used before, or by a version that did not say where
        return died
    forbid_automatic_resend(c)  # both copies would send it again
    queued = int(value(c, "SELECT count(*) FROM writes WHERE state = 'queued'"))
    if queued:
        put_in_doubt(c, now, FROM_ELSEWHERE)
    return died + queued

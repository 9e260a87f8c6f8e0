"""What is said of a write: one sentence, drawn from its state and the clock, never kept and shown later.

Whoever shows it draws it anew whenever the journal has changed, and each second while `seconds_left` counts.
"""

from datetime import datetime
from math import ceil
from typing import NamedTuple

from app.store.journal.records import WriteRow
from app.ui.outbox.state_words import DAMAGED_MEANING, UNASKED_MEANING
from app.ui.widgets.text.labels import Tone

_LONGEST_S = 60  # what seems to wait longer waits by a clock that was set back, and is sent


class Said(NamedTuple):
    """`over`: nothing more happens to it by itself, and no person is needed."""

    tone: Tone
    sentence: str
    over: bool = False


def seconds_left(row: WriteRow, now: datetime) -> int:
    """For how many seconds a cancellation can still be taken back before it leaves; 0 once that is over."""
    if row.kind != "cancel" or row.state != "queued" or row.held or row.attempts or row.not_before is None:
        return 0
    left = (row.not_before - now.astimezone()).total_seconds()
    return ceil(left) if 0 < left <= _LONGEST_S else 0


def said_of(row: WriteRow, now: datetime, *, blocked: bool = False) -> Said:
    """How a write stands, named by its reference. `blocked`: the connection waits for a person."""
    name = f"order {row.reference}" if row.kind == "submit" else f"the cancellation of {row.reference}"
    what = name[0].upper() + name[1:]
    why = f" {row.note}" if row.note else ""
    if row.damaged and row.state in DAMAGED_MEANING:
        return Said("bad", f"{what} is damaged. {DAMAGED_MEANING[row.state]}")
    if row.state == "queued":
        return _queued(row, what, why, seconds_left(row, now), blocked=blocked)
    if row.state == "sending":
        return Said("soft", f"{what} is being sent.")
    if row.state == "rejected":
        return Said("bad", f"The provider refused {name}.{why}")
    if row.state == "in_doubt":
        return Said("warn", f"{what} may have arrived, and is not sent again until that is known.{why}")
    if row.state == "withdrawn":
        if row.kind == "cancel" and not row.attempts:
            return Said(
                "", f"Order {row.reference} was not cancelled: it was taken back before it was sent.", over=True
            )
        return Said("", f"{what} is not sent from here any more.{why}", over=True)
    back = ", and it was read back" if row.state == "confirmed" else ""
    return Said("good", f"The provider has taken {name}{back}.", over=True)


def _queued(row: WriteRow, what: str, why: str, left: int, *, blocked: bool) -> Said:
    if row.held is not None:
        return Said("warn", f"{what} waits for your decision. {row.held}")
    if blocked:
        return Said("warn", f"{what} waits. Nothing leaves until the connection is put right.")
    if left:
        return Said("", f"Order {row.reference} is cancelled in {left:,} second{'' if left == 1 else 's'}.")
    if row.waits_unasked:
        return Said("soft", f"{what} waits.{why} {UNASKED_MEANING}")
    return Said("soft", f"{what} is in the outbox and has not left yet.{why}")

"""Numbers over many writes of this desk: what was sent when, what was refused and why, how long confirming took."""

from datetime import datetime
from typing import NamedTuple

import apsw

from app.store.journal.records import WriteState
from app.store.sqlite.plain_rows import rows
from app.store.sqlite.text_values import local, read_moment, to_moment


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

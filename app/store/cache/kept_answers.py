"""The last answer to each question whose records have no published shape: overage, facilities, reference data.

A question is a subject ("overage") and what it was asked by, as JSON text. Invariants: an older answer never replaces a
newer one; of each subject the latest `MOST` answers stay.
"""

from dataclasses import dataclass
from datetime import datetime

import apsw

from app.store.sqlite.plain_rows import row, rows
from app.store.sqlite.text_values import storable, to_text_ms

MOST = 300  # answers of one subject


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """An answer: what was asked, when in local time, how many records came, and their JSON text."""

    asked: str
    at: datetime
    count: int
    records: str


def keep_answer(
    c: apsw.Connection, profile: str, subject: str, asked: str, at: datetime, count: int, records: str
) -> None:
    """Store the answer to a question that was asked at `at`, and drop the oldest answers beyond `MOST`."""
    c.execute(
        """
        INSERT INTO kept_answers (profile, subject, asked, at, count, records) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        ON CONFLICT DO UPDATE SET at = ?4, count = ?5, records = ?6 WHERE at <= ?4
        """,
        (profile, subject, storable(asked), to_text_ms(at), count, storable(records)),
    )
    c.execute(
        """
        DELETE FROM kept_answers WHERE profile = ?1 AND subject = ?2 AND asked NOT IN (
            SELECT asked FROM kept_answers WHERE profile = ?1 AND subject = ?2 ORDER BY at DESC LIMIT ?3)
        """,
        (profile, subject, MOST),
    )


def kept_answer(c: apsw.Connection, profile: str, subject: str, asked: str) -> KeptAnswer | None:
    """The last answer to a question; None if it was never answered."""
    found = row(
        c,
        "SELECT asked, at, count, records FROM kept_answers WHERE profile = ? AND subject = ? AND asked = ?",
        (profile, subject, storable(asked)),
    )
    return None if found is None else _answer(*found)


def kept_answers(c: apsw.Connection, profile: str, subject: str, limit: int) -> list[KeptAnswer]:
    """The latest answers of a subject, the newest first, without their records."""
    found = rows(
        c,
        "SELECT asked, at, count, '' FROM kept_answers WHERE profile = ? AND subject = ? ORDER BY at DESC LIMIT ?",
        (profile, subject, limit),
    )
    return [_answer(*each) for each in found]


def _answer(asked: str, at: str, count: int, records: str) -> KeptAnswer:
    return KeptAnswer(asked, datetime.fromisoformat(at), count, records)

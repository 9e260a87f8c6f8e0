"""Stores audits as they come from the provider, and their questions.

Invariants: an older reply never replaces a newer one; an audit's answers are replaced as a whole, in the order in which
they came.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

from collections.abc import Sequence
from datetime import date, datetime

import apsw

from app.store.cache.audits.audit_query import audit_detail
from app.store.cache.audits.audit_rows import AnswerFacts, AuditFacts, AuditHead
from app.store.sqlite.plain_rows import rows
from app.store.sqlite.text_values import storable, to_text, to_text_ms

# The day after the last one: a date with a time of that day is less than it.
_AFTER = "date(?, '+1 day')"


def store_audits(c: apsw.Connection, profile: str, facts: Sequence[AuditFacts], asked_at: datetime) -> int:
    """Store audits of one reply, requested at `asked_at`; returns how many are new or differ."""
    changed = 0
    for each in facts:
        found = c.execute(
            """
            INSERT INTO audits (profile, number, date, kind, facility, vendor, score, seen_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            ON CONFLICT DO UPDATE SET date = ?3, kind = ?4, facility = ?5, vendor = ?6, score = ?7
            WHERE seen_at <= ?8 AND (date, kind, facility, vendor, score) IS NOT (?3, ?4, ?5, ?6, ?7)
            RETURNING number
            """,
            (
                *(profile, each.number, to_text(each.date)),
                *(_storable(each.kind), _storable(each.facility), _storable(each.vendor)),
                *(None if each.score is None else float(each.score), to_text_ms(asked_at)),
            ),
        ).fetchall()
        changed += len(found)
    # Afterwards, and for audits that are as before too: above, RETURNING names only those that differ.
    c.executemany(
        "UPDATE audits SET seen_at = ?1 WHERE profile = ?2 AND number = ?3 AND seen_at < ?1",
        ((to_text_ms(asked_at), profile, each.number) for each in facts),
    )
    return changed


def store_answers(
    c: apsw.Connection,
    profile: str,
    number: int,
    head: AuditHead,
    answers: Sequence[AnswerFacts],
    asked_at: datetime,
) -> bool:
    """Store the questions of an audit; returns whether they differ. An older reply changes nothing."""
    before = audit_detail(c, profile, number)
    at = to_text_ms(asked_at)
    if before is not None and before.whole_at is not None and before.whole_at > asked_at:
        return False
    c.execute(
        """
        INSERT INTO audits (profile, number, seen_at, auditor, email, domicile, order_number, whole_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?3)
        ON CONFLICT DO UPDATE SET auditor = ?4, email = ?5, domicile = ?6, order_number = ?7, whole_at = ?3
        """,
        (
            *(profile, number, at, _storable(head.auditor), _storable(head.email)),
            *(_storable(head.domicile), _storable(head.order_number)),
        ),
    )
    if before is not None and before.answers == tuple(answers) and before.head == head:
        return False
    _replace_answers(c, profile, number, answers)
    return True


def _replace_answers(c: apsw.Connection, profile: str, number: int, answers: Sequence[AnswerFacts]) -> None:
    c.execute("DELETE FROM audit_answers WHERE profile = ? AND number = ?", (profile, number))
    found = ((each.question, each.text, each.answer, each.photo) for each in answers)
    c.executemany(
        "INSERT INTO audit_answers VALUES (?, ?, ?, ?, ?, ?, ?)",
        ((profile, number, place, *map(_storable, texts)) for place, texts in enumerate(found)),
    )


def finish_audit_window(
    c: apsw.Connection, profile: str, first: date, last: date, asked_at: datetime, error: str | None = None
) -> None:
    """Note how fetching a window ended. If it came whole, audits that it no longer held are deleted."""
    c.execute(
        """
        INSERT INTO audit_windows VALUES (?1, ?2, ?3, iif(?5 IS NULL, ?4, NULL), ?5)
        ON CONFLICT DO UPDATE SET error = ?5, fetched_at = coalesce(excluded.fetched_at, fetched_at)
        """,
        (profile, first.isoformat(), last.isoformat(), to_text_ms(asked_at), error and storable(error)),
    )
    if error is not None:
        return
    span = (profile, first.isoformat(), last.isoformat())
    # Windows within this one are as fresh as it is now.
    c.execute(
        "DELETE FROM audit_windows WHERE profile = ?1 AND first >= ?2 AND last <= ?3 AND (first, last) <> (?2, ?3)",
        span,
    )
    _delete_unseen(c, span, asked_at)


def _delete_unseen(c: apsw.Connection, span: tuple[str, str, str], asked_at: datetime) -> None:
    """Delete the audits of a window (profile, first and last day) that its reply no longer held."""
    gone = rows(
        c,
        f"SELECT profile, number FROM audits WHERE profile = ? AND date >= ? AND date < {_AFTER} AND seen_at < ?",
        (*span, to_text_ms(asked_at)),
    )
    for table in ("audits", "audit_answers"):
        c.executemany(f"DELETE FROM {table} WHERE profile = ? AND number = ?", gone)


def forget_audits(c: apsw.Connection, profile: str) -> None:
    """Delete all audits of a profile."""
    for table in ("audits", "audit_answers", "audit_windows"):
        c.execute(f"DELETE FROM {table} WHERE profile = ?", (profile,))


def _storable(text: str | None) -> str | None:
    return None if text is None else storable(text)

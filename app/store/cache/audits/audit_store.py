"""Audits as last seen, and their questions once they were asked for. Part of the cache: all of it can be fetched again.

Invariants: an older reply never replaces a newer one; an audit's answers are replaced whole, in the order in which they
came. Functions run through `Database.write`; the questions to it are in `audits_query`.
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
    """Keep audits of one reply, asked for at `asked_at`; how many are new or say something else than before."""
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
                *(_kept(each.kind), _kept(each.facility), _kept(each.vendor)),
                *(None if each.score is None else float(each.score), to_text_ms(asked_at)),
            ),
        ).fetchall()
        changed += len(found)
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
    """Keep the questions of an audit; whether they say something else than before. An older reply changes nothing."""
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
            *(profile, number, at, _kept(head.auditor), _kept(head.email)),
            *(_kept(head.domicile), _kept(head.order_number)),
        ),
    )
    if before is not None and before.answers == tuple(answers) and before.head == head:
        return False
    c.execute("DELETE FROM audit_answers WHERE profile = ? AND number = ?", (profile, number))
    c.executemany(
        "INSERT INTO audit_answers VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            (profile, number, place, _kept(each.question), _kept(each.text), _kept(each.answer), _kept(each.photo))
            for place, each in enumerate(answers)
        ),
    )
    return True


def finish_audit_window(
    c: apsw.Connection, profile: str, first: date, last: date, asked_at: datetime, error: str | None = None
) -> None:
    """Note how fetching the audits of these days ended. After a whole one, those it no longer held are dropped."""
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
    c.execute(
        "DELETE FROM audit_windows WHERE profile = ?1 AND first >= ?2 AND last <= ?3 AND (first, last) <> (?2, ?3)",
        span,
    )
    gone = [
        number
        for (number,) in rows(
            c,
            f"SELECT number FROM audits WHERE profile = ? AND date >= ? AND date < {_AFTER} AND seen_at < ?",
            (*span, to_text_ms(asked_at)),
        )
    ]
    for table in ("audits", "audit_answers"):
        c.executemany(f"DELETE FROM {table} WHERE profile = ? AND number = ?", ((profile, each) for each in gone))


def forget_audits(c: apsw.Connection, profile: str) -> None:
    """Drop all that is known of a profile's audits."""
    for table in ("audits", "audit_answers", "audit_windows"):
        c.execute(f"DELETE FROM {table} WHERE profile = ?", (profile,))


def _kept(text: str | None) -> str | None:
    return None if text is None else storable(text)

"""Numbers over many audits: their scores by facility, and their answers by question."""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

from datetime import date, timedelta
from typing import NamedTuple

import apsw

from app.store.sqlite.plain_rows import rows


class Scored(NamedTuple):
    """An audit's score and facility."""

    facility: str
    score: float


class Answered(NamedTuple):
    """An answer to one question of an audit."""

    number: int
    facility: str
    question: str
    text: str
    answer: str | None


class Missing(NamedTuple):
    """Of a facility: how many audits have no score, and of how many the questions were never fetched."""

    facility: str
    unscored: int
    unopened: int


_BETWEEN = "profile = ? AND date >= ? AND date < ?"


def audit_scores(c: apsw.Connection, profile: str, first: date, last: date) -> list[Scored]:
    """The scores of the audits of these days that have one."""
    statement = f"SELECT coalesce(facility, ''), score FROM audits WHERE {_BETWEEN} AND score IS NOT NULL"
    return [Scored(*each) for each in rows(c, statement, _days(profile, first, last))]


def audit_answers(c: apsw.Connection, profile: str, first: date, last: date) -> list[Answered]:
    """The answers of the audits of these days whose questions were fetched, audit by audit."""
    statement = f"""
        SELECT b.number, a.facility, b.question, coalesce(b.text, ''), b.answer
        FROM (SELECT profile AS of, number, coalesce(facility, '') AS facility FROM audits WHERE {_BETWEEN}) a
        JOIN audit_answers b ON b.profile = a.of AND b.number = a.number
        WHERE b.question IS NOT NULL ORDER BY b.number, b.place
    """
    return [Answered(*each) for each in rows(c, statement, _days(profile, first, last))]


def count_missing(c: apsw.Connection, profile: str, first: date, last: date) -> list[Missing]:
    """What the audits of these days lack, by facility."""
    statement = f"""
        SELECT coalesce(facility, ''), sum(score IS NULL), sum(whole_at IS NULL) FROM audits WHERE {_BETWEEN}
        GROUP BY 1
    """
    return [Missing(*each) for each in rows(c, statement, _days(profile, first, last))]


def _days(profile: str, first: date, last: date) -> tuple[str, str, str]:
    return profile, first.isoformat(), (last + timedelta(days=1)).isoformat()

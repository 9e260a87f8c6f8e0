"""Reads audits: pages and counts of the list, facets, the plot, one audit whole, one question over many audits.

Invariant: count, pages and plot of one query agree, since all of them use the same condition.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

from collections.abc import Collection, Sequence
from datetime import date, datetime
from typing import Any

import apsw

from app.store.cache.audits.audit_rows import (
    SORTS,
    AnswerFacts,
    AuditDetailRow,
    AuditHead,
    AuditLine,
    AuditQuery,
    AuditsShown,
    AuditWindow,
    LensRow,
    Point,
)
from app.store.sqlite.plain_rows import SQLiteValue, key_array, row, rows, value
from app.store.sqlite.text_values import from_text

_LINE = "number, date, kind, facility, vendor, score, order_number, whole_at IS NOT NULL"
_FACETS = ("kind", "facility", "vendor")
_COLLATED = frozenset({"kind", "facility", "vendor"})
_SEARCHED = ("kind", "facility", "vendor", "auditor", "order_number", "number")


def audit_windows(c: apsw.Connection, profile: str) -> list[AuditWindow]:
    """The windows that were fetched, newest first."""
    found = rows(
        c,
        "SELECT first, last, fetched_at, error FROM audit_windows WHERE profile = ? ORDER BY first DESC, last DESC",
        (profile,),
    )
    return [
        AuditWindow(date.fromisoformat(first), date.fromisoformat(last), from_text(fetched), error)
        for first, last, fetched, error in found
    ]


def count_audits(c: apsw.Connection, query: AuditQuery) -> int:
    """How many audits the query finds."""
    where, bindings = _where(query)
    return int(value(c, f"SELECT count(*) FROM audits WHERE {where}", bindings))


def page_audits(c: apsw.Connection, query: AuditQuery, limit: int, offset: int = 0) -> list[AuditLine]:
    """`limit` audits from place `offset` on, in the query's order; equal ones by their number."""
    where, bindings = _where(query)
    found = rows(
        c,
        f"SELECT {_LINE} FROM audits WHERE {where} ORDER BY {_order(query)} LIMIT :limit OFFSET :offset",
        bindings | {"limit": limit, "offset": offset},
    )
    return [_line(values) for values in found]


def numbers_of(c: apsw.Connection, query: AuditQuery) -> list[int]:
    """The numbers of all audits that the query finds, in its order: a pile to review."""
    where, bindings = _where(query)
    return [
        number for (number,) in rows(c, f"SELECT number FROM audits WHERE {where} ORDER BY {_order(query)}", bindings)
    ]


def audit_facets(c: apsw.Connection, query: AuditQuery, column: str) -> list[tuple[str, int]]:
    """The values of `column` (kind, facility or vendor) with their counts; conditions on the column do not count."""
    if column not in _FACETS:
        raise ValueError(f"no facet: {column}")
    where, bindings = _where(query, but=column)
    found = rows(
        c,
        f"SELECT {column}, count(*) FROM audits WHERE {where} AND {column} IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1",
        bindings,
    )
    return [(name, count) for name, count in found]


def show_audits(
    c: apsw.Connection, query: AuditQuery, dots: AuditQuery, group: str, pages: Sequence[int], page_size: int
) -> AuditsShown:
    """The list of a query and the plot, read in one go: the count, the first page, those of `pages` that exist, dots.

    `dots` is a query of its own, since the plot also shows audits around those of the list.
    """
    count = count_audits(c, query)
    wanted = sorted({0, *(number for number in pages if number * page_size < count)})
    found: dict[int, Sequence[AuditLine]] = {
        number: page_audits(c, query, page_size, number * page_size) for number in wanted
    }
    return AuditsShown(count, found, audit_points(c, dots, group))


def highest_score(c: apsw.Connection, profile: str) -> float | None:
    """The highest score of any audit of the profile, which tells the scale."""
    found: float | None = value(c, "SELECT max(score) FROM audits WHERE profile = ?", (profile,))
    return found


def audit_points(c: apsw.Connection, query: AuditQuery, group: str, limit: int = 20_000) -> list[Point]:
    """The dots of the plot, one an audit, grouped by facility or vendor, oldest first; the newest `limit`."""
    if group not in _FACETS:
        raise ValueError(f"no group: {group}")
    where, bindings = _where(query)
    found = rows(
        c,
        f"""
        SELECT number, date, score, coalesce({group}, '') FROM audits
        WHERE {where} AND date IS NOT NULL AND score IS NOT NULL ORDER BY date DESC, number DESC LIMIT :limit
        """,
        bindings | {"limit": limit},
    )
    # Read from the newest on, so that the limit leaves out the oldest; drawn from the oldest on.
    return [Point(number, datetime.fromisoformat(at), score, name) for number, at, score, name in reversed(found)]


def audit_detail(c: apsw.Connection, profile: str, number: int) -> AuditDetailRow | None:
    """One audit whole; None if it was never seen."""
    found = row(
        c,
        f"SELECT {_LINE}, auditor, email, domicile, order_number, seen_at, whole_at FROM audits"
        " WHERE profile = ? AND number = ?",
        (profile, number),
    )
    if found is None:
        return None
    *head, seen, whole = found[8:]
    answers = rows(
        c,
        "SELECT question, text, answer, photo FROM audit_answers WHERE profile = ? AND number = ? ORDER BY place",
        (profile, number),
    )
    facts = tuple(AnswerFacts(*each) for each in answers)
    return AuditDetailRow(_line(found[:8]), AuditHead(*head), facts, datetime.fromisoformat(seen), from_text(whole))


def audit_questions(c: apsw.Connection, profile: str) -> list[tuple[str, str, int]]:
    """The questions of all audits, as (id, latest text, number of audits)."""
    found = rows(
        c,
        """
        SELECT question, text, count(DISTINCT number), max(number) FROM audit_answers
        WHERE profile = ? AND question IS NOT NULL GROUP BY question ORDER BY question
        """,
        (profile,),
    )
    return [(question, text or "", count) for question, text, count, _latest in found]


def lens(c: apsw.Connection, query: AuditQuery, question: str) -> list[LensRow]:
    """How the audits of a query answered one question, in the query's order."""
    where, bindings = _where(query)
    line = ", ".join(f"a.{name}" for name in ("number", "date", "kind", "facility", "vendor", "score", "order_number"))
    found = rows(
        c,
        f"""
        SELECT {line}, a.whole_at IS NOT NULL, b.place, b.text, b.answer, b.photo
        FROM (SELECT * FROM audits WHERE {where}) a
        JOIN audit_answers b ON b.profile = a.profile AND b.number = a.number AND b.question = :question
        ORDER BY {_order(query, "a.")}, b.place
        """,
        bindings | {"question": question},
    )
    return [LensRow(_line(values[:8]), *values[8:]) for values in found]


def audits_naming(c: apsw.Connection, profile: str, names: Collection[str]) -> tuple[list[int], int]:
    """The audits that name an order by any of these names, oldest first, and how many audits were never opened, so that
    nobody knows which order they name."""
    places = ", ".join("?" for _ in names)
    found = rows(
        c,
        f"SELECT number FROM audits WHERE profile = ? AND trim(order_number) IN ({places}) ORDER BY date, number",
        (profile, *names),
    )
    unknown = value(c, "SELECT count(*) FROM audits WHERE profile = ? AND whole_at IS NULL", (profile,))
    return [number for (number,) in found], int(unknown)


def never_opened(c: apsw.Connection, query: AuditQuery, limit: int) -> list[int]:
    """Audits of a query whose questions were never fetched, in its order."""
    where, bindings = _where(query)
    found = rows(
        c,
        f"SELECT number FROM audits WHERE {where} AND whole_at IS NULL ORDER BY {_order(query)} LIMIT :limit",
        bindings | {"limit": limit},
    )
    return [number for (number,) in found]


def _where(query: AuditQuery, but: str = "") -> tuple[str, dict[str, Any]]:
    """The condition of a query, without that on the column `but`."""
    parts, bindings = ["profile = :profile"], dict[str, Any](profile=query.profile)

    def add(condition: str, **values: SQLiteValue) -> None:
        parts.append(condition)
        bindings.update(values)

    if query.first is not None:
        add("date >= :first", first=query.first.isoformat())
    # Dates are stored with their time, so the last day ends before the next one begins.
    if query.last is not None:
        add("date < date(:last, '+1 day')", last=query.last.isoformat())
    for column, values in (("kind", query.kinds), ("facility", query.facilities), ("vendor", query.vendors)):
        if values and column != but:
            names = {f"{column}{place}": each for place, each in enumerate(values)}
            add(f"{column} IN ({', '.join(f':{name}' for name in names)})", **names)
    if query.lowest is not None:
        add("score >= :lowest", lowest=query.lowest)
    if query.highest is not None:
        add("score <= :highest", highest=query.highest)
    for place, word in enumerate(query.text.split()):
        # Each column by itself, not all of them joined: LIKE stops at the first NUL in a text.
        found = " OR ".join(f"{name} LIKE :word{place} ESCAPE '!'" for name in _SEARCHED)
        add(f"({found})", **{f"word{place}": _like(word)})
    if query.only is not None:
        parts.append("number IN carray(:only)")
        bindings["only"] = key_array(sorted(query.only))
    if query.without:
        parts.append("number NOT IN carray(:without)")
        bindings["without"] = key_array(sorted(query.without))
    return " AND ".join(parts), bindings


def _order(query: AuditQuery, table: str = "") -> str:
    if query.sort not in SORTS:
        raise ValueError(f"no column to sort by: {query.sort}")
    column = f"{table}{query.sort}"
    way = "DESC" if query.descending else "ASC"
    collate = " COLLATE NOCASE" if query.sort in _COLLATED else ""
    # Without the first term SQLite would put audits without a value first. Without the number equal audits would have
    # no order, and two pages could show the same one.
    return f"{column} IS NULL, {column}{collate} {way}, {table}number {way}"


def _like(word: str) -> str:
    for sign in "!%_":
        word = word.replace(sign, f"!{sign}")
    return f"%{word}%"


def _line(values: tuple[Any, ...]) -> AuditLine:
    number, at, kind, facility, vendor, score, order_number, whole = values
    return AuditLine(number, from_text(at), kind, facility, vendor, score, order_number, bool(whole))

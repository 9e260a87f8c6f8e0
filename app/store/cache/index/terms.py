"""The terms that an order has in the search index, and the test on terms that a clause comes to.

An order has a few dozen terms: `state=dso\\x1fDSO` for a value (folded for comparing, then as it is spelled, both
without blanks around it), one for the day of each date, one for each kind of document. Invariant: a clause tests for
any term of some spans, so the posting lists alone answer it. Numbers, references, lists and change marks are no
terms: they are looked up.
"""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from app.store.cache.schema.cache_schema import MAX_NUMBER
from app.store.cache.schema.conditions import ANY, FIELDS, NO, NONE, STEPS, YES, Clause
from app.store.sqlite.search_text import plain

END = "\U0010ffff"
_SEPARATOR = "\x1f"
_DIGITS = 6
_NUMBER_DIGITS = len(str(MAX_NUMBER))
_LONGEST_PREFIX = 4
LOOKED_UP = frozenset({"list", "number", "reference", "changed", "changed_on"})
_DATES = tuple((name, field.column) for name, field in FIELDS.items() if field.kind == "date" and field.column)
_VALUES = tuple((name, field.column) for name, field in FIELDS.items() if field.kind in ("value", "prefix"))
_PREFIXES = tuple((name, field.column) for name, field in FIELDS.items() if field.kind == "prefix")
_FLAGS = tuple((name, field.column) for name, field in FIELDS.items() if field.kind == "flag" and field.column)
TERM_COLUMNS = (*dict.fromkeys(column for _, column in (*_VALUES, *_DATES, *_FLAGS)), "folders")


class Span(NamedTuple):
    """Terms from `low` to `high`, both included."""

    low: str
    high: str


class TermTest(NamedTuple):
    """Any term of these spans, or if `negated` none. `among` limits a negated test to orders with such a term."""

    spans: tuple[Span, ...]
    negated: bool = False
    among: Span | None = None


def terms_of(values: Sequence[Any]) -> list[str]:
    """The terms of an order, from its `TERM_COLUMNS` as the store has them: moments as text."""
    by_column = dict(zip(TERM_COLUMNS, values, strict=True))
    terms = [value_term(name, by_column[column]) for name, column in _VALUES]
    for name, column in _PREFIXES:
        text = plain(_in_term(by_column[column] or ""))
        terms += [f"{name}^{text[:length]}" for length in range(1, min(len(text), _LONGEST_PREFIX) + 1)]
    for name, column in _DATES:
        if by_column[column]:
            terms += _date_terms(name, by_column[column])
    terms += [f"{name}={_flag(by_column[column])}" for name, column in _FLAGS]
    folders = by_column["folders"]
    if folders is not None:
        codes = folders.split()
        terms += ["documents=", *(f"has={code}" for code in codes or ("",))]
    return terms + _lateness_terms(by_column) + _step_terms(by_column)


def _lateness_terms(by_column: dict[str, Any]) -> list[str]:
    """The values that depend on two dates: days late, and days between the requested and the scheduled day."""
    scheduled, requested, delivered = (
        _day(by_column[name]) for name in ("scheduled_delivery", "requested_delivery", "delivered_at")
    )
    terms = []
    if scheduled and requested and scheduled > requested:
        terms.append(_days_term("over", (scheduled - requested).days))
    due = scheduled or requested
    if due is None:
        return terms
    terms += _date_terms("due", due.isoformat())
    if by_column["state"] == "CAN":
        return terms
    # An awaited order gets later every day. Its term names the due day, so the index need not change every day.
    if delivered is None:
        terms += _date_terms("awaited", due.isoformat())
    elif delivered > due:
        terms.append(_days_term("late", (delivered - due).days))
    return terms


def _step_terms(by_column: dict[str, Any]) -> list[str]:
    """How many days each step took."""
    terms = []
    for step, (earlier, later) in STEPS.items():
        begun, ended = _day(by_column[earlier]), _day(by_column[later])
        if begun is not None and ended is not None and ended >= begun:
            terms.append(_days_term(step, (ended - begun).days))
    return terms


def _date_terms(name: str, moment: str) -> tuple[str, str]:
    """A day, and its month: a long span of days reads fewer posting lists of months."""
    return f"{name}={moment[:10]}", f"{name}/{moment[:7]}"


def value_term(name: str, value: str | None) -> str:
    """The term of a value; None and a value of blanks alone count as an empty one."""
    text = _in_term(value or "")
    return f"{name}={plain(text)}{_SEPARATOR}{text}"


def spelled_value(term: str) -> str:
    """The value of a term as it is spelled."""
    return term.rpartition(_SEPARATOR)[2] if _SEPARATOR in term else term.partition("=")[2]


def folded_value(term: str) -> str:
    """The value of a term without case and accents."""
    return term.partition("=")[2].partition(_SEPARATOR)[0]


def all_terms(field: str) -> Span:
    """Every term of a field."""
    return Span(f"{field}=", f"{field}={END}")


def term_test(clause: Clause, today: date) -> TermTest:
    """The test that a clause comes to. Not for fields of `LOOKED_UP`."""
    kind = FIELDS[clause.field].kind
    if kind == "documents":
        spans = tuple(_folder_span(value) for value in clause.values)
        return TermTest(spans, clause.negated, _one("documents="))
    if kind == "date":
        return _date_test(clause)
    if kind == "days":
        return TermTest(_days_spans(clause, today), clause.negated)
    if kind == "took":
        return TermTest((_took_span(clause),), clause.negated)
    if kind == "flag":
        return TermTest(tuple(_one(f"{clause.field}={value}") for value in clause.values), clause.negated)
    span_of = _prefix_span if kind == "prefix" else _value_span
    spans = tuple(span_of(clause.field, plain(_in_term(value))) for value in clause.values)
    return TermTest(spans, clause.negated)


def _value_span(field: str, value: str) -> Span:
    return Span(f"{field}={value}{_SEPARATOR}", f"{field}={value}{_SEPARATOR}{END}")


def _prefix_span(field: str, value: str) -> Span:
    if not value:  # an empty prefix means "without a value", not "any value"
        return _value_span(field, value)
    if len(value) <= _LONGEST_PREFIX:
        return _one(f"{field}^{value}")
    return Span(f"{field}={value}", f"{field}={value}{END}")


def _date_test(clause: Clause) -> TermTest:
    every = Span(f"{clause.field}/", f"{clause.field}/{END}")
    if ANY in clause.values and NONE in clause.values:
        return TermTest((), not clause.negated)
    if ANY in clause.values:
        return TermTest((every,), clause.negated)
    if NONE in clause.values:
        return TermTest((every,), not clause.negated)
    return TermTest(_day_spans(clause.field, clause.first, clause.last), clause.negated)


def _day_spans(name: str, first: date | None, last: date | None) -> tuple[Span, ...]:
    """The days from `first` to `last`: the days of the first and the last month, and the whole months in between."""
    if first and last and first.isoformat()[:7] == last.isoformat()[:7]:
        return (Span(f"{name}={first}", f"{name}={last}"),)
    if first and last and first > last:
        return ()
    spans = []
    if first:
        spans.append(Span(f"{name}={first}", f"{name}={first.isoformat()[:7]}{END}"))
    if last:
        spans.append(Span(f"{name}={last.isoformat()[:7]}", f"{name}={last}"))
    low = f"{name}/{first.isoformat()[:7]}{END}" if first else f"{name}/"
    high = f"{name}/{last.isoformat()[:7]}" if last else f"{name}/{END}"
    # `low` lies behind the first month's own term. `high` would include the last month's, so its last digit goes down
    # by one: every term of a month before lies below that followed by `END`.
    return (*spans, Span(low, high[:-1] + chr(ord(high[-1]) - 1) + END if last else high))


def _days_spans(clause: Clause, today: date) -> tuple[Span, ...]:
    least = int(clause.values[0]) if clause.values else 1
    counted = Span(_days_term(clause.field, least), f"{clause.field}={END}")
    if clause.field != "late":
        return (counted,)
    try:
        last = today - timedelta(days=least)
    except OverflowError:
        return (counted,)
    return (counted, *_day_spans("awaited", None, last))


def _took_span(clause: Clause) -> Span:
    least, most = clause.values
    low = _days_term(clause.field, int(least)) if least else f"{clause.field}="
    return Span(low, _days_term(clause.field, int(most)) if most else f"{clause.field}={END}")


def _folder_span(value: str) -> Span:
    if value == ANY:
        return Span("has=\x01", f"has={END}")
    return _one("has=" if value == NONE else f"has={value.upper()}")


def order_number(text: str) -> int | None:
    """The number of an order that a text means, with zeros before it or not; None if no order can have it."""
    # By its length first: Python reads no number of thousands of digits, and raises.
    if not text.isdecimal() or len(text.lstrip("0")) > _NUMBER_DIGITS:
        return None
    number = int(text.lstrip("0") or "0")
    return number if number <= MAX_NUMBER else None


def ascii_folded(text: str) -> str:
    """The text as SQLite's NOCASE compares it: the 26 letters of ASCII in lower case, all others as they are."""
    return "".join(letter.lower() if letter.isascii() else letter for letter in text)


def _in_term(value: str) -> str:
    """The value without the separator of terms, and without blanks around it: nobody sees or types those."""
    return value.replace(_SEPARATOR, "\ufffd").strip()


def _one(term: str) -> Span:
    return Span(term, term)


def _days_term(name: str, days: int) -> str:
    return f"{name}={days:0{_DIGITS}}"  # padded, so that terms sort as their numbers do


def _flag(value: Any) -> str:
    return NONE if value is None else YES if value else NO


def _day(moment: str | None) -> date | None:
    return date.fromisoformat(moment[:10]) if moment else None

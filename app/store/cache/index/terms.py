"""What a clause comes to: terms, one of which an order must have.

An order has a few dozen terms: `state=dso\\x1fDSO` for a value (plain for comparing, then as it was told), one a date's
day, one a kind of document. A clause wants any term of some spans, so it can be answered from the sets of orders that
have each term as well as from an order at hand, and both say the same. Numbers, references, lists and changes are no
terms: those are looked up.
"""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from app.store.cache.order_rows import OrderLine
from app.store.cache.schema.conditions import ANY, FIELDS, NO, NONE, YES, Clause
from app.store.sqlite.search_text import plain

END = "\U0010ffff"
_PARTING = "\x1f"
_DIGITS = 6
_LONGEST_PREFIX = 4
LOOKED_UP = frozenset({"list", "number", "reference", "changed"})
_DATES = tuple((name, field.column) for name, field in FIELDS.items() if field.kind == "date" and field.column)
_VALUES = tuple((name, field.column) for name, field in FIELDS.items() if field.kind in ("value", "prefix"))
_PREFIXES = tuple((name, field.column) for name, field in FIELDS.items() if field.kind == "prefix")
_FLAGS = tuple((name, field.column) for name, field in FIELDS.items() if field.kind == "flag" and field.column)
TERM_COLUMNS = (*dict.fromkeys(column for _, column in (*_VALUES, *_DATES, *_FLAGS)), "folders")


class Span(NamedTuple):
    """Terms from `low` to `high`, both included."""

    low: str
    high: str


class Wanted(NamedTuple):
    """Any term of these spans, or when `negated` none of them; of negated ones, only orders with a term of `among`."""

    spans: tuple[Span, ...]
    negated: bool = False
    among: Span | None = None


def terms_of(values: Sequence[Any]) -> list[str]:
    """The terms of an order, from its `TERM_COLUMNS` as the store has them: moments as text."""
    told = dict(zip(TERM_COLUMNS, values, strict=True))
    terms = [value_term(name, told[column]) for name, column in _VALUES]
    for name, column in _PREFIXES:
        text = plain(_one_line(told[column] or ""))
        terms += [f"{name}^{text[:length]}" for length in range(1, min(len(text), _LONGEST_PREFIX) + 1)]
    for name, column in _DATES:
        if told[column]:
            terms += _dated(name, told[column])
    terms += [f"{name}={_flag(told[column])}" for name, column in _FLAGS]
    folders = told["folders"]
    if folders is not None:
        codes = folders.split()
        terms += ["documents=", *(f"has={code}" for code in codes or ("",))]
    return terms + _day_terms(told)


def _day_terms(told: dict[str, Any]) -> list[str]:
    """What depends on two dates: how late, and how long after the requested day."""
    scheduled, requested, delivered = (
        _day(told[name]) for name in ("scheduled_delivery", "requested_delivery", "delivered_at")
    )
    terms = []
    if scheduled and requested and scheduled > requested:
        terms.append(_days_term("over", (scheduled - requested).days))
    due = scheduled or requested
    if due is None:
        return terms
    terms += _dated("due", due.isoformat())
    if told["state"] == "CAN":
        return terms
    if delivered is None:
        terms += _dated("awaited", due.isoformat())
    elif delivered > due:
        terms.append(_days_term("late", (delivered - due).days))
    return terms


def _dated(name: str, moment: str) -> tuple[str, str]:
    """A day, and its month, of which there are fewer to read for a long span."""
    return f"{name}={moment[:10]}", f"{name}/{moment[:7]}"


def value_term(name: str, value: str | None) -> str:
    """The term of a value; of none, when there is none."""
    text = _one_line(value or "")
    return f"{name}={plain(text)}{_PARTING}{text}"


def value_of(term: str) -> str:
    """The value of a term, as it was told."""
    return term.rpartition(_PARTING)[2] if _PARTING in term else term.partition("=")[2]


def same_value(term: str) -> str:
    """What the value of a term is compared as."""
    return term.partition("=")[2].partition(_PARTING)[0]


def wanted(clause: Clause, today: date) -> Wanted:
    """What a clause comes to. Not for those of `LOOKED_UP`."""
    kind = FIELDS[clause.field].kind
    if kind == "documents":
        spans = tuple(_folder_span(value) for value in clause.values)
        return Wanted(spans, clause.negated, _one("documents="))
    if kind == "date":
        return _wanted_date(clause)
    if kind == "days":
        return Wanted(_days_spans(clause, today), clause.negated)
    if kind == "flag":
        return Wanted(tuple(_one(f"{clause.field}={value}") for value in clause.values), clause.negated)
    span_of = _prefix_span if kind == "prefix" else _value_span
    return Wanted(tuple(span_of(clause.field, plain(_one_line(value))) for value in clause.values), clause.negated)


def _value_span(field: str, value: str) -> Span:
    return Span(f"{field}={value}{_PARTING}", f"{field}={value}{_PARTING}{END}")


def _prefix_span(field: str, value: str) -> Span:
    if not value:  # a prefix of nothing is no value
        return _value_span(field, value)
    if len(value) <= _LONGEST_PREFIX:
        return _one(f"{field}^{value}")
    return Span(f"{field}={value}", f"{field}={value}{END}")


def all_of(field: str) -> Span:
    """Every term of a field."""
    return Span(f"{field}=", f"{field}={END}")


def _wanted_date(clause: Clause) -> Wanted:
    every = Span(f"{clause.field}/", f"{clause.field}/{END}")
    if ANY in clause.values and NONE in clause.values:
        return Wanted((), not clause.negated)
    if ANY in clause.values:
        return Wanted((every,), clause.negated)
    if NONE in clause.values:
        return Wanted((every,), not clause.negated)
    return Wanted(_day_spans(clause.field, clause.first, clause.last), clause.negated)


def _day_spans(name: str, first: date | None, last: date | None) -> tuple[Span, ...]:
    """The days from `first` to `last`: the months that lie between theirs, and the days of their own."""
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
    # what begins like the first month is before `low`; the last month itself would be `high`, so it ends before that
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


def _folder_span(value: str) -> Span:
    if value == ANY:
        return Span("has=\x01", f"has={END}")
    return _one("has=" if value == NONE else f"has={value.upper()}")


def has_any(terms: Iterable[str], want: Wanted) -> bool:
    """Whether an order with these terms is wanted."""
    terms = set(terms)
    found = any(span.low <= term <= span.high for term in terms for span in want.spans)
    if not want.negated:
        return found
    return not found and (want.among is None or any(want.among.low <= term <= want.among.high for term in terms))


def holds(clause: Clause, line: OrderLine, today: date) -> bool:
    """Whether a clause holds for an order at hand."""
    if clause.field not in LOOKED_UP:
        values = [getattr(line, column) for column in TERM_COLUMNS]
        told = [value.isoformat() if hasattr(value, "isoformat") else value for value in values]
        return has_any(terms_of(told), wanted(clause, today))
    if clause.field == "list":
        found = line.list in clause.values
    elif clause.field == "number":
        found = any(value.isdecimal() and int(value) == line.number for value in clause.values)
    elif clause.field == "reference":
        found = line.crn is not None and same_letters(line.crn) in map(same_letters, clause.values)
    else:
        found = (YES if line.changed else NO) in clause.values
    return found is not clause.negated


def same_letters(text: str) -> str:
    """A text for comparing as the store's indexes do: the 26 letters of ASCII without their case."""
    return "".join(letter.lower() if letter.isascii() else letter for letter in text)


def _one_line(value: str) -> str:
    return value.replace(_PARTING, "\ufffd")


def _one(term: str) -> Span:
    return Span(term, term)


def _days_term(name: str, days: int) -> str:
    return f"{name}={days:0{_DIGITS}}"


def _flag(value: Any) -> str:
    return NONE if value is None else YES if value else NO


def _day(moment: str | None) -> date | None:
    return date.fromisoformat(moment[:10]) if moment else None

"""A clause in words, as a chip shows it: `Status: Dispatched (DSO)`, `Not late`, `Due: today to tomorrow`.

Invariant: the words claim no more than the clause finds. The words themselves stand in `filter_words`.
"""

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType

from app.contract.codes import FOLDER_TYPE_WORDS, ORDER_STATE_WORDS
from app.desk.filter import filter_words as words
from app.desk.filter.filter_words import LISTS, TITLES
from app.desk.reasons.reasons_words import RULES
from app.desk.text.typed_dates import short_day
from app.store.cache.schema.conditions import ANY, FIELDS, NO, NONE, STEPS, YES, Clause

_MANY = 3  # values that are named one by one


def clause_words(clause: Clause, today: date, names: Mapping[str, str] = MappingProxyType({})) -> str:
    """The clause in words; `names` are what people call codes, such as those of facilities."""
    return words.clause(TITLES[clause.field], _values(clause, today, names), negated=clause.negated)


def value_words(field: str, value: str) -> str:
    """One value as a person reads it, a code beside its word."""
    if field == "attention":
        return RULES.get(value, value)
    known = {"state": ORDER_STATE_WORDS, "has": FOLDER_TYPE_WORDS, "list": LISTS}.get(field, {}).get(value)
    if known is not None:
        return known if field == "list" else words.with_code(known, value)
    if field in ("received", "delivered", "changed"):
        return {YES: words.YES, NO: words.NO, NONE: words.NOT_REPORTED}.get(value, value)
    if value in (ANY, NONE) and field in FIELDS and FIELDS[field].kind in ("date", "documents"):
        return words.ANY if value == ANY else words.NONE
    return value or words.NO_VALUE


def _values(clause: Clause, today: date, names: Mapping[str, str]) -> str:
    """The values of a clause; empty if its title says all."""
    if clause.field in ("late", "over"):
        least = int(clause.values[0]) if clause.values else 1
        return "" if least == 1 else words.days_or_more(least)
    if clause.field in STEPS:
        return words.days_taken(*clause.values)
    if clause.field == "changed" and clause.values == (YES,):
        return ""
    if clause.field == "changed_on":
        return _change(clause, today)
    if clause.first is not None or clause.last is not None:
        return _days(clause.first, clause.last, today)
    if len(clause.values) > _MANY:
        return words.one_of_many(len(clause.values))
    if not clause.values:
        return ""
    return words.any_of(
        words.with_code(names[value], value) if value in names else value_words(clause.field, value)
        for value in clause.values
    )


def _change(clause: Clause, today: date) -> str:
    """What changed, and when; empty for any change on any day."""
    parts = words.any_of(words.CHANGES[name] for name in clause.values) if clause.values else ""
    days = _days(clause.first, clause.last, today) if clause.first is not None or clause.last is not None else ""
    return words.changed_parts(parts, days) if parts and days else parts or days


def _days(first: date | None, last: date | None, today: date) -> str:
    if first is not None and first == last:
        return _day(first, today)
    if first is None and last is not None:
        return words.up_to(_day(last, today))
    if last is None and first is not None:
        return words.from_day(_day(first, today))
    assert first is not None
    assert last is not None
    return words.from_to(_day(first, today), _day(last, today))


def _day(day: date, today: date) -> str:
    """A day next to today by its word, another one by its weekday and date."""
    if abs((day - today).days) <= 1:
        return {0: words.TODAY, 1: words.TOMORROW, -1: words.YESTERDAY}[(day - today).days]
    return short_day(day, today)

"""What a clause says, as a chip shows it: `Status: Dispatched (DSO)`, `Not late`, `Due: today to tomorrow`."""

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType

from app.contract.codes import FOLDER_TYPE_WORDS, ORDER_STATE_WORDS
from app.desk.filter.attention_rules import RULES
from app.desk.filter.filter_language import LISTS
from app.desk.text.typed_dates import in_words
from app.store.cache.schema.conditions import ANY, FIELDS, NO, NONE, YES, Clause

TITLES: dict[str, str] = {
    "list": "List",
    "state": "Status",
    "facility": "Facility",
    "delivery": "Delivery",
    "brand": "Brand",
    "manufacturer": "Manufacturer",
    "region": "State",
    "city": "City",
    "zip": "ZIP",
    "imported": "Imported",
    "estimated": "Receipt estimated",
    "received_on": "Received",
    "requested": "Requested",
    "scheduled": "Scheduled",
    "loaded": "Loaded",
    "delivered_on": "Delivered",
    "due": "Due",
    "late": "Late",
    "over": "Scheduled after the requested day",
    "received": "Received",
    "delivered": "Delivered",
    "changed": "Changed since you looked",
    "has": "Documents",
    "number": "Number",
    "reference": "Reference",
    "watched": "Watched",
    "outbox": "In the outbox",
    "attention": "Needs attention",
}
_MANY = 3  # values that are named one by one


def clause_words(clause: Clause, today: date, names: Mapping[str, str] = MappingProxyType({})) -> str:
    """The clause in words; of values that are codes, `names` are what people call them by."""
    title = TITLES[clause.field]
    words = _words(clause, today, names)
    if not words:
        return f"Not {title[0].lower()}{title[1:]}" if clause.negated else title
    return f"{title}: not {words}" if clause.negated else f"{title}: {words}"


def value_words(field: str, value: str) -> str:
    """One value as a person reads it, its code beside the word."""
    if field == "attention":
        return next((rule.title for rule in RULES if rule.name == value), value)
    words = {"state": ORDER_STATE_WORDS, "has": FOLDER_TYPE_WORDS, "list": LISTS}.get(field, {}).get(value)
    if words is not None:
        return words if field == "list" else f"{words} ({value})"
    if field in ("received", "delivered", "changed"):
        return {YES: "yes", NO: "no", NONE: "not told"}.get(value, value)
    if value in (ANY, NONE) and field in FIELDS and FIELDS[field].kind in ("date", "documents"):
        return value
    return value or "none given"


def _words(clause: Clause, today: date, names: Mapping[str, str]) -> str:
    if clause.field in ("late", "over"):
        least = int(clause.values[0]) if clause.values else 1
        return "" if least == 1 else f"by {least:,} days or more"
    if clause.field == "changed" and clause.values == (YES,):
        return ""
    if clause.first is not None or clause.last is not None:
        return _day_words(clause.first, clause.last, today)
    if len(clause.values) > _MANY:
        return f"one of {len(clause.values):,}"
    told = (
        f"{names[value]} ({value})" if value in names else value_words(clause.field, value) for value in clause.values
    )
    return " or ".join(told)


def _day_words(first: date | None, last: date | None, today: date) -> str:
    if first is not None and first == last:
        return _day(first, today)
    if first is None and last is not None:
        return f"up to {_day(last, today)}"
    if last is None and first is not None:
        return f"from {_day(first, today)}"
    assert first is not None
    assert last is not None
    return f"{_day(first, today)} to {_day(last, today)}"


def _day(day: date, today: date) -> str:
    """Near days by their name, others by their date."""
    if abs((day - today).days) <= 1:
        return {0: "today", 1: "tomorrow", -1: "yesterday"}[(day - today).days]
    return in_words(day, today).partition(",")[0] + f" {day.isoformat()}"

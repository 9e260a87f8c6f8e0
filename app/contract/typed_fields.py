"""Turns typed text into the values that are sent, by the rules that the models of `submission` state.

`RULES` is read off the models' fields when this module is imported, so no rule is written down twice. Spaces around a
value are not part of it. An empty value is left out.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from app.contract.draft import FALSE, TRUE
from app.contract.moments import read_date
from app.contract.order_rules import BARCODES, FREIGHT, REFERENCES, Issue, RowIssues
from app.contract.submission import BarcodeItem, Barcoding, Cancellation, Consignee, FreightItem, OrderSubmission
from app.contract.submission import Reference as OtherReference

# From 15 digits on a double has no room for a fraction. No freight is that large.
_MOST_DIGITS = 15

REQUIRED = "Required."
_NUMBER = "Not a number. Write it as 12 or 12.5."

Value = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class FieldRule:
    """The rule of one field. `kind` is `str`, `float`, `date` or `bool`; `choices` is empty for free text."""

    name: str
    kind: type
    required: bool
    limit: int | None = None
    above_zero: bool = False
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadRecord:
    """The values of one record, without those that are left out, and the record's issues by field name."""

    values: dict[str, Value]
    issues: RowIssues


def _nested(kind: Any) -> Iterator[Any]:
    """Everything that an annotation is made of: types, constraints and choices, however deeply nested."""
    yield kind
    for part in (*get_args(kind), *(kind.metadata if isinstance(kind, FieldInfo) else ())):
        yield from _nested(part)


def _rule(name: str, field: FieldInfo) -> FieldRule | None:
    """The rule of a field that holds one value. None for a nested record or a list, which have rules of their own."""
    parts = [*field.metadata, *_nested(field.annotation)]
    if any(part is tuple or (isinstance(part, type) and issubclass(part, BaseModel)) for part in parts):
        return None
    choices = tuple(part for part in parts if isinstance(part, str))
    return FieldRule(
        name,
        next((kind for kind in (float, date, bool) if kind in parts), str),
        field.is_required(),
        next((part.max_length for part in parts if getattr(part, "max_length", None)), None),
        any(getattr(part, "gt", None) == 0 for part in parts),
        choices,
    )


def _rules(model: type[BaseModel]) -> tuple[FieldRule, ...]:
    found = (_rule(name, field) for name, field in model.model_fields.items())
    return tuple(rule for rule in found if rule is not None)


# By the path of the record in an order. A row's record has the path of its list.
RECORDS: dict[str, tuple[FieldRule, ...]] = {
    "": _rules(OrderSubmission),
    "consignee": _rules(Consignee),
    FREIGHT: _rules(FreightItem),
    "barcoding": _rules(Barcoding),
    BARCODES: _rules(BarcodeItem),
    REFERENCES: _rules(OtherReference),
}
RULES: dict[str, FieldRule] = {
    f"{path}.{rule.name}".lstrip("."): rule for path, rules in RECORDS.items() for rule in rules
}
LIMITS: dict[str, int] = {path: rule.limit for path, rule in RULES.items() if rule.limit is not None}
CANCELLATION = _rules(Cancellation)
# The contract's order of an order's fields, in which issues are listed.
FIELD_ORDER = tuple(OrderSubmission.model_fields)


def read_record(rules: tuple[FieldRule, ...], typed: object) -> ReadRecord:
    """Read the fields of a draft's record; `typed` has an attribute of text for each rule."""
    issues: list[Issue] = []
    values: dict[str, Value] = {}
    for rule in rules:
        value = read_field(rule, getattr(typed, rule.name), issues)
        if value is not None:
            values[rule.name] = value
    return ReadRecord(values, tuple(issues))


def read_field(rule: FieldRule, typed: str, issues: list[Issue]) -> Value:
    """The value of one field, None if it is left out or cannot be read. Its issues are appended to `issues`."""
    text = typed.strip()
    if not text:
        if rule.required:
            issues.append(Issue(rule.name, "Required: true or false." if rule.kind is bool else REQUIRED))
        return None
    value, sentences = _READERS[rule.kind](rule, text)
    issues.extend(Issue(rule.name, sentence) for sentence in sentences)
    return value


def _read_text(rule: FieldRule, text: str) -> tuple[Value, list[str]]:
    if rule.choices:
        return text, [] if text in rule.choices else [f"Must be one of {', '.join(rule.choices)}."]
    sentences = []
    # A paste can hold half of a surrogate pair, which UTF-8 cannot encode.
    if not text.isascii() and any("\ud800" <= sign <= "\udfff" for sign in text):
        sentences.append("Holds a character that cannot be sent. Type it again.")
    if rule.limit is not None and len(text) > rule.limit:
        sentences.append(f"At most {rule.limit} characters; this has {len(text)}.")
    return text, sentences


def _read_date(_rule: FieldRule, text: str) -> tuple[Value, list[str]]:
    return text, [] if read_date(text) is not None else ["Not a date. Write it as YYYY-MM-DD."]


def _read_flag(_rule: FieldRule, text: str) -> tuple[Value, list[str]]:
    flag = {TRUE: True, FALSE: False}.get(text.lower())
    return flag, [] if flag is not None else ["Must be true or false."]


def _read_number(rule: FieldRule, text: str) -> tuple[Value, list[str]]:
    number = _number(text)
    if isinstance(number, str):
        return None, [number]
    if rule.above_zero and number <= 0:
        return number, ["Must be greater than 0."]
    return number, ["Cannot be less than 0."] if number < 0 else []


def _number(text: str) -> int | float | str:
    """The number, or the sentence that says why the text is none."""
    # A grouping comma, another script's digits or an underscore could be read as another number than was meant.
    if not text.isascii() or "_" in text:
        return _NUMBER
    try:
        exact = Decimal(text)
    except InvalidOperation:
        return _NUMBER
    if not exact.is_finite():
        return _NUMBER
    if exact and abs(exact.adjusted()) >= _MOST_DIGITS:
        return "Too large or too small to be sent exactly."
    value = float(exact)
    if Decimal(repr(value)) != exact:  # JSON would carry other digits than those typed
        return "Has more digits than can be sent exactly."
    return int(value) if value.is_integer() else value


_READERS: dict[type, Callable[[FieldRule, str], tuple[Value, list[str]]]] = {
    str: _read_text,
    float: _read_number,
    date: _read_date,
    bool: _read_flag,
}

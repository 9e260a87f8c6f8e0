"""Turns a decoded request body into a draft, with an issue for each value of the wrong shape.

JSON has numbers and booleans where a draft has strings; XML has strings throughout. Both are accepted. Null means
absent. The decoder of XML makes a list of each element named in `LIST_FIELDS`, even of a single one.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from app.contract.draft import (
    BarcodeDraft,
    BarcodingDraft,
    ConsigneeDraft,
    FreightDraft,
    OrderDraft,
    ReferenceDraft,
)
from app.contract.order_rules import Issue

_NUMBERS = {"count", "volume", "weight"}
_FLAGS = {"useConsigneeAddressToDetermineFaclityCode"}
_RECORDS: dict[str, Callable[[], Any]] = {"consignee": ConsigneeDraft, "barcoding": BarcodingDraft}
_LISTS: dict[str, Callable[[], Any]] = {
    "freightDetails": FreightDraft,
    "barcodeItemDetails": BarcodeDraft,
    "otherReferenceNumbers": ReferenceDraft,
}

LIST_FIELDS = frozenset(_LISTS)


def draft_of_body(body: object) -> tuple[OrderDraft, list[Issue]]:
    """The draft that a body means, as far as the body can be read, and an issue for each value that cannot be read."""
    issues: list[Issue] = []
    draft = OrderDraft(useConsigneeAddressToDetermineFaclityCode="")
    if isinstance(body, Mapping):
        _fill(draft, body, "", issues)
    else:
        issues.append(Issue("", "The body must be an object."))
    return draft, issues


def _fill(target: Any, body: Mapping[str, object], path: str, issues: list[Issue]) -> None:
    known = {each.name for each in fields(target)}
    for name, value in body.items():
        here = f"{path}.{name}" if path else str(name)
        if name not in known:
            issues.append(Issue(here, "This field is not known."))
        elif value is None:
            continue
        elif name in _RECORDS:
            setattr(target, name, _record(_RECORDS[name], value, here, issues))
        elif name in _LISTS:
            setattr(target, name, _list(_LISTS[name], value, here, issues))
        else:
            setattr(target, name, _scalar(name, value, here, issues))


def _record(make: Callable[[], Any], value: object, path: str, issues: list[Issue]) -> Any:
    record = make()
    if isinstance(value, Mapping):
        _fill(record, value, path, issues)
    elif value != "":  # an empty XML element
        issues.append(Issue(path, "This must be an object."))
    return record


def _list(make: Callable[[], Any], value: object, path: str, issues: list[Issue]) -> list[Any]:
    if value == "":
        return []
    if not isinstance(value, list):
        issues.append(Issue(path, "This must be a list."))
        return []
    return [_record(make, row, f"{path}[{index}]", issues) for index, row in enumerate(value)]


def _scalar(name: str, value: object, path: str, issues: list[Issue]) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool) and name in _FLAGS:
        return json.dumps(value)
    if isinstance(value, int | float) and not isinstance(value, bool) and name in _NUMBERS:
        return repr(value)
    wanted = "a number" if name in _NUMBERS else "true or false" if name in _FLAGS else "text"
    issues.append(Issue(path, f"This must be {wanted}."))
    return ""

"""Compares payloads with each other, and a payload with the order that the provider returns, field by field.

Invariant: a field that the provider does not return proves nothing. The information service returns no volume, weight
or barcodes (trap 5): only two payloads of this desk can be compared by those.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from app.contract.information import Contact, Order
from app.contract.moments import read_moment
from app.contract.order_rules import FACILITY_CODE, USE_ADDRESS


@dataclass(frozen=True, slots=True)
class Difference:
    """A field by its path, and its values before and after; empty for absent."""

    path: str
    before: str
    after: str


def between(before: bytes, after: bytes) -> list[Difference]:
    """The fields in which two payloads differ, in the order of the newer one."""
    old, new = dict(_leaves(json.loads(before))), dict(_leaves(json.loads(after)))
    paths = [*new, *(path for path in old if path not in new)]
    return [
        Difference(path, old.get(path, ""), new.get(path, ""))
        for path in paths
        if old.get(path, "") != new.get(path, "")
    ]


def read_back(payload: bytes, order: Order) -> list[Difference]:
    """The fields with other values at the provider: `before` is the value sent, `after` the value returned."""
    sent = dict(_leaves(json.loads(payload)))
    found = []
    for path, told in _comparable(order):
        if told is None:
            continue
        if path == "poNumber":
            # The provider may know several numbers: the one that was sent is enough.
            agrees = sent.get(path, "") in {"", *told.split("\n")}
        else:
            agrees = _plain(sent.get(path, "")) == _plain(told)
        if path in sent and not agrees:
            found.append(Difference(path, sent[path], told.replace("\n", ", ")))
    return found


def replaced(payload: bytes, order: Order) -> list[Difference]:
    """The fields that sending `payload` would change: `before` is the value returned, `after` the value sent.

    Sending replaces the whole order, so a field that is left out is removed there. A part of the order that was not
    asked for is not compared. A facility that the provider found by the address is no change of ours.
    """
    sent = dict(_leaves(json.loads(payload)))
    by_address = sent.get(USE_ADDRESS) == "true" and FACILITY_CODE not in sent
    # Turned round: `read_back` tells the sent value as `before` and the provider's as `after`.
    apart = {each.path: Difference(each.path, each.after, each.before) for each in read_back(payload, order)}
    found = []
    for path, told in _replaceable(order, sent):
        before = "" if told is None else told.replace("\n", ", ").strip()
        if path in apart:
            found.append(apart[path])
        elif bool(before) != (path in sent) and not (by_address and path == FACILITY_CODE):
            found.append(Difference(path, before, sent.get(path, "")))
    return found


def _replaceable(order: Order, sent: Mapping[str, str]) -> Iterator[tuple[str, str | None]]:
    """The fields that can be compared, with the provider's values; here an absent value means that there is none."""
    yield "manufacturerCode", None if order.Manufacturer is None else order.Manufacturer.Id
    for path, told in _comparable(order):
        if path != "poNumber" or order.PO is not None:
            yield path, told
    if order.Commodities is not None:
        # Freight lines that the provider does not have: sending would add them.
        at = len(order.Commodities)
        while f"freightDetails[{at}].commodity" in sent:
            yield f"freightDetails[{at}].commodity", None
            yield f"freightDetails[{at}].count", None
            at += 1


def compares(payload: bytes, order: Order) -> bool:
    """Whether the provider returns any field that was sent: an order without such a field confirms nothing."""
    sent = dict(_leaves(json.loads(payload)))
    return any(told is not None and path in sent for path, told in _comparable(order))


def _comparable(order: Order) -> Iterator[tuple[str, str | None]]:
    consignee = order.Consignee or Contact()
    address = consignee.Address
    yield "consignee.consigneeName", consignee.Name
    yield "consignee.phone1", consignee.Phone
    yield "consignee.email", consignee.Email
    if address is not None:
        yield "consignee.streetAddress", address.StreetAddress1
        yield "consignee.streetAddress2", address.StreetAddress2
        yield "consignee.city", address.City
        yield "consignee.state", address.State
        yield "consignee.zip", address.ZipCode
    yield (
        "poNumber",
        "\n".join(order.PO or ()) or None,
    )  # an empty list counts as absent: the cache stores a part without a value as empty
    yield "deliveryType", order.DeliveryType
    yield "requestedDeliveryDate", _day(order.DateRequestedDelivery)
    yield "estimatedReceiveDate", _day(order.DateEstimatedReceive)
    yield FACILITY_CODE, None if order.Facility is None else order.Facility.Id
    for at, line in enumerate(order.Commodities or ()):
        yield f"freightDetails[{at}].commodity", line.CommodityCode
        yield f"freightDetails[{at}].count", None if line.Count is None else f"{line.Count:g}"


def _day(moment: object) -> str | None:
    when = read_moment(moment)
    return None if when is None else f"{when:%Y-%m-%d}"


def _plain(text: str) -> str:
    """The text without case and spacing, which the provider may change."""
    return " ".join(text.split()).casefold()


def _leaves(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from _leaves(part, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list):
        for at, part in enumerate(value):
            yield from _leaves(part, f"{path}[{at}]")
    # Before the numbers: in Python a bool is an int.
    elif isinstance(value, bool):
        yield path, "true" if value else "false"
    elif isinstance(value, int | float):
        yield path, f"{value:.15g}"
    elif value is not None:
        yield path, str(value)

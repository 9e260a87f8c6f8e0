"""What differs between two payloads, field by field, and between a payload and what the provider gives back.

The information service returns no volume, weight or barcodes (trap 5): those can be compared between two payloads of
this desk, never with the provider's own record.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from app.contract.information import Contact, Order
from app.contract.moments import read_moment


@dataclass(frozen=True, slots=True)
class Difference:
    """One field: its path, what it was, what it is; empty for absent."""

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
    """The fields that the provider returns and that disagree with what was sent: path, what was sent, what it says.

    A field that the provider leaves out proves nothing either way and is not compared.
    """
    sent = dict(_leaves(json.loads(payload)))
    found = []
    for path, told in _comparable(order):
        if told is None:
            continue
        if path == "poNumber":
            agrees = sent.get(path, "") in {"", *told.split("\n")}
        else:
            agrees = _plain(sent.get(path, "")) == _plain(told)
        if path in sent and not agrees:
            found.append(Difference(path, sent[path], told.replace("\n", ", ")))
    return found


def replaced(payload: bytes, order: Order) -> list[Difference]:
    """What sending `payload` would change of what the provider returns: path, what it says, what is sent.

    Sending puts the whole order in place of the other, so what is emptied or left out is taken away there. What the
    provider was not asked for proves nothing and is not compared.
    """
    sent = dict(_leaves(json.loads(payload)))
    apart = {each.path: Difference(each.path, each.after, each.before) for each in read_back(payload, order)}
    found = []
    for path, told in _replaceable(order, sent):
        before = "" if told is None else told.replace("\n", ", ").strip()
        if path in apart:
            found.append(apart[path])
        elif bool(before) != (path in sent):
            found.append(Difference(path, before, sent.get(path, "")))
    return found


def _replaceable(order: Order, sent: Mapping[str, str]) -> Iterator[tuple[str, str | None]]:
    """What of an order can be told to change, with what the provider says of it; what it leaves out there is none."""
    yield "manufacturerCode", None if order.Manufacturer is None else order.Manufacturer.Id
    for path, told in _comparable(order):
        if path != "poNumber" or order.PO is not None:
            yield path, told
    if order.Commodities is not None:
        at = len(order.Commodities)
        while f"freightDetails[{at}].commodity" in sent:
            yield f"freightDetails[{at}].commodity", None
            yield f"freightDetails[{at}].count", None
            at += 1


def compares(payload: bytes, order: Order) -> bool:
    """Whether the provider returns any field of what was sent at all: agreeing in nothing is no agreement."""
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
    yield "poNumber", "\n".join(order.PO or ()) or None  # none named is left out: the cache writes such a part as empty
    yield "deliveryType", order.DeliveryType
    yield "requestedDeliveryDate", _day(order.DateRequestedDelivery)
    yield "estimatedReceiveDate", _day(order.DateEstimatedReceive)
    yield "providerFacilityCode", None if order.Facility is None else order.Facility.Id
    for at, line in enumerate(order.Commodities or ()):
        yield f"freightDetails[{at}].commodity", line.CommodityCode
        yield f"freightDetails[{at}].count", None if line.Count is None else f"{line.Count:g}"


def _day(moment: object) -> str | None:
    when = read_moment(moment)
    return None if when is None else f"{when:%Y-%m-%d}"


def _plain(text: str) -> str:
    """Case and spacing are the provider's to choose; they change no order."""
    return " ".join(text.split()).casefold()


def _leaves(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from _leaves(part, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list):
        for at, part in enumerate(value):
            yield from _leaves(part, f"{path}[{at}]")
    elif isinstance(value, bool):
        yield path, "true" if value else "false"
    elif isinstance(value, int | float):
        yield path, f"{value:.15g}"
    elif value is not None:
        yield path, str(value)

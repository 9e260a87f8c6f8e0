"""Turns an order as the provider tells it into the columns that the cache searches and sorts by.

A list may hold a hundred thousand orders, nearly all exactly as announced: those are taken as they are. Whatever is
not goes through the tolerant models of the contract first, so that both ways end in the same columns.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from app.api.information import EVERYTHING, Include, OrderRow, read_order_row
from app.store.cache_rows import OrderFacts

_TEXTS = (
    *("CRN", "StatusId", "Status", "Brand", "DeliveryType", "BOL", "Remarks"),
    *("ReceivedById", "LoadedById", "DeliveredBy"),
)
_MOMENTS = (
    "DateImported",
    "DateEstimatedReceive",
    "DateReceived",
    "DateRequestedDelivery",
    "DateScheduledDelivery",
    "DateLoaded",
    "DateActualDelivery",
)
_CONTACTS = ("Consignee", "Facility", "Manufacturer", "Carrier")
_CONTACT_TEXTS = ("Id", "Name", "Phone")
_STREETS = ("StreetAddress1", "StreetAddress2", "StreetAddress3")
_ADDRESS_TEXTS = (*_STREETS, "City", "State", "ZipCode")
_TEXT_KIND = frozenset((str,))
_TEXT_KINDS = frozenset((str, type(None)))
_PLAIN_MOMENT = len("YYYY-MM-DDTHH:MM:SS")
_LARGEST_NUMBER = 2**63 - 1
_NOTHING: Mapping[str, Any] = {}


def facts_of(row: OrderRow, asked: Include = EVERYTHING) -> OrderFacts | None:
    """The columns of one order; None for a record without a number, which nothing could find again.

    `asked` is what was asked for beside the order itself: a part that is left out then is known to be empty.
    """
    return None if row.order.OrderNumber is None else _facts(row.order.model_dump(), row.raw, asked)


def listed_facts(value: object, raw: str, asked: Include) -> OrderFacts | None:
    """The columns of an element of a list; None for what is no order that can be kept."""
    if isinstance(value, dict) and _is_plain(value):
        try:
            return _facts(value, raw, asked)
        except ValueError:
            pass  # a day that is in no calendar: the models have an answer to that too
    row = read_order_row(value, raw)
    return None if row is None else facts_of(row, asked)


def _is_plain(record: Mapping[str, Any]) -> bool:
    """Whether all that is looked at here is exactly of the kind that was announced.

    Written for speed: it takes a good part of the time that reading a long list takes.
    """
    get = record.get
    number, orders = get("OrderNumber"), get("PO")
    return (
        type(number) is int
        and -_LARGEST_NUMBER <= number <= _LARGEST_NUMBER
        and _TEXT_KINDS.issuperset(map(type, map(get, _TEXTS)))
        and (orders is None or (type(orders) is list and _TEXT_KIND.issuperset(map(type, orders))))
        and all(map(_is_plain_contact, map(get, _CONTACTS)))
        and all(map(_is_plain_moment, map(get, _MOMENTS)))
        and type(get("IsReceived", False)) is bool
        and type(get("IsDelivered", False)) is bool
    )


def _is_plain_contact(contact: object) -> bool:
    if contact is None:
        return True
    if type(contact) is not dict or not _TEXT_KINDS.issuperset(map(type, map(contact.get, _CONTACT_TEXTS))):
        return False
    address = contact.get("Address")
    return address is None or (
        type(address) is dict and _TEXT_KINDS.issuperset(map(type, map(address.get, _ADDRESS_TEXTS)))
    )


def _is_plain_moment(text: object) -> bool:
    return text is None or (
        type(text) is str
        and len(text) == _PLAIN_MOMENT
        and text[4] == text[7] == "-"
        and text[10] == "T"
        and text[13] == text[16] == ":"
    )


def _facts(record: Mapping[str, Any], raw: str, asked: Include) -> OrderFacts:
    get = record.get
    consignee, facility = get("Consignee") or _NOTHING, get("Facility") or _NOTHING
    address = consignee.get("Address") or _NOTHING
    orders = get("PO")
    if orders is None and asked.purchase_orders:
        orders = ()
    return OrderFacts(
        number=record["OrderNumber"],
        crn=get("CRN"),
        state=get("StatusId"),
        status=get("Status"),
        consignee_name=consignee.get("Name"),
        street=", ".join([line for name in _STREETS if (line := address.get(name))]) or None,
        city=address.get("City"),
        region=address.get("State"),
        zip=address.get("ZipCode"),
        phone=consignee.get("Phone"),
        facility_id=facility.get("Id"),
        facility_name=facility.get("Name"),
        manufacturer=(get("Manufacturer") or _NOTHING).get("Name"),
        brand=get("Brand"),
        delivery_type=get("DeliveryType"),
        bol=get("BOL"),
        pos=None if orders is None else "\n".join([each for each in orders if each]),
        remarks=get("Remarks"),
        imported_at=_moment(get("DateImported")),
        estimated_receive=_moment(get("DateEstimatedReceive")),
        received_at=_moment(get("DateReceived")),
        requested_delivery=_moment(get("DateRequestedDelivery")),
        scheduled_delivery=_moment(get("DateScheduledDelivery")),
        loaded_at=_moment(get("DateLoaded")),
        delivered_at=_moment(get("DateActualDelivery")),
        is_received=get("IsReceived"),
        is_delivered=get("IsDelivered"),
        carrier=(get("Carrier") or _NOTHING).get("Name"),
        received_by=get("ReceivedById"),
        loaded_by=get("LoadedById"),
        delivered_by=get("DeliveredBy"),
        raw=_with_empty_parts(record, raw, asked),
    )


def _moment(value: str | datetime | None) -> datetime | None:
    return datetime.fromisoformat(value) if isinstance(value, str) else value


def _with_empty_parts(record: Mapping[str, Any], raw: str, asked: Include) -> str:
    """The order's text, in which a part that was asked for and left out stands as empty: null fields are omitted
    (notes.md, trap 7), and what is not there at all is what was not asked for."""
    missing = [name for name, wanted in asked.parts() if wanted and record.get(name) is None]
    if not missing:
        return raw
    body = raw.rstrip()[:-1].rstrip()
    for name in missing:
        body += f'{"" if body.endswith("{") else ","}"{name}":[]'
    return body + "}"

"""Turns an order of whatever shape into the values that the cache stores, through the contract's tolerant models.

Invariant: most orders of a long list go through `desk/sync/announced_orders` instead, with the same result.
"""

from collections.abc import Sequence

from app.api.information_service import EVERYTHING, Include, OrderRow, read_order_row
from app.contract.information import Address, Contact
from app.store.cache.order_rows import OrderFacts

_NO_CONTACT, _NO_ADDRESS = Contact(), Address()


def facts_of(row: OrderRow, include: Include = EVERYTHING) -> OrderFacts | None:
    """The values of one order; None for a record without a number, which nothing could find again.

    `include` names the optional members of the request: one that the record leaves out is known to be empty.
    """
    order = row.order
    if order.OrderNumber is None:
        return None
    consignee, facility = order.Consignee or _NO_CONTACT, order.Facility or _NO_CONTACT
    address = consignee.Address or _NO_ADDRESS
    streets = (address.StreetAddress1, address.StreetAddress2, address.StreetAddress3)
    return OrderFacts(
        number=order.OrderNumber,
        crn=order.CRN,
        state=order.StatusId,
        status=order.Status,
        consignee_name=consignee.Name,
        street=", ".join(filter(None, streets)) or None,
        city=address.City,
        region=address.State,
        zip=address.ZipCode,
        phone=consignee.Phone,
        facility_id=facility.Id,
        facility_name=facility.Name,
        manufacturer=(order.Manufacturer or _NO_CONTACT).Name,
        brand=order.Brand,
        delivery_type=order.DeliveryType,
        bol=order.BOL,
        pos=lines_of(order.PO, include),
        remarks=order.Remarks,
        imported_at=order.DateImported,
        estimated_receive=order.DateEstimatedReceive,
        received_at=order.DateReceived,
        requested_delivery=order.DateRequestedDelivery,
        scheduled_delivery=order.DateScheduledDelivery,
        loaded_at=order.DateLoaded,
        delivered_at=order.DateActualDelivery,
        is_received=order.IsReceived,
        is_delivered=order.IsDelivered,
        carrier=(order.Carrier or _NO_CONTACT).Name,
        received_by=order.ReceivedById,
        loaded_by=order.LoadedById,
        delivered_by=order.DeliveredBy,
        raw=with_empty_members(row.raw, [name for name in included_members(include) if getattr(order, name) is None]),
    )


def listed_facts(value: object, raw: str, include: Include) -> OrderFacts | None:
    """The values of an element of a list; None if it is no order, or has no number."""
    row = read_order_row(value, raw)
    return None if row is None else facts_of(row, include)


def included_members(include: Include) -> tuple[str, ...]:
    """The names of the optional members that were requested."""
    return tuple(name for name, wanted in include.parts() if wanted)


def lines_of(orders: list[str] | None, include: Include) -> str | None:
    """Purchase orders, a line each; None if they were not requested."""
    if orders is None:
        return "" if include.purchase_orders else None
    return "\n".join(filter(None, orders))


def with_empty_members(raw: str, missing: Sequence[str]) -> str:
    """The JSON text with an empty list for each of the `missing` members, which were requested.

    The provider omits null fields (notes.md, trap 7). Without this, "requested and empty" would look like "not
    requested".
    """
    if not missing:
        return raw
    body = raw.rstrip()[:-1].rstrip()
    for name in missing:
        body += f'{"" if body.endswith("{") else ","}"{name}":[]'
    return body + "}"

"""Turns an order as the provider tells it into the columns that the cache searches and sorts by.

By way of the tolerant models of the contract, whatever the order looks like. Most of a long list goes another way
(`desk/sync/announced_orders`), which ends in the same columns.
"""

from collections.abc import Sequence

from app.api.information_service import EVERYTHING, Include, OrderRow, read_order_row
from app.contract.information import Address, Contact
from app.store.cache.order_rows import OrderFacts

_NO_CONTACT, _NO_ADDRESS = Contact(), Address()


def facts_of(row: OrderRow, asked: Include = EVERYTHING) -> OrderFacts | None:
    """The columns of one order; None for a record without a number, which nothing could find again.

    `asked` is what was asked for beside the order itself: a part that is left out then is known to be empty.
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
        pos=lines_of(order.PO, asked),
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
        raw=with_empty_parts(row.raw, [name for name in asked_for(asked) if getattr(order, name) is None]),
    )


def listed_facts(value: object, raw: str, asked: Include) -> OrderFacts | None:
    """The columns of an element of a list; None for what is no order that can be kept."""
    row = read_order_row(value, raw)
    return None if row is None else facts_of(row, asked)


def asked_for(asked: Include) -> tuple[str, ...]:
    """The names of the parts that were asked for."""
    return tuple(name for name, wanted in asked.parts() if wanted)


def lines_of(orders: list[str] | None, asked: Include) -> str | None:
    """Purchase orders, a line each; None while they are not known."""
    if orders is None:
        return "" if asked.purchase_orders else None
    return "\n".join(filter(None, orders))


def with_empty_parts(raw: str, missing: Sequence[str]) -> str:
    """The order's text, in which a part that was asked for and left out stands as empty: null fields are omitted
    (notes.md, trap 7), and what is not there at all is what was not asked for."""
    if not missing:
        return raw
    body = raw.rstrip()[:-1].rstrip()
    for name in missing:
        body += f'{"" if body.endswith("{") else ","}"{name}":[]'
    return body + "}"

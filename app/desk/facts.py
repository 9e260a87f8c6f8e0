"""Turns an order as the provider tells it into the columns that the cache searches and sorts by."""

from app.api.information import OrderRow
from app.contract.information import Contact, Order
from app.store.cache_rows import OrderFacts


def facts_of(row: OrderRow) -> OrderFacts | None:
    """The columns of one order; None for a record without a number, which nothing could find again."""
    order = row.order
    if order.OrderNumber is None:
        return None
    consignee, facility = order.Consignee or Contact(), order.Facility or Contact()
    address = consignee.Address
    return OrderFacts(
        number=order.OrderNumber,
        crn=order.CRN,
        state=order.StatusId,
        status=order.Status,
        consignee_name=consignee.Name,
        street=_street(order),
        city=address.City if address else None,
        region=address.State if address else None,
        zip=address.ZipCode if address else None,
        phone=consignee.Phone,
        facility_id=facility.Id,
        facility_name=facility.Name,
        manufacturer=(order.Manufacturer or Contact()).Name,
        brand=order.Brand,
        delivery_type=order.DeliveryType,
        bol=order.BOL,
        pos=None if order.PO is None else "\n".join(order.PO),
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
        raw=row.raw,
    )


def _street(order: Order) -> str | None:
    address = order.Consignee.Address if order.Consignee else None
    if address is None:
        return None
    lines = (address.StreetAddress1, address.StreetAddress2, address.StreetAddress3)
    return ", ".join(line for line in lines if line) or None

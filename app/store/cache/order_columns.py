"""An order as the cache's tables hold it: the values of `OrderFacts`, with moments and folders as stored text.

Invariant: texts are storable, and moments are as `to_text` writes them. `desk/sync/announced_orders` makes these rows
directly from JSON, since that is faster for long lists.
"""

import json
from functools import lru_cache
from typing import NamedTuple

from app.store.cache.order_rows import OrderFacts
from app.store.sqlite.search_text import digits, plain
from app.store.sqlite.text_values import storable, to_text


class OrderColumns(NamedTuple):
    """The columns of the table of orders that come from the provider, and at the end `raw`, the JSON text."""

    number: int
    crn: str | None
    state: str | None
    status: str | None
    consignee_name: str | None
    street: str | None
    city: str | None
    region: str | None
    zip: str | None
    phone: str | None
    facility_id: str | None
    facility_name: str | None
    manufacturer: str | None
    brand: str | None
    delivery_type: str | None
    bol: str | None
    pos: str | None
    remarks: str | None
    imported_at: str | None
    estimated_receive: str | None
    received_at: str | None
    requested_delivery: str | None
    scheduled_delivery: str | None
    loaded_at: str | None
    delivered_at: str | None
    is_received: bool | None
    is_delivered: bool | None
    folders: str | None
    carrier: str | None
    received_by: str | None
    loaded_by: str | None
    delivered_by: str | None
    raw: str


def columns_of(f: OrderFacts) -> OrderColumns:
    """The facts as they are stored."""
    found = OrderColumns(
        *(f.number, f.crn, f.state, f.status, f.consignee_name, f.street, f.city, f.region, f.zip, f.phone),
        *(f.facility_id, f.facility_name, f.manufacturer, f.brand, f.delivery_type, f.bol, f.pos, f.remarks),
        *(to_text(f.imported_at), to_text(f.estimated_receive), to_text(f.received_at)),
        *(to_text(f.requested_delivery), to_text(f.scheduled_delivery), to_text(f.loaded_at)),
        to_text(f.delivered_at),
        f.is_received,
        f.is_delivered,
        folders_of(f.raw),
        *(f.carrier, f.received_by, f.loaded_by, f.delivered_by),
        storable(f.raw),
    )
    if "\\ud" not in f.raw and "\\uD" not in f.raw:  # a lone surrogate can come only from such an escape
        return found
    return OrderColumns._make(storable(each) if isinstance(each, str) else each for each in found)


def folders_of(raw: str) -> str | None:
    """The folders of an order's documents, each between blanks; None if documents were not requested."""
    if '"ProofOfDelivery"' not in raw:
        return None
    documents = json.loads(raw).get("ProofOfDelivery")
    if documents is None:
        return None
    records = [each for each in (documents if isinstance(documents, list) else [documents]) if isinstance(each, dict)]
    return storable(folders_text(frozenset(str(each.get("Folder") or "?") for each in records)))


@lru_cache(maxsize=1_000)
def folders_text(folders: frozenset[str]) -> str:
    """Folders as the column holds them. Cached, since there are few different sets."""
    codes = {"".join(each.upper().split()) for each in folders}
    return "".join(f" {code}" for code in sorted(codes)) + " "


def searched_text(order: OrderFacts | OrderColumns) -> str:
    """The text that searches read: one field a line, so that no word runs from one field into the next."""
    fields = (
        str(order.number),
        order.crn,
        order.pos,
        order.bol,
        order.consignee_name,
        order.street,
        order.city,
        order.zip,
        order.phone,
        digits(order.phone),
        order.manufacturer,
        order.facility_name,
        order.facility_id,
        order.brand,
        order.remarks,
    )
    return plain("\n".join(filter(None, fields)))

"""What goes into the cache and what comes out of it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple

from app.store.texts import from_text

ListName = Literal["open", "completed", "other"]


@dataclass(slots=True)
class OrderFacts:
    """An order as received: what is shown and searched by, and its own JSON text in `raw`.

    Times are local and without a zone. `pos` holds the purchase orders, one a line. The text is the order's
    own object, with the wire's names; the store looks into it only to keep parts that were not asked for.
    """

    number: int
    raw: str
    crn: str | None = None
    state: str | None = None
    status: str | None = None
    consignee_name: str | None = None
    city: str | None = None
    region: str | None = None
    zip: str | None = None
    facility_name: str | None = None
    facility_id: str | None = None
    delivery_type: str | None = None
    imported_at: datetime | None = None
    requested_delivery: datetime | None = None
    scheduled_delivery: datetime | None = None
    delivered_at: datetime | None = None
    received_at: datetime | None = None
    street: str | None = None
    phone: str | None = None
    manufacturer: str | None = None
    brand: str | None = None
    bol: str | None = None
    pos: str | None = None
    remarks: str | None = None
    estimated_receive: datetime | None = None
    loaded_at: datetime | None = None
    is_received: bool | None = None
    is_delivered: bool | None = None


class OrderLine(NamedTuple):
    """What a row of the table needs. Times are local and without a zone."""

    number: int
    crn: str | None
    state: str | None
    status: str | None
    consignee_name: str | None
    city: str | None
    region: str | None
    zip: str | None
    facility_name: str | None
    facility_id: str | None
    delivery_type: str | None
    imported_at: datetime | None
    requested_delivery: datetime | None
    scheduled_delivery: datetime | None
    delivered_at: datetime | None
    received_at: datetime | None
    list: ListName


class OrderDetail(NamedTuple):
    """One order whole: `raw` is its JSON text, `seen_at` when the provider was last asked about it,
    `changed_at` when what it said last differed."""

    line: OrderLine
    raw: str
    seen_at: datetime
    changed_at: datetime


class OrderQuery(NamedTuple):
    """Which orders, in which order.

    `text` is split at blanks; every word must be found somewhere, as part of any searched text, whatever its
    case or accents. `sort` is one of `SORTS`; rows without a value come first, last when `descending`.
    """

    profile: str
    list: ListName = "open"
    text: str = ""
    sort: str = "number"
    descending: bool = True


class Stored(NamedTuple):
    """What storing some orders came to. `refused` are numbers that no order can have."""

    new: int
    changed: int
    same: int
    refused: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class WindowRow:
    """A span of dates that was asked for. `fetched_at` is None when it never arrived; `error` says why the
    latest try failed, None when it did not. `tries` failed since it last arrived whole."""

    start: datetime
    end: datetime
    fetched_at: datetime | None
    count: int | None
    error: str | None
    tried_at: datetime | None = None
    tries: int = 0


# Columns a list can be sorted by → how.
SORTS: dict[str, str] = {
    "number": "number",
    "crn": "crn COLLATE NOCASE",
    "state": "state",
    "consignee_name": "consignee_name COLLATE NOCASE",
    "imported_at": "imported_at",
    "requested_delivery": "requested_delivery",
    "scheduled_delivery": "scheduled_delivery",
    "status": "status",
    "city": "city COLLATE NOCASE",
    "region": "region",
    "zip": "zip",
    "facility_name": "facility_name COLLATE NOCASE",
    "facility_id": "facility_id",
    "delivery_type": "delivery_type",
    "delivered_at": "delivered_at",
    "received_at": "received_at",
}

# Those of them that an index holds in order.
INDEXED = frozenset({"crn", "state", "consignee_name", "imported_at", "requested_delivery", "scheduled_delivery"})

LINE_COLUMNS = (
    "number, crn, state, status, consignee_name, city, region, zip, facility_name, facility_id, "
    "delivery_type, imported_at, requested_delivery, scheduled_delivery, delivered_at, received_at"
)


def order_line(values: tuple[Any, ...]) -> OrderLine:
    """From `LINE_COLUMNS` and the list's name."""
    imported, requested, scheduled, delivered, received, name = values[11:]
    moments = (from_text(text) for text in (imported, requested, scheduled, delivered, received))
    return OrderLine._make((*values[:11], *moments, name))


def window_row(values: tuple[Any, ...]) -> WindowRow:
    """From the columns of `WindowRow`, in that order."""
    start, end, fetched, count, error, tried, tries = values
    first, last = datetime.fromisoformat(start), datetime.fromisoformat(end)
    return WindowRow(first, last, from_text(fetched), count, error, from_text(tried), tries)

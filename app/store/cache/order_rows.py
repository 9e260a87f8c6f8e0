"""The records that go into the cache of orders and come out of it, and the columns that orders are sorted by.

Invariant: times are local and without a zone; `order_line` is the one place that turns stored values into Python's.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal, NamedTuple

from app.contract.codes import OrderState
from app.store.cache.schema.conditions import Clause
from app.store.cache.schema.raw_fields import RAW_FIELDS, RawFields, collation, unprepared_sort
from app.store.sqlite.text_values import from_text

ListName = Literal["open", "completed", "other"]


@dataclass(slots=True)
class OrderFacts:
    """An order as received: the values that have columns, and its JSON text in `raw`.

    `pos` holds the purchase orders, one a line. The text is the order's own object, with the wire's names.
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
    carrier: str | None = None
    received_by: str | None = None
    loaded_by: str | None = None
    delivered_by: str | None = None


class OrderLine(NamedTuple):
    """A row of the table of orders."""

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
    street: str | None = None
    phone: str | None = None
    manufacturer: str | None = None
    brand: str | None = None
    bol: str | None = None
    pos: str | None = None  # purchase orders, one a line
    remarks: str | None = None
    estimated_receive: datetime | None = None
    loaded_at: datetime | None = None
    is_received: bool | None = None
    is_delivered: bool | None = None
    folders: str | None = None  # of its documents, a blank before and after each; None while they are not known
    carrier: str | None = None
    received_by: str | None = None
    loaded_by: str | None = None
    delivered_by: str | None = None
    changed: str = ""  # columns that changed since a person last looked at the order, separated by blanks
    raw_fields: RawFields | None = None  # those that the query names

    @property
    def is_closed(self) -> bool:
        """Whether the order can be neither changed nor cancelled any more, as far as is known."""
        return (
            self.state in (OrderState.CMP, OrderState.CAN) or bool(self.is_delivered) or self.delivered_at is not None
        )


class OrderDetail(NamedTuple):
    """One order whole: `raw` is its JSON text, `seen_at` when the provider was last asked about it, `changed_at` when
    its answer last differed from the one before."""

    line: OrderLine
    raw: str
    seen_at: datetime
    changed_at: datetime


class OrderQuery(NamedTuple):
    """Which orders, in which order.

    `text` is split at blanks; the search text must contain every word, whatever its case or accents. `sort` is one of
    `SORTS`. `list` None is all lists. Every one of `clauses` must hold, and of `either`, if there are any, all clauses
    of at least one group. `today` is the day that lateness is counted to, required if a clause or the sort needs it.

    `raw_fields` are names of `RAW_FIELDS` to be read for each row; they do not change which orders are found.
    """

    profile: str
    list: ListName | None = "open"
    text: str = ""
    sort: str = "number"
    descending: bool = True
    clauses: tuple[Clause, ...] = ()
    either: tuple[tuple[Clause, ...], ...] = ()
    today: date = date.min
    raw_fields: tuple[str, ...] = ()


class Stored(NamedTuple):
    """The result of storing some orders, as counts. `refused` are numbers too large for a key."""

    new: int
    changed: int
    same: int
    refused: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class WindowRow:
    """A window of dates that was asked for. `fetched_at` is None if it never arrived whole; `error` says why the latest
    try failed, None if it did not; `tries` counts the failed ones since it last arrived whole."""

    start: datetime
    end: datetime
    fetched_at: datetime | None
    count: int | None
    error: str | None
    tried_at: datetime | None = None
    tries: int = 0


# By how many days an order is, or was, late; below zero before the due day, NULL without one.
LATE = (
    "iif(state IS 'CAN', NULL, iif(delivered_at IS NULL, CAST(julianday(:today) - julianday(due) AS INTEGER), late_by))"
)

# From the least late one on. Orders that are not late, which show nothing in the column, come after them, the soonest
# due first.
LEAST_LATE_FIRST = f"{LATE} IS NULL, {LATE} <= 0, abs({LATE}), iif({LATE} <= 0, -id, id)"

# Columns that a list can be sorted by → SQL expression. Equal rows are in the order of their numbers. An index is
# made of each, so none may hold a parameter such as `:today`, except that of `late`, which has streams of its own.
SORTS: dict[str, str] = {
    "number": "number",
    **{
        name: f"{name} COLLATE NOCASE"
        for name in ("crn", "consignee_name", "city", "facility_name", "street", "manufacturer", "brand", "bol", "pos")
    },
    **{name: f"{name} COLLATE NOCASE" for name in ("remarks", "carrier", "received_by", "loaded_by", "delivered_by")},
    **{
        name: name
        for name in (
            *("state", "status", "region", "zip", "phone", "facility_id", "delivery_type", "folders"),
            *("imported_at", "estimated_receive", "received_at", "requested_delivery", "scheduled_delivery"),
            *("loaded_at", "delivered_at", "is_received", "is_delivered"),
        )
    },
    "late": LATE,
    **{
        name: f"{unprepared_sort(name)}{' COLLATE NOCASE' if collation(name) == 'NOCASE' else ''}"
        for name in RAW_FIELDS
    },
}

# Columns with an index from the beginning: each costs a little for every order stored. The others get theirs when they
# are first sorted by; the common ones, among them those of the shipped views, after the first fetch.
INDEXED = frozenset({"crn", "imported_at"})
COMMON_SORTS = ("scheduled_delivery", "delivered_at", "late", "requested_delivery", "consignee_name", "state")

_MOMENTS = frozenset(
    (
        *("imported_at", "requested_delivery", "scheduled_delivery", "delivered_at", "received_at"),
        *("estimated_receive", "loaded_at"),
    )
)
_FLAGS = frozenset(("is_received", "is_delivered"))
_OWN = ("list", "changed", "raw_fields")  # not columns of the table of orders
LINE_COLUMNS = ", ".join(name for name in OrderLine._fields if name not in _OWN)
_LIST = OrderLine._fields.index("list")
_COLUMNS = len(OrderLine._fields) - len(_OWN)
_READ: tuple[tuple[int, Callable[[Any], Any]], ...] = tuple(
    (place, datetime.fromisoformat if name in _MOMENTS else bool)
    for place, name in enumerate(OrderLine._fields)
    if name in _MOMENTS or name in _FLAGS
)


def order_line(values: tuple[Any, ...]) -> OrderLine:
    """A row from the values of `LINE_COLUMNS`, the list's name and, if selected, the change marks."""
    line = [*values[:_LIST], values[_COLUMNS], *values[_LIST:_COLUMNS], *values[_COLUMNS + 1 :]]
    for place, read in _READ:
        if line[place] is not None:
            line[place] = read(line[place])
    return OrderLine(*line)


def window_row(values: tuple[Any, ...]) -> WindowRow:
    """A window from the columns of `WindowRow`, in that order."""
    start, end, fetched, count, error, tried, tries = values
    first, last = datetime.fromisoformat(start), datetime.fromisoformat(end)
    return WindowRow(first, last, from_text(fetched), count, error, from_text(tried), tries)

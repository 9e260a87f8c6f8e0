"""Saved views of orders: a filter as it is typed, a sort column, and the columns shown.

The names of the shipped views are also their keys in what is saved, so they are not translated.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from app.desk.connections.saved_views import Kind, SavedView
from app.store.cache.order_rows import SORTS


@dataclass(frozen=True, slots=True)
class View(SavedView):
    """A saved view of orders. `columns` are column names in their order; none means the default ones."""

    filter: str
    sort: str = "imported_at"
    descending: bool = True
    columns: tuple[str, ...] = ()


# Who is wrong with what, and whom to call.
_TROUBLED = (
    *("state", "crn", "why", "late", "consignee_name", "city", "phone", "facility_name"),
    *("requested_delivery", "scheduled_delivery", "number"),
)
# What is driven today: where to, and whom to call there.
_DUE = (
    *("state", "crn", "consignee_name", "scheduled_delivery", "city", "region", "phone", "facility_name"),
    *("delivery_type", "street", "zip", "loaded_at", "requested_delivery", "number"),
)
# Who delivered it, to be asked for the missing document.
_WITHOUT_PROOF = (
    *("state", "crn", "consignee_name", "delivered_at", "delivered_by", "folders", "facility_name", "carrier"),
    *("city", "phone", "number"),
)
_WATCHED = (
    *("state", "crn", "list", "why", "consignee_name", "scheduled_delivery", "requested_delivery", "delivered_at"),
    *("city", "phone", "facility_name", "number"),
)
SHIPPED: tuple[View, ...] = (
    View("Open", "list:open"),
    View("Completed", "list:completed", "delivered_at"),
    View("Due today", "list:open due:today", "scheduled_delivery", descending=False, columns=_DUE),
    View("Late", "list:open late", "late", columns=_TROUBLED),
    View("Needs attention", "is:attention", "imported_at", descending=False, columns=_TROUBLED),
    View("Completed without POD", "list:completed -has:pod", "delivered_at", columns=_WITHOUT_PROOF),
    View("Watched", "watched", columns=_WATCHED),
)


def _read(name: str, record: Mapping[str, object]) -> View | None:
    typed, sort, columns = (record.get(each) for each in ("filter", "sort", "columns"))
    if not isinstance(typed, str):
        return None
    return View(
        name,
        typed,
        sort if isinstance(sort, str) and sort in SORTS else "imported_at",
        record.get("descending") is not False,
        tuple(str(each) for each in columns) if isinstance(columns, list) else (),
    )


ORDERS = Kind("views", SHIPPED, _read)

"""Every operation of both services as data: the provider's listing, row by row.

Source: services.md, "Endpoints" and "Errors". The practice service routes by this table and publishes it as its
description; tests compare every request of the client with it. No pydantic, so that any module may import the table.
"""

import re
from dataclasses import dataclass
from typing import Literal

from app.contract.codes import (
    MANAGEMENT_SCOPES,
    SCOPE_INFO_AUDITS,
    SCOPE_INFO_ORDERS,
    SCOPE_INTEGRATION,
    SCOPE_ORDERS,
    SCOPE_QUOTES,
)

JSON_ONLY: tuple[str, ...] = ("application/json",)
ALL_FORMATS: tuple[str, ...] = (
    "application/json",
    "text/json",
    "application/*+json",
    "application/xml",
    "text/xml",
    "application/*+xml",
)
REPLY_FORMATS: tuple[str, ...] = ("text/plain", "application/json", "text/json", "application/xml", "text/xml")

Place = Literal["query", "path"]
Kind = Literal["string", "integer", "boolean", "date", "datetime", "object"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an operation; those of the path are required, all others optional."""

    name: str
    kind: Kind = "string"
    place: Place = "query"


@dataclass(frozen=True, slots=True)
class Operation:
    """One row of the listing.

    `path` begins after the service's prefix. Any one of `scopes` is enough. `body` and `returns` name the record in the
    listing's words, empty for none. `problems` are the error statuses that the operation lists.
    """

    name: str
    service: Literal["management", "information"]
    method: Literal["GET", "POST"]
    path: str
    scopes: tuple[str, ...]
    parameters: tuple[Parameter, ...] = ()
    body: str = ""
    formats: tuple[str, ...] = JSON_ONLY
    success: int = 200
    returns: str = ""
    returns_list: bool = False
    problems: tuple[int, ...] = (400, 401, 403)

    @property
    def record(self) -> str:
        """The record of its body as one name, for the outermost element of its XML: "OrderSubmissionRequest"."""
        return "".join(word[:1].upper() + word[1:] for word in _NO_NAME.split(self.body))

    @property
    def takes_xml(self) -> bool:
        """Whether its body may be XML: the operations that services.md marks X."""
        return self.formats == ALL_FORMATS

    @property
    def writes(self) -> bool:
        """Whether a call may change something at the provider."""
        return self.method == "POST" and self.name not in _READS_BY_POST


_NO_NAME = re.compile(r"[^0-9A-Za-z]+")
# Both look slots up and change nothing, although they are POSTs.
_READS_BY_POST = frozenset({"partner_a_get_slot", "partner_b_get_slot"})
_CHECKED_ONLY = (401, 403)


def _management(
    name: str, method: Literal["GET", "POST"], path: str, scopes: tuple[str, ...] = (SCOPE_ORDERS,), **rest: object
) -> Operation:
    return Operation(name, "management", method, path, scopes, **rest)  # type: ignore[arg-type]


def _information(
    name: str, path: str, scope: str, returns: str, *parameters: Parameter, returns_list: bool = False
) -> Operation:
    problems = (400, 401, 403, 404)
    return Operation(
        name, "information", "GET", path, (scope,), parameters, "", (), 200, returns, returns_list, problems
    )


def _query(*names: str) -> tuple[Parameter, ...]:
    return tuple(Parameter(name) for name in names)


_LIST_PARAMETERS = (
    Parameter("IncludePOs", "boolean"),
    Parameter("IncludeCommodities", "boolean"),
    Parameter("IncludeNotes", "boolean"),
    Parameter("IncludePOD", "boolean"),
    Parameter("StartDate", "datetime"),
    Parameter("EndDate", "datetime"),
)

OPERATIONS: tuple[Operation, ...] = (
    _management(
        "order_submit",
        "POST",
        "/Order/submit",
        body="order submission request",
        formats=ALL_FORMATS,
        returns="submission result",
    ),
    _management(
        "order_cancel",
        "POST",
        "/Order/cancel",
        body="cancellation request",
        formats=ALL_FORMATS,
        returns="cancellation result",
    ),
    _management(
        "order_status",
        "GET",
        "/Order/status",
        parameters=(Parameter("SystemNumber", "integer"), *_query("OrderReferenceNumber", "BillToCode")),
        returns="order status record",
    ),
    _management("order_test", "GET", "/Order/test", problems=_CHECKED_ONLY),
    _management(
        "quote_submit",
        "POST",
        "/Quote/submit",
        (SCOPE_QUOTES,),
        body="quote submission request",
        formats=ALL_FORMATS,
        returns="quote submission result",
    ),
    _management("quote_test", "GET", "/Quote/test", (SCOPE_QUOTES,), problems=_CHECKED_ONLY),
    _management(
        "truck_submit",
        "POST",
        # services.md does not show this scope, so any scope of the service is enough (notes.md, "Readings").
        "/Truck/submit",
        MANAGEMENT_SCOPES,
        body="truck submission request",
        formats=ALL_FORMATS,
        returns="truck submission result",
    ),
    _management(
        "facilities",
        "GET",
        "/Facilities",
        parameters=_query("ZipCode", "BillToCode"),
        returns="facility record",
        returns_list=True,
    ),
    _management(
        "import_orders",
        "POST",
        "/Integration/importOrders",
        (SCOPE_INTEGRATION,),
        body="import request",
        formats=ALL_FORMATS,
        returns="import result",
    ),
    _management(
        "cross_reference",
        "GET",
        "/Integration/crossReference",
        (SCOPE_INTEGRATION,),
        parameters=_query("GroupFilter", "KeyFilter"),
        returns="cross reference record",
        returns_list=True,
    ),
    _management(
        "stock_item_config",
        "GET",
        "/Integration/stockItemConfig",
        (SCOPE_INTEGRATION,),
        parameters=_query(
            "BillToFilter", "ManufacturerCodeFilter", "ModelNumberFilter", "CustomerModelNumberFilter", "SkuFilter"
        ),
        returns="stock item configuration record",
        returns_list=True,
    ),
    _management(
        "partner_a_order_event",
        "POST",
        "/PartnerA/orderEvent",
        body="order event request",
        returns="order event result",
    ),
    _management(
        "partner_a_cancel",
        "POST",
        "/PartnerA/cancel",
        body="partner order cancellation request",
        returns="cancellation result",
    ),
    _management(
        "partner_a_get_slot", "POST", "/PartnerA/getSlot", body="slot lookup request", returns="slot lookup result"
    ),
    _management(
        "partner_a_reserve_slot",
        "POST",
        "/PartnerA/reserveSlot",
        body="slot reservation request",
        returns="reservation result",
    ),
    _management(
        "partner_b_order_event",
        "POST",
        "/PartnerB/orderEvent",
        body="order event request",
        returns="order event result",
    ),
    _management(
        "partner_b_get_slot", "POST", "/PartnerB/getSlot", body="slot lookup request", returns="slot lookup result"
    ),
    _management(
        "partner_b_order_submit",
        "POST",
        "/PartnerB/orderSubmit",
        body="order submission request",
        returns="slot lookup result",
    ),
    _management(
        "partner_c_open_orders",
        "GET",
        "/PartnerC/openorders",
        parameters=_query("ProviderFacilityCode"),
        returns="open order record",
        returns_list=True,
    ),
    _management(
        "partner_c_facilities",
        "GET",
        "/PartnerC/facilities",
        parameters=(Parameter("request", "object"),),
        returns="facility-with-open-orders record",
        returns_list=True,
    ),
    _management(
        "third_party_logistics",
        "POST",
        "/ThirdPartyLogistics",
        body="open object",
        success=202,
        problems=(400, 401, 403, 500),
    ),
    _management("third_party_logistics_health", "GET", "/ThirdPartyLogistics/health", problems=_CHECKED_ONLY),
    _information(
        "order",
        "/orders/{OrderNumber}",
        SCOPE_INFO_ORDERS,
        "order",
        Parameter("OrderNumber", "integer", "path"),
    ),
    _information("open_orders", "/orders/open", SCOPE_INFO_ORDERS, "order", *_LIST_PARAMETERS, returns_list=True),
    _information(
        "completed_orders", "/orders/completed", SCOPE_INFO_ORDERS, "order", *_LIST_PARAMETERS, returns_list=True
    ),
    _information(
        "audits",
        "/audit",
        SCOPE_INFO_AUDITS,
        "audit",
        Parameter("StartDate", "date"),
        Parameter("EndDate", "date"),
        returns_list=True,
    ),
    _information(
        "audit",
        "/audit/{AuditId}",
        SCOPE_INFO_AUDITS,
        "audit detail",
        Parameter("AuditId", "integer", "path"),
        returns_list=True,
    ),
    _information(
        "audit_image",
        "/download/audit/{Filename}",
        SCOPE_INFO_AUDITS,
        "raw image file",
        Parameter("Filename", "string", "path"),
    ),
    _information(
        "overage_by_path",
        "/overage/{LoadId}",
        SCOPE_INFO_ORDERS,
        "overage item",
        Parameter("LoadId", "string", "path"),
        returns_list=True,
    ),
    _information("overage", "/overage", SCOPE_INFO_ORDERS, "overage item", Parameter("LoadId"), returns_list=True),
)

OPERATIONS_BY_NAME: dict[str, Operation] = {each.name: each for each in OPERATIONS}

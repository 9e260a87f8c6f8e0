"""How the information service writes, by the switches that are on."""

from collections.abc import Callable
from typing import Any

from app.practice.operation_answers import Record
from app.practice.running_service import RunningService
from app.practice.switches import SWITCHES
from app.practice.world import seconds
from app.practice.world.record import Style

_ORDER_FIELDS = (
    "OrderNumber",
    "CRN",
    "PO",
    "BOL",
    "Consignee",
    "Carrier",
    "Manufacturer",
    "Facility",
    "DeliveryType",
    "DateImported",
    "DateEstimatedReceive",
    "DateReceived",
    "ReceivedById",
    "DateRequestedDelivery",
    "DateScheduledDelivery",
    "DateLoaded",
    "LoadedById",
    "DateActualDelivery",
    "DeliveredBy",
    "Brand",
    "Remarks",
    "Notes",
    "Commodities",
    "ProofOfDelivery",
    "StatusId",
    "Status",
    "IsReceived",
    "IsDelivered",
)
# The records of services.md, "Order information service objects": their fields, and which of them stand within which.
_FIELDS: dict[str, tuple[str, ...]] = {
    "Order": _ORDER_FIELDS,
    "Contact": ("Id", "Name", "Phone", "Email", "Address"),
    "Address": ("StreetAddress1", "StreetAddress2", "StreetAddress3", "City", "State", "ZipCode"),
    "Note": ("Text", "CreatedDate"),
    "Commodity": ("CommodityCode", "Description", "Count"),
    "Proof of Delivery": ("Filename", "Url", "CreatedDate", "Folder"),
    "Audit": ("auditId", "auditFacility", "auditType", "auditVendor", "auditScore", "auditDate"),
    "Audit detail": (
        *("auditId", "auditType", "auditorName", "auditorEmail", "orderNumber", "cmpAWCDomicle", "auditDate"),
        *("auditScore", "detailName", "detailDescription", "detailValue", "imageUrl"),
    ),
}
_WITHIN = {
    **dict.fromkeys(("Consignee", "Carrier", "Manufacturer", "Facility"), "Contact"),
    "Address": "Address",
    "Notes": "Note",
    "Commodities": "Commodity",
    "ProofOfDelivery": "Proof of Delivery",
}
_UNKNOWN: Record = {"RouteCode": "R7", "Dimensions": {"Unit": "in", "Sides": [1, 2.5, None]}, "Flags": []}


def style_of(service: RunningService) -> Style:
    """The style of order records."""
    switches = service.switches
    return Style(
        moment=moment_of_switches(service),
        paper_url=_address(service, "/download/order/", "pod", "absolute"),
        crn_is_reference=not switches.on("crn-other"),
        purchase_order_objects=switches.on("po-object"),
    )


def moment_of_switches(service: RunningService) -> Callable[[int], str]:
    """How a moment is written."""
    if service.switches.on("dates-zulu"):
        return seconds.zulu
    if service.switches.on("dates-offset"):
        return seconds.with_offset
    return seconds.with_fraction if service.switches.on("dates-fraction") else seconds.plain


def image_address(service: RunningService) -> Callable[[str], str]:
    """How the address of an audit's photo is written."""
    return _address(service, "/download/audit/", "image", "rooted")


def _address(service: RunningService, folder: str, switch: str, ours: str) -> Callable[[str], str]:
    """A function from file name to address, in the form that a switch asks for, else in ours."""
    heads = {
        "absolute": f"{service.info_base_url}{folder}",
        "rooted": f"/OrderInformationApi{folder}",
        "foreign": f"{service.foreign}{folder}",
        "bare": "",
    }
    others = (form for form in heads if f"{switch}-{form}" in SWITCHES and service.switches.on(f"{switch}-{form}"))
    head = heads[next(others, ours)]
    return lambda filename: head + filename


def finish(service: RunningService, record: Record, name: str = "Order") -> Record:
    """A record of the information service with what the switches add to it and to the records within."""
    switches = service.switches
    # The usual case first: a list asks this for each of its orders.
    if not (switches.values and (switches.on("nulls") or switches.on("unknown-fields"))):
        return record
    return _finished(record, name, nulls=switches.on("nulls"), unknown=switches.on("unknown-fields"))


def _finished(record: Record, name: str, *, nulls: bool, unknown: bool) -> Record:
    """A copy of the record with these switches applied: orders share the records of companies."""

    def within(field: str, value: Any) -> Any:
        if isinstance(value, list):
            return [within(field, each) for each in value]
        kind = _WITHIN.get(field)
        return _finished(value, kind, nulls=nulls, unknown=unknown) if kind and isinstance(value, dict) else value

    made = {field: within(field, value) for field, value in record.items()}
    if nulls:
        made |= {field: None for field in _FIELDS[name] if field not in made}
    return made | _UNKNOWN if unknown else made

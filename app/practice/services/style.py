"""How the information service writes, by the switches that are on."""

from collections.abc import Callable
from typing import Any

from app.practice.answers import Record
from app.practice.office import Office
from app.practice.switches import SWITCHES
from app.practice.world import moments
from app.practice.world.record import Style

_ORDER_FIELDS = (
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
)


def style_of(office: Office) -> Style:
    """The style of order records."""
    switches = office.switches
    return Style(
        moment=moment_of_switches(office),
        paper_url=_address(office, "/download/order/", "pod", "absolute"),
        crn_is_reference=not switches.on("crn-other"),
        purchase_order_objects=switches.on("po-object"),
    )


def moment_of_switches(office: Office) -> Callable[[int], str]:
    """How a moment is written."""
    if office.switches.on("dates-zulu"):
        return moments.zulu
    if office.switches.on("dates-offset"):
        return moments.with_offset
    return moments.with_fraction if office.switches.on("dates-fraction") else moments.plain


def image_address(office: Office) -> Callable[[str], str]:
    """How the address of an audit's photo is written."""
    return _address(office, "/download/audit/", "image", "rooted")


def _address(office: Office, folder: str, switch: str, ours: str) -> Callable[[str], str]:
    """A function from file name to address, in the form that a switch asks for, else in ours."""
    heads = {
        "absolute": f"{office.info_base_url}{folder}",
        "rooted": f"/OrderInformationApi{folder}",
        "foreign": f"{office.foreign}{folder}",
        "bare": "",
    }
    others = (form for form in heads if f"{switch}-{form}" in SWITCHES and office.switches.on(f"{switch}-{form}"))
    head = heads[next(others, ours)]
    return lambda filename: head + filename


def finish(office: Office, record: Record) -> Record:
    """An order record with what the switches add to it."""
    switches = office.switches
    if not switches.values:
        return record
    if switches.on("nulls"):
        record = record | {name: None for name in _ORDER_FIELDS if name not in record}
    if switches.on("unknown-fields"):
        extra: dict[str, Any] = {"RouteCode": "R7", "Dimensions": {"Unit": "in", "Sides": [1, 2.5, None]}, "Flags": []}
        record = record | extra
    return record

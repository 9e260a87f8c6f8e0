"""The facts of an order that a client submitted, from the body that is kept of it."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from app.practice.world import cast, name_tables
from app.practice.world.dice import Roll
from app.practice.world.made_orders import Facts, bill_of_lading, load_of
from app.practice.world.seconds import seconds_of

Body = Mapping[str, Any]


def submitted_facts(thrown: Roll, number: int, facility: str, body: Body) -> Facts:
    """The facts of a submitted order in the information service: no volume, no weight, no barcodes (notes.md)."""
    maker = name_tables.maker_by_code().get(body.get("manufacturerCode") or "")
    po_number = body.get("poNumber")
    return Facts(
        consignee=_consignee(body["consignee"]),
        maker=cast.maker_contact(body["manufacturerCode"]) if body.get("manufacturerCode") else None,
        brand=maker.brand if maker else None,
        facility=cast.facility_contact(facility) if facility else None,
        carrier=cast.carrier_contact(thrown[0]),
        delivery_type=body.get("deliveryType"),
        purchase_orders=[po_number] if po_number else [],
        bol=_other_reference(body, "BOL") or bill_of_lading(thrown),
        remarks=body.get("deliveryInstructions"),
        commodities=[_commodity(line) for line in body["freightDetails"]],
        load=receiving_load(body) or load_of(number),
    )


def receiving_load(body: Body) -> str:
    """The inbound load that the client named, empty for none."""
    barcoding = body.get("barcoding") or {}
    return barcoding.get("receivingLoadNumber") or ""


def facility_of(body: Body) -> str:
    """The code of the facility that delivers: the named facility, or the facility of the consignee's ZIP code."""
    if not body["useConsigneeAddressToDetermineFaclityCode"]:
        return str(body["providerFacilityCode"])
    facility = name_tables.facility_for_zip(body["consignee"]["zip"])
    return facility.code if facility else ""


def given_date(body: Body, name: str) -> int | None:
    """A date of the body as seconds, None where it is not given."""
    text = body.get(name)
    return seconds_of(datetime.combine(date.fromisoformat(text), datetime.min.time())) if text else None


def _consignee(sent: Body) -> cast.Contact:
    address = {"StreetAddress1": sent["streetAddress"]}
    if sent.get("streetAddress2"):
        address["StreetAddress2"] = sent["streetAddress2"]
    address.update(City=sent["city"], State=sent["state"], ZipCode=sent["zip"])
    contact: cast.Contact = {"Name": sent["consigneeName"], "Phone": sent["phone1"]}
    if sent.get("email"):
        contact["Email"] = sent["email"]
    contact["Address"] = address
    return contact


def _commodity(line: Body) -> dict[str, Any]:
    known = name_tables.goods_by_code().get(line["commodity"])
    row: dict[str, Any] = {"CommodityCode": line["commodity"]}
    if known:
        row["Description"] = known.description
    row["Count"] = line["count"]
    return row


def _other_reference(body: Body, kind: str) -> str | None:
    for each in body.get("otherReferenceNumbers") or ():
        if each["type"].upper() == kind:
            return str(each["value"])
    return None

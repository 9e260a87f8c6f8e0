"""What sending a payload would change of the order that the provider returns."""

import json

from app.contract.information import Order
from app.contract.submission import wire_bytes
from app.desk.sending.payload_differences import replaced
from tests.support.desks import submission

SHOWN = {
    "OrderNumber": 5,
    "CRN": "R-1",
    "Consignee": {"Name": "Dana Whitfield"},
    "Facility": {"Id": "MEM01"},
    "DateRequestedDelivery": "2026-12-08T00:00:00",
}


def changed(**fields: object) -> dict[str, tuple[str, str]]:
    """The changes by path, of an order whose facility is found by its address, with these fields of the payload."""
    payload = json.loads(wire_bytes(submission("R-1", "J. Rivera")))
    payload.pop("providerFacilityCode", None)
    sent = payload | {"useConsigneeAddressToDetermineFaclityCode": True} | fields
    found = replaced(json.dumps(sent).encode(), Order.model_validate(SHOWN))
    return {each.path: (each.before, each.after) for each in found}


def test_a_facility_that_the_provider_found_by_the_address_is_no_change() -> None:
    assert "providerFacilityCode" not in changed()


def test_other_fields_and_a_facility_that_is_named_are() -> None:
    assert changed()["consignee.consigneeName"] == ("Dana Whitfield", "J. Rivera")
    assert changed()["requestedDeliveryDate"] == ("2026-12-08", "")
    named = changed(useConsigneeAddressToDetermineFaclityCode=False, providerFacilityCode="BOS02")
    assert named["providerFacilityCode"] == ("MEM01", "BOS02")
    assert changed(useConsigneeAddressToDetermineFaclityCode=False)["providerFacilityCode"] == ("MEM01", "")

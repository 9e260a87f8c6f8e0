"""The operations without a shown shape, and the look-ups: bodies are kept and can be read back."""

from typing import Any

import pytest

from app.contract.operations import OPERATIONS
from tests.practice.conftest import Submit, fresh_reference, order
from tests.support.practice_calls import MANAGEMENT, Caller

OPEN_BODIES = [
    "/Quote/submit",
    "/Truck/submit",
    "/PartnerA/orderEvent",
    "/PartnerA/getSlot",
    "/PartnerA/reserveSlot",
    "/PartnerB/orderEvent",
    "/PartnerB/getSlot",
    "/Integration/importOrders",
    "/ThirdPartyLogistics",
]
Record = dict[str, Any]


def post(caller: Caller, path: str, body: object, status: int = 200) -> Any:
    reply = caller.post(MANAGEMENT + path, body)
    assert reply.status == status, reply.body
    return reply.json() if reply.body else None


def get(caller: Caller, path: str, **query: object) -> list[Record]:
    reply = caller.get(MANAGEMENT + path, None, **query)
    assert reply.status == 200, reply.body
    rows: list[Record] = reply.json()
    return rows


@pytest.mark.parametrize("path", OPEN_BODIES)
def test_any_object_is_taken_and_nothing_else(owner: Caller, path: str) -> None:
    taken = 202 if path == "/ThirdPartyLogistics" else 200
    for body in ({}, {"anything": [1, None, {"deep": True}], "": "x", "orderReferenceNumber": 5}):
        reply = owner.post(MANAGEMENT + path, body)
        assert reply.status == taken
        assert (reply.body == b"") == (taken == 202)
    for wrong in (b"7", b'"text"', b"null", b"{"):
        assert owner.post(MANAGEMENT + path, wrong).status == 400


@pytest.mark.parametrize("path", [*OPEN_BODIES, "/PartnerA/cancel"])
def test_what_was_sent_is_kept_as_it_came(owner: Caller, path: str) -> None:
    [operation] = [each.name for each in OPERATIONS if each.path == path]
    body = {"mark": path, "list": [1, 2.5, None, {"é": True}]}
    owner.post(MANAGEMENT + path, body)
    kept = owner.get(owner.facts["control_url"] + "records", operation=operation).json()
    assert kept[-1]["body"] == body


def test_quotes_and_trucks_are_numbered(owner: Caller) -> None:
    for path, name in (("/Quote/submit", "quoteNumber"), ("/Truck/submit", "truckNumber")):
        numbers = {post(owner, path, {"weight": 1})[name] for _ in range(3)}
        assert len(numbers) == 3


def test_an_event_names_its_order(owner: Caller) -> None:
    for path in ("/PartnerA/orderEvent", "/PartnerB/orderEvent"):
        assert post(owner, path, {"OrderReferenceNumber": "E-1", "event": "x"})["orderReferenceNumber"] == "E-1"


def test_a_partner_cancels_an_order(owner: Caller, submit: Submit) -> None:
    reference = fresh_reference()
    submit(orderReferenceNumber=reference)
    assert post(owner, "/PartnerA/cancel", {"orderReferenceNumber": reference, "why": "x"})["status"] == "Cancelled"
    post(owner, "/PartnerA/cancel", {"orderReferenceNumber": reference}, 404)
    post(owner, "/PartnerA/cancel", {}, 400)


def test_a_reservation_uses_a_place_up(owner: Caller) -> None:
    def places() -> dict[str, int]:
        found = post(owner, "/PartnerA/getSlot", {"zip": "98101"})
        assert found["providerFacilityCode"] == "SEA01"
        return {each["slotId"]: each["remaining"] for each in found["slots"]}

    before = places()
    slot = next(name for name, left in before.items() if left > 1)
    for taken in range(1, before[slot] + 1):
        assert post(owner, "/PartnerA/reserveSlot", {"slotId": slot})["reserved"] is True
        assert places().get(slot, 0) == before[slot] - taken
    full = post(owner, "/PartnerA/reserveSlot", {"slotId": slot})
    assert (full["reserved"], "reservationId" in full) == (False, False)


def test_a_partner_submits_an_order_and_is_told_the_slots(owner: Caller) -> None:
    body = order()
    found = post(owner, "/PartnerB/orderSubmit", body)
    assert found == post(owner, "/PartnerB/getSlot", {"consignee": {"zip": "98101"}})
    [kept] = owner.behind_the_counter(body["orderReferenceNumber"])
    assert kept["body"] == body
    post(owner, "/PartnerB/orderSubmit", body | {"freightDetails": []}, 400)


def test_an_import_submits_each_order_and_says_what_became_of_it(owner: Caller) -> None:
    good, bad = order(), order(freightDetails=[])
    for body in ({"orders": [good, bad, "no order"]}, [good, bad], good | {}):
        found = post(owner, "/Integration/importOrders", body)
        assert found["results"][0]["accepted"] is True
        assert found["received"] == len(found["results"])
        if found["received"] > 1:
            assert (found["accepted"], found["results"][1]["accepted"]) == (1, False)
            assert found["results"][1]["errors"]
    assert len(owner.behind_the_counter(good["orderReferenceNumber"])) == 1
    assert owner.behind_the_counter(bad["orderReferenceNumber"]) == []


def test_the_facility_that_serves_a_zip_code(caller: Caller) -> None:
    everywhere = get(caller, "/Facilities")
    assert len(everywhere) > 20
    assert all(set(each) >= {"providerFacilityCode", "name", "city", "state", "zip"} for each in everywhere)
    for zip_code, code in (("38103", "MEM01"), ("98101-1234", "SEA01"), ("02108", "BOS01"), ("96813", "ONT01")):
        assert [each["providerFacilityCode"] for each in get(caller, "/Facilities", ZipCode=zip_code)] == [code]
    assert get(caller, "/Facilities", zipcode="K1A 0B1") == []


def test_the_facilities_that_a_bill_to_uses(caller: Caller, other: Caller) -> None:
    used = {each["providerFacilityCode"] for each in get(caller, "/Facilities", BillToCode="WB1001")}
    assert 0 < len(used) < len(get(caller, "/Facilities"))
    assert get(caller, "/Facilities", BillToCode="nobody") == []
    assert get(other, "/Facilities", BillToCode="WB1001") == []
    for code in used:
        [place] = [each for each in get(caller, "/Facilities") if each["providerFacilityCode"] == code]
        assert get(caller, "/Facilities", ZipCode=place["zip"], BillToCode="WB1001") == [place]


def test_cross_references_are_filtered_by_group_and_key(caller: Caller, other: Caller) -> None:
    path = "/Integration/crossReference"
    rows = get(caller, path)
    assert {each["group"] for each in rows} == {"FACILITY", "COMMODITY", "MANUFACTURER", "BILLTO"}
    assert get(caller, path, GroupFilter="commodity", KeyFilter="sofa") == [
        {"group": "COMMODITY", "key": "SOFA", "value": "Sofa, three seats"}
    ]
    assert get(caller, path, GroupFilter="BILLTO") != get(other, path, GroupFilter="BILLTO")


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("BillToFilter", "billToCode"),
        ("ManufacturerCodeFilter", "manufacturerCode"),
        ("ModelNumberFilter", "modelNumber"),
        ("CustomerModelNumberFilter", "customerModelNumber"),
        ("SkuFilter", "sku"),
    ],
)
def test_stock_items_are_filtered_by_each_field(caller: Caller, query: str, field: str) -> None:
    path = "/Integration/stockItemConfig"
    rows = get(caller, path)
    wanted = rows[7][field]
    found = get(caller, path, **{query: wanted.lower()})
    assert found == [each for each in rows if wanted in each[field]]
    assert 0 < len(found) < len(rows)


def test_open_orders_for_a_partner(owner: Caller, submit: Submit) -> None:
    reference = fresh_reference()
    number = submit(orderReferenceNumber=reference)
    rows = get(owner, "/PartnerC/openorders")
    [row] = [each for each in rows if each["systemNumber"] == number]
    assert (row["orderReferenceNumber"], row["providerFacilityCode"]) == (reference, "SEA01")
    here = get(owner, "/PartnerC/openorders", ProviderFacilityCode="sea01")
    assert here == [each for each in rows if each["providerFacilityCode"] == "SEA01"]
    assert 0 < len(here) < len(rows)


def test_the_facilities_with_open_orders(owner: Caller) -> None:
    rows = get(owner, "/PartnerC/openorders")
    found = get(owner, "/PartnerC/facilities")
    assert sum(each["openOrders"] for each in found) == len(rows)
    one = get(owner, "/PartnerC/facilities", request='{"providerFacilityCode": "SEA01"}')
    assert [each["providerFacilityCode"] for each in one] == ["SEA01"]
    assert get(owner, "/PartnerC/facilities", request="{}") == found
    for wrong in ("SEA01", "[1]", "{"):
        assert owner.get(f"{MANAGEMENT}/PartnerC/facilities", request=wrong).status == 400

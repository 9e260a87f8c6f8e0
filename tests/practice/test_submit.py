"""The rules of an order submission in services.md's tables, one breach at a time, over the wire."""

import copy
from typing import Any

import pytest

from tests.practice.conftest import Body, order
from tests.support.practice_calls import MANAGEMENT, Caller

SUBMIT = f"{MANAGEMENT}/Order/submit"
MISSING = object()
REQUIRED = (
    "orderReferenceNumber",
    "useConsigneeAddressToDetermineFaclityCode",
    "consignee",
    "freightDetails",
    "consignee.consigneeName",
    "consignee.streetAddress",
    "consignee.city",
    "consignee.state",
    "consignee.zip",
    "consignee.phone1",
    "freightDetails[0].commodity",
    "freightDetails[0].count",
    "freightDetails[0].volume",
    "barcoding.receivingLoadNumber",
    "barcoding.barcodeItemDetails[0].commodity",
    "barcoding.barcodeItemDetails[0].barcode",
    "barcoding.barcodeItemDetails[0].count",
    "otherReferenceNumbers[0].type",
    "otherReferenceNumbers[0].value",
)
LONGEST = {
    "orderReferenceNumber": 30,
    "poNumber": 30,
    "providerFacilityCode": 6,
    "consignee.consigneeName": 100,
    "consignee.streetAddress": 100,
    "consignee.streetAddress2": 100,
    "consignee.city": 18,
    "consignee.state": 2,
    "consignee.zip": 10,
    "consignee.phone1": 20,
    "consignee.phone2": 20,
    "consignee.email": 30,
    "intermediateConsignee": 30,
    "barcoding.receivingLoadNumber": 50,
    "barcoding.barcodeItemDetails[0].barcode": 50,
    "barcoding.barcodeItemDetails[0].description": 80,
    "barcoding.barcodeItemDetails[0].groupBarcode": 50,
    "deliveryInstructions": 254,
}
WRONG: list[tuple[str, object]] = [
    ("freightDetails[0].count", 0),
    ("freightDetails[0].count", -1),
    ("freightDetails[0].count", "many"),
    ("freightDetails[0].volume", -0.5),
    ("freightDetails[0].volume", [1]),
    ("freightDetails[0].weight", -1),
    ("barcoding.barcodeItemDetails[0].count", 0),
    ("barcoding.barcodeItemDetails[0].commodity", "RUG912"),
    ("barcoding.barcodeItemDetails[1].barcode", "00010001"),
    ("deliveryType", "home"),
    ("deliveryType", "DOCK"),
    ("shipDate", "2030-02-30"),
    ("estimatedReceiveDate", "03/06/2030"),
    ("requestedDeliveryDate", "2030-03-11T00:00:00"),
    ("useConsigneeAddressToDetermineFaclityCode", "perhaps"),
    ("useConsigneeAddressToDetermineFaclityCode", 1),
    ("consignee", "somebody"),
    ("consignee", []),
    ("freightDetails", {}),
    ("freightDetails[0]", "a sofa"),
    ("barcoding", 3),
    ("barcoding.barcodeItemDetails", "0001"),
    ("orderReferenceNumber", 7),
    ("poNumber", {"number": 1}),
    ("useConsigneeAddressToDetermineFacilityCode", True),
    ("consignee.fax", "1"),
    ("freightDetails[0].length", 3),
    ("barcoding.barcodeItemDetails[0].weight", 3),
    ("otherReferenceNumbers[0].note", "x"),
]


def changed(body: Body, path: str, value: object) -> Body:
    """A copy with the value at a path replaced, or taken away."""
    body = copy.deepcopy(body)
    keys: list[Any] = [int(key) if key.isdigit() else key for key in path.replace("[", ".").replace("]", "").split(".")]
    place: Any = body
    for key in keys[:-1]:
        place = place[key]
    if value is MISSING:
        del place[keys[-1]]
    else:
        place[keys[-1]] = value
    return body


def refusal(caller: Caller, body: object) -> dict[str, list[str]]:
    """The errors of a refused submission, by path."""
    reply = caller.post(SUBMIT, body)
    assert (reply.status, reply.kind) == (400, "application/problem+json"), reply.body
    record = reply.json()
    assert record["status"] == 400
    assert record["title"]
    errors: dict[str, list[str]] = record["errors"]
    return errors


@pytest.mark.parametrize("name", ["order_full.json", "order_least.json"])
def test_a_good_order_is_taken(caller: Caller, name: str) -> None:
    body = order(name)
    reply = caller.post(SUBMIT, body)
    assert reply.status == 200
    record = reply.json()
    assert record.keys() == {"orderReferenceNumber", "systemNumber", "status"}
    assert record["orderReferenceNumber"] == body["orderReferenceNumber"]
    assert record["status"] == "In Import Queue"
    [kept] = caller.behind_the_counter(body["orderReferenceNumber"])
    assert kept["body"] == body


@pytest.mark.parametrize("path", REQUIRED)
def test_what_is_required_is_required(caller: Caller, path: str) -> None:
    body = changed(order("order_full.json"), path, MISSING)
    assert any(each == path or each.startswith(f"{path}.") for each in refusal(caller, body))


@pytest.mark.parametrize("path", [path for path in REQUIRED if path not in {"consignee", "freightDetails"}])
@pytest.mark.parametrize("nothing", [None, "", "   "])
def test_nothing_is_not_enough(caller: Caller, path: str, nothing: str | None) -> None:
    assert path in refusal(caller, changed(order("order_full.json"), path, nothing))


@pytest.mark.parametrize("path", LONGEST)
def test_a_text_is_taken_to_its_limit_and_no_further(caller: Caller, path: str) -> None:
    full, limit = order("order_full.json"), LONGEST[path]
    text = (full["orderReferenceNumber"] + "é" * limit)[:limit]
    assert caller.post(SUBMIT, changed(full, path, text)).status == 200
    assert list(refusal(caller, changed(full, path, text + "é"))) == [path]


@pytest.mark.parametrize(("path", "value"), WRONG)
def test_what_is_wrong_is_refused_at_its_place(caller: Caller, path: str, value: object) -> None:
    errors = refusal(caller, changed(order("order_full.json"), path, value))
    assert any(each == path or each.startswith(f"{path}.") for each in errors), errors


def test_every_fault_is_told_at_once(caller: Caller) -> None:
    body = changed(order("order_full.json"), "consignee.city", MISSING)
    body = changed(body, "freightDetails[1].count", 0)
    assert set(refusal(caller, body)) == {"consignee.city", "freightDetails[1].count"}


def test_the_facility_is_needed_unless_the_address_determines_it(caller: Caller) -> None:
    body = order("order_full.json", providerFacilityCode=None)
    assert list(refusal(caller, body)) == ["providerFacilityCode"]
    body["useConsigneeAddressToDetermineFaclityCode"] = True
    assert caller.post(SUBMIT, body).status == 200


def test_freight_is_needed(caller: Caller) -> None:
    assert "freightDetails" in refusal(caller, order(freightDetails=[]))


@pytest.mark.parametrize("kind", ["HOME", "STORE", "BUILD", None])
def test_each_delivery_type_is_taken(caller: Caller, kind: str | None) -> None:
    assert caller.post(SUBMIT, order(deliveryType=kind)).status == 200


@pytest.mark.parametrize(
    "body", [b"", b"  ", b"{", b"[]", b"7", b'"text"', b"null", b'{"a": NaN}', b"\xff\xfe", b"[" * 99_999]
)
def test_a_body_that_is_no_record_is_refused(caller: Caller, body: bytes) -> None:
    refusal(caller, body)


def test_a_character_that_cannot_be_kept_is_refused(caller: Caller) -> None:
    refusal(caller, rb'{"orderReferenceNumber": "\ud800"}')


def test_nothing_is_kept_of_what_is_refused(caller: Caller) -> None:
    body = order(deliveryType="DOCK")
    refusal(caller, body)
    assert caller.behind_the_counter(body["orderReferenceNumber"]) == []


def test_a_cancellation_needs_a_reference_of_30_characters_and_nothing_else(caller: Caller) -> None:
    cancel = f"{MANAGEMENT}/Order/cancel"
    bodies: list[object] = [
        {},
        {"orderReferenceNumber": ""},
        {"orderReferenceNumber": "x" * 31},
        {"orderReferenceNumber": 5},
        [],
    ]
    bodies.append({"orderReferenceNumber": "x", "reason": "y"})
    for body in bodies:
        assert caller.post(cancel, body).status == 400, body
    assert caller.post(cancel, {"orderReferenceNumber": "x" * 30}).status == 404

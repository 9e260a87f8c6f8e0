"""Content types in and out."""

import json

import pytest
from defusedxml import ElementTree

from app.contract.operations import JSON_ONLY, OPERATIONS, REPLY_FORMATS, Operation
from tests.practice.conftest import data, fresh_reference, order
from tests.support.practice_calls import INFORMATION, MANAGEMENT, Caller

SUBMIT = f"{MANAGEMENT}/Order/submit"
BODIES = [each for each in OPERATIONS if each.body]
JSON_KINDS = ["text/json", "application/merge-patch+json", "application/json; charset=utf-8", "Application/JSON"]
XML_KINDS = ["application/xml", "text/xml", "application/soap+xml", "text/xml; charset=utf-8"]


def xml_order() -> tuple[str, bytes]:
    reference = fresh_reference()
    return reference, data("order_full.xml").replace(b"XML-1", reference.encode())


@pytest.mark.parametrize("kind", JSON_KINDS)
def test_the_json_family_is_read(caller: Caller, kind: str) -> None:
    assert caller.post(SUBMIT, order(), kind).status == 200


@pytest.mark.parametrize("kind", XML_KINDS)
def test_the_xml_family_is_read(caller: Caller, kind: str) -> None:
    reference, body = xml_order()
    assert caller.post(SUBMIT, body, kind).status == 200
    [kept] = caller.behind_the_counter(reference)
    sent = kept["body"]
    assert sent["consignee"]["consigneeName"] == "Josefina Rivera & Söhne"
    assert sent["useConsigneeAddressToDetermineFaclityCode"] is False
    assert [each["commodity"] for each in sent["freightDetails"]] == ["SOFA", "LAMP"]
    assert sent["freightDetails"][0]["volume"] == 124.5
    assert [each["barcode"] for each in sent["barcoding"]["barcodeItemDetails"]] == ["00010001"]
    assert sent["otherReferenceNumbers"] == [{"type": "BOL", "value": "BOL-9987"}]


def test_xml_is_held_to_the_same_rules(caller: Caller) -> None:
    _, body = xml_order()
    reply = caller.post(SUBMIT, body.replace(b"<count>2</count>", b"<count>0</count>"), "text/xml")
    assert (reply.status, list(reply.json()["errors"])) == (400, ["freightDetails[0].count"])


def test_xml_names_may_stand_in_a_namespace(caller: Caller) -> None:
    _, body = xml_order()
    assert (
        caller.post(SUBMIT, body.replace(b"<OrderSubmission>", b'<OrderSubmission xmlns="urn:x">'), "text/xml").status
        == 200
    )


BOMB = b'<!DOCTYPE a [<!ENTITY x "xx"><!ENTITY y "&x;&x;">]><a>&y;</a>'


@pytest.mark.parametrize("body", [b"<a>", b"{}", b"", BOMB, b"<a>" * 500 + b"</a>" * 500, b"\xff<a/>"])
def test_what_is_no_honest_xml_is_refused(caller: Caller, body: bytes) -> None:
    assert caller.post(SUBMIT, body, "application/xml").status == 400


@pytest.mark.parametrize("operation", BODIES, ids=lambda each: each.name)
def test_only_the_operations_marked_x_read_other_types(caller: Caller, operation: Operation) -> None:
    path = MANAGEMENT + operation.path
    marked = operation.formats != JSON_ONLY
    for kind, body in (("text/json", b"{}"), ("text/xml", b"<a><b>1</b></a>")):
        reply = caller.post(path, body, kind)
        refused = reply.status == 400 and "is not accepted here" in reply.body.decode()
        assert refused != marked, (kind, reply.body)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "json", "application/xmlish"])
def test_any_other_type_is_refused(caller: Caller, kind: str) -> None:
    reply = caller.post(SUBMIT, order(), kind)
    assert (reply.status, list(reply.json()["errors"])) == (400, [""])


@pytest.mark.parametrize("accept", REPLY_FORMATS)
def test_a_record_comes_in_the_type_that_is_wanted(caller: Caller, accept: str) -> None:
    body = order()
    reply = caller.post(SUBMIT, body, accept=accept)
    assert (reply.status, reply.kind) == (200, accept)
    if "xml" in accept:
        root = ElementTree.fromstring(reply.body)
        assert root.findtext("orderReferenceNumber") == body["orderReferenceNumber"]
        assert root.findtext("status") == "In Import Queue"
    else:
        assert reply.json()["orderReferenceNumber"] == body["orderReferenceNumber"]


@pytest.mark.parametrize("accept", REPLY_FORMATS)
def test_a_list_comes_in_the_type_that_is_wanted(caller: Caller, accept: str) -> None:
    wanted = caller.get(f"{INFORMATION}/orders/open", IncludeNotes=True, IncludePOs=True).json()
    reply = caller.get(f"{INFORMATION}/orders/open", accept, IncludeNotes=True, IncludePOs=True)
    assert (reply.status, reply.kind) == (200, accept)
    if "xml" not in accept:
        assert reply.json() == wanted
        return
    root = ElementTree.fromstring(reply.body)
    assert root.tag == "ArrayOfOrder"
    assert [each.findtext("OrderNumber") for each in root] == [str(each["OrderNumber"]) for each in wanted]
    first, record = root[0], wanted[0]
    assert [each.text for each in first.findall("PO")] == record["PO"]
    assert first.findtext("Consignee/Address/City") == record["Consignee"]["Address"]["City"]
    assert first.findtext("IsReceived") == json.dumps(record["IsReceived"])
    assert len(first.findall("Notes")) == len(record["Notes"])


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("*/*", "application/json"),
        ("", "application/json"),
        ("text/*", "text/plain"),
        ("image/png", "application/json"),
        ("application/json;q=0.1, text/xml;q=0.9", "text/xml"),
        ("text/html, application/xml;q=0.9, */*;q=0.1", "application/xml"),
        ("text/xml;q=0, text/json", "text/json"),
        ("text/xml;q=nonsense, text/json", "text/json"),
    ],
)
def test_the_most_wanted_type_is_chosen(caller: Caller, accept: str, kind: str) -> None:
    assert caller.get(f"{MANAGEMENT}/Facilities", accept).kind == kind


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("application/json", "application/problem+json"),
        ("text/json", "text/json"),
        ("text/plain", "text/plain"),
        ("application/xml", "application/problem+xml"),
        ("text/xml", "text/xml"),
    ],
)
def test_a_problem_comes_in_the_type_that_is_wanted(caller: Caller, accept: str, kind: str) -> None:
    reply = caller.post(SUBMIT, order(freightDetails=[{"commodity": "A", "count": 0, "volume": 1}]), accept=accept)
    assert (reply.status, reply.kind) == (400, kind)
    if "xml" in kind:
        root = ElementTree.fromstring(reply.body)
        assert root.findtext("status") == "400"
        assert root.findtext("errors/freightDetails_x005B_0_x005D_.count") == "Must be greater than 0."
    else:
        assert reply.json()["errors"] == {"freightDetails[0].count": ["Must be greater than 0."]}


def test_what_xml_cannot_hold_is_replaced_in_a_reply(caller: Caller) -> None:
    reference = fresh_reference() + "\x01"
    reply = caller.post(SUBMIT, order(orderReferenceNumber=reference), accept="text/xml")
    assert ElementTree.fromstring(reply.body).findtext("orderReferenceNumber") == reference[:-1] + "\ufffd"

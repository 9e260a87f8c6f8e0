"""An order that leaves as XML means the order that its JSON means, and is the same bytes each time."""

import json

import pytest
from hypothesis import given

from app.contract.check import check_draft
from app.contract.draft import OrderDraft
from app.contract.operations import OPERATIONS, OPERATIONS_BY_NAME
from app.contract.request_body import LIST_FIELDS, draft_of_body
from app.contract.submission import OrderSubmission, wire_bytes
from app.contract.xml_writer import body_in, fits_xml
from app.practice.web.xml_form import read_xml
from app.store.journal.records import ROOTS
from tests.support.contract_drafts import drafts

ROOT = OPERATIONS_BY_NAME["order_submit"].record


@given(drafts())
def test_an_order_in_xml_is_read_as_the_order_that_was_typed(draft: OrderDraft) -> None:
    checked = check_draft(draft)
    if not isinstance(checked, OrderSubmission):
        return
    payload = wire_bytes(checked)
    body, sent_as = body_in("xml", payload, ROOT)
    assert sent_as == ("xml" if fits_xml(json.loads(payload)) else "json")
    if sent_as == "xml":
        expected, _ = draft_of_body(json.loads(payload))
        assert draft_of_body(read_xml(body, LIST_FIELDS)) == (expected, [])
    assert body_in("xml", payload, ROOT) == (body, sent_as)


def test_numbers_keep_their_digits_and_texts_their_signs() -> None:
    payload = (
        '{"count":2,"volume":0.10000000000000000555,"exp":1E+2,"on":true,"no":null,"text":"<a> & \\"b\\" \\r ü 🛋"}'
    )
    body, sent_as = body_in("xml", payload.encode(), "OrderSubmissionRequest")
    assert sent_as == "xml"
    assert body.decode().splitlines() == [
        '<?xml version="1.0" encoding="utf-8"?>',
        "<OrderSubmissionRequest>",
        "  <count>2</count>",
        "  <volume>0.10000000000000000555</volume>",
        "  <exp>1E+2</exp>",
        "  <on>true</on>",
        '  <text>&lt;a&gt; &amp; "b" &#13; ü 🛋</text>',
        "</OrderSubmissionRequest>",
    ]


@pytest.mark.parametrize("text", ["a\\u000bb", "a\\u0000b", "a\\ufffeb"])
def test_a_record_that_xml_cannot_hold_stays_json(text: str) -> None:
    payload = f'{{"orderReferenceNumber":"R-1","deliveryInstructions":"{text}"}}'.encode()
    assert body_in("xml", payload, ROOT) == (payload, "json")


def test_json_stays_as_it_is() -> None:
    assert body_in("json", b'{"a": 1.50 }', ROOT) == (b'{"a": 1.50 }', "json")


def test_the_operations_that_take_xml_are_those_marked_x() -> None:
    marked = {
        "order_submit",
        "order_cancel",
        "quote_submit",
        "truck_submit",
        "import_orders",
    }  # services.md, "Endpoints"
    assert {each.name for each in OPERATIONS if each.takes_xml} == marked
    assert {"submit": ROOT, "cancel": OPERATIONS_BY_NAME["order_cancel"].record} == ROOTS

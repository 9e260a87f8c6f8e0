"""The listing joined with a description."""

import json

from app.contract.codes import SCOPE_ORDERS
from app.contract.operations import OPERATIONS, OPERATIONS_BY_NAME
from app.desk.console.console_operations import groups, matching, operations
from app.desk.console.console_words import PURPOSES
from app.desk.console.description.read_description import read_description


def described(paths: dict[str, object], **more: object) -> bytes:
    return json.dumps({"openapi": "3.0.1", "paths": paths, **more}).encode()


def test_without_a_description_all_operations_of_the_listing_are_there() -> None:
    found = operations(None)
    assert [each.name for each in found] == [each.name for each in OPERATIONS]
    assert {each.name for each in OPERATIONS} == set(PURPOSES)
    assert len({each.key for each in found}) == len(found)
    by_name = {each.name: each for each in found}
    assert (by_name["order_submit"].road, by_name["order_cancel"].road) == ("submit", "cancel")
    assert {each.road for each in found if each.name not in {"order_submit", "order_cancel"}} == {"call"}
    quote = by_name["quote_submit"]
    assert quote.body is not None
    assert (quote.body.shape, quote.body.source, quote.body.record) == (None, None, "QuoteSubmissionRequest")
    submit = by_name["order_submit"].body
    assert submit is not None
    assert submit.source == "contract"
    assert submit.takes_xml
    slots = by_name["partner_a_get_slot"]
    assert slots.body is not None
    assert not slots.body.takes_xml
    assert not slots.writes
    assert by_name["audit_image"].accepts == ("*/*",)
    assert by_name["facilities"].accepts[0] == "application/json"
    assert [each.status for each in quote.answers] == ["200", "400", "401", "403"]
    assert [(each.name, each.required) for each in by_name["order"].parameters] == [("OrderNumber", True)]


def test_a_description_adds_shapes_under_the_names_of_the_listing() -> None:
    text = described(
        {
            "/gateway/ordermanagementapi/quote/Submit": {
                "post": {
                    "summary": "Sends a quote.",
                    "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Q"}}}},
                    "responses": {"200": {"content": {"application/xml": {}, "application/json": {}}}},
                }
            },
            "/OrderManagementApi/Order/status": {
                "get": {
                    "parameters": [
                        {"name": "systemnumber", "in": "query", "schema": {"type": "integer", "minimum": 1}},
                        {"name": "Deep", "in": "query", "schema": {"type": "boolean"}},
                        {"name": "Accept", "in": "header", "schema": {"type": "string"}},
                    ],
                    "responses": {},
                }
            },
            "/OrderManagementApi/Order/submit": {
                "post": {"requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}}}
            },
            "/Extra/{code}/do": {"delete": {"operationId": "Do it", "responses": {}}},
            "/Extra/{code}/see": {"get": {"operationId": "order_status", "responses": {}}},
        },
        components={"schemas": {"Q": {"type": "object", "properties": {"a": {"type": "string"}}}}},
    )
    found = {each.name: each for each in operations(read_description(text))}
    quote = found["quote_submit"]
    assert quote.in_description
    assert quote.body is not None
    assert quote.body.shape is not None
    assert (quote.body.source, quote.body.record, quote.accepts) == (
        "description",
        "Q",
        ("application/json", "application/xml"),
    )
    assert quote.scopes == OPERATIONS_BY_NAME["quote_submit"].scopes
    status = found["order_status"]
    assert [each.name for each in status.parameters] == ["SystemNumber", "OrderReferenceNumber", "BillToCode", "Deep"]
    assert status.parameters[0].shape.bounds.minimum == 1
    submit = found["order_submit"].body
    assert submit is not None
    assert submit.source == "contract"
    extra = found["do_it"]
    assert (extra.key, extra.writes, extra.in_contract) == ("management DELETE /Extra/{code}/do", True, False)
    assert [(each.name, each.place, each.required) for each in extra.parameters] == [("code", "path", True)]
    assert found["order_status_2"].path == "/Extra/{code}/see"
    assert found["order_status"].scopes == (SCOPE_ORDERS,)


def test_they_are_grouped_and_found_by_words() -> None:
    found = operations(None)
    by_group = groups(found)
    assert list(by_group)[:3] == ["Order", "Quote", "Truck"]
    assert {each.name for each in by_group["PartnerB"]} == {
        "partner_b_order_event",
        "partner_b_get_slot",
        "partner_b_order_submit",
    }
    assert [each.name for each in matching(found, "SLOT reserve")] == ["partner_a_reserve_slot"]
    assert {each.name for each in matching(found, "loadid")} == {"overage", "overage_by_path"}
    assert matching(found, "") == found
    assert matching(found, "no such thing") == ()

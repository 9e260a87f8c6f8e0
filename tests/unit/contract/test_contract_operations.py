"""The listing of operations and the codes, against lists typed by hand from services.md."""

from collections import Counter
from typing import Any

import pytest

from app.contract import codes
from app.contract.operations import ALL_FORMATS, JSON_ONLY, OPERATIONS, OPERATIONS_BY_NAME, REPLY_FORMATS, Operation
from tests.support.contract_samples import sample

LISTING = sample("operations.json")
BY_PLACE = {(each.service, each.method, each.path): each for each in OPERATIONS}


def parameters(operation: Operation, place: str) -> dict[str, str]:
    return {each.name: each.kind for each in operation.parameters if each.place == place}


def test_the_listing_is_whole_and_in_order() -> None:
    typed = [(service, row[0], row[1]) for service in ("management", "information") for row in LISTING[service]]
    assert [(each.service, each.method, each.path) for each in OPERATIONS] == typed
    assert len(OPERATIONS_BY_NAME) == len(OPERATIONS)


@pytest.mark.parametrize("row", LISTING["management"], ids=lambda row: f"{row[0]} {row[1]}")
def test_an_operation_of_the_management_service(row: list[Any]) -> None:
    method, path, body, scopes, query, success, returns, problems = row
    operation = BY_PLACE["management", method, path]
    assert operation.scopes == tuple(f"order_management_api:{scope}" for scope in scopes)
    assert parameters(operation, "query") == query
    assert parameters(operation, "path") == {}
    assert (operation.success, list(operation.problems)) == (success, problems)
    assert (bool(operation.returns), operation.returns_list) == (bool(returns), returns == "array")
    assert bool(operation.body) == (method == "POST")
    if body:
        assert operation.formats == (ALL_FORMATS if body == "XML too" else JSON_ONLY)


@pytest.mark.parametrize("row", LISTING["information"], ids=lambda row: row[1])
def test_an_operation_of_the_information_service(row: list[Any]) -> None:
    method, path, scopes, query, returns = row
    operation = BY_PLACE["information", method, path]
    assert operation.scopes == tuple(f"order_information_api:{scope}" for scope in scopes)
    assert parameters(operation, "query") == query
    assert list(parameters(operation, "path")) == [part[1:-1] for part in path.split("/") if part.startswith("{")]
    assert (operation.success, operation.problems) == (200, (400, 401, 403, 404))
    assert operation.returns_list == (returns == "array")
    assert (operation.body, operation.writes) == ("", False)


def test_the_formats_in_and_out() -> None:
    assert JSON_ONLY == ("application/json",)
    assert set(ALL_FORMATS) == {
        "application/json",
        "text/json",
        "application/*+json",
        "application/xml",
        "text/xml",
        "application/*+xml",
    }
    assert set(REPLY_FORMATS) == {"text/plain", "application/json", "text/json", "application/xml", "text/xml"}


def test_only_looking_up_a_slot_posts_without_changing_anything() -> None:
    reads = {each.path for each in OPERATIONS if each.method == "POST" and not each.writes}
    assert reads == {"/PartnerA/getSlot", "/PartnerB/getSlot"}
    assert not any(each.writes for each in OPERATIONS if each.method == "GET")


def test_what_the_partners_return() -> None:
    returned = {each.path: each.returns for each in OPERATIONS}
    assert returned["/PartnerB/orderSubmit"] == returned["/PartnerB/getSlot"]
    bodies = Counter(each.body for each in OPERATIONS)
    assert bodies["order submission request"] == 2


FOLDERS = """AT attempt; BOL bill of lading; DAM damaged; DMB damaged bulk item; DML damaged item at loading;
DMR damaged item at receiving; DOC miscellaneous document; INB inbound; LD loading; LFF load feedback form;
LS load shifted; MAN manifest; OOS out of sequence; ORD attended delivery; OVR overage; POD proof of delivery;
PS packing slips; RF refused freight; RLD receiving load; SOI short on inbound; SV stacking violation;
TD trailer defect; UN unattended; UNS manual scan"""


def test_the_folder_types() -> None:
    typed = dict(part.split(maxsplit=1) for part in FOLDERS.replace("\n", " ").split(";"))
    assert len(typed) == 24
    assert {code: words.lower() for code, words in codes.FOLDER_TYPE_WORDS.items()} == typed
    assert all(words[0].isupper() for words in codes.FOLDER_TYPE_WORDS.values())


def test_the_order_states() -> None:
    words = {
        "STD": "Started",
        "AVL": "Available",
        "PLN": "Planned",
        "DSO": "Dispatched",
        "CMP": "Completed",
        "CAN": "Cancelled",
    }
    assert words == codes.ORDER_STATE_WORDS
    assert [each.value for each in codes.OrderState] == list(words)


def test_the_management_statuses() -> None:
    assert [each.value for each in codes.ManagementStatus] == [
        "In Import Queue",
        "Pending Receipt",
        "Received",
        "Out for delivery",
        "Complete",
        "Cancelled",
    ]
    assert {"Complete", "Cancelled"} == codes.CLOSED_STATUSES


def test_delivery_types_and_scopes() -> None:
    assert [each.value for each in codes.DeliveryType] == ["HOME", "STORE", "BUILD"]
    management = ["order_management_api:orders", "order_management_api:quotes", "order_management_api:integration"]
    assert list(codes.MANAGEMENT_SCOPES) == management
    assert list(codes.ALL_SCOPES) == [*management, "order_information_api:orders", "order_information_api:audits"]

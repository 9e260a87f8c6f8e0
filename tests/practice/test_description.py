"""The published descriptions hold what the contract's table and models hold."""

from typing import Any

import pytest

from app.contract.operations import OPERATIONS, Operation
from app.practice.web.description import as_3_0
from tests.support.practice_calls import INFORMATION, MANAGEMENT, Caller

PREFIX = {"management": MANAGEMENT, "information": INFORMATION}
Schema = dict[str, Any]


def described(caller: Caller, prefix: str) -> Schema:
    reply = caller.send("GET", f"{prefix}/swagger/v1/swagger.json")
    assert (reply.status, reply.kind) == (200, "application/json")
    found: Schema = reply.json()
    return found


def parts(value: object) -> list[Schema]:
    """Every object in a description, however deep."""
    if isinstance(value, dict):
        return [value, *(each for part in value.values() for each in parts(part))]
    return [each for part in value for each in parts(part)] if isinstance(value, list) else []


def test_no_token_is_needed_and_letters_may_be_of_either_case(caller: Caller) -> None:
    assert described(caller, MANAGEMENT) == described(caller, MANAGEMENT.lower())
    assert described(caller, MANAGEMENT)["openapi"].startswith("3.0")


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: each.name)
def test_every_operation_is_described(caller: Caller, operation: Operation) -> None:
    prefix = PREFIX[operation.service]
    found = described(caller, prefix)["paths"][prefix + operation.path][operation.method.lower()]
    assert [each["oauth2"] for each in found["security"]] == [[scope] for scope in operation.scopes]
    assert {each["name"] for each in found["parameters"]} == {each.name for each in operation.parameters}
    assert {each["name"] for each in found["parameters"] if each["required"]} == {
        each.name for each in operation.parameters if each.place == "path"
    }
    assert {str(operation.success), *map(str, operation.problems)} <= set(found["responses"])
    assert set(found.get("requestBody", {}).get("content", {})) == (set(operation.formats) if operation.body else set())


def test_the_submission_is_described_in_full(caller: Caller) -> None:
    schemas = described(caller, MANAGEMENT)["components"]["schemas"]
    submission = schemas["OrderSubmission"]
    assert submission["additionalProperties"] is False
    assert submission["properties"]["deliveryInstructions"]["maxLength"] == 254
    assert schemas["FreightItem"]["properties"]["count"]["anyOf"][0]["type"] in {"integer", "number"}
    assert {"orderReferenceNumber", "consignee", "freightDetails"} <= set(submission["required"])
    assert schemas["Consignee"]["properties"]["city"]["maxLength"] == 18


@pytest.mark.parametrize("prefix", [MANAGEMENT, INFORMATION])
def test_it_speaks_openapi_3_0(caller: Caller, prefix: str) -> None:
    for part in parts(described(caller, prefix)):
        assert part.get("type") != "null"
        assert isinstance(part.get("exclusiveMinimum", True), bool)
        assert not set(part) & {"$defs", "const", "prefixItems"}


def test_null_and_open_bounds_become_words_of_3_0() -> None:
    optional = {"anyOf": [{"type": "string", "maxLength": 3}, {"type": "null"}], "default": None, "title": "X"}
    assert as_3_0(optional) == {"type": "string", "maxLength": 3, "nullable": True}
    reference = {"anyOf": [{"$ref": "#/x"}, {"type": "null"}]}
    assert as_3_0(reference) == {"anyOf": [{"$ref": "#/x"}], "nullable": True}
    assert as_3_0({"exclusiveMinimum": 0}) == {"minimum": 0, "exclusiveMinimum": True}

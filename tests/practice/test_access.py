"""Every operation of the contract: its address, its scope, its refusals."""

import pytest

from app.contract.codes import ALL_SCOPES
from app.contract.operations import OPERATIONS, Operation
from app.practice.services.registry import HANDLERS
from app.practice.web.routes import DOCUMENT
from tests.support.practice_calls import INFORMATION, MANAGEMENT, Caller, Reply

PREFIX = {"management": MANAGEMENT, "information": INFORMATION}
BY_NAME = pytest.mark.parametrize("operation", [*OPERATIONS, DOCUMENT], ids=lambda each: each.name)


def call(caller: Caller, operation: Operation, scope: str | None = None, path: str | None = None) -> Reply:
    """Calls an operation with a token of one scope only, or without any for an empty one."""
    url = path or PREFIX[operation.service] + operation.path.replace("{", "").replace("}", "")
    headers = {"Content-Type": "application/json"} if operation.body else {}
    if scope:
        headers["Authorization"] = f"Bearer {caller.token(scope)}"
    return caller.send(operation.method, url, b"{}" if operation.body else None, headers)


def test_every_operation_has_somebody_who_answers_it() -> None:
    assert {each.name for each in (*OPERATIONS, DOCUMENT)} == set(HANDLERS)


@BY_NAME
def test_without_a_token_every_operation_is_a_401(caller: Caller, operation: Operation) -> None:
    reply = call(caller, operation)
    assert (reply.status, reply.body) == (401, b"")


@BY_NAME
def test_each_of_its_scopes_opens_an_operation_and_every_other_is_a_403(caller: Caller, operation: Operation) -> None:
    for scope in ALL_SCOPES:
        reply = call(caller, operation, scope)
        assert (reply.status == 403) == (scope not in operation.scopes), scope
        assert reply.status not in {401, 405, 500}
        if reply.status == 403 and operation.name != "third_party_logistics":
            assert reply.body == b""


def test_the_intake_says_in_a_problem_record_why_not(caller: Caller) -> None:
    intake = next(each for each in OPERATIONS if each.name == "third_party_logistics")
    reply = call(caller, intake, ALL_SCOPES[1])
    assert (reply.status, reply.kind, reply.json()["status"]) == (403, "application/problem+json", 403)


@BY_NAME
def test_paths_are_found_in_letters_of_either_case(caller: Caller, operation: Operation) -> None:
    url = (PREFIX[operation.service] + operation.path).replace("{", "").replace("}", "")
    for path in (url.lower(), url.upper()):
        assert call(caller, operation, path=path).status == 401


@BY_NAME
def test_another_method_is_a_405(caller: Caller, operation: Operation) -> None:
    url = (PREFIX[operation.service] + operation.path).replace("{", "").replace("}", "")
    reply = caller.send("DELETE", url, None, caller.headers())
    assert reply.status == 405
    assert operation.method in reply.headers["allow"]


@pytest.mark.parametrize(
    "path", ["/", "/OrderManagementApi", f"{MANAGEMENT}/Nothing", f"{INFORMATION}/orders/1/2", "/x/y"]
)
def test_what_is_no_operation_is_a_404(caller: Caller, path: str) -> None:
    assert caller.get(path).status == 404


@pytest.mark.parametrize("path", ["/Order/test", "/Quote/test", "/ThirdPartyLogistics/health"])
def test_the_test_operations_answer_with_nothing(caller: Caller, path: str) -> None:
    reply = caller.get(MANAGEMENT + path)
    assert (reply.status, reply.body) == (200, b"")


def test_the_control_paths_need_the_main_client(caller: Caller, other: Caller) -> None:
    url = caller.facts["control_url"]
    assert caller.get(f"{url}switches").status == 200
    assert other.get(f"{url}switches").status == 401
    assert caller.send("GET", f"{url}switches").status == 401
    assert caller.get(f"{url}nothing").status == 404

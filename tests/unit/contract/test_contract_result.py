"""The result of a write: the order that it speaks of, and whether it says that the write failed."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract.replies import another_order, says_it_failed


def body(data: object) -> bytes:
    return json.dumps(data).encode()


@pytest.mark.parametrize(
    ("reference", "told"),
    [
        ("R-1", {"orderReferenceNumber": "R-1", "status": "Received"}),
        ("R-1", {"result": {"OrderReferenceNumber": " r-1 "}}),
        ("R-1", [{"crn": "R-2"}, {"crn": "R-1"}]),  # several, this one among them
        ("00123", {"orderReferenceNumber": 123}),
        ("R-1", {"orderReferenceNumber": "ACME/R-1"}),
        ("Ré-1", {"CRN": "Re\u0301-1"}),  # one letter, written in two ways
        ("R-1", {"reference": "CONF-778", "systemNumber": 7}),  # of the call, for all that is known
        ("R-1", {"systemNumber": 7}),
        ("R-1", {}),
        ("R-1", "Accepted"),
        ("R-1", None),
    ],
)
def test_a_result_that_may_be_of_this_order_is(reference: str, told: object) -> None:
    assert another_order(body(told), reference) == ""


@pytest.mark.parametrize("other", ["R-2", "R-12", "XR-1", "R-10", 700])
def test_a_result_that_names_another_order_is_of_that(other: object) -> None:
    assert another_order(body({"orderReferenceNumber": other, "systemNumber": 7}), "R-1") == str(other)
    assert another_order(f"<r><OrderReferenceNumber>{other}</OrderReferenceNumber></r>".encode(), "R-1") == str(other)


@pytest.mark.parametrize(
    ("told", "failed"),
    [
        ({"success": False}, True),
        ({"isSuccess": "False"}, True),
        ({"errors": ["No such ZIP."]}, True),
        ({"Error": {"code": 7}}, True),
        ([{"error": "login_required"}], True),
        ({"status": 400, "title": "Bad request"}, True),
        ({"statusCode": "503"}, True),
        ({"success": True, "errors": [], "error": None, "statusCode": 200}, False),
        ({"error": "None", "errors": {}}, False),
        ({"status": "Received", "systemNumber": 404}, False),
        ([{"error": "one"}, {"error": "two"}], False),  # the results of several: none of them of this one for certain
        ("error", False),
        (None, False),
    ],
)
def test_a_result_fails_by_its_own_words(told: object, failed: bool) -> None:
    assert says_it_failed(body(told)) is failed


@given(st.binary() | st.text().map(str.encode))
def test_no_bytes_raise(told: bytes) -> None:
    assert isinstance(another_order(told, "R-1"), str)
    assert isinstance(says_it_failed(told), bool)

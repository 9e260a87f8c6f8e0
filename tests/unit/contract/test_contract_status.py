"""Order status replies of every make: the status is read where it can be, and claimed for no other order."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract.codes import ManagementStatus
from app.contract.replies import StatusReading, read_status
from tests.support.contract_samples import UNTIMED, sample_bytes

CRN = "CRN-20481"
OURS = {"orderReferenceNumber": CRN, "systemNumber": 771002, "status": "Out for delivery"}
OUT = ManagementStatus.OUT_FOR_DELIVERY
RECEIVED = ManagementStatus.RECEIVED


def read(reply: object, reference: str = CRN, *, system_number: int | None = None) -> StatusReading:
    return read_status(json.dumps(reply).encode(), reference, system_number=system_number)


def told(reply: object, reference: str = CRN) -> tuple[ManagementStatus | None, bool]:
    reading = read(reply, reference)
    return reading.status, reading.mentions_reference


def test_our_own_form() -> None:
    assert read(OURS) == StatusReading(OUT, True, 771002, True, json.dumps(OURS))


@pytest.mark.parametrize(
    "status",
    [
        "In Import Queue",
        "Pending Receipt",
        "Received",
        "Out for delivery",
        "Complete",
        "Cancelled",
    ],
)
def test_the_six_statuses_however_they_are_written(status: str) -> None:
    for text in (status, status.upper(), status.replace(" ", ""), status.replace(" ", "_"), f" {status}. "):
        assert told(OURS | {"status": text}) == (ManagementStatus(status), True)


@pytest.mark.parametrize(
    "status", ["", "Delayed", "Not received", "Incomplete", "Complete 0%", "Received?", 5, None, []]
)
def test_no_other_text_is_a_status(status: object) -> None:
    assert told(OURS | {"status": status}) == (None, True)


@pytest.mark.parametrize(
    "reply",
    [
        {"result": {"order": {"referenceNumber": CRN, "currentStatus": "Received"}}},
        {"OrderReferenceNumber": CRN, "Status": "Received"},
        {"order_reference_number": CRN, "order_status": "Received"},
        {"status": {"code": 3, "text": "Received"}, "orders": [{"ref": CRN}]},
        [{"ref": CRN, "where": "Received"}],
        {"success": True, "status": "OK", "data": {"ref": f" {CRN} ", "state": "Received"}},
        {"orderNumber": CRN, "status": "Received"},
        {"status": 200, "orderStatus": "Received", "ref": CRN},
    ],
)
def test_a_status_and_a_reference_anywhere(reply: object) -> None:
    assert told(reply) == (RECEIVED, True)


def test_xml() -> None:
    reading = read_status(sample_bytes("status.xml"), CRN)
    assert (reading.status, reading.mentions_reference, reading.system_number) == (OUT, True, 771002)


@pytest.mark.parametrize(
    "body", [b"Received", b'"Received"', b"\xef\xbb\xbfReceived\r\n", b"<string>Received</string>"]
)
def test_a_bare_status_proves_nothing_about_an_order(body: bytes) -> None:
    reading = read_status(body, CRN)
    assert (reading.status, reading.mentions_reference, reading.found) == (RECEIVED, False, True)


@pytest.mark.parametrize("body", [b"", b" \r\n", b"null", b"{}", b"[]", b'""', b'[{"status": null}, ""]', b"<a/>"])
def test_nothing_is_found_in_an_empty_answer(body: bytes) -> None:
    reading = read_status(body, CRN)
    assert reading == StatusReading(None, False, None, False, body.decode())


@pytest.mark.parametrize(
    "reply",
    [
        OURS | {"orderReferenceNumber": "OLD-1"},
        OURS | {"orderReferenceNumber": CRN + "1"},
        OURS | {"orderReferenceNumber": CRN.lower()},
        {"status": "Complete", "remarks": f"replaces {CRN}"},
        {"orderReferenceNumber": "OLD-1", "status": "Complete", "replacedBy": CRN},
        {"status": "Complete"},
    ],
)
def test_another_order_is_not_taken_for_ours(reply: object) -> None:
    assert read(reply).mentions_reference is False


@pytest.mark.parametrize(
    "reply",
    [
        {"orderReferenceNumber": "OLD-1", "systemNumber": 38104, "status": "Complete"},
        {"orderReferenceNumber": "OLD-1", "systemNumber": "38104", "status": "Complete"},
        {"orderReferenceNumber": "OLD-1", "zip": "38104", "status": "Complete"},
        {"orderReferenceNumber": "OLD-1", "pieces": 38104, "status": "Complete"},
        {"orderNumber": 38104, "status": "Complete"},
    ],
)
def test_a_reference_of_digits_is_not_found_in_other_numbers(reply: object) -> None:
    assert read(reply, "38104").mentions_reference is False


def test_a_reference_of_digits_is_found_where_references_stand() -> None:
    for value in ("38104", 38104):
        assert told({"orderReferenceNumber": value, "systemNumber": 1, "status": "Received"}, "38104") == (
            RECEIVED,
            True,
        )


def test_a_system_number_is_found_where_numbers_stand_and_nowhere_else() -> None:
    for value in (771002, "771002", " 771002 "):
        assert read({"systemNumber": value}, "", system_number=771002).mentions_reference is True
    for reply in (
        {"count": 771002},
        {"systemNumber": 7710021},
        {"systemNumber": True},
        {"orderReferenceNumber": "771002"},
    ):
        assert read(reply, "", system_number=771002).mentions_reference is False
    assert read({"systemNumber": True}, "", system_number=1).mentions_reference is False


def test_without_a_question_nothing_is_answered() -> None:
    assert read(OURS, "").mentions_reference is False
    assert read({"a": ""}, " ").mentions_reference is False


def test_of_several_orders_ours_is_read() -> None:
    others = [{"orderReferenceNumber": f"OLD-{at}", "systemNumber": at, "status": "Complete"} for at in range(1, 4)]
    reading = read([*others, OURS])
    assert (reading.status, reading.mentions_reference, reading.system_number) == (OUT, True, 771002)
    assert read(others).mentions_reference is False


def test_the_order_itself_comes_before_its_history() -> None:
    history = [{"status": "In Import Queue"}, {"status": "Received"}]
    assert told({"history": history, **OURS}) == (OUT, True)
    assert told({**OURS, "history": history}) == (OUT, True)


def test_what_is_named_a_status_comes_before_what_only_looks_like_one() -> None:
    assert told({"stage": "Received", "steps": ["Complete"], **OURS}) == (OUT, True)


def test_a_flag_is_no_reference() -> None:
    assert read({"ok": True, "status": "Complete"}, "True").mentions_reference is False


@pytest.mark.parametrize(
    "key", ["remarks", "Remark", "note", "notes", "comment", "message", "detail", "deliveryInstructions", "description"]
)
def test_a_status_phrase_in_free_text_is_no_status(key: str) -> None:
    assert told({key: "Received", **OURS}) == (OUT, True)
    assert told({key: "Received", "orderReferenceNumber": CRN}) == (None, True)
    assert told({key: "Received", **OURS, "status": "Delayed"}) == (None, True)


@pytest.mark.parametrize("number", ["9" * 5_000, "-1", "1.5", "x", None, [], True, 1.5])
def test_odd_system_numbers(number: object) -> None:
    assert read(OURS | {"systemNumber": number}).system_number is None


def test_a_long_reply_is_read_in_its_stride() -> None:
    reply = [{"orderReferenceNumber": f"R{at}", "status": "Complete", "lines": [at] * 10} for at in range(20_000)]
    assert told([*reply, OURS]) == (OUT, True)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12) | st.sampled_from([CRN, "Received"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["status", "systemNumber", "crn"]) | st.text(max_size=6), inner, max_size=4)
    ),
)


@UNTIMED
@given(json_values)
def test_no_reply_raises_and_a_claim_needs_the_reference(reply: object) -> None:
    reading = read(reply)
    assert not reading.mentions_reference or CRN in reading.raw


@UNTIMED
@given(st.binary())
def test_no_bytes_raise(body: bytes) -> None:
    reading = read_status(body, CRN)
    assert reading.found or not reading.mentions_reference

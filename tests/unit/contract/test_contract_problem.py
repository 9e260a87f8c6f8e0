"""Problem records of every make, as words."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract.replies import Problem, decode, read_problem
from tests.support.contract_samples import UNTIMED, sample_bytes

RECORD = {
    "type": "https://tools.ietf.org/html/rfc7231#section-6.5.1",
    "title": "Invalid order.",
    "status": 400,
    "detail": "One field is wrong.",
    "traceId": "00-1",
    "errors": {"consignee.city": ["At most 18 characters."], "poNumber": ["Too long.", "Not text."]},
}
ERRORS = {"consignee.city": ("At most 18 characters.",), "poNumber": ("Too long.", "Not text.")}
PROBLEM = Problem("Invalid order.", "One field is wrong.", 400, ERRORS)


@pytest.mark.parametrize(
    "media_type",
    [
        "application/problem+json",
        "application/json; charset=utf-8",
        "text/json",
        "text/plain",
        "text/html",
        None,
        "",
        "?",
    ],
)
def test_a_json_record_whatever_its_media_type(media_type: str | None) -> None:
    assert read_problem(json.dumps(RECORD).encode(), media_type) == PROBLEM


def test_a_json_record_with_a_mark_and_other_capitals() -> None:
    body = {key.capitalize(): value for key, value in RECORD.items()}
    assert read_problem(b"\xef\xbb\xbf" + json.dumps(body).encode()) == PROBLEM


@pytest.mark.parametrize("media_type", ["application/problem+xml", "application/xml", "text/plain", None])
def test_an_xml_record(media_type: str | None) -> None:
    assert read_problem(sample_bytes("problem.xml"), media_type) == PROBLEM


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        ({"error": "invalid_client", "error_description": "No such."}, Problem("invalid_client", "No such.")),
        ({"message": "No."}, Problem("No.")),
        ({"title": None, "error": "No."}, Problem("No.")),
        ({"title": "", "message": "No."}, Problem("No.")),
        ({"title": 5, "detail": ["a"]}, Problem("5", '["a"]')),
        ({"status": "400"}, Problem(status=400)),
        ({"status": True}, Problem()),
        ({"status": "no"}, Problem()),
        ({"status": 40000}, Problem()),
        ({"status": "9" * 5_000}, Problem()),
        ({"errors": ["a", "b"]}, Problem(errors={"": ("a", "b")})),
        ({"errors": [{"field": "city"}]}, Problem(errors={"": ('{"field": "city"}',)})),
        ({"errors": {"city": "long", "zip": None}}, Problem(errors={"city": ("long",), "zip": ("",)})),
        ({"errors": {"city": {"a": 1}}}, Problem(errors={"city": ('{"a": 1}',)})),
        ({"errors": "bad"}, Problem()),
        ({"errors": None}, Problem()),
        ({}, Problem()),
    ],
)
def test_other_records(record: dict[str, object], problem: Problem) -> None:
    assert read_problem(json.dumps(record).encode()) == problem


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", ""),
        (b"  \n", ""),
        (b"null", ""),
        (b"The order is closed.", "The order is closed."),
        (b'"The order is closed."', "The order is closed."),
        (b"\xef\xbb\xbfNo.", "No."),
        (b"caf\xe9", "caf\ufffd"),
        (b"a < b", "a < b"),
        (b"<CITY> is too long", "<CITY> is too long"),
        (b'{"title": "cut off', '{"title": "cut off'),
        (b'["a"]', '["a"]'),
        (b"<html><body><p>Bad gateway<br></body></html>", ""),
        (b"<!DOCTYPE html><html><head><title>502</title></head></html>", ""),
        (b"<string>The order is closed.</string>", "The order is closed."),
    ],
)
def test_bodies_without_a_record(body: bytes, words: str) -> None:
    assert read_problem(body) == Problem(detail=words)


def test_html_by_its_media_type() -> None:
    assert read_problem(b"Bad gateway<br>", "text/html; charset=utf-8") == Problem()


def test_a_huge_body_becomes_a_short_sentence() -> None:
    for body in (b"x" * 5_000_000, json.dumps({"title": "x" * 5_000_000, "detail": "y" * 9_999}).encode()):
        assert len(read_problem(body).sentence()) <= 2_000
    many = json.dumps({"errors": {f"freightDetails[{row}].count": ["Too many."] for row in range(5_000)}}).encode()
    assert len(read_problem(many).errors) == 5_000
    assert len(read_problem(many).sentence()) <= 2_000


def test_entities_are_not_expanded() -> None:
    assert decode(sample_bytes("billion_laughs.xml")) is None
    assert read_problem(sample_bytes("billion_laughs.xml"), "application/xml") == Problem()
    outside = b'<!DOCTYPE p [<!ENTITY f SYSTEM "file:///etc/hostname">]><problem><title>&f;</title></problem>'
    assert read_problem(outside, "application/xml") == Problem()


def test_deep_nesting_is_no_trouble() -> None:
    for depth in [*range(900, 1_050), 100_000]:
        assert read_problem(b'{"status":400,"title":' + b"[" * depth + b"]" * depth + b"}").status in (400, None)
    assert read_problem(b"<a>" * 50_000 + b"</a>" * 50_000) == Problem()


def test_the_sentence_is_the_providers_words_in_one_line() -> None:
    assert PROBLEM.sentence() == (
        "Invalid order. One field is wrong. consignee.city: At most 18 characters. poNumber: Too long. Not text."
    )
    assert Problem("A\nb", "  c\t", errors={"": ("d\r\n",)}).sentence() == "A b c d"
    assert Problem().sentence() == ""


def test_half_characters_are_replaced() -> None:
    problem = read_problem(b'{"title": "a\\ud83dz", "detail": "\\ud83d\\ude9a", "errors": {"\\udc00": ["x"]}}')
    assert problem == Problem("a\ufffdz", "🚚", errors={"\ufffd": ("x",)})


@UNTIMED
@given(st.binary() | st.text().map(str.encode), st.none() | st.text())
def test_no_bytes_raise(body: bytes, media_type: str | None) -> None:
    read_problem(body, media_type).sentence().encode()


def test_a_sentence_keeps_characters_that_python_takes_for_blanks() -> None:
    """They are control characters, and the window marks them; blanks and ends of lines become one blank."""
    told = Problem("one\x85two\x1cthree", "\u2028four \r\n\t five ", None, {})
    assert told.sentence() == "one\x85two\x1cthree \u2028four five"

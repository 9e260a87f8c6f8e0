"""The error and the sentence for each status and each broken connection."""

import json
import socket
import ssl
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.answers import error_of, retry_after, unreachable
from app.api.errors import (
    ApiError,
    BrokenReply,
    Busy,
    NotAllowed,
    NotAuthorised,
    NotFound,
    NotTaken,
    Refused,
    SentUnknown,
    ServerFault,
)


def chained(*errors: BaseException) -> BaseException:
    for outer, inner in pairwise(errors):
        outer.__cause__ = inner
    return errors[0]


PROBLEM = json.dumps(
    {"title": "Invalid order.", "status": 400, "errors": {"consignee.city": ["At most 18 characters."]}}
).encode()

MEANINGS: list[tuple[int, type[ApiError] | None, type[ApiError] | None]] = [
    (200, None, None),
    (202, None, None),
    (204, None, None),
    (301, BrokenReply, SentUnknown),
    (303, BrokenReply, SentUnknown),
    (307, BrokenReply, SentUnknown),
    (400, Refused, Refused),
    (401, NotAuthorised, NotAuthorised),
    (403, NotAllowed, NotAllowed),
    (404, NotFound, NotFound),
    (405, Refused, Refused),
    (408, Busy, Busy),
    (409, Refused, Refused),
    (422, Refused, Refused),
    (429, Busy, NotTaken),
    (500, ServerFault, ServerFault),
    (502, ServerFault, ServerFault),
    (503, Busy, Busy),
    (504, ServerFault, ServerFault),
    (699, ServerFault, ServerFault),
    (101, BrokenReply, BrokenReply),
]


@pytest.mark.parametrize(("status", "read", "write"), MEANINGS)
def test_a_status_means_one_error(status: int, read: type[ApiError] | None, write: type[ApiError] | None) -> None:
    assert type(error_of(status, {}, b"", write=False)) is (read or type(None))
    assert type(error_of(status, {}, b"", write=True)) is (write or type(None))


@given(st.integers(100, 999), st.binary(max_size=200), st.sampled_from(["text/html", "application/json", ""]))
def test_any_answer_means_something(status: int, body: bytes, kind: str) -> None:
    error = error_of(status, {"content-type": kind}, body, write=True)
    assert (error is None) == (200 <= status < 300)
    if error is not None:
        assert error.sentence.strip()
        settled = 400 <= status < 500 and status != 408
        assert error.may_have_acted is not settled


def test_a_refusal_carries_the_providers_words_by_field() -> None:
    error = error_of(400, {"content-type": "application/problem+json"}, PROBLEM, write=True)
    assert isinstance(error, Refused)
    assert error.problem.errors == {"consignee.city": ("At most 18 characters.",)}
    assert error.sentence == "Invalid order. consignee.city: At most 18 characters."


def test_a_doubtful_write_says_to_look_it_up_and_a_read_does_not() -> None:
    for status in (303, 408, 500, 503):
        write, read = (error_of(status, {}, b"", write=each) for each in (True, False))
        assert write is not None
        assert read is not None
        assert "look it up" in write.sentence
        assert "look it up" not in read.sentence


def test_a_page_for_people_is_told_from_a_providers_not_found() -> None:
    page = error_of(404, {"content-type": "text/html"}, b"<html>Not here</html>", write=False)
    record = error_of(404, {"content-type": "application/json"}, b'{"title": "Not found"}', write=False)
    assert isinstance(page, NotFound)
    assert isinstance(record, NotFound)
    assert (page.web_page, record.web_page) == (True, False)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": " 12 "}, 12.0),
        ({"retry-after": "9" * 400}, 86_400.0),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "٣"}, None),
        ({"retry-after": "Sat, 21 Nov 2026 10:00:30 GMT", "date": "Sat, 21 Nov 2026 10:00:00 GMT"}, 30.0),
        ({"retry-after": "Sat, 21 Nov 2026 09:00:00 GMT", "date": "Sat, 21 Nov 2026 10:00:00 GMT"}, 0.0),
        ({"retry-after": "Sat, 21 Nov 2026 99:00:00 GMT"}, None),
        ({"retry-after": "Wed, 21 Nov 2012 10:00:00 GMT"}, 0.0),
    ],
)
def test_retry_after_in_seconds_or_as_a_date(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        (socket.gaierror(-2, "Name or service not known"), "the name is not known"),
        (ConnectionRefusedError(111, "Connection refused"), "nothing listens"),
        (TimeoutError(), "no connection in time"),
        (chained(TimeoutError(), ssl.SSLWantReadError()), "no connection in time"),
        (ssl.SSLError(1, "wrong version number"), "does not speak TLS"),
        (OSError(101, "Network is unreachable"), "network is unreachable"),
        (ExceptionGroup("many", [ConnectionRefusedError(111, "Connection refused")]), "nothing listens"),
        (RuntimeError("with a token in it"), "the connection failed"),
    ],
)
def test_the_reason_is_found_however_deep_it_lies(cause: BaseException, words: str) -> None:
    sentence = unreachable("https://api.example", chained(RuntimeError("outer"), OSError("all failed"), cause))
    assert sentence.startswith("https://api.example could not be reached: ")
    assert words in sentence
    assert "token" not in sentence

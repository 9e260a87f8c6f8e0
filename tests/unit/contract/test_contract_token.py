"""Token replies as notes.md allows them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract.replies import TokenReply, read_token
from tests.support.contract_samples import UNTIMED

BOTH = frozenset({"order_management_api:orders", "order_information_api:orders"})
SPACED = "order_management_api:orders order_information_api:orders"


def reply(**fields: object) -> TokenReply | None:
    return read_token(json.dumps({"access_token": "ey.x-y_z~1", "token_type": "Bearer", **fields}).encode())


def test_a_token_reply() -> None:
    assert reply(expires_in=3600, scope=SPACED) == TokenReply("ey.x-y_z~1", 3600.0, BOTH)


@pytest.mark.parametrize(
    "scopes",
    [
        {"scope": SPACED},
        {"scopes": SPACED},
        {"scope": sorted(BOTH)},
        {"scopes": sorted(BOTH)},
        {"scope": [SPACED]},
        {"scope": None, "scopes": SPACED},
        {"scope": "", "scopes": sorted(BOTH)},
        {"scope": f"  {SPACED} "},
        {"scope": [*BOTH, None, 5]},
    ],
)
def test_granted_scopes_in_any_of_their_forms(scopes: dict[str, object]) -> None:
    token = reply(expires_in=60, **scopes)
    assert token is not None
    assert token.granted == BOTH


@pytest.mark.parametrize("scopes", [{}, {"scope": None}, {"scope": 5}, {"scope": {}}, {"scope": ""}, {"scopes": []}])
def test_scopes_that_are_not_said_are_unknown_and_not_none_at_all(scopes: dict[str, object]) -> None:
    token = reply(expires_in=60, **scopes)
    assert token is not None
    assert token.granted is None


@pytest.mark.parametrize(
    ("life", "seconds"),
    [
        (3600, 3600.0),
        ("3600", 3600.0),
        (59.5, 59.5),
        (0, 0.0),
        (-5, 0.0),
        (None, 0.0),
        ("soon", 0.0),
        ([], 0.0),
        ("NaN", 0.0),
        ("Infinity", 0.0),
        (float("inf"), 0.0),
        (float("nan"), 0.0),
        (10**400, 0.0),
        ("9" * 9999, 0.0),
    ],
)
def test_lifetimes(life: object, seconds: float) -> None:
    token = reply(expires_in=life)
    assert token is not None
    assert token.expires_in == seconds


@pytest.mark.parametrize(
    "token", [None, "", " ", 5, True, [], {}, "a b", "a\nb", "a\x00", "ä", "a\x7f", "x\r\nEvil: 1"]
)
def test_what_cannot_stand_in_a_header_is_no_token(token: object) -> None:
    assert reply(access_token=token) is None


@pytest.mark.parametrize(
    "body", [b"", b"null", b"[]", b'"token"', b"5", b"{}", b"{", b"<html></html>", b"\xff\xfe", b'{"error":"x"}']
)
def test_what_is_no_token_reply(body: bytes) -> None:
    assert read_token(body) is None


def test_a_token_is_not_shown() -> None:
    assert "ey.x" not in repr(reply(expires_in=1))


@UNTIMED
@given(
    st.binary()
    | st.dictionaries(st.sampled_from(["access_token", "expires_in", "scope"]), st.text()).map(
        lambda record: json.dumps(record).encode()
    )
)
def test_no_bytes_raise(body: bytes) -> None:
    token = read_token(body)
    assert token is None or token.access_token.isprintable()

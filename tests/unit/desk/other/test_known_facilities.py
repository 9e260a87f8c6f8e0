"""Facility codes that a desk does not know are doubted, and the near known one is named."""

import pytest

from app.desk.known.known_facilities import KnownFacilities, is_slip

KNOWN = KnownFacilities(
    [
        {"code": "MEM01", "name": "South", "city": "Memphis"},
        {"code": "ATL-07", "name": "East"},
        {"code": "F012"},
        {"code": "F021"},
    ]
)


@pytest.mark.parametrize("code", ["", "  ", "MEM01", " mem01 ", "f012"])
def test_a_known_code_or_none_is_not_doubted(code: str) -> None:
    assert KNOWN.doubt(code) is None


def test_where_no_facility_is_known_none_is_doubted() -> None:
    assert KnownFacilities().doubt("MEM") is None


@pytest.mark.parametrize(
    ("code", "meant"),
    [
        ("MEM", "MEM01"),
        ("MEM1", "MEM01"),
        ("NEM01", "MEM01"),
        ("MME01", "MEM01"),
        ("MEM-01", "MEM01"),
        ("MEM01 - Memphis", "MEM01"),
        ("Memphis", "MEM01"),
        ("east", "ATL-07"),
        ("ATL07", "ATL-07"),
    ],
)
def test_the_near_known_code_is_named_as_the_one_that_was_meant(code: str, meant: str) -> None:
    doubt = KNOWN.doubt(code)
    assert doubt is not None
    assert doubt.proposal == meant
    assert doubt.sentence == f"{code} is not known here. Did you mean {meant}?"


@pytest.mark.parametrize("code", ["MEM02", "DAL01", "M", "X" * 3_000])
def test_a_new_facility_has_one_plain_sentence(code: str) -> None:
    doubt = KNOWN.doubt(code)
    assert doubt is not None
    assert (doubt.sentence, doubt.proposal) == (f"{code} is not known here.", "")


def test_of_several_near_codes_none_is_put_in_by_itself() -> None:
    doubt = KNOWN.doubt("F0")
    assert doubt is not None
    assert doubt.proposal == ""
    assert doubt.sentence == "F0 is not known here. Did you mean F012 or F021?"


@pytest.mark.parametrize(
    ("typed", "meant", "slip"),
    [
        ("AB", "AB", False),
        ("AB", "ABC", True),
        ("AABB", "ABB", True),
        ("ABCD", "ACBD", True),
        ("ABCD", "AXCD", True),
        ("AB12", "AB13", False),
        ("ABCD", "AXXD", False),
        ("", "A", True),
    ],
)
def test_a_slip_is_one_letter(typed: str, meant: str, slip: bool) -> None:
    assert is_slip(typed, meant) is slip
    assert is_slip(meant, typed) is slip

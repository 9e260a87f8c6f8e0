"""Phone numbers and ZIPs in the form in which people read them aloud; any other text is left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ui.entry.form.field_notes import phone, zip_code


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("9015550142", "(901) 555-0142"),
        ("901-555-0142", "(901) 555-0142"),
        ("901.555.0142", "(901) 555-0142"),
        ("+1 (901) 555 0142", "(901) 555-0142"),
        ("19015550142", "(901) 555-0142"),
        ("901 555 0142 ext. 12", "(901) 555-0142 ext. 12"),
        ("901-555-0142x9", "(901) 555-0142 ext. 9"),
    ],
)
def test_a_phone_number_is_read_in_groups(typed: str, read: str) -> None:
    assert phone(typed) == read


@pytest.mark.parametrize(
    "typed", ["", "555-0142", "+44 20 7946 0000", "901555014", "90155501422", "ask Jo", "٩٠١٥٥٥٠١٤٢"]
)
def test_what_is_no_number_of_here_is_not_read(typed: str) -> None:
    assert phone(typed) == ""


@pytest.mark.parametrize(
    ("typed", "read"),
    [("38104", "38104"), ("381040142", "38104-0142"), ("38104-0142", "38104-0142"), ("3810", ""), ("K1A 0B1", "")],
)
def test_a_zip_is_read_with_its_dash(typed: str, read: str) -> None:
    assert zip_code(typed) == read


@given(st.text(max_size=24) | st.text("0123456789 ()+-.x", max_size=18))
def test_any_text_raises_nothing(typed: str) -> None:
    assert phone(phone(typed)) == phone(typed)
    assert zip_code(zip_code(typed)) == zip_code(typed)

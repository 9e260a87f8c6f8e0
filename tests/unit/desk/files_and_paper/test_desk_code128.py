"""Code 128: whatever is encoded reads back letter for letter, and what would not is refused in words."""

import pytest
import zxingcpp
from hypothesis import given
from hypothesis import strategies as st

from app.desk.printing.code128 import QUIET, CannotEncode, widths

PRINTABLE = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=50)


def read(found: tuple[int, ...], module: int = 2, height: int = 20) -> str:
    """The bars drawn as dots, and read by a decoder that knows nothing of how they were made."""
    row = b"\xff" * QUIET * module
    for place, width in enumerate(found):
        row += (b"\xff" if place % 2 else b"\x00") * width * module
    row += b"\xff" * QUIET * module
    picture = memoryview(row * height).cast("B", shape=[height, len(row)])
    result = zxingcpp.read_barcode(picture, zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.Code128))
    assert result is not None
    return result.text


@given(PRINTABLE)
def test_what_is_encoded_reads_back_letter_for_letter(text: str) -> None:
    assert read(widths(text)) == text


@pytest.mark.parametrize("text", ["9912345678", "99", "990", "003123456789010000", "(00)123", " a ", "~ {|}", "100"])
def test_texts_that_encoders_have_stumbled_over(text: str) -> None:
    assert read(widths(text)) == text


def test_digits_are_packed_two_and_two() -> None:
    """Start, check and stop are 35 modules; a pair of digits 11, a letter 11."""
    assert sum(widths("00312345678901")) == 35 + 7 * 11
    assert sum(widths("A" * 50)) == 35 + 50 * 11
    assert len(widths("7")) % 2 == 1, "it begins and ends with a bar"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "There is no text to make a barcode of."),
        ("Ünï", "Code 128 holds plain English letters, digits and signs; it cannot hold Ü ï"),
        ("٣", "it cannot hold ٣"),
        ("a\tb", "It holds a hidden character (U+0009), which a scanner would not type again."),
        ("a\u202eb", "It holds a hidden character (U+202E), which a scanner would not type again."),
        ("x" * 130, "Its 130 characters are too many for one Code 128."),
    ],
)
def test_what_would_not_read_back_is_refused(text: str, said: str) -> None:
    with pytest.raises(CannotEncode) as refused:
        widths(text)
    assert said in refused.value.sentence

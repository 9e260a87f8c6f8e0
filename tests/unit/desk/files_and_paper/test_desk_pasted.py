"""Blocks of cells come from spreadsheets and go back to them letter for letter."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.desk.text.pasted_cells import known_columns, read_block, write_block

NAMES = {"commodity": ("Commodity", "SKU"), "count": ("Count", "Qty"), "volume": ("Volume, cu ft", "cubic feet")}


@pytest.mark.parametrize(
    ("text", "block"),
    [
        ("A", [["A"]]),
        ("A\n", [["A"]]),
        ("A\r\n", [["A"]]),
        ("A\tB\r\nC\tD\r\n", [["A", "B"], ["C", "D"]]),
        ("A\rB", [["A"], ["B"]]),
        ("A\n\nB", [["A"], [""], ["B"]]),
        ("A\t", [["A", ""]]),
        ("\tA", [["", "A"]]),
        ('"a\tb"\tc', [["a\tb", "c"]]),
        ('"two\nlines"\nx', [["two\nlines"], ["x"]]),
        ('"say ""hi"""', [['say "hi"']]),
        ('6" pipe\t1', [['6" pipe', "1"]]),
        ('"quoted" word\t1', [['"quoted" word', "1"]]),
        ('"never closed\tB', [['"never closed', "B"]]),
        ("", [[""]]),
    ],
)
def test_a_block_is_read_as_spreadsheets_write_it(text: str, block: list[list[str]]) -> None:
    assert read_block(text) == block


cells = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from('\t\n\r"'), max_size=6)


@given(st.integers(1, 3).flatmap(lambda wide: st.lists(st.lists(cells, min_size=wide, max_size=wide), min_size=1)))
def test_what_is_written_is_read_again(block: list[list[str]]) -> None:
    text = write_block(block)
    if block[-1] != [""]:  # an empty last row of one column is what ends the row before it
        assert read_block(text) == block
    if not any(char in text for char in "\r\x00"):
        assert [row or [""] for row in csv.reader(io.StringIO(text, newline=""), "excel-tab")] in (block, block[:-1])


@given(st.text(max_size=30) | st.text('a"\t\n\r', max_size=20))
def test_no_text_is_too_odd(text: str) -> None:
    block = read_block(text)
    assert block
    assert all(block)


@pytest.mark.parametrize(
    ("header", "columns"),
    [
        (["Commodity", "Count"], ["commodity", "count"]),
        (["qty", "sku"], ["count", "commodity"]),
        (["CUBIC FEET", "Colour", "Sku"], ["volume", None, "commodity"]),
        (["volume cu.ft."], ["volume"]),
        (["", "Count"], [None, "count"]),
    ],
)
def test_a_header_row_names_columns_in_any_order(header: list[str], columns: list[str | None]) -> None:
    assert known_columns(header, NAMES) == columns


@pytest.mark.parametrize("row", [["SOFA", "2"], ["Count", "2"], ["Count", "Qty"], [""], [], ["-"]])
def test_a_row_of_data_is_no_header(row: list[str]) -> None:
    assert known_columns(row, NAMES) is None

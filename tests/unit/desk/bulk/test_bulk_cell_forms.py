"""Numbers and dates as files write them: one meaning, or a sentence."""

import time
from datetime import date

import pytest

from app.desk.bulk.mapping.cell_forms import find_date_order, find_decimal, read_day, read_number, write_number
from app.desk.bulk.mapping.column_mapping import DateOrder, Decimal


@pytest.mark.parametrize(
    ("text", "decimal", "value"),
    [
        ("12", "", "12"),
        ("12.5", "", "12.5"),
        ("12,5", "", "12.5"),
        ("12,5", ",", "12.5"),
        ("1.234,5", ",", "1234.5"),
        ("1.234,5", "", "1234.5"),
        ("1,234.5", ".", "1234.5"),
        ("1,234", ".", "1234"),
        ("1.234", ",", "1234"),
        ("1.234", ".", "1.234"),
        ("1 234,5", ",", "1234.5"),
        ("1\u202f234,5", ",", "1234.5"),
        ("1'234.50", ".", "1234.50"),
        ("0,125", "", "0.125"),
        ("1,234,567", "", "1234567"),
        (",5", ",", "0.5"),
        ("-3,5", ",", "-3.5"),
    ],
)
def test_a_number_is_taken_for_what_it_says(text: str, decimal: Decimal, value: str) -> None:
    assert read_number(text, decimal) == (value, None)


@pytest.mark.parametrize(
    ("text", "decimal"), [("1,234", ""), ("1.234", ""), ("12.5", ","), ("12,5", "."), ("1.234,5", ".")]
)
def test_a_number_that_could_be_another_has_a_sentence(text: str, decimal: Decimal) -> None:
    value, trouble = read_number(text, decimal)
    assert value == text
    assert trouble is not None


@pytest.mark.parametrize("text", ["abc", "12 pcs", "1.2.3", "1,23,4", "--5", "", "1,2345,678"])
def test_what_is_no_number_is_left_to_the_check_of_the_order(text: str) -> None:
    assert read_number(text, "") == (text, None)


@pytest.mark.parametrize("decimal", [".", ",", ""])
@pytest.mark.parametrize("value", ["1", "12.5", "1.234", "1234.5", "0.125", "-3.75", "1000000"])
def test_what_is_written_is_read_as_it_was(value: str, decimal: Decimal) -> None:
    found, trouble = read_number(write_number(value, decimal), decimal)
    assert trouble is None
    assert float(found) == float(value)


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (["1,5", "2", "1.234"], (",", False)),
        (["1.5", "1,234"], (".", False)),
        (["1,234", "5"], ("", False)),
        (["1,5", "1.5"], ("", True)),
        (["1.234,5"], (",", False)),
    ],
)
def test_the_decimal_sign_is_found_where_something_tells(texts: list[str], found: tuple[str, bool]) -> None:
    assert find_decimal(texts) == found


@pytest.mark.parametrize(
    ("text", "order", "day"),
    [
        ("2026-12-01", "", "2026-12-01"),
        ("2026/12/1", "", "2026-12-01"),
        ("2026年12月1日", "", "2026-12-01"),
        ("20261201", "", "2026-12-01"),
        ("12/24/2026", "", "2026-12-24"),
        ("24/12/2026", "", "2026-12-24"),
        ("03/04/2026", "mdy", "2026-03-04"),
        ("03/04/2026", "dmy", "2026-04-03"),
        ("3-4-26", "dmy", "2026-04-03"),
        ("05/05/2026", "", "2026-05-05"),
        ("03.04.2026", "", "2026-04-03"),
        ("24 Dec 2026", "", "2026-12-24"),
        ("24-Dec-26", "", "2026-12-24"),
        ("Dec 24, 2026", "", "2026-12-24"),
        ("Thu, 24 December 2026", "", "2026-12-24"),
        ("24. Dezember 2026", "", "2026-12-24"),
        ("1er décembre 2026", "", "2026-12-01"),
        ("24 de diciembre de 2026", "", "2026-12-24"),
        ("2026-12-01T00:00:00", "", "2026-12-01"),
        ("12/24/2026 12:00:00 AM", "", "2026-12-24"),
    ],
)
def test_a_date_is_taken_for_what_it_says(text: str, order: DateOrder, day: str) -> None:
    assert read_day(text, order) == (day, None)


@pytest.mark.parametrize(
    ("text", "order", "proposal"),
    [
        ("03/04/2026", "", ""),
        ("24/12/2026", "mdy", "2026-12-24"),
        ("12/24/2026", "dmy", "2026-12-24"),
        ("46357", "", "2026-12-01"),
    ],
)
def test_a_date_that_could_be_another_has_a_sentence(text: str, order: DateOrder, proposal: str) -> None:
    value, trouble = read_day(text, order)
    assert value == text
    assert trouble is not None
    assert (trouble.proposal, trouble.doubt) == (proposal, False)


@pytest.mark.parametrize(
    ("text", "order", "value", "other"),
    [
        ("12/1/2026", "dmy", "2026-01-12", "2026-12-01"),
        ("11/23/2026", "mdy", "2026-11-23", ""),  # it can only be that one
        ("12/1/2026", "mdy", "2026-12-01", ""),  # to come
        ("03/04/2026", "dmy", "2026-04-03", ""),  # over either way
        ("05/05/2026", "dmy", "2026-05-05", ""),  # the same either way
        ("11/12/2026", "mdy", "2026-11-12", "2026-12-11"),
    ],
)
def test_a_day_that_is_over_is_a_doubt_where_the_other_order_makes_it_one_to_come(
    text: str, order: DateOrder, value: str, other: str
) -> None:
    found, trouble = read_day(text, order, date(2026, 11, 23))
    assert found == value
    assert (trouble.proposal, trouble.doubt) == (other, True) if trouble is not None else not other


@pytest.mark.parametrize("text", ["12/1/2026", "12/24/2026"])
def test_a_sentence_about_the_order_of_dates_does_not_say_where_it_is_from(text: str) -> None:
    _, trouble = read_day(text, "dmy", date(2026, 11, 23))
    assert trouble is not None
    assert "the order of dates above the table" in trouble.sentence
    assert "other dates" not in trouble.sentence, "it may be kept from another file, or chosen by a person"


def test_a_time_of_day_is_left_out_and_said() -> None:
    value, trouble = read_day("2026-12-01 14:30", "")
    assert value == "2026-12-01"
    assert trouble is not None
    assert trouble.doubt


@pytest.mark.parametrize("text", ["x" * 30_000, "mon " * 8_000, ", " * 15_000])
def test_a_cell_that_holds_a_book_is_no_date_and_is_done_with_at_once(text: str) -> None:
    started = time.monotonic()
    assert read_day(text, "") == (text, None)
    assert find_date_order([text]) == ("", False)
    assert time.monotonic() - started < 2, "the time it takes grows with the square of its length"


@pytest.mark.parametrize("text", ["soon", "31/02/2026", "2026-13-01", "12/24", "Monday"])
def test_what_is_no_date_is_left_to_the_check_of_the_order(text: str) -> None:
    assert read_day(text, "") == (text, None)


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (["12/24/2026", "03/04/2026"], ("mdy", False)),
        (["24/12/2026", "03/04/2026"], ("dmy", False)),
        (["03.04.2026"], ("dmy", False)),
        (["03/04/2026", "2026-01-01"], ("", False)),
        (["12/24/2026", "24/12/2026"], ("", True)),
    ],
)
def test_the_order_of_dates_is_found_where_something_tells(texts: list[str], found: tuple[str, bool]) -> None:
    assert find_date_order(texts) == found

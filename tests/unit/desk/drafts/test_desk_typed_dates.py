"""Dates as people type them, read on Saturday 21 November 2026."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract.moments import read_date
from app.desk.text.typed_dates import in_words, is_weekend, meant_instead, read_typed_date

TODAY = date(2026, 11, 21)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("+3", "2026-11-24"),
        ("+ 3", "2026-11-24"),
        ("+0", "2026-11-21"),
        ("+2w", "2026-12-05"),
        ("+10 days", "2026-12-01"),
        ("today", "2026-11-21"),
        ("Tomorrow", "2026-11-22"),
        ("fri", "2026-11-27"),
        ("Friday", "2026-11-27"),
        ("next fri", "2026-11-27"),
        ("mo", "2026-11-23"),
        ("sat", "2026-11-28"),
        ("12/24", "2026-12-24"),
        ("12-24", "2026-12-24"),
        ("11/21", "2026-11-21"),
        ("11/20", "2027-11-20"),
        ("1/5", "2027-01-05"),
        ("1/5/26", "2026-01-05"),
        ("1/5/2028", "2028-01-05"),
        ("2/29", "2028-02-29"),
        ("dec 24", "2026-12-24"),
        ("Dec. 24", "2026-12-24"),
        ("24 December", "2026-12-24"),
        ("Thu 24 Dec", "2026-12-24"),
        ("Thursday, December 24, 2026", "2026-12-24"),
        ("may 3", "2027-05-03"),
        ("24 dec 2028", "2028-12-24"),
        ("2026-12-24", "2026-12-24"),
        ("2026-2-3", "2026-02-03"),
        (" 2026-12-24 ", "2026-12-24"),
    ],
)
def test_what_is_typed_is_the_day_that_was_meant(typed: str, meant: str) -> None:
    assert read_typed_date(typed, TODAY) == read_date(meant)


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "+",
        "3",
        "t",
        "s",
        "f",
        "fro",
        "13/1",
        "ju 3",
        "feb 30",
        "fri 24 dec",
        "de 24",
        "dec",
        "24/12",
        "2/30",
        "2026-02-30",
        "5.6",
        "12/24/",
        "+9999",
        "٣/٤",
    ],
)
def test_what_is_no_date_or_could_be_two_is_none(typed: str) -> None:
    assert read_typed_date(typed, TODAY) is None


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("31/12", date(2026, 12, 31)),
        ("24-12-2027", date(2027, 12, 24)),
        ("11/31", date(2026, 11, 30)),
        ("2/30", date(2027, 2, 28)),
        ("12/24", None),  # it is a date
        ("31/13", None),
        ("12/40", None),
        ("soon", None),
    ],
)
def test_a_day_that_comes_near_is_offered_for_a_text_that_is_none(typed: str, meant: date | None) -> None:
    assert meant_instead(typed, TODAY) == meant


def test_the_end_of_time_is_no_fault() -> None:
    assert read_typed_date("+999w", date(9999, 12, 1)) is None
    assert read_typed_date("fri", date(9999, 12, 31)) is None


@given(st.text(max_size=12) | st.from_regex(r"[+\d/ a-z-]{0,10}"), st.dates())
def test_any_text_on_any_day_raises_nothing(typed: str, today: date) -> None:
    found = read_typed_date(typed, today)
    assert found is None or read_typed_date(found.isoformat(), today) == found


@pytest.mark.parametrize(
    ("day", "words"),
    [
        (date(2026, 11, 21), "Sat, today"),
        (date(2026, 11, 22), "Sun, tomorrow"),
        (date(2026, 11, 20), "Fri, yesterday"),
        (date(2026, 12, 24), "Thu, in 33 days"),
        (date(2026, 11, 11), "Wed, 10 days ago"),
    ],
)
def test_a_day_is_said_as_a_person_would(day: date, words: str) -> None:
    assert in_words(day, TODAY) == words


def test_weekends() -> None:
    assert [is_weekend(date(2026, 11, day)) for day in range(16, 23)] == [False] * 5 + [True] * 2

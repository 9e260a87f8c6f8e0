"""Dates as people type them, read on Saturday 21 November 2026."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract.moments import read_date
from app.desk.text.typed_dates import in_words, is_weekend, meant_instead, read_typed_date, short_day

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


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("+3 days", "2026-11-24"),
        ("Tomorrow", "2026-11-22"),
        ("fri", "2026-11-20"),
        ("sat", "2026-11-21"),
        ("sun", "2026-11-15"),
        ("11/21", "2026-11-21"),
        ("11/20", "2026-11-20"),
        ("11/22", "2025-11-22"),
        ("1/5/28", "2028-01-05"),
        ("2/29", "2024-02-29"),
        ("nov 20", "2026-11-20"),
        ("20 nov", "2026-11-20"),
        ("21 Nov", "2026-11-21"),
        ("dec 24", "2025-12-24"),
        ("jan 5", "2026-01-05"),
        ("Mon 16 Nov", "2026-11-16"),
        ("Wed 24 Dec", "2025-12-24"),
        ("dec 1 2026", "2026-12-01"),
        ("Nov 20, 2025", "2025-11-20"),
        ("2026-12-24", "2026-12-24"),
        ("tue 16 nov", None),
        ("2/30", None),
    ],
)
def test_a_day_of_the_past_is_the_latest_that_fits(typed: str, meant: str | None) -> None:
    assert read_typed_date(typed, TODAY, back=True) == (None if meant is None else read_date(meant))


def test_the_end_of_time_is_no_fault() -> None:
    assert read_typed_date("+999w", date(9999, 12, 1)) is None
    assert read_typed_date("fri", date(9999, 12, 31)) is None
    assert read_typed_date("fri", date(1, 1, 1), back=True) is None
    assert read_typed_date("1/5", date(1, 1, 1), back=True) is None


@given(st.text(max_size=12) | st.from_regex(r"[+\d/ a-z-]{0,10}"), st.dates(), st.booleans())
def test_any_text_on_any_day_raises_nothing(typed: str, today: date, back: bool) -> None:
    found = read_typed_date(typed, today, back=back)
    assert found is None or read_typed_date(found.isoformat(), today) == found


@given(st.dates(date(2000, 1, 1), date(2100, 1, 1)), st.integers(0, 179))
def test_a_day_of_the_past_as_it_is_shown_is_that_day(today: date, days: int) -> None:
    shown = today - timedelta(days=days)
    assert read_typed_date(short_day(shown, today), today, back=True) == shown


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

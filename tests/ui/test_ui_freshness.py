"""What is said about how fresh the orders are: never fresher, and never of more days, than was fetched."""

from datetime import datetime, timedelta

import pytest

from app.desk.sync import Progress, Refreshed
from app.desk.sync_plan import Missing
from app.store.cache_rows import WindowRow
from app.ui.orders.freshness import age_words, emptiness, progress_words, trouble_words
from app.ui.widgets.times import clock, day, moment, since

NOW = datetime(2026, 11, 20, 14, 2, 10)


def window(days_ago: int, fetched: datetime | None, error: str | None = None) -> WindowRow:
    start = datetime(2026, 11, 14) - timedelta(days=days_ago)
    return WindowRow(start, start + timedelta(days=7) - timedelta(seconds=1), fetched, 3, error)


def test_the_age_and_the_days_of_what_was_just_fetched() -> None:
    rows = [window(0, NOW), window(7, NOW - timedelta(seconds=2)), window(14, NOW - timedelta(seconds=3))]
    assert age_words(rows, "open", NOW) == "As of 14:02:10 · imported since 31 Oct 2026"
    assert age_words(rows, "completed", NOW) == "As of 14:02:10 · delivered since 31 Oct 2026"


def test_nothing_was_fetched_yet() -> None:
    assert age_words([], "open", NOW) == "Never refreshed"
    assert age_words([window(0, None, "No.")], "open", NOW) == "Never refreshed"


def test_days_that_were_fetched_long_ago_are_not_called_fresh() -> None:
    """Somebody once looked a year back; since then only the last weeks are refreshed."""
    old = NOW - timedelta(days=12)
    rows = [window(0, NOW), window(7, NOW), *(window(7 * week, old) for week in range(2, 50))]
    assert age_words(rows, "open", NOW) == "As of 14:02:10 · imported since 07 Nov 2026; older ones as last seen"


def test_a_window_whose_last_try_failed_has_its_older_age() -> None:
    rows = [window(0, NOW), window(7, NOW - timedelta(hours=3), "The provider failed.")]
    assert age_words(rows, "open", NOW) == "As of 14:02:10 · imported since 14 Nov 2026; older ones as last seen"


def test_what_yesterday_s_windows_left_behind_breaks_no_coverage() -> None:
    """Windows begin a day later each day; those of yesterday lie across those of today."""
    yesterday = NOW - timedelta(days=1)
    rows = [window(0, NOW), window(1, yesterday), window(7, NOW), window(8, yesterday)]
    assert age_words(rows, "open", NOW) == "As of 14:02:10 · imported since 07 Nov 2026; older ones as last seen"
    assert age_words(rows[:3], "open", NOW) == "As of 14:02:10 · imported since 07 Nov 2026"


def test_a_gap_ends_what_is_covered() -> None:
    rows = [window(0, NOW), window(14, NOW)]
    assert age_words(rows, "open", NOW) == "As of 14:02:10 · imported since 14 Nov 2026; older ones as last seen"


def test_yesterday_s_age_is_said_with_its_day() -> None:
    rows = [window(0, NOW - timedelta(days=1))]
    assert age_words(rows, "open", NOW) == "As of yesterday 14:02 · imported since 14 Nov 2026"


def gap(first: int, last: int, words: str = "The provider failed.") -> Missing:
    return Missing("open", datetime(2026, 11, first), datetime(2026, 11, last, 23, 59, 59), words)


def test_trouble_names_the_days_that_are_missing_and_why() -> None:
    assert trouble_words(Refreshed(3, NOW)) == ""
    words = trouble_words(Refreshed(3, NOW, "The provider failed.", (gap(7, 20),)))
    assert words == (
        "The provider failed. Orders of 07 Nov to 20 Nov were not refreshed. What was seen before is still shown."
    )
    assert "Orders of 14 Nov were" in trouble_words(Refreshed(0, NOW, "No.", (gap(14, 14),)))
    assert trouble_words(Refreshed(3, NOW, unreadable=1_200)).startswith("1,200 records")


def test_days_that_are_missing_for_several_reasons_are_named_by_each() -> None:
    two = (gap(14, 14), gap(10, 11), gap(7, 7, "It was busy."))
    words = trouble_words(Refreshed(3, NOW, "The provider failed.", two))
    assert "The provider failed. Orders of 14 Nov, 10 Nov to 11 Nov were" in words
    assert "It was busy. Orders of 07 Nov were" in words
    many = tuple(gap(day, day, f"Reason {day % 5}.") for day in range(1, 30))
    assert "and 3 more times" in trouble_words(Refreshed(3, NOW, "", many))
    assert "And 3 more reasons for other days." in trouble_words(Refreshed(3, NOW, "", many))


def test_days_that_were_not_asked_for_yet_are_no_trouble() -> None:
    assert trouble_words(Refreshed(3, NOW, "", (gap(7, 20, ""),))) == ""


def test_progress() -> None:
    assert progress_words(Progress(0, 5, 0)) == "Refreshing…"
    assert progress_words(Progress(2, 5, 12_345)) == "Refreshing, 12,345 orders received…"


@pytest.mark.parametrize(
    ("filtered", "connected", "busy", "result", "words"),
    [
        (True, True, False, None, "No order matches this filter"),
        (False, False, False, None, "No orders seen yet"),
        (False, True, True, None, "Asking the provider…"),
        (False, True, False, None, "Asking the provider…"),
        (
            False,
            True,
            False,
            Refreshed(0, NOW, "No.", (Missing("open", NOW, NOW, "No."),)),
            "No orders could be fetched",
        ),
        (False, True, False, Refreshed(0, NOW), "No open orders"),
    ],
)
def test_an_empty_list_says_why(
    filtered: bool, connected: bool, busy: bool, result: Refreshed | None, words: str
) -> None:
    why = emptiness(
        "open", filtered=filtered, trouble="Not connected.", connected=connected, busy=busy, result=result, days=30
    )
    assert why.heading == words
    assert bool(why.action) == (filtered or bool(result and result.missing))


def test_times_as_people_read_them() -> None:
    assert clock(NOW) == "14:02:10"
    assert moment(NOW) == "Fri 20 Nov 2026 14:02"
    assert moment(datetime(2026, 11, 20)) == "Fri 20 Nov 2026"
    assert (moment(None), day(None)) == ("", "")
    assert since(NOW - timedelta(seconds=59), NOW) == "just now"
    assert since(NOW - timedelta(minutes=1), NOW) == "1 minute ago"
    assert since(NOW - timedelta(minutes=59), NOW) == "59 minutes ago"
    assert since(NOW - timedelta(hours=2), NOW) == "today 12:02"
    assert since(NOW - timedelta(hours=20), NOW) == "yesterday 18:02"
    assert since(NOW - timedelta(days=3), NOW) == "Tue 17 Nov 2026 14:02"

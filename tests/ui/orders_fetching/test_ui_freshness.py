"""The words about freshness never claim a later fetch, or more days, than there was."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from app.desk.sync.order_sync import ListResult, Progress
from app.desk.sync.window_plan import Gap, Job
from app.store.cache.order_rows import WindowRow
from app.ui.orders import orders_words
from app.ui.orders.fetching.freshness import (
    age_words,
    departed_words,
    empty_state,
    progress_words,
    shown_orders,
    status_words,
    stopped_words,
    trouble_words,
    window_state,
)
from app.ui.widgets.text.times import clock, day, moment, since

NOW = datetime(2026, 11, 20, 14, 2, 10)


@pytest.fixture(autouse=True)
def that_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the day of `NOW`, also for days that are shown without their year."""
    monkeypatch.setattr("app.ui.orders.fetching.freshness.today", NOW.date)


def window(days_ago: int, fetched: datetime | None, error: str | None = None) -> WindowRow:
    start = datetime(2026, 11, 14) - timedelta(days=days_ago)
    return WindowRow(start, start + timedelta(days=7) - timedelta(seconds=1), fetched, 3, error)


def test_the_age_and_the_days_of_what_was_just_fetched() -> None:
    rows = [window(0, NOW), window(7, NOW - timedelta(seconds=2)), window(14, NOW - timedelta(seconds=3))]
    assert age_words(rows, "open", NOW) == "as of 14:02:10 · imported since Sat 31 Oct"
    assert age_words(rows, "completed", NOW) == "as of 14:02:10 · delivered since Sat 31 Oct"


def test_nothing_was_fetched_yet() -> None:
    assert age_words([], "open", NOW) == "never refreshed"
    assert age_words([window(0, None, "No.")], "open", NOW) == "never refreshed"


def test_days_that_were_fetched_long_ago_are_not_called_fresh() -> None:
    """Somebody once looked a year back; since then only the last weeks are refreshed."""
    old = NOW - timedelta(days=12)
    rows = [window(0, NOW), window(7, NOW), *(window(7 * week, old) for week in range(2, 50))]
    assert age_words(rows, "open", NOW) == "as of 14:02:10 · imported since Sat 7 Nov; older ones as last seen"


def test_a_window_whose_last_try_failed_has_its_older_age() -> None:
    rows = [window(0, NOW), window(7, NOW - timedelta(hours=3), "The provider failed.")]
    assert age_words(rows, "open", NOW) == "as of 14:02:10 · imported since Sat 14 Nov; older ones as last seen"


def test_what_yesterday_s_windows_left_behind_breaks_no_coverage() -> None:
    """Windows begin a day later each day; those of yesterday lie across those of today."""
    yesterday = NOW - timedelta(days=1)
    rows = [window(0, NOW), window(1, yesterday), window(7, NOW), window(8, yesterday)]
    assert age_words(rows, "open", NOW) == "as of 14:02:10 · imported since Sat 7 Nov; older ones as last seen"
    assert age_words(rows[:3], "open", NOW) == "as of 14:02:10 · imported since Sat 7 Nov"


def test_a_gap_ends_what_is_covered() -> None:
    rows = [window(0, NOW), window(14, NOW)]
    assert age_words(rows, "open", NOW) == "as of 14:02:10 · imported since Sat 14 Nov; older ones as last seen"


def test_yesterday_s_age_is_said_with_its_day() -> None:
    rows = [window(0, NOW - timedelta(days=1))]
    assert age_words(rows, "open", NOW) == "as of yesterday 14:02 · imported since Sat 14 Nov"


def gap(first: int, last: int, words: str = "The provider failed.") -> Gap:
    return Gap("open", datetime(2026, 11, first), datetime(2026, 11, last, 23, 59, 59), words)


def test_trouble_names_the_days_that_are_missing_and_why() -> None:
    assert trouble_words(ListResult(3, NOW)) == ""
    words = trouble_words(ListResult(3, NOW, "The provider failed.", (gap(7, 20),)))
    assert words == (
        "The provider failed. Orders of Sat 7 Nov to Fri 20 Nov were not refreshed. "
        "What was seen before is still shown."
    )
    assert "Orders of Sat 14 Nov were" in trouble_words(ListResult(0, NOW, "No.", (gap(14, 14),)))


def test_days_that_are_missing_for_several_reasons_are_named_by_each() -> None:
    two = (gap(14, 14), gap(10, 11), gap(7, 7, "It was busy."))
    words = trouble_words(ListResult(3, NOW, "The provider failed.", two))
    assert "The provider failed. Orders of Sat 14 Nov, Tue 10 Nov to Wed 11 Nov were" in words
    assert "It was busy. Orders of Sat 7 Nov were" in words
    many = tuple(gap(day, day, f"Reason {day % 5}.") for day in range(1, 30))
    assert "and 3 more date ranges" in trouble_words(ListResult(3, NOW, "", many))
    assert "And 3 more reasons for other days." in trouble_words(ListResult(3, NOW, "", many))


def test_unreadable_records_are_reported_with_their_days() -> None:
    days = [datetime(2026, 11, day) for day in (14, 10, 3, 1)]
    spans = tuple((day, day.replace(hour=23, minute=59, second=59)) for day in days)
    one = ListResult(3, NOW, unreadable=1, unreadable_in=spans[:1])
    assert trouble_words(one) == "1 record in the provider's list of Sat 14 Nov could not be read and is not shown."
    many = ListResult(3, NOW, "It was busy.", (gap(7, 7, "It was busy."),), 1_200, unreadable_in=spans)
    assert trouble_words(many) == (
        "It was busy. Orders of Sat 7 Nov were not refreshed. What was seen before is still shown. 1,200 records in "
        "the provider's list of Sat 14 Nov, Tue 10 Nov, Tue 3 Nov and 1 more date range could not be read and are not "
        "shown."
    )


def test_days_that_were_not_asked_for_yet_are_no_trouble() -> None:
    assert trouble_words(ListResult(3, NOW, "", (gap(7, 20, ""),))) == ""


def test_dates_that_are_a_little_older_are_told_apart() -> None:
    rows = [window(0, NOW), window(7, NOW - timedelta(minutes=20))]
    assert age_words(rows, "open", NOW) == ("as of 14:02:10, older dates as of 13:42:10 · imported since Sat 7 Nov")


def test_the_status_says_when_the_next_refresh_comes() -> None:
    def words(count: int, next_in: int | None, *, stopped: bool = False, connected: bool = True) -> str:
        return status_words(
            shown_orders(count, exact=True), "as of 14:02:10", next_in, stopped=stopped, connected=connected
        )

    assert words(1_204, 41) == "1,204 orders · as of 14:02:10 · next refresh 0:41"
    assert words(1, 605) == "1 order · as of 14:02:10 · next refresh 10:05"
    assert words(2, None) == "2 orders · as of 14:02:10 · refreshed on demand only"
    assert words(2, None, stopped=True) == "2 orders · as of 14:02:10 · refresh stopped"
    assert words(2, None, connected=False) == "2 orders · as of 14:02:10"


def test_progress() -> None:
    assert progress_words(Progress(0, 5, 0)) == "Refreshing…"
    assert progress_words(Progress(1, 2, 12_345)) == "Refreshing, 12,345 orders received…"
    assert progress_words(Progress(2, 5, 12_345)) == "Refreshing, 12,345 orders received, 2 of 5 date ranges…"
    words = progress_words(Progress(2, 5, 12_345, waiting_until=NOW))
    assert words == "The provider asked to wait until 14:02:10. The refresh continues then."


def test_what_was_stopped_names_the_dates_that_are_left() -> None:
    early = "Orders of Sun 1 Nov to Fri 6 Nov were not fetched yet."
    assert stopped_words((gap(1, 6, ""), gap(14, 14))).endswith(early)
    both = (gap(1, 6, ""), replace(gap(1, 6, ""), list="completed"))
    assert stopped_words(both).endswith("Orders of Sun 1 Nov to Fri 6 Nov were not fetched yet.")
    apart = (replace(gap(1, 6, ""), list="completed"), gap(1, 2, ""))
    assert stopped_words(apart).endswith(
        "Open orders of Sun 1 Nov to Mon 2 Nov and completed orders of Sun 1 Nov to Fri 6 Nov were not fetched yet."
    )
    long_ago = replace(gap(1, 6, ""), start=datetime(2025, 12, 24))
    assert "24 Dec 2025 to Fri 6 Nov" in stopped_words((long_ago,))
    assert stopped_words(()).endswith("All dates were fetched before.")


def test_orders_that_left_and_are_nowhere_are_counted() -> None:
    assert departed_words(0, 0) == ""
    assert departed_words(1, 0) == "1 order left the open list and is not in the completed one."
    assert departed_words(50, 10).endswith("one. 10 of them are looked up at the next refreshes.")


def test_a_filter_by_documents_says_what_it_cannot_tell() -> None:
    assert orders_words.documents_unknown(1).endswith(
        "of 1 order are not known yet, so the filter can neither find it nor rule it out."
    )
    assert orders_words.documents_unknown(1_204).startswith("The documents of 1,204 orders are not known yet")


class TestOneWindow:
    JOB = Job("open", datetime(2026, 11, 9), datetime(2026, 11, 15, 23, 59, 59))

    def state(self, *rows: WindowRow, progress: Progress | None = None) -> str:
        found = window_state(self.JOB, rows, progress, NOW)
        return f"{found.tone}{'?' if found.missing else ''}: {found.words}"

    def whole(self, count: int | None = 214) -> WindowRow:
        return WindowRow(self.JOB.start, self.JOB.end, NOW, count, None, NOW)

    def test_what_is_known_has_its_count_and_age(self) -> None:
        assert self.state(self.whole()) == "good: 214 orders, as of 14:02:10"
        assert self.state(self.whole(1)) == "good: 1 order, as of 14:02:10"
        assert self.state(self.whole(None)) == "good: as of 14:02:10"

    def test_what_is_missing_says_so(self) -> None:
        assert self.state() == "soft?: Not fetched yet"
        half = replace(self.whole(), start=self.JOB.start + timedelta(days=3))
        assert self.state(half) == "soft?: Not fetched yet"

    def test_what_failed_says_why_how_often_and_what_is_shown(self) -> None:
        failed = replace(self.whole(), error="It is busy.", tries=3)
        assert self.state(failed) == "warn?: Failed 3 times, last 14:02:10: It is busy. Shown as of 14:02:10."
        never = replace(failed, fetched_at=None, tries=1)
        assert self.state(never).endswith("Failed, last 14:02:10: It is busy. Nothing of these dates was seen yet.")

    def test_what_is_coming_is_counted(self) -> None:
        progress = Progress(0, 5, 380, {self.JOB: 380})
        assert self.state(self.whole(), progress=progress) == "soft: 380 received so far…"


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
            ListResult(0, NOW, "No.", (Gap("open", NOW, NOW, "No."),)),
            "No orders could be fetched",
        ),
        (False, True, False, ListResult(0, NOW), "No open orders"),
    ],
)
def test_an_empty_list_says_why(
    filtered: bool, connected: bool, busy: bool, result: ListResult | None, words: str
) -> None:
    why = empty_state(
        "open", filtered=filtered, trouble="Not connected.", connected=connected, busy=busy, result=result, days=30
    )
    assert why.heading == words
    assert bool(why.action) == (filtered or bool(result and result.missing))


def test_an_empty_list_of_a_refresh_that_was_stopped_says_so() -> None:
    why = empty_state(
        "open", filtered=False, trouble="", connected=True, busy=False, result=None, days=30, stopped=True
    )
    assert (why.heading, why.action) == ("Refresh stopped", "Try again")


def test_an_empty_list_of_watched_orders_says_how_to_watch_one() -> None:
    why = empty_state("open", filtered=True, trouble="", connected=True, busy=False, result=None, days=30, watched=True)
    assert (why.heading, why.action) == ("No order here is watched", "Clear the filter")
    assert "Ctrl+B" in why.sentence


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

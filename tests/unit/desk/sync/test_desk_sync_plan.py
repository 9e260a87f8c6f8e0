"""The windows that a refresh fetches: gaps, old windows, and no more orders than its budget."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.desk.sync.window_plan import (
    Gap,
    Job,
    Listed,
    all_jobs,
    as_single_days,
    due_jobs,
    find_gaps,
    known_since,
    merge_gaps,
    split_large,
    stale_jobs,
)
from app.store.cache.fetched_windows import overlaid
from app.store.cache.order_rows import WindowRow

NOW = datetime(2026, 11, 20, 14, 2, 10)  # a Friday
MINUTE, DAY, SECOND = timedelta(minutes=1), timedelta(days=1), timedelta(seconds=1)
JOBS = all_jobs(("open",), NOW, 30)
TODAY, WEEK, LAST_WEEK = JOBS[:3]


def whole(job: Job, age: timedelta = MINUTE, count: int | None = 100) -> WindowRow:
    return WindowRow(job.start, job.end, NOW - age, count, None, NOW - age)


def failed(job: Job, age: timedelta, tries: int = 1, words: str = "It failed.") -> WindowRow:
    return WindowRow(job.start, job.end, None, None, words, NOW - age, tries)


class TestWhatIsKnown:
    def test_today_is_never_known_before_it_is_over(self) -> None:
        assert known_since(TODAY, [whole(TODAY, timedelta())]) is None
        assert known_since(WEEK, [whole(WEEK)]) == NOW - MINUTE

    def test_the_day_before_is_known_once_it_was_asked_for_after_its_end(self) -> None:
        as_today = WindowRow(NOW.replace(hour=0, minute=0, second=0), TODAY.end, NOW, 5, None)
        tomorrow = all_jobs(("open",), NOW + DAY, 30)[1]
        assert tomorrow.end == TODAY.end
        rows = [whole(WEEK), as_today]
        assert known_since(tomorrow, rows) is None
        rows = overlaid(rows, WindowRow(TODAY.start, TODAY.end, NOW + DAY, 9, None))
        assert known_since(tomorrow, rows) == NOW - MINUTE, "as old as its oldest day"

    def test_halves_make_a_whole(self) -> None:
        first, second = LAST_WEEK.halves()
        assert known_since(LAST_WEEK, [whole(first)]) is None
        assert known_since(LAST_WEEK, [whole(first), whole(second, DAY)]) == NOW - DAY
        assert TODAY.halves() == (TODAY,)

    @given(st.integers(0, 40), st.integers(0, 6))
    def test_halves_are_the_same_days(self, back: int, days: int) -> None:
        start = TODAY.start - back * DAY
        job = Job("open", start, start + (days + 1) * DAY - SECOND)
        newest, *rest = job.halves()
        assert (job.halves()[-1].start, newest.end) == (job.start, job.end)
        assert all(each.end + SECOND == newest.start for each in rest)


class TestHandy:
    def test_windows_of_many_orders_are_cut_into_days_and_stay_so(self) -> None:
        known = {"open": [whole(TODAY, count=9_000), whole(WEEK, count=9_000), whole(LAST_WEEK, count=900)]}
        cut = split_large(JOBS, known)  # type: ignore[arg-type]
        days = WEEK.single_days()
        assert cut == [TODAY, *days, *JOBS[2:]], "a day is as short as can be"
        assert [each.start.day for each in days] == [19, 18, 17, 16]
        assert (days[0].end, days[-1].start) == (WEEK.end, WEEK.start)
        rows = [whole(LAST_WEEK, count=900)]
        for day in days:
            rows = overlaid(rows, whole(day, count=2_000))
        assert split_large(JOBS, {"open": rows}) == cut

    def test_a_window_that_came_with_many_orders_is_noted_by_its_days_so_that_one_of_them_leaves_the_others_counted(
        self,
    ) -> None:
        dated = {"2026-11-19": 2_000, "2026-11-16": 7_000}
        counts = [(day.window, dated.get(f"{day.start:%Y-%m-%d}", 0)) for day in WEEK.single_days()]
        found = as_single_days(WEEK, dated)
        assert [((start, end), count) for start, end, count in found] == counts
        rows = [whole(LAST_WEEK, count=900)]
        for start, end, count in found:
            rows = overlaid(rows, WindowRow(start, end, NOW, count, None))
        rows = overlaid(rows, whole(WEEK.single_days()[0], count=2_100))
        assert split_large(JOBS, {"open": rows}) == [TODAY, *WEEK.single_days(), *JOBS[2:]]

    def test_a_window_is_noted_as_one_that_came_with_few_orders_or_is_a_day_or_holds_some_of_other_dates(self) -> None:
        assert as_single_days(WEEK, {"2026-11-19": 3_000}) == []
        assert as_single_days(TODAY, {"2026-11-20": 9_000}) == []
        assert as_single_days(WEEK, {"2026-11-19": 9_000, "2026-11-20": 1}) == []
        assert as_single_days(WEEK, {"2026-11-19": 9_000, "None": 1}) == []

    def test_days_that_were_cut_are_told_as_one_span_and_are_as_old_as_the_oldest(self) -> None:
        days = WEEK.single_days()
        rows = [whole(day, age * MINUTE) for age, day in enumerate(days)]
        assert known_since(WEEK, rows) == NOW - 3 * MINUTE
        (gap,) = find_gaps([WEEK], {"open": [failed(day, MINUTE) for day in days]}, NOW)
        assert (gap.start, gap.end) == (WEEK.start, WEEK.end)

    def test_of_what_nobody_has_counted_nothing_is_cut(self) -> None:
        assert split_large(JOBS, {}) == JOBS


class TestToBeginWith:
    def test_what_was_never_asked_for_is(self) -> None:
        assert stale_jobs(JOBS, {}, NOW - MINUTE, NOW) == JOBS

    def test_what_is_fresh_is_not(self) -> None:
        known = {"open": [whole(WEEK), whole(LAST_WEEK, 2 * DAY)]}
        assert stale_jobs(JOBS, known, NOW - 10 * MINUTE, NOW) == [TODAY, *JOBS[2:]]  # type: ignore[arg-type]

    @given(st.lists(st.tuples(st.integers(1, 29), st.integers(0, 5), st.integers(1, 9)), max_size=12))
    def test_however_the_known_windows_lie_each_job_goes_by_the_days_it_shares(
        self, tried: list[tuple[int, int, int]]
    ) -> None:
        rows: list[WindowRow] = []
        for back, days, age in tried:
            start = TODAY.start - back * DAY
            rows = overlaid(rows, whole(Job("open", start, start + (days + 1) * DAY - SECOND), age * MINUTE))
        since = NOW - 5 * MINUTE
        old = [job for job in JOBS if (at := known_since(job, rows)) is None or at < since]
        assert stale_jobs(JOBS, {"open": rows}, since, NOW) == old

    def test_old_completed_orders_hold_for_half_a_day(self) -> None:
        jobs = all_jobs(("completed",), NOW, 40)
        rows = [whole(job, timedelta(hours=8)) for job in jobs]
        assert stale_jobs(jobs, {"completed": rows}, NOW - MINUTE, NOW) == jobs[:4]
        rows = [whole(job, timedelta(hours=13)) for job in jobs]
        assert stale_jobs(jobs, {"completed": rows}, NOW - MINUTE, NOW) == jobs

    def test_a_time_that_is_still_to_come_proves_nothing(self) -> None:
        known = {"open": [whole(job, timedelta(hours=-2)) for job in JOBS]}
        assert stale_jobs(JOBS, known, NOW - MINUTE, NOW) == JOBS  # type: ignore[arg-type]

    def test_the_lists_take_turns_from_the_newest_days_on(self) -> None:
        both = all_jobs(("completed", "open"), NOW, 8)
        assert [each.list for each in both] == ["completed", "open"] * 3
        assert both[0].window == both[1].window == TODAY.window


class TestByTheClock:
    def due(self, rows: list[WindowRow], budget: int = 1_000) -> list[Job]:
        return due_jobs(JOBS, {"open": rows}, NOW, MINUTE, budget)

    def test_with_few_orders_all_is_asked_for(self) -> None:
        assert self.due([whole(job, 2 * MINUTE) for job in JOBS]) == JOBS

    def test_with_many_it_is_today_and_the_longest_unasked_in_turn(self) -> None:
        rows = [whole(job, (place + 2) * MINUTE, 900) for place, job in enumerate(JOBS)]
        assert self.due(rows) == [TODAY, *JOBS[-2:]]
        rows[-2:] = [whole(job, timedelta(), 900) for job in JOBS[-2:]]
        assert self.due(rows) == [TODAY, *JOBS[-4:-2]]

    def test_windows_without_orders_have_their_price_too(self) -> None:
        rows = [whole(job, (place + 2) * MINUTE, 0) for place, job in enumerate(JOBS)]
        assert due_jobs(JOBS, {"open": rows}, NOW, MINUTE, 150) == [TODAY, *JOBS[-3:]]

    @pytest.mark.parametrize("every", [MINUTE, timedelta()], ids=["by the clock", "after something was sent"])
    def test_a_year_in_sight_asks_for_little_more_a_minute_than_a_month(self, every: timedelta) -> None:
        """An hour of refreshes. Windows of long ago have their turn too, before they count as old."""
        lists: list[Listed] = ["open", "completed"]
        asked_for = [len(each) for each in self.an_hour(all_jobs(lists, NOW, 30), every)]
        year = self.an_hour(all_jobs(lists, NOW, 365), every)
        assert max(map(len, year)) <= max(asked_for) + 6
        assert sum(map(len, year)) / 60 <= sum(asked_for) / 60 + 6
        opened = {job for job in all_jobs(("open",), NOW, 365) if job is not TODAY}
        for half in (year[:30], year[30:]):
            assert opened <= {job for jobs in half for job in jobs}, "each within half an hour"

    def an_hour(self, jobs: list[Job], every: timedelta) -> list[list[Job]]:
        """The jobs of each of sixty minutes; every window is known at first."""
        rows = {job: whole(job, timedelta(), 2) for job in jobs}
        asked = []
        for minute in range(1, 61):
            now = NOW + minute * MINUTE
            known: dict[Listed, list[WindowRow]] = {"open": [], "completed": []}
            for job, row in rows.items():
                known[job.list].append(row)
            chosen = due_jobs(jobs, known, now, every, 2_500)
            rows |= {job: WindowRow(job.start, job.end, now, 2, None, now) for job in chosen}
            asked.append(chosen)
        return asked

    def test_one_window_that_is_more_than_its_share_is_asked_for_alone(self) -> None:
        rows = [whole(job, (place + 2) * MINUTE, 50_000) for place, job in enumerate(JOBS)]
        assert self.due(rows) == [TODAY, JOBS[-1]]

    def test_what_is_missing_is_asked_for_whatever_it_costs(self) -> None:
        rows = [whole(job, 5 * MINUTE, 900) for job in JOBS[3:]]
        assert self.due(rows, budget=0) == JOBS[:3]

    def test_what_failed_has_its_rest_and_the_longer_the_more_often(self) -> None:
        rows = [whole(WEEK, timedelta())]
        for tries, rest in ((1, 1), (2, 2), (3, 4), (4, 8), (9, 15)):
            too_soon = [*rows, failed(LAST_WEEK, rest * MINUTE - SECOND, tries)]
            assert LAST_WEEK not in self.due(too_soon)
            assert LAST_WEEK in self.due([*rows, failed(LAST_WEEK, rest * MINUTE, tries)])
        assert LAST_WEEK in self.due([*rows, failed(LAST_WEEK, -DAY, 9)]), "the clock was set back"


def test_the_rest_of_a_day_that_was_fetched_before_its_end_is_missing_once_it_is_over() -> None:
    rows = [whole(job, timedelta()) for job in JOBS]
    assert find_gaps(JOBS, {"open": rows}, NOW) == (), "today is not over"
    tomorrow = NOW + DAY
    jobs = all_jobs(("open",), tomorrow, 30)
    rows = overlaid(rows, WindowRow(*jobs[0].window, tomorrow, 5, None))
    assert find_gaps(jobs, {"open": rows}, tomorrow) == (Gap("open", NOW + SECOND, TODAY.end, ""),)
    rows = overlaid(rows, WindowRow(*TODAY.window, None, None, "It failed.", tomorrow))
    assert find_gaps(jobs, {"open": rows}, tomorrow) == (Gap("open", *TODAY.window, "It failed."),)


def test_missing_days_are_told_with_their_reasons_as_few_as_can_be() -> None:
    assert find_gaps(JOBS, {}, NOW) == (Gap("open", JOBS[-1].start, JOBS[0].end, ""),)
    rows = [whole(job) for job in JOBS if job is not LAST_WEEK]
    assert find_gaps(JOBS, {"open": rows}, NOW) == (Gap("open", *LAST_WEEK.window, ""),)
    first, second = LAST_WEEK.halves()
    rows += [failed(second, MINUTE), failed(first, MINUTE, words="It was busy.")]
    assert find_gaps(JOBS, {"open": rows}, NOW) == (
        Gap("open", *first.window, "It was busy."),
        Gap("open", *second.window, "It failed."),
    )
    both = [Gap("open", *first.window, "No."), Gap("open", *second.window, "No.")]
    assert merge_gaps(both) == (Gap("open", *LAST_WEEK.window, "No."),)
    other = Gap("completed", *second.window, "No.")
    assert set(merge_gaps([both[0], other])) == {both[0], other}

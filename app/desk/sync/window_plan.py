"""Chooses the windows of days to fetch, and their order: pure functions of the clock and of the cache's coverage.

Invariants: the windows of a horizon cover its days without a gap or an overlap, newest first; whatever day it is, they
begin on the same days, so that a window known today is known tomorrow; each is far shorter than the year that the
provider allows. Today is a window of its own: every refresh fetches it, and it costs little.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from itertools import chain
from typing import Literal

from app.store.cache.order_rows import WindowRow

Listed = Literal["open", "completed"]
LISTED: tuple[Listed, ...] = ("open", "completed")
Window = tuple[datetime, datetime]
Coverage = Mapping[Listed, Sequence[WindowRow]]

_SECOND = timedelta(seconds=1)
_LAST_SECOND = time(23, 59, 59)
# Orders that were completed long ago hardly change any more.
_SETTLED_AFTER, _SETTLED_FOR = timedelta(days=14), timedelta(hours=12)
_GUESSED = 500  # orders of a window that was never counted
_A_REQUEST = 50  # orders: what the request for an empty window costs
_MANY = 3_000  # orders: with their documents, six million bytes
# Windows older than this are refreshed the more seldom the older they are, a few at a time; each before its orders
# count as old (`ui/orders/fetching/freshness`).
_RECENT, _WEEK = timedelta(days=30), timedelta(days=7)
_LONGEST_INTERVAL, _OLD_AT_ONCE = timedelta(minutes=24), 6
_FIRST_BACKOFF, _LONGEST_BACKOFF = timedelta(minutes=1), timedelta(minutes=15)
# More would only reach the longest delay sooner; an exponent without a bound would overflow.
_DOUBLINGS = 4


@dataclass(frozen=True, slots=True)
class Job:
    """A window of one list to be fetched. It ends with a day's last second."""

    list: Listed
    start: datetime
    end: datetime

    @property
    def window(self) -> Window:
        """Its days, without the list."""
        return self.start, self.end

    def halves(self) -> tuple["Job", ...]:
        """Its days in two windows, newest first; itself if it is one day."""
        days = (self.end.date() - self.start.date()).days + 1
        if days < 2:
            return (self,)
        middle = datetime.combine(self.start.date() + timedelta(days=days // 2), time())
        return Job(self.list, middle, self.end), Job(self.list, self.start, middle - _SECOND)

    def single_days(self) -> tuple["Job", ...]:
        """A window for each of its days, newest first."""
        first, number = self.start.date(), (self.end.date() - self.start.date()).days + 1
        days = [first + timedelta(days=each) for each in reversed(range(number))]
        return tuple(Job(self.list, datetime.combine(day, time()), datetime.combine(day, _LAST_SECOND)) for day in days)


@dataclass(frozen=True, slots=True)
class Gap:
    """Days of a list that are not in the cache, and why; with an empty `sentence` they were not requested yet."""

    list: Listed
    start: datetime
    end: datetime
    sentence: str


def windows(now: datetime, days: int) -> list[Window]:
    """`days` days up to the end of today: today, the week so far, whole weeks from Monday on, newest first."""
    today = now.date()
    first = datetime.combine(today - timedelta(days=days), time())
    start = datetime.combine(today, time())
    cut = [(start, datetime.combine(today, _LAST_SECOND))]
    while start > first:
        end = start - _SECOND
        start = max(first, datetime.combine(end.date() - timedelta(days=end.weekday()), time()))
        cut.append((start, end))
    return cut


def all_jobs(lists: Sequence[Listed], now: datetime, days: int) -> list[Job]:
    """Every window of these lists, newest first; of two with the same days, that of the first list comes first."""
    cut = windows(now, days)
    return [Job(name, *window) for window in cut for name in lists]


def split_large(jobs: Sequence[Job], known: Coverage) -> list[Job]:
    """The jobs, with windows that are known to hold many orders cut into days.

    A reply gets a digest only if it fits into memory as a whole (see `api/lists/stream`), and `due_jobs` keeps closer
    to its budget with small windows.
    """
    near = _near(known)
    return [each for job in jobs for each in (job.single_days() if _count(near(job)) > _MANY else (job,))]


def as_single_days(job: Job, dated: Mapping[str, int]) -> list[tuple[datetime, datetime, int]]:
    """A window that came with many orders as single days, each with its number of orders; `dated` counts them by date.

    Noted like that, the other days keep their counts when one day is fetched again. Empty if the window is to be noted
    as one: it has few orders, is a day, or holds orders of other dates.
    """
    days = {each.start.date().isoformat(): each for each in job.single_days()}
    if sum(dated.values()) <= _MANY or len(days) == 1 or not dated.keys() <= days.keys():
        return []
    return [(*each.window, dated.get(day, 0)) for day, each in days.items()]


def stale_jobs(jobs: Sequence[Job], known: Coverage, since: datetime, now: datetime) -> list[Job]:
    """The jobs whose orders are older than `since`. Orders completed long ago may be older than that."""
    near = _near(known)
    return [job for job in jobs if not _holds(job, known_since(job, near(job)), since, now)]


def due_jobs(jobs: Sequence[Job], known: Coverage, now: datetime, every: timedelta, budget: int) -> list[Job]:
    """The jobs of a refresh by the clock: today, the gaps, and of the others about `budget` orders, the oldest first.

    So every window has its turn, and a desk with many orders costs the provider and this computer little more a minute
    than one with few. A window that failed waits the longer the more often it did.
    """
    chosen: list[Job] = []
    waiting: list[tuple[datetime, Job]] = []
    old_left = _OLD_AT_ONCE
    near = _near(known)
    for job in jobs:
        at = known_since(job, near(job))
        if _backs_off(near(job), now):
            continue
        if at is None:
            chosen.append(job)
        elif not _holds(job, at, now - _interval(job, every, now), now):
            waiting.append((at, job))
    left = budget
    for _, job in sorted(waiting, key=lambda each: each[0]):
        if left <= 0:
            break
        if _is_long_ago(job, now):
            if not old_left:
                continue
            old_left -= 1
        chosen.append(job)
        left -= max(_count(near(job)), _A_REQUEST)
    places = {job: place for place, job in enumerate(jobs)}
    return sorted(chosen, key=places.__getitem__)


def _is_long_ago(job: Job, now: datetime) -> bool:
    return now - job.end > _RECENT


def _interval(job: Job, every: timedelta, now: datetime) -> timedelta:
    """How long after its last fetch a window is refreshed by the clock, which ticks `every` so often."""
    if not _is_long_ago(job, now):
        return every
    weeks = (now - job.end - _RECENT) // _WEEK
    return max(every, min(_LONGEST_INTERVAL, max(every, _FIRST_BACKOFF) * (weeks + 2)))


def known_since(job: Job, rows: Sequence[WindowRow]) -> datetime | None:
    """When the oldest of these days was fetched; None if one never was, or was fetched before it was over."""
    left = [job.window]
    for row in sorted((each for each in rows if each.fetched_at), key=_fetched, reverse=True):
        at = _fetched(row)
        left = list(chain.from_iterable(_without(each, row.start, min(row.end, at)) for each in left))
        if not left:
            return at
    return None


def find_gaps(jobs: Sequence[Job], known: Coverage, now: datetime) -> tuple[Gap, ...]:
    """The days that failed at the latest try or never came, newest first, merged by `merge_gaps`.

    A day that was fetched before it was over never came whole, once it is over.
    """
    found: list[Gap] = []
    near = _near(known)
    for job in jobs:
        left = [job.window]
        for row in near(job):
            span = max(row.start, job.start), min(row.end, job.end)
            if row.error:
                found.append(Gap(job.list, *span, row.error))
            elif row.fetched_at is not None and row.end < now:
                span = span[0], min(span[1], row.fetched_at)
            left = list(chain.from_iterable(_without(each, *span) for each in left))
        found += [Gap(job.list, *span, "") for span in left]
    return merge_gaps(found)


def jobs_with_gaps(jobs: Sequence[Job], gaps: Sequence[Gap]) -> list[Job]:
    """The jobs that share a moment with any of the gaps."""
    return [job for job in jobs if any(gap.list == job.list and _share(gap, job) for gap in gaps)]


def _share(gap: Gap, job: Job) -> bool:
    return gap.start <= job.end and gap.end >= job.start


def merge_gaps(found: Sequence[Gap]) -> tuple[Gap, ...]:
    """Adjacent gaps with one reason merged into one, the newest first."""
    spans: dict[tuple[Listed, str], list[Window]] = {}
    for each in found:
        spans.setdefault((each.list, each.sentence), []).append((each.start, each.end))
    merged = [Gap(name, *span, words) for (name, words), many in spans.items() for span in merge_spans(many)]
    return tuple(sorted(merged, key=lambda each: each.start, reverse=True))


def merge_spans(spans: Sequence[Window]) -> list[Window]:
    """The days of these spans in as few spans as possible, the newest first."""
    found: list[Window] = []
    for start, end in sorted(spans, reverse=True):
        if found and end + _SECOND >= found[-1][0]:
            found[-1] = min(start, found[-1][0]), max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def _fetched(row: WindowRow) -> datetime:
    assert row.fetched_at is not None
    return row.fetched_at


def _without(span: Window, start: datetime, end: datetime) -> list[Window]:
    """The rest of a span without the moments from `start` to `end`."""
    if end < span[0] or start > span[1]:
        return [span]
    parts = [(span[0], start - _SECOND), (end + _SECOND, span[1])]
    return [(first, last) for first, last in parts if first <= last]


def _holds(job: Job, at: datetime | None, since: datetime, now: datetime) -> bool:
    """Whether orders fetched at `at` are fresh enough. A time in the future is not: the clock was set back since."""
    if at is None or at > now + _FIRST_BACKOFF:
        return False
    settled = job.list == "completed" and at - job.end > _SETTLED_AFTER
    return at >= (min(since, now - _SETTLED_FOR) if settled else since)


def _backs_off(inside: Sequence[WindowRow], now: datetime) -> bool:
    """Whether any of these failed so recently that its retry has to wait."""
    failed = [each for each in inside if each.error]
    if not failed or any(each.tried_at is None for each in failed):
        return False
    tried = max(each.tried_at for each in failed if each.tried_at)
    tries = max(each.tries for each in failed)
    backoff = min(_LONGEST_BACKOFF, _FIRST_BACKOFF * 2.0 ** min(tries - 1, _DOUBLINGS))
    return timedelta() <= now - tried < backoff


def _count(inside: Sequence[WindowRow]) -> int:
    return sum(_GUESSED if each.count is None else each.count for each in inside)


def _near(known: Coverage) -> Callable[[Job], list[WindowRow]]:
    """A function that gives the rows that share days with a job. It is fast for hundreds of rows and jobs."""
    rows = {name: sorted(some, key=lambda each: each.start) for name, some in known.items()}
    starts = {name: [each.start for each in some] for name, some in rows.items()}

    def near(job: Job) -> list[WindowRow]:
        found, at = [], bisect_right(starts.get(job.list, ()), job.end)
        # Rows share no moment: those before one that ends too early end earlier still.
        while at and rows[job.list][at - 1].end >= job.start:
            at -= 1
            found.append(rows[job.list][at])
        return found

    return near

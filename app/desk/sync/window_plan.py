"""Which windows of days are asked for, and in which order: pure functions of the clock and of what is known.

Invariants: the windows of a horizon cover its days without a gap and without an overlap, newest first; they begin with
the same days whatever day it is, so that what is known today is known tomorrow; each is far shorter than the year that
the provider allows. Today is a window of its own: it is asked for at every refresh, and costs little.
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
Known = Mapping[Listed, Sequence[WindowRow]]

_SECOND = timedelta(seconds=1)
_LAST_SECOND = time(23, 59, 59)
# Old completed orders hardly change any more.
_SETTLED_AFTER, _SETTLED_FOR = timedelta(days=14), timedelta(hours=12)
_GUESSED = 500  # orders of a window that nobody has counted
_A_QUESTION = 50  # orders: a window that holds none costs about as much
_MANY = 3_000  # orders: with their documents, six million bytes
# Of dates longer ago than this a refresh by the clock asks the more seldom the longer ago they are, and for a few
# windows at a time; each is asked for again before what is known of it counts as old (`ui/orders/fetching/freshness`).
_RECENT, _WEEK = timedelta(days=30), timedelta(days=7)
_SELDOM, _LONG_AGO_AT_ONCE = timedelta(minutes=24), 6
_PATIENCE, _LONGEST_PATIENCE = timedelta(minutes=1), timedelta(minutes=15)
_DOUBLINGS = 4


@dataclass(frozen=True, slots=True)
class Job:
    """A window of one list that is to be fetched. It ends with the day's last second."""

    list: Listed
    start: datetime
    end: datetime

    @property
    def window(self) -> Window:
        """Its days, without the list."""
        return self.start, self.end

    def halves(self) -> tuple["Job", ...]:
        """The same days in two windows, newest first; itself where it is a day."""
        days = (self.end.date() - self.start.date()).days + 1
        if days < 2:
            return (self,)
        middle = datetime.combine(self.start.date() + timedelta(days=days // 2), time())
        return Job(self.list, middle, self.end), Job(self.list, self.start, middle - _SECOND)

    def single_days(self) -> tuple["Job", ...]:
        """The same days in a window each, newest first."""
        first, number = self.start.date(), (self.end.date() - self.start.date()).days + 1
        days = [first + timedelta(days=each) for each in reversed(range(number))]
        return tuple(Job(self.list, datetime.combine(day, time()), datetime.combine(day, _LAST_SECOND)) for day in days)


@dataclass(frozen=True, slots=True)
class Missing:
    """Days of a list that did not come, and why; without a reason they were not asked for yet."""

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


def everything(lists: Sequence[Listed], now: datetime, days: int) -> list[Job]:
    """Every window of these lists, newest first; where they are of one age, the first list comes first."""
    cut = windows(now, days)
    return [Job(name, *window) for window in cut for name in lists]


def handy(jobs: Sequence[Job], known: Known) -> list[Job]:
    """The same, in which windows that are known to hold many orders are cut into days.

    A reply is told from the last one only where it can be held as a whole (see `api/stream`), and what is chosen by the
    number of orders should not be far above it.
    """
    near = _near(known)
    return [each for job in jobs for each in (job.single_days() if _count(near(job)) > _MANY else (job,))]


def counted_by_day(job: Job, dated: Mapping[str, int]) -> list[tuple[datetime, datetime, int]]:
    """A window that came with many orders as its days, each with how many it holds; `dated` counts them by date.

    Once they are noted like that, a day that is asked for again leaves the others counted. Empty where the window is
    to be noted as one: it came with few orders, is a day, or holds some of other dates.
    """
    days = {each.start.date().isoformat(): each for each in job.single_days()}
    if sum(dated.values()) <= _MANY or len(days) == 1 or not dated.keys() <= days.keys():
        return []
    return [(*each.window, dated.get(day, 0)) for day, each in days.items()]


def unfresh(jobs: Sequence[Job], known: Known, since: datetime, now: datetime) -> list[Job]:
    """Those of the jobs that are not known since then: to begin with, or to go on with what was stopped.

    What is long completed holds longer.
    """
    near = _near(known)
    return [job for job in jobs if not _holds(job, covered_at(job, near(job)), since, now)]


def due(jobs: Sequence[Job], known: Known, now: datetime, every: timedelta, budget: int) -> list[Job]:
    """What a refresh by the clock asks for: today, what is missing, and of the rest about `budget` orders.

    So all is asked for in turn, the longest unasked first, and a desk with many orders, or with a year in sight, costs
    the provider, and this computer, little more a minute than one with few. What failed is left alone for longer the
    more often it did.
    """
    chosen: list[Job] = []
    waiting: list[tuple[datetime, Job]] = []
    left_of_old = _LONG_AGO_AT_ONCE
    near = _near(known)
    for job in jobs:
        at = covered_at(job, near(job))
        if _has_its_rest(near(job), now):
            continue
        if at is None:
            chosen.append(job)
        elif not _holds(job, at, now - _pause(job, every, now), now):
            waiting.append((at, job))
    left = budget
    for _, job in sorted(waiting, key=lambda each: each[0]):
        if left <= 0:
            break
        if _is_long_ago(job, now):
            if not left_of_old:
                continue
            left_of_old -= 1
        chosen.append(job)
        left -= max(_count(near(job)), _A_QUESTION)
    places = {job: place for place, job in enumerate(jobs)}
    return sorted(chosen, key=places.__getitem__)


def _is_long_ago(job: Job, now: datetime) -> bool:
    return now - job.end > _RECENT


def _pause(job: Job, every: timedelta, now: datetime) -> timedelta:
    """How long a window is left alone by the clock, which comes round `every` so often."""
    if not _is_long_ago(job, now):
        return every
    weeks = (now - job.end - _RECENT) // _WEEK
    return max(every, min(_SELDOM, max(every, _PATIENCE) * (weeks + 2)))


def covered_at(job: Job, rows: Sequence[WindowRow]) -> datetime | None:
    """Since when all of these days are known; None when they are not. A day is not known until it is over."""
    left = [job.window]
    for row in sorted((each for each in rows if each.fetched_at), key=_fetched, reverse=True):
        at = _fetched(row)
        left = list(chain.from_iterable(_without(each, row.start, min(row.end, at)) for each in left))
        if not left:
            return at
    return None


def missing(jobs: Sequence[Job], known: Known) -> tuple[Missing, ...]:
    """Which of these days failed at the latest try or never came, newest first; see `gathered`."""
    found: list[Missing] = []
    near = _near(known)
    for job in jobs:
        left = [job.window]
        for row in near(job):
            span = max(row.start, job.start), min(row.end, job.end)
            left = list(chain.from_iterable(_without(each, *span) for each in left))
            if row.error:
                found.append(Missing(job.list, *span, row.error))
        found += [Missing(job.list, *span, "") for span in left]
    return gathered(found)


def lacking(jobs: Sequence[Job], gaps: Sequence[Missing]) -> list[Job]:
    """Those of the jobs that hold any of the missing days."""
    return [job for job in jobs if any(gap.list == job.list and _share(gap, job) for gap in gaps)]


def _share(gap: Missing, job: Job) -> bool:
    return gap.start <= job.end and gap.end >= job.start


def gathered(found: Sequence[Missing]) -> tuple[Missing, ...]:
    """Days that miss for one reason told as one, the newest first."""
    spans: dict[tuple[Listed, str], list[Window]] = {}
    for each in found:
        spans.setdefault((each.list, each.sentence), []).append((each.start, each.end))
    told = [Missing(name, *span, words) for (name, words), many in spans.items() for span in joined(many)]
    return tuple(sorted(told, key=lambda each: each.start, reverse=True))


def joined(spans: Sequence[Window]) -> list[Window]:
    """The same days in as few windows as can be, the newest first."""
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
    """What of a span lies outside from `start` to `end`."""
    if end < span[0] or start > span[1]:
        return [span]
    parts = [(span[0], start - _SECOND), (end + _SECOND, span[1])]
    return [(first, last) for first, last in parts if first <= last]


def _holds(job: Job, at: datetime | None, since: datetime, now: datetime) -> bool:
    """Whether what was told then is as good as if it were told now. A clock that was set back proves nothing."""
    if at is None or at > now + _PATIENCE:
        return False
    settled = job.list == "completed" and at - job.end > _SETTLED_AFTER
    return at >= (min(since, now - _SETTLED_FOR) if settled else since)


def _has_its_rest(inside: Sequence[WindowRow], now: datetime) -> bool:
    """Whether any of these failed so shortly ago that it is not asked for yet."""
    failed = [each for each in inside if each.error]
    if not failed or any(each.tried_at is None for each in failed):
        return False
    tried = max(each.tried_at for each in failed if each.tried_at)
    tries = max(each.tries for each in failed)
    patience = min(_LONGEST_PATIENCE, _PATIENCE * 2.0 ** min(tries - 1, _DOUBLINGS))
    return timedelta() <= now - tried < patience


def _count(inside: Sequence[WindowRow]) -> int:
    return sum(_GUESSED if each.count is None else each.count for each in inside)


def _near(known: Known) -> Callable[[Job], list[WindowRow]]:
    """What gives the rows that share days with a job; there may be hundreds of rows, and as many jobs."""
    rows = {name: sorted(some, key=lambda each: each.start) for name, some in known.items()}
    starts = {name: [each.start for each in some] for name, some in rows.items()}

    def near(job: Job) -> list[WindowRow]:
        found, at = [], bisect_right(starts.get(job.list, ()), job.end)
        # They share no moment, so that those before one that ends too early end earlier still.
        while at and rows[job.list][at - 1].end >= job.start:
            at -= 1
            found.append(rows[job.list][at])
        return found

    return near

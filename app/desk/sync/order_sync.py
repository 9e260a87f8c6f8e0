"""Brings open and completed orders from the provider into the cache.

Invariants: the provider is asked in windows of days, newest first, several at once, always with both ends (trap 3).
What came is kept even if the rest does not. A window is known only when all of it came; every other one is named in the
result with its reason, and in the cache, so that a later run, also of another start, goes on where this one ended.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from app.api.errors import (
    ApiError,
    BrokenReply,
    Busy,
    NotAllowed,
    NotAuthorised,
    NotFound,
    NotSent,
    Refused,
    SentUnknown,
)
from app.api.information_service import Include
from app.api.provider import Provider
from app.desk.desk import Desk
from app.desk.sync.fetch_window import LIST_PARTS, fetch_window, index, refresh_order
from app.desk.sync.window_plan import LISTED, Job, Known, Listed, Missing, Window, everything, gathered, joined, windows
from app.store.cache import fetched_windows
from app.store.store_errors import StoreError

__all__ = [
    "Missing",
    "Progress",
    "Refreshed",
    "fetch",
    "index",
    "known",
    "refresh",
    "refresh_order",
    "take_clock",
    "windows",
]

_AT_ONCE = 4  # windows
_BACKLOG = (
    100_000  # orders that wait for the search index while more come: a search among them takes a tenth of a second
)
_TRIES = 3  # of a window in one run, beside the repetitions of each call
_IN_A_ROW = 6  # windows that fail one after the other: then the provider is in trouble, not a window
_LONGEST_WAIT = 60.0  # seconds that a run waits for a provider that asks for a rest; a longer rest ends it


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come: windows done of all, orders received, and orders so far of each window under way."""

    windows_done: int
    windows: int
    orders: int
    under_way: Mapping[Job, int] = field(default_factory=dict)
    waiting_until: datetime | None = None  # the provider asked for a rest


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a run brought of one list. `trouble` is empty when every window came whole; `unreadable` counts records
    skipped, of the days `unreadable_in`, `changed` orders of which something is new; `not_before` is when the provider
    may be asked again, where it said so."""

    orders: int
    at: datetime
    trouble: str = ""
    missing: tuple[Missing, ...] = ()
    unreadable: int = 0
    not_before: datetime | None = None
    changed: int = 0
    unreadable_in: tuple[Window, ...] = ()


Told = Callable[[Progress], None]


async def refresh(desk: Desk, list_name: Listed, days: int, on_progress: Told = lambda _: None) -> Refreshed:
    """Fetch all of one list for the last `days` days. Trouble is told in the result, never raised."""
    return (await fetch(desk, everything((list_name,), desk.now(), days), on_progress))[list_name]


async def fetch(
    desk: Desk,
    jobs: Sequence[Job],
    on_progress: Told = lambda _: None,
    parts: Mapping[Listed, Include] = LIST_PARTS,
) -> dict[Listed, Refreshed]:
    """Fetch these windows, several at once, beginning with the first; how each list fared. Never raises for trouble.

    A run that is cancelled leaves what came in the cache; the windows that came whole are known there. All that came is
    found by every search; `index` makes that quick again, and is for whoever asked for much.
    """
    run = _Run(desk, on_progress, parts, deque((job, 1) for job in jobs), len(jobs))
    run.tell()
    async with asyncio.TaskGroup() as group:
        for _ in range(min(_AT_ONCE, len(jobs))):
            group.create_task(_work(run))
    run.tell()
    return {name: _result(run, name) for name in dict.fromkeys((*(job.list for job in jobs), *LISTED))}


async def known(desk: Desk) -> Known:
    """What is known of the dates of each list. Raises `StoreError`."""
    return {name: await desk.reader.read(fetched_windows.read_windows, desk.profile.id, name) for name in LISTED}


async def take_clock(desk: Desk) -> bool:
    """Once for each start: whether the clock was set back since the last; if so, that does no harm any more.

    Raises `StoreError`.
    """
    return await desk.cache.write(fetched_windows.clamp_to_clock, desk.profile.id, desk.now())


@dataclass(slots=True)
class _Run:
    """Windows that wait, each with the number of its try; what came and what did not."""

    desk: Desk
    on_progress: Told
    parts: Mapping[Listed, Include]
    waiting: deque[tuple[Job, int]]
    total: int
    under_way: dict[Job, int] = field(default_factory=dict)
    done: int = 0
    orders: dict[Listed, int] = field(default_factory=lambda: dict.fromkeys(LISTED, 0))
    unreadable: dict[Job, int] = field(default_factory=dict)  # of the last try of each window
    changed: dict[Listed, int] = field(default_factory=lambda: dict.fromkeys(LISTED, 0))
    missing: list[Missing] = field(default_factory=list)
    failed_in_a_row: int = 0
    rest_until: datetime | None = None
    not_before: datetime | None = None
    indexing: bool = False

    def tell(self) -> None:
        came = sum(self.orders.values()) + sum(self.under_way.values())
        self.on_progress(Progress(self.done, self.total, came, dict(self.under_way), self.rest_until))

    def miss(self, job: Job, sentence: str) -> None:
        self.missing.append(Missing(job.list, job.start, job.end, sentence))
        self.done += 1

    def give_up(self, sentence: str, list_name: Listed | None = None) -> None:
        """Ask for nothing more, or for nothing more of one list."""
        dropped = [each for each in self.waiting if list_name in (None, each[0].list)]
        self.waiting = deque(each for each in self.waiting if each not in dropped)
        for job, _ in dropped:
            self.miss(job, sentence)


async def _work(run: _Run) -> None:
    """One of several that take the next window until none is left."""
    while run.waiting:
        if run.rest_until is not None:
            await _rest(run)
            continue
        job, tries = run.waiting.popleft()
        provider = run.desk.provider
        if provider is None:  # not connected, or no longer
            run.miss(job, run.desk.trouble)
            run.give_up(run.desk.trouble)
            return
        try:
            await _take(run, provider, job, tries)
            await _index(run)
        except StoreError as error:
            # The cache takes nothing more, so asking the provider for more would be in vain.
            run.give_up(error.sentence)


async def _take(run: _Run, provider: Provider, job: Job, tries: int) -> None:
    """Fetch one window and see what is to be done about it. Raises `StoreError`."""

    def told(orders: int) -> None:
        run.under_way[job] = orders
        run.tell()

    told(0)
    try:
        got = await fetch_window(run.desk, provider, job, run.parts[job.list], told)
    except StoreError as error:
        run.miss(job, error.sentence)
        raise
    finally:
        run.under_way.pop(job, None)
    run.orders[job.list] += got.orders
    run.unreadable[job] = got.unreadable
    run.changed[job.list] += got.changed
    if got.trouble is None:
        run.failed_in_a_row = 0
        run.done += 1
    else:
        _take_trouble(run, job, tries, got.trouble)
    run.tell()


async def _rest(run: _Run) -> None:
    """Wait as the provider asks."""
    assert run.rest_until is not None
    left = (run.rest_until - run.desk.now()).total_seconds()
    await asyncio.sleep(max(0.0, min(left, _LONGEST_WAIT)))
    run.rest_until = None


async def _index(run: _Run) -> None:
    """Keep the search index from falling far behind; one of the workers does it."""
    if not run.indexing:
        run.indexing = True
        try:
            await index(run.desk, _BACKLOG)
        finally:
            run.indexing = False


def _take_trouble(run: _Run, job: Job, tries: int, error: ApiError) -> None:
    """Try the window again later, leave it, or end the run: whatever the others would meet too ends it."""
    run.failed_in_a_row += 1
    if isinstance(error, NotAllowed | NotFound):
        run.miss(job, error.sentence)
        run.give_up(error.sentence, job.list)
    elif _concerns_all(run, error):
        run.miss(job, error.sentence)
        run.give_up(error.sentence)
    elif isinstance(error, Refused) or tries >= _TRIES:
        run.miss(job, error.sentence)
    else:
        _try_again(run, job, tries, error)


def _concerns_all(run: _Run, error: ApiError) -> bool:
    if isinstance(error, NotSent | NotAuthorised) or run.failed_in_a_row >= _IN_A_ROW:
        run.desk.timing.back_off(error.rest)  # by the token service
        return True
    return isinstance(error, Busy) and not _may_wait(run, error)


def _may_wait(run: _Run, error: Busy) -> bool:
    """Whether the provider's rest is short enough to wait for; notes it either way."""
    if error.retry_after is None:
        return True
    run.desk.timing.back_off(error.retry_after)  # others, whom nobody waits for, ask nothing meanwhile either
    until = run.desk.now() + timedelta(seconds=error.retry_after)
    if error.retry_after > _LONGEST_WAIT:
        run.not_before = max(until, run.not_before or until)
        return False
    run.rest_until = until
    return True


def _try_again(run: _Run, job: Job, tries: int, error: ApiError) -> None:
    """Behind the others. A list that broke off may be too long for what stands between: its halves are shorter."""
    broke_off = isinstance(error, BrokenReply | SentUnknown)
    parts = job.halves() if broke_off and tries > 1 else (job,)
    del run.unreadable[job]
    run.waiting.extend((part, tries + 1) for part in parts)
    run.total += len(parts) - 1


def _result(run: _Run, name: Listed) -> Refreshed:
    missing = [each for each in run.missing if each.list == name]
    trouble = missing[0].sentence if missing else ""
    odd = {job: count for job, count in run.unreadable.items() if job.list == name and count}
    return Refreshed(
        run.orders[name],
        run.desk.now(),
        trouble,
        gathered(missing),
        sum(odd.values()),
        run.not_before,
        run.changed[name],
        tuple(joined([job.window for job in odd])),
    )

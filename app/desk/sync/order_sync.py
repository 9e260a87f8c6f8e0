"""Runs a refresh: fetches windows of open and completed orders into the cache, several at once.

Invariants: the provider is asked for windows of days, newest first, always with both ends (notes.md, trap 3). Orders
that came are kept even if others did not. A window counts as known only if all of it came; every other one is a gap of
the result, with its reason, and stands in the cache, so that a later run goes on where this one ended.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
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
from app.desk.desk import Desk
from app.desk.sync.fetch_window import LIST_INCLUDES, Reception, index_pending
from app.desk.sync.window_plan import (
    LISTED,
    Coverage,
    Gap,
    Job,
    Listed,
    Window,
    all_jobs,
    merge_gaps,
    merge_spans,
)
from app.store.cache import fetched_windows
from app.store.store_errors import StoreError

_REQUESTS = 4  # windows that the provider sends at once
# Windows under way. More than requests: the provider sends the next windows while these are stored. If each worker kept
# its turn until its window is stored, all would soon wait for the disk together, and then for the provider together.
_WORKERS = 8
# Orders that may wait for the search index while more come: a search among them takes a tenth of a second.
_BACKLOG = 100_000
_TRIES = 3  # of a window in one run, besides the retries of each call
_FAILURES_IN_A_ROW = 6  # windows: so many mean that the provider is in trouble, not a window
_LONGEST_WAIT = 60.0  # seconds that a run waits if the provider asks for a pause; a longer one ends the run


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come: windows done of all, orders received, and orders so far of each window under way.

    `waiting_until` is when the run goes on if the provider asked for a pause.
    """

    windows_done: int
    windows: int
    orders: int
    under_way: Mapping[Job, int] = field(default_factory=dict)
    waiting_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class ListResult:
    """The result of a run for one list.

    `trouble` is the first gap's sentence, empty if every window came whole; `unreadable` counts records skipped, in the
    days `unreadable_in`; `changed` counts orders that are new or differ; `not_before` is when the provider may be asked
    again, if it said so.
    """

    orders: int
    at: datetime
    trouble: str = ""
    missing: tuple[Gap, ...] = ()
    unreadable: int = 0
    not_before: datetime | None = None
    changed: int = 0
    unreadable_in: tuple[Window, ...] = ()


OnProgress = Callable[[Progress], None]


async def refresh(desk: Desk, list_name: Listed, days: int, on_progress: OnProgress = lambda _: None) -> ListResult:
    """Fetch all of one list for the last `days` days. Trouble is in the result, never raised."""
    return (await fetch(desk, all_jobs((list_name,), desk.now(), days), on_progress))[list_name]


async def fetch(
    desk: Desk,
    jobs: Sequence[Job],
    on_progress: OnProgress = lambda _: None,
    parts: Mapping[Listed, Include] = LIST_INCLUDES,
) -> dict[Listed, ListResult]:
    """Fetch these windows, several at once, in this order; returns the result of each list. Trouble is never raised.

    A cancelled run leaves in the cache what came, and which windows came whole. Searches find all of it, if slowly
    while much is not indexed: the caller runs `index_pending` afterwards.
    """
    run = _Run(desk, on_progress, parts, deque((job, 1) for job in jobs), len(jobs))
    run.report()
    async with asyncio.TaskGroup() as group:
        for _ in range(min(_WORKERS, len(jobs))):
            group.create_task(_work(run))
    run.report()
    return {name: _result(run, name) for name in dict.fromkeys((*(job.list for job in jobs), *LISTED))}


async def read_coverage(desk: Desk) -> Coverage:
    """Which windows of each list are in the cache. Raises `StoreError`."""
    return {name: await desk.reader.read(fetched_windows.read_windows, desk.profile.id, name) for name in LISTED}


async def check_clock(desk: Desk) -> bool:
    """Whether the clock was set back; then times of the cache that lie in the future are lowered to now.

    Runs once after each start. Raises `StoreError`.
    """
    return await desk.cache.write(fetched_windows.clamp_to_clock, desk.now())


@dataclass(slots=True)
class _Run:
    """The state of one run. `waiting` holds windows, each with the number of its next try."""

    desk: Desk
    on_progress: OnProgress
    parts: Mapping[Listed, Include]
    waiting: deque[tuple[Job, int]]
    total: int
    under_way: dict[Job, int] = field(default_factory=dict)
    done: int = 0
    orders: dict[Listed, int] = field(default_factory=lambda: dict.fromkeys(LISTED, 0))
    unreadable: dict[Job, int] = field(default_factory=dict)  # of the last try of each window
    changed: dict[Listed, int] = field(default_factory=lambda: dict.fromkeys(LISTED, 0))
    gaps: list[Gap] = field(default_factory=list)
    failed_in_a_row: int = 0
    pause_until: datetime | None = None
    not_before: datetime | None = None
    requests: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_REQUESTS))
    indexing: bool = False

    def report(self) -> None:
        received = sum(self.orders.values()) + sum(self.under_way.values())
        self.on_progress(Progress(self.done, self.total, received, dict(self.under_way), self.pause_until))

    def add_gap(self, job: Job, sentence: str) -> None:
        self.gaps.append(Gap(job.list, job.start, job.end, sentence))
        self.done += 1

    def give_up(self, sentence: str, list_name: Listed | None = None) -> None:
        """Drop the windows that wait, or those of one list; each becomes a gap."""
        dropped = [each for each in self.waiting if list_name in (None, each[0].list)]
        self.waiting = deque(each for each in self.waiting if each not in dropped)
        for job, _ in dropped:
            self.add_gap(job, sentence)


async def _work(run: _Run) -> None:
    """One of several workers: fetches the next window until none is left."""
    while run.waiting:
        try:
            async with run.requests:
                # Looked at only now: while this worker waited for its turn, others took windows, or were told to pause.
                received = await _receive_next(run)
            if received is not None:
                await _finish(run, *received)
                await _index(run)
        except StoreError as error:
            # The cache cannot be written: to fetch more would be in vain.
            run.give_up(error.sentence)


async def _receive_next(run: _Run) -> tuple[Job, int, Reception] | None:
    """Receive the next window. Returns its job, the number of the try, and the reception, which `_finish` ends.

    None if no window waits, or if this one met trouble and is noted already. Raises `StoreError`.
    """
    while run.pause_until is not None:
        await _pause(run)
    if not run.waiting:
        return None
    job, tries = run.waiting.popleft()
    provider = run.desk.provider
    if provider is None:  # not connected, or no longer
        run.add_gap(job, run.desk.trouble)
        run.give_up(run.desk.trouble)
        return None

    def on_orders(orders: int) -> None:
        run.under_way[job] = orders
        run.report()

    on_orders(0)
    reception = Reception(run.desk, provider, job, run.parts[job.list], on_orders)
    with _closing_on_trouble(run, job):
        received = await reception.receive()
    if not received:
        # Noted before the next window is requested: the provider may have asked for a pause.
        await _finish(run, job, tries, reception)
        return None
    return job, tries, reception


async def _finish(run: _Run, job: Job, tries: int, reception: Reception) -> None:
    """Store the rest of a window and note the result. Raises `StoreError`."""
    with _closing_on_trouble(run, job):
        result = await reception.finish()
    del run.under_way[job]
    run.orders[job.list] += result.orders
    run.unreadable[job] = result.unreadable
    run.changed[job.list] += result.changed
    if result.trouble is None:
        run.failed_in_a_row = 0
        run.done += 1
    else:
        _handle_trouble(run, job, tries, result.trouble)
    run.report()


@contextmanager
def _closing_on_trouble(run: _Run, job: Job) -> Iterator[None]:
    """Within this block a window that is cut short is under way no more, and a gap where the cache is the reason."""
    try:
        yield
    except BaseException as error:
        del run.under_way[job]
        if isinstance(error, StoreError):
            run.add_gap(job, error.sentence)
        raise


async def _pause(run: _Run) -> None:
    """Wait as long as the provider asked."""
    until = run.pause_until
    assert until is not None
    left = (until - run.desk.now()).total_seconds()
    await asyncio.sleep(max(0.0, min(left, _LONGEST_WAIT)))
    if run.pause_until == until:  # another worker may have been told to wait longer
        run.pause_until = None


async def _index(run: _Run) -> None:
    """Keep the search index from falling far behind. One worker at a time does it, while the others fetch."""
    if not run.indexing:
        run.indexing = True
        try:
            await index_pending(run.desk, _BACKLOG)
        finally:
            run.indexing = False


def _handle_trouble(run: _Run, job: Job, tries: int, error: ApiError) -> None:
    """Retry the window later, leave it as a gap, or end the run: trouble that every window would meet ends it."""
    run.failed_in_a_row += 1
    if isinstance(error, NotAllowed | NotFound):
        run.add_gap(job, error.sentence)
        run.give_up(error.sentence, job.list)
    elif _concerns_every_window(run, error):
        run.add_gap(job, error.sentence)
        run.give_up(error.sentence)
    elif isinstance(error, Refused) or tries >= _TRIES:
        run.add_gap(job, error.sentence)
    else:
        _retry_later(run, job, tries, error)


def _concerns_every_window(run: _Run, error: ApiError) -> bool:
    if isinstance(error, NotSent | NotAuthorised) or run.failed_in_a_row >= _FAILURES_IN_A_ROW:
        run.desk.timing.back_off(error.rest)  # by the token service
        return True
    return isinstance(error, Busy) and not _wait_for(run, error)


def _wait_for(run: _Run, error: Busy) -> bool:
    """Note the pause that the provider asks for; returns whether it is short enough for the run to wait."""
    if error.retry_after is None:
        return True
    run.desk.timing.back_off(error.retry_after)  # requests that no person waits for pause too
    until = run.desk.now() + timedelta(seconds=error.retry_after)
    if error.retry_after > _LONGEST_WAIT:
        run.not_before = max(until, run.not_before or until)
        return False
    run.pause_until = until
    return True


def _retry_later(run: _Run, job: Job, tries: int, error: ApiError) -> None:
    """Put the window behind the others. If its reply broke off twice it may be too long for a proxy: it is halved."""
    broke_off = isinstance(error, BrokenReply | SentUnknown)
    parts = job.halves() if broke_off and tries > 1 else (job,)
    del run.unreadable[job]
    run.waiting.extend((part, tries + 1) for part in parts)
    run.total += len(parts) - 1


def _result(run: _Run, name: Listed) -> ListResult:
    gaps = [gap for gap in run.gaps if gap.list == name]
    trouble = gaps[0].sentence if gaps else ""
    odd = {job: count for job, count in run.unreadable.items() if job.list == name and count}
    return ListResult(
        run.orders[name],
        run.desk.now(),
        trouble,
        merge_gaps(gaps),
        sum(odd.values()),
        run.not_before,
        run.changed[name],
        tuple(merge_spans([job.window for job in odd])),
    )

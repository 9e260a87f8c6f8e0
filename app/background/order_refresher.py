"""Decides when both lists of a desk are refreshed, by the clock and on demand, and holds the result of each.

`desk/sync/order_sync` fetches the orders. Invariants:
- One run at a time. A tick of the clock never replaces a run under way.
- A run that a person stopped goes on only when a person asks.
- The clock backs off while every run fails. A failed run that a person started does not count for that.
- While the provider asks for a pause the clock sends no request. A person who asks is told how long the pause lasts.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.desk.connections.connection_choices import keep_choice, read_choice
from app.desk.desk import Desk
from app.desk.orders.stored_orders import make_common_sortable
from app.desk.sync import sync_words
from app.desk.sync.window_plan import (
    LISTED,
    Coverage,
    Gap,
    Job,
    Listed,
    all_jobs,
    due_jobs,
    find_gaps,
    jobs_with_gaps,
    split_large,
    stale_jobs,
)
from app.desk.timing import backoff_words
from app.runtime.memory import give_back
from app.runtime.tasks import Tasks
from app.store.cache.order_rows import ListName
from app.store.store_errors import StoreError

if TYPE_CHECKING:
    from app.api.information_service import Include
    from app.desk.sync.departed_orders import Departed, OpenCount
    from app.desk.sync.order_sync import ListResult, Progress

FIRST_EVERY_S, FIRST_DAYS = 60, 30
_CHOICE = "refresh"
_BUDGET = 2_500  # orders that a refresh by the clock fetches, about; a desk with more fetches them in turn
# Orders fetched so recently are not fetched again when the program starts or the horizon changes.
_FRESH = timedelta(minutes=10)
_LONGEST_BACK_OFF_S = 900.0
_ROWS_STORED_EVERY_S = 1.0  # at most, while a long refresh runs
Select = Callable[[list[Job], Coverage], list[Job]]


class Refresher(QObject):
    """Refreshes the orders of one desk.

    `days` is the horizon, how far back orders are fetched; `every` the seconds between two refreshes, 0 for none by the
    clock; `first` the list that is fetched first: the one on screen.
    """

    progressed = Signal(object)  # Progress
    rows_stored = Signal()  # some orders are in the cache, more are on the way
    ended = Signal(str, str)  # the list's name, and the sentence of trouble, empty if the provider answered
    finished = Signal()  # no run is under way any more
    changed = Signal()  # the choices, or whether a run is under way
    first_rows_stored = Signal()  # the first orders of a run are in the cache
    postponed = Signal(str, bool)  # why a person's refresh is not done now; whether `start_anyway` would do it
    troubled = Signal(str)  # a choice could not be read or kept, or orders not be indexed

    def __init__(self, tasks: Tasks) -> None:
        super().__init__()
        self._tasks = tasks
        self._desk: Desk | None = None
        self.busy = self.stopped = self._rerun = self._clock_checked = False
        self._run_id = self._failures = 0
        self._failed = False  # the last run brought nothing
        self._nothing_received = True  # no order of this run has come yet
        self.days, self.every = FIRST_DAYS, FIRST_EVERY_S
        self.first: ListName = "open"
        self.includes: frozenset[str] = (
            frozenset()
        )  # fields of `Include` that both lists are requested with besides `LIST_INCLUDES`
        self.results: dict[ListName, ListResult] = {}
        self.gaps: tuple[Gap, ...] = ()
        self.departed: Departed | None = None
        self.open_before: OpenCount | None = None  # before orders left the open list that are on no other
        self.changed_orders = 0  # orders that are new or differ since `finished` was last emitted
        self.progress: Progress | None = None
        self._since: datetime | None = None  # the age that orders had to have in the last run
        self._not_before: datetime | None = None
        self._by_hand = False  # whether a person asked for the run under way, or the last one
        self._planned = float("inf")  # when the clock would have refreshed without that run, monotonic
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)  # a person watches the seconds count down
        self._timer.timeout.connect(self._tick)
        # One for each delay: after a write the lists are asked for soon, and once more later.
        self._soon_timers: dict[float, QTimer] = {}

    def take_desk(self, desk: Desk) -> None:
        """Refresh another desk from now on; the results of the former one are dropped."""
        # A run of the former desk would write its results over those of the new one; `_run_id` catches what still runs.
        self._tasks.cancel("refresh")
        self._timer.stop()
        self._run_id += 1
        self._desk, self.results, self.gaps, self.departed, self.progress = desk, {}, (), None, None
        self.open_before = None
        self.busy = self.stopped = self._rerun = self._clock_checked = False
        self.includes = frozenset()
        self._failures, self._failed, self._since, self._not_before = 0, False, None, None
        self.days, self.every = FIRST_DAYS, FIRST_EVERY_S
        self.changed.emit()
        self._tasks.read("refresh choice", self._read_choice(desk))

    # What is fetched, and when

    def start(self) -> None:
        """Fetch all of both lists anew, for a person. Replaces a run under way.

        Emits `postponed` instead while there is no connection or the provider asks for no requests.
        """
        self._run_by_hand(self._now(), lambda jobs, _: jobs)

    def start_anyway(self) -> None:
        """Do as `start`, though the provider asks for no requests: the person knows that."""
        self._run_by_hand(self._now(), lambda jobs, _: jobs, heed=False)

    def refresh_stale(self) -> None:
        """Fetch all orders older than a few minutes: the connection was made."""
        if self.rest_until is None:
            self._run(*self._unfresh(self._now() - _FRESH))
        else:
            self._set_timer()

    def resume(self, since: datetime | None = None) -> None:
        """Go on with a stopped run; windows that came whole since the run began are not fetched again."""
        self._run_by_hand(*self._unfresh(since or self._since or self._now() - _FRESH))

    def _unfresh(self, since: datetime) -> tuple[datetime, Select]:
        return since, lambda jobs, known: stale_jobs(jobs, known, since, self._now())

    def retry_gaps(self, only: Sequence[Gap] = ()) -> None:
        """Fetch the days that are missing, or only those of these gaps."""
        gaps = tuple(only) or self.gaps
        self._run_by_hand(self._now(), lambda jobs, _: jobs_with_gaps(jobs, gaps))

    def include(self, members: Iterable[str]) -> None:
        """Request orders with these optional members from now on, fields of `Include`: a person looks at them."""
        self.includes |= frozenset(members)

    def fetch_with(self, members: Iterable[str]) -> None:
        """Include these members, and fetch the list on screen with them now."""
        self.include(members)
        self._run_by_hand(self._now(), lambda jobs, _: [job for job in jobs if job.list == self.first])

    def refresh_soon(self, seconds: float) -> None:
        """Refresh in `seconds`, so that an order shows that was just sent. Debounced: a call starts the time anew."""
        if seconds not in self._soon_timers:
            timer = self._soon_timers[seconds] = QTimer(self)
            timer.setSingleShot(True)
            timer.timeout.connect(self._soon)
        self._soon_timers[seconds].start(int(seconds * 1000))

    def stop(self) -> None:
        """Stop the run. Orders that came are kept; `resume` fetches the rest."""
        if self.busy and self._desk is not None:
            self._run_id += 1
            self._tasks.cancel("refresh")
            self.changed_orders += 1  # at least: how many came is not known
            self.busy, self.stopped, self.progress = False, True, None
            self.changed.emit()
            self._tasks.read("dates", self._finish(self._desk, self._run_id, {}))

    def choose(self, *, days: int | None = None, every: int | None = None) -> None:
        """Set the horizon or the time between two refreshes, and keep both for this connection."""
        assert self._desk is not None
        farther = days is not None and days != self.days
        self.days = self.days if days is None else days
        self.every = self.every if every is None else every
        self.changed.emit()
        self._tasks.write("keep refresh choice", self._keep_choice(self._desk))
        if farther:
            self.resume(self._now() - _FRESH)
        elif not self.busy:
            self._set_timer()

    @property
    def next_in(self) -> int | None:
        """Seconds until the next refresh by the clock; None if none is planned."""
        return -(-self._timer.remainingTime() // 1000) if self._timer.isActive() else None

    @property
    def rest_until(self) -> datetime | None:
        """Until when the provider asks for no requests, of lists or of anything else; None if it does not."""
        desk = self._desk
        if desk is None:
            return None
        times = [desk.now() + timedelta(seconds=desk.timing.backoff_seconds)]
        times += [] if self._not_before is None else [self._not_before]
        return max(times) if max(times) > desk.now() else None

    @property
    def jobs(self) -> list[Job]:
        """Every window of the horizon."""
        first: Listed = "completed" if self.first == "completed" else "open"
        return all_jobs(sorted(LISTED, key=lambda name: name != first), self._now(), self.days)

    def _now(self) -> datetime:
        assert self._desk is not None
        return self._desk.now()

    def _tick(self) -> None:
        if not self.busy:
            self._by_the_clock(timedelta(seconds=self.every))

    def _soon(self) -> None:
        """An order that was just sent may have missed the run under way: another run follows it."""
        if self.busy:
            self._rerun = True
        elif self._desk is not None and not self.stopped:
            self._by_the_clock(timedelta())

    def _by_the_clock(self, every: timedelta) -> None:
        if self.rest_until is not None:
            self._set_timer()  # no person waits for this refresh
            return
        self._run(None, lambda jobs, known: due_jobs(jobs, known, self._now(), every, _BUDGET))

    # One run

    def _run_by_hand(self, since: datetime, select: Select, *, heed: bool = True) -> None:
        """Run for a person, or emit `postponed`."""
        desk, until = self._desk, self.rest_until
        if desk is None:
            return
        if desk.provider is None:
            self.postponed.emit(sync_words.not_connected(desk.trouble), False)
        elif until is not None and heed:
            self._set_timer()
            self.postponed.emit(sync_words.not_before(backoff_words(until, desk.now())), True)
        else:
            desk.provider.ask_once_more()
            self._run(since, select, by_hand=True)

    def _run(self, since: datetime | None, select: Select, *, by_hand: bool = False) -> None:
        desk = self._desk
        if desk is None or desk.provider is None:
            return
        # Kept, because a run by hand that fails must not push the next one by the clock away (`_set_timer`).
        left = self._timer.remainingTime() / 1000 if self._timer.isActive() else float("inf")
        self._by_hand, self._planned = by_hand, time.monotonic() + left
        self._timer.stop()
        self._run_id += 1
        self.changed_orders += self.busy  # the run that is replaced may have stored orders
        self._since = since or self._since
        self._rerun = self.stopped = False
        self._tasks.cancel("dates")
        # The index waits until nothing more comes: it would compete with this run for the cache's thread.
        self._tasks.cancel("index")
        self._tasks.read("refresh", self._refresh(desk, self._run_id, select))

    async def _refresh(self, desk: Desk, run_id: int, select: Select) -> None:
        self.busy, self._nothing_received = True, True
        self.changed.emit()
        self._last_redraw = time.monotonic()
        try:
            results = await self._fetch(desk, select)
            await self._finish(desk, run_id, results)
        finally:
            if run_id == self._run_id:  # otherwise another run has replaced this one
                self.busy, self.progress = False, None
        self._tasks.read("index", self._index(desk))
        if self._rerun:
            self._soon()

    async def _fetch(self, desk: Desk, select: Select) -> "Mapping[Listed, ListResult]":
        """Fetch the selected windows; returns the result of each list. Trouble with the store becomes a result."""
        from app.desk.sync import (  # they import the client's models, which the first paint does without
            departed_orders,
            order_sync,
        )

        results: Mapping[Listed, ListResult] = {}
        try:
            if not self._clock_checked:
                self._clock_checked = True
                await order_sync.check_clock(desk)
            known = await order_sync.read_coverage(desk)
            if self.departed is None or not self.departed.suspicious:
                self.open_before = await departed_orders.open_count(desk, known)
            jobs = select(split_large(self.jobs, known), known)
            results = await order_sync.fetch(desk, jobs, self._on_progress, self._includes())
            self.changed_orders += sum(each.changed for each in results.values())
            self._count_failures(jobs, results)
            # Where the lists failed, questions about single orders would fail too.
            if not self._failed:
                self.departed = await departed_orders.look_for_departed(desk)
                self.changed_orders += self.departed.asked
            self._emit_list_results(jobs, results)
        except StoreError as error:
            self._take_store_trouble(error.sentence)
        return results

    async def _index(self, desk: Desk) -> None:
        """Index what came, in short steps, once nothing more comes; make the common sort indexes; give back memory."""
        from app.desk.sync.fetch_window import index_pending, merge_segments  # the first paint does without the client

        try:
            await index_pending(desk)
            await merge_segments(desk)
            await make_common_sortable(desk)
        except StoreError as error:
            self.troubled.emit(error.sentence)
        # On a thread: to return the memory of a long list takes longer than a frame.
        await asyncio.to_thread(give_back)

    def _includes(self) -> "Mapping[Listed, Include]":
        from app.desk.sync.fetch_window import LIST_INCLUDES  # the first paint does without the client

        more = dict.fromkeys(self.includes, True)
        return {name: replace(include, **more) for name, include in LIST_INCLUDES.items()}

    def _on_progress(self, progress: "Progress") -> None:
        self.progress = progress
        self.progressed.emit(progress)
        now = time.monotonic()
        if progress.orders and self._nothing_received:
            self._nothing_received = False
            self.first_rows_stored.emit()
        if progress.orders and now - self._last_redraw > _ROWS_STORED_EVERY_S:
            self._last_redraw = now
            self.rows_stored.emit()

    def _emit_list_results(self, jobs: list[Job], results: "Mapping[Listed, ListResult]") -> None:
        """Emit `ended` for each list. A list whose windows all failed has trouble; otherwise the provider answered."""
        for name in dict.fromkeys(job.list for job in jobs):
            requested = [job for job in jobs if job.list == name]
            gaps = results[name].missing
            failed = all(any(gap.start <= job.start and gap.end >= job.end for gap in gaps) for job in requested)
            self.ended.emit(name, results[name].trouble if failed else "")

    def _count_failures(self, jobs: list[Job], results: "Mapping[Listed, ListResult]") -> None:
        times = [each.not_before for each in results.values() if each.not_before is not None]
        self._not_before = max(times, default=None)
        whole = set(jobs) - set(jobs_with_gaps(jobs, tuple(gap for each in results.values() for gap in each.missing)))
        self._failed = not whole and bool(jobs)
        if whole:
            self._failures = 0
        elif self._failed and not self._by_hand:
            self._failures += 1

    def _take_store_trouble(self, sentence: str) -> None:
        from app.desk.sync.order_sync import ListResult  # the first paint does without the client

        now = self._now()
        self._failed = True
        self._failures += not self._by_hand
        for name in LISTED:
            gaps = tuple(Gap(name, job.start, job.end, sentence) for job in self.jobs if job.list == name)
            self.results[name] = ListResult(0, now, sentence, gaps)

    async def _finish(self, desk: Desk, run_id: int, results: "Mapping[Listed, ListResult]") -> None:
        """Find the gaps of the horizon, emit `finished`, and set the timer."""
        from app.desk.sync import order_sync  # the first paint does without the client

        try:
            self.gaps = find_gaps(self.jobs, await order_sync.read_coverage(desk), self._now())
            for name, result in results.items():
                gaps = tuple(gap for gap in self.gaps if gap.list == name and gap.sentence)
                self.results[name] = replace(result, missing=gaps, trouble=gaps[0].sentence if gaps else "")
        except StoreError as error:
            self._take_store_trouble(error.sentence)
        if run_id == self._run_id:
            self.busy, self.progress = False, None  # not before: the timer of the next refresh is set only now
            if not self.stopped:
                self._set_timer()
            self.changed.emit()
            self.finished.emit()
            self.changed_orders = 0

    def _set_timer(self) -> None:
        """Plan the next refresh by the clock. While nothing comes it backs off."""
        self._timer.stop()
        until = self.rest_until
        if self._desk is None or self._desk.provider is None or self.stopped or not (self.every or until):
            return
        wait = float(self.every)
        if self._failures:
            # Ten doublings are far above the longest wait; a power without a bound would overflow one day.
            wait = max(wait, min(_LONGEST_BACK_OFF_S, wait * 2.0 ** min(self._failures, 10)))
        if self._failed and self._by_hand:
            # A person tried in vain: the clock goes on as if that had not been.
            wait = min(wait, max(self._planned - time.monotonic(), 1.0))
        if until is not None:
            wait = max(wait, (until - self._now()).total_seconds())
        self._timer.start(int(min(wait, 86_400.0) * 1000))

    # Choices

    async def _read_choice(self, desk: Desk) -> None:
        try:
            kept = await read_choice(desk, _CHOICE)
        except StoreError as error:
            self.troubled.emit(error.sentence)
            return
        if not isinstance(kept, dict):
            return
        days, every = kept.get("days"), kept.get("every")
        before = self.days
        self.days = days if isinstance(days, int) and 0 < days <= 365 else self.days
        self.every = every if isinstance(every, int) and 0 <= every <= 86_400 else self.every
        self.changed.emit()
        if self.days != before and (self.busy or self.results):
            self.refresh_stale()  # the connection was made before the choice was read

    async def _keep_choice(self, desk: Desk) -> None:
        try:
            await keep_choice(desk, _CHOICE, {"days": self.days, "every": self.every})
        except StoreError as error:
            self.troubled.emit(error.sentence)

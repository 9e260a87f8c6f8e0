"""Brings both lists of a desk up to date, by the clock and on demand, and remembers how each fared.

Invariants: one run at a time; the clock gives up none that is under way. A run that was stopped is gone on with only
when somebody says so. While nothing comes at all the clock waits longer and longer; what a person tried in vain does
not count for that. A provider that asks to be left alone is, and a person who asks meanwhile is told until when. The
program's own work is done in `desk/sync/order_sync`; here is when.
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
from app.desk.sync.window_plan import (
    LISTED,
    Job,
    Known,
    Listed,
    Missing,
    due,
    everything,
    handy,
    lacking,
    missing,
    unfresh,
)
from app.desk.timing import backoff_words
from app.runtime.memory import give_back
from app.runtime.tasks import Tasks
from app.store.cache.order_rows import ListName
from app.store.store_errors import StoreError

if TYPE_CHECKING:
    from app.api.information_service import Include
    from app.desk.sync.departed_orders import Departed, Had
    from app.desk.sync.order_sync import Progress, Refreshed

FIRST_EVERY_S, FIRST_DAYS = 60, 30
_CHOICE = "refresh"
# A refresh by the clock asks again for about so many orders; a desk with more asks for them in turn.
_BUDGET = 2_500
# What was fetched so shortly before the program was started, or the dates were changed, is not fetched again.
_FRESH = timedelta(minutes=10)
_LONGEST_BACK_OFF_S = 900.0
# Rows show while a long refresh still runs, at most this often.
_REDRAW_EVERY_S = 1.0
Pick = Callable[[list[Job], Known], list[Job]]


class Refresher(QObject):
    """`days` is how far back orders are asked for, `every` how many seconds lie between two refreshes (0: none by the
    clock), `first` the list that is asked for first: the one on screen."""

    progressed = Signal(object)  # Progress
    rows_came = Signal()  # some orders are in the store, more are on the way
    ended = Signal(str, str)  # the list's name, and the sentence for trouble: empty when the provider answered
    finished = Signal()  # nothing is under way any more
    changed = Signal()  # what was chosen, or whether something is under way
    answered = Signal()  # the first orders of a run have come
    held = Signal(str, bool)  # why what a person asked for is not done now; whether it could be done all the same
    troubled = Signal(str)  # a choice could not be read or kept, or what came not be indexed

    def __init__(self, tasks: Tasks) -> None:
        super().__init__()
        self._tasks = tasks
        self._desk: Desk | None = None
        self.busy = self.stopped = self._again = self._clock_taken = False
        self._turn = self._failures = 0
        self._failed = False  # nothing came the last time
        self._silent = True  # nothing has come in this run yet
        self.days, self.every = FIRST_DAYS, FIRST_EVERY_S
        self.first: ListName = "open"
        self.more: frozenset[str] = frozenset()  # parts that orders of both lists come with too, fields of `Include`
        self.results: dict[ListName, Refreshed] = {}
        self.gaps: tuple[Missing, ...] = ()
        self.departed: Departed | None = None
        self.had: Had | None = None  # what the open list held before orders left it that are on no other
        self.brought = 0  # orders of which something new was told since `finished` was last told
        self.progress: Progress | None = None
        self._since: datetime | None = None  # what a run that was stopped had to bring anew
        self._not_before: datetime | None = None
        self._by_hand = False  # the run under way, or the last one, was asked for by a person
        self._planned = float("inf")  # when the clock was to refresh before that, by the clock that only goes on
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)  # a person watches it count down
        self._timer.timeout.connect(self._tick)
        self._soon_timers: dict[float, QTimer] = {}

    def take_desk(self, desk: Desk) -> None:
        """Another desk: nothing is known about its freshness yet."""
        self._tasks.cancel("refresh")
        self._timer.stop()
        self._turn += 1
        self._desk, self.results, self.gaps, self.departed, self.progress = desk, {}, (), None, None
        self.had = None
        self.busy = self.stopped = self._again = self._clock_taken = False
        self.more = frozenset()
        self._failures, self._failed, self._since, self._not_before = 0, False, None, None
        self.days, self.every = FIRST_DAYS, FIRST_EVERY_S
        self.changed.emit()
        self._tasks.read("refresh choice", self._read_choice(desk))

    # What is asked for, and when

    def start(self) -> None:
        """Fetch all of both lists anew: a person asks for it. One that is under way is given up for the new one.

        `held` says why not, while there is no connection or the provider asks to be left alone.
        """
        self._ask(self._now(), lambda jobs, _: jobs)

    def start_all_the_same(self) -> None:
        """The same, though the provider asks to be left alone: a person knows that, and wants it."""
        self._ask(self._now(), lambda jobs, _: jobs, heed=False)

    def begin(self) -> None:
        """Fetch what is not known since a few minutes: the connection was made."""
        if self.rest_until is None:
            self._run(*self._unfresh(self._now() - _FRESH))
        else:
            self._set_timer()

    def go_on(self, since: datetime | None = None) -> None:
        """Go on with what was stopped: nothing that came whole since it was begun is asked for again."""
        self._ask(*self._unfresh(since or self._since or self._now() - _FRESH))

    def _unfresh(self, since: datetime) -> tuple[datetime, Pick]:
        return since, lambda jobs, known: unfresh(jobs, known, since, self._now())

    def try_again(self, only: Sequence[Missing] = ()) -> None:
        """Ask for the days that are missing, or only for these."""
        gaps = tuple(only) or self.gaps
        self._ask(self._now(), lambda jobs, _: lacking(jobs, gaps))

    def want(self, parts: Iterable[str]) -> None:
        """Somebody looks at these parts: from now on orders come with them."""
        self.more |= frozenset(parts)

    def fetch(self, parts: Iterable[str]) -> None:
        """The same, and the list that is shown is fetched with them now."""
        self.want(parts)
        self._ask(self._now(), lambda jobs, _: [job for job in jobs if job.list == self.first])

    def soon(self, seconds: float) -> None:
        """Refresh in a moment: something was just sent that should show. While more is sent, the moment moves on."""
        if seconds not in self._soon_timers:
            timer = self._soon_timers[seconds] = QTimer(self)
            timer.setSingleShot(True)
            timer.timeout.connect(self._soon)
        self._soon_timers[seconds].start(int(seconds * 1000))

    def stop(self) -> None:
        """Ask for nothing more. What came is kept; `go_on` brings the rest."""
        if self.busy and self._desk is not None:
            self._turn += 1
            self._tasks.cancel("refresh")
            self.brought += 1  # at least: what came is kept
            self.busy, self.stopped, self.progress = False, True, None
            self.changed.emit()
            self._tasks.read("dates", self._end(self._desk, self._turn, {}))

    def choose(self, *, days: int | None = None, every: int | None = None) -> None:
        """Another horizon, or another time between two refreshes; both are kept for this connection."""
        assert self._desk is not None
        farther = days is not None and days != self.days
        self.days = self.days if days is None else days
        self.every = self.every if every is None else every
        self.changed.emit()
        self._tasks.write("keep refresh choice", self._keep_choice(self._desk))
        if farther:
            self.go_on(self._now() - _FRESH)
        elif not self.busy:
            self._set_timer()

    @property
    def next_in(self) -> int | None:
        """Seconds until the next refresh by the clock; None when none is to come."""
        return -(-self._timer.remainingTime() // 1000) if self._timer.isActive() else None

    @property
    def rest_until(self) -> datetime | None:
        """Until when the provider asks to be left alone, if it does: of lists, or of anything else."""
        desk = self._desk
        if desk is None:
            return None
        wishes = [desk.now() + timedelta(seconds=desk.timing.backoff_seconds)]
        wishes += [] if self._not_before is None else [self._not_before]
        return max(wishes) if max(wishes) > desk.now() else None

    @property
    def jobs(self) -> list[Job]:
        """Every window of the days asked for."""
        first: Listed = "completed" if self.first == "completed" else "open"
        return everything(sorted(LISTED, key=lambda name: name != first), self._now(), self.days)

    def _now(self) -> datetime:
        assert self._desk is not None
        return self._desk.now()

    def _tick(self) -> None:
        if not self.busy:
            self._by_the_clock(timedelta(seconds=self.every))

    def _soon(self) -> None:
        """What was just sent may have missed the refresh under way: another one follows it."""
        if self.busy:
            self._again = True
        elif self._desk is not None and not self.stopped:
            self._by_the_clock(timedelta())

    def _by_the_clock(self, every: timedelta) -> None:
        if self.rest_until is not None:
            self._set_timer()  # nobody waits for this
            return
        self._run(None, lambda jobs, known: due(jobs, known, self._now(), every, _BUDGET))

    # One run

    def _ask(self, since: datetime, pick: Pick, *, heed: bool = True) -> None:
        """A person asks: do it, or say why it is not done now, and when it is."""
        desk, until = self._desk, self.rest_until
        if desk is None:
            return
        if desk.provider is None:
            self.held.emit(f"Orders were not refreshed. {desk.trouble} They are once there is a connection.", False)
        elif until is not None and heed:
            self._set_timer()
            self.held.emit(f"{backoff_words(until, desk.now())}: orders are refreshed then.", True)
        else:
            desk.provider.auth.ask_once_more()
            self._run(since, pick, by_hand=True)

    def _run(self, since: datetime | None, pick: Pick, *, by_hand: bool = False) -> None:
        desk = self._desk
        if desk is None or desk.provider is None:
            return
        left = self._timer.remainingTime() / 1000 if self._timer.isActive() else float("inf")
        self._by_hand, self._planned = by_hand, time.monotonic() + left
        self._timer.stop()
        self._turn += 1
        self.brought += self.busy  # what is given up may have brought something
        self._since = since or self._since
        self._again = self.stopped = False
        self._tasks.cancel("dates")
        self._tasks.cancel("index")
        self._tasks.read("refresh", self._refresh(desk, self._turn, pick))

    async def _refresh(self, desk: Desk, turn: int, pick: Pick) -> None:
        self.busy, self._silent = True, True
        self.changed.emit()
        self._last_redraw = time.monotonic()
        try:
            results = await self._fetched(desk, pick)
            await self._end(desk, turn, results)
        finally:
            if turn == self._turn:  # else another one has taken over already
                self.busy, self.progress = False, None
        self._tasks.read("index", self._index(desk))
        if self._again:
            self._soon()

    async def _fetched(self, desk: Desk, pick: Pick) -> "Mapping[Listed, Refreshed]":
        """What the provider answered, list by list; trouble with the store is taken note of."""
        from app.desk.sync import (  # bring the client's models, which the first paint does without
            departed_orders,
            order_sync,
        )

        results: Mapping[Listed, Refreshed] = {}
        try:
            if not self._clock_taken:
                self._clock_taken = True
                await order_sync.take_clock(desk)
            known = await order_sync.known(desk)
            if self.departed is None or not self.departed.suspicious:
                self.had = await departed_orders.had(desk, known)
            jobs = pick(handy(self.jobs, known), known)
            results = await order_sync.fetch(desk, jobs, self._on_progress, self._parts())
            self.brought += sum(each.changed for each in results.values())
            self._count_failures(jobs, results)
            if not self._failed:
                self.departed = await departed_orders.look_for_departed(desk)
                self.brought += self.departed.asked
            self._tell_of_lists(jobs, results)
        except StoreError as error:
            self._take_store_trouble(error.sentence)
        return results

    async def _index(self, desk: Desk) -> None:
        """What came is taken into the search index once nothing more comes, in short steps, and made ready to sort.

        What that took of memory is given back.
        """
        from app.desk.sync import order_sync  # as above

        try:
            await order_sync.index(desk)
            await make_common_sortable(desk)
        except StoreError as error:
            self.troubled.emit(error.sentence)
        await asyncio.to_thread(give_back)

    def _parts(self) -> "Mapping[Listed, Include]":
        from app.desk.sync.fetch_window import LIST_PARTS  # as above

        more = dict.fromkeys(self.more, True)
        return {name: replace(parts, **more) for name, parts in LIST_PARTS.items()}

    def _on_progress(self, progress: "Progress") -> None:
        self.progress = progress
        self.progressed.emit(progress)
        now = time.monotonic()
        if progress.orders and self._silent:
            self._silent = False
            self.answered.emit()
        if progress.orders and now - self._last_redraw > _REDRAW_EVERY_S:
            self._last_redraw = now
            self.rows_came.emit()

    def _tell_of_lists(self, jobs: list[Job], results: "Mapping[Listed, Refreshed]") -> None:
        """The provider answered where any of a list came whole."""
        for name in dict.fromkeys(job.list for job in jobs):
            asked = [job for job in jobs if job.list == name]
            gaps = results[name].missing
            silent = all(any(gap.start <= job.start and gap.end >= job.end for gap in gaps) for job in asked)
            self.ended.emit(name, results[name].trouble if silent else "")

    def _count_failures(self, jobs: list[Job], results: "Mapping[Listed, Refreshed]") -> None:
        times = [each.not_before for each in results.values() if each.not_before is not None]
        self._not_before = max(times, default=None)
        whole = set(jobs) - set(lacking(jobs, tuple(gap for each in results.values() for gap in each.missing)))
        self._failed = not whole and bool(jobs)
        if whole:
            self._failures = 0
        elif self._failed and not self._by_hand:
            self._failures += 1

    def _take_store_trouble(self, sentence: str) -> None:
        from app.desk.sync.order_sync import Refreshed  # as above

        now = self._now()
        self._failed = True
        self._failures += not self._by_hand
        for name in LISTED:
            gaps = tuple(Missing(name, job.start, job.end, sentence) for job in self.jobs if job.list == name)
            self.results[name] = Refreshed(0, now, sentence, gaps)

    async def _end(self, desk: Desk, turn: int, results: "Mapping[Listed, Refreshed]") -> None:
        """See which dates are missing now, of all that are wanted, and set the clock."""
        from app.desk.sync import order_sync  # as above

        try:
            self.gaps = missing(self.jobs, await order_sync.known(desk))
            for name, result in results.items():
                gaps = tuple(gap for gap in self.gaps if gap.list == name and gap.sentence)
                self.results[name] = replace(result, missing=gaps, trouble=gaps[0].sentence if gaps else "")
        except StoreError as error:
            self._take_store_trouble(error.sentence)
        if turn == self._turn:
            self.busy, self.progress = False, None  # not before: until then it is not known when the next one comes
            if not self.stopped:
                self._set_timer()
            self.changed.emit()
            self.finished.emit()
            self.brought = 0

    def _set_timer(self) -> None:
        """The next refresh by the clock. While nothing comes, it is later each time."""
        self._timer.stop()
        until = self.rest_until
        if self._desk is None or self._desk.provider is None or self.stopped or not (self.every or until):
            return
        wait = float(self.every)
        if self._failures:
            wait = max(wait, min(_LONGEST_BACK_OFF_S, wait * 2.0 ** min(self._failures, 10)))
        if self._failed and self._by_hand:
            # A person tried in vain: the clock does so when it would have without that.
            wait = min(wait, max(self._planned - time.monotonic(), 1.0))
        if until is not None:
            wait = max(wait, (until - self._now()).total_seconds())
        self._timer.start(int(min(wait, 86_400.0) * 1000))

    # What was chosen

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
            self.begin()  # the connection was quicker

    async def _keep_choice(self, desk: Desk) -> None:
        try:
            await keep_choice(desk, _CHOICE, {"days": self.days, "every": self.every})
        except StoreError as error:
            self.troubled.emit(error.sentence)

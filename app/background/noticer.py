"""Finds the facts to notice on the desktop, and makes one notice of facts that come together.

Invariants: what is noticed is stored before it is shown, so nothing is noticed twice; a notice is composed of what the
stores say at that moment, and is changed or withdrawn when they say otherwise; what the person looks at, and all that
a first fetch brings, counts as noticed without a notice. In the quiet hours nothing is noticed, and what is still so
at their end is noticed then. Two notices are half a minute apart, so an import whose rows are refused one after the
other does not ring for each.
"""

import time
from collections.abc import Callable, Collection, Iterable
from datetime import date, datetime

from PySide6.QtCore import QObject, QTimer, Signal

from app.background.audit_refresher import AuditRefresher
from app.background.news import News
from app.desk.connections import profiles
from app.desk.desk import Desk
from app.desk.noticing.notice_choices import KINDS, Kind, NoticeChoices, read_choices
from app.desk.noticing.notice_facts import Fact, Reading, read_facts
from app.desk.noticing.notice_ledger import Ledger, keep_ledger, read_ledger, sift
from app.desk.noticing.notice_text import compose
from app.runtime.sink import Sink
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError

GATHER_MS = 3_000  # in which what happens at once becomes one notice
REST_S = 30.0  # between two notices
MINUTE_MS = 60_000  # a day begins, quiet hours end
_AGAIN_MS = 30_000  # after trouble with the store
_ROUNDS = 3  # at most, while the stores change faster than they are read
_OF_WRITES: tuple[Kind, ...] = ("refused", "in-doubt")
_OF_ORDERS: tuple[Kind, ...] = ("watched", "soon")
Known = Callable[[], Collection[Kind]]
FIRST_AUDIT_DAYS = 7  # that are fetched for low audits where nobody has opened the page Audits


class Noticer(QObject):
    """`noticed` carries a `Notice` to be shown in place of the last one, and whether it says something new; `over`
    asks for the last one to be taken away.

    `looked_at` says the kinds that the person sees anyway at this moment, `can_show` whether the desktop shows notices
    at all, `fetching` whether orders are being fetched.
    """

    noticed = Signal(object, bool)
    over = Signal()
    chosen = Signal()  # the choices were read: they may be others

    def __init__(
        self, sink: Sink, news: News, looked_at: Known, can_show: Callable[[], bool], fetching: Callable[[], bool]
    ) -> None:
        super().__init__()
        self._tasks = Tasks(sink, "noticer")
        self._looked_at, self._can_show, self._fetching = looked_at, can_show, fetching
        self.choices = NoticeChoices()
        self._desk: Desk | None = None
        self._ledger: Ledger | None = None
        self._begun = self._again = self._choices_read = False
        self._horizon = 0  # days of orders that have been fetched whole; 0 before
        self._audits_whole = self._audits_elsewhere = False
        self._stale: set[Kind] = set(KINDS)
        self._readings: dict[Kind, Reading] = {}
        self._live: dict[tuple[Kind, int], Fact] = {}  # what the notice that is shown is about
        self._told_at = float("-inf")
        self._last_turn: tuple[date, bool] | None = None
        self._audits = AuditRefresher(self._tasks)
        self._audits.days = FIRST_AUDIT_DAYS
        self._audits.finished.connect(self._on_audits)
        self._gather, self._later, self._minute = QTimer(self), QTimer(self), QTimer(self)
        self._gather.setSingleShot(True)
        self._gather.timeout.connect(self._start)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._start)
        self._minute.setInterval(MINUTE_MS)
        self._minute.timeout.connect(self._on_minute)
        # Bound methods: a signal holds any other callable for good, and with it the whole window (pitfall 9).
        news.wrote.connect(self._on_wrote)
        news.stored.connect(self._on_stored)
        news.reviewed.connect(self._on_reviewed)

    def begin(self) -> None:
        """Look from now on."""
        self._begun = True
        self._minute.start()
        self.choose_anew()

    def take_desk(self, desk: Desk) -> None:
        """Look at this desk from now on; a notice about the one before is taken away."""
        self._desk, self._ledger, self._horizon, self._last_turn = desk, None, 0, None
        self._audits_whole = False
        self._readings, self._live, self._stale = {}, {}, set(KINDS)
        self._audits.take_desk(desk)
        self.over.emit()
        self.look(KINDS)

    def choose_anew(self) -> None:
        """The choices may be others."""
        self._choices_read = False
        self.look(KINDS)

    def connected(self) -> None:
        """The provider can be reached: audits are asked for, if low ones are wanted and no page asks for them."""
        wanted = "low-audit" in self.choices.kinds and not self.choices.off and self._choices_read
        if self._begun and wanted and not self._audits_elsewhere and not self._audits.busy:
            self._audits.begin()

    def audits_came(self, whole: bool) -> None:
        """The page Audits has fetched. From now on it fetches by itself, so this service asks for no audits."""
        if not self._audits_elsewhere:
            self._audits_elsewhere = True
            if self._desk is not None:
                self._audits.take_desk(self._desk)  # which stops its clock
        self._audits_whole = self._audits_whole or whole
        self.look(("low-audit",))

    def orders_came(self, horizon: int) -> None:
        """A fetch has ended; `horizon` is how many days of open orders are there whole, 0 if some are missing."""
        self._horizon = horizon
        self.look(_OF_ORDERS)

    def closed(self) -> None:
        """The desktop has taken the notice away, or the person has: it is not changed any more."""
        self._live = {}

    def look_around(self) -> None:
        """The person looks elsewhere, perhaps at what the notice is about."""
        if self._live:
            self.look(())

    def look(self, kinds: Iterable[Kind]) -> None:
        """Look soon: facts of these kinds may be others."""
        self._stale.update(kinds)
        if self._begun and self._desk is not None and not self._gather.isActive():
            self._gather.start(GATHER_MS)

    @property
    def busy(self) -> bool:
        """Whether it looks, or is about to."""
        return self._gather.isActive() or self._tasks.running("look")

    async def aclose(self, patience: float) -> bool:
        """Stop looking."""
        self._begun = False
        for each in (self._gather, self._later, self._minute):
            each.stop()
        return await self._tasks.aclose(patience)

    def _on_wrote(self) -> None:
        self.look(_OF_WRITES)

    def _on_stored(self) -> None:
        self.look(_OF_ORDERS)

    def _on_reviewed(self) -> None:
        self.look(("low-audit",))

    def _on_audits(self) -> None:
        result = self._audits.result
        self._audits_whole = self._audits_whole or (result is not None and not result.trouble)
        self.look(("low-audit",))

    def _on_minute(self) -> None:
        if self._desk is not None and self._last_turn is not None and self._turn(self._desk) != self._last_turn:
            self.look(("soon", "low-audit"))

    def _turn(self, desk: Desk) -> tuple[date, bool]:
        """Look at the facts that change by the clock alone."""
        now: datetime = desk.now()
        return now.date(), self.choices.is_quiet(now)

    # A look

    def _start(self) -> None:
        # A write of the journal: it is never cancelled between storing what was noticed and showing it.
        if not self._tasks.write("look", self._look()):
            self._again = True

    async def _look(self) -> None:
        new = False
        try:
            for _ in range(_ROUNDS):
                self._again = False
                desk = self._desk
                if desk is None or not self._begun:
                    return
                new = await self._pass(desk) or new
                if desk is not self._desk or not self._to_look_again():
                    break
        except StoreError:
            self._later.start(_AGAIN_MS)  # each page shows the sentence of this error itself
            return
        # The timer that was set meanwhile may have run out during the last round, and nothing else would look again.
        if self._to_look_again():
            self.look(())
        if desk is self._desk:  # else `_readings` holds facts of the connection before
            self._tell(new)

    def _to_look_again(self) -> bool:
        return self._again or bool(self._stale_now())

    async def _pass(self, desk: Desk) -> bool:
        """Read the stale kinds, and take new facts into the notice that is shown; whether there are any."""
        await self._read(desk)
        ledger = self._ledger if self._ledger is not None else await read_ledger(desk)
        now, looked_at, shows = desk.now(), self._looked_at(), self._can_show()
        waits = self.choices.is_quiet(now) or time.monotonic() < self._told_at + REST_S
        self._last_turn = self._turn(desk)
        found: list[Fact] = []
        after = ledger
        for kind in KINDS:
            if not self._wants(kind):
                after = after.without(kind)
            elif (reading := self._readings.get(kind)) is not None:
                silent = kind in looked_at or not shows
                if waits and not silent and after.knows(kind):
                    continue
                new, after = sift(after, kind, reading, now.date(), silent=silent)
                found += new
        # Stored before it is shown: a notice whose mark is lost would be told again at the next start.
        if after is not ledger:
            await keep_ledger(desk, after)
        if desk is not self._desk:
            return False
        self._ledger = after
        self._live |= {(each.kind, each.key): each for each in found}
        return bool(found)

    async def _read(self, desk: Desk) -> None:
        if not self._choices_read:
            self._choices_read = True
            self.choices = await read_choices(desk.journal)
            self.chosen.emit()
            self.connected()
        for kind in self._stale_now():
            self._stale.discard(kind)  # before it is read: a change meanwhile makes it stale again
            try:
                reading = await read_facts(desk, kind, self._horizon)
            except StoreError:
                self._stale.add(kind)
                raise
            if desk is not self._desk:
                return
            self._readings[kind] = reading

    def _stale_now(self) -> list[Kind]:
        """The kinds to read now: those that are wanted and whose facts are whole."""
        return [kind for kind in KINDS if kind in self._stale and self._wants(kind) and self._is_whole(kind)]

    def _wants(self, kind: Kind) -> bool:
        return kind in self.choices.kinds and not self.choices.off

    def _is_whole(self, kind: Kind) -> bool:
        """Whether the store has all that there is: in the middle of a fetch, what was there before may seem new."""
        if kind in _OF_ORDERS and self._fetching():
            return False
        if kind == "soon":
            return self._horizon > 0
        return kind != "low-audit" or self._audits_whole

    # A notice

    def _tell(self, new: bool) -> None:
        desk = self._desk
        assert desk is not None
        if time.monotonic() < self._told_at + REST_S:
            # Facts that came during the rest between two notices are told at its end.
            self._later.start(int((self._told_at + REST_S - time.monotonic()) * 1000) + 100)
        had, looked_at = len(self._live), self._looked_at()
        here = {(fact.kind, fact.key): fact for reading in self._readings.values() for fact in reading.facts}
        self._live = {
            key: fact
            for key, fact in self._live.items()
            if self._wants(fact.kind)
            and fact.kind not in looked_at
            and (now := here.get(key)) is not None
            and now.mark in ("", fact.mark)
        }
        if new and self._live:
            self._told_at = time.monotonic()
        if not self._live:
            if had:
                self.over.emit()
        elif new or len(self._live) != had:
            practice = desk.profile.id == profiles.PRACTICE_ID
            facts = list(self._live.values())
            notice = compose(desk.profile.id, facts, references=self.choices.references, practice=practice)
            self.noticed.emit(notice, new)

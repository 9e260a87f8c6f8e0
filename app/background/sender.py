"""Drains the send queue of one desk at a time, and tries again by itself when nothing could leave.

Invariants: a write is never cancelled; a change of page or of connection lets the write under way finish. While sending
is paused, `wake` hurries nothing unless the reason of the pause is over: only the clock, a new connection or a person
does. A write that a person wants sent leaves at once.

The sender emits `News.wrote` and is woken by `News.queue_changed`: it never hears its own news.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.background import background_words as words
from app.background.news import News
from app.background.throttle import Throttle
from app.desk.desk import Desk
from app.desk.timing import LONGEST_BACKOFF_S
from app.runtime.sink import Sink
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError

if TYPE_CHECKING:
    from app.desk.circuit_breaker import Failure
    from app.desk.sending.outbox import Outcome

_FIRST_DELAY_S = 5.0
_LONGEST_DELAY_S = 60.0
_TURN_S = 10.0  # until a write that waits for another one is tried again
# Desks that lost the provider at the same moment do not all come back at the same moment.
_JITTER = 1.3
_COSTLY = ("doubt", "turned away")  # each probe leaves one more order in doubt or held: few are made


@dataclass(frozen=True, slots=True)
class Ending:
    """How one write ended: its state, or "held" for a person, or "not recorded" where the journal is in trouble.

    `write_id` is None for trouble of the journal that concerns no single write.
    """

    write_id: int | None
    state: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Pause:
    """A pause of the send queue. `reason` is empty without a connection, since the window says that anyway."""

    until: datetime
    reason: str


class Sender(QObject):
    """Emits `ended` with a list of `Ending`, one for each write that has ended since the last signal.

    `paused` carries a `Pause`, or None once sending goes on. `recovered` is emitted when the journal can be read and
    written again after trouble with it.
    """

    ended = Signal(list)
    paused = Signal(object)
    recovered = Signal()

    def __init__(self, sink: Sink, news: News, now: Callable[[], datetime]) -> None:
        super().__init__()
        self._news = news
        self._now = now
        self._tasks = Tasks(sink, "sender")
        self._desk: Desk | None = None
        self.sending_for: Desk | None = None  # it may be the desk before the one in force
        self._again = False  # the queue is to be read once more after this pass
        self._closing = False
        self._held_back = False  # `wake` is to wait for the end of the pause
        self._unrecorded = False  # the journal is in trouble
        self._delay = _FIRST_DELAY_S
        self._cause: Failure | None = None  # the failure that opened the circuit breaker
        self._doubts: frozenset[int] = frozenset()  # the writes in doubt that are the only reason of the pause
        self._hurried: set[int] = set()  # the urgent writes that have been tried once
        self._retry = QTimer(self)
        self._retry.setSingleShot(True)
        self._retry.timeout.connect(self.try_now)
        # Hundreds may end within a second: they are told together, a few times a second.
        self._endings: list[Ending] = []
        self._throttle = Throttle(self)
        self._throttle.due.connect(self._publish)

    def take_desk(self, desk: Desk) -> None:
        """Send for this desk from now on."""
        self._desk = desk
        self._delay = _FIRST_DELAY_S
        self._held_back = self._unrecorded = False
        # A timer of the old desk would end a pause of the new one.
        self._retry.stop()
        self.paused.emit(None)

    def wake(self) -> None:
        """Read the queue: a write was queued, or can be sent now. A pause goes on as long as its reason lasts."""
        if not self._held_back or self._is_over() or (not self._tasks.running("send") and self._has_urgent()):
            self.try_now()

    def _has_urgent(self) -> bool:
        """Whether a person wants a write sent that the queue has not tried since."""
        desk = self._desk
        # Each write counts once: one that waits behind another change of its order would be tried without end.
        new = set() if desk is None else desk.urgent - self._hurried
        self._hurried = set() if desk is None else set(desk.urgent)
        return bool(new)

    def _is_over(self) -> bool:
        """Whether the failures that are the reason of the pause are settled."""
        desk = self._desk
        if desk is None or desk.timing.backing_off:
            return False
        if self._cause is not None:
            return desk.breaker.cause is None
        return bool(self._doubts) and not desk.breaker.any_in_doubt(self._doubts)

    def try_now(self) -> None:
        """End the pause and send: for the clock, for a person, or after a new connection."""
        if self._desk is None or self._desk.provider is None:
            return
        self._held_back = False
        self._desk.paused_until, self._desk.pause_reason = None, ""
        if not self._tasks.write("send", self._send()):
            self._again = True  # the pass under way may have read the queue already

    async def _send(self) -> None:
        self._again = True
        while self._again:
            self._again = False
            desk = self._desk  # read in each pass: a person may have changed the connection meanwhile
            assert desk is not None
            self.sending_for = desk
            try:
                read_again = await self._drain(desk)
            except StoreError as error:  # the disk may be free again in a while
                self._report_unread_queue(error)
                read_again = False
            finally:
                self.sending_for = None
            if not read_again and not self._has_urgent():
                break

    async def _drain(self, desk: Desk) -> bool:
        """Send the queued writes; returns False if only the clock or a person is to read the queue again."""
        from app.desk.sending import outbox  # brings the client's models, which the first paint does without

        began = desk.now()
        outcomes = await outbox.drain(desk, self._on_change, self._on_outcome, lambda: not self._closing)
        # The last endings before `paused`: a notice about the pause must not stand there before its cause.
        self._throttle.flush()
        # The connection was changed during the pass: pause, alarm and breaker of the old desk do not concern the new
        # one.
        if desk is not self._desk:
            return True
        self._check_journal(outcomes)
        stopped = [each for each in outcomes if not each.go_on]
        unasked = any(each.failure == "unasked" for each in outcomes)
        if any(each.state == "accepted" for each in outcomes) and (stopped or not unasked):
            self._delay = _FIRST_DELAY_S  # the provider works: what stopped the queue is new
        if stopped:
            self._pause(desk, stopped)
            return False
        self.paused.emit(None)
        await self._set_alarm(desk, outcomes, began)
        # Writes that wait for their turn are not looked up again at once: the alarm does that.
        return not outcomes or not all(each.retry_later or not each.recorded for each in outcomes)

    def _on_change(self) -> None:
        # What has just ended may let a later write of the same order go: the queue is read once more after this pass.
        self._again = True
        self._throttle.request()

    def _on_outcome(self, outcome: "Outcome") -> None:
        state = "not recorded" if not outcome.recorded else "held" if outcome.held else outcome.state
        self._endings.append(Ending(outcome.write_id, state, outcome.sentence))

    def _publish(self) -> None:
        endings, self._endings = self._endings, []
        if endings:
            self.ended.emit(endings)
        self._news.wrote.emit()

    def _check_journal(self, outcomes: Sequence["Outcome"]) -> None:
        trouble = any(not each.recorded for each in outcomes)
        if self._unrecorded and not trouble:
            self.recovered.emit()
        self._unrecorded = trouble

    def _report_unread_queue(self, error: StoreError) -> None:
        if not self._closing:
            self._unrecorded = True
            self.ended.emit([Ending(None, "not recorded", words.queue_unread(error.sentence))])
            self._start_pause(self._next_delay(_LONGEST_DELAY_S), "")

    # Pauses

    def _pause(self, desk: Desk, stopped: Sequence["Outcome"]) -> None:
        """Pause sending for as long as the provider asked for, else for longer each time."""
        cause = self._cause = desk.breaker.cause
        self._doubts = frozenset(each.write_id for each in stopped if each.failure == "doubt")
        delay = self._next_delay(LONGEST_BACKOFF_S if cause in _COSTLY else _LONGEST_DELAY_S)
        # Where several writes were stopped at the same time, the longest pause that one of them was asked for counts.
        asked = max((each.retry_after for each in stopped if each.retry_after is not None), default=None)
        self._held_back = asked is not None or bool(self._doubts)
        if cause is not None:
            reason, advice = words.BREAKER_OPEN[cause], words.ADVICE.get(cause, "")
        elif asked is not None:
            reason, advice = words.PROVIDER_ASKS, ""
        else:
            reason, advice = words.LAST_UNCONFIRMED if self._doubts else "", ""
        desk.pause_reason = reason
        self._start_pause(max(delay, asked or 0.0), f"{reason} {advice}".strip())
        if desk.paused_until is not None:
            self._news.wrote.emit()  # the rows of the outbox show the reason and the time

    def _next_delay(self, longest: float) -> float:
        """The next delay in seconds: twice the last, with jitter, so that several desks do not retry at one moment."""
        delay = self._delay * random.uniform(1.0, _JITTER)  # noqa: S311  # it keeps no secret
        self._delay = min(self._delay * 2, longest)
        return delay

    def _start_pause(self, seconds: float, reason: str) -> None:
        seconds = min(seconds, LONGEST_BACKOFF_S)
        self._retry.start(int(seconds * 1000))
        until = self._now() + timedelta(seconds=seconds)
        if self._desk is not None and self._desk.pause_reason:
            self._desk.paused_until = until
        self.paused.emit(Pause(until, reason))

    async def _set_alarm(self, desk: Desk, outcomes: Sequence["Outcome"], began: datetime) -> None:
        """Set the clock for the writes that wait for their turn, and for cancellations that can still be undone.

        `began` is the moment before the pass that has ended.
        """
        from app.desk.sending import outbox

        # The pass has seen every write that was due at `began`. One that is still queued waits for another write, whose
        # end wakes the sender. A write that became due during the pass may have been overlooked.
        due = await outbox.next_due(desk, began)
        delays = [] if due is None else [max((due - desk.now().astimezone()).total_seconds(), 0.0)]
        if any(each.retry_later and each.failure is None for each in outcomes):
            delays.append(_TURN_S)
        if any(each.failure == "unasked" for each in outcomes):
            delays.append(max(_TURN_S, self._next_delay(_LONGEST_DELAY_S)))
        # The connection may have been changed while the journal was read.
        if delays and desk is self._desk:
            # A little late rather than a little early: the loop's timers are coarse (pitfall 6).
            self._retry.start(int(min([*delays, LONGEST_BACKOFF_S]) * 1000) + 100)

    # The end

    async def until_idle(self) -> None:
        """Wait until nothing is being sent."""
        await self._tasks.ended("send")

    def begin_no_more(self) -> None:
        """Begin no further write, because the program is about to end; writes under way are finished."""
        self._closing = True
        self._retry.stop()

    async def aclose(self, patience: float) -> bool:
        """Begin no further write, and wait for those under way; False if they take longer than `patience` seconds."""
        self.begin_no_more()
        return await self._tasks.aclose(patience)

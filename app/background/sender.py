"""Sends what is queued, one desk at a time, and tries again by itself when nothing could leave.

A write is never cancelled: changing the page or the profile lets the one under way finish. While what is queued rests,
no news hurries it unless they end the reason of the rest: else only the clock, a new connection or a person does. What
a person wants sent leaves at once.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.background.news import News
from app.background.paced_news import Pace
from app.desk.desk import Desk
from app.desk.timing import LONGEST_REST_S
from app.runtime.sink import Sink
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError

if TYPE_CHECKING:
    from app.desk.circuit_breaker import Trouble
    from app.desk.sending.outbox import Outcome

_FIRST_WAIT_S = 5
_LONGEST_WAIT_S = 60
_TURN_S = 10.0
_JITTER = 1.3
_ASKED_FOR = "The provider asks to be left alone for a while, so what is queued waits."
# By what stopped the queue, where it was not the connection.
_WHY = {
    "doubt": "The last that were sent ended in doubt, so what is queued waits.",
    "unasked": "The provider does not say how the orders stand, so what is queued waits. "
    "In the outbox you can send single ones without asking.",
    "turned away": "The provider turned away the last that were sent, so what is queued waits. "
    "Ask it for this permission, or correct the connection in Settings.",
}
# The same beside each order that waits.
_WAITS_FOR = {
    "doubt": "three recent sends are unconfirmed",
    "unasked": "the provider does not say how orders stand",
    "turned away": "the provider turned away three recent sends",
}
_UNCONFIRMED = "the last send is unconfirmed"
_LEFT_ALONE = "the provider asks for a rest"
_COSTLY = ("doubt", "turned away")  # each try leaves one more order so: few are made


@dataclass(frozen=True, slots=True)
class Ending:
    """How one write ended: its state, or "held" for a person, or "not kept" where the journal is in trouble.

    `write_id` is None for trouble of the journal that concerns no single write.
    """

    write_id: int | None
    state: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Rest:
    """Nothing is sent until then; `why` is empty where the connection itself is the reason, which is said elsewhere."""

    until: datetime
    why: str


class Sender(QObject):
    """`ended` tells how writes ended, several at a time where many are sent: a list of `Ending`.

    `rests` tells when it stops for a while, with the `Rest`, and with None that it goes on. `kept` tells that
    the journal is read and written to again, after trouble with it.
    """

    ended = Signal(list)
    rests = Signal(object)
    kept = Signal()

    def __init__(self, sink: Sink, news: News, now: Callable[[], datetime]) -> None:
        super().__init__()
        self._news = news
        self._now = now
        self._tasks = Tasks(sink, "sender")
        self._desk: Desk | None = None
        self.at_work_for: Desk | None = None  # the desk whose orders are being sent; it may be the one before
        self._again = self._closing = self._left_alone = self._unkept = False
        self._wait = float(_FIRST_WAIT_S)
        self._cause: Trouble | None = None  # why it rests, where several sends in a row say so
        self._hurried: set[int] = set()  # what a person wants sent, and was tried for that once
        self._doubts: frozenset[int] = frozenset()  # those that it rests for, where none but they say so
        self._retry = QTimer(self)
        self._retry.setSingleShot(True)
        self._retry.timeout.connect(self.try_now)
        self._endings: list[Ending] = []
        self._pace = Pace(self)
        self._pace.due.connect(self._tell)

    def take_desk(self, desk: Desk) -> None:
        """Send for this desk from now on."""
        self._desk = desk
        self._wait = _FIRST_WAIT_S
        self._left_alone = self._unkept = False
        self._retry.stop()
        self.rests.emit(None)

    def wake(self) -> None:
        """Something is queued, or can be sent now; what rests is not hurried by it while its reason lasts."""
        if not self._left_alone or self._is_over() or (not self._tasks.running("send") and self._is_wanted()):
            self.try_now()

    def _is_wanted(self) -> bool:
        """Whether a person wants something sent that was not tried since. Each counts once: one that cannot be tried
        yet, as behind another change of its order, would be tried without an end."""
        desk = self._desk
        new = set() if desk is None else desk.brake.ahead - self._hurried
        self._hurried = set() if desk is None else set(desk.brake.ahead)
        return bool(new)

    def _is_over(self) -> bool:
        """Whether it rests for sends of which it is known by now what became of them."""
        desk = self._desk
        if desk is None or desk.timing.left_alone:
            return False
        if self._cause is not None:
            return desk.brake.cause is None
        return bool(self._doubts) and not desk.brake.in_doubt(self._doubts)

    def try_now(self) -> None:
        """Send what is queued, also before the rest is over: the clock says so, a person, or a new connection."""
        if self._desk is None or self._desk.provider is None:
            return
        self._left_alone = False
        self._desk.rest_until, self._desk.rest_why = None, ""
        if not self._tasks.write("send", self._send()):
            self._again = True

    async def _send(self) -> None:
        self._again = True
        while self._again:
            self._again = False
            desk = self._desk  # it may have changed while the one before was sending
            assert desk is not None
            self.at_work_for = desk
            try:
                look_again = await self._drain(desk)
            except StoreError as error:  # the disk may be free again in a while
                self._say_not_kept(error)
                look_again = False
            finally:
                self.at_work_for = None
            if not look_again and not self._is_wanted():
                break

    async def _drain(self, desk: Desk) -> bool:
        """Send what there is; False when only the clock, or a person, is to try again."""
        from app.desk.sending import outbox  # brings the client's models, which the first paint does without

        outcomes = await outbox.drain(desk, self._pace.tell, self._on_ended, lambda: not self._closing)
        self._pace.pass_on()
        if desk is not self._desk:
            return True
        self._look_at_keeping(outcomes)
        stopped = bool(outcomes) and not outcomes[-1].go_on
        troubled = any(each.trouble == "unasked" for each in outcomes)
        if any(each.state == "accepted" for each in outcomes) and (stopped or not troubled):
            self._wait = _FIRST_WAIT_S  # it works; what stopped it is new
        if stopped:
            # Every step just journalled has called `wake` too: only the clock, or a person, tries again.
            self._rest(desk, [each for each in outcomes if not each.go_on])
            return False
        self.rests.emit(None)
        await self._set_alarm(desk, outcomes)
        # What it said of them has called `wake` too: those that wait are not asked about again at once.
        return not outcomes or not all(each.later or not each.kept for each in outcomes)

    def _look_at_keeping(self, outcomes: Sequence["Outcome"]) -> None:
        troubled = any(not each.kept for each in outcomes)
        if self._unkept and not troubled:
            self.kept.emit()
        self._unkept = troubled

    def _on_ended(self, outcome: "Outcome") -> None:
        state = "not kept" if not outcome.kept else "held" if outcome.held else outcome.state
        self._endings.append(Ending(outcome.write_id, state, outcome.sentence))

    def _tell(self) -> None:
        endings, self._endings = self._endings, []
        if endings:
            self.ended.emit(endings)
        self._news.wrote.emit()

    def _say_not_kept(self, error: StoreError) -> None:
        if not self._closing:
            self._unkept = True
            self.ended.emit([Ending(None, "not kept", f"What is queued could not be read. {error.sentence}")])
            self._start_resting(self._next_wait(_LONGEST_WAIT_S), "")

    def _rest(self, desk: Desk, stopped: Sequence["Outcome"]) -> None:
        """Try again in a while: as long as the provider asked for, else longer each time, never all desks at once.

        Where several were stopped together the longest rest that one of them was asked for counts.
        """
        cause = desk.brake.cause
        own = self._next_wait(LONGEST_REST_S if cause in _COSTLY else _LONGEST_WAIT_S)
        asked = max((each.rest for each in stopped if each.rest is not None), default=None)
        self._cause, self._doubts = cause, frozenset(each.write_id for each in stopped if each.trouble == "doubt")
        self._left_alone = asked is not None or bool(self._doubts)
        why = _WHY[cause] if cause is not None else _ASKED_FOR if self._left_alone else ""
        if self._left_alone or cause is not None:
            desk.rest_why = _WAITS_FOR[cause] if cause else _LEFT_ALONE if asked is not None else _UNCONFIRMED
        self._start_resting(max(own, asked or 0.0), why)
        if desk.rest_until is not None:
            self._news.wrote.emit()  # what is queued stands otherwise: it hurries nothing now

    def _next_wait(self, longest: float) -> float:
        """Longer each time, with some chance in it."""
        wait = self._wait * random.uniform(1.0, _JITTER)  # noqa: S311  # it keeps no secret
        self._wait = min(self._wait * 2, longest)
        return wait

    def _start_resting(self, seconds: float, why: str) -> None:
        seconds = min(seconds, LONGEST_REST_S)
        self._retry.start(int(seconds * 1000))
        until = self._now() + timedelta(seconds=seconds)
        if self._desk is not None and self._desk.rest_why:
            self._desk.rest_until = until
        self.rests.emit(Rest(until, why))

    async def _set_alarm(self, desk: Desk, outcomes: Sequence["Outcome"]) -> None:
        """Wake up again for what waits its turn, and for what can still be taken back."""
        from app.desk.sending import outbox

        due = await outbox.next_due(desk)
        waits = [] if due is None else [max((due - desk.now().astimezone()).total_seconds(), 0.0)]
        waits += [_TURN_S for each in outcomes if each.later and each.trouble is None][:1]
        waits += [max(_TURN_S, self._next_wait(_LONGEST_WAIT_S)) for each in outcomes if each.trouble == "unasked"][:1]
        if waits and desk is self._desk:
            # A little late rather than a little early: the loop's timers are coarse (pitfall 6).
            self._retry.start(int(min([*waits, LONGEST_REST_S]) * 1000) + 100)

    async def quiet(self) -> None:
        """Wait until nothing is being sent."""
        await self._tasks.ended("send")

    def begin_no_more(self) -> None:
        """The program is about to end: what is being sent is finished, and nothing else is begun."""
        self._closing = True
        self._retry.stop()

    async def aclose(self, patience: float) -> bool:
        """Begin nothing more and wait for what is being sent; False when it takes longer than `patience` seconds."""
        self.begin_no_more()
        return await self._tasks.aclose(patience)

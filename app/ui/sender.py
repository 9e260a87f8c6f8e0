"""Sends what is queued, one desk at a time, and tries again by itself when nothing could leave.

A write is never cancelled: changing the page or the profile lets the one under way finish.
"""

import random
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.desk.desk import Desk
from app.runtime.tasks import Tasks
from app.ui.pace import Pace
from app.ui.page import Room

if TYPE_CHECKING:
    from app.desk.outbox import Outcome

_FIRST_WAIT_S = 5
_LONGEST_WAIT_S = 60
_TURN_S = 10.0
_LONGEST_REST_S = 600.0
_JITTER = 1.3


class Sender(QObject):
    """`ended` tells how writes ended, several at a time where many are sent: a list of pairs.

    Each is the write's state, or "held" for a person, or "not kept" where the journal is in trouble; and the sentence.
    """

    ended = Signal(list)

    def __init__(self, room: Room) -> None:
        super().__init__()
        self._room = room
        self._tasks = Tasks(room.sink, "sender")
        self._desk: Desk | None = None
        self._again = self._closing = False
        self._wait = _FIRST_WAIT_S
        self._retry = QTimer(self)
        self._retry.setSingleShot(True)
        self._retry.timeout.connect(self.wake)
        self._endings: list[tuple[str, str]] = []
        self._pace = Pace(self)
        self._pace.due.connect(self._tell)

    def take_desk(self, desk: Desk) -> None:
        """Send for this desk from now on."""
        self._desk = desk
        self._wait = _FIRST_WAIT_S
        self._retry.stop()

    def wake(self) -> None:
        """Something is queued, or can be sent now."""
        if self._desk is None or self._desk.provider is None:
            return
        if not self._tasks.write("send", self._send()):
            self._again = True

    async def _send(self) -> None:
        from app.desk import outbox  # brings the client's models, which the first paint does without

        self._again = True
        while self._again:
            self._again = False
            desk = self._desk  # it may have changed while the one before was sending
            assert desk is not None
            outcomes = await outbox.drain(desk, self._pace.tell, self._on_ended, lambda: not self._closing)
            self._pace.pass_on()
            if any(each.state == "accepted" for each in outcomes):
                self._wait = _FIRST_WAIT_S  # it works; what stopped it is new
            if outcomes and not outcomes[-1].go_on and desk is self._desk:
                # Every step just journalled has called `wake` too: only the clock, or a person, tries again.
                self._rest(outcomes[-1].rest)
                break
            await self._set_alarm(desk, later=any(each.later for each in outcomes))
            if outcomes and all(each.later or not each.kept for each in outcomes) and desk is self._desk:
                break  # what it said of them has called `wake` too: only the clock, or a person, asks again

    def _on_ended(self, outcome: "Outcome") -> None:
        state = "not kept" if not outcome.kept else "held" if outcome.held else outcome.state
        self._endings.append((state, outcome.sentence))

    def _tell(self) -> None:
        endings, self._endings = self._endings, []
        if endings:
            self.ended.emit(endings)
        self._room.news.wrote.emit()

    def _rest(self, asked: float | None) -> None:
        """Try again in a while: as long as the provider asked for, else longer each time, never all desks at once."""
        own = self._wait * random.uniform(1.0, _JITTER)  # noqa: S311  # it keeps no secret
        self._retry.start(int(min(max(own, asked or 0.0), _LONGEST_REST_S) * 1000))
        self._wait = min(self._wait * 2, _LONGEST_WAIT_S)

    async def _set_alarm(self, desk: Desk, *, later: bool) -> None:
        """Wake up again for what waits its turn, and for what can still be taken back."""
        from app.desk import outbox

        due = await outbox.next_due(desk)
        waits = [] if due is None else [max((due - desk.now().astimezone()).total_seconds(), 0.0)]
        waits += [_TURN_S] if later else []
        if waits and desk is self._desk:
            # A little late rather than a little early: the loop's timers are coarse (pitfall 6).
            self._retry.start(int(min([*waits, _LONGEST_REST_S]) * 1000) + 100)

    async def quiet(self) -> None:
        """Wait until nothing is being sent."""
        await self._tasks.ended("send")

    async def aclose(self, patience: float) -> bool:
        """Begin nothing more and wait for what is being sent; False when it takes longer than `patience` seconds."""
        self._closing = True
        self._retry.stop()
        return await self._tasks.aclose(patience)

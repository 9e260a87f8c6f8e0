"""The ready queue and the timers of the event loop: asyncio's callbacks in order, a few milliseconds at a time.

qasync makes a Qt timer of each callback and each deadline. A cancelled timer stays until its time has come: after ten
thousand calls, each with a deadline of a minute, the window froze while Qt went through them. Here callbacks wait in a
queue, deadlines in a heap, and one Qt timer serves the earliest deadline.

Invariant: between two turns Qt handles keys, painting and its own timers, however many callbacks are queued.
"""

import asyncio
import heapq
import time
from collections import deque
from math import ceil

from PySide6.QtCore import QObject, Qt, QTimer, Signal

_TURN_S = 0.004  # of callbacks, before Qt handles its own events
_SWEEP_ABOVE = 100  # cancelled deadlines leave the heap once there are more than this, and more than live ones


class Turns(QObject):
    """The queue and the heap of one loop. Any thread may use `call_soon`, only the loop's thread the other methods."""

    _turn_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._ready: deque[asyncio.Handle] = deque()
        self._turn_pending = False
        self._deadlines: list[asyncio.TimerHandle] = []
        self._cancelled_count = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        # Qt's coarse timers may ring 5 % early or late, which asyncio's timeouts do not expect.
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._on_deadline)
        # Queued: the signal may be emitted on any thread, and a turn must run on the loop's thread, never inside
        # `call_soon`.
        self._turn_wanted.connect(self._take_turn, Qt.ConnectionType.QueuedConnection)

    def call_soon(self, handle: asyncio.Handle) -> None:
        """Run the callback in one of the next turns."""
        # Another thread may call this while `_take_turn` begins. The handle is appended before the flag is read here,
        # and the flag is cleared before the queue is read there. So either that turn sees the handle, or this call sees
        # the cleared flag and asks for another turn. In any other order a callback could wait for ever.
        self._ready.append(handle)
        if not self._turn_pending:
            self._turn_pending = True
            self._turn_wanted.emit()

    def call_at(self, handle: asyncio.TimerHandle) -> None:
        """Run the callback once `time.monotonic()` has reached its time, never before."""
        heapq.heappush(self._deadlines, handle)
        handle._scheduled = True  # type: ignore[attr-defined]  # asyncio's own loops mark a scheduled handle so
        if self._deadlines[0] is handle:
            self._set_timer()

    def deadline_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Count a cancelled deadline, and sweep the heap once most of it is cancelled."""
        if not handle._scheduled:  # type: ignore[attr-defined]
            return
        self._cancelled_count += 1
        if self._cancelled_count > _SWEEP_ABOVE and self._cancelled_count * 2 > len(self._deadlines):
            self._deadlines = [each for each in self._deadlines if not each.cancelled()]
            heapq.heapify(self._deadlines)
            self._cancelled_count = 0

    def stop(self) -> None:
        """Drop all callbacks and deadlines."""
        self._timer.stop()
        self._ready.clear()
        self._deadlines.clear()

    def _set_timer(self) -> None:
        if self._deadlines:
            wait = self._deadlines[0].when() - time.monotonic()
            # Rounded up: a timer that rings early would be set again and again. Qt takes 32 bits.
            self._timer.start(min(max(ceil(wait * 1000), 0), 2**30))

    def _on_deadline(self) -> None:
        now = time.monotonic()
        while self._deadlines and (self._deadlines[0].when() <= now or self._deadlines[0].cancelled()):
            handle = heapq.heappop(self._deadlines)
            handle._scheduled = False  # type: ignore[attr-defined]
            if handle.cancelled():
                self._cancelled_count -= 1
            else:
                self.call_soon(handle)
        self._set_timer()

    def _take_turn(self) -> None:
        self._turn_pending = False
        end = time.monotonic() + _TURN_S
        # Only those that are queued now: a callback that queues itself again must not keep Qt waiting for ever.
        for _ in range(len(self._ready)):
            if not self._ready:  # a nested event loop has run the rest
                return
            handle = self._ready.popleft()
            if not handle.cancelled():
                handle._run()
            if time.monotonic() > end:
                break
        # A nested event loop (a modal dialog) may have asked for the turn already while a callback ran.
        if self._ready and not self._turn_pending:
            self._turn_pending = True
            self._turn_wanted.emit()

"""When asyncio's callbacks run on Qt's event loop: in their order, a few milliseconds at a time.

qasync makes a Qt timer of each callback and each deadline, and one that is cancelled stays until it would have rung:
after ten thousand calls with a deadline of a minute the window stood still while Qt went through them. Here callbacks
wait in a queue of their own and deadlines in a heap with one timer for the earliest.

Invariant: between two turns Qt sees to keys, painting and its own timers, however much is queued.
"""

import asyncio
import heapq
import time
from collections import deque
from math import ceil

from PySide6.QtCore import QObject, Qt, QTimer, Signal

_TURN_S = 0.004  # then the window has its turn
_FORGET_ABOVE = 100  # cancelled deadlines are swept out once there are more, and more of them than of others


class Turns(QObject):
    """The queue and the heap of one loop. `soon` may be called from any thread, the rest from the loop's."""

    _ring = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._ready: deque[asyncio.Handle] = deque()
        self._rung = False
        self._later: list[asyncio.TimerHandle] = []
        self._cancelled = 0
        self._alarm = QTimer(self)
        self._alarm.setSingleShot(True)
        self._alarm.setTimerType(Qt.TimerType.PreciseTimer)
        self._alarm.timeout.connect(self._on_alarm)
        self._ring.connect(self._take_turn, Qt.ConnectionType.QueuedConnection)

    def soon(self, handle: asyncio.Handle) -> None:
        """Run it in one of the next turns."""
        self._ready.append(handle)
        # In this order, here and in `_take_turn`: what is appended just before the mark is taken off is seen there.
        if not self._rung:
            self._rung = True
            self._ring.emit()

    def at(self, handle: asyncio.TimerHandle) -> None:
        """Run it once `time.monotonic()` has reached its time, never before."""
        heapq.heappush(self._later, handle)
        handle._scheduled = True  # type: ignore[attr-defined]  # what asyncio's own loops tell a handle
        if self._later[0] is handle:
            self._set_alarm()

    def forgotten(self, handle: asyncio.TimerHandle) -> None:
        """A deadline was cancelled."""
        if not handle._scheduled:  # type: ignore[attr-defined]
            return
        self._cancelled += 1
        if self._cancelled > _FORGET_ABOVE and self._cancelled * 2 > len(self._later):
            self._later = [each for each in self._later if not each.cancelled()]
            heapq.heapify(self._later)
            self._cancelled = 0

    def stop(self) -> None:
        """Run nothing any more."""
        self._alarm.stop()
        self._ready.clear()
        self._later.clear()

    def _set_alarm(self) -> None:
        if self._later:
            wait = self._later[0].when() - time.monotonic()
            self._alarm.start(min(max(ceil(wait * 1000), 0), 2**30))

    def _on_alarm(self) -> None:
        now = time.monotonic()
        while self._later and (self._later[0].when() <= now or self._later[0].cancelled()):
            handle = heapq.heappop(self._later)
            handle._scheduled = False  # type: ignore[attr-defined]
            if handle.cancelled():
                self._cancelled -= 1
            else:
                self.soon(handle)
        self._set_alarm()

    def _take_turn(self) -> None:
        self._rung = False
        end = time.monotonic() + _TURN_S
        for _ in range(len(self._ready)):
            if not self._ready:  # a nested loop has run them
                return
            handle = self._ready.popleft()
            if not handle.cancelled():
                handle._run()
            if time.monotonic() > end:
                break
        if self._ready and not self._rung:
            self._rung = True
            self._ring.emit()

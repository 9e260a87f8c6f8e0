"""Learns consignees, commodities and codes from the orders of a desk, in small steps with rests between them.

Invariant: a step takes a few milliseconds, and none begins while orders are being fetched.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from app.desk.desk import Desk
from app.runtime.sink import Sink
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError

# Between two steps other work has its turn.
_REST_MS = 30
_BUSY_REST_MS = 1_000
_TROUBLE_REST_MS = 60_000


class Learner(QObject):
    """Call `wake` when orders were sent or fetched. `busy` says whether orders are being fetched: that comes first."""

    def __init__(self, sink: Sink, busy: Callable[[], bool]) -> None:
        super().__init__()
        self._tasks = Tasks(sink, "learner")
        self._busy = busy
        self._desk: Desk | None = None
        self._again = False
        self._clock = QTimer(self)
        self._clock.setSingleShot(True)
        self._clock.timeout.connect(self._step)

    def take_desk(self, desk: Desk) -> None:
        """Learn for this desk from now on."""
        self._desk = desk

    def wake(self) -> None:
        """Learn from the orders that were sent or fetched since the last step."""
        self._again = True
        # A step under way looks at `_again` when it ends.
        if not self._clock.isActive() and not self._tasks.running("learn"):
            self._clock.start(_REST_MS)

    def forget(self) -> None:
        """Forget all known values, and learn them anew from the journal and the cache."""
        if self._desk is not None:
            self._tasks.write("forget", self._forget(self._desk))

    async def _forget(self, desk: Desk) -> None:
        from app.desk.known import known_data

        # A step under way would write back values of before, after they were forgotten.
        await self._tasks.ended("learn")
        await known_data.forget(desk)
        self.wake()

    def _step(self) -> None:
        if self._desk is None:
            return
        if self._busy():
            self._clock.start(_BUSY_REST_MS)
            return
        self._again = False
        self._tasks.write("learn", self._learn(self._desk))

    async def _learn(self, desk: Desk) -> None:
        from app.desk.known import known_data  # the first paint does without

        try:
            more = await known_data.learn_some(desk)
        except StoreError:
            # Nobody waits for this step, and a form that reads what is known reports the trouble itself.
            self._clock.start(_TROUBLE_REST_MS)
            return
        if more or self._again:
            self._clock.start(_REST_MS)

    async def aclose(self, patience: float) -> bool:
        """Finish the step under way; returns False if the step takes longer than `patience` seconds."""
        self._clock.stop()
        self._desk = None
        return await self._tasks.aclose(patience)

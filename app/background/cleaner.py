"""Deletes what was fetched through connections that were removed: in its own time, after a removal and a start."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from app.desk.desk import Desk
from app.runtime.sink import Sink
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError

_REST_MS = 30
_BUSY_REST_MS = 1_000


class Clearing(QObject):
    """`wake` when a connection was removed, or may have been before this start. `busy` tells whether others need the
    store more. Why it could not be done is told by the sink; then it is tried after the next start."""

    def __init__(self, sink: Sink, busy: Callable[[], bool]) -> None:
        super().__init__()
        self._tasks = Tasks(sink, "clearing")
        self._busy = busy
        self._desk: Desk | None = None
        self._clock = QTimer(self)
        self._clock.setSingleShot(True)
        self._clock.timeout.connect(self._step)

    def take_desk(self, desk: Desk) -> None:
        """Work through this desk's store from now on; it is the same for all connections."""
        self._desk = desk

    def wake(self, _profile_id: str = "") -> None:
        """Look for what is to be deleted."""
        self._clock.start(_REST_MS)

    def _step(self) -> None:
        if self._desk is None:
            return
        if self._busy():
            self._clock.start(_BUSY_REST_MS)
            return
        # What is given up at the end of the window goes on after the next start.
        self._tasks.read("clear", self._clear(self._desk))

    async def _clear(self, desk: Desk) -> None:
        from app.desk.sync.forgetting import forget_gone  # nothing is forgotten before the first paint

        try:
            await forget_gone(desk)
        except StoreError as error:
            words = "What was fetched through a removed connection is not deleted yet."
            raise StoreError(f"{words} {error.sentence}") from error

    async def aclose(self, patience: float) -> bool:
        """Give up; what is left is deleted after the next start."""
        self._clock.stop()
        self._desk = None
        return await self._tasks.aclose(patience)

"""Deletes the orders and audits of removed connections, after a removal and after each start."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from app.background.background_words import not_cleared
from app.desk.connections import profiles
from app.desk.desk import Desk
from app.runtime.sink import Sink
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError

# Between two steps other work has its turn.
_REST_MS = 30
_BUSY_REST_MS = 1_000


class Cleaner(QObject):
    """Call `wake` after a removal and after a start. `busy` says whether orders are being fetched: that comes first.

    The sink reports a failure; the next start tries again.
    """

    def __init__(self, sink: Sink, busy: Callable[[], bool]) -> None:
        super().__init__()
        self._tasks = Tasks(sink, "clearing")
        self._busy = busy
        self._desk: Desk | None = None
        self._clock = QTimer(self)
        self._clock.setSingleShot(True)
        self._clock.timeout.connect(self._step)

    def take_desk(self, desk: Desk) -> None:
        """Use this desk's cache from now on; all connections share one."""
        self._desk = desk

    def wake(self, _profile_id: str = "") -> None:
        """Delete the orders and audits of removed connections, as far as any are left."""
        self._clock.start(_REST_MS)

    def _step(self) -> None:
        if self._desk is None:
            return
        if self._busy():
            self._clock.start(_BUSY_REST_MS)
            return
        # A read is cancelled when the window closes: the rest is deleted after the next start.
        self._tasks.read("clear", self._clear(self._desk))

    async def _clear(self, desk: Desk) -> None:
        try:
            await profiles.forget_gone(desk)
        except StoreError as error:
            raise StoreError(not_cleared(error.sentence)) from error

    async def aclose(self, patience: float) -> bool:
        """Stop deleting; the next start deletes the rest. Returns whether the step under way ended in time."""
        self._clock.stop()
        self._desk = None
        return await self._tasks.aclose(patience)

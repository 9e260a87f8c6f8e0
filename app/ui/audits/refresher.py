"""Brings the audits of a desk up to date, on demand and every few minutes, and remembers how the last refresh ended."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.desk.desk import Desk
from app.runtime.tasks import Tasks

if TYPE_CHECKING:
    from app.desk.audits import Refreshed

_EVERY_MS = 10 * 60 * 1000  # audits are made by people: a new one every few minutes at most


class AuditsRefresher(QObject):
    """`days` is how far back audits are asked for."""

    progressed = Signal(int, int)  # windows done, of how many
    finished = Signal()

    def __init__(self, tasks: Tasks) -> None:
        super().__init__()
        self._tasks = tasks
        self._desk: Desk | None = None
        self.busy = False
        self.days = 90
        self.result: Refreshed | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(self.start)

    def take_desk(self, desk: Desk) -> None:
        """Another desk: nothing is known about its freshness yet."""
        self._tasks.cancel("refresh")
        self._timer.stop()
        self._desk, self.result, self.busy = desk, None, False

    def start(self) -> None:
        """Refresh now, and from now on by the clock. Does nothing while there is no connection."""
        if self._desk is not None and self._desk.provider is not None:
            self._timer.start()
            self._tasks.read("refresh", self._refresh(self._desk))

    def stop(self) -> None:
        """Give up what is under way; what came is kept."""
        self._tasks.cancel("refresh")

    async def _refresh(self, desk: Desk) -> None:
        from app.desk import audits  # brings the client's models, which the page does without

        self.busy = True
        try:
            self.result = await audits.refresh(desk, self.days, self.progressed.emit)
        finally:
            if desk is self._desk:
                self.busy = False
                self.finished.emit()

"""Brings both lists of a desk up to date, on a timer and on demand, and remembers how each last refresh ended."""

from datetime import timedelta
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, QTimer, Signal

from app.desk.desk import Desk
from app.runtime.tasks import Tasks
from app.store.cache_rows import ListName

if TYPE_CHECKING:
    from app.desk.sync import Progress, Refreshed

REFRESH_EVERY_S = 60
# Rows show while a long refresh still runs, at most this often.
_REDRAW_EVERY = timedelta(seconds=1)
_LISTS: tuple[Literal["open", "completed"], ...] = ("open", "completed")


class Refresher(QObject):
    """`days` is how far back orders are asked for, `first` the list that is asked for first: the one on screen."""

    progressed = Signal(object)  # Progress
    rows_came = Signal()  # some orders are in the store, more are on the way
    ended = Signal(str, str)  # the list's name, and the sentence for trouble: empty when the provider answered
    finished = Signal()  # nothing is under way any more

    def __init__(self, tasks: Tasks) -> None:
        super().__init__()
        self._tasks = tasks
        self._desk: Desk | None = None
        self.busy = self._again = False
        self._turn = 0
        self.days = 30
        self.first: ListName = "open"
        self.results: dict[ListName, Refreshed] = {}
        self._timer = QTimer(self)
        self._timer.setInterval(REFRESH_EVERY_S * 1000)
        self._timer.timeout.connect(self._tick)
        self._soon_timers: dict[float, QTimer] = {}

    def take_desk(self, desk: Desk) -> None:
        """Another desk: nothing is known about its freshness yet."""
        self._tasks.cancel("refresh")
        self._timer.stop()
        self._desk, self.results, self.busy, self._again = desk, {}, False, False

    def soon(self, seconds: float) -> None:
        """Refresh in a moment: something was just sent that should show. While more is sent, the moment moves on."""
        if seconds not in self._soon_timers:
            timer = self._soon_timers[seconds] = QTimer(self)
            timer.setSingleShot(True)
            timer.timeout.connect(self._soon)
        self._soon_timers[seconds].start(int(seconds * 1000))

    def start(self) -> None:
        """Refresh both lists now, and from now on by the clock. Does nothing while there is no connection.

        One that is under way is given up for the new one, which may ask for other dates.
        """
        if self._desk is not None and self._desk.provider is not None:
            self._timer.start()
            self._turn += 1
            self._again = False
            self._tasks.read("refresh", self._refresh(self._desk, self._turn))

    def _tick(self) -> None:
        """The clock never gives up a refresh that takes longer than it."""
        if not self.busy:
            self.start()

    def _soon(self) -> None:
        """What was just sent may have missed the refresh under way: another one follows it."""
        if self.busy:
            self._again = True
        else:
            self.start()

    async def _refresh(self, desk: Desk, turn: int) -> None:
        from app.desk import sync  # brings the client's models, which the first paint does without

        self.busy = True
        self._last_redraw = desk.now()
        try:
            for name in sorted(_LISTS, key=lambda name: name != self.first):
                result = await sync.refresh(desk, name, self.days, self._on_progress)
                self.results[name] = result
                self.ended.emit(name, result.trouble)
        finally:
            if turn == self._turn:  # else another one has taken over already
                self.busy = False
                self.finished.emit()
        if self._again:
            self.start()

    def _on_progress(self, progress: "Progress") -> None:
        self.progressed.emit(progress)
        assert self._desk is not None
        now = self._desk.now()
        if progress.orders and now - self._last_redraw > _REDRAW_EVERY:
            self._last_redraw = now
            self.rows_came.emit()

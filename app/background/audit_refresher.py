"""Refreshes the audits of a desk, on demand and every few minutes, and holds the result of the last refresh."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.background import background_words as words
from app.desk.desk import Desk
from app.runtime.tasks import Tasks

if TYPE_CHECKING:
    from app.desk.audits.audit_sync import Refreshed

_EVERY_MS = 10 * 60 * 1000  # audits are made by people: a new one every few minutes at most


class AuditRefresher(QObject):
    """Refreshes the audits of one desk; `days` is how far back audits are fetched.

    A person refreshes by `start` and `start_all_the_same`, everything else by `begin`. While the provider asks for a
    pause, `begin` waits for its end, and `start` emits `held`: the person may refresh all the same.
    """

    progressed = Signal(int, int)  # windows done, of how many
    begun = Signal()
    finished = Signal()
    held = Signal(str, bool)  # why a person's refresh waits; whether it can be done all the same

    def __init__(self, tasks: Tasks) -> None:
        super().__init__()
        self._tasks = tasks
        self._desk: Desk | None = None
        self.busy = False
        self.days = 90
        self.result: Refreshed | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(self.begin)

    def take_desk(self, desk: Desk) -> None:
        """Refresh this desk's audits from now on."""
        self._tasks.cancel("refresh")
        self._timer.stop()
        self._desk, self.result, self.busy = desk, None, False

    def start(self) -> None:
        """Refresh now, for a person, and from now on by the clock; else `held` says why not."""
        desk = self._desk
        if desk is None:
            return
        if desk.provider is None:
            self.held.emit(words.audits_offline(desk.trouble), False)
        elif desk.timing.backing_off:
            self._wait(desk)
            self.held.emit(words.audits_later(desk.timing.backoff_notice(desk.now())), True)
        else:
            self.start_all_the_same()

    def start_all_the_same(self) -> None:
        """Refresh although the provider asks for a pause: a person knows that and wants it."""
        if self._desk is not None and self._desk.provider is not None:
            self._desk.provider.ask_once_more()
            self._run(self._desk)

    def begin(self) -> None:
        """Refresh now, or when the pause of the provider is over, and from then on by the clock."""
        desk = self._desk
        if desk is None or desk.provider is None:
            return  # it is begun once there is a connection
        if desk.timing.backing_off:
            self._wait(desk)
        else:
            self._run(desk)

    def _wait(self, desk: Desk) -> None:
        # A little late rather than a little early: the loop's timers are coarse (pitfall 6).
        self._timer.start(int(desk.timing.backoff_seconds * 1000) + 100)

    def _run(self, desk: Desk) -> None:
        self._timer.start(_EVERY_MS)
        self._tasks.read("refresh", self._refresh(desk))

    def stop(self) -> None:
        """Stop the refresh under way; the audits that have arrived stay stored."""
        self._tasks.cancel("refresh")

    async def _refresh(self, desk: Desk) -> None:
        from app.desk.audits import audit_sync  # brings the client's models, which the page does without

        self.busy = True
        self.begun.emit()
        try:
            self.result = await audit_sync.refresh(desk, self.days, self.progressed.emit)
        finally:
            # Otherwise `take_desk` has cancelled this run, and has set both for the new desk already.
            if desk is self._desk:
                self.busy = False
                self.finished.emit()

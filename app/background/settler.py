"""Settles doubts and confirms what was accepted: every few seconds, and whenever orders were fetched."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from app.background.news import News
from app.desk.desk import Desk
from app.runtime.sink import Sink
from app.runtime.tasks import Tasks

if TYPE_CHECKING:
    from app.desk.sending.settling import Settled

_EVERY_S = 15


class Settler(QObject):
    """Looks for evidence of one desk's writes. The sink reports trouble with the journal."""

    def __init__(self, sink: Sink, news: News) -> None:
        super().__init__()
        self._news = news
        self._tasks = Tasks(sink, "settler")
        self._desk: Desk | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY_S * 1000)
        self._timer.timeout.connect(self.look)

    def take_desk(self, desk: Desk) -> None:
        """Work for this desk from now on."""
        # Nothing is lost: each finding is stored by a write of its own, and a write of the store is never cancelled.
        self._tasks.cancel("settle")
        self._desk = desk

    def look(self) -> None:
        """Look for evidence now, and from now on by the clock. Does nothing while a look is under way."""
        if self._desk is not None and self._desk.provider is not None and not self._tasks.running("settle"):
            # Started anew by each look, so that a look that a fetch has caused delays the next one by the clock.
            self._timer.start()
            self._tasks.read("settle", self._look(self._desk))

    async def _look(self, desk: Desk) -> None:
        from app.desk.sending import settling  # brings the client's models, which the first paint does without

        found: Settled = await settling.settle(desk)
        if found.journal_changed or found.to_resend:
            # The sender has something to do: a resend is due, or a settled doubt no longer blocks its reference.
            self._news.queue_changed.emit()
        if found.journal_changed:
            self._news.stored.emit()  # orders were asked for by number: a settled write may have left its list

    @property
    def busy(self) -> bool:
        """Whether a look is under way."""
        return self._tasks.busy

    async def aclose(self, patience: float) -> bool:
        """Stop the clock and end the look under way; returns whether the look ended within `patience` seconds."""
        self._timer.stop()
        return await self._tasks.aclose(patience)

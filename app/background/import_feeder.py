"""Feeds running imports into the outbox, portion by portion, whenever the outbox has room; also after a restart.

Invariant: nothing is fed before a desk is taken, and an import that is paused gets no further.
"""

from PySide6.QtCore import QObject, QTimer, Signal

from app.background.news import News
from app.background.throttle import Throttle
from app.desk.desk import Desk
from app.runtime.sink import Sink
from app.runtime.tasks import Tasks
from app.store.journal import import_store
from app.store.store_errors import StoreError

_RETRY_MS = 15_000  # after trouble with the journal


class ImportFeeder(QObject):
    """`wake` when an import begins or goes on; by itself it looks after every change of the journal, and some seconds
    after trouble with it.

    `fed` follows each portion, and each look that found an import running.
    """

    fed = Signal()

    def __init__(self, sink: Sink, news: News) -> None:
        super().__init__()
        self._news = news
        self._tasks = Tasks(sink, "import feeder")
        self._desk: Desk | None = None
        self._again = False
        self._idle = True  # no import runs, as far as is known: the journal's changes are none of ours
        self._retry = QTimer(self)
        self._retry.setSingleShot(True)
        self._retry.timeout.connect(self._look)
        self._throttle = Throttle(self)
        self._throttle.due.connect(self._look)
        news.queue_changed.connect(self.wake)
        news.wrote.connect(self._on_change)

    def take_desk(self, desk: Desk) -> None:
        """Feed for this desk from now on. What an earlier start left unfinished goes on with the first `wake`."""
        self._desk = desk
        self._retry.stop()

    def wake(self) -> None:
        """An import has begun, or goes on."""
        self._idle = False
        self._throttle.request()

    def _on_change(self) -> None:
        if not self._idle:
            self._throttle.request()

    def _look(self) -> None:
        if self._desk is not None and not self._tasks.write("feed", self._feed_or_retry(self._desk)):
            self._again = True

    async def _feed_or_retry(self, desk: Desk) -> None:
        try:
            await self._feed(desk)
        except StoreError:
            # Once the outbox is empty nothing changes the journal any more, and nothing else would look again.
            if desk is self._desk:
                self._retry.start(_RETRY_MS)
            raise

    async def _feed(self, desk: Desk) -> None:
        self._again = True
        while self._again:
            self._again = False
            if not await self._is_running(desk):
                continue  # it was woken again meanwhile, or this was the last look
            from app.desk.bulk.outcome import import_batch  # brings the reading of files: most starts do without

            count = await import_batch.feed(desk)
            await self._is_running(desk)
            # Another connection is in force: its own feeding begins with the next `wake`.
            if desk is not self._desk:
                return
            if count:
                # The sender looks at its queue; what it writes to the journal wakes this feeder again.
                self._news.queue_changed.emit()
            self.fed.emit()

    async def _is_running(self, desk: Desk) -> bool:
        running = await desk.journal.read(import_store.has_running, desk.profile.id)
        if desk is self._desk:
            self._idle = not running
        return running

    @property
    def busy(self) -> bool:
        """Whether a portion is being fed."""
        return self._tasks.busy

    async def aclose(self, patience: float) -> bool:
        """Finish the portion under way; False when it takes longer than `patience` seconds."""
        self._desk = None
        self._retry.stop()
        return await self._tasks.aclose(patience)

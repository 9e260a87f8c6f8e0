"""Counts for the rail what needs somebody today, and has the page *Today* read again when anything may have changed.

Invariant: while orders arrive, at most one count begins every `_REST_MS`, and none before the first paint.
"""

from PySide6.QtCore import QObject, QTimer, Signal

from app.background.news import News
from app.desk.desk import Desk
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError
from app.ui.base.rail import Rail

_REST_MS = 1_500
_MINUTE_MS = 60_000  # a snooze ends, a day begins
_FORETELL_MS = 30_000  # after the first paint: a forecast goes through half a year of orders


class TodayCount(QObject):
    """`due`: what needs somebody may be other things now. Connect a page that is in sight; the others are counted."""

    due = Signal()

    def __init__(self, rail: Rail, tasks: Tasks, news: News) -> None:
        super().__init__()
        self._rail, self._tasks = rail, tasks
        self._desk: Desk | None = None
        self._page_reads = self._foretell = False
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MS)
        self._rest.timeout.connect(self._look)
        self._minute = QTimer(self)
        self._minute.setInterval(_MINUTE_MS)
        self._minute.timeout.connect(self.look)
        news.stored.connect(self.look)
        news.wrote.connect(self.look)

    def begin(self) -> None:
        """Count from now on: the window has been painted."""
        self._minute.start()
        QTimer.singleShot(_FORETELL_MS, self, self._begin_to_foretell)
        self._look()

    def end(self) -> None:
        """Count no more: the program ends. A timer that runs may be stopped by its own thread alone."""
        self._minute.stop()
        self._rest.stop()

    def _begin_to_foretell(self) -> None:
        self._foretell = True
        self.look()

    def take_desk(self, desk: Desk) -> None:
        """Count for this desk."""
        self._desk = desk
        self._rail.set_count("today", 0)
        self.look()

    def look(self) -> None:
        """Count soon."""
        if self._minute.isActive() and not self._rest.isActive():
            self._rest.start()

    def set_page_reads(self, reads: bool) -> None:
        """Whether the page is in sight: then it reads, and says how many it has found."""
        self._page_reads = reads
        self._foretell = True  # the page has said how many are likely late: they are counted from now on

    def show(self, count: int) -> None:
        """Show a count."""
        self._rail.set_count("today", count)

    def _look(self) -> None:
        if self._page_reads:
            self.due.emit()
        elif self._desk is not None:
            self._tasks.read("today", self._count(self._desk))

    async def _count(self, desk: Desk) -> None:
        from app.desk.today.board import count_board  # the first paint does without it

        try:
            count = await count_board(desk, foretell=self._foretell)
        except StoreError:
            return  # the page says why nothing can be read; the last count stays
        if desk is self._desk:
            self.show(count)

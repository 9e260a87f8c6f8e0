"""Keeps the cards of the imports true, and does what is asked of an import: pause, go on, stop, receipt.

Invariant: what is done to an import is written in the journal before it is said.
"""

from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from PySide6.QtCore import QObject, QTimer

from app.desk.bulk.outcome import import_batch, import_receipt
from app.desk.bulk.outcome.import_batch import BatchSummary
from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress
from app.store.store_errors import StoreError
from app.ui.base.page import Page
from app.ui.bulk import bulk_page_words as words
from app.ui.bulk.start_face import StartFace
from app.ui.widgets.confirm import confirmed
from app.ui.widgets.files.choose_files import CSVS, XLSX, Chosen
from app.ui.widgets.files.file_strip import FileJob, FileResult, FileStrip

_AFTER_MS = 250  # many orders end in a second: the cards are read once for all of them
_REST = 4  # times as long as reading took: counting the orders of a large import is work for the journal's thread
_TOPIC = "import"


class ImportsWatch(QObject):
    """Reads the imports when the journal changes."""

    def __init__(self, page: Page, face: StartFace, strip: FileStrip, confirm: Callable[..., Any] = confirmed) -> None:
        super().__init__(page)
        self._page, self._face, self._strip, self._confirm = page, face, strip, confirm
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_AFTER_MS)
        self._soon.timeout.connect(self.reload)
        page.services.news.wrote.connect(self._on_wrote)
        cards = face.cards
        cards.pause_asked.connect(partial(self._start, self._pause))
        cards.resume_asked.connect(partial(self._start, self._resume))
        cards.stop_asked.connect(partial(self._start, self._stop))
        cards.receipt_asked.connect(self.save_receipt)

    def _on_wrote(self) -> None:
        # Not started anew: while an import runs the journal changes all the time, and the cards would stand still.
        if not self._soon.isActive():
            self._soon.start()

    def reload(self) -> None:
        """Read the imports anew."""
        self._page.tasks.read("imports", self._load(self._page.desk))

    async def _load(self, desk: Desk) -> None:
        began = monotonic()
        self._face.cards.show_imports(await import_batch.summaries(desk))
        self._soon.setInterval(max(_AFTER_MS, int(_REST * 1_000 * (monotonic() - began))))

    def _start(self, work: Callable[[Desk, BatchSummary], Coroutine[Any, Any, None]], shown: BatchSummary) -> None:
        self._page.tasks.write(f"import {shown.id}", self._reporting(work, shown))

    async def _reporting(
        self, work: Callable[[Desk, BatchSummary], Coroutine[Any, Any, None]], shown: BatchSummary
    ) -> None:
        try:
            await work(self._page.desk, shown)
        except StoreError as error:
            self._page.bar.say("bad", words.import_unchanged(shown.name, error.sentence), topic=_TOPIC)
            return
        self._page.services.news.queue_changed.emit()
        self.reload()

    async def _pause(self, desk: Desk, shown: BatchSummary) -> None:
        await import_batch.pause(desk, shown.id)

    async def _resume(self, desk: Desk, shown: BatchSummary) -> None:
        await import_batch.resume(desk, shown.id)

    async def _stop(self, desk: Desk, shown: BatchSummary) -> None:
        left = shown.waiting + shown.under_way
        sure = await self._confirm(
            self._page.window(), words.stop_question(shown.name), words.stop_consequence(left), words.STOP_IMPORT
        )
        if sure:
            stopped = await import_batch.stop(desk, shown.id)
            self._page.bar.say("good", words.stopped(shown.name, stopped), topic=_TOPIC)

    def save_receipt(self, shown: BatchSummary) -> None:
        """Ask for a place and write the receipt of an import there."""
        desk = self._page.desk
        name = words.receipt_name(Path(shown.name).stem)
        write = partial(_write, desk, shown.id)
        self._strip.begin(FileJob(words.RECEIPT_TITLE, name, (XLSX, CSVS[0]), write, words.receipt_progress))


async def _write(desk: Desk, import_id: int, chosen: Chosen, progress: Progress) -> FileResult:
    rows = await import_receipt.write_receipt(desk, import_id, chosen.target, progress, replace=chosen.replace)
    return FileResult(words.receipt_written(rows, chosen.target.name))

"""Exporting what the table shows: where to and as what, how far it is, a stop, and a sentence about what came of it.

One export at a time. It goes on whatever page is shown meanwhile, and ends with the window.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QProgressBar, QWidget

from app.desk.aside import Progress, Stopped
from app.desk.desk import Desk
from app.desk.export.orders import Exported, ExportTrouble, Job, Kind, export
from app.desk.export.paper import Heading
from app.desk.export.rows import ExportColumn
from app.runtime.tasks import Tasks
from app.store.cache_rows import OrderQuery
from app.store.errors import StoreError
from app.ui.orders.export_words import KINDS, done_words, file_words, progress_words
from app.ui.page import Room
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.bars import MessageBar
from app.ui.widgets.buttons import button
from app.ui.widgets.choose_files import Chosen, FileKind, chosen_file
from app.ui.widgets.labels import Tone, text_label
from app.ui.widgets.layout import column, holding, row
from app.ui.widgets.show_in_folder import show_in_folder

_LOOK_MS = 100
_STEPS = 1_000
Choose = Callable[[QWidget, str, str, Sequence[FileKind], Path | None], Awaitable[Chosen | None]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be exported: the orders of a query, with these columns.

    `title` names the list ("Open orders"), `described` says how it is filtered; both stand on paper.
    """

    query: OrderQuery
    columns: Sequence[ExportColumn]
    title: str
    described: str = ""


class Exporting(QWidget):
    """A strip that is there while something is exported, and afterwards says what came of it."""

    def __init__(
        self,
        room: Room,
        tasks: Tasks,
        choose: Choose = chosen_file,
        show: Callable[[Path], bool] = show_in_folder,
    ) -> None:
        super().__init__()
        self.setAccessibleName("Export")
        self._room, self._tasks, self._choose, self._show = room, tasks, choose, show
        self._folder: Path | None = None
        self._progress = Progress()
        self._kind = KINDS[0]
        self.bar = MessageBar(room.theme)
        self.words = text_label("")
        self.progress_bar = QProgressBar()
        self.progress_bar.setTextVisible(False)
        self.progress_bar.setRange(0, _STEPS)
        self.progress_bar.setAccessibleName("Export progress")
        self.stop_button = button("Stop", self.stop, tip="Stop the export; nothing is written")
        inner = row(
            self.words, self.progress_bar, self.stop_button, margin=(SPACE_3, SPACE_1, SPACE_3, SPACE_1), gap=SPACE_2
        )
        inner.setStretch(1, 1)
        self._busy = holding(inner)
        self._busy.hide()
        self.setLayout(column(self._busy, self.bar))
        self._clock = QTimer(self)
        self._clock.setInterval(_LOOK_MS)
        self._clock.timeout.connect(self._tell)

    @property
    def busy(self) -> bool:
        """Whether a file is being chosen or written."""
        return self._tasks.running("export")

    def begin(self, desk: Desk, wanted: Wanted) -> None:
        """Ask for a file and export into it."""
        if self.busy:
            self.bar.say("", "One export is still being written. Wait for it, or stop it.")
            return
        self.bar.clear()
        self._tasks.read("export", self._run(desk, wanted))

    def stop(self) -> None:
        """Break it off."""
        self._progress.stop = True
        self.stop_button.setEnabled(False)
        self.words.setText("Stopping…")

    async def _run(self, desk: Desk, wanted: Wanted) -> None:
        name = f"{file_words(wanted.title)}-{self._room.now():%Y-%m-%d}"
        chosen = await self._choose(self.window(), "Export orders", name, KINDS, self._folder)
        if chosen is None:
            return
        self._folder, self._kind = chosen.target.parent, chosen.kind
        progress = self._begin()
        try:
            done, left_out = await self._write(desk, wanted, chosen, progress)
        except Stopped:
            self.bar.say("", "The export was stopped, and nothing was written.")
        except (ExportTrouble, StoreError) as error:
            self.bar.say("bad", error.sentence, "Export again", partial(self.begin, desk, wanted))
        else:
            self._tell_done(done, left_out)
        finally:
            self._end()

    def _tell_done(self, done: Exported, left_out: Sequence[str]) -> None:
        tone: Tone = "warn" if done.gone or done.cut or left_out else "good"
        self.bar.say(tone, done_words(done, left_out), "Show in folder", partial(self._reveal, done.target))

    async def _write(
        self, desk: Desk, wanted: Wanted, chosen: Chosen, progress: Progress
    ) -> tuple[Exported, Sequence[str]]:
        """What was written, and the columns that found no room."""
        if chosen.kind.key == "pdf":
            from app.ui.orders.export_pdf import export_pdf  # brings the painter, which most exports do without

            practice = desk.profile.kind == "practice"
            heading = Heading(wanted.title, wanted.described, self._room.now(), practice)
            return await export_pdf(desk, wanted.query, wanted.columns, heading, chosen, progress)
        kind: Kind = "xlsx" if chosen.kind.key == "xlsx" else "csv" if chosen.kind.key == "csv" else "csv exact"
        job = Job(wanted.query, wanted.columns, kind, chosen.target, chosen.replace)
        return await export(desk, job, progress), ()

    def _begin(self) -> Progress:
        self._progress = Progress()
        self.stop_button.setEnabled(True)
        self._busy.show()
        self._tell()
        self._clock.start()
        return self._progress

    def _end(self) -> None:
        self._clock.stop()
        self._busy.hide()

    def _tell(self) -> None:
        total, done = self._progress.total, self._progress.done
        self.progress_bar.setRange(
            0, _STEPS if total and done < total else 0
        )  # to and fro while nothing can be counted
        self.progress_bar.setValue(_STEPS * done // total if total else 0)
        if not self._progress.stop:
            self.words.setText(progress_words(self._progress, self._kind))

    def _reveal(self, target: Path) -> None:
        if not self._show(target):
            self.bar.say("warn", f"The folder could not be opened. The file is {target}.")

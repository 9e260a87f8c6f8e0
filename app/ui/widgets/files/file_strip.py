"""A strip that is there while a file is made, and afterwards says what came of it: where to, how far, stop, show.

One file at a time. It goes on whatever is shown meanwhile; before the window ends it, a person is asked.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from app.desk.files.stoppable_work import Progress, Stopped
from app.desk.files.whole_file import ExportTrouble
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.bars.floating import Floating
from app.ui.widgets.bars.focus_return import FocusReturn
from app.ui.widgets.bars.message_bar import MessageBar, progress_bar
from app.ui.widgets.buttons import button
from app.ui.widgets.files.choose_files import Chosen, FileKind, chosen_file
from app.ui.widgets.files.show_in_folder import show_in_folder
from app.ui.widgets.layout import column, holding, row
from app.ui.widgets.text.labels import Tone, text_label

_TOPIC = "file"  # of the bar: how the making of a file ended
_LOOK_MS = 100
_STEPS = 1_000
Choose = Callable[[QWidget, str, str, Sequence[FileKind], Path | None], Awaitable[Chosen | None]]


@dataclass(frozen=True, slots=True)
class FileResult:
    """What came of it, in words; `tone` is "warn" where something is missing in the file."""

    words: str
    tone: Tone = "good"


@dataclass(frozen=True, slots=True)
class FileJob:
    """A file that is to be made: what the dialog asks, the name offered, how to write it, and how far that is.

    `write` raises `ExportTrouble`, `StoreError` or `Stopped`; then what was in the file's place is there still.
    """

    title: str
    file_name: str
    kinds: Sequence[FileKind]
    write: Callable[[Chosen, Progress], Awaitable[FileResult]]
    words: Callable[[Progress], str]


class FileStrip(QWidget):
    """`begin` asks for the file and makes it. `name` tells strips of one page apart, for tasks and screen readers."""

    def __init__(
        self,
        theme: Theme,
        tasks: Tasks,
        choose: Choose = chosen_file,
        show: Callable[[Path], bool] = show_in_folder,
        *,
        name: str = "File",
    ) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._tasks, self._choose, self._show, self._task = tasks, choose, show, name.lower()
        self._folder: Path | None = None
        self._progress = Progress()
        self._job: FileJob | None = None
        self.bar = MessageBar(theme)
        self.words = text_label("")
        self.progress_bar = progress_bar("Progress of the file")
        self.stop_button = button("Stop", self.stop, tip="Stop; nothing is written")
        inner = row(
            self.words, self.progress_bar, self.stop_button, margin=(SPACE_3, SPACE_1, SPACE_3, SPACE_1), gap=SPACE_2
        )
        inner.setStretch(1, 1)
        self._busy = holding(inner, "fileStrip")
        self._focus = FocusReturn(self._busy)
        self._busy.hide()
        self.setLayout(column(self._busy, self.bar))
        self._clock = QTimer(self)
        self._clock.setInterval(_LOOK_MS)
        self._clock.timeout.connect(self._tell)

    def float_over(self, page: QWidget, over: QWidget) -> None:
        """Lie over this part of the page, so that nothing moves when a file is begun or has ended."""
        Floating(self, page, over)
        self.show()  # it has no height while there is nothing to tell

    @property
    def busy(self) -> bool:
        """Whether a file is being chosen or made."""
        return self._tasks.running(self._task)

    def begin(self, job: FileJob) -> None:
        """Ask for the file and make it."""
        if self.busy:
            self.bar.say("", "One file is still being made. Wait for it, or stop it.", topic=_TOPIC)
            return
        self.bar.withdraw(_TOPIC)  # how the one before ended
        self._tasks.read(self._task, self._run(job))

    def stop(self) -> None:
        """Break it off."""
        self._progress.stop = True
        self._focus.give()
        self.stop_button.setEnabled(False)
        self.words.setText("Stopping…")

    async def _run(self, job: FileJob) -> None:
        chosen = await self._choose(self.window(), job.title, job.file_name, job.kinds, self._folder)
        if chosen is None:
            return
        self._folder = chosen.target.parent
        progress = self._begin(job)
        try:
            with self._tasks.ask_about(lambda: f"{chosen.target.name}: {job.words(progress)}"):
                made = await job.write(chosen, progress)
        except Stopped:
            self.bar.say("", "It was stopped, and nothing was written.", topic=_TOPIC)
        except (ExportTrouble, StoreError) as error:
            self.bar.say("bad", error.sentence, "Try again", partial(self.begin, job), topic=_TOPIC)
        else:
            self._tell_made(made, chosen.target)
        finally:
            self._end()

    def _begin(self, job: FileJob) -> Progress:
        self._job, self._progress = job, Progress()
        self.stop_button.setEnabled(True)
        self._busy.show()
        self._tell()
        self._clock.start()
        return self._progress

    def _end(self) -> None:
        self._clock.stop()
        self._focus.give()
        self._busy.hide()

    def _tell_made(self, made: FileResult, target: Path) -> None:
        self.bar.say(made.tone, made.words, "Show in folder", partial(self._reveal, target), topic=_TOPIC)

    def _tell(self) -> None:
        total, done = self._progress.total, self._progress.done
        # To and fro while nothing can be counted.
        self.progress_bar.setRange(0, _STEPS if total and done < total else 0)
        self.progress_bar.setValue(_STEPS * done // total if total else 0)
        if not self._progress.stop and self._job is not None:
            self.words.setText(self._job.words(self._progress))

    def _reveal(self, target: Path) -> None:
        if not self._show(target):
            self.bar.say("warn", f"The folder could not be opened. The file is {target}.", topic=_TOPIC)

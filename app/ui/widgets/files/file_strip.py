"""A strip that makes a file: it asks for a place, shows progress with a stop button, and reports the result.

Invariants: one file at a time. The work goes on whichever page is shown; closing the window asks first.
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
from app.ui.widgets import widget_words as words
from app.ui.widgets.bars.floating import Floating
from app.ui.widgets.bars.focus_return import FocusReturn
from app.ui.widgets.bars.message_bar import MessageBar, progress_bar
from app.ui.widgets.buttons import button
from app.ui.widgets.files.choose_files import Chosen, FileKind, chosen_file
from app.ui.widgets.files.made_file import say_made
from app.ui.widgets.files.show_in_folder import open_folder, show_in_folder
from app.ui.widgets.layout import column, holding, row
from app.ui.widgets.text.labels import Tone, text_label

_TOPIC = "file"  # of the message bar: how the last file ended
_POLL_MS = 100
_STEPS = 1_000
Choose = Callable[[QWidget, str, str, Sequence[FileKind], Path | None], Awaitable[Chosen | None]]


@dataclass(frozen=True, slots=True)
class FileResult:
    """The sentence about a finished file; `tone` is "warn" if something is missing in it."""

    words: str
    tone: Tone = "good"


@dataclass(frozen=True, slots=True)
class FileJob:
    """A file to make: title of the dialog, suggested name, formats, the writer, and the words for its progress.

    `write` raises `ExportTrouble`, `StoreError` or `Stopped`. Then a former file is still in its place.
    """

    title: str
    file_name: str
    kinds: Sequence[FileKind]
    write: Callable[[Chosen, Progress], Awaitable[FileResult]]
    words: Callable[[Progress], str]


class FileStrip(QWidget):
    """`begin` asks for a file and makes it. `name` tells the strips of one page apart."""

    def __init__(
        self,
        theme: Theme,
        tasks: Tasks,
        choose: Choose = chosen_file,
        show: Callable[[Path], bool] = show_in_folder,
        open_it: Callable[[Path], bool] = open_folder,
        *,
        name: str = "File",
    ) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._tasks, self._choose, self._show, self._task = tasks, choose, show, name.lower()
        self._open = open_it
        self._progress = Progress()
        self._job: FileJob | None = None
        self.bar = MessageBar(theme)
        self.label = text_label("")
        self.progress_bar = progress_bar(words.FILE_PROGRESS)
        self.stop_button = button(words.STOP, self.stop, tip=words.STOP_TIP)
        inner = row(
            self.label, self.progress_bar, self.stop_button, margin=(SPACE_3, SPACE_1, SPACE_3, SPACE_1), gap=SPACE_2
        )
        inner.setStretch(1, 1)
        self._busy = holding(inner, "fileStrip")
        self._focus = FocusReturn(self._busy)
        self._busy.hide()
        self.setLayout(column(self._busy, self.bar))
        self._clock = QTimer(self)
        self._clock.setInterval(_POLL_MS)
        self._clock.timeout.connect(self._show_progress)

    def float_over(self, page: QWidget, over: QWidget, foot: Callable[[], int] = int) -> None:
        """Float over the widget `over` of the page, so that nothing moves when a file is begun or has ended.

        It leaves the lower end of `over` free, as high as `foot` says.
        """
        Floating(self, page, over, foot)
        self.show()  # without progress or message the strip has no height

    @property
    def busy(self) -> bool:
        """Whether a file is being chosen or made."""
        return self._tasks.running(self._task)

    def begin(self, job: FileJob) -> None:
        """Ask for a file and make it."""
        if self.busy:
            self.bar.say("", words.STILL_MAKING, topic=_TOPIC)
            return
        self.bar.withdraw(_TOPIC)  # the result of the former file
        self._tasks.read(self._task, self._run(job))

    def stop(self) -> None:
        """Stop the work; nothing is written."""
        self._progress.stop = True
        self._focus.give()
        self.stop_button.setEnabled(False)
        self.label.setText(words.STOPPING)

    async def _run(self, job: FileJob) -> None:
        chosen = await self._choose(self.window(), job.title, job.file_name, job.kinds, None)
        if chosen is None:
            return
        progress = self._begin(job)
        try:
            with self._tasks.ask_about(lambda: words.file_under_way(chosen.target.name, job.words(progress))):
                made = await job.write(chosen, progress)
        except Stopped:
            self.bar.say("", words.STOPPED_UNWRITTEN, topic=_TOPIC)
        except (ExportTrouble, StoreError) as error:
            self.bar.say("bad", error.sentence, words.TRY_AGAIN, partial(self.begin, job), topic=_TOPIC)
        else:
            self._show_result(made, chosen.target)
        finally:
            self._end()

    def _begin(self, job: FileJob) -> Progress:
        self._job, self._progress = job, Progress()
        self.stop_button.setEnabled(True)
        self._busy.show()
        self._show_progress()
        self._clock.start()
        return self._progress

    def _end(self) -> None:
        self._clock.stop()
        self._focus.give()
        self._busy.hide()

    def _show_result(self, made: FileResult, target: Path) -> None:
        say_made(self.bar, made.words, target, tone=made.tone, topic=_TOPIC, show=self._show, open_it=self._open)

    def _show_progress(self) -> None:
        total, done = self._progress.total, self._progress.done
        # A range of 0 shows a moving bar, while nothing can be counted.
        self.progress_bar.setRange(0, _STEPS if total and done < total else 0)
        self.progress_bar.setValue(_STEPS * done // total if total else 0)
        if not self._progress.stop and self._job is not None:
            self.label.setText(self._job.words(self._progress))

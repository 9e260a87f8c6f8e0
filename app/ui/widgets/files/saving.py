"""Saving fetched files into a folder that a person chooses, with progress, a stop button, and a report.

Invariant: a file that was not saved is named in the report, with the reason.
"""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.desk.files.album import NoPicture
from app.desk.files.save_files import Fetch, Saved, Wanted, save
from app.desk.files.stoppable_work import Progress
from app.runtime.tasks import Tasks
from app.ui.widgets import widget_words as words
from app.ui.widgets.bars.message_bar import MessageBar
from app.ui.widgets.files.choose_files import chosen_folder
from app.ui.widgets.files.show_in_folder import show_in_folder
from app.ui.widgets.text.labels import Tone

Choose = Callable[[QWidget, str, Path | None], Awaitable[Path | None]]
_NAMED = 3


class Saver:
    """Saves files of the kind `what`. `show` opens the folder of a file.

    `tasks` are the tasks that run `save`.
    """

    def __init__(
        self,
        tasks: Tasks,
        bar: MessageBar,
        what: words.Saved,
        choose: Choose = chosen_folder,
        show: Callable[[Path], bool] = show_in_folder,
    ) -> None:
        self._tasks, self._bar, self._what, self._choose, self._show = tasks, bar, what, choose, show

    def reporting_in(self, bar: MessageBar) -> "Saver":
        """Report in this bar from now on; returns itself."""
        self._bar = bar
        return self

    async def save(self, parent: QWidget, wanted: Sequence[Wanted], fetch: Fetch, remark: str = "") -> None:
        """Ask for a folder and save these files into it; `remark` is a sentence after those of the report."""
        folder = await self._choose(parent, words.save_into(self._what, len(wanted)), None)
        if folder is None:
            return
        progress = Progress(total=len(wanted))

        async def fetch_next(each: Wanted) -> bytes | NoPicture:
            self._bar.say("soft", progress_words(progress, self._what), words.STOP, partial(_stop, progress))
            return await fetch(each)

        with self._tasks.ask_about(lambda: progress_words(progress, self._what)):
            saved = await save(wanted, folder, fetch_next, progress)
        self._report(saved, folder, remark)

    def _report(self, saved: Saved, folder: Path, remark: str) -> None:
        sentence = saved_words(saved, folder, self._what)
        if saved.files and remark:
            sentence = f"{sentence} {remark}"
        if not saved.files:
            self._bar.say("bad" if saved.failed else "", sentence)
            return
        tone: Tone = "warn" if saved.failed or saved.stopped else "good"
        self._bar.say(tone, sentence, words.SHOW_IN_FOLDER, partial(self._reveal, saved.files[0]))

    def _reveal(self, target: Path) -> None:
        if not self._show(target):
            self._bar.say("warn", words.folder_not_shown(target.parent))


def _stop(progress: Progress) -> None:
    progress.stop = True


def progress_words(progress: Progress, what: words.Saved) -> str:
    """How far saving is."""
    return words.saving(what, progress.done + 1, progress.total)


def saved_words(saved: Saved, folder: Path, what: words.Saved) -> str:
    """The files that were saved, the files that were not, and why."""
    count = len(saved.files)
    where = folder.name or str(folder)
    parts = []
    if count == 1:
        parts.append(words.saved_one(saved.files[0].name, where))
    elif count:
        parts.append(words.saved_many(what, count, where))
    if saved.stopped:
        parts.append(words.SAVING_STOPPED if count else words.SAVING_STOPPED_FIRST)
    parts += [words.not_saved(each.called, why) for each, why in saved.failed[:_NAMED]]
    if len(saved.failed) > _NAMED:
        parts.append(words.more_not_saved(len(saved.failed) - _NAMED))
    return " ".join(parts)

"""Saving files into a folder that a person chooses, with how far it is, a stop, and a sentence in the end."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.desk.files.album import NoPicture
from app.desk.files.save_files import Fetch, Saved, Wanted, save
from app.desk.files.stoppable_work import Progress
from app.runtime.tasks import Tasks
from app.ui.widgets.bars.message_bar import MessageBar
from app.ui.widgets.files.choose_files import chosen_folder
from app.ui.widgets.files.show_in_folder import show_in_folder
from app.ui.widgets.text.labels import Tone

Choose = Callable[[QWidget, str, Path | None], Awaitable[Path | None]]
_NAMED = 3


class Saver:
    """Remembers the folder of the last time. `what` is what it saves: "document". `show` opens the folder of a file.

    `tasks` are those that `save` is run by.
    """

    def __init__(
        self,
        tasks: Tasks,
        bar: MessageBar,
        what: str,
        choose: Choose = chosen_folder,
        show: Callable[[Path], bool] = show_in_folder,
    ) -> None:
        self._tasks, self._bar, self._what, self._choose, self._show = tasks, bar, what, choose, show
        self._folder: Path | None = None

    def reporting_in(self, bar: MessageBar) -> "Saver":
        """The same, telling of it in this bar."""
        self._bar = bar
        return self

    async def save(self, parent: QWidget, wanted: Sequence[Wanted], fetch: Fetch) -> None:
        """Ask for a folder and save these into it."""
        what = f"the {self._what}" if len(wanted) == 1 else f"{len(wanted):,} {self._what}s"
        folder = await self._choose(parent, f"Save {what} into", self._folder)
        if folder is None:
            return
        self._folder = folder
        progress = Progress(total=len(wanted))

        async def fetch_next(address: str) -> bytes | NoPicture:
            self._bar.say("soft", busy_words(progress, self._what), "Stop", partial(_stop, progress))
            return await fetch(address)

        with self._tasks.ask_about(lambda: busy_words(progress, self._what)):
            saved = await save(wanted, folder, fetch_next, progress)
        self._tell(saved, folder)

    def _tell(self, saved: Saved, folder: Path) -> None:
        words = saved_words(saved, folder, self._what)
        if not saved.files:
            self._bar.say("bad" if saved.failed else "", words)
            return
        tone: Tone = "warn" if saved.failed or saved.stopped else "good"
        self._bar.say(tone, words, "Show in folder", partial(self._reveal, saved.files[0]))

    def _reveal(self, target: Path) -> None:
        if not self._show(target):
            self._bar.say("warn", f"The folder could not be opened. It is {target.parent}.")


def _stop(progress: Progress) -> None:
    progress.stop = True


def busy_words(progress: Progress, what: str) -> str:
    """How far it is."""
    if progress.total == 1:
        return f"Saving the {what}…"
    return f"Saving {what}s, {progress.done + 1:,} of {progress.total:,}…"


def saved_words(saved: Saved, folder: Path, what: str) -> str:
    """What was saved, and what was not and why."""
    count = len(saved.files)
    where = folder.name or str(folder)
    if count == 1:
        parts = [f"{saved.files[0].name} is in {where}."]
    else:
        parts = [f"{count:,} {what}s are in {where}."] if count else []
    if saved.stopped:
        parts.append("It was stopped; the others were not saved." if count else "It was stopped; nothing was saved.")
    parts += [f"{each.called} was not saved: {why}" for each, why in saved.failed[:_NAMED]]
    if len(saved.failed) > _NAMED:
        parts.append(f"{len(saved.failed) - _NAMED:,} more were not saved.")
    return " ".join(parts)

"""Keeps the folders that were chosen last over a start, so that a dialog for files begins in the one of its sort."""

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QObject

from app.desk.files.stoppable_work import Progress, in_thread
from app.runtime.tasks import Tasks
from app.store.journal import setting_store
from app.store.sqlite.database import Database
from app.ui.widgets.files.choose_files import LAST_FOLDERS

_KEY = "last folders"
_LATEST = ""  # in the place of a sort


class LastFolderKeeper(QObject):
    """Offers the folders of the last start, and keeps each that is chosen from now on."""

    def __init__(self, parent: QObject, journal: Database, tasks: Tasks) -> None:
        super().__init__(parent)
        self._journal, self._tasks = journal, tasks
        LAST_FOLDERS.chosen.connect(self._keep_soon)
        tasks.read("last folders", self._offer())

    async def _offer(self) -> None:
        kept = await self._journal.read(setting_store.read_setting, _KEY, {})
        # On a thread: a folder may be on a computer that is switched off.
        found = await in_thread(lambda: _existing(kept), Progress())
        LAST_FOLDERS.offer({sort: each for sort, each in found.items() if sort}, found.get(_LATEST))

    def _keep_soon(self) -> None:
        self._tasks.write("keep last folders", self._keep())

    async def _keep(self) -> None:
        kept: dict[str, str] = {}
        while kept != _known():  # another one may be chosen while these are written
            kept = _known()
            await self._journal.write(setting_store.write_setting, _KEY, kept)


def _known() -> dict[str, str]:
    latest = {} if LAST_FOLDERS.latest is None else {_LATEST: str(LAST_FOLDERS.latest)}
    return {sort: str(each) for sort, each in LAST_FOLDERS.folders.items()} | latest


def _existing(kept: object) -> dict[str, Path]:
    """The kept folders that still exist."""
    named = kept.items() if isinstance(kept, Mapping) else ()
    return {str(sort): Path(each) for sort, each in named if isinstance(each, str) and each and Path(each).is_dir()}

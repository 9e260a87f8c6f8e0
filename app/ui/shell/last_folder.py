"""Keeps the folder that was chosen last over a start, so that a dialog for files begins there."""

from pathlib import Path

from PySide6.QtCore import QObject

from app.desk.files.stoppable_work import Progress, in_thread
from app.runtime.tasks import Tasks
from app.store.journal import setting_store
from app.store.sqlite.database import Database
from app.ui.widgets.files.choose_files import LAST_FOLDER

_KEY = "last folder"


class LastFolderKeeper(QObject):
    """Offers the folder of the last start, and keeps each that is chosen from now on."""

    def __init__(self, parent: QObject, journal: Database, tasks: Tasks) -> None:
        super().__init__(parent)
        self._journal, self._tasks = journal, tasks
        LAST_FOLDER.chosen.connect(self._keep_soon)
        tasks.read("last folder", self._offer())

    async def _offer(self) -> None:
        kept = await self._journal.read(setting_store.read_setting, _KEY, "")
        # On a thread: the folder may be on a computer that is switched off.
        if isinstance(kept, str) and kept and await in_thread(Path(kept).is_dir, Progress()):
            LAST_FOLDER.offer(Path(kept))

    def _keep_soon(self) -> None:
        self._tasks.write("keep last folder", self._keep())

    async def _keep(self) -> None:
        kept = None
        while kept != LAST_FOLDER.folder:  # another one may be chosen while this one is written
            kept = LAST_FOLDER.folder
            await self._journal.write(setting_store.write_setting, _KEY, str(kept))

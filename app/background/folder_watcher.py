"""Looks at the watched folder every few seconds, takes complete files, and tells how each of them stands.

Invariant: off by default. One file is read at a time, away from the window's thread, and none while the desk changes.
"""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.desk.desk import Desk
from app.runtime.sink import Sink
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError

if TYPE_CHECKING:
    from app.desk.bulk.outcome.watched_folder import FolderFile, FolderWatch

_EVERY_MS = 5_000  # a file that has not changed between two looks is complete


class FolderWatcher(QObject):
    """`changed` carries the files (a list of `FolderFile`) and a sentence of trouble, empty if there is none.

    `sending`: an import was begun, so the feeder has something to do.
    """

    changed = Signal(list, str)
    sending = Signal()

    def __init__(self, sink: Sink) -> None:
        super().__init__()
        self._tasks = Tasks(sink, "folder watcher")
        self._desk: Desk | None = None
        self._watch: FolderWatch | None = None
        self._said: tuple[list[FolderFile], str] = ([], "")
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(self.look)

    @property
    def watch(self) -> "FolderWatch | None":
        """The folder as it is watched now; None while none is."""
        return self._watch

    @property
    def said(self) -> "tuple[list[FolderFile], str]":
        """The files and the trouble as last told."""
        return self._said

    def take_desk(self, desk: Desk) -> None:
        """Watch the folder of this desk from now on. Call again once the choice of the folder has changed."""
        self.leave_desk()
        self._desk = desk
        self._tasks.read("choice", self._begin(desk))

    def leave_desk(self) -> None:
        """Watch nothing until a desk is taken again."""
        self._timer.stop()
        self._tasks.cancel("look")
        self._desk = self._watch = None
        self._say([], "")

    def look(self) -> None:
        """Look now. A look that is under way is not begun anew."""
        if self._watch is not None and not self._tasks.running("look"):
            self._tasks.read("look", self._look(self._watch))

    async def _begin(self, desk: Desk) -> None:
        from app.desk.bulk.outcome import watched_folder  # the first paint does without

        chosen = await watched_folder.choice(desk)
        # Another desk was taken while the choice was read.
        if desk is not self._desk:
            return
        if chosen.folder is None:
            self._say([], "")
            return
        self._watch = watched_folder.FolderWatch(desk, chosen)
        self._timer.start()
        self.look()

    async def _look(self, watch: "FolderWatch") -> None:
        from app.desk.files.stoppable_work import Progress

        found = await watch.look()
        files = list(found.files)
        for path in found.ready:
            try:
                taken = await watch.take(path, Progress())
            except StoreError:
                break  # the journal's own trouble is said by the outbox; the file is taken at a later look
            if taken is not None:
                files = sorted([*files, taken], key=lambda each: each.path)
                self._say(files, found.trouble)
                if taken.state == "sent":
                    self.sending.emit()
        self._say(files, found.trouble)

    def _say(self, files: "list[FolderFile]", trouble: str) -> None:
        if (files, trouble) != self._said:
            self._said = files, trouble
            self.changed.emit(files, trouble)

    async def aclose(self, patience: float) -> bool:
        """End the look under way."""
        self._timer.stop()
        return await self._tasks.aclose(patience)

"""Remembers where the main window stood: its place, its size, and whether it filled the screen.

`MainWindow.stand_at` brings a window whose monitor is gone onto one that is there, and makes one that is too large fit.
"""

from PySide6.QtCore import QByteArray, QEvent, QObject, QTimer

from app.runtime.tasks import Tasks
from app.store.journal import setting_store
from app.store.sqlite.database import Database
from app.store.store_errors import StoreError
from app.ui.base.main_window import MainWindow

_KEY = "window.place"
_STILL_MS = 600  # after the last move of the mouse that drags an edge
_MOVES = (QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.WindowStateChange)


async def remembered_place(journal: Database) -> QByteArray:
    """The place that was kept last; empty if there is none, or none that can be read."""
    kept = await journal.read(setting_store.read_setting, _KEY, "")
    return QByteArray.fromBase64(kept.encode("ascii", "replace")) if isinstance(kept, str) else QByteArray()


class WindowPlace(QObject):
    """Keeps the place of a window that is shown, a moment after each change and when it is asked to close."""

    def __init__(self, window: MainWindow, journal: Database, tasks: Tasks) -> None:
        super().__init__(window)
        self._window, self._journal, self._tasks = window, journal, tasks
        self._kept = _place(window)
        self._still = QTimer(self)
        self._still.setSingleShot(True)
        self._still.setInterval(_STILL_MS)
        self._still.timeout.connect(self.keep)
        window.close_asked.connect(self.keep)
        window.installEventFilter(self)

    def keep(self) -> None:
        """Store the place, if it is another. Full screen is a look at a photo, and no place to open at."""
        self._still.stop()
        place = _place(self._window)
        if place == self._kept or not self._window.isVisible() or self._window.isFullScreen():
            return
        if self._tasks.write("window place", self._keep(place)):
            self._kept = place
        else:  # the place before this one is just being stored
            self._still.start()

    async def _keep(self, place: str) -> None:
        try:
            await self._journal.write(setting_store.write_setting, _KEY, place)
        except StoreError:
            self._kept = ""  # tried again with the next move; whoever keeps an order says what the disk lacks

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _MOVES:
            self._still.start()
        return super().eventFilter(watched, event)


def _place(window: MainWindow) -> str:
    return bytes(window.saveGeometry().toBase64().data()).decode("ascii")

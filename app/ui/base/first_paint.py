"""FirstPaint tells when a window has been painted for the first time and the event loop is free again."""

import asyncio

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget


class FirstPaint(QObject):
    """Create a FirstPaint before the window is shown, and await `done()` afterwards."""

    def __init__(self, window: QWidget) -> None:
        super().__init__()
        self._painted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._window = window
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self._window.removeEventFilter(self)
            # A timer of zero fires after all events that wait already: only then does the window react to a person.
            QTimer.singleShot(0, self, self._say)
        return False

    def _say(self) -> None:
        if not self._painted.done():
            self._painted.set_result(None)

    async def done(self) -> None:
        """Return once the window was painted."""
        await self._painted

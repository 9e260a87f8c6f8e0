"""Tells in the window's message bar that another build was installed, and starts it once a person says so."""

import asyncio

from PySide6.QtCore import QObject, QTimer

from app.runtime.newer_build import newer_command
from app.runtime.tasks import Tasks
from app.ui.base.main_window import MainWindow
from app.ui.shell import shell_words as words
from app.ui.shell.close_window import Leaving

_LOOK_MS = 60_000
_TOPIC = "newer build"


class NewerBuildNotice(QObject):
    """`wanted` is the command to become once the window has closed, or empty."""

    def __init__(self, window: MainWindow, tasks: Tasks, leaving: Leaving) -> None:
        super().__init__(window)
        self._window, self._tasks, self._leaving = window, tasks, leaving
        self._command: list[str] = []
        self.wanted: list[str] = []
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    def look(self) -> None:
        """Look whether there is another build now."""
        self._tasks.read(_TOPIC, self._look())

    async def _look(self) -> None:
        self._command = await asyncio.to_thread(newer_command)
        if self._command:
            self._window.bar.say("", words.NEWER_BUILD, words.START_ANEW, self._on_start, topic=_TOPIC, stays=True)
        else:
            self._window.bar.withdraw(_TOPIC)

    def leave_for(self, command: list[str]) -> None:
        """Close the window, if nothing keeps it, and become this command."""
        self._command = command
        self._on_start()

    def _on_start(self) -> None:
        self._tasks.write("start anew", self._start())

    async def _start(self) -> None:
        # The wish holds for this closing only: a person who rather stays, and closes later, wants no new window.
        self.wanted = self._command
        if not await self._leaving.leave():
            self.wanted = []

"""Short sounds: a scan was taken or refused, an order was refused. Which of them is for a person to choose.

The system's own player plays them, as a process of its own, since Qt's sound comes with Addons (README, libraries).
Invariant: nothing waits for a sound, and one that cannot be played is the system's beep.
"""

import shutil
import sys
import time
from typing import Literal

from PySide6.QtCore import QObject, QProcess, Signal
from PySide6.QtWidgets import QApplication

from app.store.journal import setting_store
from app.store.sqlite.database import Database
from app.ui.theme.resources import resource

Sound = Literal["taken", "wrong", "refused"]
CHOICES = ("all", "refused", "none")
_KEY = "sounds"
_FIRST = "refused"  # what is wrong is heard; what is well is heard by who wants it
# Each takes the file as its last word. The first that there is plays.
_PLAYERS = (
    ("afplay",),
    ("pw-play",),
    ("paplay",),
    ("canberra-gtk-play", "-f"),
    ("aplay", "-q"),
)
_LEAST_S = 0.05  # between two sounds: a scanner that sends a column would start a player for each line


class Sounds(QObject):
    """`choice`: all of them, only what was refused, or none."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.choice = _FIRST
        self._player: tuple[str, ...] | None = None
        self._played_at = float("-inf")

    async def read(self, journal: Database) -> None:
        """Take what is kept. Raises `StoreError`."""
        self._take(str(await journal.read(setting_store.read_setting, _KEY, _FIRST)))

    async def keep(self, journal: Database, choice: str) -> None:
        """Choose from now on. Raises `StoreError`."""
        await journal.write(setting_store.write_setting, _KEY, choice)
        self._take(choice)

    def _take(self, choice: str) -> None:
        choice = choice if choice in CHOICES else _FIRST
        if choice != self.choice:
            self.choice = choice
            self.changed.emit()

    def play(self, sound: Sound) -> None:
        """Play a sound, if it was chosen."""
        if self.choice == "none" or (self.choice == "refused" and sound == "taken"):
            return
        now = time.monotonic()
        if now - self._played_at >= _LEAST_S:
            self._played_at = now
            self.play_now(sound)

    def play_now(self, sound: Sound) -> None:
        """Play a sound whatever was chosen, for a person who wants to hear it."""
        file = str(resource("sounds", f"{sound}.wav"))
        if sys.platform == "win32":
            import winsound

            try:
                winsound.PlaySound(file, winsound.SND_FILENAME | winsound.SND_ASYNC)
            except RuntimeError:  # there is no device for sound
                QApplication.beep()
            return
        if self._player is None:
            self._player = next((each for each in _PLAYERS if shutil.which(each[0])), ())
        words = self._player
        if not words or not QProcess.startDetached(words[0], [*words[1:], file])[0]:
            QApplication.beep()


SOUNDS = Sounds()

"""The files that were dropped together and wait for the one that is open: they are opened one after the other.

Invariant: a file waits here once, and leaves by being opened or by a person's word.
"""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.ui.bulk import bulk_page_words as words
from app.ui.widgets.bars.message_bar import MessageBar

_TOPIC = "files that wait"


class FileQueue(QObject):
    """Says in the bar which files wait. `next_asked`: a person wants the next one now."""

    next_asked = Signal()

    def __init__(self, bar: MessageBar, parent: QObject) -> None:
        super().__init__(parent)
        self._bar = bar
        self.paths: list[Path] = []

    def put(self, paths: Sequence[Path]) -> None:
        """These files wait, in place of those before."""
        self.paths = list(dict.fromkeys(paths))
        self.say()

    def say(self) -> None:
        """Say what waits, and that it is opened once the open file is closed."""
        if self.paths:
            sentence = words.files_wait(self.paths[0].name, len(self.paths))
            self._bar.say("", sentence, words.LEAVE_OTHERS, self.clear, topic=_TOPIC, stays=True)
        else:
            self._bar.withdraw(_TOPIC)

    def say_stuck(self) -> None:
        """The file before could not be read: a person looks at that first, and asks for the next."""
        if self.paths:
            sentence = words.files_wait_still(self.paths[0].name, len(self.paths))
            self._bar.say("", sentence, words.OPEN_NEXT, self.next_asked.emit, topic=_TOPIC, stays=True)

    def take(self) -> Path | None:
        """The next file, which does not wait any more; None if none waits."""
        found = self.paths.pop(0) if self.paths else None
        self.say()
        return found

    def clear(self) -> None:
        """None of them is opened."""
        self.put(())

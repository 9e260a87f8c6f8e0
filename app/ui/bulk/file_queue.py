"""The files that were dropped together and wait for the one that is open: they are opened one after the other.

A line above the page's faces, hidden while no file waits. Invariant: a file waits here once, and leaves by being opened
or by a person's word.
"""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from app.ui.bulk import bulk_page_words as words
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.buttons import button
from app.ui.widgets.layout import row
from app.ui.widgets.text.labels import ElidedLabel, announce, plain_tooltip


class FileQueue(QFrame):
    """`next_asked`: a person wants the next file, because the one before could not be read."""

    next_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("fileStrip")
        self.setAccessibleName(words.FILES_WAIT)
        self.paths: list[Path] = []
        self.said = ElidedLabel("label")
        self.next_button = button(words.OPEN_NEXT, self.next_asked.emit)
        self.leave_button = button(words.LEAVE_OTHERS, self.clear, kind="quiet")
        line = row(
            self.said, self.next_button, self.leave_button, margin=(SPACE_3, SPACE_1, SPACE_3, SPACE_1), gap=SPACE_2
        )
        line.setStretch(0, 1)
        self.setLayout(line)
        self._show(stuck=False)

    def put(self, paths: Sequence[Path]) -> None:
        """Replace the waiting files by these."""
        self.paths = list(dict.fromkeys(paths))
        self._show(stuck=False)

    def take(self) -> Path | None:
        """The next file, which does not wait any more; None if none waits."""
        found = self.paths.pop(0) if self.paths else None
        self._show(stuck=False)
        return found

    def wait_for_a_word(self) -> None:
        """The file before could not be read: a person looks at that first, and asks for the next one."""
        self._show(stuck=True)

    def clear(self) -> None:
        """None of them is opened."""
        self.put(())

    def _show(self, *, stuck: bool) -> None:
        self.setVisible(bool(self.paths))
        self.next_button.setVisible(stuck)
        if self.paths:
            said = words.files_wait_still if stuck else words.files_wait
            sentence = said(self.paths[0].name, len(self.paths))
            self.said.say(sentence)
            self.setToolTip(plain_tooltip("\n".join(each.name for each in self.paths)))
            announce(self, sentence)

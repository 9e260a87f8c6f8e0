"""The window shown before the main window exists: why Waybill could not start, or what its start is waiting for.

Invariant: StartWindow needs no data folder, no settings and no file of the program's own: any of them may be missing.
"""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from app.runtime.loop import on_stop_signal
from app.ui.shell import shell_words
from app.ui.theme.resources import ResourceMissing
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_2, SPACE_3, SPACE_4, START_WINDOW_WIDTH
from app.ui.widgets.buttons import button
from app.ui.widgets.files.show_in_folder import open_folder
from app.ui.widgets.layout import column, row
from app.ui.widgets.text.labels import text_label, visible

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why Waybill could not start, in words for a person: what happened, what it means and what to do.

    `status` is the exit status for a script. `report` names lines of the program, where Waybill itself is at fault.
    """

    heading: str
    sentence: str
    status: int
    folder: Path
    report: str = ""


class StartWindow(QDialog):
    """A heading, a text and buttons; the first button has the keyboard, Escape and the frame close it."""

    def __init__(self, heading: str, sentence: str, close: str) -> None:
        super().__init__()
        self.setWindowTitle("Waybill")
        self.setObjectName("ground")
        self.setAccessibleName(heading)
        self.setAccessibleDescription(sentence)
        self._note = text_label("", "soft", wrap=True)
        self._note.hide()
        self._sentence = text_label(sentence, wrap=True, selectable=True)
        self._close = button(close, self.reject)
        self._buttons = row(None, self._close, gap=SPACE_2)
        self.setLayout(
            column(
                text_label(heading, "title", wrap=True), self._sentence, self._note, None, self._buttons,
                margin=SPACE_4, gap=SPACE_3,
            )
        )  # fmt: skip
        self.setMinimumWidth(START_WINDOW_WIDTH)
        self.ended: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.finished.connect(self._on_finished)

    def offer(self, actions: Sequence[tuple[str, Callable[[], object]]]) -> None:
        """Put these buttons before the one that closes; the first is the one that Enter presses."""
        before: QWidget = self._close
        for at, (words, act) in enumerate(actions):
            made = button(words, act, kind="normal" if at else "primary")
            self._buttons.insertWidget(at + 1, made)
            if not at:
                before = made
        before.setFocus()
        self._fit()

    def say(self, words: str) -> None:
        """Add a line below the text."""
        self._note.setText(visible(words))
        self._note.show()
        self._fit()

    def _fit(self) -> None:
        """Resize to the height of the text: a wrapped label asks for more height than it needs."""
        self.ensurePolished()
        layout = self.layout()
        assert layout is not None
        layout.activate()
        width = max(START_WINDOW_WIDTH, layout.totalMinimumSize().width())
        self.resize(width, layout.totalHeightForWidth(width))

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.reject()

    def _on_finished(self, result: int) -> None:
        if not self.ended.done():
            self.ended.set_result(result == QDialog.DialogCode.Accepted.value)


async def try_again(application: QApplication, trouble: Trouble) -> bool:
    """Show why Waybill could not start; returns whether the person chose to try again instead of closing."""
    theme = _theme(application)
    window = StartWindow(trouble.heading, trouble.sentence, shell_words.CLOSE_WAYBILL)
    if theme is not None:
        theme.dress(window)

    def show_folder() -> None:
        folder = nearest(trouble.folder)
        if not open_folder(folder):
            window.say(shell_words.folder_not_opened(str(folder)))

    def copy() -> None:
        QApplication.clipboard().setText(shell_words.start_report(trouble.heading, trouble.report))
        window.say(shell_words.REPORT_COPIED)

    actions: list[tuple[str, Callable[[], object]]] = [
        (shell_words.TRY_AGAIN, window.accept),
        (shell_words.OPEN_FOLDER, show_folder),
    ]
    window.offer([*actions, (shell_words.COPY_REPORT, copy)] if trouble.report else actions)
    on_stop_signal(window.reject)
    window.show()
    try:
        return await window.ended
    finally:
        window.deleteLater()
        del theme  # a Theme follows the system's colours as long as it lives


async def wait_for(application: QApplication, work: "Future[T]", heading: str, sentence: str) -> bool:
    """Show what the start is waiting for; returns True once `work` is done, False if the person stops waiting first."""
    theme = _theme(application)
    window = StartWindow(heading, sentence, shell_words.STOP_WAITING)
    if theme is not None:
        theme.dress(window)
    window.offer(())
    on_stop_signal(window.reject)
    done = asyncio.wrap_future(work)
    window.show()
    try:
        waited: set[asyncio.Future[Any]] = {window.ended, done}
        await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        return done.done()
    finally:
        window.hide()
        window.deleteLater()
        del theme


def nearest(folder: Path) -> Path:
    """The folder, or its nearest parent that exists."""
    for each in (folder, *folder.parents):
        with contextlib.suppress(OSError):  # a folder that this user may not look at
            if each.is_dir():
                return each
    return folder


def _theme(application: QApplication) -> Theme | None:
    """The theme of the system; None if the program's style sheet is missing."""
    try:
        return Theme(application)
    except ResourceMissing:
        return None

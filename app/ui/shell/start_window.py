"""The window that stands in for the window: why Waybill could not start, or what its start is waiting for.

It needs no data folder, no settings and no file of the program's own: each of them may be what is missing.
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
    """Why Waybill could not start: what happened, what it means and what to do, in words for a person.

    `status` is the exit status that says the same to a script. `report` names lines of the program, where it is at
    fault itself.
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
        self.said = text_label("", "soft", wrap=True)
        self.said.hide()
        self._sentence = text_label(sentence, wrap=True, selectable=True)
        self._close = button(close, self.reject)
        self._buttons = row(None, self._close, gap=SPACE_2)
        self.setLayout(
            column(
                text_label(heading, "title", wrap=True), self._sentence, self.said, None, self._buttons,
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
        self.said.setText(visible(words))
        self.said.show()
        self._fit()

    def _fit(self) -> None:
        """As high as the text is at this width: what is wrapped asks for more by itself."""
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
    """Show why Waybill could not start, until a person wants it to try again (True) or to close."""
    theme = _theme(application)
    window = StartWindow(trouble.heading, trouble.sentence, "Close Waybill")

    def show_folder() -> None:
        folder = nearest(trouble.folder)
        if not open_folder(folder):
            window.say(f"No program opens folders here. The folder is {folder}.")

    def copy() -> None:
        QApplication.clipboard().setText(f"Waybill: {trouble.heading}\n{trouble.report}")
        window.say("The report has been copied.")

    actions: list[tuple[str, Callable[[], object]]] = [("Try again", window.accept), ("Open the folder", show_folder)]
    window.offer([*actions, ("Copy report", copy)] if trouble.report else actions)
    on_stop_signal(window.reject)
    window.show()
    try:
        return await window.ended
    finally:
        window.deleteLater()
        del theme  # it follows the system's colours as long as it lives


async def wait_for(application: QApplication, work: "Future[T]", heading: str, sentence: str) -> bool:
    """Say what the start is waiting for, until `work` is done (True) or a person waits no more (False)."""
    theme = _theme(application)
    window = StartWindow(heading, sentence, "Stop waiting")
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
    """The folder, or the one above it that is there."""
    for each in (folder, *folder.parents):
        with contextlib.suppress(OSError):  # it may not even be looked at
            if each.is_dir():
                return each
    return folder


def _theme(application: QApplication) -> Theme | None:
    """The theme of the system; none where its style sheet is what is missing."""
    try:
        return Theme(application)
    except ResourceMissing:
        return None

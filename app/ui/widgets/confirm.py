"""Questions: boxes that name the consequence and wait for an answer.

Invariants: a box never nests an event loop, and Enter alone never does what cannot be undone.
"""

import asyncio
from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QLabel, QMessageBox, QWidget
from shiboken6 import isValid

from app.ui.theme.tokens import QUESTION_WIDTH
from app.ui.widgets import widget_words as words
from app.ui.widgets.text.labels import ampersands, visible

_HEADING, _SENTENCE = "qt_msgbox_label", "qt_msgbox_informativelabel"  # Qt's own names for the box's labels


class _Box(QMessageBox):
    """A box that keeps the focus on the refusal when the theme changes: Qt then moves it to the first button."""

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        safe = self.defaultButton()
        if event.type() == QEvent.Type.StyleChange and safe is not None:
            # After Qt has moved the focus, which it does later in this event.
            QTimer.singleShot(0, safe, safe.setFocus)


async def confirmed(
    parent: QWidget,
    question: str,
    consequence: str,
    action: str,
    refusal: str = words.GO_BACK,
    *,
    mark: QPixmap | None = None,
) -> bool:
    """Ask a question; True if `action` was pressed. Escape means no. `mark` is the colour of the connection that the
    question names (`connection_colour.colour_mark`)."""
    return await chosen(parent, question, consequence, (action,), refusal, mark=mark) == action


async def chosen(
    parent: QWidget,
    question: str,
    consequence: str,
    actions: Sequence[str],
    refusal: str,
    *,
    mark: QPixmap | None = None,
) -> str | None:
    """Ask a question with several actions; returns the one that was pressed, None for the refusal.

    None also if `parent` was deleted before the question or during it. Cancelling the coroutine closes the box.
    """
    # A task begins a turn after its button: by then the dialog with the button may have been closed and deleted.
    if not isValid(parent):
        return None
    box = _plain_box(question, consequence, parent)
    if mark is not None:
        box.setIconPixmap(mark)
    buttons = {each: box.addButton(ampersands(each), QMessageBox.ButtonRole.AcceptRole) for each in actions}
    no = box.addButton(ampersands(refusal), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(no)
    box.setEscapeButton(no)
    no.setFocus()  # Enter presses the focused button, whichever is the default
    answer: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()

    def finished() -> None:
        if not answer.done():
            answer.set_result(next((each for each, made in buttons.items() if made is box.clickedButton()), None))

    def deleted() -> None:
        if not answer.done():
            answer.set_result(None)

    box.finished.connect(finished)
    box.destroyed.connect(deleted)  # the box goes with its parent, and has not finished then
    # Not `exec`, which would nest an event loop.
    box.open()
    try:
        return await answer
    except asyncio.CancelledError:
        box.close()
        raise


def _plain_box(heading: str, sentence: str, parent: QWidget) -> QMessageBox:
    """A box that shows both texts as plain text."""
    box = _Box(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setIcon(QMessageBox.Icon.NoIcon)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setWindowTitle("Waybill")
    box.setText(visible(heading))
    box.setInformativeText(visible(sentence))
    for label in box.findChildren(QLabel):
        label.setTextFormat(Qt.TextFormat.PlainText)  # the format of the box applies to its first label only
        if label.objectName() == _HEADING:
            label.setProperty("role", "heading")
        elif label.objectName() == _SENTENCE:
            label.setMinimumWidth(QUESTION_WIDTH)
    return box

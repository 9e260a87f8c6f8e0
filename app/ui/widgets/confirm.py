"""The one thing that stops a person: a box that names what will happen. It never nests an event loop."""

import asyncio
from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtWidgets import QLabel, QMessageBox, QWidget

from app.ui.theme.tokens import QUESTION_WIDTH
from app.ui.widgets.text.labels import ampersands, visible

_HEADING, _SENTENCE = "qt_msgbox_label", "qt_msgbox_informativelabel"  # Qt's own names for the box's labels


class _Box(QMessageBox):
    """Keeps the keyboard on the refusal when the looks change: Qt lays the buttons out anew then, and would leave it on
    the first of them."""

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        safe = self.defaultButton()
        if event.type() == QEvent.Type.StyleChange and safe is not None:
            QTimer.singleShot(0, safe, safe.setFocus)


async def confirmed(parent: QWidget, question: str, consequence: str, action: str, refusal: str = "Go back") -> bool:
    """Ask, and wait without blocking; True when `action` was pressed. Escape means no."""
    return await chosen(parent, question, consequence, (action,), refusal) == action


async def chosen(parent: QWidget, question: str, consequence: str, actions: Sequence[str], refusal: str) -> str | None:
    """The same with several actions: the one that was pressed, None for the refusal. Cancelled, it asks no more."""
    box = _plain_box(question, consequence, parent)
    buttons = {each: box.addButton(ampersands(each), QMessageBox.ButtonRole.AcceptRole) for each in actions}
    no = box.addButton(ampersands(refusal), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(no)
    box.setEscapeButton(no)
    no.setFocus()  # Enter presses what has the focus, whatever the default is
    answer: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()

    def finished() -> None:
        if not answer.done():
            answer.set_result(next((each for each, made in buttons.items() if made is box.clickedButton()), None))

    box.finished.connect(finished)
    box.open()
    try:
        return await answer
    except asyncio.CancelledError:
        box.close()
        raise


async def acknowledged(heading: str, sentence: str, action: str) -> None:
    """Say one thing where there is no window to say it in, and wait until it was read."""
    box = _plain_box(heading, sentence, None)
    box.addButton(ampersands(action), QMessageBox.ButtonRole.AcceptRole)
    read = asyncio.Event()
    box.finished.connect(read.set)
    box.open()
    await read.wait()


def _plain_box(heading: str, sentence: str, parent: QWidget | None) -> QMessageBox:
    """A box that shows both texts letter for letter."""
    box = _Box(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setIcon(QMessageBox.Icon.NoIcon)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setWindowTitle("Waybill")
    box.setText(visible(heading))
    box.setInformativeText(visible(sentence))
    for label in box.findChildren(QLabel):
        label.setTextFormat(Qt.TextFormat.PlainText)  # the box's own format holds for its first label only
        if label.objectName() == _HEADING:
            label.setProperty("role", "heading")
        elif label.objectName() == _SENTENCE:
            label.setMinimumWidth(QUESTION_WIDTH)
    return box

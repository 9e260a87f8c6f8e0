"""The window says that it was painted, once, and only when it can be used."""

import asyncio

from PySide6.QtCore import QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.ui.base.first_paint import FirstPaint
from tests.support.loop import RunningLoop


class Painted(QWidget):
    """Counts its paintings."""

    def __init__(self) -> None:
        super().__init__()
        self.paintings = 0

    def paintEvent(self, event: QPaintEvent) -> None:
        self.paintings += 1


def test_it_is_said_after_the_painting_and_what_was_due_before(loop: RunningLoop, qtbot: QtBot) -> None:
    window = Painted()
    qtbot.addWidget(window)
    painted = FirstPaint(window)
    waiting = asyncio.get_running_loop().create_task(painted.done())
    loop.rest()
    assert not waiting.done(), "a window that is not shown is not painted"
    due: list[int] = []
    window.show()
    QTimer.singleShot(0, lambda: due.append(window.paintings))
    loop.until(waiting.done)
    assert window.paintings == 1
    assert due
    window.repaint()
    loop.run(painted.done())

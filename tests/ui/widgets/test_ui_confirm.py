"""A question before something that cannot be undone: Enter alone says no, also when the looks change meanwhile."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox, QPushButton, QWidget
from shiboken6 import delete

from app.ui.theme.theme import Theme
from app.ui.widgets.confirm import confirmed
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show


@pytest.fixture
def light_again(theme: Theme) -> Iterator[Theme]:
    yield theme
    theme.choose("light")


def test_a_change_of_looks_leaves_the_keyboard_on_the_refusal(
    loop: RunningLoop, show: Show, light_again: Theme
) -> None:
    parent = QWidget()
    show(parent)
    answer = loop.asyncio.create_task(confirmed(parent, "Send it again?", "It may have arrived.", "Send again"))
    loop.until(lambda: parent.findChildren(QMessageBox))
    (box,) = parent.findChildren(QMessageBox)
    (no,) = [each for each in box.findChildren(QPushButton) if each.text() == "Go back"]
    loop.until(no.hasFocus)
    light_again.choose("dark")
    loop.rest()
    loop.until(no.hasFocus)
    QTest.keyClick(box, Qt.Key.Key_Return)
    loop.until(answer.done)
    assert answer.result() is False


def test_a_question_of_a_window_that_was_deleted_is_answered_no(loop: RunningLoop, show: Show) -> None:
    window = QWidget()
    parent = QWidget(window)
    show(window)
    asked = loop.asyncio.create_task(confirmed(parent, "Reserve it?", "The slot is taken then.", "Reserve"))
    delete(parent)  # before the task's first step, as a press of a button and Escape in one turn do it
    loop.until(asked.done)
    assert asked.result() is False


def test_a_question_whose_window_is_deleted_meanwhile_is_answered_no(loop: RunningLoop, show: Show) -> None:
    window = QWidget()
    parent = QWidget(window)
    show(window)
    asked = loop.asyncio.create_task(confirmed(parent, "Reserve it?", "The slot is taken then.", "Reserve"))
    loop.until(lambda: parent.findChildren(QMessageBox))
    delete(parent)
    loop.until(asked.done)
    assert asked.result() is False

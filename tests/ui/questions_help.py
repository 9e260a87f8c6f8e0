"""Reads the question that stands over a page, and gives the answer of a person. Shared by tests of all pages."""

from PySide6.QtWidgets import QMessageBox, QPushButton, QWidget

from tests.support.loop import RunningLoop


def question(loop: RunningLoop, page: QWidget) -> QMessageBox:
    """The one question that is asked, once it is."""
    loop.until(lambda: page.findChildren(QMessageBox))
    (box,) = page.findChildren(QMessageBox)
    assert isinstance(box, QMessageBox)
    return box


def answer(box: QMessageBox, words: str) -> None:
    """Press the button with these words."""
    (found,) = [each for each in box.findChildren(QPushButton) if each.text() == words]
    found.click()

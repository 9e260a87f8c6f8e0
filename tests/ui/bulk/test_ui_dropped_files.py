"""Files dropped on the window, as Qt tells of them; the whole way of a drag is in tests/e2e."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QMessageBox, QWidget

from app.ui.shell.dropped_files import DroppedFiles
from app.ui.widgets.layout import column
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show

COPY = Qt.DropAction.CopyAction
NONE = Qt.KeyboardModifier.NoModifier


class Target:
    """A window with a text field, which would take any text that is dropped on it. `ready` comes before the drops."""

    def __init__(self, ready: Callable[[QWidget], object] = lambda _window: None) -> None:
        self.window = QWidget()
        self.field = QLineEdit()
        self.below = QWidget()
        self.window.setLayout(column(self.field, self.below))
        ready(self.window)
        self.drops = DroppedFiles(self.window, self.below)
        self.heard: list[list[Path]] = []
        self.drops.dropped.connect(self.heard.append)

    def sign(self) -> QFrame | None:
        return next((each for each in self.window.findChildren(QFrame) if each.objectName() == "floating"), None)

    def enter(self, data: QMimeData) -> bool:
        event = QDragEnterEvent(QPoint(20, 20), COPY, data, Qt.MouseButton.LeftButton, NONE)
        QApplication.sendEvent(self.window.windowHandle(), event)
        return event.isAccepted()

    def drop(self, data: QMimeData) -> bool:
        event = QDropEvent(QPointF(20, 20), COPY, data, Qt.MouseButton.LeftButton, NONE)
        QApplication.sendEvent(self.window.windowHandle(), event)
        return event.isAccepted()


@pytest.fixture
def target(loop: RunningLoop, show: Show) -> Target:
    made = Target()
    show(made.window)
    loop.until(made.window.isVisible)
    return made


def files(*paths: str) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(each) for each in paths])
    data.setText("\n".join(paths))
    return data


def test_files_are_taken_also_over_a_field_that_would_take_their_names(target: Target) -> None:
    data = files("/tmp/a.csv", "/tmp/b.xlsx")
    assert target.enter(data)
    sign = target.sign()
    assert sign is not None
    assert sign.isVisible()
    assert target.drop(data)
    assert target.heard == [[Path("/tmp/a.csv"), Path("/tmp/b.xlsx")]]
    assert not sign.isVisible()
    assert target.field.text() == ""


def test_files_are_taken_by_a_window_that_was_shown_before_with_a_still(loop: RunningLoop, show: Show) -> None:
    def shown(window: QWidget) -> None:
        show(window)
        loop.until(window.isVisible)

    made = Target(shown)
    data = files("/tmp/a.csv")
    assert made.enter(data)
    assert made.drop(data)
    assert made.heard == [[Path("/tmp/a.csv")]]


def test_the_sign_goes_with_a_drag_that_leaves(target: Target) -> None:
    target.enter(files("/tmp/a.csv"))
    QApplication.sendEvent(target.window.windowHandle(), QDragLeaveEvent())
    sign = target.sign()
    assert sign is not None
    assert not sign.isVisible()
    assert target.heard == []


def test_an_address_from_elsewhere_is_no_file(target: Target) -> None:
    data = QMimeData()
    data.setUrls([QUrl("https://example.com/a.csv")])
    target.enter(data)
    target.drop(data)
    assert target.sign() is None
    assert target.heard == []


def test_a_text_goes_on_to_the_field_below_the_pointer(target: Target) -> None:
    data = QMimeData()
    data.setText("771002")
    place = target.field.mapTo(target.window, target.field.rect().center())
    handle = target.window.windowHandle()
    QApplication.sendEvent(handle, QDragEnterEvent(place, COPY, data, Qt.MouseButton.LeftButton, NONE))
    QApplication.sendEvent(handle, QDropEvent(QPointF(place), COPY, data, Qt.MouseButton.LeftButton, NONE))
    assert target.field.text() == "771002"
    assert target.heard == []


def test_nothing_is_taken_while_a_question_stands_before_the_window(loop: RunningLoop, target: Target) -> None:
    box = QMessageBox(target.window)
    box.setWindowModality(Qt.WindowModality.WindowModal)
    box.open()
    loop.until(box.isVisible)
    target.enter(files("/tmp/a.csv"))
    target.drop(files("/tmp/a.csv"))
    assert target.heard == []
    box.close()

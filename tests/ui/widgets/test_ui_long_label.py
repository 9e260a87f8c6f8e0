"""A label with a long name breaks it anywhere, and what is copied is what stands there."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QClipboard, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.ui.widgets.text.labels import LongLabel
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show

FOLDER = "/srv/" + "orders" * 20
TEXT = f"{FOLDER} is watched.\nFiles come and go."


@pytest.fixture(autouse=True)
def clipboard() -> Iterator[QClipboard]:
    yield QApplication.clipboard()
    QApplication.clipboard().clear()


@pytest.fixture
def label(show: Show) -> LongLabel:
    made = LongLabel()
    made.say(TEXT)
    made.resize(200, 200)
    show(made)
    return made


def test_a_long_name_is_broken_and_read_out_whole(label: LongLabel) -> None:
    whole = LongLabel()
    whole.setText(FOLDER)
    assert label.minimumSizeHint().width() < whole.minimumSizeHint().width() / 4
    assert label.accessibleName() == TEXT


def test_what_was_selected_is_copied_by_key(loop: RunningLoop, label: LongLabel, clipboard: QClipboard) -> None:
    QTest.mouseClick(label, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    loop.until(label.hasFocus)
    QTest.keyClick(label, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert clipboard.text() == "", "nothing was selected"
    QTest.keyClick(label, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(label, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert clipboard.text() == TEXT


def test_the_menu_copies_what_is_selected_or_all(label: LongLabel, clipboard: QClipboard) -> None:
    copy, copy_all = label.menu().actions()
    assert not copy.isEnabled()
    copy_all.trigger()
    assert clipboard.text() == TEXT
    label.setSelection(0, 30)
    label.menu().actions()[0].trigger()
    assert 20 < len(clipboard.text()) < 30, "without the places at which it may break"
    assert FOLDER.startswith(clipboard.text())


def test_what_the_middle_button_pastes_is_copied_alike(label: LongLabel, monkeypatch: pytest.MonkeyPatch) -> None:
    put: list[tuple[str, QClipboard.Mode]] = []

    class Selecting:
        """A clipboard of X11, which the offscreen platform has not."""

        def supportsSelection(self) -> bool:
            return True

        def setText(self, text: str, mode: QClipboard.Mode) -> None:
            put.append((text, mode))

    monkeypatch.setattr(QGuiApplication, "clipboard", Selecting)
    top, end = QPoint(1, label.height() // 3), label.rect().bottomRight()
    QTest.mouseClick(label, Qt.MouseButton.LeftButton, pos=top)
    assert put == [], "nothing was selected"
    QTest.mousePress(label, Qt.MouseButton.LeftButton, pos=top)
    QTest.mouseMove(label, end)
    QTest.mouseRelease(label, Qt.MouseButton.LeftButton, pos=end)
    ((copied, mode),) = put
    assert mode == QClipboard.Mode.Selection
    assert copied
    assert TEXT.endswith(copied)

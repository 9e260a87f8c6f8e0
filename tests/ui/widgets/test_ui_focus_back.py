"""The keyboard goes back to where it was when a message or a strip that had it goes away."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from app.desk.files.stoppable_work import Progress, Stopped
from app.ui.base.page import Page, PageServices
from app.ui.widgets.files.choose_files import Chosen, FileKind
from app.ui.widgets.files.file_strip import FileJob, FileResult, FileStrip
from app.ui.widgets.layout import column
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show

TEXT = (FileKind("txt", "Text", "txt"),)


class Bench:
    """A page with a message, a strip that makes files, and a field before and after them."""

    def __init__(self, services: PageServices, loop: RunningLoop) -> None:
        self.loop, self.page = loop, Page(services, "page")
        self.done: asyncio.Future[bool] = loop.asyncio.create_future()
        self.first, self.last = QLineEdit(), QLineEdit()
        self.strip = FileStrip(services.theme, self.page.tasks, self._choose, lambda _: True)
        self.page.setLayout(column(self.page.bar, self.strip, self.first, self.last, None))

    async def _choose(
        self, _parent: QWidget, _title: str, name: str, kinds: Sequence[FileKind], _folder: Path | None
    ) -> Chosen:
        return Chosen(Path(name), kinds[0], replace=False)

    async def _write(self, _chosen: Chosen, progress: Progress) -> FileResult:
        while not self.done.done():
            await asyncio.sleep(0)
            if progress.stop:
                raise Stopped
        return FileResult("It is made.")

    def begin(self) -> None:
        self.strip.begin(FileJob("", "made.txt", TEXT, self._write, lambda _: "Writing…"))
        self.loop.until(self.strip.stop_button.isVisible)

    def settle(self) -> None:
        self.loop.until(lambda: not self.strip.busy)


@pytest.fixture
def bench(services: PageServices, loop: RunningLoop, show: Show) -> Bench:
    made = Bench(services, loop)
    show(made.page)
    made.last.setFocus()
    return made


def offered(bench: Bench, words: str) -> QPushButton:
    (found,) = [each for each in bench.page.findChildren(QPushButton) if each.text() == words and each.isVisible()]
    return found


def test_a_message_that_is_closed_or_acted_on_gives_the_keyboard_back(bench: Bench) -> None:
    bench.page.bar.say("good", "It is there.", "Show", lambda: None)
    QTest.mouseClick(offered(bench, "Show"), Qt.MouseButton.LeftButton)
    assert bench.last.hasFocus(), "not the next one in the order of tabs"
    bench.page.bar.say("good", "It is there.")
    close = next(each for each in bench.page.bar.findChildren(QPushButton) if not each.text())
    close.setFocus()
    QTest.keyClick(close, Qt.Key.Key_Space)
    assert bench.last.hasFocus()


def test_the_action_of_a_message_may_take_the_focus(bench: Bench) -> None:
    bench.page.bar.say("", "Something is to be typed.", "Type it", bench.first.setFocus)
    offered(bench, "Type it").setFocus()
    bench.page.bar.act()
    assert bench.first.hasFocus()


def test_a_file_that_is_made_leaves_the_keyboard_where_it_was(bench: Bench) -> None:
    bench.begin()
    bench.strip.stop_button.setFocus()
    bench.done.set_result(True)
    bench.settle()
    assert bench.last.hasFocus()
    offered(bench, "Show in folder").click()
    assert bench.last.hasFocus()


def test_stopping_a_file_leaves_the_keyboard_where_it_was(bench: Bench) -> None:
    bench.begin()
    bench.strip.stop_button.setFocus()
    QTest.keyClick(bench.strip.stop_button, Qt.Key.Key_Space)
    assert bench.last.hasFocus()
    bench.settle()
    assert (bench.last.hasFocus(), bench.strip.bar.text) == (True, "Stopped; nothing was written.")


def test_a_widget_that_cannot_take_the_focus_is_not_given_it(bench: Bench, loop: RunningLoop) -> None:
    gone = QLineEdit(bench.page)
    gone.show()
    gone.setFocus()
    bench.page.bar.say("", "It is there.", "Show", lambda: None)
    offered(bench, "Show").setFocus()
    gone.deleteLater()
    loop.rest()
    bench.page.bar.clear()
    assert bench.first.hasFocus()
    bench.page.bar.say("", "It is there.", "Show", lambda: None)
    offered(bench, "Show").setFocus()
    bench.first.setEnabled(False)
    bench.page.bar.clear()
    assert bench.last.hasFocus()

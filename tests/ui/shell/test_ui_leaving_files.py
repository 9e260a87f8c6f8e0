"""Closing while something is written into files: asked once and in words, and nothing half written stays."""

import asyncio
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton, QWidget

from app.desk.files.save_files import Wanted, unchanged
from app.desk.files.stoppable_work import Progress, in_thread
from app.desk.files.whole_file import put_in_place
from app.ui.widgets.files.choose_files import Chosen, FileKind
from app.ui.widgets.files.file_strip import FileJob, FileResult, FileStrip
from app.ui.widgets.files.saving import Saver
from tests.ui.shell.test_ui_shell import program, world
from tests.ui.shell.test_ui_shell_ends import boxes
from tests.ui.shell_help import Program

__all__ = ["program", "world"]  # the fixtures of the whole window
TEXT = (FileKind("txt", "Text", "txt"),)


class Slow:
    """A file that is half written until it is let go on, as a long report is."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.go_on = folder, threading.Event()
        self.half = threading.Event()
        self.target = folder / "report.txt"

    async def choose(
        self, _parent: QWidget, _title: str, _name: str, kinds: Sequence[FileKind], _folder: Path | None
    ) -> Chosen:
        return Chosen(self.target, kinds[0], replace=False)

    async def write(self, chosen: Chosen, progress: Progress) -> FileResult:
        progress.total, progress.done = 486, 11
        await in_thread(
            lambda: put_in_place(chosen.target, lambda path: self._write(path, progress), replace=False), progress
        )
        return FileResult("The report is in report.txt.")

    def _write(self, path: Path, progress: Progress) -> None:
        path.write_text("half")
        self.half.set()
        while not self.go_on.wait(0.005):
            progress.checkpoint()
        path.write_text("whole")

    def job(self) -> FileJob:
        return FileJob(
            "Save the report", "report", TEXT, self.write, lambda p: f"Writing page {p.done + 1} of {p.total}…"
        )


@pytest.fixture
def slow(program: Program, tmp_path: Path) -> Iterator[tuple[Slow, FileStrip]]:
    """A file of the orders page that is half written."""
    folder = tmp_path / "out"
    folder.mkdir()
    made = Slow(folder)
    strip = program.shell.orders.export_strip()
    strip._choose = made.choose
    strip.begin(made.job())
    program.loop.until(made.half.is_set)
    yield made, strip
    made.go_on.set()


def close(program: Program) -> tuple[QMessageBox, list[int]]:
    """Close the window, twice as an impatient person does; what asks, and how often the program was let go."""
    gone: list[int] = []
    program.shell.closing.connect(lambda: gone.append(1))
    program.window.close()
    program.window.close()
    program.loop.until(boxes)
    program.loop.rest()
    (box,) = boxes()
    return box, gone


def test_closing_asks_once_what_is_written_and_the_keyboard_rests_on_keeping_it(
    program: Program, slow: tuple[Slow, FileStrip]
) -> None:
    file, strip = slow
    box, gone = close(program)
    assert box.text() == "Waybill is still writing"
    assert box.informativeText().startswith("report.txt: Writing page 12 of 486…\n\nClosing Waybill stops this.")
    focused = QApplication.focusWidget()
    assert isinstance(focused, QPushButton)
    assert focused.text() == "Keep writing"
    QTest.keyClick(focused, Qt.Key.Key_Return)
    program.loop.until(lambda: not boxes())
    program.loop.rest()
    assert (gone, program.window.isVisible(), strip.busy) == ([], True, True)
    file.go_on.set()
    program.loop.until(lambda: not strip.busy)
    assert (strip.bar.text, file.target.read_text()) == ("The report is in report.txt.", "whole")
    program.window.close()
    program.loop.until(lambda: gone)
    assert not boxes(), "nothing is written any more, so nobody is asked"


def test_stopped_and_closed_no_half_file_stays(program: Program, slow: tuple[Slow, FileStrip]) -> None:
    file, _strip = slow
    box, gone = close(program)
    next(each for each in box.findChildren(QPushButton) if each.text() == "Stop and close").click()
    program.loop.until(lambda: gone)
    program.loop.run(program.shell.aclose())
    assert list(file.folder.iterdir()) == []
    assert len(gone) == 1


def test_escape_goes_on_writing(program: Program, slow: tuple[Slow, FileStrip]) -> None:
    _file, strip = slow
    box, gone = close(program)
    QTest.keyClick(box, Qt.Key.Key_Escape)
    program.loop.until(lambda: not boxes())
    assert (gone, strip.busy) == ([], True)


def test_what_ends_while_it_is_asked_about_is_asked_about_no_more(
    program: Program, slow: tuple[Slow, FileStrip]
) -> None:
    file, strip = slow
    _box, gone = close(program)
    file.go_on.set()
    program.loop.until(lambda: not strip.busy and not boxes())
    program.loop.until(lambda: not program.shell.busy)
    assert (gone, strip.bar.text, file.target.read_text()) == ([], "The report is in report.txt.", "whole")
    program.window.close()
    program.loop.until(lambda: gone)


def test_photos_that_are_being_saved_are_asked_about_too(
    program: Program, slow: tuple[Slow, FileStrip], tmp_path: Path
) -> None:
    waits: asyncio.Future[bytes] = program.loop.asyncio.create_future()
    page, asked = program.shell.orders, []

    async def folder(_parent: QWidget, _title: str, _folder: Path | None) -> Path:
        return tmp_path / "out"

    async def fetch(address: str) -> bytes:
        asked.append(address)
        return b"\xff\xd8\xff" if address == "a" else await waits

    wanted = [Wanted(each, f"photo {each}", f"Photo {each}") for each in "abc"]
    saver = Saver(page.tasks, page.bar, "photo", folder)
    page.tasks.read("photos", saver.save(page, wanted, unchanged(fetch)))
    program.loop.until(lambda: "b" in asked)
    box, gone = close(program)
    assert box.informativeText().startswith("report.txt: Writing page 12 of 486…\nSaving photos, 2 of 3…\n\nClosing")
    next(each for each in box.findChildren(QPushButton) if each.text() == "Stop and close").click()
    program.loop.until(lambda: gone)
    program.loop.run(program.shell.aclose())
    assert [each.name for each in (tmp_path / "out").iterdir()] == ["photo a.jpg"], "what was saved stays"

"""The window opens where it stood, and on a screen that is there."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QGuiApplication

from app.store.journal import setting_store
from app.store.secrets import SecretStore
from app.ui.base.main_window import MainWindow
from app.ui.base.page import PageServices
from app.ui.base.window_place import WindowPlace, remembered_place
from app.ui.theme.theme import Theme
from tests.support.loop import RunningLoop
from tests.ui.shell_help import Program, open_program


@pytest.fixture
def program(
    loop: RunningLoop, theme: Theme, services: PageServices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Program]:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    made = open_program(loop, theme, services, tmp_path / "data", SecretStore(seconds=5))
    yield made
    made.close()


@pytest.fixture
def other(theme: Theme) -> Iterator[MainWindow]:
    """The window of the next start."""
    made = MainWindow(theme)
    yield made
    made.let_go()
    made.deleteLater()


def kept(program: Program) -> bytes:
    """What the journal says."""
    return bytes(program.loop.run(remembered_place(program.kept.journal)).data())


def test_a_window_opens_where_it_stood(program: Program, loop: RunningLoop, other: MainWindow) -> None:
    assert kept(program) == b""
    WindowPlace(program.window, program.kept.journal, program.shell.tasks)
    program.window.setGeometry(20, 30, 1100, 650)
    loop.until(lambda: kept(program) != b"")
    assert other.restoreGeometry(loop.run(remembered_place(program.kept.journal)))
    # Only from top to bottom: the screen of tests is narrower than the window may be.
    assert (other.geometry().top(), other.height()) == (30, 650)


def test_what_changed_in_the_last_moment_is_kept_too(program: Program, loop: RunningLoop) -> None:
    place = WindowPlace(program.window, program.kept.journal, program.shell.tasks)
    program.window.resize(1090, 700)
    place.keep()
    loop.until(lambda: kept(program) != b"")


def test_a_filled_screen_is_remembered_and_full_screen_is_not(
    program: Program, loop: RunningLoop, other: MainWindow
) -> None:
    place = WindowPlace(program.window, program.kept.journal, program.shell.tasks)
    program.window.showFullScreen()
    place.keep()
    loop.rest()
    assert kept(program) == b""
    program.window.showMaximized()
    place.keep()
    loop.until(lambda: kept(program) != b"")
    other.restoreGeometry(loop.run(remembered_place(program.kept.journal)))
    assert other.isMaximized()


def test_a_window_of_a_monitor_that_is_gone_opens_on_one_that_is_there(
    program: Program, loop: RunningLoop, other: MainWindow
) -> None:
    place = WindowPlace(program.window, program.kept.journal, program.shell.tasks)
    program.window.setGeometry(9_000, 5_000, 1100, 720)
    place.keep()
    loop.until(lambda: kept(program) != b"")
    other.restoreGeometry(loop.run(remembered_place(program.kept.journal)))
    there = QGuiApplication.primaryScreen().geometry()
    assert there.contains(other.geometry().topLeft() + QPoint(20, 20))


@pytest.mark.parametrize("said", [5, "no place", "////", None])
def test_a_place_that_makes_no_sense_is_none(
    program: Program, loop: RunningLoop, other: MainWindow, said: object
) -> None:
    loop.run(program.kept.journal.write(setting_store.write_setting, "window.place", said))
    before = other.geometry()
    assert not other.restoreGeometry(loop.run(remembered_place(program.kept.journal)))
    assert other.geometry() == before


@pytest.mark.parametrize(
    ("stood", "stands"),
    [
        (QRect(0, 0, 1500, 900), QRect(0, 0, 1024, 700)),
        (QRect(200, 100, 1000, 650), QRect(24, 50, 1000, 650)),
        (QRect(-300, -20, 960, 600), QRect(0, 0, 960, 600)),
        (QRect(30, 40, 960, 600), QRect(30, 40, 960, 600)),
    ],
    ids=["too large", "beyond the edge", "before the edge", "as it was"],
)
def test_a_window_is_no_larger_than_the_screen_and_lies_on_it(other: MainWindow, stood: QRect, stands: QRect) -> None:
    other.setGeometry(stood)
    other.fit_screen(QRect(0, 0, 1024, 700))
    assert other.geometry() == stands

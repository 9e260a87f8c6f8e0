"""What the tests of the window share: a theme, the services of pages, and a watch for faults of the program."""

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtWidgets import QApplication, QWidget

from app.background.news import News
from app.runtime.sink import Sink
from app.store.picture_files import PictureFiles
from app.ui.base.gallery import Gallery
from app.ui.base.page import Page, PageServices
from app.ui.theme.theme import SIZES, Theme
from app.ui.widgets.call_choice import CALL_CHOICE
from app.ui.widgets.files.choose_files import LAST_FOLDERS
from app.ui.widgets.map_choice import MAP_CHOICE
from app.ui.widgets.sounds import SOUNDS
from tests.support.forked_programs import can_fork, let_windows_fork_practice
from tests.support.loop import RunningLoop

P = TypeVar("P", bound=Page)


@pytest.fixture(scope="session", autouse=True)
def forked_practice() -> None:
    """In a batch of the suite, a window's practice service is forked (`forked_programs`)."""
    if can_fork():
        let_windows_fork_practice()


@pytest.fixture(scope="session")
def theme(qapp: QApplication) -> Theme:
    """The one theme of the test run, light."""
    return Theme(qapp, "light")


class WatchedSink(Sink):
    """A sink that must stay empty; a test that provokes a fault takes it out of `faults` itself."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []
        self.failed.connect(self._note)

    def _note(self, where: str, report: str) -> None:
        self.faults.append(f"{where}: {report}")


@pytest.fixture
def sink(qapp: QApplication) -> Iterator[WatchedSink]:
    """The sink of the test."""
    assert qapp is not None
    made = WatchedSink()
    yield made
    assert made.faults == []


@pytest.fixture
def services(loop: RunningLoop, theme: Theme, sink: WatchedSink) -> PageServices:
    """What every page is given."""
    assert loop is not None
    return PageServices(theme, sink, News(), datetime.now)


@pytest.fixture
def gallery(loop: RunningLoop, sink: WatchedSink, tmp_path: Path) -> Iterator[Gallery]:
    """Pictures for pages, none kept before."""
    made = Gallery(sink, PictureFiles(tmp_path / "pictures"))
    yield made
    loop.run(made.aclose(20))


Show = Callable[[QWidget], None]
# What pages stand on, in whatever order a test names its fixtures: it has to be there until they are closed.
_BELOW = ("journal", "reader", "shaky", "window_desk", "window_practice_desk")


@pytest.fixture
def show(loop: RunningLoop, theme: Theme, request: pytest.FixtureRequest) -> Iterator[Show]:
    """Shows a widget as a window of its own and takes it down in order: tasks first, then the widget (pitfall 10)."""
    for name in _BELOW:
        if name in request.fixturenames:
            request.getfixturevalue(name)
    shown: list[QWidget] = []

    def make_visible(widget: QWidget) -> None:
        shown.append(widget)
        theme.dress(widget)
        widget.resize(1280, 800)
        widget.show()
        widget.activateWindow()
        loop.until(widget.isActiveWindow)

    yield make_visible
    for widget in reversed(shown):
        if isinstance(widget, Page):
            loop.run(widget.flush())
            loop.run(widget.tasks.aclose(20))
        widget.hide()
        widget.deleteLater()
    loop.rest()


@pytest.fixture(autouse=True)
def no_choice_of_another_test() -> None:
    """What is kept for the whole program is as at a first start."""
    SIZES.choose(100, compact=False)
    SOUNDS.choice, SOUNDS._player = "refused", ()  # no player of this computer: what is played is a beep
    LAST_FOLDERS.forget()
    MAP_CHOICE.site = ""
    CALL_CHOICE.by_program = False


@pytest.fixture
def large_text() -> Iterator[None]:
    """The largest text that can be chosen."""
    SIZES.choose(150, compact=False)
    yield
    SIZES.choose(100, compact=False)

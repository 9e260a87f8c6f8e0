"""What the store cannot do is said in its own words, on every page and by whoever works for the window.

"Waybill made a mistake of its own" is for mistakes of the program alone.
"""

import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QLabel

from app.runtime.tasks import Tasks
from app.store.secrets import SecretStore
from app.store.sqlite.database import Database
from app.store.store_errors import StoreError
from app.ui.base.page import PageServices
from app.ui.theme.theme import Theme
from app.ui.widgets.bars.message_bar import MessageBar
from tests.support.loop import RunningLoop
from tests.support.practice_process import SMALL, start_practice
from tests.ui.conftest import WatchedSink
from tests.ui.shell_help import Program, open_program

PAGES = ("orders", "entry", "outbox", "audits", "settings")
SENTENCE = "The disk reported an error, so nothing of this could be read."
OURS = "mistake of its own"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("world") / "practice"
    start_practice(folder, *SMALL).stop()
    return folder


@pytest.fixture
def program(
    loop: RunningLoop,
    theme: Theme,
    services: PageServices,
    tmp_path: Path,
    world: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Program]:
    """The window at work in practice."""
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    folder = tmp_path / "data"
    shutil.copytree(world, folder / "practice")
    made = open_program(loop, theme, services, folder, SecretStore(seconds=5))
    loop.run(made.shell.begin_work(made.secrets, made.practice))
    loop.until(lambda: made.window.link_label.text().startswith("✓ Connected"))
    yield made
    made.close()
    QApplication.clipboard().clear()


def said(program: Program) -> list[str]:
    """Every word on screen."""
    return [each.text() for each in program.window.findChildren(QLabel) if each.isVisible()]


def settled(program: Program) -> bool:
    shell = program.shell
    return not shell.busy and not any(page.tasks.busy for page in shell.pages()) and not shell.orders.refresher.busy


def refuse(monkeypatch: pytest.MonkeyPatch, *names: str) -> Callable[[], None]:
    """From now on every database of this process refuses what these methods are asked; gives what ends that."""
    ill = True
    for name in names:
        real = getattr(Database, name)

        async def call(self: Database, *args: object, real: Callable[..., object] = real, **more: object) -> object:
            if ill:
                raise StoreError(SENTENCE)
            return await real(self, *args, **more)  # type: ignore[misc]

        monkeypatch.setattr(Database, name, call)

    def well() -> None:
        nonlocal ill
        ill = False

    return well


@pytest.mark.expects_log("could not be done: StoreError")
@pytest.mark.parametrize("name", PAGES)
def test_a_page_says_the_store_s_sentence_and_takes_it_back(
    program: Program, sink: WatchedSink, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """By the roads of the page itself: it is made, entered and told of news while nothing can be read or kept."""
    shell, loop = program.shell, program.loop
    loop.until(lambda: settled(program))
    well = refuse(monkeypatch, "read", "write")
    shell.go(name)
    shell.services.news.queue_changed.emit()
    shell.services.news.stored.emit()
    shell.services.news.drafts.emit()
    loop.until(lambda: settled(program))
    shell.orders.refresher.start()
    loop.until(lambda: settled(program))
    words = said(program)
    assert any(SENTENCE in each for each in words), words
    assert not any(OURS in each for each in words), words
    assert sink.faults == []
    well()
    shell.services.news.queue_changed.emit()
    shell.services.news.stored.emit()
    shell.services.news.drafts.emit()
    shell.orders.refresher.start()
    loop.until(lambda: settled(program))
    shell.sending.try_now()
    shell.settler.look()
    shell.go(name)  # as a person looks again
    if name in ("entry", "audits"):  # what they read once for a desk is still unread
        shell.page(name).take_desk(shell.page(name).desk)
    # The sender says by itself when it tries again.
    left = [program.shell.page(name).bar, program.window.bar]
    loop.until(lambda: not any(each.text == SENTENCE for each in left), lambda: said(program))
    assert SENTENCE not in program.shell.page(name).bar.text


@pytest.mark.expects_log("could not be done: StoreError")
@pytest.mark.parametrize("name", PAGES)
def test_whatever_a_page_starts_may_end_with_the_store_s_sentence(
    program: Program, sink: WatchedSink, name: str
) -> None:
    """A road that catches nothing: the sentence is said on the page, and goes once the same work ends well."""

    async def fail() -> None:
        raise StoreError(SENTENCE)

    async def end_well() -> None:
        pass

    program.shell.go(name)
    program.loop.until(lambda: settled(program))
    page = program.shell.page(name)
    for start in (page.tasks.read, page.tasks.write):
        start("anything", fail())
        program.loop.until(lambda: page.bar.text == SENTENCE)
        start("anything", end_well())
        program.loop.until(lambda: page.bar.text == "")
    assert sink.faults == []
    assert OURS not in program.window.bar.text


@pytest.mark.expects_log("could not be done: StoreError", "could not be done: ExceptionGroup")
def test_what_works_for_the_window_says_it_there(program: Program, sink: WatchedSink) -> None:
    """The sender, the settler and whoever else has no page of its own; also from a thread or a group of tasks."""
    shell, bar = program.shell, program.window.bar

    async def fail() -> None:
        raise StoreError(SENTENCE)

    async def end_well() -> None:
        pass

    owners = [shell.sending, shell.settler, shell.learner, shell.cleaner, shell.connector, shell.pictures, shell]
    works: list[Tasks] = [owner._tasks for owner in owners]  # type: ignore[attr-defined]
    program.loop.until(lambda: settled(program))
    for tasks in works:
        tasks.read("anything", fail())
        program.loop.until(lambda: bar.text == SENTENCE)
        tasks.read("anything", end_well())
        program.loop.until(lambda: bar.text == "")
    sink.report(ExceptionGroup("several", [StoreError("One."), StoreError("Two."), StoreError("One.")]), "a group")
    assert bar.text == "One. Two."
    assert sink.faults == []


@pytest.mark.expects_log("a group failed: ExceptionGroup")
def test_a_group_with_a_mistake_of_ours_is_one(program: Program, sink: WatchedSink) -> None:
    sink.report(ExceptionGroup("several", [StoreError(SENTENCE), ZeroDivisionError()]), "a group")
    assert OURS in program.window.bar.text
    sink.faults.clear()


def test_a_failure_leaves_other_messages_of_the_bar_alone(theme: Theme, qapp: QApplication) -> None:
    bar = MessageBar(theme)
    bar.show()
    tell = partial(bar.show_failure, "rows")
    tell(SENTENCE)
    bar.say("good", "R-1 was sent.")
    tell("")
    assert bar.text == "R-1 was sent."
    tell(SENTENCE)
    bar.show_failure("counts", "The disk is full.")
    bar.show_failure("counts", "")
    assert bar.text == SENTENCE, "what is so still is said again"
    tell("")
    assert bar.text == ""
    bar.deleteLater()

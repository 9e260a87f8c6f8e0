"""The stage of the pictures: a window over a store in a temporary folder, on one fixed afternoon, with no provider."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QScrollArea, QWidget

from app.background.news import News
from app.runtime.practice_child import PracticeChild
from app.runtime.sink import Sink
from app.store.cache.schema.cache_schema import CACHE
from app.store.console.console_file import ConsoleFile
from app.store.journal import write_store
from app.store.journal.profile_store import Profile
from app.store.journal.recovery.journal_file import Journal
from app.store.paths import DataDir
from app.store.secrets import SecretStorage, SecretStore
from app.store.sqlite.database import Database
from app.ui.base.main_window import MainWindow
from app.ui.base.page import PageServices
from app.ui.shell.shell import Kept, Shell
from app.ui.theme.theme import SIZES, Theme
from app.ui.widgets.picture import PictureView
from app.ui.widgets.text import times
from tests.shots.data import NOW, PRACTICE, fill_cache, fill_journal, fill_profiles
from tests.shots.outbox_data import DESK, fill_messages

# Where a person's data lies differs from machine to machine; the pictures must not.
_SHOWN_FOLDER = Path("~/.local/share/Waybill")
_EMPTY = "empty"
_PATIENCE_S = 10


class _Secrets(SecretStore):
    """Says what a desktop with a keyring says, whatever this machine has."""

    async def describe(self) -> SecretStorage:
        return SecretStorage("keyring", "SecretService", "Secrets are kept in the system's keyring (Secret Service).")


@dataclass(slots=True)
class Stage:
    """The window and the store that scenes play on."""

    shell: Shell
    journal: Database
    others: tuple[Database, ...]
    dialog: QDialog | None = None
    question: asyncio.Future[Any] | None = None
    again: Callable[[], object] | None = None  # opens anew what a change of the window's size takes away
    in_sight: QWidget | None = None  # scrolled to before each picture: it moves as the page is laid out
    failures: list[str] = field(default_factory=list)  # faults of the program while the scenes were played

    @property
    def _pictures_busy(self) -> bool:
        """Whether a picture is on its way, or about to be asked for in another size."""
        views = self.shell.window.findChildren(PictureView)
        return self.shell.pictures.busy or any(each._settling.isActive() for each in views)

    @property
    def cache(self) -> Database:
        """The orders."""
        return self.others[0]

    def write_of(self, reference: str) -> int:
        """The number of the write with this reference."""
        profile = DESK if reference.startswith("M-") else PRACTICE
        return self.journal.read_now(write_store.writes_of, profile, reference)[0].id

    async def use_full_desk(self) -> None:
        """The desk with orders, drafts and writes."""
        await self._use(PRACTICE, "Not connected.")

    async def use_empty_desk(self, trouble: str) -> None:
        """A desk on its first day."""
        await self._use(_EMPTY, trouble)

    async def use_outbox_of_messages(self) -> None:
        """A desk whose outbox shows everything that an outbox can say."""
        await self._use(DESK, "Not connected.")

    async def _use(self, key: str, trouble: str) -> None:
        profile = Profile(key, "Practice", "practice", "", "", "", "")
        self.shell.open_desk(profile)
        assert self.shell.desk is not None
        self.shell.desk.trouble = trouble
        self.shell.window.show_profiles([profile], profile)
        self.shell.window.show_link("soft", trouble)

    def open_palette(self, text: str = "") -> None:
        """Open the palette, and type this."""
        self.shell.palette.open()
        assert self.shell.palette.palette is not None
        self.shell.palette.palette.line.setText(text)

    def close_palette(self) -> None:
        """Close the palette, if a scene has opened it: the scenes before this one may have been left out."""
        if self.shell.palette.palette is not None:
            self.shell.palette.palette.close_palette()

    def ask(self, question: Coroutine[Any, Any, object]) -> None:
        """Open a question; it is closed after its pictures."""
        self.question = asyncio.ensure_future(question)

    async def asked(self) -> None:
        """Return once the question of `ask` is on screen."""
        question = self.question
        if question is not None:
            await self.until(lambda: question.done() or QApplication.activeModalWidget() is not None)
            assert not question.done(), "the question was never asked"

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Press a key where the keyboard is, as a person does."""
        QTest.keyClick(QApplication.focusWidget() or self.shell.window, key, modifiers)

    def click(self, widget: QWidget) -> None:
        """Click in the middle of this."""
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton)

    async def bring_into_sight(self) -> None:
        """Scroll to `in_sight`, once what is around it has its place."""
        above = None if self.in_sight is None else self.in_sight.parentWidget()
        while above is not None and not isinstance(above, QScrollArea):
            above = above.parentWidget()
        if above is not None and self.in_sight is not None:
            await self.settle()
            # The lower end first: of what is higher than the area the upper end counts.
            above.verticalScrollBar().setValue(above.verticalScrollBar().maximum())
            above.ensureWidgetVisible(self.in_sight)
            await self.settle()

    async def settle(self) -> None:
        """Return when no task is under way and every wanted picture is painted."""
        quiet = 0
        while quiet < 3:
            await asyncio.sleep(0.01)
            busy = any(page.tasks.busy for page in self.shell.pages()) or self.shell.busy or self._pictures_busy
            quiet = 0 if busy else quiet + 1

    async def until(self, shown: Callable[[], object]) -> None:
        """Return once this is so; what a timer asks for is not under way before it rings."""
        async with asyncio.timeout(_PATIENCE_S):
            while not shown():  # noqa: ASYNC110 (whatever it is tells nobody)
                await asyncio.sleep(0.01)

    async def close_store(self) -> None:
        """Close the files."""
        for each in (*self.others, self.journal):
            await each.close()

    async def close_dialogs(self) -> None:
        """Close what a scene opened above the window, which has the keyboard again then: a menu that stays open
        keeps it, and what closes need not give it back here. Text and rows have their first sizes again, and the desk
        is alone."""
        SIZES.choose(100, compact=False)
        if self.shell.tour is not None:
            self.shell.tour.panel.hide()
        while (menu := QApplication.activePopupWidget()) is not None:
            menu.close()
        for each in QApplication.topLevelWidgets():
            if isinstance(each, QDialog) and each.isVisible():
                each.reject()
        self.dialog = self.again = self.in_sight = None
        if self.shell.desk is not None:
            self.shell.desk.team = None  # the other scenes are of a desk alone
        if self.question is not None:
            await self.question
            self.question = None
        self.shell.window.activateWindow()


async def make_stage(application: QApplication, folder: Path) -> Stage:
    """A filled store and a window over it."""
    times.today = NOW.date
    application.setCursorFlashTime(0)
    data = DataDir(folder)
    data.create()
    books, cache, reader = Journal(data.journal), Database(data.cache, CACHE), Database(data.cache, CACHE)
    await books.write(fill_messages)
    await books.write(fill_journal)
    await books.write(fill_profiles)
    await cache.write(fill_cache)
    sink = Sink()
    theme = Theme(application, "light")
    window = MainWindow(theme)
    shell = Shell(PageServices(theme, sink, News(), _now), window, Kept(DataDir(_SHOWN_FOLDER), books, cache, reader))
    shell.pictures.folder = data.pictures
    shell.console = ConsoleFile(data.console)
    shell.take_services(_Secrets(), PracticeChild(data.practice))
    stage = Stage(shell, books, (cache, reader))
    sink.failed.connect(lambda where, _report: stage.failures.append(where))
    await stage.use_full_desk()
    window.show()
    return stage


def _now() -> datetime:
    return NOW

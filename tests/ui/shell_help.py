"""The whole window without its process: shell, pages, databases, practice; as bootstrap puts them together."""

from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from app.background.news import News
from app.desk.connections import profiles
from app.runtime.practice_child import PracticeChild
from app.store.cache.schema.cache_schema import CACHE
from app.store.journal.profile_store import Profile
from app.store.journal.recovery.journal_file import Journal
from app.store.paths import DataDir
from app.store.secrets import SecretStore
from app.store.sqlite.database import Database
from app.ui.base.main_window import MainWindow
from app.ui.base.page import PageServices
from app.ui.shell.shell import Kept, Shell
from app.ui.theme.theme import Theme
from tests.support.desks import profile_of
from tests.support.fault_server import FaultServer
from tests.support.loop import RunningLoop


@dataclass(slots=True)
class Program:
    """A program that is open."""

    shell: Shell
    window: MainWindow
    kept: Kept
    secrets: SecretStore
    practice: PracticeChild
    loop: RunningLoop

    def close(self) -> None:
        """As bootstrap closes it."""
        self.window.hide()
        self.loop.run(self.shell.aclose())
        self.loop.rest()  # its connections are closed in the loop's next turn
        self.window.let_go()
        for each in (self.kept.reader, self.kept.cache, self.kept.journal):
            each.close_now()
        for thing in (self.practice, self.shell, self.window):
            thing.deleteLater()
        self.loop.rest()


def open_program(
    loop: RunningLoop,
    theme: Theme,
    services: PageServices,
    folder: Path,
    secrets: SecretStore,
    *,
    vfs: str | None = None,
) -> Program:
    """Open the window on a folder, up to its first paint. `vfs` names the disk below the journal."""
    data = DataDir(folder)
    data.create()
    journal, cache = Journal(data.journal, vfs=vfs), Database(data.cache, CACHE)
    loop.run(cache.opened())
    kept = Kept(data, journal, cache, Database(data.cache, CACHE))
    window = MainWindow(theme)
    shell = Shell(PageServices(theme, services.sink, News(), datetime.now), window, kept)
    program = Program(shell, window, kept, secrets, PracticeChild(data.practice), loop)
    shell.open_desk(loop.run(profiles.last_used(journal)))
    loop.run(shell.list_profiles())
    loop.run(shell.orders.load_rows())
    window.show()
    window.activateWindow()
    loop.until(window.isActiveWindow)
    return program


def keep_profile(program: Program, server: FaultServer, **changed: str) -> Profile:
    """A connection to a fault server that was entered before, with its secret."""
    profile = replace(profile_of(server), **changed)  # type: ignore[arg-type]
    program.loop.run(profiles.save(program.kept.journal, profile))
    program.loop.run(program.secrets.write(profile.id, server.tokens.client_secret))
    program.loop.run(program.shell.list_profiles())
    return profile

"""A real window on a practice service that runs already, for the measures of how free it stays."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from PySide6.QtWidgets import QApplication

from app.api.addresses import Addresses, Credentials
from app.api.provider import open_provider
from app.background.news import News
from app.desk.desk import Desk
from app.runtime.loop import run
from app.runtime.memory import set_libraries_aside
from app.runtime.sink import Sink
from app.store.cache.schema.cache_schema import CACHE, CACHE_FOR_READING
from app.store.journal.profile_store import Profile
from app.store.journal.recovery.journal_file import Journal
from app.store.paths import DataDir
from app.store.sqlite.database import Database
from app.ui.base.deferred_imports import preload
from app.ui.base.main_window import MainWindow
from app.ui.base.page import PageServices
from app.ui.shell.shell import Kept, Shell
from app.ui.theme.theme import Theme


@dataclass(frozen=True, slots=True)
class Opened:
    """The window's shell and the desk it works for."""

    shell: Shell
    desk: Desk


def in_a_window(folder: Path, facts: dict[str, str] | None, work: Callable[[Opened], Awaitable[None]]) -> int:
    """Open a window over `folder`, connected to the practice service of `facts` if any, do the work, and close."""
    application = QApplication(["bench"])
    return run(application, lambda: _work(application, folder, facts, work))


async def _work(
    application: QApplication, folder: Path, facts: dict[str, str] | None, work: Callable[[Opened], Awaitable[None]]
) -> int:
    data = DataDir(folder)
    data.create()
    # As `app.assembly` opens them.
    journal, cache, reader = Journal(data.journal), Database(data.cache, CACHE), Database(data.cache, CACHE_FOR_READING)
    theme = Theme(application, "light")
    window = MainWindow(theme)
    shell = Shell(PageServices(theme, Sink(), News(), datetime.now), window, Kept(data, journal, cache, reader))
    shell.open_desk(Profile("practice", "Practice", "practice", "", "", "", ""))
    window.show()
    assert shell.desk is not None
    if facts is not None:
        addresses = Addresses(facts["base_url"], facts["info_base_url"], facts["auth_url"])
        shell.desk.provider = open_provider(addresses, Credentials(facts["client_id"], facts["client_secret"]))
    preload()  # as the program does after its first paint
    set_libraries_aside()
    await work(Opened(shell, shell.desk))
    window.hide()
    await shell.aclose()
    for each in (journal, cache, reader):
        await each.close()
    window.let_go()
    return 0

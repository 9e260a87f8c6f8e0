"""Exports the connections into a plain file without secrets, and imports those of such a file."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from app.desk.connections import connection_files, profiles
from app.desk.connections.connection_files import LARGEST, NoConnections
from app.desk.files.stoppable_work import Progress, in_thread
from app.desk.files.whole_file import ExportTrouble, put_in_place, why_refused
from app.store.journal.recovery.journal_file import Journal
from app.store.store_errors import StoreError
from app.translation import translate
from app.ui.base.page import Page
from app.ui.settings import settings_words as words
from app.ui.theme.tokens import SPACE_2
from app.ui.widgets.buttons import button
from app.ui.widgets.files import choose_files
from app.ui.widgets.files.choose_files import Chosen, FileKind
from app.ui.widgets.files.made_file import say_made
from app.ui.widgets.layout import row

FILES = (FileKind("connections", words.CONNECTION_FILES, "json"),)
ChooseToRead = Callable[[QWidget, str], Awaitable[Path | None]]
ChooseToWrite = Callable[[QWidget, str, str], Awaitable[Chosen | None]]


async def file_to_read(parent: QWidget, title: str) -> Path | None:
    """Ask for a file of connections."""
    return await choose_files.file_to_read(parent, title, FILES)


async def file_to_write(parent: QWidget, title: str, name: str) -> Chosen | None:
    """Ask where to write the connections."""
    return await choose_files.chosen_file(parent, title, name, FILES)


class ConnectionTransfer(QFrame):
    """Two buttons below the connections. `imported`: there are more connections than before."""

    imported = Signal()

    def __init__(
        self,
        page: Page,
        journal: Journal,
        to_read: ChooseToRead = file_to_read,
        to_write: ChooseToWrite = file_to_write,
    ) -> None:
        super().__init__()
        self._page, self._journal, self._to_read, self._to_write = page, journal, to_read, to_write
        self.import_button = button(translate("Import connections…"), self._on_import, kind="quiet")
        self.export_button = button(translate("Export connections…"), self._on_export, kind="quiet")
        self.setLayout(row(self.import_button, self.export_button, None, gap=SPACE_2))

    def _on_import(self) -> None:
        self._page.tasks.write("import connections", self._import())

    def _on_export(self) -> None:
        self._page.tasks.write("export connections", self._export())

    async def _export(self) -> None:
        chosen = await self._to_write(self, words.EXPORT_TITLE, "waybill-connections")
        if chosen is None:
            return
        try:
            kept = await profiles.all_profiles(self._journal)
            raw = connection_files.as_file(kept)
            await in_thread(
                lambda: put_in_place(chosen.target, lambda file: file.write_bytes(raw), replace=chosen.replace),
                Progress(),
            )
        except (StoreError, ExportTrouble) as error:
            self._page.bar.say("bad", error.sentence)
            return
        count = len([each for each in kept if each.kind != "practice"])
        say_made(self._page.bar, words.exported(count, chosen.target), chosen.target)

    async def _import(self) -> None:
        path = await self._to_read(self, words.IMPORT_TITLE)
        if path is None:
            return
        try:
            raw = await in_thread(lambda: _content(path), Progress())
            found = await connection_files.take_in(self._journal, raw)
        except (StoreError, NoConnections) as error:
            self._page.bar.say("bad", words.not_imported(path.name, error.sentence))
            return
        self._page.bar.say("warn" if found.unusable or not found.added else "good", words.imported(found))
        if found.added:
            self.imported.emit()


def _content(path: Path) -> bytes:
    """The bytes of a file. Raises NoConnections where there can be none in it."""
    try:
        if path.stat().st_size > LARGEST:
            raise NoConnections(words.FILE_TOO_LARGE)
        return path.read_bytes()
    except OSError as error:
        why = why_refused(error)
    raise NoConnections(why)

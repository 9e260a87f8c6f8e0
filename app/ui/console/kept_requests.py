"""The requests kept as files: read, kept, renamed, removed and taken in, on another thread; what went wrong is said."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.desk.console.calls import named_requests
from app.desk.console.calls.named_requests import NamedRequest
from app.desk.console.calls.request_draft import RequestDraft
from app.desk.console.console_operations import ConsoleOperation
from app.desk.files.whole_file import ExportTrouble
from app.runtime.tasks import Tasks
from app.ui.console import console_page_words as words
from app.ui.console.request_list import RequestList, RequestNameDialog
from app.ui.widgets.bars.message_bar import MessageBar
from app.ui.widgets.confirm import confirmed
from app.ui.widgets.files.choose_files import FileKind, file_to_read
from app.ui.widgets.files.show_in_folder import open_folder
from app.ui.widgets.widget_words import folder_not_shown

_KIND = (FileKind("http", words.REQUEST_FILES, "http"),)
_TOPIC = "named request"


class KeptRequests(QObject):
    """Works the list of requests for a page. `kept` carries a request that was just written."""

    kept = Signal(object)

    def __init__(self, page: QWidget, folder: Path, shown: RequestList, tasks: Tasks, bar: MessageBar) -> None:
        super().__init__(page)
        self._page, self.folder, self._shown, self._tasks, self._bar = page, folder, shown, tasks, bar
        self._operations: tuple[ConsoleOperation, ...] = ()
        shown.renamed.connect(self._ask_name)
        shown.removed.connect(self._ask_removal)
        shown.folder_asked.connect(self._open_folder)
        shown.import_asked.connect(self._ask_import)

    def know(self, operations: Sequence[ConsoleOperation]) -> None:
        """Read the folder, whose requests are of these operations."""
        self._operations = tuple(operations)
        self.reload()

    def reload(self) -> None:
        """Read the folder again."""
        self._tasks.read("requests", self._load())

    async def _load(self) -> None:
        self._shown.show_requests(await asyncio.to_thread(named_requests.all_named, self.folder, self._operations))

    def ask_to_keep(self, operation: ConsoleOperation, draft: RequestDraft, name: str, note: str) -> None:
        """Ask for a name, and keep a request under it."""
        dialog = RequestNameDialog(
            self._page.window(), words.KEEP_TITLE, name, note, self._shown.names(), replaces=True
        )
        dialog.named.connect(partial(self._keep, operation, draft))
        dialog.open()

    def _keep(self, operation: ConsoleOperation, draft: RequestDraft, name: str, note: str, replace: bool) -> None:
        write = partial(named_requests.keep, self.folder, operation, draft, name, note, replace=replace)
        self._tasks.write("keep request", self._written(write, words.kept_as(name)))

    def _ask_name(self, request: NamedRequest) -> None:
        dialog = RequestNameDialog(
            self._page.window(), words.RENAME_TITLE, request.name, None, self._shown.names(), replaces=False
        )
        dialog.named.connect(partial(self._rename, request))
        dialog.open()

    def _rename(self, request: NamedRequest, name: str, _note: str, _replace: bool) -> None:
        write = partial(named_requests.rename, request, name)
        self._tasks.write("keep request", self._written(write, words.kept_as(name)))

    async def _written(self, write: Callable[[], NamedRequest], sentence: str) -> None:
        try:
            made = await asyncio.to_thread(write)
        except ExportTrouble as error:
            self._bar.say("bad", error.sentence, topic=_TOPIC)
            return
        self._bar.say("good", sentence, topic=_TOPIC)
        self.kept.emit(made)
        await self._load()

    def _ask_removal(self, request: NamedRequest) -> None:
        self._tasks.read("remove request", self._remove(request))

    async def _remove(self, request: NamedRequest) -> None:
        question, told = words.remove_question(request.name), words.remove_consequence(request.file.name)
        if not await confirmed(self._page.window(), question, told, words.REMOVE_REQUEST):
            return
        try:
            await asyncio.to_thread(named_requests.remove, request)
        except ExportTrouble as error:
            self._bar.say("bad", error.sentence, topic=_TOPIC)
        await self._load()

    def _ask_import(self) -> None:
        self._tasks.read("import requests", self._import())

    async def _import(self) -> None:
        chosen = await file_to_read(self._page.window(), words.IMPORT, _KIND)
        if chosen is None:
            return
        taken, troubles = await asyncio.to_thread(named_requests.import_files, self.folder, [chosen], self._operations)
        sentence = " ".join([words.imported(len(taken)), *troubles])
        self._bar.say("warn" if troubles else "good", sentence, topic=_TOPIC)
        await self._load()

    def _open_folder(self) -> None:
        self._tasks.read("open folder", self._make_and_open())

    async def _make_and_open(self) -> None:
        try:
            await asyncio.to_thread(self.folder.mkdir, parents=True, exist_ok=True)
        except OSError:
            self._bar.say("warn", folder_not_shown(self.folder), topic=_TOPIC)
            return
        if not open_folder(self.folder):
            self._bar.say("warn", folder_not_shown(self.folder), topic=_TOPIC)

"""Keeps the corrections of the open file, and the orders left out, in the journal within a second of the last one;
offers them after a start.

Invariant: what is kept is what stands on the page. A file that a person put away, or sent, is not offered again.
"""

from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from app.desk.bulk.rows import open_file
from app.desk.bulk.rows.open_file import OpenFile
from app.desk.desk import Desk
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError
from app.ui.bulk.import_session import ImportSession

_AFTER_MS = 700
_KEEP = "keep open file"


class FileKeeper(QObject):
    """`failed` carries why the file could not be kept, and an empty text once they are. `path` and `text` say
    where the open file is from. `offered` carries the `OpenFile` that an earlier start left, or None."""

    failed = Signal(str)
    offered = Signal(object)

    def __init__(self, tasks: Tasks, session: ImportSession, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks, self._session = tasks, session
        self._desk: Desk | None = None
        self._dirty = False
        self._kept = ""  # the digest of the open file, once the journal holds it or is about to
        self._is_put_away = False  # the file on the page: it stands there until the next one has been read
        self._gone: set[str] = set()  # the digests of files that are not to be offered any more
        self.path: Path | None = None
        self.text = ""
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_AFTER_MS)
        self._later.timeout.connect(self._start)
        session.opened.connect(self._on_opened)
        session.edited.connect(self._on_changed)
        session.decided.connect(self._on_changed)
        session.mapped.connect(self._on_mapped)

    def take_desk(self, desk: Desk) -> None:
        """Keep files for this desk from now on, and offer what it has kept."""
        self._later.stop()
        self._desk, self._dirty, self._kept = desk, False, ""
        self._gone.clear()
        self._tasks.read("kept file", self._offer(desk))

    async def _offer(self, desk: Desk) -> None:
        found = await open_file.kept(desk)
        # Another connection may be in force by now, with a file of its own.
        if desk is self._desk:
            self.offered.emit(found)

    def forget(self, digest: str = "") -> None:
        """The open file, or the one with this digest, was put away or sent: it is not offered any more."""
        gone = digest or self._kept
        if gone:
            self._later.stop()
            self._gone.add(gone)
            self._dirty = True
            self._start()
        if not digest:
            self._kept, self._is_put_away = "", True

    def begin(self, path: Path | None = None, text: str = "") -> None:
        """Another file is opened, from this path or text."""
        self.path, self.text, self._kept = path, text, ""

    @property
    def is_behind(self) -> bool:
        """Whether the journal does not hold yet what stands on the page."""
        return self._dirty

    def _on_opened(self) -> None:
        self._kept, self._is_put_away = self._session.kept, False

    def _on_changed(self) -> None:
        self._dirty = True
        self._later.start()

    def _on_mapped(self) -> None:
        if self._session.corrections or self._session.left_out():
            self._on_changed()

    def _start(self) -> None:
        if self._dirty and self._desk is not None:
            self._tasks.write(_KEEP, self._write(self._desk))

    async def _write(self, desk: Desk) -> None:
        # A change that comes while one is being written is written next.
        while self._dirty and desk is self._desk:
            # Before the reading of the page: a change during the write sets it again.
            self._dirty = False
            opened = self._opened()
            if self._session.sheet is not None and not self._is_put_away:
                if opened is None and self._kept:
                    self._gone.add(self._kept)  # everything was undone
                # Before the write: the file may be put away during it, and another one begun.
                self._kept = "" if opened is None else opened.digest
            gone = set(self._gone)
            try:
                for digest in gone:
                    await open_file.forget(desk, digest)
                if opened is not None:
                    await open_file.keep(desk, opened)
            except StoreError as error:
                self._dirty = True
                self.failed.emit(error.sentence)
                return
            # Only these: others may have been put away during the write.
            self._gone -= gone
        self.failed.emit("")
        if not self._dirty and desk is self._desk and self._session.sheet is None:
            await self._offer(desk)

    def _opened(self) -> OpenFile | None:
        sheet, places, left_out = self._session.sheet, self._session.corrected(), self._session.left_out()
        if sheet is None or self._is_put_away or not (places or left_out):
            return None
        return open_file.open_file(sheet, places, left_out, self.path, self.text)

    async def flush(self) -> str:
        """Keep what is not kept yet; why that failed, or nothing."""
        self._later.stop()
        await self._tasks.ended(_KEEP)
        said: list[str] = []
        # `_write` says by this signal why it failed; the caller wants the sentence.
        self.failed.connect(said.append)
        try:
            if self._dirty and self._desk is not None:
                await self._write(self._desk)
        finally:
            self.failed.disconnect(said.append)
        return said[-1] if said else ""

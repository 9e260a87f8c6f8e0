"""Looks once a day whether there is a newer version, fetches it when a person says so, and hands it to the system.

Invariants: nothing is asked while no address is settled. Nothing is installed by itself: a package is fetched, and
handed over, when a person asks for it. What is handed over was checked at that moment.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, QProcess, QTimer, Signal

from app.desk.desk import Desk
from app.runtime.sink import Sink
from app.runtime.tasks import Tasks
from app.store.journal import setting_store
from app.store.sqlite.database import Database

if TYPE_CHECKING:
    from app.desk.updates.this_program import HandOver
    from app.desk.updates.update_source import Settled, Source
    from app.desk.updates.version_list import Newer
    from app.store.secrets import SecretStore

Stage = Literal["unknown", "none", "off", "idle", "checking", "current", "newer", "downloading", "checked", "handed"]
_LOOK_MS = 30 * 60_000  # between two looks at the clock; a computer may sleep over any timer
_FIRST_MS = 60_000  # after the start, which has enough to do
_EVERY = timedelta(hours=24)
_ASKED = "updates.asked"  # when the list was asked for last


@dataclass(frozen=True, slots=True)
class UpdateState:
    """How an update stands. `trouble` is the sentence about the step that failed last; the stage is the one of before.

    `done` of `total` bytes are there while a package is fetched. `told` is what a person reads who was handed one.
    """

    stage: Stage = "unknown"
    newer: "Newer | None" = None
    trouble: str = ""
    done: int = 0
    told: str = ""
    path: Path | None = None


class Updater(QObject):
    """`changed` is emitted when `state` or `settled` is another, `found` once for each version that was looked for by
    itself and found; `leave_for` asks to close the window and to start a command then."""

    changed = Signal()
    found = Signal(str)
    leave_for = Signal(list)

    def __init__(self, sink: Sink, journal: Database, folder: Path, now: Callable[[], datetime]) -> None:
        super().__init__()
        self._tasks = Tasks(sink, "updates")
        self._journal, self._folder, self._now = journal, folder, now
        self._desk: Desk | None = None
        self._secrets: SecretStore | None = None
        self._told = ""  # the version that `found` named
        self.settled: Settled | None = None
        self.state = UpdateState()
        self._clock = QTimer(self)
        self._clock.timeout.connect(self._look_if_due)

    def take_desk(self, desk: Desk) -> None:
        """Travel as this desk's connection does from now on."""
        self._desk = desk

    def begin(self, secrets: "SecretStore") -> None:
        """After the start: read the source of updates, and look for a newer version by the clock."""
        self._secrets = secrets
        self._tasks.read("settled", self._read_settled())
        self._clock.start(_FIRST_MS)

    def read_settled(self) -> None:
        """Read the source of updates again, because a person changed it; then look for a newer version."""
        # A look or a download under way is from the source of before.
        self._tasks.cancel("look")
        self._tasks.cancel("fetch")
        self._tasks.read("settled", self._read_settled(look=True))

    def look(self) -> None:
        """Look for a newer version now, because a person asks."""
        self._tasks.read("look", self._look(by_itself=False))

    def fetch(self) -> None:
        """Fetch the newer version and check it."""
        if self.state.newer is not None and self.state.newer.package is not None:
            self._tasks.read("fetch", self._fetch())

    def stop(self) -> None:
        """Stop fetching the package. Its first part is kept, and the next fetch goes on from there."""
        self._tasks.cancel("fetch")
        self._stand("newer")

    def install(self) -> None:
        """Hand the package to the system."""
        self._tasks.write("install", self._install())

    async def aclose(self, patience: float) -> bool:
        """Stop the clock and all tasks; returns whether the tasks ended within `patience` seconds."""
        self._clock.stop()
        return await self._tasks.aclose(patience)

    async def _read_settled(self, *, look: bool = False) -> None:
        from app.desk.updates import update_source
        from app.desk.updates.version_list import UpdateTrouble

        try:
            built_in = await asyncio.to_thread(update_source.built_in_keys)
        except UpdateTrouble:  # the packed program has no readable key: Settings asks for one
            built_in = ()
        self.settled = await update_source.settled(self._journal, built_in)
        self.state = UpdateState("off" if self.settled.off else "idle" if self.settled.source else "none")
        self.changed.emit()
        if look and self.settled.source is not None:
            await self._look(by_itself=False)

    def _look_if_due(self) -> None:
        self._clock.setInterval(_LOOK_MS)
        # Nothing is looked for while a newer version is known, being fetched or handed over.
        if self.state.stage in ("idle", "current"):
            self._tasks.read("look", self._look(by_itself=True))

    async def _look(self, *, by_itself: bool) -> None:
        source = self._source()
        if source is None or (by_itself and not await self._is_due()):
            return
        self._stand("checking")
        try:
            trouble, newer = await self._ask(source)
        except asyncio.CancelledError:
            self._stand("idle")
            raise
        self.state = UpdateState("idle" if trouble else "newer" if newer else "current", newer, trouble)
        self.changed.emit()
        if trouble:
            return
        # Only after an answer: trouble is no reason to wait a day.
        await self._journal.write(setting_store.write_setting, _ASKED, self._now().isoformat())
        # A person who asked sees the answer in Settings; otherwise each version is told once.
        if newer is not None and by_itself and newer.version != self._told:
            self._told = newer.version
            self.found.emit(newer.version)

    async def _is_due(self) -> bool:
        asked = await self._journal.read(setting_store.read_setting, _ASKED)
        try:
            last = datetime.fromisoformat(asked) if isinstance(asked, str) else None
        except ValueError:
            last = None
        return last is None or not last <= self._now() < last + _EVERY  # a clock that was set back is due too

    async def _ask(self, source: "Source") -> "tuple[str, Newer | None]":
        """Why it cannot be told, or nothing, and the newer version."""
        from app.api.errors import ApiError
        from app.desk.connections.connection import way_of
        from app.desk.updates.ask_for_update import newer_version
        from app.desk.updates.version_list import UpdateTrouble
        from app.store.store_errors import StoreError

        assert self._desk is not None
        assert self._secrets is not None
        try:
            way = await way_of(self._desk, self._secrets)
            return "", await newer_version(self._journal, source, way, self._today())
        except (ApiError, UpdateTrouble, StoreError) as error:
            return error.sentence, None

    async def _fetch(self) -> None:
        from app.api.errors import ApiError
        from app.desk.connections.connection import way_of
        from app.desk.updates.ask_for_update import site
        from app.desk.updates.download_update import download
        from app.desk.updates.version_list import UpdateTrouble
        from app.store.store_errors import StoreError

        source, newer = self._source(), self.state.newer
        assert source is not None
        assert newer is not None
        assert newer.package is not None
        assert self._desk is not None
        assert self._secrets is not None
        self._stand("downloading")
        try:
            async with site(source, await way_of(self._desk, self._secrets)) as opened:
                path = await download(opened, newer.package, self._folder, self._on_progress)
        except (ApiError, UpdateTrouble, StoreError) as error:
            self._stand("newer", error.sentence)
        else:
            self.state = replace(self.state, stage="checked", path=path)
            self.changed.emit()

    def _on_progress(self, done: int) -> None:
        self.state = replace(self.state, done=done)
        self.changed.emit()

    async def _install(self) -> None:
        from app.desk.updates import updates_words as words
        from app.desk.updates.download_update import is_whole
        from app.desk.updates.this_program import hand_over

        newer, path = self.state.newer, self.state.path
        assert newer is not None
        assert newer.package is not None
        assert path is not None
        try:
            # Once more: it may have lain there for days.
            whole = await asyncio.to_thread(is_whole, path, newer.package)
            if not whole:
                await asyncio.to_thread(path.unlink)
        except OSError:
            whole = False
        if not whole:
            self._stand("newer", words.CHANGED_SINCE)
            return
        self._hand_over(hand_over(newer.package.system, path))

    def _hand_over(self, plan: "HandOver") -> None:
        from app.desk.updates import updates_words as words

        if plan.command and not plan.closes:
            started, _ = QProcess.startDetached(plan.command[0], list(plan.command[1:]))
            if not started:
                self._stand("checked", words.not_started(plan.command[0]))
                return
        if plan.closes:  # a person may rather stay, so it stays ready to be installed
            self.leave_for.emit(list(plan.command))
            return
        self.state = replace(self.state, stage="handed", told=plan.sentence, trouble="")
        self.changed.emit()

    def _stand(self, stage: Stage, trouble: str = "") -> None:
        self.state = replace(self.state, stage=stage, trouble=trouble, done=0)
        self.changed.emit()

    def _source(self) -> "Source | None":
        return self.settled.source if self.settled is not None else None

    def _today(self) -> date:
        return self._now().date()

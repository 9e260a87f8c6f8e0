"""Precious files are synced to the disk itself, also on macOS, where a plain sync is not enough."""

import os
import sys
from pathlib import Path
from typing import Any

import apsw
import pytest

from app.store.cache.schema.cache_schema import CACHE
from app.store.journal.recovery import backup
from app.store.journal.recovery.journal_file import Journal
from app.store.journal.recovery.readable_copy import append, copy_path, cut
from app.store.sqlite.opening import copy_to, open_file, sync
from app.store.sqlite.plain_rows import value
from tests.support.journals import fill, opened_journal

fcntl = pytest.importorskip("fcntl", reason="a module of the systems that have fsync")
FULL = 51  # F_FULLFSYNC of macOS


def test_the_journal_is_synced_through_the_drives_cache(tmp_path: Path) -> None:
    with opened_journal(tmp_path / "journal.sqlite3") as database:
        for name in ("fullfsync", "checkpoint_fullfsync"):
            assert database.read_now(value, f"PRAGMA {name}") == 1
            assert database.write_now(value, f"PRAGMA {name}") == 1
        assert database.read_now(value, "PRAGMA synchronous") == 2
    made = open_file(tmp_path / "cache.sqlite3", CACHE)  # disposable, so no call waits for the drive
    assert value(made, "PRAGMA fullfsync") == 0
    made.close()


class Asked:
    """Records the sync calls of a Mac."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, knows: bool = True) -> None:
        self.full: list[str] = []
        self.plain: list[str] = []
        self._knows = knows
        usual = os.fsync
        monkeypatch.setattr(sys, "platform", "darwin")
        monkeypatch.setattr(fcntl, "F_FULLFSYNC", FULL, raising=False)
        monkeypatch.setattr(fcntl, "fcntl", self._control)

        def plain(descriptor: int) -> None:
            self.plain.append(_name(descriptor))
            usual(descriptor)

        monkeypatch.setattr(os, "fsync", plain)

    def _control(self, descriptor: int, command: int, *_: Any) -> int:
        assert command == FULL
        if not self._knows:
            raise OSError(25, "Inappropriate ioctl for device")
        self.full.append(_name(descriptor))
        return 0


def _name(descriptor: int) -> str:
    return Path(f"/proc/self/fd/{descriptor}").readlink().name


def test_on_macos_files_and_folders_are_synced_through_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.sqlite3"
    with opened_journal(path) as database:
        fill(database)
    asked = Asked(monkeypatch)
    append(copy_path(path), "\n")
    assert asked.full == ["journal.copy.jsonl"]
    assert cut(copy_path(path), lambda _, number: number != 1) > 0
    assert asked.full[1:] == [
        "journal.copy.jsonl.unfinished",
        tmp_path.name,
        "journal.copy.jsonl.forgotten",
        tmp_path.name,
    ]
    journal = Journal(path)
    backup.back_up(journal.read_now(lambda c: c), tmp_path / "kept.waybill")
    journal.close_now()
    assert asked.full[-1] == tmp_path.name
    assert asked.plain == []


def test_a_disk_without_full_sync_is_synced_by_fsync(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked(monkeypatch, knows=False)
    with (tmp_path / "a").open("wb") as file:
        sync(file.fileno())
    assert (asked.full, asked.plain) == ([], ["a"])


def test_other_systems_sync_by_fsync_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked(monkeypatch)
    monkeypatch.setattr(sys, "platform", "linux")
    with (tmp_path / "a").open("wb") as file:
        sync(file.fileno())
    assert (asked.full, asked.plain) == ([], ["a"])


def test_a_copy_of_a_database_is_written_as_the_journal_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def note(_: object, statement: str, _bindings: object) -> bool:
        asked.append(statement)
        return True

    def noted(connection: apsw.Connection) -> None:
        connection.exec_trace = note

    source = apsw.Connection(":memory:")
    monkeypatch.setattr(apsw, "connection_hooks", [noted])
    copy_to(source, tmp_path / "copy")
    assert asked[:2] == ["PRAGMA fullfsync = 1", "PRAGMA checkpoint_fullfsync = 1"]

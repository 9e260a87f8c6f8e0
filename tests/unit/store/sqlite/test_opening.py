"""Files are checked before they are used: a damaged precious file is not changed, a disposable one is made anew."""

import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from app.store.cache.schema.cache_schema import CACHE
from app.store.journal.schema.journal_schema import JOURNAL
from app.store.sqlite.database import Database
from app.store.sqlite.opening import Schema, open_file
from app.store.store_errors import JournalDamaged, NotOpened, SchemaTooNew, StoreError

FIRST = ("CREATE TABLE kept (text TEXT) STRICT", "INSERT INTO kept VALUES ('from the first')")
SECOND = (
    "ALTER TABLE kept ADD COLUMN more TEXT",
    "UPDATE kept SET more = 'and more'",
    "CREATE INDEX kept_more ON kept (more)",
)
OLD = Schema("journal", 7, (FIRST,), disposable=False, synchronous="FULL")
NEW = replace(OLD, migrations=(FIRST, SECOND))


@contextmanager
def opened(path: Path, schema: Schema) -> Iterator[apsw.Connection]:
    connection = open_file(path, schema)
    try:
        yield connection
    finally:
        connection.close()


def make(path: Path, schema: Schema) -> None:
    with opened(path, schema):
        pass


def everything_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("schema", [JOURNAL, CACHE], ids=lambda schema: schema.name)
def test_a_new_file_is_set_up(tmp_path: Path, schema: Schema) -> None:
    for _ in range(2):  # created, then opened
        with opened(tmp_path / "file", schema) as c:
            assert c.pragma("journal_mode") == "wal"
            assert c.pragma("synchronous") == {"FULL": 2, "NORMAL": 1}[schema.synchronous]
            assert c.pragma("foreign_keys") == 1
            assert c.pragma("busy_timeout") > 0
            assert c.pragma("application_id") == schema.application_id
            assert c.pragma("user_version") == schema.version
            assert c.pragma("integrity_check") == "ok"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_the_journal_syncs_fully_and_the_cache_does_not() -> None:
    assert (JOURNAL.synchronous, JOURNAL.disposable) == ("FULL", False)
    assert (CACHE.synchronous, CACHE.disposable) == ("NORMAL", True)


def test_python_s_own_sqlite_reads_the_journal(tmp_path: Path) -> None:
    """So in an emergency any tool can."""
    make(tmp_path / "journal", JOURNAL)
    with closing(sqlite3.connect(tmp_path / "journal")) as connection:
        assert connection.execute("SELECT count(*) FROM writes").fetchone() == (0,)


def test_a_migration_keeps_all_rows_and_a_copy_of_the_file(tmp_path: Path) -> None:
    make(tmp_path / "j.sqlite3", OLD)
    with opened(tmp_path / "j.sqlite3", NEW) as c:
        assert c.execute("SELECT text, more FROM kept").fetchall() == [("from the first", "and more")]
    (copy,) = tmp_path.glob("j.version-1.*.sqlite3")
    with opened(copy, OLD) as c:
        assert c.execute("SELECT * FROM kept").fetchall() == [("from the first",)]


@pytest.mark.parametrize("place", range(len(SECOND) + 1))
def test_a_migration_that_stops_halfway_changes_nothing(tmp_path: Path, place: int) -> None:
    make(tmp_path / "j.sqlite3", OLD)
    broken = (*SECOND[:place], "INSERT INTO nowhere VALUES (1)", *SECOND[place:])
    with pytest.raises(NotOpened):
        open_file(tmp_path / "j.sqlite3", replace(OLD, migrations=(FIRST, broken)))
    with opened(tmp_path / "j.sqlite3", OLD) as c:
        assert c.execute("SELECT * FROM kept").fetchall() == [("from the first",)]
        assert c.pragma("user_version") == 1
    make(tmp_path / "j.sqlite3", NEW)
    assert len(list(tmp_path.glob("j.version-1.*"))) == 2  # the first copy was not overwritten


def test_a_newer_journal_is_refused_and_not_changed(tmp_path: Path) -> None:
    make(tmp_path / "j.sqlite3", NEW)
    before = everything_in(tmp_path)
    with pytest.raises(SchemaTooNew, match="newer version of Waybill"):
        open_file(tmp_path / "j.sqlite3", OLD)
    assert everything_in(tmp_path) == before


@contextmanager
def held_by_another_program(path: Path) -> Iterator[None]:
    """A lock within the same process would not be refused, so another process takes it."""
    program = f"""
import sqlite3
connection = sqlite3.connect({str(path)!r}, isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
input()
"""
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        assert holder.stdout.readline()
        yield
        holder.stdin.write(b"\n")


def _flip_inside(path: Path) -> None:
    data = bytearray(path.read_bytes())
    page = len(data) // 2 // 8_192 * 8_192  # a page's first bytes say what it holds
    data[page : page + 64] = b"\xff" * 64
    path.write_bytes(data)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-5_000])


def _no_database(path: Path) -> None:
    path.write_bytes(b"not a database at all " * 1_000)


def _foreign(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE somebody_elses (data)")
        connection.commit()


def _empty_with_a_log(path: Path) -> None:
    path.with_name(path.name + "-wal").write_bytes(b"x" * 4_096)
    path.write_bytes(b"")


def _gone_with_a_log(path: Path) -> None:
    path.with_name(path.name + "-wal").write_bytes(b"x" * 4_096)
    path.unlink()


HARMS = [_cut, _no_database, _foreign, _empty_with_a_log, _gone_with_a_log]


@pytest.mark.parametrize("harm", [_flip_inside, *HARMS])
def test_a_damaged_journal_is_refused_and_not_changed(tmp_path: Path, harm: "type[Path]") -> None:
    path = tmp_path / "journal.sqlite3"
    make(path, JOURNAL)
    harm(path)
    before = everything_in(tmp_path)
    with pytest.raises(JournalDamaged, match=re.escape(str(path))) as refusal:
        open_file(path, JOURNAL)
    assert "not changed" in refusal.value.sentence
    assert everything_in(tmp_path) == before


@pytest.mark.parametrize("harm", HARMS)
def test_a_damaged_cache_is_moved_aside_and_made_anew(tmp_path: Path, harm: "type[Path]") -> None:
    path = tmp_path / "cache.sqlite3"
    make(path, CACHE)
    harm(path)
    with opened(path, CACHE) as c:
        assert c.execute("SELECT count(*) FROM orders").get == 0
        assert c.pragma("integrity_check") == "ok"
    assert list(tmp_path.glob("cache.aside.*"))


@pytest.mark.parametrize("version", [CACHE.version + 1, 0])
def test_a_cache_of_another_version_is_moved_aside(tmp_path: Path, version: int) -> None:
    path = tmp_path / "cache.sqlite3"
    with opened(path, CACHE) as c:
        c.pragma("user_version", version)
        c.pragma("application_id", CACHE.application_id if version else 0)
    with opened(path, CACHE) as c:
        assert c.pragma("user_version") == CACHE.version
    assert list(tmp_path.glob("cache.aside.*"))


def test_damage_found_by_a_read_is_repaired_at_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    with opened(path, CACHE) as c:
        c.executemany("INSERT INTO search_texts VALUES (?, ?)", ((n, "x" * 500) for n in range(2_000)))
    _flip_inside(path)
    damaged = Database(path, CACHE)
    with pytest.raises(StoreError, match="made anew"):
        damaged.read_now(lambda c: c.execute("SELECT sum(length(text)) FROM search_texts").fetchall())
    damaged.close_now()
    healed = Database(path, CACHE)
    assert healed.read_now(lambda c: c.execute("SELECT count(*) FROM search_texts").get) == 0
    healed.close_now()
    again = Database(path, CACHE)
    again.close_now()
    assert len(list(tmp_path.glob("cache.aside.*.sqlite3"))) == 1


def test_two_openings_at_once_create_one_cache(tmp_path: Path) -> None:
    (tmp_path / "cache.sqlite3").write_bytes(b"rubbish" * 1_000)
    databases = [Database(tmp_path / "cache.sqlite3", CACHE) for _ in range(6)]
    assert [database.read_now(lambda c: c.pragma("user_version")) for database in databases] == [CACHE.version] * 6
    for database in databases:
        database.close_now()
    assert len(list(tmp_path.glob("cache.aside.*.sqlite3"))) == 1


@pytest.mark.parametrize("schema", [JOURNAL, CACHE], ids=lambda schema: schema.name)
def test_a_path_that_cannot_be_opened_is_reported(tmp_path: Path, schema: Schema) -> None:
    database = Database(tmp_path / "no" / "such" / "folder", schema)
    for _ in range(2):
        with pytest.raises(NotOpened, match="could not be opened"):
            database.read_now(lambda c: None)
    database.close_now()
    (tmp_path / "a-folder").mkdir()
    with pytest.raises(NotOpened):
        open_file(tmp_path / "a-folder", schema)
    assert (tmp_path / "a-folder").is_dir()


def test_a_journal_locked_by_another_program_is_not_called_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path / "j.sqlite3", OLD)
    monkeypatch.setattr("app.store.sqlite.opening.BUSY_MS", 50)
    with (
        held_by_another_program(tmp_path / "j.sqlite3"),
        pytest.raises(NotOpened, match="another program is hold"),
    ):
        open_file(tmp_path / "j.sqlite3", NEW)
    make(tmp_path / "j.sqlite3", NEW)


def test_a_cache_is_moved_aside_with_its_log(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    keep = tmp_path / "copy"
    with opened(path, CACHE) as c:
        c.execute("INSERT INTO search_texts VALUES (1, 'old')")
        keep.mkdir()
        for side in ("", "-wal", "-shm"):
            shutil.copy(path.with_name(path.name + side), keep)
    for file in keep.iterdir():
        shutil.copy(file, tmp_path)
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA user_version = 99")
    for file in tmp_path.glob("cache.sqlite3?*"):
        assert file.exists()
    with opened(path, CACHE) as c:
        assert c.execute("SELECT count(*) FROM search_texts").get == 0


def test_the_cache_holds_little_of_a_large_file_in_memory(tmp_path: Path) -> None:
    with opened(tmp_path / "cache.sqlite3", CACHE) as c:
        c.execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
                  " INSERT INTO raw_orders (id, raw) SELECT i, hex(zeroblob(4000)) FROM n")  # fmt: skip
        assert c.execute("SELECT sum(length(raw)) FROM raw_orders").get == 16_000_000
        held, _ = c.status(apsw.SQLITE_DBSTATUS_CACHE_USED)
        assert held < 5 << 20

"""How a database file is opened: looked at first, then migrated, never half.

A *precious* file (the journal) that is damaged, foreign or newer than the program is refused and left as it
is; before a migration a copy of it is put beside it. A *disposable* file (the cache) in the same situation
is moved aside under another name and made anew. All migrations of one opening run in a single transaction,
so a file is either at the old version or at the new one.
"""

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import apsw

from app.store.store_errors import JournalDamaged, NotOpened, SchemaTooNew, is_damage

BUSY_MS = 5_000
SIDES = ("", "-wal", "-shm")
# macOS keeps what was synced in the drive's cache, which a power cut empties; the other systems ignore these.
TO_THE_DISK = ("fullfsync = 1", "checkpoint_fullfsync = 1")
_HEADER = 100  # bytes
_one_at_a_time: dict[Path, threading.Lock] = {}  # two connections to a new file must not both make or move it


@dataclass(frozen=True)
class Schema:
    """What a kind of file is: `migrations[n]` holds the statements from `user_version` n to n + 1."""

    name: str  # as a person would say it: "journal"
    application_id: int
    migrations: tuple[tuple[str, ...], ...]
    disposable: bool
    synchronous: str  # FULL survives a power cut with every committed row; NORMAL with the file whole
    pragmas: tuple[str, ...] = ()
    before_commit: Callable[[apsw.Connection], None] | None = None  # runs at the end of every write, within it

    @property
    def version(self) -> int:
        return len(self.migrations)


class _Unfit(Exception):
    """A disposable file that cannot be used as it is."""


Suspect = Callable[[apsw.Connection], str | None]  # what is wrong with the file, None for nothing


def open_file(
    path: Path, schema: Schema, vfs: str | None = None, *, check: bool = True, suspect: Suspect | None = None
) -> apsw.Connection:
    """A connection to the file at `path`, made or migrated as needed.

    Without `check` a precious file that needs no migration is not read through, and whoever opens it does so before
    anything is written. `suspect` is asked before anything is done to the file. Raises `SchemaTooNew` and
    `JournalDamaged` for a precious file, `NotOpened` for any.
    """
    with _one_at_a_time.setdefault(path, threading.Lock()):
        try:
            if not schema.disposable:
                return _open(path, schema, vfs, check, suspect)
            try:
                return _open(path, schema, vfs, check)
            except _Unfit:
                move_aside(path)
                return _open(path, schema, vfs, check)
        except (apsw.Error, OSError, _Unfit) as error:
            why = _reason(error, path)
            end = _FETCHED_AGAIN if schema.disposable else "It was not changed."
            raise NotOpened(f"The {schema.name} {path} could not be opened: {why}. {end}") from error


def reopen_file(path: Path, schema: Schema, vfs: str | None, *, keep_log: bool) -> apsw.Connection:
    """Another connection to a file that is in use: neither looked at nor moved nor migrated. Raises `NotOpened`."""
    try:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE, vfs=vfs)
        try:
            connection.set_busy_timeout(BUSY_MS)
            _set_up(connection, schema)
            keep_log_on_close(connection, keep=keep_log)
        except BaseException:
            connection.close(True)
            raise
    except (apsw.Error, OSError) as error:
        raise NotOpened(f"The {schema.name} {path} could not be opened again: {_reason(error, path)}.") from error
    return connection


_FETCHED_AGAIN = "It holds only what can be fetched again: put that right or move it away, and start again."
# What stops a file from being opened, as part of a sentence. SQLite names one kind of error for many causes.
_WHY: tuple[tuple[type[apsw.Error], str], ...] = (
    (apsw.FullError, "the disk is full"),
    (apsw.ReadOnlyError, "it may not be written to"),
    (apsw.BusyError, "another program is holding it"),
    (apsw.LockedError, "another program is holding it"),
    (apsw.IOError, "the disk reported an error"),
    (apsw.NoMemError, "this computer ran out of memory"),
    (apsw.CantOpenError, "the system refuses it"),
)


def _reason(error: Exception, path: Path) -> str:
    if path.is_dir():
        return "a folder stands in its place"
    if path.exists() and not os.access(path, os.R_OK | os.W_OK):
        return "this user may not read and write it"
    if isinstance(error, OSError):
        return (error.strerror or str(error)).lower()
    return next((words for kind, words in _WHY if isinstance(error, kind)), str(error))


def _open(path: Path, schema: Schema, vfs: str | None, check: bool, suspect: Suspect | None = None) -> apsw.Connection:
    _look_at_files(path, schema)
    connection = apsw.Connection(str(path), vfs=vfs)
    if not schema.disposable:
        keep_log_on_close(connection, keep=_has_log(path))
    try:
        connection.set_busy_timeout(BUSY_MS)
        _look_inside(connection, path, schema, check)
        if suspect is not None and (why := suspect(connection)) is not None:
            raise _refusal(path, schema, why)
        _set_up(connection, schema)
        _migrate(connection, path, schema)
    except BaseException as error:
        connection.close(True)  # the error at hand says more than a failing close
        if isinstance(error, apsw.Error) and is_damage(error):
            raise _refusal(path, schema, "it is damaged") from error
        raise
    if check:
        keep_log_on_close(connection, keep=False)
    return connection


def keep_log_on_close(connection: apsw.Connection, *, keep: bool) -> None:
    """Whether closing leaves the write-ahead log as it is. Working a log that nobody has looked at into the file would
    throw away whatever stands behind a damaged place in it."""
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, int(keep))


def _look_at_files(path: Path, schema: Schema) -> None:
    """What SQLite would pass over: it throws a write-ahead log away whose database is missing or empty, and reads
    what was cut off the end of a file as zeros."""
    if damage_mark(path).exists():
        raise _refusal(path, schema, "it was found damaged")
    has_log = _has_log(path)
    size = path.stat().st_size if path.is_file() else 0
    if size == 0 and has_log:
        raise _refusal(path, schema, "it is empty, while its write-ahead log is not")
    if size > 0 and not has_log and size != _size_in_header(path):
        raise _refusal(path, schema, "it is shorter or longer than it says")


def _has_log(path: Path) -> bool:
    log = path.with_name(path.name + "-wal")
    return log.exists() and log.stat().st_size > 0


def _size_in_header(path: Path) -> int:
    """What the file's own header says, in bytes (SQLite's file format, section 1.3)."""
    with path.open("rb") as file:
        header = file.read(_HEADER)
    page = int.from_bytes(header[16:18], "big")
    return (65_536 if page == 1 else page) * int.from_bytes(header[28:32], "big")


def _look_inside(connection: apsw.Connection, path: Path, schema: Schema, check: bool) -> None:
    version = int(connection.pragma("user_version"))
    kind = int(connection.pragma("application_id"))
    if version == 0 and connection.execute("SELECT count(*) FROM sqlite_schema").get == 0:
        return
    if kind != schema.application_id:
        raise _refusal(path, schema, f"it is not a Waybill {schema.name}")
    if version > schema.version:
        if schema.disposable:
            raise _Unfit
        raise SchemaTooNew(
            f"The {schema.name} {path} was written by a newer version of Waybill, so this one leaves it alone. "
            "Install the newer version, or start with another folder (--data-dir)."
        )
    if not schema.disposable and (check or version < schema.version):
        found = connection.execute("PRAGMA quick_check(1)").get
        if found != "ok":
            raise _refusal(path, schema, f"its check says: {found}")


def _refusal(path: Path, schema: Schema, why: str) -> Exception:
    if schema.disposable:
        return _Unfit(why)
    return JournalDamaged(
        f"The {schema.name} {path} cannot be trusted: {why}. It was not changed. "
        "Keep the file, and restore a copy of it or start with another folder (--data-dir).",
        why,
    )


def _set_up(connection: apsw.Connection, schema: Schema) -> None:
    if connection.pragma("page_count") == 0:
        connection.execute("PRAGMA page_size = 8192")  # an order's own text is 1 to 3 KB
    if connection.pragma("journal_mode", "wal") != "wal":
        raise NotOpened(f"The {schema.name} cannot be kept on this kind of disk: it allows no write-ahead log.")
    connection.pragma("synchronous", schema.synchronous)
    connection.pragma("foreign_keys", True)
    connection.pragma("trusted_schema", False)
    for pragma in schema.pragmas:
        connection.execute(f"PRAGMA {pragma}")


def _migrate(connection: apsw.Connection, path: Path, schema: Schema) -> None:
    version = int(connection.pragma("user_version"))
    if version == schema.version:
        return
    if version > 0 and not schema.disposable:
        _back_up(connection, path, version)
    connection.execute("BEGIN IMMEDIATE")
    try:
        run_migrations(connection, schema.migrations[version:])
        connection.execute(f"PRAGMA application_id = {schema.application_id}")
        connection.execute(f"PRAGMA user_version = {schema.version}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def run_migrations(connection: apsw.Connection, migrations: Iterable[Iterable[str]]) -> None:
    """Run the migrations in order, within whatever transaction is open."""
    for steps in migrations:
        for step in steps:
            connection.execute(step)


def schema_objects(connection: apsw.Connection) -> frozenset[tuple[str, ...]]:
    """The tables, indexes and triggers of a file, each with the statement that made it."""
    found = connection.execute("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema")
    return frozenset(tuple(map(str, values)) for values in found if not str(values[1]).startswith("sqlite_"))


def _back_up(connection: apsw.Connection, path: Path, version: int) -> Path:
    """Copy the whole file beside itself; a copy that exists already is never written over."""
    for half in path.parent.glob(f"{path.stem}.version-*.unfinished"):  # of a migration that was killed
        half.unlink()
    target = unused_name(path, f"version-{version}")
    copy_to(connection, target)
    return target


def copy_to(connection: apsw.Connection, target: Path) -> None:
    """Copy the open database into one file that stands alone; it gets its name once it is whole and on the disk."""
    unfinished = target.with_name(target.name + ".unfinished")
    unfinished.unlink(missing_ok=True)
    copy = apsw.Connection(str(unfinished))
    try:
        for pragma in TO_THE_DISK:
            copy.execute(f"PRAGMA {pragma}")
        with copy.backup("main", connection, "main") as backup:
            while not backup.done:
                backup.step(-1)
        copy.pragma("journal_mode", "delete")  # no write-ahead log beside it
    finally:
        copy.close(True)  # whatever went wrong before: while it is open, some systems let nobody move the file
    unfinished.replace(target)
    sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Make names given in this folder last through a power cut. Windows does so by itself."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        sync(descriptor)
    finally:
        os.close(descriptor)


def sync(descriptor: int) -> None:
    """Have what was written to a file on the disk. macOS leaves it in the drive's own cache unless asked for more."""
    if sys.platform == "darwin":
        import fcntl

        with contextlib.suppress(OSError):  # a disk across the network may not know this
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
            return
    os.fsync(descriptor)


def move_aside(path: Path) -> Path:
    """Rename the file and its companions; the new place is returned. For disposable files only."""
    target = unused_name(path, "aside")
    for side in SIDES:
        source = path.with_name(path.name + side)
        if source.exists():
            source.rename(target.with_name(target.name + side))
    damage_mark(path).unlink(missing_ok=True)
    return target


def finished_path(path: Path) -> Path:
    """Where a finished file waits to take the place of the one at `path` before that is opened."""
    return path.with_name(f"{path.stem}.restored{path.suffix}")


def damage_mark(path: Path) -> Path:
    """Its presence says that a disposable file was found damaged while in use: the next start makes a new one."""
    return path.with_name(path.name + ".damaged")


def unused_name(path: Path, why: str) -> Path:
    """A name beside `path` that nothing bears yet and that says why it is there and since when."""
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    for number in range(1_000):
        extra = f"-{number}" if number else ""
        target = path.with_name(f"{path.stem}.{why}.{stamp}{extra}{path.suffix}")
        if not target.exists():
            return target
    raise NotOpened(f"There are too many copies beside {path}. Remove the ones not needed.")

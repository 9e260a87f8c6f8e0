"""How a database file is opened: checked, then migrated.

Invariants:
- A precious file (the journal) that is damaged, foreign or newer than the program is refused and not changed. A
  disposable file (the cache) is moved aside under another name in that case, and made anew.
- Before a precious file is migrated, a copy of it is stored next to it.
- All migrations of one opening run in one transaction, so a file is at the old version or at the new one.
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

from app.store.sqlite.file_errors import is_damage
from app.store.store_errors import JournalDamaged, NotOpened, SchemaTooNew
from app.translation import translate

BUSY_MS = 5_000
SIDES = ("", "-wal", "-shm")
# On macOS a plain sync leaves data in the drive's cache, which a power cut empties. Other systems ignore these pragmas.
TO_THE_DISK = ("fullfsync = 1", "checkpoint_fullfsync = 1")
_HEADER = 100  # bytes
_opening: dict[Path, threading.Lock] = {}  # by file: two connections must not both create or move it


@dataclass(frozen=True)
class Schema:
    """The tables and settings of a kind of file: `migrations[n]` are the statements from `user_version` n to n + 1."""

    name: str  # as sentences say it: "journal"
    application_id: int
    migrations: tuple[tuple[str, ...], ...]
    disposable: bool
    synchronous: str  # after a power cut FULL has every committed row; NORMAL has the file whole
    pragmas: tuple[str, ...] = ()
    before_commit: Callable[[apsw.Connection], None] | None = None  # runs at the end of each transaction

    @property
    def version(self) -> int:
        """The number of migrations, which is the file's `user_version`."""
        return len(self.migrations)


class _Unfit(Exception):
    """A disposable file that cannot be used as it is."""


QuickCheck = Callable[[apsw.Connection], str | None]  # the fault in a few words, None for a sound file


def open_file(
    path: Path, schema: Schema, vfs: str | None = None, *, check: bool = True, quick_check: QuickCheck | None = None
) -> apsw.Connection:
    """A connection to the file at `path`, which is created or migrated as needed.

    Without `check` SQLite's check of a precious file at the current version is left out; the caller makes it before the
    first write. `quick_check` runs before the file is changed in any way. Raises `SchemaTooNew` and `JournalDamaged`
    for a precious file, `NotOpened` for any.
    """
    # `setdefault` on a dict is one step under the interpreter lock, so both threads get the same lock.
    with _opening.setdefault(path, threading.Lock()):
        try:
            if not schema.disposable:
                return _open(path, schema, vfs, check, quick_check)
            try:
                return _open(path, schema, vfs, check)
            except _Unfit:
                # `_open` has closed its connection before it raised: Windows renames no file that is open.
                move_aside(path)
                return _open(path, schema, vfs, check)
        except (apsw.Error, OSError, _Unfit) as error:
            raise _not_opened(error, path, schema) from error


def reopen_file(path: Path, schema: Schema, vfs: str | None, *, keep_log: bool) -> apsw.Connection:
    """Another connection to a file in use, which is neither checked nor moved nor migrated. Raises `NotOpened`."""
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
        raise NotOpened(
            translate(
                "The {file} {path} could not be opened again: {reason}.",
                file=schema.name,
                path=path,
                reason=_reason(error, path),
            )
        ) from error
    return connection


def _not_opened(error: Exception, path: Path, schema: Schema) -> NotOpened:
    named = {"file": schema.name, "path": path, "reason": _reason(error, path)}
    if schema.disposable:
        return NotOpened(
            translate(
                "The {file} {path} could not be opened: {reason}. It holds only what can be fetched again: put that "
                "right or move it away, and start again.",
                **named,
            )
        )
    return NotOpened(translate("The {file} {path} could not be opened: {reason}. It was not changed.", **named))


# The `reason` of these sentences, by SQLite's kind of error.
_REASONS: tuple[tuple[type[apsw.Error], str], ...] = (
    (apsw.FullError, translate("the disk is full")),
    (apsw.ReadOnlyError, translate("it may not be written to")),
    (apsw.BusyError, translate("another program is holding it")),
    (apsw.LockedError, translate("another program is holding it")),
    (apsw.IOError, translate("the disk reported an error")),
    (apsw.NoMemError, translate("this computer ran out of memory")),
    (apsw.CantOpenError, translate("the system refuses it")),
)


def _reason(error: Exception, path: Path) -> str:
    # SQLite reports a folder and missing rights as other errors, differently on each system, so they are tested first.
    if path.is_dir():
        return translate("a folder stands in its place")
    if path.exists() and not os.access(path, os.R_OK | os.W_OK):
        return translate("this user may not read and write it")
    if isinstance(error, OSError):
        return (error.strerror or str(error)).lower()
    return next((words for kind, words in _REASONS if isinstance(error, kind)), str(error))


def _open(
    path: Path, schema: Schema, vfs: str | None, check: bool, quick_check: QuickCheck | None = None
) -> apsw.Connection:
    # Before SQLite opens the file: it would hide what is wrong with the files.
    _check_files(path, schema)
    connection = apsw.Connection(str(path), vfs=vfs)
    if not schema.disposable:
        # Before anything is read: whatever fails from here on closes the connection, and closing must not move an
        # unchecked log.
        keep_log_on_close(connection, keep=_has_log(path))
    try:
        connection.set_busy_timeout(BUSY_MS)
        _check_content(connection, path, schema, check)
        # Before `_set_up`: to switch to a write-ahead log changes the file's header, and a damaged file stays as it was
        # found.
        if quick_check is not None and (why := quick_check(connection)) is not None:
            raise _refusal(path, schema, why)
        _set_up(connection, schema)
        _migrate(connection, path, schema)
    except BaseException as error:
        connection.close(True)  # True: an error of the closing does not replace the first one
        if isinstance(error, apsw.Error) and is_damage(error):
            raise _refusal(path, schema, "it is damaged") from error
        raise
    if check:
        keep_log_on_close(connection, keep=False)
    return connection


def keep_log_on_close(connection: apsw.Connection, *, keep: bool) -> None:
    """Whether closing leaves the write-ahead log as it is, instead of moving it into the file.

    A log that was not checked must be kept: moving it would lose every page behind a damaged place in it.
    """
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, int(keep))


def _check_files(path: Path, schema: Schema) -> None:
    """Refuse damage that SQLite does not report: it deletes a write-ahead log whose database is missing or empty, and
    reads the missing end of a file as zeros."""
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
    """The file's length in bytes by its own header (SQLite's file format, section 1.3)."""
    with path.open("rb") as file:
        header = file.read(_HEADER)
    page = int.from_bytes(header[16:18], "big")
    return (65_536 if page == 1 else page) * int.from_bytes(header[28:32], "big")


def _check_content(connection: apsw.Connection, path: Path, schema: Schema, check: bool) -> None:
    version = int(connection.pragma("user_version"))
    kind = int(connection.pragma("application_id"))
    # A new file, or one whose first start was killed before its tables were made.
    if version == 0 and connection.execute("SELECT count(*) FROM sqlite_schema").get == 0:
        return
    if kind != schema.application_id:
        raise _refusal(path, schema, f"it is not a Waybill {schema.name}")
    if version > schema.version:
        if schema.disposable:
            raise _Unfit
        raise SchemaTooNew(
            translate(
                "The {file} {path} was written by a newer version of Waybill, so this one leaves it alone. Install the "
                "newer version, or start with another folder (--data-dir).",
                file=schema.name,
                path=path,
            )
        )
    if not schema.disposable and (check or version < schema.version):
        found = connection.execute("PRAGMA quick_check(1)").get
        if found != "ok":
            raise _refusal(path, schema, f"its check says: {found}")


def _refusal(path: Path, schema: Schema, why: str) -> Exception:
    if schema.disposable:
        return _Unfit(why)
    sentence = translate(
        "The {file} {path} cannot be trusted: {reason}. It was not changed. Keep the file, and restore a copy of it or "
        "start with another folder (--data-dir).",
        file=schema.name,
        path=path,
        reason=why,
    )
    return JournalDamaged(sentence, why)


def _set_up(connection: apsw.Connection, schema: Schema) -> None:
    if connection.pragma("page_count") == 0:
        connection.execute("PRAGMA page_size = 8192")  # an order's JSON text is 1 to 3 KB
    if connection.pragma("journal_mode", "wal") != "wal":
        raise NotOpened(
            translate("The {file} cannot be kept on this kind of disk: it allows no write-ahead log.", file=schema.name)
        )
    # These hold for a connection, not for the file, so they are set again at each opening.
    connection.pragma("synchronous", schema.synchronous)
    connection.pragma("foreign_keys", True)
    # A file from elsewhere may define views and triggers that call functions: those may not run with our rights.
    connection.pragma("trusted_schema", False)
    for pragma in schema.pragmas:
        connection.execute(f"PRAGMA {pragma}")


def _migrate(connection: apsw.Connection, path: Path, schema: Schema) -> None:
    version = int(connection.pragma("user_version"))
    if version == schema.version:
        return
    if version > 0 and not schema.disposable:
        _back_up(connection, path, version)
    # SQLite's schema changes are part of a transaction: a migration that was killed leaves the old version.
    connection.execute("BEGIN IMMEDIATE")
    try:
        run_migrations(connection, schema.migrations[version:])
        connection.execute(f"PRAGMA application_id = {schema.application_id}")
        connection.execute(f"PRAGMA user_version = {schema.version}")
        connection.execute("COMMIT")
    except BaseException:
        # Some errors (a full disk) make SQLite roll back by itself; a second ROLLBACK would hide the first error.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def run_migrations(connection: apsw.Connection, migrations: Iterable[Iterable[str]]) -> None:
    """Run the migrations in order, within whatever transaction is open."""
    for steps in migrations:
        for step in steps:
            connection.execute(step)


def schema_objects(connection: apsw.Connection) -> frozenset[tuple[str, ...]]:
    """The tables, indexes and triggers of a file: type, name, table, and the statement that created it."""
    found = connection.execute("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema")
    return frozenset(tuple(map(str, values)) for values in found if not str(values[1]).startswith("sqlite_"))


def _back_up(connection: apsw.Connection, path: Path, version: int) -> Path:
    """Copy the file to a new name next to it; an existing copy is never overwritten."""
    for half in path.parent.glob(f"{path.stem}.version-*.unfinished"):  # left by a migration that was killed
        half.unlink()
    target = unused_name(path, f"version-{version}")
    copy_to(connection, target)
    return target


def copy_to(connection: apsw.Connection, target: Path) -> None:
    """Copy the open database into the one file `target`, which gets its name once it is whole and on the disk."""
    unfinished = target.with_name(target.name + ".unfinished")
    # An unfinished copy of an earlier try may hold pages that this one would not overwrite.
    unfinished.unlink(missing_ok=True)
    copy = apsw.Connection(str(unfinished))
    try:
        for pragma in TO_THE_DISK:
            copy.execute(f"PRAGMA {pragma}")
        with copy.backup("main", connection, "main") as backup:
            while not backup.done:
                backup.step(-1)
        copy.pragma("journal_mode", "delete")  # a copy is one file, without a write-ahead log
    finally:
        copy.close(True)  # Windows renames no file that is open
    unfinished.replace(target)
    sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Sync the names in a folder, so that renaming survives a power cut. Windows does so by itself."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        sync(descriptor)
    finally:
        os.close(descriptor)


def sync(descriptor: int) -> None:
    """Sync a file to the disk itself. On macOS `fsync` leaves the data in the drive's cache, F_FULLFSYNC does not."""
    if sys.platform == "darwin":
        import fcntl

        with contextlib.suppress(OSError):  # network disks do not know F_FULLFSYNC
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
            return
    os.fsync(descriptor)


def move_aside(path: Path) -> Path:
    """Rename a disposable file with its log and index; returns the new path."""
    target = unused_name(path, "aside")
    for side in SIDES:
        source = path.with_name(path.name + side)
        if source.exists():
            source.rename(target.with_name(target.name + side))
    damage_mark(path).unlink(missing_ok=True)
    return target


def finished_path(path: Path) -> Path:
    """The path of a finished file that replaces the one at `path` before the next opening."""
    return path.with_name(f"{path.stem}.restored{path.suffix}")


def damage_mark(path: Path) -> Path:
    """The path of an empty file which says that the file at `path` was found damaged in use. The next start makes a
    disposable file anew, and repairs a precious one."""
    return path.with_name(path.name + ".damaged")


def unused_name(path: Path, why: str) -> Path:
    """A path next to `path` that does not exist, with the reason and the present moment in its name."""
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    for number in range(1_000):
        extra = f"-{number}" if number else ""
        target = path.with_name(f"{path.stem}.{why}.{stamp}{extra}{path.suffix}")
        if not target.exists():
            return target
    raise NotOpened(translate("There are too many copies beside {path}. Remove the ones not needed.", path=path))

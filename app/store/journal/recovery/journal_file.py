"""The journal with everything that keeps it safe: looked at, repaired, copied as it is written."""

# ruff: noqa: S608 (the tables are the journal's own)

import contextlib
import time
from collections.abc import Callable
from datetime import datetime
from functools import cache as once
from pathlib import Path
from typing import Any

import apsw

from app.store.journal.records import attempt_row, draft_row
from app.store.journal.recovery.copy_lines import last_place
from app.store.journal.recovery.readable_copy import (
    ReadableCopy,
    copy_path,
    finish_cut,
    set_copy_aside,
    unreadable_lines,
)
from app.store.journal.schema.journal_schema import JOURNAL
from app.store.journal.schema.seal import is_sound
from app.store.sqlite.database import Database, FileHooks
from app.store.sqlite.opening import Schema, finished_path, run_migrations, schema_objects
from app.store.sqlite.plain_rows import column_names, row, rows, value
from app.store.sqlite.thread_future import outcome
from app.store.store_errors import JournalDamaged, NotOpened, NotSaved

_AT_ONCE = 200  # rows looked at in one go
_REST_S = 0.001


class Journal(Database):
    """The journal at `path` and its readable copy. Only for the owner of the folder: opening it may repair it.

    `vfs` and `schema` are for tests: of failing disks, and of the next migration.
    """

    def __init__(self, path: Path, *, vfs: str | None = None, schema: Schema = JOURNAL) -> None:
        self.copy = ReadableCopy(copy_path(path))
        super().__init__(path, schema, vfs=vfs, hooks=_hooks(path, self.copy, schema))

    async def cut_copy(self, kept_writes: Callable[[apsw.Connection], tuple[frozenset[int], int]]) -> int:
        """Take out of the copy, for good, the writes that are not kept; how many lines went. Raises `NotSaved`.

        `kept_writes` gives the numbers kept and the last one that was given out: what is newer stays.
        """
        kept, newest = await self.read(kept_writes)
        try:
            return await outcome(self.copy.forget(lambda number: number in kept or number > newest))
        except OSError as error:
            raise NotSaved(
                f"The readable copy {self.copy.path} could not be cut: {error.strerror or error}."
            ) from error


def _hooks(path: Path, copy: ReadableCopy, schema: Schema) -> FileHooks:
    def before_open() -> None:
        with contextlib.suppress(OSError):  # the next cut finishes it, and a copy that is missing is written anew
            finish_cut(copy.path)
        if not finished_path(path).exists():
            return
        from app.store.journal.recovery.journal_repair import (
            put_in_place,  # not needed for the first paint of nearly every start
        )

        try:
            put_in_place(path)
        except OSError as error:
            raise NotOpened(f"The journal {path} could not be opened: {error.strerror or error}.") from error

    return FileHooks(
        before_open=before_open,
        quick_check=lambda c: _has_other_tables(c, schema) or _is_behind(c, copy.path),
        full_check=lambda c: _unsound(c, copy.path),
        repair=lambda why: _repair(path, why),
        after_commit=copy.follow,
        on_close=copy.close,
    )


def _repair(path: Path, why: str) -> None:
    from app.store.journal.recovery.journal_repair import repair

    try:
        repair(path, why, datetime.now())
    except (apsw.Error, OSError, JournalDamaged) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise NotOpened(
            f"The journal {path} cannot be used: {why}. It could not be brought back either ({reason}). Nothing was "
            f"deleted: keep the file and {copy_path(path).name}, make room on the disk, and start again."
        ) from error


def _has_other_tables(c: apsw.Connection, schema: Schema) -> str | None:
    """What a flipped letter makes of a column's name no check of SQLite's sees: the first question would fail on it."""
    if int(c.pragma("user_version")) != schema.version:
        return None  # it is migrated first
    return None if schema_objects(c) == _tables_in(schema.migrations) else "its tables are not the journal's"


@once
def _tables_in(migrations: tuple[tuple[str, ...], ...]) -> frozenset[tuple[str, ...]]:
    c = apsw.Connection(":memory:")
    try:
        run_migrations(c, migrations)
        return schema_objects(c)
    finally:
        c.close()


def _is_behind(c: apsw.Connection, copy: Path) -> str | None:
    """A journal that knows less than its copy has lost something, whatever its own check says of it."""
    try:
        place = last_place(copy)
    except OSError:
        return None  # the copy says so itself when it is to be added to
    if not place.journal:
        return None
    if int(c.pragma("user_version")) == 0:
        return "what its copy knows is not in it"
    journal, change = row(c, "SELECT journal, change FROM tally") or ("", 0)
    if place.journal != journal:
        set_copy_aside(copy, "other")
        return None
    return "it is older than its copy" if change < place.change else None


def _unsound(c: apsw.Connection, copy: Path) -> str | None:
    """Read all of it, a little at a time, so that the window is not held up. The quick check of SQLite does not compare
    indexes with their tables: a row under a flipped number would be there for one question and gone for the next."""
    found = value(c, "PRAGMA integrity_check(1)")
    if found != "ok":
        return f"its check says: {found}"
    names = column_names(c, "writes")
    if not all(
        _reads_well(c, table, look)
        for table, look in (
            ("writes", lambda values: is_sound(dict(zip(names, values, strict=True)))),
            ("drafts", draft_row),
            ("attempts", attempt_row),
            ("profiles", len),
            ("settings", len),
            ("reviews", len),
        )
    ):
        return "something in it is not what was written"
    with contextlib.suppress(OSError):  # the copy says so itself when it is to be added to
        if unreadable_lines(copy):
            set_copy_aside(copy, "damaged")  # the journal is sound: it writes a new one
    return None


def _reads_well(c: apsw.Connection, table: str, look: Callable[[tuple[Any, ...]], object]) -> bool:
    """Whether every row can be read, and `look` finds nothing wrong with it (says something true of it)."""
    last = 0
    try:
        while batch := rows(
            c, f"SELECT rowid, * FROM {table} WHERE rowid > ? ORDER BY rowid LIMIT {_AT_ONCE}", (last,)
        ):
            if not all(look(values[1:]) for values in batch):
                return False
            last = batch[-1][0]
            time.sleep(_REST_S)
    except ValueError:  # a moment that is none, a text that is no UTF-8
        return False
    return True

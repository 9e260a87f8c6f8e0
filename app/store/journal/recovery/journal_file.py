"""The journal as the program opens it: checked before its first write, repaired if it is damaged, copied as it is
written.

Invariant: a journal that is damaged, or that knows less than its readable copy, is never written to. It is repaired
first (`journal_repair`).
"""

# ruff: noqa: S608 (the names of tables are the journal's own)

import contextlib
import time
from collections.abc import Callable
from datetime import datetime
from functools import cache as once
from pathlib import Path
from typing import Any

import apsw

from app.store.journal.records import attempt_row, draft_row
from app.store.journal.recovery.copy_lines import CopiedTable, Remaining, last_place
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
from app.translation import translate

_AT_ONCE = 200  # rows of one step of the check
_REST_S = 0.001  # after each step, so that the check leaves the interpreter to the window


class Journal(Database):
    """The journal at `path` and its readable copy. Only for the owner of the folder, because opening may repair it.

    `vfs` and `schema` are for tests: of failing disks, and of the next migration.
    """

    def __init__(self, path: Path, *, vfs: str | None = None, schema: Schema = JOURNAL) -> None:
        self.copy = ReadableCopy(copy_path(path))
        super().__init__(path, schema, vfs=vfs, hooks=_hooks(path, self.copy, schema))

    async def cut_copy(self, remaining_rows: Callable[[apsw.Connection], Remaining]) -> int:
        """Delete the rows from the copy that were deleted from the journal; returns the number of lines.

        A row with a larger id than the last one given was stored meanwhile, and stays. Raises `NotSaved`.
        """
        remaining = await self.read(remaining_rows)

        def keep(table: CopiedTable, number: int) -> bool:
            ids, newest = remaining[table.name]
            return number in ids or number > newest

        try:
            return await outcome(self.copy.remove_rows(keep))
        except OSError as error:
            reason = error.strerror or error
            raise NotSaved(
                translate("The readable copy {path} could not be cut: {reason}.", path=self.copy.path, reason=reason)
            ) from error


def _hooks(path: Path, copy: ReadableCopy, schema: Schema) -> FileHooks:
    def before_open() -> None:
        with contextlib.suppress(OSError):  # the next cut ends it, and a missing copy is written anew
            finish_cut(copy.path)
        if not finished_path(path).exists():
            return
        # Imported here: the first paint waits for the journal, and nearly no start restores one.
        from app.store.journal.recovery.journal_repair import put_in_place

        try:
            put_in_place(path)
        except OSError as error:
            raise NotOpened(
                translate(
                    "The journal {path} could not be opened: {reason}.", path=path, reason=error.strerror or error
                )
            ) from error

    return FileHooks(
        before_open=before_open,
        quick_check=lambda c: _has_other_tables(c, schema) or _is_behind(c, copy.path),
        # The full check reads every row, which takes seconds in a large journal: never before the first paint.
        full_check=lambda c: _full_check(c, copy.path),
        repair=lambda why: _repair(path, why),
        after_commit=copy.follow,
        on_close=copy.close,
    )


def _repair(path: Path, why: str) -> None:
    from app.store.journal.recovery.journal_repair import repair  # as above

    try:
        repair(path, why, datetime.now())
    except (apsw.Error, OSError, JournalDamaged) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise NotOpened(
            translate(
                "The journal {path} cannot be used: {why}. It could not be brought back either ({reason}). Nothing was "
                "deleted: keep the file and {copy}, make room on the disk, and start again.",
                path=path,
                why=why,
                reason=reason,
                copy=copy_path(path).name,
            )
        ) from error


def _has_other_tables(c: apsw.Connection, schema: Schema) -> str | None:
    """Find a flipped letter in the name of a table or column: SQLite's check ignores it, and statements would fail."""
    if int(c.pragma("user_version")) != schema.version:
        return None  # it will be migrated
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
    """Find that the journal knows less than its copy: writes were lost, even if the file itself is sound."""
    try:
        place = last_place(copy)
    except OSError:
        return None  # `ReadableCopy.trouble` reports it
    if not place.journal:
        return None
    if int(c.pragma("user_version")) == 0:
        return "what its copy knows is not in it"
    journal, change = row(c, "SELECT journal, change FROM tally") or ("", 0)
    if place.journal != journal:
        # The copy of another journal, which was in this folder before: it is kept, and a new one begun.
        set_copy_aside(copy, "other")
        return None
    return "it is older than its copy" if change < place.change else None


def _full_check(c: apsw.Connection, copy: Path) -> str | None:
    """Check the whole journal, in small steps, and the lines of its copy."""
    # `quick_check` would not compare indexes with tables: a row with a flipped id is found by one statement and missed
    # by the next.
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
            ("requests", len),
        )
    ):
        return "something in it is not what was written"
    with contextlib.suppress(OSError):  # `ReadableCopy.trouble` reports it
        if unreadable_lines(copy):
            set_copy_aside(copy, "damaged")  # a new copy is written from the journal, which is sound
    return None


def _reads_well(c: apsw.Connection, table: str, look: Callable[[tuple[Any, ...]], object]) -> bool:
    """Whether every row of the table can be read, and `look` returns something true for it."""
    last = 0
    try:
        while batch := rows(
            c, f"SELECT rowid, * FROM {table} WHERE rowid > ? ORDER BY rowid LIMIT {_AT_ONCE}", (last,)
        ):
            if not all(look(values[1:]) for values in batch):
                return False
            last = batch[-1][0]
            # A rest, not `sleep(0)`: nobody waits for this check, so it leaves the processor to the window as well.
            time.sleep(_REST_S)
    except ValueError:  # a text that is no moment, or no UTF-8
        return False
    return True

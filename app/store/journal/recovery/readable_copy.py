"""The readable copy: every write and request and each change of it, as lines of JSON in a file next to the journal.

Attempts stand in the lines of their writes; reviews and templates have lines of their own. A person can read the copy
if the journal is lost, and a damaged journal is rebuilt from it. `copy_lines` says what the lines look like. Drafts are
not copied, because they change with every key; a repair reads them from the journal.

Invariants: lines are only added (apart from `cut`), and each is on the disk soon after the commit that it describes.
Each line says up to which change the copy is complete, so `follow` adds later whatever could not be added before.
"""

import errno
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import apsw

from app.store.journal.recovery.copy_lines import (
    COPIED,
    MOST_ATTEMPTS,
    REQUESTS,
    REVIEW,
    WRITES,
    CopiedTable,
    CopyContent,
    Key,
    Place,
    Record,
    attempts_record,
    change_record,
    from_line,
    is_whole,
    key_of,
    last_place,
    read_lines,
    row_record,
    to_line,
    whole_record,
)
from app.store.journal.schema.seal import is_sound
from app.store.sqlite.opening import sync, sync_folder, unused_name
from app.store.sqlite.plain_rows import Columns, rows, value, whole_rows
from app.translation import translate

Keep = Callable[[CopiedTable, int], bool]  # whether the row with this id stays in the copy

_AT_ONCE = 200  # rows in one batch, so that `follow` holds up the journal's thread only briefly
_BLOCK = 1 << 20  # bytes
_BATCH_S = 0.05  # lines of this time are synced to the disk once


def copy_path(journal: Path) -> Path:
    """The path of the journal's copy."""
    return journal.with_name(f"{journal.stem}.copy.jsonl")


class ReadableCopy:
    """The copy of one journal and the thread that adds to it.

    `trouble` is a sentence that says why the copy is behind, None while it is complete. The journal works either way.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.trouble: str | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="store-copy")
        self._place: Place | None = None  # of the last line handed to the thread; None: look it up in the file
        self._exists = False  # the file was seen: if it is missing later, its lines are lost
        self._behind = threading.Event()  # set when lines could not be added
        self._pending: list[str] = []  # lines for the thread to add
        self._lock = threading.Lock()  # over `_pending`
        self._hurry = threading.Event()  # set while a caller waits for the thread
        self._profiles: dict[str, Columns] = {}  # as last added in this run

    def follow(self, c: apsw.Connection) -> bool:
        """Hand one batch of new changes to the thread; returns whether there is more. Runs on the journal's thread."""
        if (self._place is None or self._behind.is_set()) and not self._find_place():
            return False
        return self._follow_from(self._place or Place(), c)

    def _find_place(self) -> bool:
        """Read from the file up to which change it is complete; returns whether the file could be read."""
        self.settle()
        try:
            self._place = last_place(self.path)
            self._exists = self.path.exists()
        except OSError as error:
            self._set_trouble(error)
            return False
        self._behind.clear()
        self._profiles.clear()
        return True

    def _follow_from(self, place: Place, c: apsw.Connection) -> bool:
        new = {table: self._rows_after(c, table, "id", place.newest_of(table)) for table in COPIED}
        more = any(len(found) == _AT_ONCE for found in new.values())
        # A change can only be read if the row's own line stands before it, so all new rows go first.
        changes = [] if more else self._changes_after(c, place.change)
        added = [(table, each) for table, found in new.items() for each in found]
        if not added and not changes:
            return False
        done = {(table, each["id"]) for table, each in added}
        records = [_with_attempts(c, whole_record(table, each)) for table, each in added if is_sound(each)]
        records += [
            record
            for table, each in changes
            if (table, each.get("id")) not in done and (record := _record_of_change(c, table, each)) is not None
        ]
        after = Place(
            str(value(c, "SELECT journal FROM tally")),
            _largest([each for _, each in changes], "change", place.change),
            _largest(new[WRITES], "id", place.newest),
            _largest(new[REQUESTS], "id", place.newest_request),
        )
        profiles = self._changed_profiles(c, [each for _, each in (*added, *changes) if "profile" in each])
        records = [{"line": "profile", **columns} for columns in profiles.values()] + records
        if records:
            self._hand_on(records, replace(place, journal=after.journal), after)
        self._place = after
        self._profiles |= profiles  # only now: if a statement above failed, the next call adds these lines
        return more or len(changes) == _AT_ONCE

    def settle(self) -> None:
        """Wait until every line handed to the thread is on the disk, or `trouble` says why not."""
        self._hurry.set()
        self._thread.submit(self._hurry.clear).result()

    def close(self) -> None:
        """Add the pending lines, and end the thread."""
        self._hurry.set()
        self._thread.shutdown(wait=True)

    def remove_rows(self, keep: Keep) -> "Future[int]":
        """Remove the rows for which `keep` is False from the file for good; the result is the number of lines."""
        return self._thread.submit(cut, self.path, keep)

    def _rows_after(self, c: apsw.Connection, table: CopiedTable, column: str, after: int) -> list[Columns]:
        """The next batch of rows with a larger number in `column`."""
        return whole_rows(c, table.name, f"WHERE {column} > ? ORDER BY {column} LIMIT {_AT_ONCE}", (after,))

    def _changes_after(self, c: apsw.Connection, after: int) -> list[tuple[CopiedTable | str, Columns]]:
        """The rows of the next batch of changes, over all tables, because their numbers are of one sequence."""
        found: list[tuple[CopiedTable | str, Columns]] = [
            (table, each) for table in COPIED for each in self._rows_after(c, table, "change", after)
        ]
        found += _other_changes(c, after)
        return sorted(found, key=lambda each: int(str(each[1]["change"])))[:_AT_ONCE]

    def _changed_profiles(self, c: apsw.Connection, added: list[Columns]) -> dict[str, Columns]:
        """The connections of these rows that this run has not added yet, or that have changed since."""
        changed: dict[str, Columns] = {}
        for profile in sorted({str(each["profile"]) for each in added}):
            for columns in whole_rows(c, "profiles", "WHERE id = ?", (profile,)):
                if self._profiles.get(profile) != columns:
                    changed[profile] = columns
        return changed

    def _hand_on(self, records: list[Record], before: Place, after: Place) -> None:
        # Only the last line of a batch bears the new place, so a batch that was torn is added again as a whole.
        lines = [to_line(each, before) for each in records[:-1]] + [to_line(records[-1], after)]
        with self._lock:
            self._pending += lines
            first = len(self._pending) == len(lines)
        # If lines were pending already, the job that will add them has not begun to take them yet.
        if first:
            self._thread.submit(self._append)

    def _append(self) -> None:
        # A sync costs as much for one line as for a hundred, so lines are gathered for a moment, unless a caller waits.
        self._hurry.wait(_BATCH_S)
        with self._lock:
            text = "".join(self._pending)
            self._pending.clear()
        if self._behind.is_set():
            return  # after lines that are missing, these would make the copy look complete
        try:
            finish_cut(self.path)  # a cut that was stopped may have left the copy under its other name
            if self._exists and not self.path.exists():
                raise FileNotFoundError(errno.ENOENT, translate("it is gone, and is written anew with the next change"))
            append(self.path, text)
            self._exists, self.trouble = True, None
        except Exception as error:  # noqa: BLE001  # whatever it was, the lines are missing and `follow` adds them later
            self._behind.set()
            self._set_trouble(error)

    def _set_trouble(self, error: Exception) -> None:
        why = error.strerror or error if isinstance(error, OSError) else type(error).__name__
        self.trouble = translate(
            "The readable copy {path} could not be added to: {reason}.", path=self.path, reason=why
        )


def _other_changes(c: apsw.Connection, after: int) -> list[tuple[str, Columns]]:
    """The next batch of reviews and templates that have changed; of one that is gone only the number."""
    found: list[tuple[str, Columns]] = []
    statement = "SELECT kind, row, change FROM copied_changes WHERE change > ? ORDER BY change LIMIT ?"
    for kind, key, change in rows(c, statement, (after, _AT_ONCE)):
        if kind == REVIEW:
            known = whole_rows(c, "reviews", "WHERE id = ?", (int(key),))
        else:
            known = whole_rows(c, "settings", "WHERE key = ?", (key,))
        columns = {name: each for name, each in known[0].items() if name != "id"} if known else {}
        found.append((kind, columns | {"change": change}))
    return found


def _record_of_change(c: apsw.Connection, table: CopiedTable | str, columns: Columns) -> Record | None:
    """The record of a change; None where there is nothing to tell."""
    if isinstance(table, CopiedTable):
        return _with_attempts(c, change_record(table, columns), MOST_ATTEMPTS) if is_sound(columns) else None
    return row_record(table, columns) if columns.keys() > {"change"} else None


def _with_attempts(c: apsw.Connection, record: Record, most: int = -1) -> Record:
    """The record of a write with its last attempts; any other record as it is. `most` -1: all of them."""
    if WRITES.row not in record:
        return record
    found = whole_rows(c, "attempts", "WHERE write_id = ? ORDER BY id DESC LIMIT ?", (record[WRITES.row], most))
    return record | {"attempts": attempts_record(reversed(found))}


def append(path: Path, text: str) -> None:
    """Add the lines and sync them to the disk. A torn line at the end of the file is ended first, so it stays alone."""
    new = not path.exists()
    with path.open("ab+") as file:
        end = file.seek(0, os.SEEK_END)
        if end:
            file.seek(end - 1)
            # A power cut can end the file in the middle of a line.
            text = text if file.read(1) == b"\n" else f"\n{text}"
        file.write(text.encode())
        file.flush()
        sync(file.fileno())
    if new:
        # Names and addresses of consignees stand in it, and the folder may be readable for others.
        path.chmod(0o600)
        sync_folder(path.parent)


def read_copy(path: Path) -> CopyContent:
    """The whole content of a copy; empty if the file does not exist."""
    if not path.exists():
        return CopyContent()
    with path.open("rb") as file:
        return read_lines(file)


def unreadable_lines(path: Path) -> int:
    """The number of damaged lines. A torn last line does not count: the program was stopped while it added the line."""
    if not path.exists():
        return 0
    with path.open("rb") as file:
        return sum(1 for line in file if line.strip() and not is_whole(line) and line.endswith(b"\n"))


def set_copy_aside(path: Path, why: str) -> Path:
    """Rename the copy to a name that says why, so that a new one is begun; returns the new path."""
    target = unused_name(path, why)
    path.rename(target)
    sync_folder(path.parent)
    return target


def cut(path: Path, keep: Keep) -> int:
    """Write the copy anew without the lines of rows for which `keep` is False, and wipe the old file.

    Returns the number of lines removed. The new file ends with a line that says up to which change it is complete.
    Raises `OSError`; then the copy is unchanged, or it is cut and the old file is not wiped yet. The call can be
    repeated either way.
    """
    finish_cut(path)
    if not path.exists():
        return 0
    # Both in the same folder: a rename to another disk would be a copy, which a power cut can tear.
    unfinished, before = path.with_name(path.name + ".unfinished"), _before_cut(path)
    try:
        gone = _without(path, unfinished, keep)
        if gone:
            # Both files are closed here: Windows renames no open file, and renames nothing onto an existing one. If
            # the program ends between the two steps, `finish_cut` puts the old file back.
            path.rename(before)
            unfinished.rename(path)
            sync_folder(path.parent)
    finally:
        unfinished.unlink(missing_ok=True)
        finish_cut(path)
    return gone


def finish_cut(path: Path) -> None:
    """End a cut that was stopped: wipe the old file if the new one is in place, otherwise put the old one back."""
    before = _before_cut(path)
    if not before.exists():
        return
    if path.exists():
        _wipe(before)
        before.unlink()
    else:
        before.rename(path)
    sync_folder(path.parent)


def _before_cut(path: Path) -> Path:
    """The path of the old file of a cut, until it is wiped."""
    return path.with_name(path.name + ".forgotten")


def _without(path: Path, unfinished: Path, keep: Keep) -> int:
    """Write the lines of kept rows into another file; returns the number of lines left out."""
    gone, place, last = 0, last_place(path), _last_changes(path)
    with path.open("rb") as old, unfinished.open("wb") as new:
        unfinished.chmod(0o600)
        for line in old:
            if _is_kept(line, keep, last):
                new.write(line if line.endswith(b"\n") else line + b"\n")
            else:
                gone += 1
        new.write(to_line({"line": "forgotten", "count": gone}, place).encode())
        new.flush()
        sync(new.fileno())
    return gone


def _last_changes(path: Path) -> dict[Key, int]:
    """The last change of each review and of all templates."""
    content = read_copy(path)
    return {
        key: int(str(each["change"])) for rows_ in (content.reviews, content.templates) for key, each in rows_.items()
    }


def _is_kept(line: bytes, keep: Keep, last: dict[Key, int]) -> bool:
    """Whether a line stays: of a kept row, the last one of a review or of templates, or of no row.

    A damaged line may be of a removed row, so it does not. What a template or review was before, a person has deleted.
    """
    if not line.strip():
        return True
    record = from_line(line)
    if record is None:
        return False
    if (key := key_of(record)) is not None:
        return last[key] == int(record["change"])
    table = next((each for each in COPIED if record["line"] in (each.whole, each.changed)), None)
    return table is None or keep(table, record[table.row])


def _wipe(path: Path) -> None:
    """Overwrite a file with zeros before it is deleted."""
    with path.open("rb+") as file:
        size = os.fstat(file.fileno()).st_size
        while size > 0:
            size -= file.write(bytes(min(size, _BLOCK)))
        file.flush()
        sync(file.fileno())


def _largest(found: list[Columns], column: str, least: int) -> int:
    return max([least, *(number for each in found if isinstance(number := each[column], int))])

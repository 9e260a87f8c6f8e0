"""The readable copy: every write and how it went on, as lines of JSON in a text file beside the journal.

It is what is left when the journal is not: a person can read it, and a damaged journal is rebuilt from it. Lines are
only ever added, and each is on the disk soon after the commit it tells of; `follow` runs on the journal's thread and
finds by the numbers of changes what is not in it yet, so a line that could not be added is added later. What the lines
look like is in `copy_lines`. Drafts are not in it: they change with every key, and are brought back from the journal's
own pages.
"""

import errno
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import apsw

from app.store.journal.recovery.copy_lines import (
    CopyContent,
    Place,
    Record,
    from_line,
    is_whole,
    last_place,
    order_record,
    read_lines,
    state_record,
    to_line,
)
from app.store.journal.schema.seal import is_sound
from app.store.sqlite.opening import sync, sync_folder, unused_name
from app.store.sqlite.plain_rows import Columns, value, whole_rows

_AT_ONCE = 200  # writes handed on in one go
_AT_A_TIME = 1 << 20  # bytes
_TOGETHER_S = 0.05  # what is committed within that time goes to the disk at once


def copy_path(journal: Path) -> Path:
    """Where the copy of this journal lies."""
    return journal.with_name(f"{journal.stem}.copy.jsonl")


class ReadableCopy:
    """The copy of one journal and the thread that adds to it.

    `trouble` says why it is behind, None while all is well; the journal itself goes on either way.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.trouble: str | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="store-copy")
        self._at: Place | None = None  # how far it was handed on; None: to be looked up in the file
        self._there = False  # the file was seen: if it is gone, the lines before are gone with it
        self._behind = threading.Event()  # set when something handed on did not arrive
        self._waiting: list[str] = []  # handed on, and not in the file yet
        self._guard = threading.Lock()  # over the list
        self._hurry = threading.Event()  # set while somebody waits for it
        self._profiles: dict[str, Columns] = {}  # as last written in this run

    def follow(self, c: apsw.Connection) -> bool:
        """Hand on what has changed since the last time; whether there is more. Called on the journal's thread."""
        if (self._at is None or self._behind.is_set()) and not self._find_place():
            return False
        return self._follow_from(self._at or Place(), c)

    def _find_place(self) -> bool:
        """Look up in the file how far it got; whether it could be read."""
        self.settle()
        try:
            self._at = last_place(self.path)
            self._there = self.path.exists()
        except OSError as error:
            self._tell(error)
            return False
        self._behind.clear()
        self._profiles.clear()
        return True

    def _follow_from(self, place: Place, c: apsw.Connection) -> bool:
        orders = self._rows_after(c, "id", place.newest)
        done = {number for each in orders if isinstance(number := each["id"], int)}
        # A write's bytes go before what became of it, so changes wait until all the writes are in.
        changes = self._rows_after(c, "change", place.change) if len(orders) < _AT_ONCE else []
        if not orders and not changes:
            return False
        records = [order_record(each) for each in orders if is_sound(each)]
        records += [state_record(each) for each in changes if is_sound(each) and each["id"] not in done]
        at = Place(
            str(value(c, "SELECT journal FROM tally")),
            _largest(changes, "change", place.change),
            _largest(orders, "id", place.newest),
        )
        profiles = self._about_profiles(c, orders)
        records = [{"line": "profile", **columns} for columns in profiles.values()] + records
        if records:
            self._hand_on(records, Place(at.journal, place.change, place.newest), at)
        self._at = at
        self._profiles |= profiles  # now that they are handed on: a question that failed leaves them to the next time
        return len(orders) == _AT_ONCE or len(changes) == _AT_ONCE

    def settle(self) -> None:
        """Wait until all that was handed on is on the disk, or known to be in trouble."""
        self._hurry.set()
        self._thread.submit(self._hurry.clear).result()

    def close(self) -> None:
        """Finish, and end the thread."""
        self._hurry.set()
        self._thread.shutdown(wait=True)

    def forget(self, kept: Callable[[int], bool]) -> "Future[int]":
        """Take the writes that are not kept out of the file for good; how many lines went."""
        return self._thread.submit(cut, self.path, kept)

    def _rows_after(self, c: apsw.Connection, column: str, after: int) -> list[Columns]:
        """The next writes behind a number, as columns by name."""
        return whole_rows(c, "writes", f"WHERE {column} > ? ORDER BY {column} LIMIT {_AT_ONCE}", (after,))

    def _about_profiles(self, c: apsw.Connection, orders: list[Columns]) -> dict[str, Columns]:
        """Where these were sent: connections that were not told of in this run, or have changed since."""
        told: dict[str, Columns] = {}
        for profile in sorted({str(each["profile"]) for each in orders}):
            for columns in whole_rows(c, "profiles", "WHERE id = ?", (profile,)):
                if self._profiles.get(profile) != columns:
                    told[profile] = columns
        return told

    def _hand_on(self, records: list[Record], before: Place, after: Place) -> None:
        # Only the last line of a batch says that the batch is in: one that is torn is added again.
        lines = [to_line(each, before) for each in records[:-1]] + [to_line(records[-1], after)]
        with self._guard:
            self._waiting += lines
            first = len(self._waiting) == len(lines)
        if first:
            self._thread.submit(self._append)

    def _append(self) -> None:
        self._hurry.wait(_TOGETHER_S)
        with self._guard:
            text = "".join(self._waiting)
            self._waiting.clear()
        if self._behind.is_set():
            return  # a gap before it would be taken for whole
        try:
            finish_cut(self.path)  # one that could not even put the copy back: it is not begun anew beside it
            if self._there and not self.path.exists():
                raise FileNotFoundError(errno.ENOENT, "it is gone, and is written anew with the next change")
            append(self.path, text)
            self._there, self.trouble = True, None
        except Exception as error:  # noqa: BLE001  # whatever it is, these lines are missing: they are added later
            self._behind.set()
            self._tell(error)

    def _tell(self, error: Exception) -> None:
        why = error.strerror or error if isinstance(error, OSError) else type(error).__name__
        self.trouble = f"The readable copy {self.path} could not be added to: {why}."


def append(path: Path, text: str) -> None:
    """Add the lines and have them on the disk; a torn line before them stays torn and touches none of them."""
    new = not path.exists()
    with path.open("ab+") as file:
        end = file.seek(0, os.SEEK_END)
        if end:
            file.seek(end - 1)
            text = text if file.read(1) == b"\n" else f"\n{text}"
        file.write(text.encode())
        file.flush()
        sync(file.fileno())
    if new:
        path.chmod(0o600)
        sync_folder(path.parent)


def read_copy(path: Path) -> CopyContent:
    """Everything that the copy says; nothing when there is none."""
    if not path.exists():
        return CopyContent()
    with path.open("rb") as file:
        return read_lines(file)


def unreadable_lines(path: Path) -> int:
    """How many lines are not what was written; one that was torn at the end, when the program was stopped, is."""
    if not path.exists():
        return 0
    with path.open("rb") as file:
        return sum(1 for line in file if line.strip() and not is_whole(line) and line.endswith(b"\n"))


def set_copy_aside(path: Path, why: str) -> Path:
    """Keep the copy under a name that says why, so that a new one is begun; the new place is returned."""
    target = unused_name(path, why)
    path.rename(target)
    sync_folder(path.parent)
    return target


def cut(path: Path, kept: Callable[[int], bool]) -> int:
    """Write the copy anew without the lines of writes that are not kept, and wipe the old one; how many lines went.

    The last line always stays in some form: it says how far the copy got. Raises `OSError`; the copy is as it was then,
    or cut and the old one not wiped yet. Either way it can be tried again.
    """
    finish_cut(path)
    if not path.exists():
        return 0
    unfinished, before = path.with_name(path.name + ".unfinished"), _before_cut(path)
    try:
        gone = _without(path, unfinished, kept)
        if gone:
            # Both are closed by now: no system but ours moves a file that somebody has open.
            path.rename(before)
            unfinished.rename(path)
            sync_folder(path.parent)
    finally:
        unfinished.unlink(missing_ok=True)
        finish_cut(path)
    return gone


def finish_cut(path: Path) -> None:
    """Wipe what a cut has replaced, or put it back if there is nothing in its place: a cut can be stopped anywhere."""
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
    """Where the copy lies that is replaced, until it is wiped."""
    return path.with_name(path.name + ".forgotten")


def _without(path: Path, unfinished: Path, kept: Callable[[int], bool]) -> int:
    """Write the lines that are kept into another file; how many are missing there."""
    gone, place = 0, last_place(path)
    with path.open("rb") as old, unfinished.open("wb") as new:
        unfinished.chmod(0o600)
        for line in old:
            number = _write_of(line)
            if number is None or kept(number):
                new.write(line if line.endswith(b"\n") else line + b"\n")
            else:
                gone += 1
        new.write(to_line({"line": "forgotten", "count": gone}, place).encode())
        new.flush()
        sync(new.fileno())
    return gone


def _write_of(line: bytes) -> int | None:
    """Which write a line is about; None for others. A line that is not sound is about one nobody keeps."""
    if not line.strip():
        return None
    record = from_line(line)
    if record is None:
        return -1
    number = record.get("write")
    return number if isinstance(number, int) else None


def _wipe(path: Path) -> None:
    """Write zeros over a file that is to be deleted."""
    with path.open("rb+") as file:
        size = os.fstat(file.fileno()).st_size
        while size > 0:
            size -= file.write(bytes(min(size, _AT_A_TIME)))
        file.flush()
        sync(file.fileno())


def _largest(found: list[Columns], column: str, least: int) -> int:
    return max([least, *(number for each in found if isinstance(number := each[column], int))])

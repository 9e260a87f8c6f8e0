"""Photos and documents that were fetched, as files: so that none is fetched twice, and they are there offline.

Invariant: everything here may be deleted at any time, by anyone; what cannot be written or read is simply not there.
A file's name says nothing of what it is: it is a number made of the profile and the address. Its time of change is when
it was fetched (after `max_age` it counts as gone), its time of access when it was last shown (the longest unseen goes
first when there is too much). Functions block; they are for a thread.
"""

import hashlib
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

MOST_BYTES = 1024 * 1024 * 1024
MAX_AGE = 30 * 24 * 3600.0
_TRIMMED_TO = 0.9
_UNFINISHED = ".new"


class _File(NamedTuple):
    seen: float
    size: int
    path: Path


class PictureFiles:
    """The files below one folder, of all profiles; from any thread."""

    def __init__(
        self, folder: Path, *, most: int = MOST_BYTES, max_age: float = MAX_AGE, now: Callable[[], float] = time.time
    ) -> None:
        self._folder, self._most, self._max_age, self._now = folder, most, max_age, now
        self._lock = threading.Lock()
        self._size: int | None = None  # not looked at yet
        self._idle = threading.Condition()  # over the next line
        self._in_use = 0  # files that are read or written at this moment

    def read(self, profile: str, address: str) -> bytes | None:
        """The bytes fetched from this address, None where there are none that are fresh enough."""
        path = self._path(profile, address)
        try:
            with self._using():
                fetched = path.stat().st_mtime
                if self._now() - fetched > self._max_age:
                    return None
                data = path.read_bytes()
                os.utime(path, (self._now(), fetched))
        except OSError:
            return None
        return data or None

    def keep(self, profile: str, address: str, data: bytes) -> bool:
        """Keep what was fetched; whether that could be done."""
        path = self._path(profile, address)
        unfinished = path.with_name(f"{path.name}.{threading.get_ident()}{_UNFINISHED}")
        try:
            with self._using():
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                unfinished.write_bytes(data)
                os.utime(unfinished, (self._now(), self._now()))
                unfinished.replace(path)
        except OSError:
            _delete(unfinished)
            return False
        self._grown_by(len(data))
        return True

    def drop(self, profile: str, address: str) -> None:
        """Forget one file."""
        _delete(self._path(profile, address))

    def forget_profile(self, profile: str) -> None:
        """Delete everything of a profile."""
        with self._lock, self._alone():
            shutil.rmtree(self._folder / _number(profile), ignore_errors=True)
            self._size = None

    def wipe(self) -> None:
        """Delete everything."""
        with self._lock, self._alone():
            shutil.rmtree(self._folder, ignore_errors=True)
            self._size = None

    def size(self) -> int:
        """Bytes of all files."""
        return sum(each.size for each in self._files())

    @contextmanager
    def _using(self) -> Iterator[None]:
        """While files are open. Reading and writing go on side by side."""
        with self._idle:
            self._in_use += 1
        try:
            yield
        finally:
            with self._idle:
                self._in_use -= 1
                self._idle.notify_all()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """While none is open: some systems delete no file that is, and what is to go would stay."""
        with self._idle:
            self._idle.wait_for(lambda: self._in_use == 0)
            yield

    def _grown_by(self, length: int) -> None:
        """Delete what is too old or too much. All is looked through at the first file, then when it may be too much."""
        with self._lock:
            if self._size is None or self._size + length > self._most:
                self._size = self._trimmed()
            else:
                self._size += length

    def _trimmed(self) -> int:
        files = sorted(self._files(), reverse=True)  # what was seen last comes first
        size = sum(each.size for each in files)
        goal = int(self._most * _TRIMMED_TO) if size > self._most else self._most
        while files and size > goal:
            oldest = files.pop()
            _delete(oldest.path)
            size -= oldest.size
        return size

    def _files(self) -> Iterator[_File]:
        before = self._now() - self._max_age
        for folder, _, names in os.walk(self._folder):
            for name in names:
                path = Path(folder, name)
                try:
                    facts = path.stat()
                except OSError:  # deleted by someone else meanwhile
                    continue
                if facts.st_mtime < before:
                    _delete(path)
                elif not name.endswith(_UNFINISHED):
                    yield _File(facts.st_atime, facts.st_size, path)

    def _path(self, profile: str, address: str) -> Path:
        name = _number(address)
        return self._folder / _number(profile) / name[:2] / name


def _number(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:40]


def _delete(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:  # held open by another program, or a folder that may not be written to
        return

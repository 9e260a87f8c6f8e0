"""A file cache of photos and documents, so that none is fetched twice, and all of them are there offline.

Invariants: any file may be deleted at any time by anybody; a file that cannot be written or read counts as not cached.
A file's name is a hash of profile and address, and so says nothing of its contents. Its time of change is when it was
fetched: after `max_age` it counts as gone. Its time of access is when it was last shown: the least recently shown file
is deleted first. Functions block; they are for a thread.
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
    shown: float
    size: int
    path: Path


class PictureFiles:
    """The cached files of all profiles, below one folder. Thread-safe."""

    def __init__(
        self, folder: Path, *, most: int = MOST_BYTES, max_age: float = MAX_AGE, now: Callable[[], float] = time.time
    ) -> None:
        self._folder, self._most, self._max_age, self._now = folder, most, max_age, now
        self._lock = threading.Lock()
        self._size: int | None = None  # of all files; None until they were counted
        self._idle = threading.Condition()  # guards `_in_use`
        self._in_use = 0  # files that are being read or written

    def read(self, profile: str, address: str) -> bytes | None:
        """The bytes fetched from this address; None if they are not cached, or too old."""
        path = self._path(profile, address)
        try:
            with self._using():
                fetched = path.stat().st_mtime
                if self._now() - fetched > self._max_age:
                    return None
                data = path.read_bytes()
                # Set by hand, because most systems are mounted so that reading a file leaves its time of access alone.
                os.utime(path, (self._now(), fetched))
        except OSError:
            return None
        # A power cut leaves an empty file (nothing here is synced): it counts as not cached.
        return data or None

    def keep(self, profile: str, address: str, data: bytes) -> bool:
        """Cache the bytes fetched from an address; returns whether that succeeded."""
        path = self._path(profile, address)
        # A name for each thread: two that fetch the same address must not write into one file.
        unfinished = path.with_name(f"{path.name}.{threading.get_ident()}{_UNFINISHED}")
        try:
            with self._using():
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                unfinished.write_bytes(data)
                os.utime(unfinished, (self._now(), self._now()))
                # Moved there whole: a reader never finds half a picture.
                unfinished.replace(path)
        except OSError:
            _delete(unfinished)
            return False
        # Not within `_using`: whoever waits in `_alone` for this file holds the lock that is needed here.
        self._grown_by(len(data))
        return True

    def drop(self, profile: str, address: str) -> None:
        """Delete one file."""
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
        """The size of all files in bytes."""
        return sum(each.size for each in self._files())

    @contextmanager
    def _using(self) -> Iterator[None]:
        """A file is open in this block. Any number of readers and writers may be in it."""
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
        """No file is open in this block: Windows deletes no file that is, and it would stay."""
        with self._idle:
            self._idle.wait_for(lambda: self._in_use == 0)
            yield

    def _grown_by(self, length: int) -> None:
        """Count a new file, and trim the cache if it may be too large. The first call goes through all files."""
        with self._lock:
            if self._size is None or self._size + length > self._most:
                self._size = self._trimmed()
            else:
                self._size += length

    def _trimmed(self) -> int:
        files = sorted(self._files(), reverse=True)  # the last shown first
        size = sum(each.size for each in files)
        # Below the limit: otherwise the next new file would lead through all files again.
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
                except OSError:  # another program deleted it
                    continue
                if facts.st_mtime < before:
                    _delete(path)
                elif not name.endswith(_UNFINISHED):
                    yield _File(facts.st_atime, facts.st_size, path)

    def _path(self, profile: str, address: str) -> Path:
        # Spread over 256 folders, since one with many thousands of files is slow to look into.
        name = _number(address)
        return self._folder / _number(profile) / name[:2] / name


def _number(text: str) -> str:
    # An address from outside may hold a lone surrogate, which UTF-8 refuses otherwise.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:40]


def _delete(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:  # held open by another program, or a folder that may not be written to
        return

"""Which files of a folder are opened, by any thread and any library of any process (inotify, so on Linux)."""

import ctypes
import os
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

_IN_OPEN = 0x20
_LENGTH_AT, _NAME_AT = 12, 16  # in an event
_MOST = 65_536  # bytes of events


@contextmanager
def opened_below(folder: Path) -> Iterator[Callable[[], list[str]]]:
    """The names of the files that were opened since the last call; empty for the folder itself."""
    libc = ctypes.CDLL(None, use_errno=True)
    watch = libc.inotify_init1(os.O_NONBLOCK)
    if watch < 0 or libc.inotify_add_watch(watch, os.fsencode(folder), _IN_OPEN) < 0:
        raise OSError(ctypes.get_errno(), "inotify")

    def names() -> list[str]:
        try:
            return list(_names(os.read(watch, _MOST)))
        except BlockingIOError:
            return []

    yield names
    os.close(watch)


def _names(events: bytes) -> Iterator[str]:
    while events:
        end = _NAME_AT + int(struct.unpack_from("I", events, _LENGTH_AT)[0])
        yield os.fsdecode(events[_NAME_AT:end].rstrip(b"\0"))
        events = events[end:]

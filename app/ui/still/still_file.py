"""Keeps a still in one small file, with all that must be as it was for the still to be true.

Invariants: a still is used once, by the start that finds it, so one that Qt chokes on spoils one start and no more. It
is true only of exactly the files of orders and writes beside which it was kept, under the same version, screens and
scheme (light or dark); whatever cannot be read, or is otherwise, is no still. Texts that change with the day are in it
only on its own day: every still has a second picture without them.

The file: a line with the CRC-32 of the rest, texts with a zero byte after each (the conditions, the day and the length
in bytes of the first stream, and the fields of `Facts`), and two zlib streams of pixels, 32 bits each. It is not JSON,
whose decoder would have to be imported before the first paint.
"""

import threading
import time
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from app.store import administrator_file
from app.version import VERSION

if TYPE_CHECKING:
    from PySide6.QtCore import QRect
    from PySide6.QtWidgets import QApplication

    from app.store.paths import DataDir

_LARGEST_PX = 64_000_000  # two screens of 8K: nobody has a larger window
_QUICK = 1  # zlib's level: a picture of a window is mostly flat
_END = "\0"  # of each text before the pixels
_TEXTS = 9


class Facts(NamedTuple):
    """The facts that the window needs besides its pixels: `place` as QMainWindow saves it, in base 64, and `ground`,
    the colour (`#rrggbb`) where a window is larger than the picture. Width and height are in pixels of the device."""

    title: str
    place: str
    ground: str
    width: int
    height: int
    ratio: float


class Still(NamedTuple):
    """A picture with its facts: rows of 32-bit pixels, top to bottom, without gaps."""

    facts: Facts
    pixels: bytes


def surroundings(application: "QApplication") -> dict[str, object]:
    """Qt's facts about screens and looks, as far as a picture depends on them.

    The style's own colours stand for the system's scheme, light or dark: Qt tells the scheme itself only by an enum of
    the namespace `Qt` (`ui/base/main_window`). So it is with the contrast that a person prefers, for which nothing
    stands here: after a change of it the next still is in the former one.
    """
    own = application.style().standardPalette()
    return {
        "platform": application.platformName(),
        "colours": [own.window().color().name(), own.windowText().color().name()],
        "font": application.font().family(),
        "screens": [
            [*_corners(each.geometry()), each.devicePixelRatio(), each.logicalDotsPerInch()]
            for each in application.screens()
        ],
    }


def write_still(data: "DataDir", around: dict[str, object], facts: Facts, today: bytes, any_day: bytes) -> None:
    """Keep a still. Call once nothing writes into the data folder any more. Raises `OSError`.

    `today` and `any_day` are the pixels with the texts that change with the day, and without them.
    """
    streams = [zlib.compress(each, _QUICK) for each in (today, any_day)]
    fields = (_conditions(data, around), _day(), len(streams[0]), *facts)
    head = "".join(str(each).replace(_END, "") + _END for each in fields)
    rest = head.encode(errors="replace") + streams[0] + streams[1]
    beside = data.still.with_suffix(".new")
    beside.write_bytes(b"%08x\n" % zlib.crc32(rest) + rest)
    beside.replace(data.still)


class Reading:
    """Reads the still of a folder on a thread of its own: its pixels are unpacked while Qt is loaded and makes a window
    system ready, which takes longer. Begins at once."""

    def __init__(self, data: "DataDir") -> None:
        self._data = data
        self._conditions = ""
        self._still: Still | None = None
        self._thread = threading.Thread(target=self._read, name="still", daemon=True)
        self._thread.start()

    def _read(self) -> None:
        try:
            self._conditions, self._still = _unpacked(self._data.still.read_bytes())
        except (OSError, ValueError, TypeError, zlib.error):
            self._still = None

    def take_out(self, around: dict[str, object]) -> Still | None:
        """The still, which is used up with that; None if there is none, or none that is true now."""
        self._thread.join()
        try:
            self._data.still.unlink()
        except OSError:  # there is none, or it would be used twice
            return None
        return self._still if self._conditions == _conditions(self._data, around) else None


def forget_still(data: "DataDir") -> None:
    """Delete the still: this start does without it."""
    data.still.unlink(missing_ok=True)


def _unpacked(found: bytes) -> tuple[str, Still | None]:
    """The conditions of a still, and the still. Raises `ValueError`, `TypeError`, `zlib.error`."""
    check, rest = found.split(b"\n", 1)
    # A power cut may have left half of it.
    if int(check, 16) != zlib.crc32(rest):
        return "", None
    *texts, streams = rest.split(_END.encode(), _TEXTS)
    conditions, day, length, title, place, ground, width, height, ratio = (each.decode() for each in texts)
    facts = Facts(title, place, ground, int(width), int(height), float(ratio))
    size = facts.width * facts.height
    if not 0 < size <= _LARGEST_PX:
        return conditions, None
    stream = streams[: int(length)] if day == _day() else streams[int(length) :]
    # A buffer that grew would be copied: the size is known.
    pixels = zlib.decompress(stream, bufsize=4 * size)
    return conditions, Still(facts, pixels) if len(pixels) == 4 * size else None


def _conditions(data: "DataDir", around: dict[str, object]) -> str:
    """The facts that must be the same when the still is shown, as one text to compare."""
    kept = [data.journal, data.cache]
    logs = [path.with_name(f"{path.name}-wal") for path in kept]
    files = [_stamp(each) for each in (*kept, *logs)]
    return repr((VERSION, files, _stamp(administrator_file.place()), around))


def _stamp(path: Path | None) -> list[int] | None:
    """Which state a file is in; None if it is not there."""
    try:
        found = None if path is None else path.stat()
    except OSError:
        return None
    return None if found is None else [found.st_ino, found.st_size, found.st_mtime_ns]


def _corners(box: "QRect") -> tuple[int, int, int, int]:
    return box.x(), box.y(), box.width(), box.height()


def _day() -> str:
    return time.strftime("%Y-%m-%d %z")

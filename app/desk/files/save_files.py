"""Saves fetched files into a folder that a person chose.

Invariant: a saved file lies in the chosen folder under a name of our own making (pitfall 24), ends as its first bytes
say, and never takes the place of another one.
"""

import re
import unicodedata
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path

from app.desk.files.album import NoPicture
from app.desk.files.files_words import one_not_written
from app.desk.files.stoppable_work import Progress, Stopped, in_thread
from app.desk.files.whole_file import why_refused

_LONGEST = 60
_BYTES = 120  # many systems take 255 bytes of a name, the ending and a number included
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)", re.IGNORECASE)
_UNFIT = frozenset('<>:"/\\|?*')
_ENDINGS = (
    (b"%PDF-", "pdf"),
    (b"\xff\xd8\xff", "jpg"),
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"GIF8", "gif"),
    (b"II*\x00", "tif"),
    (b"MM\x00*", "tif"),
    (b"PK\x03\x04", "zip"),
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A file to be saved: its address, its name without an ending, and the name for it in a sentence."""

    address: str
    stem: str
    called: str


Fetch = Callable[[Wanted], Awaitable[bytes | NoPicture]]


def unchanged(contents: Callable[[str], Awaitable[bytes | NoPicture]]) -> Fetch:
    """Fetches files as they are at their addresses."""

    async def fetch(wanted: Wanted) -> bytes | NoPicture:
        return await contents(wanted.address)

    return fetch


@dataclass(slots=True)
class Saved:
    """The files that were saved, and those that failed, each with a sentence."""

    files: list[Path] = field(default_factory=list)
    failed: list[tuple[Wanted, str]] = field(default_factory=list)
    stopped: bool = False


async def save(wanted: Sequence[Wanted], folder: Path, fetch: Fetch, progress: Progress) -> Saved:
    """Fetch each file and write it into the folder. One that fails does not stop the others."""
    saved = Saved()
    progress.total = len(wanted)
    for each in wanted:
        if progress.stop:
            saved.stopped = True
            break
        try:
            data = await fetch(each)
            if isinstance(data, NoPicture):
                saved.failed.append((each, data.sentence))
            else:
                saved.files.append(await in_thread(partial(_write, folder, each.stem, data), progress))
        except Stopped:
            saved.stopped = True
            break
        except OSError as error:
            saved.failed.append((each, one_not_written(folder, why_refused(error))))
        progress.done += 1
    return saved


def safe_stem(*parts: str, nothing: str = "document") -> str:
    """The parts as one name without an ending that every system takes, letters of any script kept."""
    stem = " ".join(fit for part in parts if (fit := _fit(part))) or nothing
    while len(stem.encode()) > _BYTES:
        stem = stem[:-1]
    stem = stem.strip(" .")
    return f"_{stem}" if _RESERVED.match(stem) else stem


def own_name(name: str) -> str:
    """A name without the folders before it and the ending after it."""
    own = re.split(r"[/\\]", name)[-1]
    stem, dot, ending = own.rpartition(".")
    return stem if dot and len(ending) <= 5 else own


def ending_of(data: bytes) -> str:
    """The ending for a file with these first bytes; the name that it had is ignored."""
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "webp"
    return next((ending for beginning, ending in _ENDINGS if data.startswith(beginning)), "bin")


def names_of(stem: str, ending: str) -> Iterator[str]:
    """The name, then the same with a number, for where it is taken already."""
    yield f"{stem}.{ending}"
    yield from (f"{stem} ({number}).{ending}" for number in count(2))


def _fit(text: str) -> str:
    kept = "".join(
        "_" if each in _UNFIT or (unicodedata.category(each)[0] in "CZ" and each != " ") else each for each in text
    )
    return re.sub(r"_{2,}|\.{2,}", "_", kept)[:_LONGEST].strip(" ._-")


def _write(folder: Path, stem: str, data: bytes) -> Path:
    """Write the file under the first free name, whole or not at all."""
    for name in names_of(stem, ending_of(data)):
        target = folder / name
        try:
            target.touch(exist_ok=False)  # claims the name, so that no other program can take it
        except FileExistsError:
            continue
        unfinished = folder / f".{target.name}.new"
        try:
            unfinished.write_bytes(data)
            # Over the empty file that holds the name.
            unfinished.replace(target)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            target.unlink(missing_ok=True)
            raise
        return target
    raise AssertionError("there is always a further number")

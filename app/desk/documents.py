"""An order's documents: in which order they are shown, and how they are saved into a folder.

Invariant: a saved file lies in the chosen folder under a name of our own making (pitfall 24), ends as its first bytes
say, and never takes the place of another one.
"""

import re
import unicodedata
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import count
from pathlib import Path

from app.contract.codes import FOLDER_TYPE_WORDS
from app.contract.information import Order
from app.desk.aside import Progress, Stopped, aside
from app.desk.export.orders import why_refused
from app.desk.pictures import NoPicture

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
Fetch = Callable[[str], Awaitable[bytes | NoPicture]]


@dataclass(frozen=True, slots=True)
class Document:
    """A document as the provider lists it; every text may be empty or odd."""

    address: str
    name: str
    folder: str
    created: datetime | None = None

    @property
    def kind(self) -> str:
        """What kind it is, with the provider's code."""
        return kind_words(self.folder)


@dataclass(slots=True)
class Saved:
    """What was saved, and what could not be, with why."""

    files: list[Path] = field(default_factory=list)
    failed: list[tuple[Document, str]] = field(default_factory=list)
    stopped: bool = False


def kind_words(folder: str) -> str:
    """`Proof of delivery (POD)`; a code that the contract does not know stands for itself."""
    word = FOLDER_TYPE_WORDS.get(folder, "Document")
    return f"{word} ({folder})" if folder else word


def documents_of(order: Order) -> list[Document]:
    """The documents by kind, proof of delivery first, the newest of each kind first."""
    found = [
        Document(each.Url or "", each.Filename or "", (each.Folder or "").strip(), each.CreatedDate)
        for each in order.ProofOfDelivery or ()
    ]
    newest_first = sorted(found, key=lambda each: str(each.created or ""), reverse=True)
    return sorted(newest_first, key=_place)


def by_kind(documents: Sequence[Document]) -> list[tuple[str, list[Document]]]:
    """The same, parted by kind: its words, and what belongs to it."""
    kinds: dict[str, list[Document]] = {}
    for each in documents:
        kinds.setdefault(each.folder, []).append(each)
    return [(kind_words(folder), found) for folder, found in kinds.items()]


def _place(document: Document) -> tuple[bool, bool, str, str]:
    folder = document.folder
    return folder != "POD", folder not in FOLDER_TYPE_WORDS, kind_words(folder), folder


async def save(documents: Sequence[Document], reference: str, folder: Path, fetch: Fetch, progress: Progress) -> Saved:
    """Fetch each and write it into the folder. Whatever goes wrong with one is told and does not stop the others."""
    saved = Saved()
    progress.total = len(documents)
    for each in documents:
        if progress.stop:
            saved.stopped = True
            break
        try:
            data = await fetch(each.address)
            if isinstance(data, NoPicture):
                saved.failed.append((each, data.sentence))
            else:
                saved.files.append(await aside(partial(_write, folder, file_stem(each, reference), data), progress))
        except Stopped:
            saved.stopped = True
            break
        except OSError as error:
            saved.failed.append((each, f"It could not be written into {folder}: {why_refused(error)}"))
        progress.done += 1
    return saved


def file_stem(document: Document, reference: str) -> str:
    """`CRN-20481 POD delivery`: a name without an ending that every system takes, letters of any script kept."""
    own = re.split(r"[/\\]", document.name)[-1]
    stem, dot, ending = own.rpartition(".")
    own = stem if dot and len(ending) <= 5 else own
    parts = (_fit(part) for part in (reference, document.folder, own))
    stem = " ".join(part for part in parts if part) or "document"
    while len(stem.encode()) > _BYTES:
        stem = stem[:-1]
    stem = stem.strip(" .")
    return f"_{stem}" if _RESERVED.match(stem) else stem


def _fit(text: str) -> str:
    kept = "".join(
        "_" if each in _UNFIT or (unicodedata.category(each)[0] in "CZ" and each != " ") else each for each in text
    )
    return re.sub(r"_{2,}|\.{2,}", "_", kept)[:_LONGEST].strip(" ._-")


def ending_of(data: bytes) -> str:
    """How a file with these first bytes ends, whatever its name said."""
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "webp"
    return next((ending for beginning, ending in _ENDINGS if data.startswith(beginning)), "bin")


def _write(folder: Path, stem: str, data: bytes) -> Path:
    """Write the file under the first name that is free; it is there whole or not at all."""
    for name in _names(stem, ending_of(data)):
        target = folder / name
        try:
            target.touch(exist_ok=False)  # the name is ours from here on
        except FileExistsError:
            continue
        unfinished = folder / f".{target.name}.new"
        try:
            unfinished.write_bytes(data)
            unfinished.replace(target)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            target.unlink(missing_ok=True)
            raise
        return target
    raise AssertionError("there is always a further number")


def _names(stem: str, ending: str) -> Iterator[str]:
    yield f"{stem}.{ending}"
    yield from (f"{stem} ({number}).{ending}" for number in count(2))

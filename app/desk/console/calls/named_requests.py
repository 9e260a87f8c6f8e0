"""Named requests: one `.http` file each (`http_file`), in a folder that can be shared and reviewed.

A file that cannot be read is shown with a sentence and left alone. All functions block: they are for a thread.
"""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path

from app.desk.console.calls import calls_words as words
from app.desk.console.calls.http_file import NoRequest, name_of, read_http, renamed, split_requests, write_http
from app.desk.console.calls.request_draft import RequestDraft
from app.desk.console.console_operations import ConsoleOperation
from app.desk.desk import Desk
from app.desk.files.save_files import safe_stem
from app.desk.files.whole_file import ExportTrouble, put_in_place, why_refused

SUFFIX = ".http"
_LARGEST = 4 * 1024 * 1024  # bytes
_MOST_FILES = 2_000
_ENDINGS = (SUFFIX, ".rest")


@dataclass(frozen=True, slots=True)
class NamedRequest:
    """A request kept as a file. `trouble` says why it cannot be read; then `draft` is None."""

    name: str
    file: Path
    draft: RequestDraft | None
    note: str = ""
    trouble: str = ""


def requests_folder(desk: Desk) -> Path:
    """The folder of the named requests, beside the journal: all connections share them."""
    return desk.journal.path.parent / "requests"


def all_named(folder: Path, operations: Sequence[ConsoleOperation]) -> list[NamedRequest]:
    """The requests of a folder by name; none where there is no folder. Raises `ExportTrouble`."""
    found = [_read(each, operations) for each in _files(folder)]
    return sorted(found, key=lambda each: each.name.casefold())


def keep(
    folder: Path, operation: ConsoleOperation, draft: RequestDraft, name: str, note: str = "", *, replace: bool = False
) -> NamedRequest:
    """Write a request under a name. Raises `ExportTrouble`, also where the name is taken and not to be replaced."""
    title = _title(name)
    there = _file_of(folder, title)
    if there is not None and not replace:
        raise ExportTrouble(words.name_taken(title))
    target = there or _free(folder, title)
    _write(target, write_http(operation, draft, title, note))
    return NamedRequest(title, target, draft, note)


def rename(request: NamedRequest, name: str) -> NamedRequest:
    """Give the request another name, in a file of that name. Raises `ExportTrouble`."""
    title, folder = _title(name), request.file.parent
    there = _file_of(folder, title)
    if there is not None and there != request.file:
        raise ExportTrouble(words.name_taken(title))
    try:
        text = renamed(_text_of(request.file), title)
    except NoRequest as error:
        raise ExportTrouble(error.sentence) from None
    target = request.file if there is not None else _free(folder, title)
    _write(target, text)
    # The new file is written before the old one goes: a crash between leaves two files, never none.
    if target != request.file:
        remove(request)
    return NamedRequest(title, target, request.draft, request.note, request.trouble)


def remove(request: NamedRequest) -> None:
    """Delete the file. Raises `ExportTrouble`."""
    try:
        request.file.unlink(missing_ok=True)
    except OSError as error:
        raise ExportTrouble(words.not_removed(request.file.name, why_refused(error))) from error


def import_files(
    folder: Path, files: Sequence[Path], operations: Sequence[ConsoleOperation]
) -> tuple[list[NamedRequest], list[str]]:
    """Take requests over from files, or from all files of a folder: what was taken, and a sentence for each that was
    not. One whose name is taken gets a number; one that is there word for word is not taken again."""
    taken: list[NamedRequest] = []
    refused: list[str] = []
    for file in _all_files(files):
        try:
            # A text without any request still goes through `_take`, whose sentence says what is missing.
            parts = split_requests(_text_of(file)) or [""]
            for part in parts:
                request = _take(folder, part, operations)
                taken += [request] if request is not None else []
        except (NoRequest, ExportTrouble) as error:
            refused.append(words.not_taken(file.name, error.sentence))
    return taken, refused


def export_files(requests: Sequence[NamedRequest], folder: Path) -> list[str]:
    """Copy the files of requests to a folder; a sentence for each that was not copied. None there is replaced."""
    refused = []
    for each in requests:
        try:
            put_in_place(folder / each.file.name, partial(_copy, each.file), replace=False)
        except ExportTrouble as error:
            refused.append(error.sentence)
    return refused


def _copy(source: Path, target: Path) -> None:
    shutil.copyfile(source, target)


def _read(file: Path, operations: Sequence[ConsoleOperation]) -> NamedRequest:
    try:
        text = _text_of(file)
        read = read_http(text, operations)
    except (NoRequest, ExportTrouble) as error:
        return NamedRequest(file.stem, file, None, trouble=error.sentence)
    return NamedRequest(read.name, file, read.draft, read.note)


def _text_of(file: Path) -> str:
    try:
        # Asked before reading: the folder is a shared one, and may hold anything.
        if file.stat().st_size > _LARGEST:
            raise NoRequest(words.TOO_LARGE)
        # Bytes, not `read_text`: that would turn the line ends inside a body.
        return file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    except OSError as error:
        raise ExportTrouble(words.not_read(file.name, why_refused(error))) from error
    raise NoRequest(words.NOT_A_TEXT)


def _take(folder: Path, text: str, operations: Sequence[ConsoleOperation]) -> NamedRequest | None:
    """Take one request over; None if it is there already."""
    read = read_http(text, operations)
    operation = next(each for each in operations if each.key == read.draft.operation)
    name = read.name
    # Until a name is free, or the request is there already under one of the numbered names.
    for number in count(2):
        there = _file_of(folder, name)
        if there is None:
            return keep(folder, operation, read.draft, name, read.note)
        held = _read(there, operations)
        if (held.draft, held.note) == (read.draft, read.note):
            return None
        name = f"{read.name} {number}"
    return None


def _title(name: str) -> str:
    title = " ".join(name.split())
    if not title:
        raise ExportTrouble(words.NAME_NEEDED)
    return title


def _file_of(folder: Path, name: str) -> Path | None:
    """The file of the request of this name, letters of either case."""
    return next((each for each in _files(folder) if _name_in(each).casefold() == name.casefold()), None)


def _name_in(file: Path) -> str:
    try:
        return name_of(_text_of(file)) or file.stem
    except (NoRequest, ExportTrouble):
        return file.stem


def _files(folder: Path) -> list[Path]:
    try:
        files = [each for each in folder.iterdir() if each.suffix.lower() == SUFFIX] if folder.is_dir() else []
    except OSError as error:
        raise ExportTrouble(words.not_read(folder.name, why_refused(error))) from error
    return sorted(files)[:_MOST_FILES]


def _free(folder: Path, name: str) -> Path:
    """A file that is not there yet, named after the request. Some systems hold A and a for one name."""
    there = {each.name.casefold() for each in folder.iterdir()} if folder.is_dir() else set()
    stem = safe_stem(name, nothing="request")
    numbered = (f"{stem}{'' if number == 1 else f' {number}'}{SUFFIX}" for number in count(1))
    return folder / next(each for each in numbered if each.casefold() not in there)


def _write(target: Path, text: str) -> None:
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ExportTrouble(words.not_removed(target.parent.name, why_refused(error))) from error
    data = text.encode("utf-8", "replace")
    put_in_place(target, lambda path: path.write_bytes(data), replace=True)


def _all_files(files: Sequence[Path]) -> list[Path]:
    found = []
    for each in files:
        inside = sorted(each.iterdir()) if each.is_dir() else [each]
        found += [file for file in inside if file == each or file.suffix.lower() in _ENDINGS]
    return found[:_MOST_FILES]

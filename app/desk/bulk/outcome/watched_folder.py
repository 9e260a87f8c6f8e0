"""The watched folder: files put there are read and checked. They wait for a person, or are sent.

Invariants: a file is taken only once it is complete, and by one program only: whoever makes its mark `NAME.waybill`
first. The mark names the journal that took the file, and the size and time of the file: a file that is written anew
under the same name is a new one. A file itself is never moved or changed; its receipt stands beside it.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from app.desk.bulk import bulk_words as words
from app.desk.bulk.files.file_tables import FileTrouble, ReadOptions
from app.desk.bulk.files.read_file import SUFFIXES, TEXTS, read_file
from app.desk.bulk.mapping import kept_mappings
from app.desk.bulk.mapping.match_columns import Matched
from app.desk.bulk.outcome import import_batch, import_receipt, import_verdicts
from app.desk.bulk.outcome.import_verdicts import ImportVerdicts
from app.desk.bulk.rows.import_sheet import ImportSheet
from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress, in_thread
from app.desk.files.whole_file import ExportTrouble, why_refused
from app.desk.known.known_facilities import known_facilities
from app.store.journal import import_store
from app.store.journal.setting_store import read_setting, write_setting

FolderState = Literal["growing", "waiting", "sent", "done", "trouble", "elsewhere"]
MARK = ".waybill"
_UNCHANGED = ("create", "update", "unchanged")  # verdicts about which nothing is to be said


@dataclass(frozen=True, slots=True)
class FolderChoice:
    """The setting: the folder (None: off), and whether a file about which nothing is to be said is sent by itself."""

    folder: Path | None = None
    send: bool = False


@dataclass(frozen=True, slots=True)
class FolderFile:
    """A file of the folder, and how it stands."""

    path: Path
    state: FolderState
    sentence: str
    imports: tuple[int, ...] = ()  # which took the file's orders; two if a person sent the rest of the file later
    written: int = 0  # when the file was last written, in nanoseconds since 1970


@dataclass(frozen=True, slots=True)
class _Stamp:
    """The size and time that tell one version of a file from another."""

    size: int
    time: int  # nanoseconds


@dataclass(slots=True)
class FolderLook:
    """What a look at the folder saw: the files in their states, and those that are complete and taken by nobody."""

    files: list[FolderFile]
    ready: list[Path]
    trouble: str = ""


async def choice(desk: Desk) -> FolderChoice:
    """The setting of the desk's connection. Raises `StoreError`."""
    found = await desk.journal.read(read_setting, _key(desk))
    data = found if isinstance(found, dict) else {}
    return FolderChoice(Path(data["folder"]) if data.get("folder") else None, bool(data.get("send")))


async def choose(desk: Desk, chosen: FolderChoice) -> None:
    """Change the setting. Raises `StoreError`."""
    record = {"folder": None if chosen.folder is None else str(chosen.folder), "send": chosen.send}
    await desk.journal.write(write_setting, _key(desk), record)


class FolderWatch:
    """Looks at one folder again and again. A file counts as complete once two looks saw it alike."""

    def __init__(self, desk: Desk, chosen: FolderChoice) -> None:
        assert chosen.folder is not None
        self._desk, self._chosen, self._folder = desk, chosen, chosen.folder
        self._before: dict[Path, _Stamp] = {}
        self._owner = ""

    async def look(self) -> FolderLook:
        """Read the folder, write the receipts that are due, and return how each file stands. Raises `StoreError`."""
        await self._know_owner()
        found = await in_thread(self._look, Progress())
        for place, each in enumerate(found.files):
            if each.state == "sent" and each.imports:
                found.files[place] = await self._follow(each)
        return found

    async def _know_owner(self) -> None:
        """Read which journal marks the files that are taken here."""
        if not self._owner:
            self._owner = f"{await self._desk.journal.read(import_store.journal_name)}/{self._desk.profile.id}"

    async def take(self, path: Path, progress: Progress) -> FolderFile | None:
        """Take a file that is ready, check it, and send it if that is chosen and nothing is to be said.

        None if another program was faster. Raises `StoreError`, `Stopped`; the file is taken again then.
        """
        stamp = self._before.get(path)
        if stamp is None:
            return None
        try:
            if not await in_thread(lambda: self._mark(path, stamp), progress):
                return None
        except FileTrouble as error:  # without its mark nobody takes it: two programs could
            return FolderFile(path, "trouble", error.sentence, written=stamp.time)
        try:
            return await self._check(path, stamp, progress)
        except (FileTrouble, ExportTrouble) as error:
            return await self._note_trouble(path, error.sentence, stamp)
        except BaseException:
            # Stopped, or the program ends: without its mark the file is taken again at the next look.
            await in_thread(lambda: _mark_of(path).unlink(missing_ok=True), Progress())
            raise

    async def note_sent(self, path: Path, import_id: int | None) -> None:
        """A person has opened a file that waited, and sent it (its import), or put it aside (None)."""
        stamp = _stamp(path)
        if stamp is None:
            return
        await self._know_owner()
        known = await in_thread(lambda: self._marked(path, stamp), Progress())
        before = () if known is None else known.imports
        if import_id is not None:
            await self._note(FolderFile(path, "sent", words.FILE_SENT, (*before, import_id)), stamp)
        elif not before:
            await self._note(FolderFile(path, "done", words.FILE_LEFT), stamp)

    # The folder, on a thread

    def _look(self) -> FolderLook:
        try:
            paths = sorted(each for each in self._folder.iterdir() if is_candidate(each) and each.is_file())
        except OSError as error:
            return FolderLook([], [], f"{words.FOLDER_GONE} {why_refused(error)}")
        found = FolderLook([], [])
        now: dict[Path, _Stamp] = {}
        for path in paths:
            stamp = _stamp(path)
            if stamp is None:
                continue
            now[path] = stamp
            known = self._marked(path, stamp)
            if known is not None:
                found.files.append(replace(known, written=stamp.time))
            # Only if it is as it was at the look before: somebody may still be writing it.
            elif stamp == self._before.get(path) and _opens(path):
                found.ready.append(path)
            else:
                found.files.append(FolderFile(path, "growing", words.STILL_GROWING, written=stamp.time))
        self._before = now
        return found

    def _marked(self, path: Path, stamp: _Stamp) -> FolderFile | None:
        """The file as its mark says; None for a file that nobody took, or that was written anew since we took it."""
        mark = _read_mark(path)
        if mark is None:
            return None
        if mark.get("owner") != self._owner:
            return FolderFile(path, "elsewhere", words.TAKEN_ELSEWHERE)
        if mark.get("stamp") != [stamp.size, stamp.time] or mark.get("state") not in (
            "waiting",
            "sent",
            "done",
            "trouble",
        ):
            return None
        imports = mark.get("imports")
        known = tuple(each for each in imports if isinstance(each, int)) if isinstance(imports, list) else ()
        return FolderFile(path, mark["state"], str(mark.get("sentence", "")), known)

    def _mark(self, path: Path, stamp: _Stamp) -> bool:
        """Take the file for this program; False where another one has."""
        text = self._mark_text(stamp, "taken", "")
        try:
            # Made new or not at all: of two programs one succeeds, also on a folder that they share over the network.
            with _mark_of(path).open("x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError:
            mark = _read_mark(path)
            if mark is None or mark.get("owner") != self._owner:
                return False
            _replace(_mark_of(path), text)
        except OSError as error:
            raise FileTrouble(words.mark_not_made(path.name, why_refused(error))) from error
        return True

    def _mark_text(self, stamp: _Stamp, state: str, sentence: str, imports: tuple[int, ...] = ()) -> str:
        record = {"owner": self._owner, "stamp": [stamp.size, stamp.time], "state": state, "sentence": sentence}
        return json.dumps(record | {"imports": list(imports)}, ensure_ascii=False)

    async def _note(self, file: FolderFile, stamp: _Stamp) -> FolderFile:
        text = self._mark_text(stamp, file.state, file.sentence, file.imports)
        await in_thread(lambda: _replace(_mark_of(file.path), text), Progress())
        return replace(file, written=stamp.time)

    async def _note_trouble(self, path: Path, sentence: str, stamp: _Stamp) -> FolderFile:
        trouble = FolderFile(path, "trouble", sentence, written=stamp.time)
        try:
            return await self._note(trouble, stamp)
        except FileTrouble:
            return trouble  # not in its mark, so the file is taken again at a later look

    # One file

    async def _check(self, path: Path, stamp: _Stamp, progress: Progress) -> FolderFile:
        opened = await open_sheet(self._desk, path, ReadOptions(), progress)
        sheet, matched = opened
        verdicts = ImportVerdicts()
        await import_verdicts.look_here(self._desk, sheet, verdicts, progress)
        # The program that writes the file went on meanwhile: the rows that were checked are not the file's rows now.
        if _stamp(path) != stamp:
            raise FileTrouble(words.STILL_GROWING)
        sends = sum(1 for key in sheet.orders if verdicts.is_sent(key))
        if not is_clean(sheet, matched, verdicts) or (sends and not self._chosen.send):
            return await self._note(FolderFile(path, "waiting", words.FILE_WAITS), stamp)
        if not sends:
            await self._write_check(sheet, verdicts, path)
            return await self._note(FolderFile(path, "done", words.FILE_UNCHANGED), stamp)
        import_id = await import_batch.freeze(self._desk, sheet, verdicts, progress)
        imports = () if import_id is None else (import_id,)
        return await self._note(FolderFile(path, "sent", words.FILE_SENT, imports), stamp)

    async def _write_check(self, sheet: ImportSheet, verdicts: ImportVerdicts, path: Path) -> None:
        await import_receipt.write_check(sheet, verdicts, receipt_path(path), Progress(), replace=True)

    async def _follow(self, file: FolderFile) -> FolderFile:
        """Write the receipts of a file once its imports have ended, as far as they end by themselves."""
        found = [await import_batch.summary(self._desk, each) for each in file.imports]
        under_way = [each for each in found if each.ended < each.total and each.state != "stopped"]
        if under_way:
            ended, total = (sum(getattr(each, name) for each in found) for name in ("ended", "total"))
            return replace(file, sentence=words.file_under_way(ended, total))
        try:
            for place, each in enumerate(file.imports):
                target = receipt_path(file.path, place)
                await import_receipt.write_receipt(self._desk, each, target, Progress(), replace=True)
            if any(each.state not in ("done", "stopped") for each in found):
                return replace(file, sentence=words.file_needs_person(sum(each.needs_person for each in found)))
            stamp = _stamp(file.path)
            done = replace(file, state="done", sentence=words.FILE_DONE)
            return done if stamp is None else await self._note(done, stamp)
        except (ExportTrouble, FileTrouble) as error:  # tried again at the next look
            return replace(file, sentence=error.sentence)


async def open_sheet(desk: Desk, path: Path, options: ReadOptions, progress: Progress) -> tuple[ImportSheet, Matched]:
    """A file read, mapped as the last one with these titles, and checked.

    Raises `FileTrouble`, `StoreError`, `Stopped`.
    """
    table = await read_file(path, options, progress)
    if options == ReadOptions() and (again := await kept_mappings.reading_for(desk, table)) is not None:
        table = await read_file(path, again, progress)
    matched = await kept_mappings.mapping_for(desk, table)
    sheet = ImportSheet(table, matched.mapping, await known_facilities(desk))
    await in_thread(lambda: sheet.check_all(progress), progress)
    return sheet, matched


def is_clean(sheet: ImportSheet, matched: Matched, verdicts: ImportVerdicts) -> bool:
    """Whether nothing is to be said about a file: nothing guessed, no issue, no doubt, no verdict that needs a yes."""
    return (
        all(each.sure for each in (*sheet.table.findings, *matched.findings))
        and not matched.missing
        and not any(order.issues for order in sheet.orders.values())
        and all(each.kind in _UNCHANGED for each in verdicts.found.values())
    )


def is_candidate(path: Path) -> bool:
    """Whether a file of this name is one to import: no receipt, no mark, nothing that another program keeps there."""
    name = path.name
    own = name.startswith((".", "~$")) or path.stem.endswith(words.receipt_name("").rstrip())
    return path.suffix.lower() in SUFFIXES and not own


def receipt_path(path: Path, place: int = 0) -> Path:
    """Where a receipt of a file stands: a workbook for a workbook, else CSV. `place` counts its imports from 0.

    No two files, and no two imports of a file, have one name. The short name has no ending in it, the others have one.
    """
    suffix = ".csv" if path.suffix.lower() in TEXTS else ".xlsx"
    short = path.suffix.lower() == suffix and not place and not any(each in path.stem.lower() for each in SUFFIXES)
    name = path.stem if short else f"{path.name} {place + 1}" if place else path.name
    return path.with_name(f"{words.receipt_name(name)}{suffix}")


def _key(desk: Desk) -> str:
    return f"imports.folder.{desk.profile.id}"


def _mark_of(path: Path) -> Path:
    return path.with_name(path.name + MARK)


def _read_mark(path: Path) -> Mapping[str, Any] | None:
    """The mark of a file; None without one. A mark that cannot be read counts as that of another owner."""
    try:
        found = json.loads(_mark_of(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _replace(mark: Path, text: str) -> None:
    unfinished = mark.with_name(f"{mark.name}.unfinished")
    try:
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(mark)
    except OSError as error:
        raise FileTrouble(words.mark_not_made(mark.name.removesuffix(MARK), why_refused(error))) from error


def _stamp(path: Path) -> _Stamp | None:
    try:
        found = path.stat()
    except OSError:
        return None  # gone since
    return _Stamp(found.st_size, found.st_mtime_ns)


def _opens(path: Path) -> bool:
    """Whether nobody else has the file open for writing, as far as the system says so: Windows does."""
    try:
        with path.open("r+b" if os.name == "nt" else "rb"):
            return path.stat().st_size > 0
    except OSError:
        return False

"""Repairs a damaged journal: a new one is built from its readable pages and its readable copy, and put in its place.

Invariants:
- The damaged file is renamed, with a name that says why, and never changed, deleted or overwritten.
- Every write that was queued, sending or in doubt is in doubt in the new file, so none is sent automatically.
- The new file is complete, checked and on the disk before the old one loses its name. A start that finds a finished
  file puts it in place first, so after a power cut at any moment there is either the old file or the new one.
"""

import contextlib
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import apsw

from app.store.journal.recovery.readable_copy import copy_path, read_copy
from app.store.journal.recovery.rebuild import Rebuilt, rebuild
from app.store.journal.recovery.salvage import salvage
from app.store.journal.schema.journal_schema import JOURNAL
from app.store.journal.schema.seal import seal_changed
from app.store.journal.setting_store import read_setting, write_setting
from app.store.sqlite.opening import SIDES, copy_to, damage_mark, finished_path, open_file, sync_folder, unused_name
from app.store.sqlite.plain_rows import value
from app.store.sqlite.text_values import to_moment
from app.store.store_errors import JournalDamaged
from app.translation import translate

_REPORT = "journal.restored"  # the setting with the last report, which the page Settings shows
_ANNOUNCED = "journal.restored.told"  # the setting with the moment of the report that the window announced
_ASIDE = "journal.aside"  # the setting of a finished file with the names for the files that it replaces


@dataclass(frozen=True, slots=True)
class RestoreReport:
    """The result of a repair or a restored backup, its moment (`at`), and its reason in a few words.

    `aside` is the name of the file that was in use before, in the journal's folder. The tuples hold references:
    `in_doubt` of writes that were on their way, `uncertain` of writes that could not be checked in full, `missing` of
    writes that only the file before has. `requests_in_doubt` and `requests_missing` hold the names of such requests.
    """

    at: str
    why: str
    aside: str
    writes: int = 0
    drafts: int = 0
    in_doubt: tuple[str, ...] = ()
    uncertain: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    requests: int = 0
    requests_in_doubt: tuple[str, ...] = ()
    requests_missing: tuple[str, ...] = ()


def repair(path: Path, why: str, now: datetime) -> RestoreReport:
    """Put a new journal with everything readable in the place of the damaged one, which is kept under another name.

    Raises a `StoreError`, `apsw.Error` or `OSError` if that fails; then the damaged file is unchanged.
    """
    # The name is chosen now and stored in the new file, so that `put_in_place` uses the same name after a power cut.
    aside, copy = {"file": unused_name(path, "damaged").name}, read_copy(copy_path(path))
    if copy_path(path).exists() and not copy.place.journal:  # it has no sound line
        aside["copy"] = unused_name(copy_path(path), "damaged").name
    unfinished = new_file(path)
    connection = open_file(unfinished, JOURNAL)
    try:
        connection.execute("BEGIN IMMEDIATE")
        rebuilt = rebuild(connection, salvage(path), copy, now)
        report = _report(rebuilt, why, aside["file"], now)
        finish(connection, path, report, aside)
    finally:
        connection.close(True)
        with contextlib.suppress(OSError):  # `new_file` removes it the next time
            remove(unfinished)
    put_in_place(path)
    return report


def _report(rebuilt: Rebuilt, why: str, aside: str, now: datetime) -> RestoreReport:
    return RestoreReport(
        to_moment(now),
        why,
        aside,
        rebuilt.writes,
        rebuilt.drafts,
        tuple(rebuilt.in_doubt),
        tuple(rebuilt.uncertain),
        requests=rebuilt.requests,
        requests_in_doubt=tuple(rebuilt.requests_in_doubt),
    )


def new_file(path: Path) -> Path:
    """The path at which the next journal is built; a file left there is removed."""
    unfinished = path.with_name(f"{path.stem}.restoring{path.suffix}")
    remove(unfinished)
    return unfinished


def remove(unfinished: Path) -> None:
    """Remove an unfinished journal with its side files."""
    for side in (*SIDES, ".unfinished"):
        unfinished.with_name(unfinished.name + side).unlink(missing_ok=True)


def finish(c: apsw.Connection, path: Path, report: RestoreReport, aside: dict[str, str]) -> None:
    """Commit a rebuilt journal, check it, and copy it to the path from which `put_in_place` takes it.

    `aside` holds the new name of the file in use, and of its copy if the new journal does not continue it.
    """
    write_setting(c, _REPORT, asdict(report))
    write_setting(c, _ASIDE, aside)
    while value(c, "SELECT 1 FROM writes WHERE seal IS NULL LIMIT 1") is not None:
        seal_changed(c)
    c.execute("COMMIT")
    found = value(c, "PRAGMA quick_check(1)")
    if found != "ok":
        sentence = translate("The journal {path} could not be made anew: {reason}.", path=path, reason=found)
        raise JournalDamaged(sentence, str(found))
    copy_to(c, finished_path(path))


def last_restore(c: apsw.Connection) -> RestoreReport | None:
    """The report of this journal's last repair or restore; None if there was none."""
    found = read_setting(c, _REPORT)
    if not isinstance(found, dict):
        return None
    values: dict[str, Any] = {name: tuple(each) if isinstance(each, list) else each for name, each in found.items()}
    return RestoreReport(**values)


def unannounced_restore(c: apsw.Connection) -> RestoreReport | None:
    """`last_restore`, unless the window has announced that report before."""
    found = last_restore(c)
    return None if found is None or read_setting(c, _ANNOUNCED) == found.at else found


def mark_announced(c: apsw.Connection, at: str) -> None:
    """Store that the window announced the report of the moment `at`."""
    write_setting(c, _ANNOUNCED, at)


def put_in_place(path: Path) -> None:
    """Put a finished journal in the place of the one in use, if there is a finished one.

    The call can be repeated after it was stopped at any step. Only for the folder's owner, before the file is open.
    """
    finished = finished_path(path)
    if not finished.exists():
        return
    try:
        aside = _aside_of(finished)
    except apsw.Error:
        # The file was complete when it got its name, so the disk damaged it later. The old journal is still in place.
        finished.rename(unused_name(finished, "damaged"))
        return
    # The database file last: as long as it has its name, a repeated call finds everything that is left to rename.
    for side in (*SIDES[1:], SIDES[0]):
        _move(path.with_name(path.name + side), aside["file"] + side)
    if "copy" in aside:
        _move(copy_path(path), aside["copy"])
    damage_mark(path).unlink(missing_ok=True)
    sync_folder(path.parent)
    # Between the two syncs: the old names are surely free on the disk before the new file takes one of them.
    finished.rename(path)
    sync_folder(path.parent)


def _move(source: Path, name: str) -> None:
    if source.exists():
        source.rename(source.with_name(name))


def _aside_of(finished: Path) -> dict[str, str]:
    connection = apsw.Connection(str(finished), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        found = read_setting(connection, _ASIDE)
    finally:
        connection.close(True)
    if not isinstance(found, dict) or not isinstance(found.get("file"), str):
        raise apsw.CorruptError("the finished journal has no names for the files that it replaces")
    return found

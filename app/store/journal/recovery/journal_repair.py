"""Makes a journal anew out of what can be read of a damaged one and of its readable copy.

Invariants: the damaged file is moved aside under a name that says so, never changed, deleted or written over. Whatever
was on its way in it (queued, being sent, in doubt) comes back in doubt with a sentence, so nothing restored is ever
sent by itself. The new file is finished, checked and on the disk before the old one loses its name; a start that finds
a finished one puts it in place first, so a power cut at any moment leaves either the old or the new.
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

_RESTORED = "journal.restored"  # the setting that holds the last report, for Settings to show
_TOLD = "journal.restored.told"  # the setting that says of which report a person was told in the window
_ASIDE = "journal.aside"  # the setting of a file not yet in place that says where the one before it goes


@dataclass(frozen=True, slots=True)
class RestoreReport:
    """What was brought back, when (`at`), and why in a few words.

    `aside` is the name of the file that was in use before, which lies beside the journal. `in_doubt` are the references
    of writes that were on their way; `uncertain` those of which parts could not be checked; `missing` those that the
    file before knew of and this one does not.
    """

    at: str
    why: str
    aside: str
    writes: int = 0
    drafts: int = 0
    in_doubt: tuple[str, ...] = ()
    uncertain: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


def repair(path: Path, why: str, now: datetime) -> RestoreReport:
    """Move the damaged journal aside and put a new one in its place, with all that can be read.

    Raises a `StoreError`, `apsw.Error` or `OSError` when that fails; the damaged file is as it was then.
    """
    aside, copy = {"file": unused_name(path, "damaged").name}, read_copy(copy_path(path))
    if copy_path(path).exists() and not copy.place.journal:  # not a line of it can be read
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
        with contextlib.suppress(OSError):  # else it is removed before the next such file is made
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
    )


def new_file(path: Path) -> Path:
    """Where a journal is made that is to take the place of the one at `path`; nothing lies there."""
    unfinished = path.with_name(f"{path.stem}.restoring{path.suffix}")
    remove(unfinished)
    return unfinished


def remove(unfinished: Path) -> None:
    """Remove what was made on the way."""
    for side in (*SIDES, ".unfinished"):
        unfinished.with_name(unfinished.name + side).unlink(missing_ok=True)


def finish(c: apsw.Connection, path: Path, report: RestoreReport, aside: dict[str, str]) -> None:
    """End the transaction in which a journal was made anew, and lay the file ready to take its place.

    `aside` names where the file in use goes, and its copy if that is not to be gone on with.
    """
    write_setting(c, _RESTORED, asdict(report))
    write_setting(c, _ASIDE, aside)
    while value(c, "SELECT 1 FROM writes WHERE seal IS NULL LIMIT 1") is not None:
        seal_changed(c)
    c.execute("COMMIT")
    found = value(c, "PRAGMA quick_check(1)")
    if found != "ok":
        raise JournalDamaged(f"The journal {path} could not be made anew: {found}.", str(found))
    copy_to(c, finished_path(path))


def last_restore(c: apsw.Connection) -> RestoreReport | None:
    """The report of the last time this journal was brought back; None when it never was."""
    found = read_setting(c, _RESTORED)
    if not isinstance(found, dict):
        return None
    told: dict[str, Any] = {name: tuple(each) if isinstance(each, list) else each for name, each in found.items()}
    return RestoreReport(**told)


def unannounced_restore(c: apsw.Connection) -> RestoreReport | None:
    """The same, unless a person was told of it already."""
    found = last_restore(c)
    return None if found is None or read_setting(c, _TOLD) == found.at else found


def mark_announced(c: apsw.Connection, at: str) -> None:
    """A person was told of the report of this moment."""
    write_setting(c, _TOLD, at)


def put_in_place(path: Path) -> None:
    """Let a finished journal take the place of the one before it, if one is waiting.

    Can be done again after having been cut off anywhere. Only for the owner of the folder, and before the file is open.
    """
    finished = finished_path(path)
    if not finished.exists():
        return
    try:
        aside = _aside_of(finished)
    except apsw.Error:
        # It was whole when it got its name, so the disk has spoilt it since. What it was made from is still there.
        finished.rename(unused_name(finished, "damaged"))
        return
    for side in (*SIDES[1:], SIDES[0]):  # the file itself last: while it is there, nothing is gone
        _move(path.with_name(path.name + side), aside["file"] + side)
    if "copy" in aside:
        _move(copy_path(path), aside["copy"])
    damage_mark(path).unlink(missing_ok=True)
    sync_folder(path.parent)
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
        raise apsw.CorruptError("it does not say what it takes the place of")
    return found

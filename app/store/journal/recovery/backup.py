"""A copy of the journal in one file that a person keeps, and the way back from it.

Restoring is laid ready while the program runs and takes effect at its next start, because what is being sent at this
moment still has to be written down in the journal it was sent from. Nothing restored is ever sent by itself.
"""

import contextlib
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import apsw

from app.store.journal.recovery.journal_repair import RestoreReport, finish, new_file
from app.store.journal.recovery.readable_copy import copy_path
from app.store.journal.recovery.unfinished_writes import put_in_doubt
from app.store.journal.schema.journal_schema import JOURNAL
from app.store.journal.schema.seal import is_sound
from app.store.sqlite.opening import copy_to, finished_path, open_file, unused_name
from app.store.sqlite.plain_rows import column_names, rows, value
from app.store.sqlite.text_values import from_moment, to_moment
from app.store.store_errors import JournalDamaged, NotSaved, disk_sentence

_OWN_NAMES = ("journal.", "cache.", "waybill.lock")  # how the names of files begin that are kept in the data folder
RESTORED = (
    "This comes from a restored backup. Waybill does not know whether it was sent after the backup was made, so it is "
    "not sent by itself: look it up first."
)


@dataclass(frozen=True, slots=True)
class BackupFacts:
    """What a file holds. `last_change` is when a write in it last changed, None when there is none."""

    writes: int
    drafts: int
    profiles: int
    last_change: datetime | None


def back_up(c: apsw.Connection, target: Path) -> None:
    """Copy the journal into the file `target`, in the place of one that may be there. Raises `NotSaved`."""
    try:
        _refuse_own(_journal_of(c), target)
        copy_to(c, target)
    except (apsw.Error, OSError) as error:
        with contextlib.suppress(OSError):  # where nothing could be written, nothing may be there to remove
            target.with_name(target.name + ".unfinished").unlink(missing_ok=True)
        raise NotSaved(f"The backup could not be written to {target}. {_reason(error)}") from error


def _refuse_own(journal: Path, target: Path) -> None:
    """Refuse to write over a file that the program itself keeps in its folder, and may have open at this moment."""
    if not target.exists():
        return
    if target.samefile(journal):
        raise NotSaved("This is the journal itself. Choose another file to back it up to.")
    own = target.resolve().parent == journal.resolve().parent
    if own and target.name.startswith(_OWN_NAMES):
        raise NotSaved(f"{target.name} is one of Waybill's own files. Choose another file to back the journal up to.")


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"{error.strerror or error}."
    return (disk_sentence(error) if isinstance(error, apsw.Error) else None) or f"{error}."


def inspect_backup(c: apsw.Connection, chosen: Path) -> BackupFacts:
    """What is in the file, after it was read through. Raises `JournalDamaged`, `SchemaTooNew` or `NotOpened`.

    `c` is the journal in use; a copy of the file is made beside it and removed again.
    """
    made = _fresh_copy(chosen, _journal_of(c))
    try:
        return BackupFacts(
            int(value(made, "SELECT count(*) FROM writes")),
            int(value(made, "SELECT count(*) FROM drafts WHERE closed_at IS NULL")),
            int(value(made, "SELECT count(*) FROM profiles")),
            from_moment(value(made, "SELECT max(changed_at) FROM writes")),
        )
    finally:
        made.close(True)
        _remove_all(_journal_of(c))


def stage_restore(c: apsw.Connection, chosen: Path, now: datetime) -> RestoreReport:
    """Make ready that the journal of the chosen file takes the place of the one in use at the next start.

    The one in use is kept beside it then, with its readable copy. Raises as `inspect_backup`, and `NotSaved`.
    """
    path = _journal_of(c)
    made = _fresh_copy(chosen, path)
    try:
        made.execute("BEGIN IMMEDIATE")
        made.execute("UPDATE tally SET journal = lower(hex(randomblob(8)))")  # it gets a copy of its own
        in_doubt = put_in_doubt(made, now, RESTORED)
        aside = {
            "file": unused_name(path, "before-restore").name,
            "copy": unused_name(copy_path(path), "before-restore").name,
        }
        report = RestoreReport(
            to_moment(now),
            f"it was restored from {chosen.name}",
            aside["file"],
            int(value(made, "SELECT count(*) FROM writes")),
            int(value(made, "SELECT count(*) FROM drafts WHERE closed_at IS NULL")),
            tuple(in_doubt),
            missing=tuple(sorted({reference for _, _, reference in _sent(c) - _sent(made)})),
        )
        finish(made, path, report, aside)
    except (apsw.Error, OSError) as error:
        raise NotSaved(f"The backup could not be restored. {_reason(error)}") from error
    finally:
        made.close(True)
        _remove_all(path)
    return report


def cancel_restore(c: apsw.Connection) -> None:
    """Do not restore what was laid ready after all. Raises `NotSaved`."""
    try:
        finished_path(_journal_of(c)).unlink(missing_ok=True)
    except OSError as error:
        raise NotSaved(f"The restore could not be taken back. {_reason(error)} Try again.") from error


def _journal_of(c: apsw.Connection) -> Path:
    return Path(c.db_filename("main"))


def _sent(c: apsw.Connection) -> set[tuple[str, str, str]]:
    """Which bytes went where, for comparing two journals."""
    return set(rows(c, "SELECT sha256, profile, reference FROM writes"))


def _fresh_copy(chosen: Path, path: Path) -> apsw.Connection:
    """The chosen file as an open journal of this version, in a file of its own beside `path`; the chosen one is only
    read."""
    made: apsw.Connection | None = None
    try:
        unfinished = new_file(path)
        source = apsw.Connection(str(chosen), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            copy_to(source, unfinished)
        finally:
            source.close(True)
        made = open_file(unfinished, JOURNAL)
        _look_at_writes(made)
    except BaseException as error:
        if made is not None:
            made.close(True)  # before it is removed: some systems remove nothing that is open
        _remove_all(path)
        if isinstance(error, apsw.Error | OSError | UnicodeDecodeError | JournalDamaged):
            raise _unfit(chosen, error) from error
        raise
    return made


def _look_at_writes(made: apsw.Connection) -> None:
    # Row by row: a journal may be larger than the memory of this computer.
    names = column_names(made, "writes")
    if not all(is_sound(dict(zip(names, each, strict=True))) for each in made.execute("SELECT * FROM writes")):
        raise JournalDamaged("", "something in it is not what was written")


def _unfit(chosen: Path, error: Exception) -> JournalDamaged:
    if isinstance(error, UnicodeDecodeError):
        why = "a text in it is none"
    else:
        why = error.why if isinstance(error, JournalDamaged) else _reason(error)
    return JournalDamaged(f"{chosen} cannot be restored: {why.rstrip('.')}. Nothing was changed.", why)


def _remove_all(path: Path) -> None:
    """What was made on the way, with the copy that a migration of an older file has left.

    What cannot be removed now is removed before the next such file is made: it changes nothing of how this one ended.
    """
    with contextlib.suppress(OSError):
        unfinished = new_file(path)  # also removes it
        for left in unfinished.parent.glob(f"{unfinished.stem}.version-*{unfinished.suffix}"):
            left.unlink()

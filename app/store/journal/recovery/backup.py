"""Backups: a copy of the journal in one file that a person keeps, and restoring the journal from it.

Invariants: a restore is staged while the program runs and takes effect at its next start, because the outcome of a
write that is sending has to be stored in the journal that it was sent from. No restored write is sent automatically.
"""

import contextlib
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import apsw

from app.store.journal.recovery.journal_repair import RestoreReport, finish, new_file
from app.store.journal.recovery.readable_copy import copy_path
from app.store.journal.recovery.unfinished_writes import put_in_doubt
from app.store.journal.request_store import end_unfinished, names_in_doubt, names_of_sent
from app.store.journal.schema.journal_schema import JOURNAL
from app.store.journal.schema.seal import is_sound
from app.store.sqlite.file_errors import disk_sentence
from app.store.sqlite.opening import copy_to, finished_path, open_file, unused_name
from app.store.sqlite.plain_rows import column_names, rows, value
from app.store.sqlite.text_values import from_moment, to_moment
from app.store.store_errors import JournalDamaged, NotSaved
from app.translation import translate

_OWN_NAMES = ("journal.", "cache.", "waybill.lock")  # beginnings of the names of Waybill's own files
RESTORED = translate(
    "Restored from a backup. It may have been sent after the backup was made, so it is not sent automatically. Look it "
    "up first."
)


@dataclass(frozen=True, slots=True)
class BackupFacts:
    """The numbers of rows in a backup. `last_change` is when a write in it last changed, None if it has no write."""

    writes: int
    drafts: int
    profiles: int
    last_change: datetime | None


def back_up(c: apsw.Connection, target: Path) -> None:
    """Copy the journal into the file `target`, which may exist. Raises `NotSaved`."""
    try:
        _refuse_own(_journal_of(c), target)
        copy_to(c, target)
    except (apsw.Error, OSError) as error:
        with contextlib.suppress(OSError):  # the folder itself may be the trouble
            target.with_name(target.name + ".unfinished").unlink(missing_ok=True)
        raise NotSaved(
            translate("The backup could not be written to {path}. {reason}", path=target, reason=_reason(error))
        ) from error


def _refuse_own(journal: Path, target: Path) -> None:
    """Refuse to overwrite one of Waybill's own files, which may be open at this moment."""
    if not target.exists():
        return
    if target.samefile(journal):
        raise NotSaved(translate("This is the journal itself. Choose another file to back it up to."))
    own = target.parent.samefile(journal.parent)
    if own and target.name.startswith(_OWN_NAMES):
        raise NotSaved(
            translate(
                "{name} is one of Waybill's own files. Choose another file to back the journal up to.", name=target.name
            )
        )


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"{error.strerror or error}."
    return (disk_sentence(error) if isinstance(error, apsw.Error) else None) or f"{error}."


def inspect_backup(c: apsw.Connection, chosen: Path) -> BackupFacts:
    """The contents of a backup, after a full check. Raises `JournalDamaged`, `SchemaTooNew` or `NotOpened`.

    `c` is the journal in use. The backup itself is not opened for writing: a copy in the journal's folder is, and is
    removed again.
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
        # Closed before it is removed: Windows removes no open file.
        made.close(True)
        _remove_all(_journal_of(c))


def stage_restore(c: apsw.Connection, chosen: Path, now: datetime) -> RestoreReport:
    """Prepare a backup to replace the journal in use at the next start, and return what it will bring back.

    The journal in use is kept then under another name, with its readable copy. Raises as `inspect_backup`, and
    `NotSaved`.
    """
    path = _journal_of(c)
    made = _fresh_copy(chosen, path)
    try:
        made.execute("BEGIN IMMEDIATE")
        # Under a name of its own, the restored journal does not continue the readable copy of the one in use.
        made.execute("UPDATE tally SET journal = lower(hex(randomblob(8)))")
        in_doubt = put_in_doubt(made, now, RESTORED)
        end_unfinished(made, now)
        asked, known = names_of_sent(c), names_of_sent(made)
        aside = {
            "file": unused_name(path, "before-restore").name,
            "copy": unused_name(copy_path(path), "before-restore").name,
        }
        report = RestoreReport(
            to_moment(now),
            translate("it was restored from {name}", name=chosen.name),
            aside["file"],
            int(value(made, "SELECT count(*) FROM writes")),
            int(value(made, "SELECT count(*) FROM drafts WHERE closed_at IS NULL")),
            tuple(in_doubt),
            missing=tuple(sorted({reference for _, _, reference in _sent(c) - _sent(made)})),
            requests=len(known),
            requests_in_doubt=tuple(names_in_doubt(made)),
            requests_missing=tuple(name for each, name in asked.items() if each not in known),
        )
        finish(made, path, report, aside)
    except (apsw.Error, OSError) as error:
        raise NotSaved(translate("The backup could not be restored. {reason}", reason=_reason(error))) from error
    finally:
        # Closed before it is removed: Windows removes no open file.
        made.close(True)
        _remove_all(path)
    return report


def cancel_restore(c: apsw.Connection) -> None:
    """Drop the restore that was staged. Raises `NotSaved`."""
    try:
        finished_path(_journal_of(c)).unlink(missing_ok=True)
    except OSError as error:
        raise NotSaved(
            translate("The restore could not be cancelled. {reason} Try again.", reason=_reason(error))
        ) from error


def _journal_of(c: apsw.Connection) -> Path:
    return Path(c.db_filename("main"))


def _sent(c: apsw.Connection) -> set[tuple[str, str, str]]:
    """The writes of a journal as digest, profile and reference, to compare two journals."""
    return set(rows(c, "SELECT sha256, profile, reference FROM writes"))


def _fresh_copy(chosen: Path, path: Path) -> apsw.Connection:
    """An open journal of this version with the content of the chosen file, which is only read."""
    made: apsw.Connection | None = None
    try:
        unfinished = new_file(path)
        source = apsw.Connection(str(chosen), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            copy_to(source, unfinished)
        finally:
            source.close(True)
        made = open_file(unfinished, JOURNAL)
        _check_writes(made)
    except BaseException as error:
        if made is not None:
            made.close(True)  # Windows removes no file that is open
        _remove_all(path)
        if isinstance(error, apsw.Error | OSError | UnicodeDecodeError | JournalDamaged):
            raise _unfit(chosen, error) from error
        raise
    return made


def _check_writes(made: apsw.Connection) -> None:
    # Row by row: a journal may be larger than the memory of this computer.
    names = column_names(made, "writes")
    if not all(is_sound(dict(zip(names, each, strict=True))) for each in made.execute("SELECT * FROM writes")):
        raise JournalDamaged("", "something in it is not what was written")


def _unfit(chosen: Path, error: Exception) -> JournalDamaged:
    if isinstance(error, UnicodeDecodeError):
        why = "a text in it is no UTF-8"
    else:
        why = error.why if isinstance(error, JournalDamaged) else _reason(error)
    return JournalDamaged(
        translate("{path} cannot be restored: {reason}. Nothing was changed.", path=chosen, reason=why.rstrip(".")), why
    )


def _remove_all(path: Path) -> None:
    """Remove the copy of a backup, and the file that its migration stored next to it."""
    with contextlib.suppress(OSError):  # what cannot be removed now is removed before the next copy is made
        unfinished = new_file(path)  # removes the file itself
        for left in unfinished.parent.glob(f"{unfinished.stem}.version-*{unfinished.suffix}"):
            left.unlink()

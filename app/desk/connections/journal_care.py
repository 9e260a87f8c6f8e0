"""Backs up and restores the journal, deletes writes that ended long ago, and tells how safe the journal is."""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from app.desk.connections.connections_words import not_wiped
from app.store.journal.recovery import backup, retention
from app.store.journal.recovery.backup import BackupFacts
from app.store.journal.recovery.journal_file import Journal
from app.store.journal.recovery.journal_repair import RestoreReport, mark_announced, unannounced_restore
from app.store.journal.recovery.journal_repair import last_restore as _last_restore
from app.store.journal.recovery.retention import Forgotten
from app.store.store_errors import StoreError


async def back_up(journal: Journal, target: Path) -> None:
    """Copy the journal into one file, replacing `target`. Raises `StoreError`; then `target` is as it was."""
    await journal.read_separately(backup.back_up, target)


async def look_at_backup(journal: Journal, chosen: Path) -> BackupFacts:
    """Check a backup; what it holds. Raises `StoreError` if it cannot be restored."""
    return await journal.read_separately(backup.inspect_backup, chosen)


async def restore(journal: Journal, chosen: Path, now: datetime) -> RestoreReport:
    """Prepare that this backup is used from the next start on. The journal in use is kept beside it.

    Writes that were being sent in the backup are in doubt then; `missing` names the references that only the journal in
    use knows. Raises `StoreError`; then nothing has changed.
    """
    return await journal.read_separately(backup.stage_restore, chosen, now)


async def cancel_restore(journal: Journal) -> None:
    """Do not restore after all."""
    await journal.read_separately(backup.cancel_restore)


async def count_older(journal: Journal, days: int, now: datetime) -> int:
    """How many writes `forget_older` would delete."""
    return await journal.read(retention.count_forgettable, now - timedelta(days=days))


class NotWiped(StoreError):
    """Writes are out of the journal, and traces of them are left on the disk; `wipe_forgotten` can be tried again."""


async def forget_older(journal: Journal, days: int, now: datetime) -> Forgotten:
    """Delete the writes that ended more than `days` days ago, never an unfinished one.

    Raises `StoreError`: after `NotWiped` the writes are out of the journal, after any other nothing has changed.
    """
    # Two steps: the rows first, since they are what a person sees; their traces on the disk after that.
    forgotten = await journal.write(retention.forget_before, now - timedelta(days=days))
    return replace(forgotten, lines=await wipe_forgotten(journal))


async def wipe_forgotten(journal: Journal) -> int:
    """Wipe deleted writes out of the log of the journal and its readable copy; how many lines were wiped.

    Also wipes traces that an earlier call has left. Raises `NotWiped`.
    """
    trouble: list[str] = []
    lines = 0
    try:
        await journal.empty_log()
    except StoreError as error:
        trouble.append(error.sentence)
    try:
        lines = await journal.cut_copy(retention.remaining_rows)  # even if the log could not be emptied
    except StoreError as error:
        trouble.append(error.sentence)
    if trouble:
        raise NotWiped(not_wiped(" ".join(trouble)))
    return lines


async def last_restore(journal: Journal) -> RestoreReport | None:
    """The report of the last repair or restore; None if there was none."""
    return await journal.read(_last_restore)


async def restored_to_tell(journal: Journal) -> RestoreReport | None:
    """The report that no person has been shown yet; None from the next call on. Raises `StoreError`."""
    found = await journal.read(unannounced_restore)
    if found is not None:
        await journal.write(mark_announced, found.at)
    return found


def copy_trouble(journal: Journal) -> str | None:
    """Why the readable copy is behind, None while it is not."""
    return journal.copy.trouble

"""Backing up, restoring and forgetting what this desk sent, and what is known of the journal's own safety."""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from app.desk.text.plurals import counted
from app.store.journal.recovery import backup, retention
from app.store.journal.recovery.backup import BackupFacts
from app.store.journal.recovery.journal_file import Journal
from app.store.journal.recovery.journal_repair import RestoreReport, mark_announced, unannounced_restore
from app.store.journal.recovery.journal_repair import last_restore as _last_restore
from app.store.journal.recovery.retention import Forgotten
from app.store.store_errors import StoreError


async def back_up(journal: Journal, target: Path) -> None:
    """Copy the journal into one file, in the place of one that may be there. Raises `StoreError`; then `target` is as
    it was."""
    await journal.read_separately(backup.back_up, target)


async def look_at_backup(journal: Journal, chosen: Path) -> BackupFacts:
    """Read a backup through and say what it holds. Raises `StoreError` when it cannot be restored."""
    return await journal.read_separately(backup.inspect_backup, chosen)


async def restore(journal: Journal, chosen: Path, now: datetime) -> RestoreReport:
    """Make ready that this backup is in use from the next start on: the program has to be closed and started again.

    The journal in use is kept beside it. Whatever was on its way in the backup is in doubt then; `missing` names what
    the journal in use knows of and the backup does not. Raises `StoreError`; then nothing has changed.
    """
    return await journal.read_separately(backup.stage_restore, chosen, now)


async def take_back_restore(journal: Journal) -> None:
    """Stay with the journal in use after all."""
    await journal.read_separately(backup.cancel_restore)


async def count_older(journal: Journal, days: int, now: datetime) -> int:
    """How many writes `forget_older` would forget."""
    return await journal.read(retention.count_forgettable, now - timedelta(days=days))


class NotWiped(StoreError):
    """The journal has forgotten it, and traces of it are left on the disk; `wipe_forgotten` can be tried again."""


async def forget_older(journal: Journal, days: int, now: datetime) -> Forgotten:
    """Forget for good what ended more than `days` days ago, never anything unsettled.

    Raises `StoreError`: `NotWiped` once it is out of the journal, else nothing has changed.
    """
    forgotten = await journal.write(retention.forget_before, now - timedelta(days=days))
    return replace(forgotten, lines=await wipe_forgotten(journal))


async def wipe_forgotten(journal: Journal) -> int:
    """Wipe what the journal does not hold any more out of its log and its readable copy; how many lines went.

    Raises `NotWiped`. Whatever was left of earlier times goes as well.
    """
    trouble: list[str] = []
    lines = 0
    try:
        await journal.empty_log()
    except StoreError as error:
        trouble.append(error.sentence)
    try:
        lines = await journal.cut_copy(retention.remaining_writes)  # even if the log could not be emptied
    except StoreError as error:
        trouble.append(error.sentence)
    if trouble:
        raise NotWiped(
            f"It is out of the journal, but traces of it are still on the disk: {' '.join(trouble)} "
            "Choose “Forget for good…” again to wipe them."
        )
    return lines


async def last_restore(journal: Journal) -> RestoreReport | None:
    """What was brought back when the journal in use was made from a damaged one or a backup; None if it never was."""
    return await journal.read(_last_restore)


async def restored_to_tell(journal: Journal) -> RestoreReport | None:
    """What was brought back and nobody was told of yet; None from the next call on. Raises `StoreError`."""
    found = await journal.read(unannounced_restore)
    if found is not None:
        await journal.write(mark_announced, found.at)
    return found


def brought_back_words(found: RestoreReport) -> str:
    """That the journal is not the one of before, in a few sentences."""
    parts = [f"The journal was made anew because {found.why}."]
    if found.writes or found.drafts:
        brought = f"{counted(found.writes, 'write')} and {counted(found.drafts, 'draft')}"
        parts.append(f"It holds {brought} of the one before.")
    else:
        parts.append("Nothing could be read of the one before: the outbox and the drafts begin empty.")
    if found.in_doubt:
        parts.append(f"In doubt now: {counted(len(found.in_doubt), 'write')}.")
    if found.missing:
        parts.append(f"Missing, to be looked up: {counted(len(found.missing), 'order')}.")
    parts.append(f"The file before is kept as {found.aside}.")
    return " ".join(parts)


def copy_trouble(journal: Journal) -> str | None:
    """Why the readable copy is behind, None while it is not."""
    return journal.copy.trouble

"""A cancellation that could be undone when the program ended is sent only if a person releases it."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from app.store.journal import undo_window, write_store
from app.store.journal.recovery import unfinished_writes
from app.store.journal.recovery.journal_file import Journal

pytestmark = pytest.mark.asyncio
NOW = datetime(2026, 11, 22, 14, 2, 10)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    made = Journal(tmp_path / "journal.db")
    yield made
    made.close_now()


async def cancel(journal: Journal, reference: str, profile: str = "acme") -> int:
    wait = NOW + timedelta(seconds=10)
    return await journal.write(write_store.queue_write, profile, "cancel", reference, b"{}", NOW, not_before=wait)


async def waiting(journal: Journal, now: datetime) -> list[str]:
    return [each.reference for each in await journal.read(write_store.ready_writes, "acme", now)]


async def test_a_start_after_a_crash_holds_undoable_cancellations(journal: Journal) -> None:
    write = await cancel(journal, "R-1")
    later = NOW + timedelta(days=3)
    assert await waiting(journal, later) == ["R-1"]  # as it would leave
    assert await journal.write(unfinished_writes.recover, later, "here") == 0
    assert await waiting(journal, later) == []
    (row,) = await journal.read(write_store.writes_by_id, [write])
    assert (row.state, row.held, row.not_before) == ("queued", undo_window.UNSENT, None)
    assert [each.id for each in await journal.read(undo_window.held_undoable, "acme")] == [write]


async def test_that_it_could_still_be_undone_is_said_only_where_that_is_known(journal: Journal) -> None:
    """Without a connection a cancellation may wait for hours after its time to undo, while nobody notes that."""
    write = await cancel(journal, "R-1")
    await journal.write(unfinished_writes.recover, NOW + timedelta(seconds=9), "here")
    late = await cancel(journal, "R-2")
    await journal.write(unfinished_writes.recover, NOW + timedelta(hours=3), "here")
    found = await journal.read(undo_window.held_undoable, "acme")
    assert [(each.id, each.held) for each in found] == [(write, undo_window.ENDED), (late, undo_window.UNSENT)]


async def test_another_connection_holds_no_cancellation_whose_time_to_undo_is_over(journal: Journal) -> None:
    """The program was running when that time ended, so a person could see it."""
    write = await cancel(journal, "R-1")
    later = NOW + timedelta(hours=3)
    assert await journal.write(undo_window.hold_undoable, undo_window.LEFT, later, "acme") == 0
    (row,) = await journal.read(write_store.writes_by_id, [write])
    assert (row.held, row.not_before) == (None, None)
    assert await waiting(journal, later) == ["R-1"]


async def test_a_cancellation_whose_undo_ended_is_sent_after_a_start(journal: Journal) -> None:
    write = await cancel(journal, "R-1")
    assert await journal.write(undo_window.end_undo, [write], NOW + timedelta(seconds=11)) == 1
    await journal.write(unfinished_writes.recover, NOW + timedelta(hours=1), "here")
    assert await waiting(journal, NOW + timedelta(hours=1)) == ["R-1"]
    assert await journal.read(undo_window.held_undoable, "acme") == []


async def test_a_cancellation_with_attempts_cannot_be_undone(journal: Journal) -> None:
    tried, back = await cancel(journal, "R-1"), await cancel(journal, "R-2")
    attempt = await journal.write(write_store.begin_attempt, tried, NOW)
    await journal.write(write_store.end_attempt, attempt, "not_sent", NOW)
    await journal.write(write_store.settle, back, "withdrawn", "Undone before it was sent.", NOW)
    assert await journal.read(undo_window.undoable, "acme") == []
    assert await journal.write(undo_window.hold_undoable, undo_window.ENDED, NOW) == 0
    assert await journal.write(undo_window.end_undo, [tried, back], NOW) == 0


async def test_cancellations_of_another_connection_stay_as_they_are(journal: Journal) -> None:
    await cancel(journal, "R-1")
    other = await cancel(journal, "R-2", "other")
    assert await journal.write(undo_window.hold_undoable, undo_window.LEFT, NOW, "acme") == 1
    (row,) = await journal.read(write_store.writes_by_id, [other])
    assert row.held is None

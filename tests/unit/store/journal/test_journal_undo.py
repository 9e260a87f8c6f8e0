"""What could still be taken back when the program ended is never sent unasked."""

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
def kept(tmp_path: Path) -> Iterator[Journal]:
    made = Journal(tmp_path / "journal.db")
    yield made
    made.close_now()


async def cancel(kept: Journal, reference: str, profile: str = "acme") -> int:
    wait = NOW + timedelta(seconds=10)
    return await kept.write(write_store.queue_write, profile, "cancel", reference, b"{}", NOW, not_before=wait)


async def waiting(kept: Journal, now: datetime) -> list[str]:
    return [each.reference for each in await kept.read(write_store.ready_writes, "acme", now)]


async def test_a_start_after_a_crash_holds_it_however_long_ago_that_was(kept: Journal) -> None:
    write = await cancel(kept, "R-1")
    later = NOW + timedelta(days=3)
    assert await waiting(kept, later) == ["R-1"]  # as it would leave
    assert await kept.write(unfinished_writes.recover, later, "here") == 0
    assert await waiting(kept, later) == []
    (row,) = await kept.read(write_store.writes_by_id, [write])
    assert (row.state, row.held, row.not_before) == ("queued", undo_window.ENDED, None)
    assert [each.id for each in await kept.read(undo_window.held_undoable, "acme")] == [write]


async def test_one_whose_time_ran_out_in_sight_of_a_person_leaves_after_a_start(kept: Journal) -> None:
    write = await cancel(kept, "R-1")
    assert await kept.write(undo_window.end_undo, [write], NOW + timedelta(seconds=11)) == 1
    await kept.write(unfinished_writes.recover, NOW + timedelta(hours=1), "here")
    assert await waiting(kept, NOW + timedelta(hours=1)) == ["R-1"]
    assert await kept.read(undo_window.held_undoable, "acme") == []


async def test_one_that_was_tried_or_settled_is_nobody_s_to_take_back(kept: Journal) -> None:
    tried, back = await cancel(kept, "R-1"), await cancel(kept, "R-2")
    attempt = await kept.write(write_store.begin_attempt, tried, NOW)
    await kept.write(write_store.end_attempt, attempt, "not_sent", NOW)
    await kept.write(write_store.settle, back, "withdrawn", "Taken back before it was sent.", NOW)
    assert await kept.read(undo_window.undoable, "acme") == []
    assert await kept.write(undo_window.hold_undoable, undo_window.ENDED, NOW) == 0
    assert await kept.write(undo_window.end_undo, [tried, back], NOW) == 0


async def test_another_connection_s_stay_as_they_are(kept: Journal) -> None:
    await cancel(kept, "R-1")
    other = await cancel(kept, "R-2", "other")
    assert await kept.write(undo_window.hold_undoable, undo_window.LEFT, NOW, "acme") == 1
    (row,) = await kept.read(write_store.writes_by_id, [other])
    assert row.held is None

"""A copied data folder never sends a write that was queued before the copy: the other folder may have sent it."""

from pathlib import Path

import pytest

from app.desk.desk import Desk
from app.desk.sending import outbox
from app.runtime.single_owner import place_of
from app.store.journal.records import WriteState
from app.store.journal.recovery import backup, unfinished_writes
from app.store.journal.recovery.journal_file import Journal
from app.store.paths import without_links
from tests.support.desks import submission
from tests.support.fault_book import OPEN
from tests.support.fault_server import FaultServer
from tests.support.wine import under_wine

pytestmark = pytest.mark.asyncio


async def states(desk: Desk) -> list[WriteState]:
    return [each.state for each in await outbox.writes(desk, (), 10)]


async def test_what_a_copy_has_queued_is_in_doubt_there(desk: Desk, fault_server: FaultServer, tmp_path: Path) -> None:
    """Sent here, and changed here: sent again from the copy, the older order would take the place of the newer."""
    await outbox.recover(desk, place_of(tmp_path))
    await outbox.queue_submission(desk, submission("R-1", "A"), None)
    copied = tmp_path / "copy" / "journal.sqlite3"
    copied.parent.mkdir()
    await desk.journal.read_separately(backup.back_up, copied)
    await outbox.drain(desk)
    await outbox.queue_submission(desk, submission("R-1", "B"), None)
    await outbox.drain(desk)
    other = Journal(copied)
    try:
        there = Desk(desk.profile, other, desk.cache, desk.reader, desk.now, desk.provider)
        assert await outbox.recover(there, place_of(copied.parent)) == 1
        assert await outbox.drain(there) == []
        (write,) = await outbox.writes(there, (), 10)
        assert (write.state, write.note) == ("in_doubt", unfinished_writes.FROM_ELSEWHERE)
        assert await outbox.recover(there, place_of(copied.parent)) == 0
    finally:
        await other.close()
    (order,) = fault_server.book.all("R-1")
    assert (order.state, len(order.versions)) == (OPEN, 2)


async def test_what_is_queued_waits_for_the_next_start_in_the_same_place(desk: Desk, tmp_path: Path) -> None:
    await outbox.queue_submission(desk, submission("R-1"), None)
    for _ in range(3):  # the first by a version that did not say where
        assert await outbox.recover(desk, place_of(tmp_path)) == 0
    assert await states(desk) == ["queued"]
    assert await outbox.recover(desk) == 0, "nobody knows where"
    assert await states(desk) == ["queued"]


@pytest.mark.skipif(under_wine(), reason="Wine does not say where a link leads")
async def test_a_place_is_named_by_folder_and_computer_and_says_nothing_of_them(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").symlink_to(tmp_path / "a")
    one, other = (place_of(without_links(tmp_path / name)) for name in ("a", "b"))
    assert one == other != place_of(tmp_path)
    assert str(tmp_path) not in place_of(tmp_path)

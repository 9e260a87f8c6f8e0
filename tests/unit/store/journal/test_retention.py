"""Writes that ended long ago are deleted for good; an unsettled write never is."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from app.store.journal import draft_store, write_store
from app.store.journal.records import UNSETTLED
from app.store.journal.recovery import retention
from app.store.journal.recovery.journal_file import Journal
from app.store.journal.recovery.journal_repair import last_restore
from app.store.journal.recovery.readable_copy import read_copy
from app.store.sqlite.plain_rows import value
from tests.support.journals import ALL_STATES, NOW, ask, bring_to, fill, opened_journal, requests_of, states

OLD = NOW - timedelta(days=400)
LIMIT = NOW - timedelta(days=90)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Journal]:
    with opened_journal(tmp_path / "journal.sqlite3") as made:
        fill(made, OLD)
        for number, state in enumerate(ALL_STATES):
            write = made.write_now(write_store.queue_write, "acme", "submit", f"New-{number}", b"new", NOW)
            bring_to(made, write, state, NOW)
        yield made


async def forget(database: Journal) -> retention.Forgotten:
    forgotten = await database.write(retention.forget_before, LIMIT)
    await database.empty_log()
    await database.cut_copy(retention.remaining_rows)
    return forgotten


UNTOUCHED = {f"R-{n}" for n, state in enumerate(ALL_STATES) if state in UNSETTLED} | {
    f"New-{n}" for n in range(len(ALL_STATES))
}


@pytest.mark.asyncio
async def test_only_writes_that_ended_long_ago_are_deleted(database: Journal) -> None:
    assert database.read_now(retention.count_forgettable, LIMIT) == 4
    forgotten = await forget(database)
    assert (forgotten.writes, forgotten.drafts) == (4, 4)
    assert set(states(database)) == UNTOUCHED
    assert {str(each["reference"]) for each in read_copy(database.copy.path).writes.values()} == UNTOUCHED
    assert database.read_now(value, "SELECT count(*) FROM attempts WHERE write_id NOT IN (SELECT id FROM writes)") == 0
    assert database.read_now(draft_store.draft, "draft-0") is not None  # the draft of the queued write
    assert database.read_now(draft_store.draft, "draft-3") is None
    assert [row.id for row in database.read_now(draft_store.open_drafts, "acme")] == ["open"]
    again = await forget(database)
    assert (again.writes, again.drafts, database.read_now(retention.count_forgettable, LIMIT)) == (0, 0, 0)


@pytest.mark.asyncio
async def test_no_byte_of_a_deleted_write_is_left(database: Journal) -> None:
    def held() -> bytes:
        return b"".join(path.read_bytes() for path in database.path.parent.iterdir())

    words = [b'"orderReferenceNumber":"R-3"', b'{"typed": 3}', b"R-3"]
    assert all(each in held() for each in words)
    await forget(database)
    assert [each for each in words if each in held()] == []
    assert b"R-0" in held()


@pytest.mark.asyncio
async def test_no_byte_of_a_request_that_ended_long_ago_is_left_or_comes_back(database: Journal) -> None:
    def held() -> bytes:
        return b"".join(path.read_bytes() for path in database.path.parent.iterdir())

    ask(database, "refused", NOW, "QUITE-NEW")
    last = ask(database, "refused", OLD, "QUITE-OLD")  # the clock was wrong: the newest id is forgotten first
    kept = {"sending", "in_doubt", "QUITE-NEW"}
    assert b"QUITE-OLD" in held()
    await forget(database)
    assert b"QUITE-OLD" not in held()
    assert set(requests_of(database)) == kept
    assert {each["title"] for each in read_copy(database.copy.path).requests.values()} == kept
    database.close_now()
    database.path.write_bytes(b"")
    with opened_journal(database.path) as made_anew:
        assert set(requests_of(made_anew)) == kept
        assert ask(made_anew, "sending", NOW, "next") == last + 1


@pytest.mark.asyncio
async def test_an_old_closed_draft_is_deleted_and_an_open_one_stays(database: Journal) -> None:
    for name in ("away", "still open"):
        database.write_now(draft_store.save_draft, "acme", name, "{}", OLD)
    database.write_now(draft_store.close_draft, "away", OLD)
    assert (await forget(database)).drafts == 5
    assert database.read_now(draft_store.draft, "away") is None
    assert {row.id for row in database.read_now(draft_store.open_drafts, "acme")} == {"open", "still open"}


@pytest.mark.asyncio
async def test_a_deleted_write_does_not_come_back(database: Journal) -> None:
    """The journal is not taken for older than its copy, and no id is given twice."""
    await forget(database)
    database.close_now()
    with opened_journal(database.path) as again:
        assert set(states(again)) == UNTOUCHED
        assert again.read_now(last_restore) is None
        assert again.write_now(write_store.queue_write, "acme", "submit", "Next", b"n", NOW) == 2 * len(ALL_STATES) + 1
        await again.write(retention.forget_before, NOW + timedelta(days=1))
        await again.cut_copy(retention.remaining_rows)
    data = bytearray(database.path.read_bytes())
    data[:100] = bytes(100)
    database.path.write_bytes(data)
    with opened_journal(database.path) as made_anew:
        assert made_anew.read_now(last_restore) is not None
        assert not {f"R-{n}" for n in (2, 3, 4, 6)} & set(states(made_anew))


@pytest.mark.asyncio
async def test_a_cut_that_was_missed_is_made_by_the_next_one(database: Journal) -> None:
    """The program was stopped after the deletion in the journal and before the cut of its copy."""
    await database.write(retention.forget_before, LIMIT)
    database.copy.settle()
    assert len(read_copy(database.copy.path).writes) == 2 * len(ALL_STATES)
    await forget(database)
    assert len(read_copy(database.copy.path).writes) == len(UNTOUCHED)

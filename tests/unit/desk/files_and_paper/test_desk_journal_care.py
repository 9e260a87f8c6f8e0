"""The actions of Settings for the journal's safety, through the desk."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from app.desk.connections import connections_words, journal_care
from app.store.journal import write_store
from app.store.journal.recovery.journal_file import Journal
from app.store.journal.recovery.journal_repair import RestoreReport
from tests.support.journals import ALL_STATES, NOW, fill, opened_journal, states

pytestmark = pytest.mark.asyncio


@pytest.fixture
def books(tmp_path: Path) -> Iterator[Journal]:
    (tmp_path / "data").mkdir()
    with opened_journal(tmp_path / "data" / "journal.sqlite3") as made:
        fill(made)
        yield made


async def test_back_up_look_restore(books: Journal, tmp_path: Path) -> None:
    target = tmp_path / "backup.sqlite3"
    await journal_care.back_up(books, target)
    assert (await journal_care.look_at_backup(books, target)).writes == len(ALL_STATES)
    await books.write(write_store.queue_write, "acme", "submit", "R-later", b"x", NOW)
    told = await journal_care.restore(books, target, NOW)
    assert told.missing == ("R-later",)
    assert await journal_care.last_restore(books) is None
    await books.close()
    with opened_journal(books.path) as again:
        assert await journal_care.last_restore(again) == told
        assert "R-later" not in states(again)


async def test_a_restore_is_cancelled(books: Journal, tmp_path: Path) -> None:
    await journal_care.back_up(books, tmp_path / "backup.sqlite3")
    await journal_care.restore(books, tmp_path / "backup.sqlite3", NOW)
    await journal_care.cancel_restore(books)
    await books.close()
    with opened_journal(books.path) as again:
        assert await journal_care.last_restore(again) is None


async def test_forgetting(books: Journal) -> None:
    later = NOW + timedelta(days=91)
    assert await journal_care.count_older(books, 90, later) == 4
    assert await journal_care.count_older(books, 92, later) == 0
    forgotten = await journal_care.forget_older(books, 90, later)
    assert (forgotten.writes, forgotten.drafts) == (4, 4)
    assert forgotten.lines > forgotten.writes
    assert set(states(books).values()) == {"queued", "sending", "in_doubt"}


async def test_trouble_with_the_copy_is_told(books: Journal) -> None:
    books.copy.settle()
    assert journal_care.copy_trouble(books) is None
    books.copy.path.unlink()
    books.copy.path.mkdir()
    await books.write(write_store.set_note, 1, "Other words.", NOW)
    books.copy.settle()
    assert str(books.copy.path) in (journal_care.copy_trouble(books) or "")


async def test_what_was_brought_back_is_counted() -> None:
    found = RestoreReport("2026-11-22T08:00:00", "its check failed", "j.damaged", 3, 1, ("A",), (), ("B", "C"))
    assert connections_words.restored(found) == (
        "The journal was made anew because its check failed. It holds 3 writes and 1 draft of the one before. "
        "In doubt now: 1 write. Missing, to be looked up: 2 orders. The file before is kept as j.damaged."
    )
    asked = replace(found, in_doubt=(), missing=(), requests_in_doubt=("Q-1",), requests_missing=("Yard run", "S-1"))
    assert connections_words.restored(asked).endswith(
        "In doubt: 1 request (quote, truck, slot). Missing, to be asked about: 2 requests (quotes, trucks, slots). "
        "The file before is kept as j.damaged."
    )

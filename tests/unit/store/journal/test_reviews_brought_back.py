"""What a person took back of an audit stays taken back, also where the journal is made anew from a damaged file."""

import shutil
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from app.store.journal import review_store
from app.store.journal.recovery.journal_file import Journal
from app.store.journal.recovery.journal_repair import repair
from tests.support.journals import NOW, opened_journal

PHOTO = "audit-7-2.jpg"


def said(database: Journal) -> dict[str, str]:
    return database.read_now(review_store.reviews_of, "acme", 7)


def say(database: Journal, body: str | None, now: datetime, photo: str = PHOTO) -> str | None:
    return database.write_now(review_store.put_review, "acme", 7, photo, body, now)


def damaged(running: Path, folder: Path) -> Path:
    """The journal as a killed program leaves it, made anew: every version of a row is still in its log."""
    for path in running.iterdir():
        shutil.copy(path, folder)
    repair(folder / "journal.sqlite3", "it is damaged", NOW)
    return folder / "journal.sqlite3"


@pytest.fixture
def running(tmp_path: Path) -> Path:
    made = tmp_path / "running"
    made.mkdir()
    return made


@pytest.mark.parametrize("later", [timedelta(minutes=1), timedelta(), timedelta(hours=-2)], ids=["on", "same", "back"])
@pytest.mark.parametrize("last", ['{"note": "new"}', None])
def test_the_last_word_counts_whatever_the_clock_says(
    tmp_path: Path, running: Path, later: timedelta, last: str | None
) -> None:
    with opened_journal(running / "journal.sqlite3") as database:
        say(database, '{"reviewed": true}', NOW, photo="")
        say(database, '{"note": "old"}', NOW)
        assert say(database, last, NOW + later) == '{"note": "old"}'
        before = said(database)
        path = damaged(running, tmp_path)
    assert before == {"": '{"reviewed": true}'} | ({} if last is None else {PHOTO: last})
    with opened_journal(path) as database:
        assert said(database) == before


def test_what_was_taken_back_leaves_no_word(running: Path) -> None:
    with opened_journal(running / "journal.sqlite3") as database:
        say(database, '{"note": "QUITE-PRIVATE", "noted": true, "flagged": true}', NOW)
        say(database, None, NOW)
        assert said(database) == {}
        assert database.read_now(review_store.marked_audits, "acme") == (frozenset(), frozenset(), frozenset())
        assert say(database, None, NOW) is None
        assert say(database, '{"note": "again"}', NOW) is None
        assert said(database) == {PHOTO: '{"note": "again"}'}
        say(database, None, NOW)
    assert b"QUITE-PRIVATE" not in (running / "journal.sqlite3").read_bytes()

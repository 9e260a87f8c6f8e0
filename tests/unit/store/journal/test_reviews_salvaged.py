"""A review that was withdrawn does not return when a damaged journal is repaired."""

import shutil
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from app.store.journal import review_store
from app.store.journal.recovery.journal_file import Journal
from app.store.journal.recovery.journal_repair import repair
from app.store.journal.review_store import Marked
from app.store.journal.setting_store import write_setting
from tests.support.journals import NOW, kept_rows, opened_journal

PHOTO = "audit-7-2.jpg"


def reviews(database: Journal) -> dict[str, str]:
    return database.read_now(review_store.reviews_of, "acme", 7)


def review(database: Journal, body: str | None, now: datetime, photo: str = PHOTO) -> str | None:
    return database.write_now(review_store.put_review, "acme", 7, photo, body, now)


def damaged(running: Path, folder: Path) -> Path:
    """Repair the journal of a killed program, whose log still holds every version of a row."""
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
def test_the_last_review_counts_whatever_the_clock_says(
    tmp_path: Path, running: Path, later: timedelta, last: str | None
) -> None:
    with opened_journal(running / "journal.sqlite3") as database:
        review(database, '{"reviewed": true}', NOW, photo="")
        review(database, '{"note": "old"}', NOW)
        assert review(database, last, NOW + later) == '{"note": "old"}'
        before = reviews(database)
        path = damaged(running, tmp_path)
    assert before == {"": '{"reviewed": true}'} | ({} if last is None else {PHOTO: last})
    with opened_journal(path) as database:
        assert reviews(database) == before


def test_a_readable_copy_that_had_not_followed_yet_does_not_win(tmp_path: Path, running: Path) -> None:
    """The copy is written beside the journal, a moment after it: a program can be killed in between."""
    with opened_journal(running / "journal.sqlite3") as database:
        review(database, '{"note": "old"}', NOW)
        review(database, '{"note": "first"}', NOW, photo="")
        database.write_now(write_setting, "templates.truck_submit/acme", {"Yard run": "old"})
        database.copy.settle()
        copied = database.copy.path.read_bytes()
        review(database, '{"note": "new"}', NOW - timedelta(hours=2))
        database.write_now(write_setting, "templates.truck_submit/acme", {"Yard run": "new"})
        database.copy.settle()
        database.copy.path.write_bytes(copied)
        path = damaged(running, tmp_path)
    with opened_journal(path) as database:
        assert reviews(database) == {PHOTO: '{"note": "new"}', "": '{"note": "first"}'}
        assert kept_rows(database)["templates"] == [("templates.truck_submit/acme", '{"Yard run": "new"}')]


def test_a_review_withdrawn_leaves_no_text(running: Path) -> None:
    with opened_journal(running / "journal.sqlite3") as database:
        review(database, '{"note": "QUITE-PRIVATE", "noted": true, "flagged": true}', NOW)
        review(database, None, NOW)
        assert reviews(database) == {}
        assert database.read_now(review_store.marked_audits, "acme") == Marked(frozenset(), frozenset(), frozenset())
        assert review(database, None, NOW) is None
        assert review(database, '{"note": "again"}', NOW) is None
        assert reviews(database) == {PHOTO: '{"note": "again"}'}
        review(database, None, NOW)
    assert b"QUITE-PRIVATE" not in (running / "journal.sqlite3").read_bytes()

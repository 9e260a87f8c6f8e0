"""A draft that was closed stays closed when a damaged journal is repaired."""

import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from app.store.journal import draft_store
from app.store.journal.recovery import retention
from app.store.journal.recovery.journal_file import Journal
from app.store.journal.recovery.journal_repair import repair
from tests.support.journals import NOW, opened_journal

BACK = timedelta(hours=-2)
CLOCKS = pytest.mark.parametrize("later", [timedelta(minutes=1), timedelta(), BACK], ids=["on", "same", "back"])


@pytest.fixture
def running(tmp_path: Path) -> Path:
    made = tmp_path / "running"
    made.mkdir()
    return made


def damaged(running: Path, folder: Path) -> Path:
    """Repair the journal of a killed program, whose log still holds every version of a row."""
    for path in running.iterdir():
        shutil.copy(path, folder)
    repair(folder / "journal.sqlite3", "it is damaged", NOW)
    return folder / "journal.sqlite3"


def type_in(database: Journal, body: str, later: timedelta = timedelta()) -> None:
    database.write_now(draft_store.save_draft, "acme", "d", body, NOW + later)


def open_bodies(database: Journal) -> list[str]:
    return [each.body for each in database.read_now(draft_store.open_drafts, "acme")]


@CLOCKS
def test_a_closed_draft_stays_closed_after_a_repair(tmp_path: Path, running: Path, later: timedelta) -> None:
    with opened_journal(running / "journal.sqlite3") as database:
        type_in(database, '"first"')
        type_in(database, '"last"', later)
        database.write_now(draft_store.close_draft, "d", NOW + later)
        path = damaged(running, tmp_path)
    with opened_journal(path) as database:
        assert open_bodies(database) == []
        draft = database.read_now(draft_store.draft, "d")
        assert draft is not None
        assert (draft.body, draft.closed_at) == ('"last"', NOW + later)


@CLOCKS
def test_an_open_draft_is_salvaged_as_last_typed(tmp_path: Path, running: Path, later: timedelta) -> None:
    with opened_journal(running / "journal.sqlite3") as database:
        type_in(database, '"first"')
        database.write_now(draft_store.close_draft, "d", NOW)
        database.write_now(draft_store.reopen_draft, "d", NOW + later)
        type_in(database, '"last"', later)
        path = damaged(running, tmp_path)
    with opened_journal(path) as database:
        assert open_bodies(database) == ['"last"']


@CLOCKS
def test_a_deleted_draft_is_not_open_after_a_repair(tmp_path: Path, running: Path, later: timedelta) -> None:
    """The rows of a deleted draft stay in the log until it is emptied."""
    with opened_journal(running / "journal.sqlite3") as database:
        type_in(database, '"first"')
        type_in(database, '"last"', later)
        database.write_now(draft_store.close_draft, "d", NOW + later)
        assert database.write_now(retention.forget_before, NOW + timedelta(days=1)).drafts == 1
        path = damaged(running, tmp_path)
    with opened_journal(path) as database:
        assert open_bodies(database) == []

"""A backup is one whole file. A restore takes effect at the next start, keeps the journal in use, and sends nothing."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from app.store.journal import write_store
from app.store.journal.recovery import backup
from app.store.journal.recovery.journal_file import Journal
from app.store.journal.recovery.journal_repair import RestoreReport, last_restore
from app.store.journal.recovery.readable_copy import copy_path, read_copy
from app.store.journal.request_store import REQUEST_STATES
from app.store.journal.schema.journal_schema import JOURNAL
from app.store.sqlite.opening import open_file
from app.store.store_errors import JournalDamaged, NotSaved, SchemaTooNew
from tests.support.journals import ALL_STATES, LATER_JOURNAL, NOW, ask, fill, flip, make, opened_journal, states

BEFORE = {f"R-{n}": state for n, state in enumerate(ALL_STATES)}
AFTER = BEFORE | {"R-0": "in_doubt", "R-1": "in_doubt"}


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Journal]:
    made = Journal(tmp_path / "data" / "journal.sqlite3")
    (tmp_path / "data").mkdir(exist_ok=True)
    yield made
    made.close_now()


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Journal]:
    """A filled journal that is in use."""
    make(tmp_path / "data")
    with opened_journal(tmp_path / "data" / "journal.sqlite3") as made:
        yield made


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.asyncio
async def test_a_backup_is_one_file_that_any_tool_reads(running: Journal, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    target = tmp_path / "kept" / "Waybill, Saturday.sqlite3"
    await running.read_separately(backup.back_up, target)
    assert names(target.parent) == {target.name}
    with closing(sqlite3.connect(target)) as connection:
        assert connection.execute("SELECT count(*) FROM writes").fetchone() == (len(BEFORE),)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    await running.write(write_store.set_note, 1, "Later.", NOW)
    await running.read_separately(backup.back_up, target)  # replaces the one before
    with closing(sqlite3.connect(target)) as connection:
        assert connection.execute("SELECT note FROM writes WHERE id = 1").fetchone() == ("Later.",)


@pytest.mark.asyncio
async def test_a_backup_that_fails_leaves_no_file(running: Journal, tmp_path: Path) -> None:
    with pytest.raises(NotSaved, match="could not be written to"):
        await running.read_separately(backup.back_up, tmp_path / "no such folder" / "b.sqlite3")
    with pytest.raises(NotSaved, match="the journal itself"):
        await running.read_separately(backup.back_up, running.path)
    (tmp_path / "folder").mkdir()
    with pytest.raises(NotSaved):
        await running.read_separately(backup.back_up, tmp_path / "folder")
    assert names(tmp_path) == {"data", "folder"}


@pytest.mark.asyncio
async def test_a_backup_can_be_inspected(running: Journal, tmp_path: Path) -> None:
    await running.read_separately(backup.back_up, tmp_path / "b.sqlite3")
    before, beside = (tmp_path / "b.sqlite3").read_bytes(), names(running.path.parent)
    facts = await running.read_separately(backup.inspect_backup, tmp_path / "b.sqlite3")
    assert (facts.writes, facts.drafts, facts.profiles) == (len(BEFORE), 1, 1)
    assert facts.last_change is not None
    assert facts.last_change > NOW
    assert (tmp_path / "b.sqlite3").read_bytes() == before
    assert names(running.path.parent) == beside


async def backed_up_then_gone_on(running: Journal, target: Path) -> RestoreReport:
    """Back up, queue another order, and stage the restore."""
    await running.read_separately(backup.back_up, target)
    await running.write(write_store.queue_write, "acme", "submit", "R-later", b"later", NOW)
    ask(running, "accepted", NOW, "Q-later")
    return await running.read_separately(backup.stage_restore, target, NOW)


@pytest.mark.asyncio
async def test_a_restore_takes_effect_at_the_next_start(running: Journal, tmp_path: Path) -> None:
    report = await backed_up_then_gone_on(running, tmp_path / "b.sqlite3")
    assert report.missing == ("R-later",)
    assert report.requests_missing == ("Q-later",)
    assert report.requests_in_doubt == ("sending", "in_doubt")
    assert report.requests == len(REQUEST_STATES)
    assert report.in_doubt == ("R-0", "R-1", "R-5")
    assert "R-later" in states(running)  # the journal in use is unchanged, so attempts can end in it
    running.write_now(write_store.set_note, 1, "Its end is written down where it was sent from.", NOW)
    running.close_now()
    present = running.path.read_bytes()
    with opened_journal(running.path) as database:
        assert states(database) == AFTER
        assert database.read_now(last_restore) == report
        assert database.read_now(write_store.ready_writes, "acme") == []
        rows = {row.reference: row.note for row in database.read_now(write_store.writes_page, "acme", (), 100)}
        assert rows["R-0"] == rows["R-1"] == backup.RESTORED
        assert (running.path.with_name(report.aside)).read_bytes() == present
    assert {str(each["reference"]) for each in read_copy(copy_path(running.path)).writes.values()} == set(AFTER)
    (copy,) = running.path.parent.glob("journal.copy.before-restore.*.jsonl")
    assert "R-later" in copy.read_text(encoding="utf-8")


@pytest.mark.asyncio
async def test_a_staged_restore_can_be_cancelled(running: Journal, tmp_path: Path) -> None:
    await backed_up_then_gone_on(running, tmp_path / "b.sqlite3")
    await running.read_separately(backup.cancel_restore)
    running.close_now()
    with opened_journal(running.path) as database:
        assert states(database) == {**BEFORE, "R-later": "queued"}
        assert database.read_now(last_restore) is None


@pytest.mark.asyncio
async def test_a_restore_on_another_computer(tmp_path: Path) -> None:
    """The journal there is new and has a readable copy of its own."""
    with opened_journal(make(tmp_path / "old")) as old:
        await old.read_separately(backup.back_up, tmp_path / "b.sqlite3")
    (tmp_path / "new").mkdir()
    with opened_journal(tmp_path / "new" / "journal.sqlite3") as new:
        new.write_now(write_store.queue_write, "acme", "submit", "R-1", b"another", NOW)
        report = await new.read_separately(backup.stage_restore, tmp_path / "b.sqlite3", NOW)
    assert report.missing == ("R-1",)  # the same reference with other bytes
    with opened_journal(tmp_path / "new" / "journal.sqlite3") as new:
        assert states(new) == AFTER


@pytest.mark.asyncio
async def test_a_backup_of_an_older_program_is_migrated(
    running: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "JOURNAL", LATER_JOURNAL)
    open_file(tmp_path / "old.sqlite3", JOURNAL).close()
    beside = names(running.path.parent)
    assert (await running.read_separately(backup.inspect_backup, tmp_path / "old.sqlite3")).writes == 0
    assert names(running.path.parent) == beside
    await running.read_separately(backup.stage_restore, tmp_path / "old.sqlite3", NOW)
    running.close_now()
    with opened_journal(running.path, LATER_JOURNAL) as database:
        assert states(database) == {}
        fill(database)


def _rubbish(path: Path) -> None:
    path.write_bytes(b"rubbish" * 2_000)


def _flipped(path: Path) -> None:
    flip(path, b'"orderReferenceNumber":"R-3"')


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9_000])


def _foreign(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE somebody_elses (data)")
        connection.commit()


@pytest.mark.parametrize("harm", [_rubbish, _flipped, _cut, _foreign, Path.unlink])
@pytest.mark.asyncio
async def test_a_damaged_backup_is_not_restored(running: Journal, tmp_path: Path, harm: "type[Path]") -> None:
    target = tmp_path / "b.sqlite3"
    await running.read_separately(backup.back_up, target)
    harm(target)
    beside = names(running.path.parent)
    for look in (
        running.read_separately(backup.inspect_backup, target),
        running.read_separately(backup.stage_restore, target, NOW),
    ):
        with pytest.raises(JournalDamaged, match="cannot be restored") as refusal:
            await look
        assert "Nothing was changed" in refusal.value.sentence
    assert names(running.path.parent) == beside
    assert states(running) == BEFORE


@pytest.mark.asyncio
async def test_a_backup_of_a_newer_program_is_refused(running: Journal, tmp_path: Path) -> None:
    newer = replace(JOURNAL, migrations=(*JOURNAL.migrations, ("CREATE TABLE of_tomorrow (it TEXT) STRICT",)))
    open_file(tmp_path / "new.sqlite3", newer).close()
    beside = names(running.path.parent)
    with pytest.raises(SchemaTooNew, match="newer version of Waybill"):
        await running.read_separately(backup.inspect_backup, tmp_path / "new.sqlite3")
    assert names(running.path.parent) == beside

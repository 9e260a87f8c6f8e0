"""No file is moved, replaced or deleted while this program has it open; a step that failed can be repeated."""

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import apsw
import pytest

from app.desk.connections import journal_care
from app.desk.connections.journal_care import NotWiped
from app.desk.files.whole_file import put_in_place
from app.store.cache.schema.cache_schema import CACHE
from app.store.journal import write_store
from app.store.journal.recovery import backup
from app.store.journal.recovery.copy_lines import CopiedTable
from app.store.journal.recovery.journal_file import Journal
from app.store.journal.recovery.journal_repair import last_restore
from app.store.journal.recovery.readable_copy import copy_path, cut, read_copy
from app.store.journal.schema.journal_schema import JOURNAL
from app.store.picture_files import PictureFiles
from app.store.sqlite.database import Database
from app.store.sqlite.opening import damage_mark, open_file
from app.store.sqlite.plain_rows import value
from app.store.store_errors import JournalDamaged, NotSaved
from tests.support.held_files import DESCRIPTORS_TOLD, held_open, nothing_open_is_moved
from tests.support.journals import ALL_STATES, LATER_JOURNAL, NOW, fill, flip, make, opened_journal, states

pytestmark = pytest.mark.skipif(not DESCRIPTORS_TOLD, reason="looks at the descriptors of this process")

OLD, LATER = NOW - timedelta(days=400), NOW
WORDS = (b'"orderReferenceNumber":"R-3"', b'{"typed": 3}', b"R-3")
MOVES = ("rename", "replace", "unlink", "remove")


@pytest.fixture
def refused() -> Iterator[list[str]]:
    """The names of open files that the program tried to move; must stay empty."""
    with nothing_open_is_moved() as found:
        yield found
    assert found == []


@pytest.fixture
def books(tmp_path: Path) -> Iterator[Journal]:
    (tmp_path / "data").mkdir()
    with opened_journal(tmp_path / "data" / "journal.sqlite3") as made:
        fill(made, OLD)
        made.copy.settle()
        yield made


def left_of_it(journal: Journal) -> list[bytes]:
    held = b"".join(path.read_bytes() for path in journal.path.parent.iterdir())
    return [each for each in WORDS if each in held]


async def forget(books: Journal) -> None:
    await journal_care.forget_older(books, 90, LATER)


@pytest.mark.asyncio
async def test_deleting_old_writes(books: Journal, refused: list[str]) -> None:
    assert left_of_it(books) == list(WORDS)
    await forget(books)
    assert left_of_it(books) == []
    assert {each.name for each in books.path.parent.iterdir() if "copy" in each.name} == {"journal.copy.jsonl"}
    await books.write(write_store.queue_write, "acme", "submit", "Next", b"n", NOW)
    books.copy.settle()
    assert "Next" in {each["reference"] for each in read_copy(books.copy.path).writes.values()}


@pytest.mark.asyncio
async def test_cutting_a_copy_that_is_being_read_can_be_repeated(books: Journal) -> None:
    with nothing_open_is_moved() as found:
        with books.copy.path.open("rb"), pytest.raises(NotWiped, match="out of the journal, but traces") as told:
            await forget(books)
        assert str(books.copy.path) in told.value.sentence
        assert "again" in told.value.sentence
        assert found == ["rename journal.copy.jsonl"]
        assert states(books).keys() == {"R-0", "R-1", "R-5"}
        assert len(read_copy(books.copy.path).writes) == len(ALL_STATES)  # unchanged
        await books.write(write_store.queue_write, "acme", "submit", "Next", b"n", NOW)
        assert await journal_care.count_older(books, 90, LATER) == 0
        assert await journal_care.wipe_forgotten(books) > 0
    assert left_of_it(books) == []
    assert len(read_copy(books.copy.path).writes) == 4


@pytest.mark.asyncio
async def test_emptying_a_log_that_is_being_read_can_be_repeated(books: Journal) -> None:
    """The copy is cut even if the log cannot be emptied."""
    entered, leave = threading.Event(), threading.Event()

    def read(c: apsw.Connection) -> None:
        c.execute("BEGIN")
        value(c, "SELECT count(*) FROM writes")
        entered.set()
        leave.wait(20)

    (await books.read(lambda c: c)).set_busy_timeout(50)
    reading = asyncio.ensure_future(books.read_separately(read))
    await asyncio.to_thread(entered.wait, 10)
    with pytest.raises(NotWiped, match="The log of the journal is being read"):
        await forget(books)
    assert len(read_copy(books.copy.path).writes) == 3
    leave.set()
    await reading
    await journal_care.wipe_forgotten(books)
    assert left_of_it(books) == []


class Stopped(BaseException):
    """Stands for the end of the program."""


@contextlib.contextmanager
def stop_at(place: int, how: Callable[[], BaseException], *, for_good: bool = False) -> Iterator[None]:
    """Fail the step with this number that moves or deletes a file; `for_good` fails all later steps too."""
    times = 0

    def failing(usual: Callable[..., None]) -> Callable[..., None]:
        def move(*paths: Any, **more: Any) -> None:
            nonlocal times
            times += 1
            if times - 1 == place or (for_good and times > place):
                raise how()
            usual(*paths, **more)

        return move

    with contextlib.ExitStack() as patches:
        for name in MOVES:
            patches.enter_context(patch.object(os, name, failing(getattr(os, name))))
        yield


@pytest.mark.parametrize("for_good", [False, True])
@pytest.mark.parametrize("place", range(4))
@pytest.mark.asyncio
async def test_a_cut_that_fails_at_any_step_can_be_repeated(books: Journal, place: int, for_good: bool) -> None:
    with (
        stop_at(place, lambda: OSError(5, "Input/output error"), for_good=for_good),
        pytest.raises(NotWiped, match="Input/output error"),
    ):
        await forget(books)
    # The copy is unchanged or cut. If even putting it back failed, the next call puts it back.
    assert len(read_copy(books.copy.path).writes) in ({0} if for_good and place == 1 else {3, len(ALL_STATES)})
    await books.write(write_store.queue_write, "acme", "submit", "Next", b"n", NOW)
    books.copy.settle()
    assert len(read_copy(books.copy.path).writes) in (4, len(ALL_STATES) + 1)
    await journal_care.wipe_forgotten(books)
    assert left_of_it(books) == []
    assert len(read_copy(books.copy.path).writes) == 4
    assert books.copy.trouble is None


@pytest.mark.parametrize("place", range(4))
def test_a_cut_stopped_at_any_step_is_finished_at_the_next_start(tmp_path: Path, place: int) -> None:
    path = tmp_path / "journal.sqlite3"
    with opened_journal(path) as database:
        made = fill(database)
    unsettled = {made[state] for state in ("queued", "sending", "in_doubt")}

    def keep(_table: CopiedTable, number: int) -> bool:
        return number in unsettled

    with stop_at(place, Stopped, for_good=True), pytest.raises(Stopped):  # the clean-up fails too
        cut(copy_path(path), keep)
    with opened_journal(path) as again:
        assert again.read_now(last_restore) is None  # the journal was not taken for older than its copy
        assert not copy_path(path).with_name("journal.copy.jsonl.forgotten").exists()
        assert set(read_copy(copy_path(path)).writes) in (unsettled, set(made.values()))
        again.copy.remove_rows(keep).result()
        assert set(read_copy(copy_path(path)).writes) == unsettled


def test_a_damaged_journal_is_moved_aside_at_the_start(tmp_path: Path, refused: list[str]) -> None:
    path = make(tmp_path)
    data = bytearray(path.read_bytes())
    data[:100] = bytes(100)
    path.write_bytes(data)
    with opened_journal(path) as made_anew:
        assert made_anew.read_now(last_restore) is not None
        assert len(states(made_anew)) == len(ALL_STATES)


@pytest.mark.asyncio
async def test_a_repair_waits_for_a_backup_that_is_being_written(tmp_path: Path, refused: list[str]) -> None:
    path = make(tmp_path)
    flip(path, b'"orderReferenceNumber":"R-5"')
    database = Journal(path)
    entered, leave = threading.Event(), threading.Event()

    def holds(c: apsw.Connection) -> int:
        entered.set()
        leave.wait(20)
        return int(value(c, "SELECT count(*) FROM writes"))

    beside = asyncio.ensure_future(database.read_separately(holds))
    await asyncio.to_thread(entered.wait, 10)
    writing = asyncio.ensure_future(database.write(write_store.queue_write, "acme", "submit", "Next", b"n", NOW))
    assert await asyncio.to_thread(database._start_check().result, 20) is not None  # a fault was found
    asyncio.get_running_loop().call_later(0.3, leave.set)
    assert await beside == len(ALL_STATES)
    await writing
    assert await database.read(last_restore) is not None
    await database.close()


@pytest.mark.asyncio
async def test_backing_up_inspecting_staging_and_cancelling(books: Journal, tmp_path: Path, refused: list[str]) -> None:
    target = tmp_path / "kept.waybill"
    for _ in range(2):  # the second replaces the first
        await journal_care.back_up(books, target)
    assert (await journal_care.look_at_backup(books, target)).writes == len(ALL_STATES)
    for _ in range(2):
        await journal_care.restore(books, target, NOW)
    await journal_care.cancel_restore(books)
    await journal_care.restore(books, target, NOW)
    assert {Path(each).name.partition("-")[0] for each in held_open(tmp_path)} == {"journal.sqlite3"}
    await books.close()
    assert held_open(tmp_path) == set()
    with opened_journal(books.path) as again:
        assert again.read_now(last_restore) is not None


@pytest.mark.asyncio
async def test_a_backup_that_cannot_be_read_leaves_no_file_open_or_behind(
    books: Journal, tmp_path: Path, refused: list[str]
) -> None:
    target, before = tmp_path / "kept.waybill", {each.name for each in books.path.parent.iterdir()}
    await journal_care.back_up(books, target)
    connection = apsw.Connection(str(target))
    connection.execute("UPDATE writes SET note = CAST(x'ff' AS TEXT), seal = seal WHERE id = 2")
    connection.close()
    for _ in range(2):
        with pytest.raises(JournalDamaged, match="cannot be restored"):
            await journal_care.look_at_backup(books, target)
        assert {each.name for each in books.path.parent.iterdir()} == before
    assert {Path(each).name.partition("-")[0] for each in held_open(tmp_path)} == {"journal.sqlite3"}


@pytest.mark.asyncio
async def test_a_file_that_cannot_be_removed_after_staging_does_not_undo_it(books: Journal, tmp_path: Path) -> None:
    target = tmp_path / "kept.waybill"
    await journal_care.back_up(books, target)
    usual = os.unlink

    def held(path: Any, **how: Any) -> None:
        if ".restoring." in os.fspath(path) and Path(path).exists():
            raise PermissionError(13, "Permission denied", path)
        usual(path, **how)

    with patch.object(os, "unlink", held):
        told = await journal_care.restore(books, target, NOW)
        with pytest.raises(JournalDamaged, match="Permission denied"):
            await journal_care.look_at_backup(books, target)
    await books.close()
    with opened_journal(books.path) as again:
        assert again.read_now(last_restore) == told
        assert (await journal_care.look_at_backup(again, target)).writes == len(ALL_STATES)


@pytest.mark.asyncio
async def test_a_staged_restore_that_cannot_be_cancelled_is_reported(books: Journal, tmp_path: Path) -> None:
    await journal_care.back_up(books, tmp_path / "b")
    await journal_care.restore(books, tmp_path / "b", NOW)
    with (
        patch.object(os, "unlink", side_effect=PermissionError(13, "Permission denied")),
        pytest.raises(NotSaved, match="could not be cancelled"),
    ):
        await journal_care.cancel_restore(books)
    await journal_care.cancel_restore(books)


@pytest.mark.parametrize("name", ["journal.sqlite3-wal", "journal.copy.jsonl", "cache.sqlite3"])
@pytest.mark.asyncio
async def test_no_backup_overwrites_one_of_waybill_s_own_files(books: Journal, name: str) -> None:
    path = books.path.with_name(name)
    path.touch()
    before = path.read_bytes()
    with pytest.raises(NotSaved, match="one of Waybill's own files"):
        await books.read_separately(backup.back_up, path)
    assert path.read_bytes() == before
    await books.read_separately(backup.back_up, books.path.with_name("mine.waybill"))


def test_a_migration_keeps_a_copy(tmp_path: Path, refused: list[str]) -> None:
    path = tmp_path / "journal.sqlite3"
    open_file(path, JOURNAL).close()
    open_file(path, LATER_JOURNAL).close()
    assert [each.name for each in tmp_path.glob("journal.version-*")] != []


def test_a_damaged_cache_is_moved_aside(tmp_path: Path, refused: list[str]) -> None:
    path = tmp_path / "cache.sqlite3"
    for damage in (lambda: damage_mark(path).touch(), lambda: path.write_bytes(b"no database" * 999)):
        both = [Database(path, CACHE) for _ in range(2)]
        for each in both:
            each.read_now(value, "SELECT 1")
        for each in both:
            each.close_now()
        damage()
    last = Database(path, CACHE)
    assert last.read_now(value, "SELECT count(*) FROM orders") == 0
    last.close_now()
    assert len(list(tmp_path.glob("cache.aside.*"))) == 2


def test_an_export_replaces_the_one_before(tmp_path: Path, refused: list[str]) -> None:
    from app.desk.export.csv_file import write_csv
    from app.desk.export.xlsx_file import write_xlsx

    for _ in range(2):
        put_in_place(tmp_path / "a.csv", lambda path: write_csv(path, ["a"], [["b"]], exact=False), replace=True)
        put_in_place(
            tmp_path / "a.xlsx", lambda path: write_xlsx(path, ["a"], [9], [["b"]], scratch=path.parent), replace=True
        )
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.csv", "a.xlsx"]


def test_pictures_are_wiped_once_nobody_reads_one(tmp_path: Path, refused: list[str]) -> None:
    files, entered, leave = PictureFiles(tmp_path / "pictures"), threading.Event(), threading.Event()
    for number in range(3):
        assert files.keep("acme", f"http://a/{number}", b"x" * 100)

    def slowly(path: Path) -> bytes:
        with path.open("rb") as file:
            entered.set()
            leave.wait(20)
            return file.read()

    for forget_all in (lambda: files.forget_profile("acme"), files.wipe):
        assert files.keep("acme", "http://a/0", b"x" * 100)
        entered.clear()
        leave.clear()
        with patch.object(Path, "read_bytes", slowly):
            reading = threading.Thread(target=files.read, args=("acme", "http://a/0"))
            reading.start()
            assert entered.wait(10)
            wiping = threading.Thread(target=forget_all)
            wiping.start()
            wiping.join(0.1)
            assert wiping.is_alive()
            leave.set()
            reading.join(10)
            wiping.join(10)
        assert files.size() == 0

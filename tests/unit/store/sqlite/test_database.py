"""Database: writes are whole, reads cannot write, and both can be cancelled."""

import asyncio
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from app.store.sqlite.database import Database
from app.store.sqlite.opening import Schema
from app.store.sqlite.plain_rows import SQLiteValue
from app.store.store_errors import NotSaved, StoreError
from tests.support.failing_disk import FailingDisk

NOTES = Schema(
    name="notes",
    application_id=7,
    migrations=(("CREATE TABLE notes (text TEXT NOT NULL UNIQUE) STRICT",),),
    disposable=False,
    synchronous="FULL",
)


def add(c: apsw.Connection, text: str) -> None:
    c.execute("INSERT INTO notes VALUES (?)", (text,))


def notes(c: apsw.Connection) -> list[str]:
    return [text for (text,) in c.execute("SELECT text FROM notes ORDER BY text")]


class Gate:
    """Holds the database's thread inside a function until it is opened."""

    def __init__(self) -> None:
        self.entered, self.open = threading.Event(), threading.Event()

    def write(self, c: apsw.Connection, text: str) -> None:
        add(c, f"{text} begun")
        self.entered.set()
        self.open.wait(10)
        add(c, f"{text} ended")

    async def reached(self) -> None:
        await asyncio.to_thread(self.entered.wait, 10)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = Database(tmp_path / "notes.sqlite3", NOTES)
    yield made
    made.close_now()


@pytest.mark.asyncio
async def test_a_read_sees_what_was_written(database: Database) -> None:
    await database.opened()
    await database.write(add, "a")
    await database.write(add, text="b")
    assert await database.read(notes) == ["a", "b"]


def test_the_blocking_calls_need_no_loop(database: Database) -> None:
    database.write_now(add, "a")
    assert database.read_now(notes) == ["a"]


@pytest.mark.asyncio
async def test_a_write_that_raises_leaves_nothing(database: Database) -> None:
    def half(c: apsw.Connection) -> None:
        add(c, "half")
        raise LookupError("in the middle")

    with pytest.raises(LookupError, match="in the middle"):
        await database.write(half)
    assert await database.read(notes) == []
    await database.write(add, "next")


@pytest.mark.asyncio
async def test_a_mistake_in_sql_is_raised_as_it_is(database: Database) -> None:
    await database.write(add, "twice")
    with pytest.raises(apsw.ConstraintError):
        await database.write(add, "twice")
    with pytest.raises(apsw.SQLError):
        await database.read(lambda c: c.execute("SELECT nothing").fetchall())


@pytest.mark.asyncio
async def test_a_read_cannot_write(database: Database) -> None:
    with pytest.raises(NotSaved):
        await database.read(add, "sneaked in")
    assert await database.read(notes) == []
    await database.write(add, "writing still works")


@pytest.mark.asyncio
async def test_a_read_sees_one_state_of_the_file(tmp_path: Path) -> None:
    writer, reader = (Database(tmp_path / "notes.sqlite3", NOTES) for _ in range(2))
    await writer.write(add, "a")
    between = threading.Event()
    go_on = threading.Event()

    def twice(c: apsw.Connection) -> tuple[list[str], list[str]]:
        first = notes(c)
        between.set()
        go_on.wait(10)
        return first, notes(c)

    looking = asyncio.create_task(reader.read(twice))
    await asyncio.to_thread(between.wait, 10)
    await writer.write(add, "b")
    go_on.set()
    assert await looking == (["a"], ["a"])
    assert await reader.read(notes) == ["a", "b"]
    await writer.close()
    await reader.close()


@pytest.mark.asyncio
async def test_a_cancelled_write_runs_whole(database: Database) -> None:
    gate = Gate()
    task = asyncio.create_task(database.write(gate.write, "it"))
    await gate.reached()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task  # the caller wakes while the thread is still busy
    assert not gate.open.is_set()
    gate.open.set()
    assert await database.read(notes) == ["it begun", "it ended"]


@pytest.mark.asyncio
async def test_a_write_cancelled_in_the_queue_runs_too(database: Database) -> None:
    gate = Gate()
    first = asyncio.create_task(database.write(gate.write, "first"))
    await gate.reached()
    second = asyncio.create_task(database.write(add, "second"))
    await asyncio.sleep(0)
    second.cancel()
    with pytest.raises(asyncio.CancelledError):
        await second
    gate.open.set()
    await first
    assert "second" in await database.read(notes)


@pytest.mark.asyncio
async def test_a_cancelled_write_that_fails_is_reported_to_the_loop(database: Database) -> None:
    told: asyncio.Queue[dict[str, object]] = asyncio.Queue()
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: told.put_nowait(context))
    gate = Gate()

    def fails(c: apsw.Connection) -> None:
        gate.write(c, "it")
        raise LookupError("nobody hears")

    task = asyncio.create_task(database.write(fails))
    await gate.reached()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    gate.open.set()
    context = await asyncio.wait_for(told.get(), 10)
    assert isinstance(context["exception"], LookupError)


@pytest.mark.asyncio
async def test_a_cancelled_read_is_interrupted(database: Database) -> None:
    running = threading.Event()

    def tick(*values: SQLiteValue) -> SQLiteValue:
        running.set()
        return values[0]

    def endless(c: apsw.Connection) -> None:
        c.create_scalar_function("tick", tick, 1)
        c.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(tick(i)) FROM n"
        ).fetchall()

    task = asyncio.create_task(database.read(endless))
    await asyncio.to_thread(running.wait, 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.wait_for(database.read(notes), 10) == []


@pytest.mark.asyncio
async def test_a_read_cancelled_in_the_queue_never_runs(database: Database) -> None:
    gate = Gate()
    first = asyncio.create_task(database.write(gate.write, "first"))
    await gate.reached()
    ran = threading.Event()
    second = asyncio.create_task(database.read(lambda _c: ran.set()))
    await asyncio.sleep(0)
    second.cancel()
    with pytest.raises(asyncio.CancelledError):
        await second
    gate.open.set()
    await first
    assert await database.read(notes)
    assert not ran.is_set()


@pytest.mark.asyncio
async def test_closing_finishes_calls_made_before(tmp_path: Path) -> None:
    database = Database(tmp_path / "notes.sqlite3", NOTES)
    writes = [asyncio.create_task(database.write(add, str(n))) for n in range(20)]
    await asyncio.sleep(0)
    await database.close()
    await asyncio.gather(*writes)
    again = Database(tmp_path / "notes.sqlite3", NOTES)
    assert len(await again.read(notes)) == 20
    await again.close()
    await again.close()
    with pytest.raises(StoreError, match="closed"):
        await again.read(notes)


@pytest.mark.parametrize("error", [apsw.FullError, apsw.IOError])
def test_a_refusing_disk_never_looks_like_success(tmp_path: Path, error: type[apsw.Error]) -> None:
    disk = FailingDisk()
    database = Database(tmp_path / "notes.sqlite3", NOTES, vfs=disk.vfs)
    database.write_now(add, "before")
    for after in range(6):  # the first write, the second …, the sync
        disk.fail, disk.after = error, after
        refused = _refused(database, f"try {after}")
        disk.fail = None
        assert (f"try {after}" in database.read_now(notes)) != refused
        assert refused or after > 0
    database.write_now(add, "after")
    assert {"before", "after"} <= set(database.read_now(notes))
    database.close_now()


def _refused(database: Database, text: str) -> bool:
    try:
        database.write_now(add, text)
    except NotSaved as refusal:
        return re.search("nothing of this was saved", refusal.sentence) is not None
    return False


def test_a_disk_that_fails_for_good(tmp_path: Path) -> None:
    disk = FailingDisk()
    database = Database(tmp_path / "notes.sqlite3", NOTES, vfs=disk.vfs)
    database.write_now(add, "before")
    disk.fail = apsw.IOError
    for _ in range(3):
        with pytest.raises(NotSaved):
            database.write_now(add, "never")
    disk.fail = None
    database.close_now()
    again = Database(tmp_path / "notes.sqlite3", NOTES)
    assert again.read_now(notes) == ["before"]
    again.close_now()


@pytest.mark.asyncio
@pytest.mark.parametrize(("synchronous", "expected"), [("FULL", 2), ("NORMAL", 11)])
async def test_writes_that_wait_share_one_commit_where_it_waits_for_the_disk(
    tmp_path: Path, synchronous: str, expected: int
) -> None:
    database = Database(tmp_path / "notes.sqlite3", replace(NOTES, synchronous=synchronous))
    commits: list[int] = []

    def counted() -> bool:
        commits.append(1)
        return False

    await database.read(lambda c: c.set_commit_hook(counted))
    gate = Gate()
    held = asyncio.ensure_future(database.write(gate.write, "first"))
    await gate.reached()
    rest = [asyncio.ensure_future(database.write(add, f"note {number}")) for number in range(10)]
    await asyncio.sleep(0)
    gate.open.set()
    await asyncio.gather(held, *rest)
    assert len(commits) == expected
    assert await database.read(notes) == ["first begun", "first ended", *(f"note {number}" for number in range(10))]
    await database.close()


@pytest.mark.asyncio
async def test_a_failing_write_leaves_the_others_of_its_group_whole(database: Database) -> None:
    def half(c: apsw.Connection) -> None:
        add(c, "half")
        raise LookupError("no")

    gate = Gate()
    held = asyncio.ensure_future(database.write(gate.write, "first"))
    await gate.reached()
    rest = [
        asyncio.ensure_future(each)
        for each in (database.write(add, "a"), database.write(half), database.write(add, "b"))
    ]
    await asyncio.sleep(0)
    gate.open.set()
    ended = await asyncio.gather(held, *rest, return_exceptions=True)
    assert [type(each) for each in ended] == [type(None), type(None), LookupError, type(None)]
    assert await database.read(notes) == ["a", "b", "first begun", "first ended"]


@pytest.mark.asyncio
async def test_a_mistake_in_sql_reaches_only_the_caller_of_its_write(database: Database) -> None:
    gate = Gate()
    held = asyncio.ensure_future(database.write(gate.write, "first"))
    await gate.reached()
    rest = [
        asyncio.ensure_future(database.write(add, "a")),
        asyncio.ensure_future(database.write(lambda c: c.execute("nonsense").fetchall())),
        asyncio.ensure_future(database.write(add, "b")),
    ]
    await asyncio.sleep(0)
    gate.open.set()
    ended = await asyncio.gather(held, *rest, return_exceptions=True)
    assert [type(each) for each in ended] == [type(None), type(None), apsw.SQLError, type(None)]
    assert await database.read(notes) == ["a", "b", "first begun", "first ended"]

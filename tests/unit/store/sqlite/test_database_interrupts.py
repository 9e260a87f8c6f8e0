"""An interrupted read leaves nothing behind on the connection, so the next call works."""

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from app.store.sqlite.database import Database
from app.store.sqlite.opening import Schema
from app.store.sqlite.plain_rows import value
from app.store.store_errors import NotOpened, StoreError

NOTES = Schema(
    name="notes",
    application_id=7,
    migrations=(("CREATE TABLE notes (text TEXT NOT NULL UNIQUE) STRICT",),),
    disposable=False,
    synchronous="FULL",
)
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"


def add(c: apsw.Connection, text: str) -> None:
    c.execute("INSERT INTO notes VALUES (?)", (text,))


def notes(c: apsw.Connection) -> list[str]:
    return [text for (text,) in c.execute("SELECT text FROM notes ORDER BY text")]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = Database(tmp_path / "notes.sqlite3", NOTES)
    made.write_now(add, "a")
    yield made
    made.close_now()


class Broken:
    """A read that cancels its own task at a chosen place, and goes on when it has been interrupted."""

    def __init__(self, database: Database, read: Callable[[apsw.Connection, Callable[[], None]], object]) -> None:
        self._loop, self._cancelled = asyncio.get_running_loop(), threading.Event()
        self.ended: BaseException | None = None
        self.done = threading.Event()

        def run(c: apsw.Connection) -> object:
            try:
                return read(c, self._cancel)
            except BaseException as error:
                self.ended = error  # the traceback keeps the cursors of its frames alive
                raise
            finally:
                self.done.set()

        self._task = asyncio.ensure_future(database.read(run))
        self._task.add_done_callback(lambda _: self._cancelled.set())

    def _cancel(self) -> None:
        self._loop.call_soon_threadsafe(self._task.cancel)
        assert self._cancelled.wait(10)

    async def over(self) -> None:
        with pytest.raises(asyncio.CancelledError):
            await self._task
        assert await asyncio.to_thread(self.done.wait, 10)


@pytest.mark.asyncio
async def test_an_interrupted_read_with_another_cursor_open(database: Database) -> None:
    """While another cursor is open, the interrupt would stop the ROLLBACK too."""

    def walks(c: apsw.Connection, cancel: Callable[[], None]) -> None:
        walk = c.execute(ENDLESS)
        next(walk)
        looked = c.execute(ENDLESS)
        next(looked)
        cancel()
        for _ in looked:
            pass

    for number in range(3):
        read = Broken(database, walks)
        await read.over()
        assert isinstance(read.ended, apsw.InterruptError)
        assert await database.read(notes) == ["a", *(f"b{each}" for each in range(number))]
        await database.write(add, f"b{number}")


@pytest.mark.asyncio
async def test_a_read_that_ends_in_spite_of_the_interrupt(database: Database) -> None:
    def catches(c: apsw.Connection, cancel: Callable[[], None]) -> list[object]:
        held: list[object] = [c.execute(ENDLESS)]
        cancel()
        try:
            value(c, "SELECT 1")
        except apsw.InterruptError as error:
            held.append(error)
        return held

    read = Broken(database, catches)
    await read.over()
    assert await database.read(notes) == ["a"]
    await database.write(add, "b")
    assert await database.read(notes) == ["a", "b"]


@pytest.mark.asyncio
async def test_an_interrupt_between_two_statements_stops_the_next_one(database: Database) -> None:
    begun: list[int] = []

    def several(c: apsw.Connection, cancel: Callable[[], None]) -> None:
        for number in range(5):
            value(c, "SELECT 1")
            begun.append(number)
            if number == 2:
                cancel()

    read = Broken(database, several)
    await read.over()
    assert (begun, type(read.ended)) == ([0, 1, 2], apsw.InterruptError)
    assert await database.read(notes) == ["a"]


@pytest.mark.asyncio
async def test_an_unfinished_cursor_does_not_keep_an_old_view(tmp_path: Path, database: Database) -> None:
    """An open cursor would give every later read the file's old content."""
    other = Database(tmp_path / "notes.sqlite3", NOTES)
    held: list[object] = []

    def leaves_open(c: apsw.Connection) -> None:
        rows = c.execute("SELECT text FROM notes UNION ALL SELECT 'more'")
        held.append((next(rows), rows))

    await database.read(leaves_open)
    await other.write(add, "b")
    assert await database.read(notes) == ["a", "b"]
    await database.write(add, "c")
    assert await other.read(notes) == ["a", "b", "c"]
    await other.close()


def _no_way_back(c: apsw.Connection) -> None:
    """Fail in a way that makes the ROLLBACK fail too."""

    def refuse(operation: int, first: str | None, *_: str | None) -> int:
        rollback = operation == apsw.SQLITE_TRANSACTION and first == "ROLLBACK"
        return apsw.SQLITE_DENY if rollback else apsw.SQLITE_OK

    c.authorizer = refuse
    raise LookupError("in the middle")


def _half(c: apsw.Connection) -> None:
    add(c, "half")
    _no_way_back(c)


LEFT = pytest.mark.expects_log(
    "A transaction of the notes could not be left: AuthError", "The connection to the notes was of no use any more"
)


@LEFT
@pytest.mark.asyncio
async def test_a_connection_that_cannot_leave_its_transaction_is_replaced(database: Database) -> None:
    connections = [await database.read(lambda c: c)]
    for way in (database.read(_no_way_back), database.write(_half)):
        with pytest.raises(LookupError, match="in the middle"):
            await way
        connections.append(await database.read(lambda c: c))
        assert await database.read(notes) == ["a"]
    assert len({id(each) for each in connections}) == 3
    await database.write(add, "b")
    assert await database.read(notes) == ["a", "b"]
    assert await database.read(value, "PRAGMA synchronous") == 2  # FULL, as it was opened the first time


@pytest.mark.skipif(sys.platform == "win32", reason="Windows renames no file that is open")
@LEFT
@pytest.mark.expects_log("The notes could not be opened anew; the next call tries again")
@pytest.mark.asyncio
async def test_each_call_fails_until_the_file_can_be_opened_again(database: Database) -> None:
    path, away = database.path, database.path.with_name("away")
    path.rename(away)
    with pytest.raises(LookupError):
        await database.read(_no_way_back)
    for call in (database.read(notes), database.write(add, "never"), database.empty_log()):
        with pytest.raises(NotOpened, match="could not be opened again"):
            await call
    away.rename(path)
    await database.write(add, "b")
    assert await database.read(notes) == ["a", "b"]


@LEFT
@pytest.mark.asyncio
async def test_a_file_in_use_is_not_moved_away_when_it_is_opened_again(tmp_path: Path) -> None:
    """Two connections share the cache, so a damaged file is replaced only at the next start."""
    shared = [Database(tmp_path / "cache.sqlite3", replace(NOTES, disposable=True)) for _ in range(2)]
    for each in shared:  # each on a thread of its own: one that opens only after the mark is there heeds it, as a start
        await each.opened()
    await shared[0].write(add, "a")
    (tmp_path / "cache.sqlite3.damaged").touch()
    with pytest.raises(LookupError):
        await shared[1].read(_no_way_back)
    await shared[0].write(add, "b")
    assert await shared[1].read(notes) == ["a", "b"]
    for each in shared:
        await each.close()
    assert [name for name in os.listdir(tmp_path) if "aside" in name] == []  # noqa: PTH208


@pytest.mark.asyncio
async def test_a_separate_connection_is_closed_with_open_cursors(database: Database) -> None:
    held: list[object] = []

    def leaves_open(c: apsw.Connection) -> None:
        rows = c.execute("SELECT 1; SELECT 2; SELECT 3")
        held.append((next(rows), rows, c))
        raise LookupError("in the middle")

    for _ in range(2):
        with pytest.raises(LookupError):
            await database.read_separately(leaves_open)
    for *_, connection in (each for each in held if isinstance(each, tuple)):
        with pytest.raises(apsw.ConnectionClosedError):
            connection.execute("SELECT 1")


@pytest.mark.asyncio
async def test_closing_closes_open_cursors(tmp_path: Path) -> None:
    database = Database(tmp_path / "notes.sqlite3", NOTES)
    connection = await database.read(lambda c: c)
    rows = connection.execute("SELECT 1; SELECT 2")
    next(rows)
    await database.close()
    with pytest.raises(apsw.ConnectionClosedError):
        connection.execute("SELECT 1")


@pytest.mark.asyncio
async def test_a_call_after_closing_fails_on_every_thread(tmp_path: Path) -> None:
    database = Database(tmp_path / "notes.sqlite3", NOTES)
    await database.close()
    with pytest.raises(StoreError, match="closed"):
        await asyncio.to_thread(database.write_now, add, "late")
    with pytest.raises(StoreError, match="closed"):
        await database.write(add, "late")

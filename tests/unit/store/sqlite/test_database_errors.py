"""Whatever a write raises, every caller in its group is told, and the next write works."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import pytest

from app.store.sqlite.database import Database, FileHooks
from app.store.store_errors import WrongState
from tests.unit.store.sqlite.test_database_interrupts import NOTES, add, notes


class Odd(BaseException):
    """An exception that no handler expects."""


KINDS: tuple[type[BaseException], ...] = (
    Odd,
    GeneratorExit,
    StopIteration,
    StopAsyncIteration,
    MemoryError,
    RecursionError,
    AssertionError,
    WrongState,
    apsw.ConstraintError,
    apsw.InterruptError,
    apsw.ConnectionClosedError,
)


class Gate:
    """Blocks the database's thread, so that writes queued meanwhile share a commit."""

    def __init__(self) -> None:
        self.entered, self.open = threading.Event(), threading.Event()

    def hold(self, _: apsw.Connection) -> None:
        self.entered.set()
        assert self.open.wait(10)


async def in_one_group(database: Database, *calls: Callable[[apsw.Connection], Any]) -> list[object]:
    """Run these writes in one group; returns the result or the error of each."""
    gate = Gate()
    first = asyncio.ensure_future(database.write(gate.hold))
    await asyncio.to_thread(gate.entered.wait, 10)
    rest = [asyncio.ensure_future(database.write(call)) for call in calls]
    await asyncio.sleep(0)
    gate.open.set()
    async with asyncio.timeout(20):
        await first
        ended: list[object] = await asyncio.gather(*rest, return_exceptions=True)
    return ended


def adding(text: str) -> Callable[[apsw.Connection], None]:
    return lambda c: add(c, text)


def raises(kind: type[BaseException]) -> Callable[[apsw.Connection], None]:
    def half(c: apsw.Connection) -> None:
        add(c, "half")
        raise kind("of all things")

    return half


def reads_badly(kind: type[BaseException]) -> Callable[[apsw.Connection], None]:
    def half(c: apsw.Connection) -> None:
        next(c.execute("SELECT 1 UNION ALL SELECT 2"))
        raise kind("of all things")

    return half


def error_for(kind: type[BaseException]) -> type[BaseException]:
    """The error that the caller gets: an interrupt becomes a `StoreError`, and asyncio refuses StopIteration."""
    if kind is StopIteration:
        return RuntimeError
    return Exception if issubclass(kind, apsw.Error) else kind


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = Database(tmp_path / "notes.sqlite3", NOTES)
    yield made
    made.close_now()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.asyncio
async def test_a_write_that_raises(database: Database, kind: type[BaseException]) -> None:
    ended = await in_one_group(database, adding("a"), raises(kind), adding("b"))
    assert (ended[0], ended[2]) == (None, None)
    assert isinstance(ended[1], error_for(kind))
    assert await database.read(notes) == ["a", "b"]
    with pytest.raises(error_for(kind)):
        await database.write(raises(kind))
    with pytest.raises(error_for(kind)):
        await database.read(reads_badly(kind))
    await database.write(add, "c")
    assert await database.read(notes) == ["a", "b", "c"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.asyncio
async def test_a_commit_that_raises(database: Database, kind: type[BaseException]) -> None:
    def refuse() -> bool:
        raise kind("at the end")

    await database.opened()
    await in_one_group(database)
    before = await database.read(lambda c: c)
    gate = Gate()
    first = asyncio.ensure_future(database.write(gate.hold))
    await asyncio.to_thread(gate.entered.wait, 10)
    rest = [asyncio.ensure_future(database.write(add, text)) for text in "ab"]
    before.set_commit_hook(refuse)
    await asyncio.sleep(0)
    gate.open.set()
    async with asyncio.timeout(20):
        ended = await asyncio.gather(first, *rest, return_exceptions=True)
    assert all(isinstance(each, error_for(kind)) for each in ended), ended
    (await database.read(lambda c: c)).set_commit_hook(None)
    await database.write(add, "c")
    assert await database.read(notes) == ["c"]


@pytest.mark.parametrize("kind", [Odd, LookupError, apsw.SQLError])
@pytest.mark.asyncio
async def test_releasing_a_savepoint_that_raises(database: Database, kind: type[BaseException]) -> None:
    """It fails once within a group: then each write is committed alone, and none is missing."""
    left = [1]

    def refuse(operation: int, first: str | None, *_: str | None) -> int:
        if operation == apsw.SQLITE_SAVEPOINT and first == "RELEASE" and left:
            left.pop()
            raise kind("at a savepoint")
        return apsw.SQLITE_OK

    (await database.read(lambda c: c)).authorizer = refuse
    assert await in_one_group(database, adding("a"), adding("b")) == [None, None]
    assert left == []
    assert await database.read(notes) == ["a", "b"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.asyncio
async def test_the_hook_before_the_commit_raises(tmp_path: Path, kind: type[BaseException]) -> None:
    """Only the write that cannot be sealed is refused; the others of its group are committed."""

    def seal(c: apsw.Connection) -> None:
        if c.execute("SELECT count(*) FROM notes WHERE text = 'half'").get:
            raise kind("at the seal")

    database = Database(tmp_path / "notes.sqlite3", replace(NOTES, before_commit=seal))
    ended = await in_one_group(database, adding("a"), adding("half"), adding("b"))
    assert (ended[0], ended[2]) == (None, None)
    assert isinstance(ended[1], error_for(kind))
    assert await database.read(notes) == ["a", "b"]
    await database.close()


@pytest.mark.expects_log("What was written could not be followed")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.asyncio
async def test_the_hook_after_the_commit_raises(tmp_path: Path, kind: type[BaseException]) -> None:
    """A failure of the readable copy changes nothing: the committed write is reported as committed."""

    def follow(_: apsw.Connection) -> bool:
        raise kind("at the copy")

    hooks = FileHooks(
        before_open=lambda: None,
        quick_check=lambda _: None,
        full_check=lambda _: None,
        repair=lambda _: None,
        after_commit=follow,
        on_close=lambda: None,
    )
    database = Database(tmp_path / "notes.sqlite3", NOTES, hooks=hooks)
    assert await in_one_group(database, adding("a"), adding("b")) == [None, None]
    await database.write(add, "c")
    assert await database.read(notes) == ["a", "b", "c"]
    await database.close()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.asyncio
async def test_the_full_check_raises(tmp_path: Path, kind: type[BaseException]) -> None:
    """The first writes wait for the check and are refused; the next ones check again."""
    left = [1, 1]

    def check(_: apsw.Connection) -> None:
        if left:
            left.pop()
            raise kind("at the check")

    hooks = FileHooks(
        before_open=lambda: None,
        quick_check=lambda _: None,
        full_check=check,
        repair=lambda _: None,
        after_commit=lambda _: False,
        on_close=lambda: None,
    )
    database = Database(tmp_path / "notes.sqlite3", NOTES, hooks=hooks)
    for _ in range(2):
        async with asyncio.timeout(20):
            with pytest.raises(error_for(kind)):
                await database.write(add, "early")
    await database.write(add, "a")
    assert await database.read(notes) == ["a"]
    await database.close()


@pytest.mark.expects_log("What was to follow a write failed: Unheard")
@pytest.mark.asyncio
async def test_a_future_that_cannot_be_ended_does_not_keep_the_others_waiting(database: Database) -> None:
    class Unheard(Odd):
        pass

    def refuse(_: object) -> None:
        raise Unheard

    gate = Gate()
    first = asyncio.ensure_future(database.write(gate.hold))
    await asyncio.to_thread(gate.entered.wait, 10)
    deaf = database._pending.add(adding("a"))
    deaf.add_done_callback(refuse)
    rest = [asyncio.ensure_future(database.write(add, text)) for text in "bc"]
    await asyncio.sleep(0)
    gate.open.set()
    async with asyncio.timeout(20):
        await asyncio.gather(first, *rest)
    assert deaf.result() is None
    assert await database.read(notes) == ["a", "b", "c"]

"""One SQLite file, one connection, one thread; every function handed in runs there, whole.

Invariants: the connection is touched by its own thread alone. A write runs in one transaction: all of it is
on the disk when `write` returns, and none of it when it raises. A task that stops waiting does not stop a
write; a read it no longer wants is dropped or broken off, which changes nothing. Functions handed in take
the connection first, return plain data (never a cursor) and know nothing of transactions.
"""

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

import apsw

from app.store.errors import JournalDamaged, NotSaved, StoreError, disk_sentence, is_damage
from app.store.opening import Schema, damage_mark, open_file

P = ParamSpec("P")
T = TypeVar("T")
_log = logging.getLogger(__name__)


class Database:
    """A database file and the thread that owns it. Works under any asyncio loop, and without one.

    Opening starts at once, on the thread; `opened` tells how it went, and any later call raises the same
    `StoreError` if it went badly. `vfs` names an apsw file layer, for tests of failing disks.
    """

    def __init__(self, path: Path, schema: Schema, *, vfs: str | None = None) -> None:
        self.path = path
        self.schema = schema
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"store-{schema.name}")
        self._closed = False
        self._guard = threading.Lock()  # over the next line, and over breaking a read off
        self._reading: object = None  # the ticket of the read that runs at this moment
        self._connection: Future[apsw.Connection] = self._thread.submit(open_file, path, schema, vfs)

    async def opened(self) -> None:
        """Return when the file is open. Raises `SchemaTooNew`, `JournalDamaged` or `NotOpened`."""
        await _outcome(self._connection)

    async def read(
        self, function: Callable[Concatenate[apsw.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `function(connection, …)` over one unchanging view of the file. It cannot write."""
        ticket = object()
        job = self._submit(lambda: self._read(ticket, lambda c: function(c, *args, **kwargs)))
        try:
            return await _outcome(job)
        except asyncio.CancelledError:
            self._drop(job, ticket)
            raise

    async def write(
        self, function: Callable[Concatenate[apsw.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `function(connection, …)` in one transaction and commit it.

        Raises what the function raises, and `NotSaved` when the disk refuses; either way nothing was kept.
        A cancelled caller wakes at once while the write runs to its end; if it then fails with nobody
        waiting, the loop's exception handler is told.
        """
        job = self._submit(lambda: self._write(lambda c: function(c, *args, **kwargs)))
        return await _outcome(job, tell=True)

    def read_now(self, function: Callable[Concatenate[apsw.Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """`read` for callers without a loop; blocks."""
        return self._submit(lambda: self._read(object(), lambda c: function(c, *args, **kwargs))).result()

    def write_now(self, function: Callable[Concatenate[apsw.Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """`write` for callers without a loop; blocks."""
        return self._submit(lambda: self._write(lambda c: function(c, *args, **kwargs))).result()

    async def close(self) -> None:
        """Finish what was asked for, close the file and end the thread. A second call does nothing."""
        if (closing := self._start_closing()) is not None:
            await _outcome(closing)

    def close_now(self) -> None:
        """`close` for callers without a loop; blocks."""
        if (closing := self._start_closing()) is not None:
            closing.result()

    def _start_closing(self) -> "Future[None] | None":
        if self._closed:
            return None
        closing = self._submit(self._close)
        self._closed = True
        self._thread.shutdown(wait=False)  # what was submitted still runs
        return closing

    def _submit(self, job: Callable[[], T]) -> "Future[T]":
        if self._closed:
            raise StoreError(f"The {self.schema.name} is closed.")
        return self._thread.submit(job)

    def _drop(self, job: "Future[T]", ticket: object) -> None:
        """Take a read out of the queue, or break it off if it runs."""
        if job.cancel():
            return
        with self._guard:
            if self._reading is ticket:
                self._connection.result().interrupt()

    # What follows runs on the thread.

    def _read(self, ticket: object, call: Callable[[apsw.Connection], T]) -> T:
        connection = self._connection.result()
        try:
            connection.execute("PRAGMA query_only = 1")
            try:
                return self._look(connection, ticket, call)
            finally:
                connection.execute("PRAGMA query_only = 0")
        except apsw.Error as error:
            raise self._in_words(error) from error

    def _look(self, connection: apsw.Connection, ticket: object, call: Callable[[apsw.Connection], T]) -> T:
        connection.execute("BEGIN")
        with self._guard:
            self._reading = ticket
        try:
            return call(connection)
        finally:
            with self._guard:
                self._reading = None
            _leave(connection)

    def _write(self, call: Callable[[apsw.Connection], T]) -> T:
        connection = self._connection.result()
        try:
            connection.execute("BEGIN IMMEDIATE")
            try:
                result = call(connection)
                connection.execute("COMMIT")
            finally:
                _leave(connection)
        except apsw.Error as error:
            raise self._in_words(error) from error
        return result

    def _close(self) -> None:
        if self._connection.exception() is None:
            self._connection.result().close()

    def _in_words(self, error: apsw.Error) -> Exception:
        """The error as a person should read it; a mistake of the program stays what it is."""
        if is_damage(error):
            return self._damage()
        if isinstance(error, apsw.InterruptError):
            return StoreError("Looking this up was broken off.")
        sentence = disk_sentence(error)
        return error if sentence is None else NotSaved(sentence)

    def _damage(self) -> StoreError:
        if not self.schema.disposable:
            return JournalDamaged(
                f"The {self.schema.name} {self.path} is damaged. Nothing was changed. Close Waybill and keep "
                "the file: it holds what this desk sent."
            )
        with contextlib.suppress(OSError):  # without the mark the next start meets the damage once more
            damage_mark(self.path).touch()
        return StoreError(
            f"The {self.schema.name} {self.path} is damaged. It holds only what can be fetched again: "
            "close Waybill and start it again, and it is made anew."
        )


def _leave(connection: apsw.Connection) -> None:
    """Undo whatever was not committed."""
    if connection.in_transaction:
        connection.execute("ROLLBACK")


async def _outcome(job: "Future[T]", *, tell: bool = False) -> T:
    """Wait for `job` without ever cancelling it. With `tell`, its failure is never lost when nobody waits."""
    loop = asyncio.get_running_loop()
    waiter: asyncio.Future[T] = loop.create_future()

    def done(job: "Future[T]") -> None:
        try:
            loop.call_soon_threadsafe(_deliver, loop, waiter, job, tell)
        except RuntimeError:  # the loop has been closed meanwhile
            if tell and (error := job.exception()) is not None:
                _log.error("A change could not be kept, and nobody was waiting for it", exc_info=error)

    job.add_done_callback(done)
    return await waiter


def _deliver(loop: asyncio.AbstractEventLoop, waiter: "asyncio.Future[T]", job: "Future[T]", tell: bool) -> None:
    if job.cancelled():
        waiter.cancel()
        return
    error = job.exception()
    if waiter.done():
        if tell and error is not None:
            loop.call_exception_handler({"message": str(error), "exception": error})
    elif error is not None:
        waiter.set_exception(error)
    else:
        waiter.set_result(job.result())

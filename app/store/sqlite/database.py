"""One SQLite file, one connection, one thread; every function handed in runs there, whole.

Invariants: the connection is touched by its own thread alone. A write is all or nothing: all of it is on the disk
when `write` returns, and none of it when it raises. Writes that wait at the same time are committed together, since
waiting for the disk once is what costs. A task that stops waiting does not stop a write; a read it no longer wants is
dropped or broken off, which changes nothing. Functions handed in take the connection first, return plain data (never
a cursor), know nothing of transactions, and may be run once more after a commit that the disk refused. Whatever a
function raises, the next one finds the connection without a transaction and without a cursor of the one before; a
connection that cannot be brought back to that is replaced by a new one. Everybody who waits is told how it ended.
"""

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Concatenate, ParamSpec, TypeVar

import apsw

from app.store.sqlite.file_faults import in_words
from app.store.sqlite.group_commit import Shared, Waiting, Write
from app.store.sqlite.open_cursors import Cursors
from app.store.sqlite.opening import BUSY_MS, Schema, keep_log_on_close, open_file, reopen_file
from app.store.sqlite.thread_future import outcome
from app.store.store_errors import JournalDamaged, NotSaved, StoreError

P = ParamSpec("P")
T = TypeVar("T")
_log = logging.getLogger(__name__)
_STEPS = 1_000
_ROLLBACKS = 3  # tries before the connection is given up


@dataclass(frozen=True)
class FileHooks:
    """What a precious file is given beyond being opened. All of it runs on the file's thread, except `check`.

    `prepare` comes before the file is opened. `suspect` looks at it before anything is done to it, quickly; `check`
    reads all of it, on a connection of its own beside the thread's, and is broken off by closing. Both say in a few
    words what is wrong, None for nothing. `repair` makes the file anew out of what can be read, and is only ever called
    while nothing has been written. `after_commit` follows what was written and says whether there is more to follow;
    `close` ends what it began.
    """

    prepare: Callable[[], None]
    suspect: Callable[[apsw.Connection], str | None]
    check: Callable[[apsw.Connection], str | None]
    repair: Callable[[str], None]
    after_commit: Callable[[apsw.Connection], bool]
    close: Callable[[], None]


class Database:
    """A database file and the thread that owns it. Works under any asyncio loop, and without one.

    Opening starts at once, on the thread; `opened` tells how it went, and any later call raises the same
    `StoreError` if it went badly. `vfs` names an apsw file layer, for tests of failing disks. With `care` the file is
    read through only before the first write, or when `check` asks for it, so that opening takes no time; if it is
    damaged it is repaired then, and whoever reads it never knows.
    """

    def __init__(self, path: Path, schema: Schema, *, vfs: str | None = None, care: FileHooks | None = None) -> None:
        self.path = path
        self.schema = schema
        self._vfs, self._care = vfs, care
        self._trusted = care is None  # read through, so that it may be written to
        self._checking: Future[str | None] | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"store-{schema.name}")
        self._closed = False
        self._waiting = Waiting()
        self._guard = threading.Lock()  # over the next line, over breaking a read off, and over closing
        self._reading: object = None  # the ticket of the read that runs at this moment
        self._others = threading.Condition()  # over the next line
        self._open_separately = 0  # connections beside the thread's
        self._cursors: Cursors | None = None  # of the connection; None before it is open
        self._lost = False  # the connection was given up, and no new one could be opened yet
        self._connection: Future[apsw.Connection] = self._thread.submit(self._open)

    async def opened(self) -> None:
        """Return when the file is open. Raises `SchemaTooNew`, `JournalDamaged` or `NotOpened`."""
        await outcome(self._connection)

    async def read(
        self, function: Callable[Concatenate[apsw.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `function(connection, …)` over one unchanging view of the file. It cannot write."""
        ticket = object()
        job = self._submit(lambda: self._read(ticket, lambda c: function(c, *args, **kwargs)))
        try:
            return await outcome(job)
        except asyncio.CancelledError:
            self._drop(job, ticket)
            raise

    async def write(
        self, function: Callable[Concatenate[apsw.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `function(connection, …)` and commit it, whole.

        Raises what the function raises, and `NotSaved` when the disk refuses; either way nothing was kept.
        A cancelled caller wakes at once while the write runs to its end; if it then fails with nobody
        waiting, the loop's exception handler is told.
        """
        with self._guard:  # what is refused here since the file is closed is not written by a job from before that
            if self._closed:
                raise self._is_closed()
            told: Future[T] = self._waiting.add(lambda c: function(c, *args, **kwargs))
            self._thread.submit(self._write_waiting)
        return await outcome(told, tell=True)

    async def check(self) -> None:
        """Read the file through, and repair it if it is damaged; reads go on meanwhile, writes wait.

        Raises as `opened`, and `NotSaved` when it could not be read through.
        """
        if self._trusted:
            return
        await outcome(self._connection)
        await outcome(self._begin_check())
        await outcome(self._submit(self._trust))

    def begin_check(self) -> None:
        """Start reading the file through, so that the first write need not wait for all of it."""
        if not self._trusted:
            self._begin_check()

    async def read_separately(
        self, function: Callable[Concatenate[apsw.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `function(connection, …)` on a thread and a connection of its own, for long work; it cannot write."""
        await outcome(self._connection)
        return await asyncio.to_thread(self._run_separately, lambda c: function(c, *args, **kwargs))

    def read_separately_now(
        self, function: Callable[Concatenate[apsw.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """`read_separately` for callers on a thread of their own; blocks."""
        self._connection.result()
        return self._run_separately(lambda c: function(c, *args, **kwargs))

    async def empty_log(self) -> None:
        """Work the write-ahead log into the file and cut it off, so that nothing forgotten stays in it.

        Raises `NotSaved` where that cannot be done now; it can be tried again.
        """
        await outcome(self._submit(self._empty_log))

    def read_now(self, function: Callable[Concatenate[apsw.Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """`read` for callers without a loop; blocks."""
        return self._submit(lambda: self._read(object(), lambda c: function(c, *args, **kwargs))).result()

    def write_now(self, function: Callable[Concatenate[apsw.Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """`write` for callers without a loop; blocks."""
        return self._submit(lambda: self._write(lambda c: function(c, *args, **kwargs))).result()

    async def close(self) -> None:
        """Finish what was asked for, close the file and end the thread. A second call does nothing."""
        if (closing := self._start_closing()) is not None:
            await outcome(closing)

    def close_now(self) -> None:
        """`close` for callers without a loop; blocks."""
        if (closing := self._start_closing()) is not None:
            closing.result()

    def _start_closing(self) -> "Future[None] | None":
        with self._guard:  # nothing is submitted behind the closing, by whatever thread
            if self._closed:
                return None
            closing = self._thread.submit(self._close)
            self._closed = True
        self._thread.shutdown(wait=False)  # what was submitted still runs
        return closing

    def _submit(self, job: Callable[[], T]) -> "Future[T]":
        with self._guard:
            if self._closed:
                raise self._is_closed()
            return self._thread.submit(job)

    def _is_closed(self) -> StoreError:
        return StoreError(f"The {self.schema.name} is closed.")

    def _drop(self, job: "Future[T]", ticket: object) -> None:
        """Take a read out of the queue, or break it off if it runs."""
        if job.cancel():
            return
        with self._guard:
            # Under the guard: the read cannot end meanwhile, so nothing that comes after it is met by the break.
            if self._reading is ticket and self._cursors is not None:
                self._cursors.break_off()
                self._connection.result().interrupt()

    def _begin_check(self) -> "Future[str | None]":
        with self._guard:
            if self._checking is None:
                assert self._care is not None
                checking: Future[str | None] = Future()
                work = Thread(target=self._run_check, args=(checking, self._care))
                self._checking = checking
                work.start()
            return self._checking

    def _run_check(self, told: "Future[str | None]", care: FileHooks) -> None:
        def check(connection: apsw.Connection) -> str | None:
            # Closing does not wait for a file to be read through; this is asked every few thousand steps.
            connection.set_progress_handler(lambda: self._closed, _STEPS)
            return care.check(connection)

        try:
            told.set_result(self._run_separately(check))
        except JournalDamaged as error:
            told.set_result(error.why)
        except BaseException as error:  # noqa: BLE001  # handed to whoever waits for the check
            with self._guard:
                self._checking = None  # the next one tries again
            told.set_exception(error)

    def _run_separately(self, call: Callable[[apsw.Connection], T]) -> T:
        with self._others:
            self._open_separately += 1
        try:
            return self._on_own_connection(call)
        except apsw.Error as error:
            raise self._in_words(error) from error
        finally:
            with self._others:
                self._open_separately -= 1
                self._others.notify_all()

    def _on_own_connection(self, call: Callable[[apsw.Connection], T]) -> T:
        connection = apsw.Connection(str(self.path), flags=apsw.SQLITE_OPEN_READWRITE, vfs=self._vfs)
        cursors = Cursors(connection)
        try:
            connection.set_busy_timeout(BUSY_MS)
            keep_log_on_close(connection, keep=True)
            connection.execute("PRAGMA query_only = 1")
            return call(connection)
        finally:
            # A cursor that was left in the middle would refuse the closing, and the file could not be replaced.
            cursors.close()
            connection.close(True)

    # What follows runs on the thread.

    def _open(self) -> apsw.Connection:
        connection = self._opened()
        self._cursors = Cursors(connection)
        return connection

    def _opened(self) -> apsw.Connection:
        if self._care is None:
            return open_file(self.path, self.schema, self._vfs)
        try:
            self._care.prepare()
            return open_file(self.path, self.schema, self._vfs, check=False, suspect=self._care.suspect)
        except JournalDamaged as error:
            return self._repaired(self._care, error.why)

    def _repaired(self, care: FileHooks, why: str) -> apsw.Connection:
        care.repair(why)
        self._trusted = True  # what was just made has been read through
        return open_file(self.path, self.schema, self._vfs)

    def _trust(self) -> None:
        """Before the first write: be sure of the file, or make it so."""
        if self._trusted:
            return
        assert self._care is not None
        why = self._begin_check().result()
        if why is not None:
            self._heal(self._care, why)
        self._trusted = True
        keep_log_on_close(self._connection.result(), keep=False)
        self._follow()

    def _heal(self, care: FileHooks, why: str) -> None:
        """Put a repaired file in the place of a damaged one that nothing has been written to."""
        self._let_go()
        with self._others:  # no system but ours replaces a file that somebody has open
            self._others.wait_for(lambda: self._open_separately == 0)
            self._renew(lambda: self._repaired(care, why))

    def _let_go(self) -> None:
        """Close the connection, whatever is still open on it."""
        with self._guard:  # a read is not broken off meanwhile
            cursors, self._cursors = self._cursors, None
        if cursors is not None:
            cursors.close()
        self._connection.result().close(True)

    def _renew(self, opened: Callable[[], apsw.Connection]) -> None:
        """Have another connection in the place of the one that was let go."""
        renewed: Future[apsw.Connection] = Future()
        self._connection = renewed
        try:
            connection = opened()
            self._cursors = Cursors(connection)
            renewed.set_result(connection)
        except BaseException as error:
            renewed.set_exception(error)
            raise

    def _usable(self) -> apsw.Connection:
        """The connection; a new one, if the last was lost and the file can be opened by now."""
        if self._lost:
            self._open_again()
        return self._connection.result()

    def _lose(self) -> None:
        """Have a new connection in the place of one that cannot be brought back to a state in which it is of use."""
        _log.warning("The connection to the %s was of no use any more, and is opened anew", self.schema.name)
        self._let_go()
        try:
            self._open_again()
        except StoreError:
            _log.warning("The %s could not be opened anew; the next call tries again", self.schema.name)

    def _open_again(self) -> None:
        """Raises `NotOpened`, and is tried again at the next call then."""
        self._lost = True
        keep_log = not self._trusted  # see `keep_log_on_close`
        self._renew(lambda: reopen_file(self.path, self.schema, self._vfs, keep_log=keep_log))
        self._lost = False

    def _follow(self) -> None:
        if self._care is None:
            return
        try:
            more = self._care.after_commit(self._usable())
        except BaseException as error:  # noqa: BLE001  # what was written is written; it is followed after the next write
            _log.warning("What was written could not be followed: %s", type(error).__name__)
            return
        with self._guard:
            if more and not self._closed:  # else it is followed at the next start
                self._thread.submit(self._follow)

    def _read(self, ticket: object, call: Callable[[apsw.Connection], T]) -> T:
        try:
            return self._read_once(ticket, call)
        except (JournalDamaged, UnicodeDecodeError) as error:
            if self._trusted or self._care is None:
                raise
            self._heal(self._care, error.why if isinstance(error, JournalDamaged) else "a text in it is none")
            return self._read_once(ticket, call)

    def _read_once(self, ticket: object, call: Callable[[apsw.Connection], T]) -> T:
        connection = self._usable()
        try:
            try:
                connection.execute("PRAGMA query_only = 1")
                connection.execute("BEGIN")
                with self._guard:
                    self._reading = ticket
                return call(connection)
            finally:
                with self._guard:  # from here on nothing is broken off
                    self._reading = None
                self._leave(connection)
        except apsw.Error as error:
            raise self._in_words(error) from error

    def _leave(self, connection: apsw.Connection) -> None:
        """Undo whatever was not committed, and leave the connection as the next one expects it. Raises nothing."""
        for _ in range(_ROLLBACKS):
            try:
                # First the cursors: one that is still open keeps the break alive, which then meets the ROLLBACK too.
                if self._cursors is not None:
                    self._cursors.close()
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                connection.execute("PRAGMA query_only = 0")
                return
            except apsw.Error as error:
                _log.warning("A transaction of the %s could not be left: %s", self.schema.name, type(error).__name__)
        self._lose()

    def _write_waiting(self) -> None:
        writes = self._waiting.take()
        try:
            self._write_together(writes)
        except BaseException as error:  # noqa: BLE001  # whatever it is: nobody waits for ever
            for each in writes:
                each.fail(error)

    def _write_together(self, writes: list[Write]) -> None:
        if len(writes) > 1:
            shared = Shared(writes)
            try:
                self._write(shared.run)
            except BaseException as error:  # noqa: BLE001  # whoever's fault it was: each is tried by itself
                _log.debug("A commit of %d writes failed: %s", len(writes), type(error).__name__)
            else:
                shared.tell()
                return
        for each in writes:
            each.by_itself(self._write)

    def _write(self, call: Callable[[apsw.Connection], T]) -> T:
        self._usable()
        self._trust()
        connection = self._usable()
        try:
            try:
                connection.execute("BEGIN IMMEDIATE")
                result = call(connection)
                if self.schema.before_commit is not None:
                    self.schema.before_commit(connection)
                connection.execute("COMMIT")
            finally:
                self._leave(connection)
        except apsw.Error as error:
            raise self._in_words(error) from error
        self._follow()
        return result

    def _empty_log(self) -> None:
        try:
            self._usable().wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        except (apsw.BusyError, apsw.LockedError) as error:
            raise NotSaved(f"The log of the {self.schema.name} is being read, so it could not be emptied.") from error
        except apsw.Error as error:
            raise self._in_words(error) from error

    def _close(self) -> None:
        if self._checking is not None:
            self._checking.exception()  # broken off by now, since we are closed
        if self._connection.exception() is None:
            self._let_go()
        if self._care is not None:
            self._care.close()

    def _in_words(self, error: apsw.Error) -> Exception:
        return in_words(error, self.path, self.schema, repaired=self._care is not None)

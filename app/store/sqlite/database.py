"""One SQLite file, one connection, one thread; every function handed to `Database` runs on that thread, whole.

Invariants:
- Only the file's own thread touches the connection.
- A write is all or nothing: all of it is on the disk when `write` returns, none of it is kept when `write` raises.
- Writes that wait at the same time share one commit, where a commit waits for the disk (`group_commit`).
- Cancelling a task never stops its write. It drops or interrupts its read, which changes nothing.
- After each function the connection has no open transaction and no open cursor. A connection that cannot be brought
  back to that state is replaced by a new one.
- Every caller is told how its call ended, whatever was raised.

A function handed to `Database` takes the connection first, returns plain data (never a cursor) and never begins or ends
a transaction. It may run a second time after a commit that the disk refused.
"""

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Concatenate, ParamSpec, TypeVar

import apsw

from app.store.sqlite.file_errors import disk_sentence, is_damage
from app.store.sqlite.group_commit import GROUP_SIZE, GroupCommit, PendingWrite, PendingWrites
from app.store.sqlite.open_cursors import OpenCursors
from app.store.sqlite.opening import BUSY_MS, Schema, damage_mark, keep_log_on_close, open_file, reopen_file
from app.store.sqlite.thread_future import outcome
from app.store.store_errors import JournalDamaged, NotSaved, StoreError
from app.translation import translate

P = ParamSpec("P")
T = TypeVar("T")
_log = logging.getLogger(__name__)
# SQLite's own steps between two looks at whether a full check is still wanted.
_STEPS = 1_000
_ROLLBACKS = 3  # tries before the connection is replaced


@dataclass(frozen=True)
class FileHooks:
    """The care that a precious file needs beyond being opened.

    All hooks run on the file's thread, except `full_check`, which runs on a thread and a connection of its own and is
    interrupted when the database closes. `quick_check` and `full_check` return the fault in a few words, None if the
    file is sound. `repair` makes the file anew from what can be read; it is called only before the first write.
    `after_commit` returns whether it has more to do.
    """

    before_open: Callable[[], None]
    quick_check: Callable[[apsw.Connection], str | None]
    full_check: Callable[[apsw.Connection], str | None]
    repair: Callable[[str], None]
    after_commit: Callable[[apsw.Connection], bool]
    on_close: Callable[[], None]


class Database:
    """A database file and the thread that owns it. Works under any asyncio loop, and without one.

    Opening starts at once, on the thread. `opened` tells how it went; every later call raises the same `StoreError` if
    opening failed. `vfs` names an apsw file layer, for tests of failing disks. With `hooks` the file is checked in full
    only before the first write, or by `check`, so that opening takes no time; a damaged file is repaired then, and
    readers do not notice.
    """

    def __init__(self, path: Path, schema: Schema, *, vfs: str | None = None, hooks: FileHooks | None = None) -> None:
        self.path = path
        self.schema = schema
        self._vfs, self._hooks = vfs, hooks
        self._checked = hooks is None  # checked in full, so it may be written to
        self._checking: Future[str | None] | None = None
        # One worker is the queue: jobs run in the order in which they were submitted, and no two at a time.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"store-{schema.name}")
        self._closed = False
        self._pending = PendingWrites(GROUP_SIZE if schema.synchronous == "FULL" else 1)
        self._lock = threading.Lock()  # over `_reading`, `_cursors`, `_closed` and `_checking`
        self._reading: object = None  # the ticket of the read that runs at this moment
        self._separate_ended = threading.Condition()  # over `_separate_open`
        self._separate_open = 0  # connections other than the thread's own
        self._cursors: OpenCursors | None = None  # of the connection; None before it is open
        self._lost = False  # the connection was closed for good, and no new one could be opened yet
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
            self._cancel_read(job, ticket)
            raise

    async def write(
        self, function: Callable[Concatenate[apsw.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `function(connection, …)` and commit its changes, whole.

        Raises what the function raises, and `NotSaved` when the disk refuses; either way nothing was kept. A cancelled
        caller wakes at once while the write runs to its end. If that write fails, the loop's exception handler is told.
        """
        # One lock over both steps: otherwise a job submitted before `close` could take a write added after it.
        with self._lock:
            if self._closed:
                raise self._closed_error()
            written: Future[T] = self._pending.add(lambda c: function(c, *args, **kwargs))
            self._thread.submit(self._commit_pending)
        return await outcome(written, report_failure=True)

    async def check(self) -> None:
        """Check the file in full, and repair it if it is damaged. Reads go on meanwhile, writes wait.

        Raises as `opened`, and `NotSaved` if the file could not be read to its end.
        """
        if self._checked:
            return
        await outcome(self._connection)
        await outcome(self._start_check())
        # The finding is acted on by the file's own thread: only that thread may close and replace the connection.
        await outcome(self._submit(self._ensure_checked))

    def begin_check(self) -> None:
        """Start the full check, so that the first write has less to wait for."""
        if not self._checked:
            self._start_check()

    async def read_separately(
        self, function: Callable[Concatenate[apsw.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `function(connection, …)` on a thread and a connection of its own, for long work. It cannot write."""
        await outcome(self._connection)
        return await asyncio.to_thread(self._run_separately, lambda c: function(c, *args, **kwargs))

    def read_separately_now(
        self, function: Callable[Concatenate[apsw.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """`read_separately` for callers on a thread of their own; blocks."""
        self._connection.result()
        return self._run_separately(lambda c: function(c, *args, **kwargs))

    async def empty_log(self) -> None:
        """Move the write-ahead log into the file and truncate it, so that no deleted row stays in the log.

        Raises `NotSaved` if that is not possible now; the call can be repeated.
        """
        await outcome(self._submit(self._empty_log))

    def read_now(self, function: Callable[Concatenate[apsw.Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """`read` for callers without a loop; blocks."""
        return self._submit(lambda: self._read(object(), lambda c: function(c, *args, **kwargs))).result()

    def write_now(self, function: Callable[Concatenate[apsw.Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """`write` for callers without a loop; blocks."""
        return self.begin_write(function, *args, **kwargs).result()

    def begin_write(
        self, function: Callable[Concatenate[apsw.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> "Future[T]":
        """`write_now` that returns at once, for callers that have something else to do until the write ends."""
        return self._submit(lambda: self._write(lambda c: function(c, *args, **kwargs)))

    async def close(self) -> None:
        """Finish all calls made before, close the file and end the thread. A second call does nothing."""
        if (closing := self._start_closing()) is not None:
            await outcome(closing)

    def close_now(self) -> None:
        """`close` for callers without a loop; blocks."""
        if (closing := self._start_closing()) is not None:
            closing.result()

    def _start_closing(self) -> "Future[None] | None":
        # Under the lock, no thread can submit a job behind the closing.
        with self._lock:
            if self._closed:
                return None
            closing = self._thread.submit(self._close)
            self._closed = True
        # Without waiting: `close` is awaited on the window's thread, and the last writes may need a slow disk.
        self._thread.shutdown(wait=False)  # jobs submitted before still run
        return closing

    def _submit(self, job: Callable[[], T]) -> "Future[T]":
        with self._lock:
            if self._closed:
                raise self._closed_error()
            return self._thread.submit(job)

    def _closed_error(self) -> StoreError:
        return StoreError(translate("The {file} is closed.", file=self.schema.name))

    def _cancel_read(self, job: "Future[T]", ticket: object) -> None:
        """Take a read out of the queue, or interrupt it if it runs."""
        # A job that the thread has not begun yet is simply never begun.
        if job.cancel():
            return
        # Under the lock the read cannot end, so the interrupt never hits the read that comes after it.
        with self._lock:
            if self._reading is ticket and self._cursors is not None:
                self._cursors.refuse_more()
                self._connection.result().interrupt()

    def _start_check(self) -> "Future[str | None]":
        with self._lock:
            if self._checking is None:
                assert self._hooks is not None
                checking: Future[str | None] = Future()
                work = Thread(target=self._run_check, args=(checking, self._hooks))
                self._checking = checking
                work.start()
            return self._checking

    def _run_check(self, checking: "Future[str | None]", hooks: FileHooks) -> None:
        def check(connection: apsw.Connection) -> str | None:
            # Closing must not wait for a large file to be read: SQLite stops as soon as the handler returns True.
            connection.set_progress_handler(lambda: self._closed, _STEPS)
            return hooks.full_check(connection)

        try:
            checking.set_result(self._run_separately(check))
        except JournalDamaged as error:
            checking.set_result(error.why)
        except BaseException as error:  # noqa: BLE001  # raised again in the task that waits for the check
            with self._lock:
                self._checking = None  # the next call checks once more
            checking.set_exception(error)

    def _run_separately(self, call: Callable[[apsw.Connection], T]) -> T:
        with self._separate_ended:
            self._separate_open += 1
        try:
            return self._on_own_connection(call)
        except apsw.Error as error:
            raise self._store_error(error) from error
        finally:
            with self._separate_ended:
                self._separate_open -= 1
                self._separate_ended.notify_all()

    def _on_own_connection(self, call: Callable[[apsw.Connection], T]) -> T:
        connection = apsw.Connection(str(self.path), flags=apsw.SQLITE_OPEN_READWRITE, vfs=self._vfs)
        cursors = OpenCursors(connection)
        try:
            connection.set_busy_timeout(BUSY_MS)
            keep_log_on_close(connection, keep=True)
            # The pragma holds on a connection of its own too: only the file's thread writes, so `before_commit` misses
            # no change.
            connection.execute("PRAGMA query_only = 1")
            return call(connection)
        finally:
            # SQLite refuses to close a connection with an open cursor, and Windows to replace a file that is open.
            cursors.close()
            connection.close(True)

    # All methods below run on the file's thread.

    def _open(self) -> apsw.Connection:
        connection = self._open_or_repair()
        self._cursors = OpenCursors(connection)
        return connection

    def _open_or_repair(self) -> apsw.Connection:
        if self._hooks is None:
            return open_file(self.path, self.schema, self._vfs)
        try:
            self._hooks.before_open()
            return open_file(self.path, self.schema, self._vfs, check=False, quick_check=self._hooks.quick_check)
        except JournalDamaged as error:
            return self._repair(self._hooks, error.why)

    def _repair(self, hooks: FileHooks, why: str) -> apsw.Connection:
        hooks.repair(why)
        self._checked = True  # `repair` checks the file that it makes
        return open_file(self.path, self.schema, self._vfs)

    def _ensure_checked(self) -> None:
        """Before the first write: check the file in full, and repair it if it is damaged."""
        if self._checked:
            return
        assert self._hooks is not None
        why = self._start_check().result()
        if why is not None:
            self._replace_damaged(self._hooks, why)
        self._checked = True
        keep_log_on_close(self._connection.result(), keep=False)
        self._run_after_commit()

    def _replace_damaged(self, hooks: FileHooks, why: str) -> None:
        """Repair a damaged file that was not written to, and open the repaired one."""
        self._close_connection()
        # Windows replaces no file that is open, so the separate connections must be closed first.
        with self._separate_ended:
            self._separate_ended.wait_for(lambda: self._separate_open == 0)
            self._set_connection(lambda: self._repair(hooks, why))

    def _close_connection(self) -> None:
        with self._lock:  # `_cancel_read` must not interrupt a connection that is being closed
            cursors, self._cursors = self._cursors, None
        if cursors is not None:
            cursors.close()
        self._connection.result().close(True)

    def _set_connection(self, opened: Callable[[], apsw.Connection]) -> None:
        """Put a new connection in the place of the one that was closed."""
        renewed: Future[apsw.Connection] = Future()
        self._connection = renewed
        try:
            connection = opened()
            self._cursors = OpenCursors(connection)
            renewed.set_result(connection)
        except BaseException as error:
            renewed.set_exception(error)
            raise

    def _usable(self) -> apsw.Connection:
        """The connection, opened again first if the last one was lost. Raises `NotOpened`."""
        if self._lost:
            self._reopen()
        return self._connection.result()

    def _replace_connection(self) -> None:
        """Close a connection whose transaction cannot be ended, and open a new one."""
        _log.warning("The connection to the %s was of no use any more, and is opened anew", self.schema.name)
        self._close_connection()
        try:
            self._reopen()
        except StoreError:
            _log.warning("The %s could not be opened anew; the next call tries again", self.schema.name)

    def _reopen(self) -> None:
        """Raises `NotOpened`; the next call tries again then."""
        # Set before the attempt: where it fails, the next call finds no usable connection and must try again.
        self._lost = True
        keep_log = not self._checked  # see `keep_log_on_close`
        self._set_connection(lambda: reopen_file(self.path, self.schema, self._vfs, keep_log=keep_log))
        self._lost = False

    def _run_after_commit(self) -> None:
        if self._hooks is None:
            return
        try:
            more = self._hooks.after_commit(self._usable())
        except BaseException as error:  # noqa: BLE001  # the write is committed; the hook runs again after the next one
            _log.warning("What was written could not be followed: %s", type(error).__name__)
            return
        # `close` sets `_closed` and submits the closing under this lock, so nothing gets behind the closing.
        with self._lock:
            if more and not self._closed:  # after closing, the next start goes on with it
                self._thread.submit(self._run_after_commit)

    def _read(self, ticket: object, call: Callable[[apsw.Connection], T]) -> T:
        try:
            return self._read_once(ticket, call)
        except (JournalDamaged, UnicodeDecodeError) as error:
            # A file that was written to cannot be replaced by its copy without asking: what was written since may be in
            # it alone.
            if self._checked or self._hooks is None:
                raise
            self._replace_damaged(
                self._hooks, error.why if isinstance(error, JournalDamaged) else "a text in it is none"
            )
            return self._read_once(ticket, call)

    def _read_once(self, ticket: object, call: Callable[[apsw.Connection], T]) -> T:
        connection = self._usable()
        try:
            try:
                connection.execute("PRAGMA query_only = 1")
                # A transaction, so that all statements of one function see the same state of the file, whatever another
                # connection commits meanwhile.
                connection.execute("BEGIN")
                with self._lock:
                    self._reading = ticket
                return call(connection)
            finally:
                with self._lock:  # from here on `_cancel_read` interrupts nothing
                    self._reading = None
                self._end_transaction(connection)
        except apsw.Error as error:
            # Translated outside of the `finally`: the transaction has been ended before any caller hears of the error.
            raise self._store_error(error) from error

    def _end_transaction(self, connection: apsw.Connection) -> None:
        """Roll back what was not committed, and close all cursors. Raises nothing."""
        for _ in range(_ROLLBACKS):
            try:
                # Cursors first: while one is open, an interrupt stays in force and would hit the ROLLBACK too.
                if self._cursors is not None:
                    self._cursors.close()
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                connection.execute("PRAGMA query_only = 0")
                return
            except apsw.Error as error:
                _log.warning("A transaction of the %s could not be left: %s", self.schema.name, type(error).__name__)
        self._replace_connection()

    def _commit_pending(self) -> None:
        writes = self._pending.take()
        try:
            self._commit_group(writes)
        except BaseException as error:  # noqa: BLE001  # raised again in each task that waits: none waits for ever
            for each in writes:
                each.fail(error)

    def _commit_group(self, writes: list[PendingWrite]) -> None:
        if len(writes) > 1:
            group = GroupCommit(writes)
            try:
                self._write(group.run)
            except BaseException as error:  # noqa: BLE001  # one write may be at fault: each is committed alone instead
                _log.debug("A commit of %d writes failed: %s", len(writes), type(error).__name__)
            else:
                group.announce()
                return
        for each in writes:
            each.commit_alone(self._write)

    def _write(self, call: Callable[[apsw.Connection], T]) -> T:
        # `_ensure_checked` may repair the file, so the connection is looked up after it.
        self._usable()
        self._ensure_checked()
        connection = self._usable()
        try:
            try:
                # Immediate: a transaction that begins as a reader and writes later can be refused in its middle, and
                # SQLite then does not wait for the other writer.
                connection.execute("BEGIN IMMEDIATE")
                result = call(connection)
                if self.schema.before_commit is not None:
                    self.schema.before_commit(connection)
                connection.execute("COMMIT")
            finally:
                self._end_transaction(connection)
        except apsw.Error as error:
            raise self._store_error(error) from error
        # After the commit and on the same thread: the copy never says more than the file, and no write comes in
        # between.
        self._run_after_commit()
        return result

    def _empty_log(self) -> None:
        try:
            self._usable().wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        except (apsw.BusyError, apsw.LockedError) as error:
            sentence = translate(
                "The log of the {file} is being read, so it could not be emptied.", file=self.schema.name
            )
            raise NotSaved(sentence) from error
        except apsw.Error as error:
            raise self._store_error(error) from error

    def _close(self) -> None:
        if self._checking is not None:
            self._checking.exception()  # waits for the check, which ends early because `_closed` is set
        # A file that never opened has no connection to close, and its error was told to everybody who waited.
        if self._connection.exception() is None:
            self._close_connection()
        if self._hooks is not None:
            self._hooks.on_close()

    def _store_error(self, error: apsw.Error) -> Exception:
        """The error for the caller; a mistake of the program stays the `apsw.Error` that it is."""
        if is_damage(error):
            return self._damage_error()
        if isinstance(error, apsw.InterruptError):
            return StoreError(translate("Reading this was cancelled."))
        sentence = disk_sentence(error)
        return error if sentence is None else NotSaved(sentence)

    def _damage_error(self) -> StoreError:
        """The error for damage found in use. A mark beside the file makes the next start repair or replace it."""
        named = {"file": self.schema.name, "path": self.path}
        if self._hooks is None and not self.schema.disposable:
            return JournalDamaged(
                translate("The {file} {path} is damaged. Nothing was changed. Keep the file.", **named)
            )
        with contextlib.suppress(OSError):  # without the mark, the next start finds the damage by itself later
            damage_mark(self.path).touch()
        if not self.schema.disposable:
            return JournalDamaged(
                translate(
                    "The {file} {path} is damaged, so nothing of this was saved. Close Waybill and start it again: the "
                    "damaged file is kept, and what can be read of it and of its copy is brought back.",
                    **named,
                )
            )
        return StoreError(
            translate(
                "The {file} {path} is damaged. It holds only what can be fetched again: close Waybill and start it "
                "again, and it is made anew.",
                **named,
            )
        )

"""Group commit: writes that wait at the same time share one commit, because the wait for the disk is what costs.

A file whose commits do not wait for the disk (`synchronous` is NORMAL) has no groups: SQLite copies each page that a
write changes on a savepoint to a temporary file. While 100,000 orders arrived that was three tenths of all writes.

Invariant: each write is kept whole or not at all. A write that raises leaves the others in its group as they are. If
the file refuses the group's commit, no caller is told yet, and each write is committed alone.
"""

import logging
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import apsw

Call = Callable[[apsw.Connection], Any]
# Writes of one commit: who waits for the first waits for the last too.
GROUP_SIZE = 64
_log = logging.getLogger(__name__)


class PendingWrite:
    """A function that writes, and the future that its caller waits for."""

    def __init__(self, call: Call, written: "Future[Any]") -> None:
        self.call, self.written = call, written

    def commit_alone(self, commit: Callable[[Call], Any]) -> None:
        """Commit this write and no other, and end its future."""
        try:
            result = commit(self.call)
        except BaseException as error:  # noqa: BLE001  # raised again in the task that waits
            self.fail(error)
        else:
            self.succeed(result)

    def succeed(self, result: Any) -> None:
        """Tell the caller that the write is on the disk."""
        self._end(lambda: self.written.set_result(result))

    def fail(self, error: BaseException) -> None:
        """Tell the caller why the write was not kept. Does nothing if the caller was told an end before."""
        self._end(lambda: self.written.set_exception(error))

    def _end(self, end: Callable[[], None]) -> None:
        # A write of a failed group is committed alone and may have ended before the group's own trouble is passed on.
        if self.written.done():
            return
        try:
            end()
        except BaseException as error:  # noqa: BLE001  # a callback of this future raised; other callers still wait
            _log.warning("What was to follow a write failed: %s", type(error).__name__)


class PendingWrites:
    """The queue of writes to commit, `most` of them at a time. `add` may be called from any thread."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._writes: deque[PendingWrite] = deque()

    def add(self, call: Call) -> "Future[Any]":
        """Queue a write; the future ends when the write is on the disk, or was not kept."""
        written: Future[Any] = Future()
        self._writes.append(PendingWrite(call, written))
        return written

    def take(self) -> list[PendingWrite]:
        """Remove and return the oldest writes, `most` at most; empty if an earlier call took them all."""
        # `deque` needs no lock here: only the file's thread takes, and other threads append at the other end.
        return [self._writes.popleft() for _ in range(min(len(self._writes), self._most))]


class GroupCommit:
    """Several writes in one transaction: call `run`, commit, then `announce`."""

    def __init__(self, writes: list[PendingWrite]) -> None:
        self._writes = writes
        self._ends: list[tuple[PendingWrite, Any, BaseException | None]] = []

    def run(self, connection: apsw.Connection) -> None:
        """Run each write on a savepoint of its own. Raises `apsw.Error`, which ends the whole group."""
        for write in self._writes:
            try:
                with connection:  # apsw: a savepoint, since a transaction is open
                    self._ends.append((write, write.call(connection), None))
            # SQLite may have rolled back the whole transaction by itself (disk full, for example), so no write of the
            # group counts.
            except apsw.Error:
                raise
            except BaseException as error:  # noqa: BLE001  # only this write is rolled back; its caller gets the error
                self._ends.append((write, None, error))

    def announce(self) -> None:
        """End all futures. To be called after the commit: a caller may rely on the disk from then on."""
        for write, result, error in self._ends:
            if error is None:
                write.succeed(result)
            else:
                write.fail(error)

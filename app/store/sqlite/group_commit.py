"""Writes that wait at the same time share one commit: waiting for the disk is what costs, and once is enough.

Invariant: each is whole or not at all. One that raises, whatever it raises, leaves the others as they are; where it is
the file that refuses, nothing is told to anybody, and each is then tried by itself.
"""

import logging
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import apsw

Call = Callable[[apsw.Connection], Any]
_AT_MOST = 64
_log = logging.getLogger(__name__)


class Write:
    """What is to be written, and who waits for it."""

    def __init__(self, call: Call, told: "Future[Any]") -> None:
        self.call, self.told = call, told

    def by_itself(self, commit: Callable[[Call], Any]) -> None:
        """Write it and nothing else, and tell how that went."""
        try:
            result = commit(self.call)
        except BaseException as error:  # noqa: BLE001  # handed to whoever waits for it
            self.fail(error)
        else:
            self.succeed(result)

    def succeed(self, result: Any) -> None:
        """Say that it is on the disk."""
        self._tell(lambda: self.told.set_result(result))

    def fail(self, error: BaseException) -> None:
        """Say why it is not, unless it was told already how it went."""
        self._tell(lambda: self.told.set_exception(error))

    def _tell(self, say: Callable[[], None]) -> None:
        if self.told.done():
            return
        try:
            say()
        except BaseException as error:  # noqa: BLE001  # raised by what is called then: the others are still to be told
            _log.warning("What was to follow a write failed: %s", type(error).__name__)


class Waiting:
    """The writes that wait, in their order. `add` may be called from any thread."""

    def __init__(self) -> None:
        self._writes: deque[Write] = deque()

    def add(self, call: Call) -> "Future[Any]":
        """Have it written; the future tells how that went."""
        told: Future[Any] = Future()
        self._writes.append(Write(call, told))
        return told

    def take(self) -> list[Write]:
        """Those that wait by now; none where somebody has taken them already."""
        return [self._writes.popleft() for _ in range(min(len(self._writes), _AT_MOST))]


class Shared:
    """Several writes in one transaction: `run` it, commit, then `tell`."""

    def __init__(self, writes: list[Write]) -> None:
        self._writes = writes
        self._ended: list[tuple[Write, Any, BaseException | None]] = []

    def run(self, connection: apsw.Connection) -> None:
        """Each in turn, on a savepoint of its own. Raises what SQLite raises."""
        for each in self._writes:
            try:
                with connection:  # within a transaction this is a savepoint
                    self._ended.append((each, each.call(connection), None))
            except apsw.Error:
                raise
            except BaseException as error:  # noqa: BLE001  # the others are none the worse
                self._ended.append((each, None, error))

    def tell(self) -> None:
        """Now that all is on the disk."""
        for each, result, error in self._ended:
            if error is None:
                each.succeed(result)
            else:
                each.fail(error)

"""Long work on a thread of its own, in steps that keep the window responsive and can be stopped.

Invariant: work that is stopped raises `Stopped` at a checkpoint, and has cleaned up before its caller goes on.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

_WORK_S, _REST_S = 0.001, 0.0002
T = TypeVar("T")


class Stopped(Exception):
    """The work ended early because a person asked for it, or the window is closing."""


@dataclass(slots=True)
class Progress:
    """How far long work is. The working thread writes all fields but `stop`, which the window writes.

    `handed_over` is True once a printer has the pages: stopping comes too late then. `stage` names the stage that
    `done` and `total` count, where work has several stages.
    """

    total: int = 0
    done: int = 0
    stop: bool = False
    handed_over: bool = False
    stage: str = ""
    _rested: float = 0.0

    def checkpoint(self) -> None:
        """Yield to the window's thread, or raise `Stopped`. Call this about every millisecond."""
        if self.stop and not self.handed_over:
            raise Stopped
        # Python runs one thread at a time, and takes the lock from a busy one only after some milliseconds, several
        # times for one key that the window answers. So the busy thread sleeps shortly and often.
        if time.monotonic() - self._rested > _WORK_S:
            time.sleep(_REST_S)
            self._rested = time.monotonic()


async def in_thread(work: Callable[[], T], progress: Progress) -> T:
    """Do `work` on another thread. Cancelling the caller stops the work and waits until it has cleaned up."""

    # In debug mode the loop logs the callable that it is given: `run` shows a name, `work` could show an order.
    def run() -> T:
        return work()

    future = asyncio.get_running_loop().run_in_executor(None, run)
    try:
        # Shielded, because a thread cannot be cancelled: it is told to stop, and waited for.
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        progress.stop = True
        await asyncio.wait({future})
        future.exception()  # asyncio reports an exception that was never retrieved
        raise

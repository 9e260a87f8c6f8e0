"""Long work on a thread beside the window, in steps that leave the window quick and can be stopped."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

_WORK_S, _REST_S = 0.001, 0.0002
T = TypeVar("T")


class Stopped(Exception):
    """It was broken off because that was asked for."""


@dataclass(slots=True)
class Progress:
    """How far it is, written by the thread that works; `stop` is written by the window.

    Once `given`, a printer has it and stopping comes too late. `stage` names what is being counted, where work has
    several stages.

    Python runs one thread at a time, and lets go of one that works only after some milliseconds, several times for one
    key that the window answers. So the thread rests by itself, often and shortly.
    """

    total: int = 0
    done: int = 0
    stop: bool = False
    given: bool = False
    stage: str = ""
    _rested: float = 0.0

    def look(self) -> None:
        """Go on, perhaps after a rest, or raise `Stopped`. To be called about every millisecond."""
        if self.stop and not self.given:
            raise Stopped
        if time.monotonic() - self._rested > _WORK_S:
            time.sleep(_REST_S)
            self._rested = time.monotonic()


async def aside(work: Callable[[], T], progress: Progress) -> T:
    """Do the work on another thread. Whoever is cancelled here stops it and waits until it has cleaned up.

    The loop may log what it calls, so it is handed a plain name instead of `work` with an order in it.
    """

    def run() -> T:
        return work()

    future = asyncio.get_running_loop().run_in_executor(None, run)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        progress.stop = True
        await asyncio.wait({future})
        future.exception()  # it is looked at, so nobody reports it as overlooked
        raise

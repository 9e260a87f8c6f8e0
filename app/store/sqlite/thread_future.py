"""Waiting, on any asyncio loop, for work that a thread does."""

import asyncio
import logging
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")
_log = logging.getLogger(__name__)


async def outcome(job: "Future[T]", *, tell: bool = False) -> T:
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
    if isinstance(error, StopIteration):
        error = _as_told(error)
    if waiter.done():
        if tell and error is not None:
            loop.call_exception_handler({"message": str(error), "exception": error})
    elif error is not None:
        waiter.set_exception(error)
    else:
        waiter.set_result(job.result())


def _as_told(error: StopIteration) -> RuntimeError:
    """asyncio's futures refuse this one kind, and the coroutine that waits would wait for ever."""
    told = RuntimeError(f"{type(error).__name__} was raised by what was waited for")
    told.__cause__ = error
    return told

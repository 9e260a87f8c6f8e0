"""Waiting, on any asyncio loop, for the result of a job on another thread."""

import asyncio
import logging
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")
_log = logging.getLogger(__name__)


async def outcome(job: "Future[T]", *, report_failure: bool = False) -> T:
    """Wait for `job` and return its result. Cancelling the waiting task never cancels the job.

    With `report_failure` an error of the job is reported to the loop, or logged, if no task waits for it any more.
    """
    loop = asyncio.get_running_loop()
    waiter: asyncio.Future[T] = loop.create_future()

    def done(job: "Future[T]") -> None:
        try:
            loop.call_soon_threadsafe(_deliver, loop, waiter, job, report_failure)
        except RuntimeError:  # the loop was closed while the job ran
            if report_failure and (error := job.exception()) is not None:
                _log.error("A change could not be kept, and nobody was waiting for it", exc_info=error)

    # Not `asyncio.wrap_future`: that one cancels the job together with the waiting task, and a write must run to its
    # end.
    job.add_done_callback(done)
    return await waiter


def _deliver(
    loop: asyncio.AbstractEventLoop, waiter: "asyncio.Future[T]", job: "Future[T]", report_failure: bool
) -> None:
    if job.cancelled():
        waiter.cancel()
        return
    error = job.exception()
    if isinstance(error, StopIteration):
        error = _runtime_error(error)
    # The task was cancelled while the job ran: nobody else will hear of a failure.
    if waiter.done():
        if report_failure and error is not None:
            loop.call_exception_handler({"message": str(error), "exception": error})
    elif error is not None:
        waiter.set_exception(error)
    else:
        waiter.set_result(job.result())


def _runtime_error(error: StopIteration) -> RuntimeError:
    # asyncio's futures refuse StopIteration, and the coroutine that waits would wait for ever.
    wrapped = RuntimeError(f"{type(error).__name__} was raised by what was waited for")
    wrapped.__cause__ = error
    return wrapped

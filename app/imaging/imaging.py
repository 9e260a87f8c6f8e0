"""`Imaging.decode`: how the window asks for a decoded picture.

Requests wait here, the most urgent first, until a child is free. One child is kept free for pictures on the screen, so
that they need not wait for prefetched ones. To give up a picture, cancel its task: it is not begun, or its result is
dropped. All of this runs on the loop's thread and takes microseconds; the workers' threads do the rest.
"""

import asyncio
from collections.abc import Callable, Sequence
from enum import IntEnum
from itertools import count

from app.imaging.pixels import Pixels, Region, Size, Trouble
from app.imaging.protocol import LIMITS, Limits
from app.imaging.worker import Job, Worker, imaging_command

WORKERS = 2


class Urgency(IntEnum):
    """Why a picture is needed; the lowest value comes first."""

    SHOWN = 0  # a person waits for it
    VISIBLE = 1  # on the screen too, such as a thumbnail
    PREFETCH = 2  # it may be shown next
    BACKGROUND = 3  # for a file that is made in the background


class Wish:
    """The urgency of a request, which may change while the request waits."""

    __slots__ = ("urgency",)

    def __init__(self, urgency: Urgency = Urgency.SHOWN) -> None:
        self.urgency = urgency


class _Waiting:
    __slots__ = ("future", "job", "turn", "wish")

    def __init__(self, job: Job, wish: Wish, turn: int, future: "asyncio.Future[Pixels | Trouble]") -> None:
        self.job, self.wish, self.turn, self.future = job, wish, turn, future

    @property
    def place(self) -> tuple[int, int]:
        return self.wish.urgency, self.turn


class Imaging:
    """Decodes in child processes, which are started when they are first needed. Belongs to one loop."""

    def __init__(
        self, *, workers: int = WORKERS, limits: Limits = LIMITS, command: Sequence[str] | None = None
    ) -> None:
        self._most, self._limits, self._command = workers, limits, command or imaging_command()
        self._idle: list[Worker] = []
        self._busy: dict[Worker, _Waiting] = {}
        self._deadlines: dict[Worker, asyncio.TimerHandle] = {}
        self._waiting: list[_Waiting] = []
        self._turns = count()
        self._closed = False

    async def decode(
        self,
        data: bytes,
        wanted: Size | None = None,
        *,
        page: int = 0,
        region: Region | None = None,
        wish: Wish | None = None,
    ) -> Pixels | Trouble:
        """The picture in `data`, upright and as large as fits into `wanted` (None: full size).

        A photo is never enlarged; a PDF page fills `wanted`. `page` counts from 0. With a `region` only that region of
        the picture is decoded. Cancel the task when the picture is not needed any more.
        """
        if self._closed:
            return Trouble("not started")
        loop = asyncio.get_running_loop()
        waiting = _Waiting(Job(data, wanted, page, region), wish or Wish(), next(self._turns), loop.create_future())
        self._waiting.append(waiting)
        self._dispatch()
        try:
            return await waiting.future
        finally:
            # Also where the picture came: then there is nothing to drop.
            self._drop(waiting)

    def pids(self) -> list[int]:
        """The process ids of the children."""
        found = (worker.pid for worker in (*self._idle, *self._busy))
        return [pid for pid in found if pid is not None]

    async def aclose(self) -> None:
        """End the children. Requests that wait end with a Trouble."""
        self._closed = True  # first: a caller that is answered below may ask for its next picture at once
        for handle in self._deadlines.values():
            handle.cancel()
        workers = [*self._idle, *self._busy]
        for waiting in (*self._waiting, *self._busy.values()):
            _answer(waiting, Trouble("not started"))
        self._waiting.clear()
        for worker in workers:
            worker.end()
        # On a thread: to join means to wait for children that are just being killed.
        await asyncio.get_running_loop().run_in_executor(None, _join, workers)

    def _dispatch(self) -> None:
        """Give waiting requests to free workers, the most urgent first."""
        while self._waiting:
            # Looked for each time: an urgency may change while its request waits, which no sorted queue would notice.
            first = min(self._waiting, key=lambda each: each.place)
            worker = self._free_for(first.wish.urgency)
            if worker is None:
                return
            self._waiting.remove(first)
            self._busy[worker] = first
            self._set_deadline(worker, first.job, self._limits.seconds)
            worker.take(first.job)

    def _free_for(self, urgency: Urgency) -> Worker | None:
        if urgency > Urgency.SHOWN and self._most > 1 and len(self._busy) >= self._most - 1:
            return None  # the last worker is kept for pictures that a person waits for
        if self._idle:
            return self._idle.pop()
        if len(self._busy) < self._most:
            return Worker(self._command, self._limits, self._teller(asyncio.get_running_loop()))
        return None

    def _teller(self, loop: asyncio.AbstractEventLoop) -> Callable[[Worker, Job, Pixels | Trouble], None]:
        def tell(worker: Worker, job: Job, outcome: Pixels | Trouble) -> None:
            # The loop may be closed by the time a worker's thread reports.
            if not self._closed:
                loop.call_soon_threadsafe(self._on_done, worker, job, outcome)

        return tell

    def _on_done(self, worker: Worker, _job: Job, outcome: Pixels | Trouble) -> None:
        if self._closed:
            return
        self._deadlines.pop(worker).cancel()
        waiting = self._busy.pop(worker)
        self._idle.append(worker)
        # The next picture begins before this one is handed out: the caller may paint it first.
        self._dispatch()
        _answer(waiting, outcome)

    def _drop(self, waiting: _Waiting) -> None:
        """The caller of `decode` is gone: forget the request, or end it soon if a worker has begun it."""
        if waiting in self._waiting:
            self._waiting.remove(waiting)
            return
        for worker, busy in self._busy.items():
            if busy is waiting:
                # Not killed at once: most pictures are done by then, and a child that is killed has to start anew.
                self._set_deadline(worker, waiting.job, self._limits.abandoned_seconds)

    def _set_deadline(self, worker: Worker, job: Job, seconds: float) -> None:
        before = self._deadlines.get(worker)
        if before is not None:
            before.cancel()
        self._deadlines[worker] = asyncio.get_running_loop().call_later(seconds, self._give_up, worker, job)

    def _give_up(self, worker: Worker, job: Job) -> None:
        # The job may have ended just now, with the report still on its way to this thread. The worker has no other job
        # then, as jobs are given here and after the report: at worst an idle child is killed, and started anew.
        job.given_up = True
        worker.kill()


def _answer(waiting: _Waiting, outcome: Pixels | Trouble) -> None:
    if not waiting.future.done():
        waiting.future.set_result(outcome)


def _join(workers: Sequence[Worker]) -> None:
    for worker in workers:
        worker.join()

"""Owned asyncio tasks: a page, or the window, owns each coroutine that it starts until the coroutine has ended.

A new read cancels the running read of the same name. A write is never cancelled; a second write of the same name is
dropped while the first runs. A failure with a sentence goes to the owner, or to the sink if the owner shows none; any
other failure goes to the sink. A cancelled read stays referenced and awaited until it has cleaned up.

Invariant: no other module of the program creates tasks.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

from app.runtime.sink import Sink, describe, log, sentence_of

Work = Coroutine[Any, Any, object]
Tell = Callable[[str, str], object]


class Tasks:
    """The tasks of one owner (a page, the window), by name.

    `tell` receives the name of a task that failed and the sentence of its error, and an empty sentence once a later
    task of that name has ended well.
    """

    def __init__(self, sink: Sink, owner: str, tell: Tell | None = None) -> None:
        self._sink = sink
        self._owner = owner
        self._tell = tell
        self._troubled: set[str] = set()  # names whose last task failed with a sentence
        self._reads: dict[str, asyncio.Task[object]] = {}
        self._writes: dict[str, asyncio.Task[object]] = {}
        self._leaving: set[asyncio.Task[object]] = set()  # cancelled tasks that have not ended yet
        self._asked_about: list[Callable[[], str]] = []
        self._closed = False

    def read(self, name: str, work: Work) -> None:
        """Start a read; a running one of this name is cancelled and replaced."""
        # A coroutine that is never awaited makes Python warn, so it is closed.
        if self._closed:
            work.close()
            return
        self.cancel(name)
        self._start(self._reads, name, work)

    def write(self, name: str, work: Work) -> bool:
        """Start a write unless one of this name runs; whether it was started."""
        # An ended task stays in `_writes` until its callback has run: a write that starts before then is not dropped.
        running = self._writes.get(name)
        if self._closed or (running is not None and not running.done()):
            work.close()
            return False
        self._start(self._writes, name, work)
        return True

    def cancel(self, name: str) -> None:
        """Cancel the read of this name, if one runs."""
        task = self._reads.pop(name, None)
        if task is not None and not task.done():
            self._leaving.add(task)
            task.cancel()

    def running(self, name: str) -> bool:
        """Whether a read or write of this name runs; an ended task does not, even before its callback has run."""
        found = (where.get(name) for where in (self._reads, self._writes))
        return any(task is not None and not task.done() for task in found)

    @property
    def busy(self) -> bool:
        """Whether any task runs."""
        return bool(self._reads or self._writes)

    @contextmanager
    def ask_about(self, words: Callable[[], str]) -> Iterator[None]:
        """For the length of the block, closing the window asks first, since it would break this work off.

        `words` say what the work is and how far it has come; they are empty while nothing would be lost.
        """
        self._asked_about.append(words)
        try:
            yield
        finally:
            self._asked_about.remove(words)

    def to_ask_about(self) -> list[str]:
        """The words of all work that closing the window would break off."""
        return [said for words in self._asked_about if (said := words())]

    async def ended(self, name: str) -> None:
        """Wait until the write of this name has ended, if one runs, well or not."""
        task = self._writes.get(name)
        if task is not None:
            await asyncio.wait({task})

    async def settled(self) -> None:
        """Wait until nothing runs any more, also of what was started meanwhile."""
        while running := [*self._reads.values(), *self._writes.values()]:
            await asyncio.wait(running)
            await asyncio.sleep(0)  # an ended task is taken out by a callback

    async def aclose(self, patience: float) -> bool:
        """Cancel and await the reads, then wait up to `patience` seconds for the writes; whether all ended.

        A write that still runs then is left alone until the process ends. The journal holds it as *sending*, and the
        next start finds it in doubt.
        """
        self._closed = True
        for name in list(self._reads):
            self.cancel(name)
        writes = list(self._writes.values())
        # Cancelled reads end at once, so the patience is for the writes alone.
        if self._leaving:
            await asyncio.wait(set(self._leaving))
        if writes:
            # Not `wait_for`, which would cancel a write when the time is over.
            _, unfinished = await asyncio.wait(writes, timeout=patience)
            return not unfinished
        return True

    def _start(self, where: dict[str, asyncio.Task[object]], name: str, work: Work) -> None:
        task: asyncio.Task[object] = asyncio.get_running_loop().create_task(work, name=f"{self._owner}: {name}")
        where[name] = task

        def done(ended: asyncio.Task[object]) -> None:
            self._leaving.discard(ended)
            # A later task of this name may have taken the place already.
            if where.get(name) is ended:
                del where[name]
            if not ended.cancelled():
                self._take_end(name, ended.get_name(), ended.exception())

        task.add_done_callback(done)

    def _take_end(self, name: str, where: str, error: BaseException | None) -> None:
        """Report a failure, or that a task ended well whose name had failed before."""
        sentence = "" if error is None else sentence_of(error)
        over = error is None and name in self._troubled
        self._troubled.discard(name)
        if sentence:
            self._troubled.add(name)
        if error is not None and (self._tell is None or not sentence):
            self._sink.report(error, where)
        elif error is not None and self._tell is not None:
            log.warning("%s could not be done: %s", where, describe(error))
            self._tell(where, sentence)
        elif over:
            (self._tell or self._sink.troubled.emit)(where, "")

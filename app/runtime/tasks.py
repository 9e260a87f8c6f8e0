"""Owned work: whoever starts a coroutine owns it until it is done.

A new read of a name replaces the old one. A write is never cancelled, and a second one of the same name is dropped
while the first runs. Every failure is told: the sentence of one that has one to the owner, or to the sink where the
owner has no place for it, any other to the sink. A cancelled read is held and waited for until it has cleaned up
behind itself. Nothing else in the program creates tasks.
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

    `tell` hears the name of the work that failed with a sentence, and the sentence; it is empty once that work, tried
    again, has ended well.
    """

    def __init__(self, sink: Sink, owner: str, tell: Tell | None = None) -> None:
        self._sink = sink
        self._owner = owner
        self._tell = tell
        self._troubled: set[str] = set()  # the work that failed with a sentence the last time
        self._reads: dict[str, asyncio.Task[object]] = {}
        self._writes: dict[str, asyncio.Task[object]] = {}
        self._leaving: set[asyncio.Task[object]] = set()  # cancelled, and not at their end yet
        self._asked_about: list[Callable[[], str]] = []
        self._closed = False

    def read(self, name: str, work: Work) -> None:
        """Start a read; a running one of this name is cancelled and replaced."""
        if self._closed:
            work.close()
            return
        self.cancel(name)
        self._start(self._reads, name, work)

    def write(self, name: str, work: Work) -> bool:
        """Start a write unless one of this name runs; whether it was started."""
        # One that has ended stands there until the loop has told so; what is asked for in that moment is not dropped.
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
        """Whether a read or write of this name is under way; one that has just ended is not."""
        found = (where.get(name) for where in (self._reads, self._writes))
        return any(task is not None and not task.done() for task in found)

    @property
    def busy(self) -> bool:
        """Whether anything at all is under way."""
        return bool(self._reads or self._writes)

    @contextmanager
    def ask_about(self, words: Callable[[], str]) -> Iterator[None]:
        """While this lasts, a person is asked before the program ends: it would be broken off.

        `words` say what is done and how far it is; empty while nothing would be broken off.
        """
        self._asked_about.append(words)
        try:
            yield
        finally:
            self._asked_about.remove(words)

    def to_ask_about(self) -> list[str]:
        """What a person is asked about before the program ends, in words."""
        return [said for words in self._asked_about if (said := words())]

    async def ended(self, name: str) -> None:
        """Wait for the write of this name, if one runs; how it ended is not told here."""
        task = self._writes.get(name)
        if task is not None:
            await asyncio.wait({task})

    async def aclose(self, patience: float) -> bool:
        """Cancel and await the reads, then wait up to `patience` seconds for the writes; whether all ended.

        A write that is still running is left to the process's end: the journal holds it as being sent, and the next
        start finds it in doubt.
        """
        self._closed = True
        for name in list(self._reads):
            self.cancel(name)
        writes = list(self._writes.values())
        if self._leaving:
            await asyncio.wait(set(self._leaving))
        if writes:
            _, unfinished = await asyncio.wait(writes, timeout=patience)
            return not unfinished
        return True

    def _start(self, where: dict[str, asyncio.Task[object]], name: str, work: Work) -> None:
        task: asyncio.Task[object] = asyncio.get_running_loop().create_task(work, name=f"{self._owner}: {name}")
        where[name] = task

        def done(ended: asyncio.Task[object]) -> None:
            self._leaving.discard(ended)
            if where.get(name) is ended:
                del where[name]
            if not ended.cancelled():
                self._take_end(name, ended.get_name(), ended.exception())

        task.add_done_callback(done)

    def _take_end(self, name: str, where: str, error: BaseException | None) -> None:
        """Tell how it ended, where that is not as it should be or was not the last time."""
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

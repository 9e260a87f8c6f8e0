"""Lines to a PostgreSQL server that can be pulled out, and that lose an answer on request.

A line begins and ends at a socket in a folder, as PostgreSQL's own programs use on one computer: who comes so needs no
encryption, which costs more than all that is said. Bytes are passed on as they are. All lines of a block live on one
thread.
"""

import asyncio
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")
_WAIT = 20.0


class Line:
    """A socket in `folder` that leads to the one of the server. Its methods may be called from any thread but its own,
    and return when it is done."""

    def __init__(self, loop: asyncio.AbstractEventLoop, server: Path, folder: Path) -> None:
        self.folder = folder
        self._server = server
        self.pulled = False
        self.losing = False
        self._loop = loop
        self._ends: set[_End] = set()
        self._listening: asyncio.Server | None = None

    def pull(self) -> None:
        """Every connection breaks, and nobody gets through until `plug`."""
        self._do(self._pull)

    def plug(self) -> None:
        """Whoever comes gets through again."""
        self.pulled = False

    def lose_answer(self) -> None:
        """The server hears what it is asked next and acts; the answer is lost, and the connection with it."""
        self.losing = True

    def _pull(self) -> None:
        self.pulled = True
        for each in list(self._ends):
            each.abort()

    def _do(self, what: Callable[[], T]) -> T:
        async def run() -> T:
            return what()

        return asyncio.run_coroutine_threadsafe(run(), self._loop).result(_WAIT)

    async def _open(self) -> None:
        self.folder.mkdir()
        # libpq finds a socket by its folder and by a port, which is in the name.
        here = self.folder / self._server.name
        self._listening = await self._loop.create_unix_server(lambda: _End(self), here)

    def _close(self) -> None:
        if self._listening is not None:
            self._listening.close()
        self._pull()

    # On the lines' own thread.

    def joined(self, end: "_End") -> None:
        """Somebody came: led on to the server, unless the line is pulled."""
        if self.pulled:
            end.abort()
            return
        self._ends.add(end)
        end.task = self._loop.create_task(self._lead_on(end))

    async def _lead_on(self, here: "_End") -> None:
        try:
            _, there = await self._loop.create_unix_connection(lambda: _End(self, is_server=True), str(self._server))
        except OSError:
            here.abort()
            return
        self._ends.add(there)
        here.other, there.other = there, here
        for data in here.early:
            there.send(data)

    def left(self, end: "_End") -> None:
        """A connection ended: so does what it led to."""
        self._ends.discard(end)
        if end.other is not None:
            end.other.close()

    def heard(self, end: "_End", data: bytes) -> None:
        """One side said something."""
        if end.other is None:
            end.early.append(data)
        elif not end.is_server:
            end.asked = True
            end.other.send(data)
        elif self.losing and end.other.asked:
            self.losing = False
            end.abort()
            end.other.abort()
        else:
            end.other.asked = self.losing  # what was asked before is answered by this
            end.other.send(data)


class _End(asyncio.Protocol):
    """One of the two connections of a way through a line."""

    def __init__(self, line: Line, *, is_server: bool = False) -> None:
        self._line, self.is_server = line, is_server
        self._transport: Any = None
        self.other: _End | None = None
        self.early: list[bytes] = []  # said before the server's side was there
        self.asked = False
        self.task: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        if not self.is_server:
            self._line.joined(self)

    def data_received(self, data: bytes) -> None:
        self._line.heard(self, data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._line.left(self)

    def send(self, data: bytes) -> None:
        self._transport.write(data)

    def close(self) -> None:
        self._transport.close()

    def abort(self) -> None:
        self._transport.abort()


@contextmanager
def lines(server: Path, folders: Iterable[Path]) -> Iterator[list[Line]]:
    """A line in each of these folders, which are made, to the server's socket, until the end of the block."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="lines")
    thread.start()
    made = [Line(loop, server, each) for each in folders]
    try:
        for each in made:
            asyncio.run_coroutine_threadsafe(each._open(), loop).result(_WAIT)
        yield made
    finally:
        for each in made:
            each._do(each._close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(_WAIT)
        loop.close()

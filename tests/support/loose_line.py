"""Lines to a server on loopback that can be pulled out, and that lose an answer on request.

Bytes are passed on as they are, so encryption and passwords go through. All lines of a block live on one thread.
"""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")
_WAIT = 20.0


class Line:
    """A port of this computer that leads to another one. Its methods may be called from any thread but its own, and
    return when it is done."""

    def __init__(self, loop: asyncio.AbstractEventLoop, to_port: int) -> None:
        self.port = 0
        self.to_port = to_port
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
        self._listening = await self._loop.create_server(lambda: _End(self), "127.0.0.1", 0)
        self.port = self._listening.sockets[0].getsockname()[1]

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
            _, there = await self._loop.create_connection(lambda: _End(self), "127.0.0.1", self.to_port)
        except OSError:
            here.abort()
            return
        self._ends.add(there)
        here.other, there.other = there, here
        there.is_server = True
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

    def __init__(self, line: Line) -> None:
        self._line = line
        self._transport: Any = None
        self.other: _End | None = None
        self.early: list[bytes] = []  # said before the server's side was there
        self.is_server = False
        self.asked = False
        self.task: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        if transport.get_extra_info("peername")[1] != self._line.to_port:
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
def lines(to_port: int, count: int) -> Iterator[list[Line]]:
    """So many lines to a port, until the end of the block."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="lines")
    thread.start()
    made = [Line(loop, to_port) for _ in range(count)]
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

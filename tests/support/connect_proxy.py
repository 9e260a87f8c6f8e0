"""A proxy on loopback: carries CONNECT tunnels and forwarded requests, asks for a login, refuses, and remembers.

It runs on a thread of its own, like the fault server, so that it serves any client. Names that exist only for a test
(`names`) lead where the test says: a client that goes around the proxy cannot reach them.
"""

import asyncio
import base64
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest

_CHUNK = 64 * 1024
_WAIT = 20.0


@dataclass(frozen=True)
class Asked:
    """One request to the proxy: its method, what it was for (host and port), and the login it was shown."""

    method: str
    place: str
    login: str


class ConnectProxy:
    """`login`: `user:password` that is asked for, empty for none. `refuses`: the status of every answer, 0 for none."""

    def __init__(self, login: str = "") -> None:
        self.port = 0
        self.login = login
        self.refuses = 0
        self.silent = False
        self.names: Mapping[str, tuple[str, int]] = {}
        self._asked: list[Asked] = []
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def address(self) -> str:
        """The address, as a person types it."""
        return f"http://127.0.0.1:{self.port}"

    def asked(self, method: str = "") -> list[Asked]:
        """The requests so far."""
        return [each for each in list(self._asked) if method in ("", each.method)]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, to its end."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            # asyncio logs the end of a connection whose task was cancelled: `end` cancels them.
            with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.CancelledError):
                await self._serve(reader, writer)
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        method, target, *_ = head.split(b" ", 2)
        shown = _login_in(head)
        place = target.decode() if method == b"CONNECT" else urlsplit(target.decode()).netloc
        self._asked.append(Asked(method.decode(), place, shown))
        if self.silent:
            await reader.read()
            return
        status = self.refuses or (407 if self.login and shown != self.login else 0)
        if status:
            fields = b'Proxy-Authenticate: Basic realm="test"\r\n' if status == 407 else b""
            writer.write(b"HTTP/1.1 %d No\r\n%sContent-Length: 0\r\nConnection: close\r\n\r\n" % (status, fields))
            await writer.drain()
            return
        parts = urlsplit(f"//{place}")
        there_reader, there = await asyncio.open_connection(
            *self.names.get(parts.hostname or "", (parts.hostname, parts.port or 80))
        )
        try:
            if method == b"CONNECT":
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            else:
                there.write(_forwarded(head))
            up = asyncio.create_task(_pass_on(reader, there))
            try:
                await _pass_on(there_reader, writer)
            finally:
                up.cancel()  # the service has ended it: so it ends for the caller
                await asyncio.wait({up})
        finally:
            there.close()

    async def end(self) -> None:
        """End every connection."""
        for each in list(self._tasks):
            each.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_WAIT)


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while piece := await reader.read(_CHUNK):
            writer.write(piece)
            await writer.drain()
        writer.write_eof()


def _login_in(head: bytes) -> str:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"proxy-authorization":
            return base64.b64decode(value.strip().removeprefix(b"Basic ")).decode()
    return ""


def _forwarded(head: bytes) -> bytes:
    """The request as its service sees it: a path in place of the address, and nothing that is for the proxy."""
    line, *fields = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    method, target, version = line.split(b" ")
    parts = urlsplit(target.decode())
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    kept = [each for each in fields if not each.lower().startswith(b"proxy-")]
    return b"\r\n".join([b" ".join((method, path.encode() or b"/", version)), *kept, b"", b""])


@contextmanager
def start_connect_proxy(login: str = "") -> Iterator[ConnectProxy]:
    """A proxy until the end of the block."""
    proxy, loop, ready = ConnectProxy(login), asyncio.new_event_loop(), threading.Event()

    async def run() -> None:
        server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
        proxy.port = server.sockets[0].getsockname()[1]
        ready.set()
        await over.wait()
        server.close()
        await proxy.end()

    over = asyncio.Event()

    def work() -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(run())

    thread = threading.Thread(target=work, name="proxy")
    with ExitStack() as end:
        thread.start()
        end.callback(thread.join)
        end.callback(lambda: loop.call_soon_threadsafe(over.set))
        assert ready.wait(_WAIT)
        yield proxy


@pytest.fixture
def connect_proxy() -> Iterator[ConnectProxy]:
    """A proxy that asks for no login."""
    with start_connect_proxy() as made:
        yield made

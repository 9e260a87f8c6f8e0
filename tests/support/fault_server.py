"""A provider on loopback that shows the worst behaviour of real ones on request, and records everything.

It speaks HTTP over raw sockets on a thread of its own, so that it serves any client (a coroutine, a window's loop,
another process) and does not stall with it. It keeps the upsert rule (`book`), hands out tokens (`tokens`), records
each request as it came (`seen`), and does to a request whatever was planned for it (`plan`, `plan_by`).
Nothing here fails quietly: a request for what it was not told of is answered with 404 and recorded like any other.
"""

import asyncio
import json
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, parse_qsl, unquote, urlsplit

import pytest

from app.contract.request_body import LIST_FIELDS
from app.practice.web.xml_form import read_xml
from tests.support.fault_book import CANCELLED, COMPLETE, OPEN, OrderBook
from tests.support.faults import Answer, Fault, Gate, json_answer

MANAGEMENT, INFORMATION, TOKEN = "/OrderManagementApi", "/OrderInformationApi", "/connect/token"
_WAIT = 20.0  # seconds after which a condition that a test waits for counts as failed
_TURNS_TO_ACCEPT = 10  # asyncio takes four from the accepted socket to the first step of its task


@dataclass(frozen=True)
class Seen:
    """One request as it came: when (monotonic), on which connection, and every byte of it that says something."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes
    at: float
    connection: int

    @property
    def path(self) -> str:
        """The path, decoded."""
        return unquote(urlsplit(self.target).path)

    @property
    def query(self) -> dict[str, str]:
        """The query, the last of each name."""
        return dict(parse_qsl(urlsplit(self.target).query, keep_blank_values=True))


@dataclass
class Tokens:
    """The token service: one client, any number of tokens. `grants`: a request for any other scope is refused."""

    client_id: str = "desk-client"
    client_secret: str = "desk-secret"
    life: float = 3600.0
    grants: Collection[str] | None = None
    valid: set[str] = field(default_factory=set)
    issued: int = 0

    def ask(self, body: bytes) -> Answer:
        """Answer a token request."""
        form = {name: values[-1] for name, values in parse_qs(body.decode()).items()}
        if (form.get("client_id"), form.get("client_secret")) != (self.client_id, self.client_secret):
            return json_answer({"error": "invalid_client"}, 400)
        if self.grants is not None and set(form.get("scope", "").split()) - set(self.grants):
            return json_answer({"error": "invalid_scope"}, 400)
        self.issued += 1
        token = f"token-{self.issued}"
        self.valid.add(token)
        scope = form.get("scope", "")
        return json_answer({"access_token": token, "expires_in": self.life, "token_type": "Bearer", "scope": scope})

    def revoke(self) -> None:
        """Every token given so far is refused from now on."""
        self.valid.clear()

    def accepts(self, header: str) -> bool:
        """Whether an Authorization field holds a token that is good."""
        return header.removeprefix("Bearer ") in self.valid and header.startswith("Bearer ")


@dataclass
class _Planned:
    fault: Fault
    path: str
    method: str | None
    times: int | None

    def takes(self, seen: Seen) -> bool:
        fits = seen.path.endswith(self.path) and self.method in (None, seen.method) and self.times != 0
        if fits and self.times is not None:
            self.times -= 1
        return fits


Handler = Callable[[Seen], Answer]


class FaultServer:
    """Made by `start_fault_server`. Everything public may be called from any thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop, *, scheme: str) -> None:
        self.book = OrderBook()
        self.tokens = Tokens()
        self.check_tokens = True
        self.port = 0
        self.open_connections = 0
        self._scheme = scheme
        self._loop = loop
        self._changed = threading.Condition()
        self._seen: list[Seen] = []
        self._late: list[Seen] = []
        self._connections = 0
        self._dropped_at_once = 0
        self._planned: list[_Planned] = []
        self._planner: Callable[[Seen], Fault | None] | None = None
        self._served: dict[str, Answer | Handler] = {}

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"{self._scheme}://127.0.0.1:{self.port}"

    @property
    def addresses(self) -> dict[str, str]:
        """The three addresses under the names a profile gives them."""
        return {"base_url": self.origin, "info_base_url": self.origin + INFORMATION, "auth_url": self.origin}

    def plan(self, fault: Fault, path: str = "", *, method: str | None = None, times: int | None = 1) -> None:
        """The next `times` requests (None: all) whose path ends in `path` meet `fault`; earlier plans come first."""
        with self._changed:
            self._planned.append(_Planned(fault, path, method, times))

    def plan_by(self, planner: Callable[[Seen], Fault | None] | None) -> None:
        """Ask `planner` about each request that no plan takes; it runs on the server's thread."""
        with self._changed:
            self._planner = planner

    def serve(self, path: str, answer: Answer | Handler) -> None:
        """Answer GET and POST of exactly `path` (decoded); outside both services' prefixes no token is needed."""
        self._served[path] = answer

    def let_arrive(self, wanted: Callable[[Seen], bool] = lambda _: True) -> list[Seen]:
        """What was kept on the way takes effect now, where it is `wanted`; what is not gets lost. What took effect."""
        with self._changed:
            late, self._late = self._late, []
        arrived = [each for each in late if wanted(each)]
        for each in arrived:
            self._from_book(each)
        return arrived

    def drop_connections(self, count: int) -> None:
        """Close the next `count` connections as soon as they are made."""
        with self._changed:
            self._dropped_at_once = count

    def gate(self) -> Gate:
        """A gate for a Fault's `before` or `after`."""
        return Gate(self._loop)

    def seen(self, path: str = "", *, method: str | None = None) -> list[Seen]:
        """The requests so far whose path ends in `path`."""
        with self._changed:
            return [each for each in self._seen if each.path.endswith(path) and method in (None, each.method)]

    def wait_for(self, count: int, path: str = "", *, seconds: float = _WAIT) -> list[Seen]:
        """Block until `count` such requests have come."""
        with self._changed:
            met = self._changed.wait_for(lambda: len(self.seen(path)) >= count, seconds)
        assert met, f"{len(self.seen(path))} of {count} requests for {path!r} came within {seconds} s"
        return self.seen(path)

    async def until(self, count: int, path: str = "") -> list[Seen]:
        """The call without blocking the loop."""
        return await asyncio.to_thread(self.wait_for, count, path)

    async def until_connections(self, count: int) -> None:
        """Wait until exactly `count` connections are open."""

        def wait() -> bool:
            with self._changed:
                return self._changed.wait_for(lambda: self.open_connections == count, _WAIT)

        assert await asyncio.to_thread(wait), f"{self.open_connections} connections are open, not {count}"

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        with self._changed:
            self._connections += 1
            self.open_connections += 1
            number, dropped = self._connections, self._dropped_at_once > 0
            self._dropped_at_once -= dropped
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                while not dropped and await self._one(reader, writer, number):
                    pass
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()
            with self._changed:
                self.open_connections -= 1
                self._changed.notify_all()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, connection: int) -> bool:
        """Serve one request; False when the connection has to end."""
        seen = await _read_head(reader, connection)
        if seen is None:
            return False
        fault = self.fate(seen)
        if fault.read_body:
            seen = await _with_body(reader, seen)
        return await _send(writer, fault, await self.meet(seen, fault))

    async def meet(self, seen: Seen, fault: Fault) -> Answer:
        """Record a request, do to it what its fate says, and return the answer that its sender gets."""
        with self._changed:
            self._seen.append(seen)
            if fault.late:
                self._late.append(seen)
            self._changed.notify_all()
        await asyncio.sleep(fault.delay)
        if fault.before is not None:
            await fault.before.passed()
        answer = self._answer(seen) if fault.act else Answer(503)
        if fault.after is not None:
            await fault.after.passed()
        refused = fault.act and answer.status == 401  # it took no effect, so nothing may be said in its place
        return answer if refused else fault.answer or answer

    def fate(self, seen: Seen) -> Fault:
        """What was planned for a request."""
        with self._changed:
            planned = next((each.fault for each in self._planned if each.takes(seen)), None)
            if planned is None and self._planner is not None:
                planned = self._planner(seen)
        return planned or Fault()

    def _answer(self, seen: Seen) -> Answer:
        if seen.path == TOKEN:
            return self.tokens.ask(seen.body)
        ours = seen.path.startswith((MANAGEMENT, INFORMATION))
        if ours and self.check_tokens and not self.tokens.accepts(seen.headers.get("authorization", "")):
            return Answer(401)
        served = self._served.get(seen.path)
        if served is not None:
            return served if isinstance(served, Answer) else served(seen)
        return self._from_book(seen)

    def _from_book(self, seen: Seen) -> Answer:
        path = seen.path.removeprefix(MANAGEMENT).removeprefix(INFORMATION)
        match seen.method, path:
            case "POST", "/Order/submit":
                return json_answer(self.book.submit(json_of(seen)).status_record)
            case "POST", "/Order/cancel":
                order = self.book.cancel(json.loads(json_of(seen))["orderReferenceNumber"])
                return json_answer({"title": "Not found"}, 404) if order is None else json_answer(order.status_record)
            case "GET", "/Order/status":
                order = self.book.status(seen.query)
                return json_answer({"title": "Not found"}, 404) if order is None else json_answer(order.status_record)
            case "GET", "/orders/open":
                return json_answer([each.record for each in self.book.all(state=OPEN)])
            case "GET", "/orders/completed":
                return json_answer([each.record for each in self.book.all(state=COMPLETE)])
        order = self.book.by_number(path.removeprefix("/orders/"))
        return Answer(404) if order is None else json_answer(order.record)


def json_of(seen: Seen) -> bytes:
    """The body as JSON; of XML what the service needs to know of it."""
    if not seen.headers.get("content-type", "").endswith("xml"):
        return seen.body
    return json.dumps(read_xml(seen.body, LIST_FIELDS)).encode()


async def _read_head(reader: asyncio.StreamReader, connection: int) -> Seen | None:
    first_byte = await reader.read(1)
    if not first_byte.isalpha():  # the end, or somebody who speaks TLS to a server without it
        return None
    head = (first_byte + await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.split("\r\n")[:-2]
    method, target, _ = first.split(" ", 2)
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return Seen(method, target, headers, b"", time.monotonic(), connection)


async def _with_body(reader: asyncio.StreamReader, seen: Seen) -> Seen:
    assert "transfer-encoding" not in seen.headers, "this program always states the length of what it sends"
    body = await reader.readexactly(int(seen.headers.get("content-length", "0")))
    return Seen(seen.method, seen.target, seen.headers, body, seen.at, seen.connection)


async def _send(writer: asyncio.StreamWriter, fault: Fault, answer: Answer) -> bool:
    """Send what the fault leaves of the answer; True when the connection may go on."""
    head = fault.raw if fault.raw is not None else answer.head()
    body = b"" if fault.raw is not None or fault.keep_head is not None else answer.body[: fault.keep_body]
    await _pour(writer, head[: fault.keep_head], fault.drip_head)
    await _pour(writer, body, fault.drip)
    if fault.reset:
        linger = struct.pack("ii", 1, 0)
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        writer.transport.abort()
    cut = fault.keep_head is not None or fault.keep_body is not None or fault.raw is not None
    return not (fault.reset or cut) and answer.length


async def _pour(writer: asyncio.StreamWriter, data: bytes, drip: tuple[int, float] | None) -> None:
    size, pause = drip or (max(1, len(data)), 0.0)
    for start in range(0, len(data), size):
        writer.write(data[start : start + size])
        await writer.drain()
        await asyncio.sleep(pause)


@contextmanager
def start_fault_server(*, tls: ssl.SSLContext | None = None) -> Iterator[FaultServer]:
    """A running fault server; it and every connection to it end with the block."""
    # Not that of the system: on Windows it cannot stop accepting before it closes (`_live`).
    loop = asyncio.SelectorEventLoop()
    server = FaultServer(loop, scheme="http" if tls is None else "https")
    ready = threading.Event()
    stop = asyncio.Event()
    thread = threading.Thread(target=_run, args=(loop, server, tls, ready, stop), name="fault-server")
    thread.start()
    assert ready.wait(_WAIT), "the fault server did not start"
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(_WAIT)
        assert not thread.is_alive(), "the fault server did not stop"


def _run(
    loop: asyncio.AbstractEventLoop,
    server: FaultServer,
    tls: ssl.SSLContext | None,
    ready: threading.Event,
    stop: asyncio.Event,
) -> None:
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(_live(server, tls, ready, stop))


async def _live(server: FaultServer, tls: ssl.SSLContext | None, ready: threading.Event, stop: asyncio.Event) -> None:
    tasks: set[asyncio.Task[Any]] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            await server.handle(reader, writer)
        except asyncio.CancelledError:
            writer.transport.abort()
        finally:
            tasks.discard(task)

    listening = await asyncio.start_server(connected, "127.0.0.1", 0, ssl=tls, backlog=512)
    server.port = listening.sockets[0].getsockname()[1]
    ready.set()
    await stop.wait()
    # A connection that was accepted just now becomes a transport and a task some turns later. asyncio leaves the
    # transport open if the server is closed by then. So accept no more, take up what was accepted, then close.
    asyncio.get_running_loop().remove_reader(listening.sockets[0].fileno())
    for _ in range(_TURNS_TO_ACCEPT):
        await asyncio.sleep(0)
    listening.close()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@pytest.fixture
def fault_server() -> Iterator[FaultServer]:
    """A fault server of one's own."""
    with start_fault_server() as server:
        yield server


@pytest.fixture
def fault_servers() -> Iterator[Callable[[], FaultServer]]:
    """Starts as many fault servers as are asked for: a provider and the strangers its records point to."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(start_fault_server())


__all__ = ["CANCELLED", "COMPLETE", "OPEN", "Answer", "Fault", "FaultServer", "Gate", "Seen", "start_fault_server"]

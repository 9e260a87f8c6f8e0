"""Calls to one service: reads that are repeated, writes that are made once, lists that stream.

Each wait has a deadline, whatever the provider does. The deadline of a call starts once the call has a free connection,
so that calls of a burst do not time out in the queue. Reads and writes have connections of their own: an order never
waits behind photos.
"""

import asyncio
import random
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

import httpx2

from app.api.answers import error_of
from app.api.carry import beginning, carry, pieces, whole
from app.api.errors import ApiError
from app.api.lists.stream import Batches, Convert, Quick, Tally, batches_of, told_apart
from app.api.reply import Reply, check_readable, check_success, is_xml
from app.api.retry import READS, Budget, GiveUp, decide
from app.contract.codes import Format
from app.contract.xml_records import PLAIN, Shape

REPLY_CAP = 4 * 1024 * 1024  # bytes of a reply that is no list; more could not be decoded without a visible pause
JSON = "application/json"
CONTENT_TYPES: dict[Format, str] = {"json": JSON, "xml": "application/xml"}  # of a body that is sent
# A service that writes no XML answers in JSON then, which is read as well.
_ACCEPTED: dict[Format, str] = {"json": JSON, "xml": "application/xml, text/xml;q=0.9, application/json;q=0.5"}

T = TypeVar("T")
R = TypeVar("R")
Query = Sequence[tuple[str, str]]
_Read = Callable[[AsyncIterator[bytes], bool], AsyncGenerator[list[T], None]]


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Seconds that a call may wait.

    `connect`: for a connection; `first_byte`: for the answer to a read to begin; `silence`: between two pieces of an
    answer; `reply`, `document`, `listing`: for all of a small reply, of a file, of a long list; `write`: for a write
    from beginning to end; `token`: for the token service. `reads` bounds how often a read is repeated.
    """

    connect: float = 10.0
    first_byte: float = 30.0
    silence: float = 30.0
    reply: float = 60.0
    document: float = 180.0
    listing: float = 900.0
    write: float = 60.0
    token: float = 20.0
    reads: Budget = READS


@dataclass(frozen=True, slots=True)
class Line:
    """The connections to one origin, and how many calls may use them at a time."""

    client: httpx2.AsyncClient
    reads: asyncio.Semaphore
    writes: asyncio.Semaphore


class Wire:
    """One service: its root address, its connections and the token for them. `replies` is the format that is asked for;
    what comes is read in either."""

    def __init__(
        self, root: str, line: Line, auth: httpx2.Auth | None, deadlines: Deadlines, *, replies: Format = "json"
    ) -> None:
        self.root = root
        self.deadlines = deadlines
        self._line = line
        self._auth = auth
        self.accept = _ACCEPTED[replies]

    async def reach(self, path: str, query: Query = ()) -> None:
        """Raise NotSent or SentUnknown unless something answers a GET, whatever it says; no token goes.

        Of an operation of the contract 401 is the answer that is announced.
        """
        client = self._line.client
        async with self._line.reads:
            request = client.build_request("GET", self.root + path, params=list(query) or None)
            response = await carry(client, request, auth=None, seconds=self.deadlines.first_byte, write=False)
            await response.aclose()

    async def read(self, path: str, query: Query = ()) -> Reply:
        """GET one record below the root, retried as `retry.decide` says. Raises any ApiError."""

        async def once() -> Reply:
            reply = await self._read_once(path, query, self.accept, REPLY_CAP, self.deadlines.reply)
            check_readable(reply)
            return reply

        return await repeated(once, self.deadlines.reads)

    async def read_file(self, path: str, *, cap: int) -> Reply:
        """GET a file of any kind and at most `cap` bytes below the root, retried as `read` is."""
        limits = self.deadlines
        return await repeated(lambda: self._read_once(path, (), "*/*", cap, limits.document), limits.reads)

    async def _read_once(self, path: str, query: Query, accept: str, cap: int, total: float) -> Reply:
        async with self._answer(path, query, accept) as response:
            body = await whole(response, cap=cap, silence=self.deadlines.silence, total=total)
            return reply_of(response, body)

    async def write(
        self, path: str, payload: bytes, *, sent_as: Format = "json", wanted: Callable[[], bool] = lambda: True
    ) -> Reply:
        """POST exactly these bytes, once. An error's `may_have_acted` says whether it may have taken effect.

        A 401 is a refusal before anything is done, so the same bytes then go once more with a new token. Whenever they
        are about to leave, `wanted` is asked: if it says no, they do not (NotSent).
        """
        client, limit = self._line.client, self.deadlines.write
        headers = {"Accept": self.accept, "Content-Type": CONTENT_TYPES[sent_as]}
        # The deadline begins after this line, so that the wait for a free connection does not count.
        async with self._line.writes:
            until = time.monotonic() + limit
            request = client.build_request("POST", self.root + path, content=payload, headers=headers)
            response = await carry(client, request, auth=self._auth, seconds=limit, write=True, wanted=wanted)
            try:
                # The answer has begun: it gets a moment to end even where the deadline is over.
                left = max(0.1, until - time.monotonic())
                await _raise_for(response, write=True, total=left)
                reply = reply_of(response, await whole(response, cap=REPLY_CAP, silence=left, total=left))
            finally:
                await response.aclose()
        check_readable(reply)
        check_success(reply)
        return reply

    @asynccontextmanager
    async def exchange(
        self,
        method: str,
        path: str,
        query: Query,
        headers: Query,
        body: bytes | None,
        *,
        write: bool,
        watch: Callable[[str], None],
    ) -> AsyncGenerator[httpx2.Response, None]:
        """One request made once, and its answer whatever its status, the body still to come.

        `watch` is told of the library's trace events. Raises as `carry` does.
        """
        client, limits = self._line.client, self.deadlines
        async with self._line.writes if write else self._line.reads:
            request = client.build_request(
                method, self.root + path, params=list(query) or None, headers=list(headers), content=body
            )
            seconds = limits.write if write else limits.first_byte
            response = await carry(client, request, auth=self._auth, seconds=seconds, write=write, watch=watch)
            try:
                yield response
            finally:
                await response.aclose()

    def rows(
        self,
        path: str,
        query: Query,
        convert: Convert[T],
        *,
        quick: Quick[T] | None = None,
        known: bytes | None = None,
        shape: Shape = PLAIN,
    ) -> Batches[T]:
        """GET a list, a batch at a time. Repeated like any read, until the first batch has been handed out.

        `quick` and `convert` make rows of its elements, see `batches_of`. `known` is the digest of a reply: when the
        same comes again, nothing is handed out and the tally says so. `shape` is that of its records in XML.
        """
        tally = Tally()

        def read(parts: AsyncIterator[bytes], in_xml: bool) -> AsyncGenerator[list[T], None]:
            return batches_of(parts, convert, tally, quick=quick, xml=shape if in_xml else None)

        return Batches(self._rows(path, query, read, tally, known), tally)

    async def _rows(
        self, path: str, query: Query, read: _Read[T], tally: Tally, known: bytes | None
    ) -> AsyncGenerator[list[T], None]:
        patience = _Patience(self.deadlines.reads)
        while True:
            try:
                async with aclosing(self._rows_once(path, query, read, tally, known)) as source:
                    async for batch in source:
                        yield batch
                return
            except ApiError as error:
                # Rows that were handed out are in the cache already; asking again would hand them out twice.
                if tally.delivered:
                    raise
                delay = patience.after(error)
                if delay is None:
                    raise
            tally.restart()
            await asyncio.sleep(delay)

    async def _rows_once(
        self, path: str, query: Query, read: _Read[T], tally: Tally, known: bytes | None
    ) -> AsyncGenerator[list[T], None]:
        limits = self.deadlines
        async with self._answer(path, query, self.accept) as response:
            if response.status_code == 204:
                return
            parts = pieces(response, silence=limits.silence, total=limits.listing)
            async with (
                aclosing(parts),
                aclosing(told_apart(parts, tally, known)) as told,
                aclosing(read(told, is_xml(response.headers.get("content-type")))) as batches,
            ):
                async for batch in batches:
                    yield batch

    @asynccontextmanager
    async def _answer(self, path: str, query: Query, accept: str) -> AsyncGenerator[httpx2.Response, None]:
        """A successful answer to a read, its body still to come."""
        client = self._line.client
        async with self._line.reads:
            request = client.build_request(
                "GET", self.root + path, params=list(query) or None, headers={"Accept": accept}
            )
            response = await carry(client, request, auth=self._auth, seconds=self.deadlines.first_byte, write=False)
            try:
                await _raise_for(response, write=False, total=self.deadlines.silence)
                yield response
            finally:
                await response.aclose()


class _Patience:
    """The attempts of one call so far."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._attempt = 0
        self._started = time.monotonic()

    def after(self, error: ApiError) -> float | None:
        """Seconds to wait before the next attempt, or None when this was the last."""
        self._attempt += 1
        decision = decide(
            error,
            self._attempt,
            time.monotonic(),
            started=self._started,
            budget=self._budget,
            chance=random.random(),  # noqa: S311 (spreads calls in time; nothing depends on it being unguessable)
        )
        return None if isinstance(decision, GiveUp) else decision.delay


async def repeated(once: Callable[[], Awaitable[R]], budget: Budget) -> R:
    """The result of a read that is made again as `retry.decide` says."""
    patience = _Patience(budget)
    while True:
        try:
            return await once()
        except ApiError as error:
            delay = patience.after(error)
            if delay is None:
                raise
        await asyncio.sleep(delay)


def reply_of(response: httpx2.Response, body: bytes) -> Reply:
    """An answer and its body as a Reply."""
    return Reply(response.status_code, body, response.headers.get("content-type"), datetime.now())


async def _raise_for(response: httpx2.Response, *, write: bool, total: float) -> None:
    if response.is_success:
        return
    body = await beginning(response, silence=total, total=total)
    error = error_of(response.status_code, response.headers, body, write=write)
    try:
        if error is not None:
            raise error
    finally:
        # The error's traceback holds this frame. If the frame held the error, both and the whole reply would wait for
        # the cyclic collector, and each order that is sent asks first for a status that is not there yet.
        del error

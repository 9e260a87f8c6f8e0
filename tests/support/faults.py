"""The faults that a fault server can do to a request, as data.

A `Fault` is read from top to bottom: the request is read or not, held, acted upon or not, held again, and answered in
the way it says. Everything a provider or the network between can do to a call is one of the makers at the end.
"""

import asyncio
import json
from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Answer:
    """A response: its length is stated unless `length` is False, which then ends it by closing the connection."""

    status: int = 200
    body: bytes = b""
    media_type: str | None = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    length: bool = True

    def head(self) -> bytes:
        """Status line and header fields, as sent."""
        lines = [f"HTTP/1.1 {self.status} Fault"]
        if self.media_type is not None and self.body:
            lines.append(f"Content-Type: {self.media_type}")
        if self.length:
            lines.append(f"Content-Length: {len(self.body)}")
        lines += [f"{name}: {value}" for name, value in self.headers]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def json_answer(data: object, status: int = 200, **headers: str) -> Answer:
    """An answer with `data` as JSON; `retry_after="3"` becomes the field Retry-After."""
    fields = tuple((name.replace("_", "-").title(), value) for name, value in headers.items())
    return Answer(status, json.dumps(data).encode(), headers=fields)


class Gate:
    """Holds requests until a test lets them go, so that no test needs to sleep."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._open = asyncio.Event()

    def release(self) -> None:
        """Let everything through that waits here and that will come."""
        self._loop.call_soon_threadsafe(self._open.set)

    async def passed(self) -> None:
        """Wait, on the server's side."""
        await self._open.wait()


@dataclass(frozen=True)
class Fault:
    """The fate of one request.

    `read_body`: False ends the connection once the header is read. `delay`: seconds that pass before acting. `before`,
    `after`: what holds it before and after acting. `act`: whether it takes effect. `answer`: instead of the one its
    effect would have. `raw`: bytes sent as they are instead of any answer. `keep_head`, `keep_body`: so many bytes are
    sent of them, then the connection ends. `drip`, `drip_head`: bytes and seconds at a time of body and header.
    `reset`: the connection ends with a reset instead of a close. `late`: it is kept on the way, and takes effect when
    `FaultServer.let_arrive` lets it.
    """

    read_body: bool = True
    delay: float = 0.0
    before: Gate | None = None
    act: bool = True
    after: Gate | None = None
    answer: Answer | None = None
    raw: bytes | None = None
    keep_head: int | None = None
    keep_body: int | None = None
    drip: tuple[int, float] | None = None
    drip_head: tuple[int, float] | None = None
    reset: bool = field(default=False)
    late: bool = False

    def with_reset(self) -> "Fault":
        """This fault, ending in a reset."""
        return replace(self, reset=True)


def drop_unread() -> Fault:
    """Gone once the header has been read; nothing took effect."""
    return Fault(read_body=False, act=False, keep_head=0)


def drop_before() -> Fault:
    """Read whole, then gone; nothing took effect."""
    return Fault(act=False, keep_head=0)


def late() -> Fault:
    """Read whole, then gone; it takes effect later, if at all."""
    return Fault(act=False, keep_head=0, late=True)


def act_then_drop() -> Fault:
    """The request takes effect, and the connection ends without an answer."""
    return Fault(keep_head=0)


def cut_head(after: int) -> Fault:
    """The request takes effect; the answer ends after so many bytes of its header."""
    return Fault(keep_head=after)


def truncated(after: int) -> Fault:
    """The request takes effect; the answer ends after so many bytes of its body."""
    return Fault(keep_body=after)


def answered(answer: Answer) -> Fault:
    """Answered so, without taking effect."""
    return Fault(act=False, answer=answer)


def acted_but(answer: Answer) -> Fault:
    """The request takes effect, and `answer` is sent in place of the true reply."""
    return Fault(answer=answer)


def slow(seconds: float) -> Fault:
    """The request takes effect and is answered so many seconds later."""
    return Fault(delay=seconds)


def dripping(size: int, seconds: float) -> Fault:
    """The request takes effect; the answer's body comes `size` bytes at a time."""
    return Fault(drip=(size, seconds))


def malformed(raw: bytes) -> Fault:
    """The request takes effect; the answer is not HTTP."""
    return Fault(raw=raw)


def held(*, before: Gate | None = None, after: Gate | None = None) -> Fault:
    """Held before or after taking effect; holding one of two calls swaps their order."""
    return Fault(before=before, after=after)

"""Faults, thrown per request from the service's seed: late, refused, broken off, mangled or slow replies."""

import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from dataclasses import dataclass
from random import Random

from aiohttp import web

from app.practice.switches import Switches

_ABORT = struct.pack("ii", 1, 0)  # close with a reset, not with a goodbye
_MANGLED = b'{"<broken'
_SLICES_A_SECOND = 20


@dataclass(frozen=True, slots=True)
class Faults:
    """The faults of one request. `cut` is the place in the body's first piece where truncation or mangling sets in."""

    latency: float = 0.0
    refuse: int = 0
    retry_after: float | None = None
    expire: bool = False
    reset_before: bool = False
    reset_after: bool = False
    truncate: bool = False
    malformed: bool = False
    rate: float = 0.0
    cut: float = 0.5


NO_FAULTS = Faults()
_REFUSALS = {"rate-429": 429, "rate-503": 503, "error-500": 500}


def throw_faults(switches: Switches, chance: Random, path: str) -> Faults:
    """The faults of a request, by the switches that are on."""
    if not switches.values or switches.text("fault-on").lower() not in path.lower():
        return NO_FAULTS

    def happens(name: str) -> bool:
        wanted = switches.number(name)
        return wanted > 0 and chance.random() < wanted

    refused = next((name for name in _REFUSALS if happens(name)), "")
    return Faults(
        latency=switches.number("latency") / 1000,
        refuse=_REFUSALS.get(refused, 0),
        retry_after=switches.seconds(refused) if refused else None,
        expire=happens("token-expire"),
        reset_before=happens("reset-before"),
        reset_after=happens("reset-after"),
        truncate=happens("truncate"),
        malformed=happens("malformed"),
        rate=switches.number("slow-body"),
        cut=chance.random() if switches.on("truncate") or switches.on("malformed") else 0.5,
    )


def reset(request: web.Request) -> None:
    """Breaks the connection off so that the caller sees a reset."""
    transport = request.transport
    if transport is None:
        return
    connection: socket.socket | None = transport.get_extra_info("socket")
    if connection is not None:
        # A linger of no seconds makes the system send RST instead of FIN.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _ABORT)
    transport.abort()


class Broken(Exception):
    """The reply ends here, in the middle."""


async def damaged(pieces: AsyncIterator[bytes], faults: Faults) -> AsyncIterator[bytes]:
    """The body's pieces as the faults leave them; raises Broken where the connection is to be cut.

    What sets in, sets in within the first piece that is more than a bracket.
    """
    async for piece in pieces:
        if len(piece) > 1 and (faults.truncate or faults.malformed):
            kept = piece[: max(1, int(len(piece) * faults.cut))]
            yield kept if faults.truncate else kept + _MANGLED
            if faults.malformed and not faults.truncate:
                return
            break
        if faults.rate > 0:
            async for slow in _slowly(piece, faults.rate):
                yield slow
        else:
            yield piece
    if faults.truncate:
        raise Broken


async def _slowly(piece: bytes, rate: float) -> AsyncIterator[bytes]:
    # At a very low rate a slice is one byte.
    size = max(1, int(rate / _SLICES_A_SECOND))
    for start in range(0, len(piece), size):
        part = piece[start : start + size]
        await asyncio.sleep(len(part) / rate)
        yield part

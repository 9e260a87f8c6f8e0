"""Bodies of requests: read within a size and a time, and understood without holding up other requests."""

import asyncio
from dataclasses import dataclass
from typing import Any

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.web_protocol import RequestPayloadError

from app.contract.operations import Operation
from app.practice.operation_answers import Refusal, bad_request
from app.practice.running_service import RunningService
from app.practice.services.registry import CHECKS
from app.practice.web import formats

# An order with 5,000 barcodes is 0.5 MB and has 25,000 values. A list of empty records takes a hundred times the memory
# of its bytes, so a body is bounded by what it holds as well.
LARGEST_BODY = 4 * 1024 * 1024
LARGEST_FORM = 64 * 1024
_MOST_VALUES = 100_000
_SMALL = 64 * 1024  # read and checked within a millisecond or two: a change of thread would take longer


@dataclass(frozen=True, slots=True)
class Understood:
    """A body, decoded, and what the contract's check says of it where the operation has one."""

    body: Any = None
    checked: Any = None


async def read_body(service: RunningService, request: web.Request, most: int = LARGEST_BODY) -> bytes:
    """The body of a request whose caller may send one. Raises Refusal, and ConnectionError where the caller has left.

    The body is read here and not by aiohttp: aiohttp keeps the bytes of a body that is too large until the collector
    runs.
    """
    # Refused unread where the length is announced; the loop below bounds a body that comes in chunks.
    if (request.content_length or 0) > most:
        raise _too_large(most)
    read = bytearray()
    try:
        async with asyncio.timeout(service.patience):
            while piece := await request.content.readany():
                read += piece
                if len(read) > most:
                    raise _too_large(most)
        return bytes(read)
    except TimeoutError as error:
        raise Refusal(
            408, "The body took too long.", f"It must be here within {service.patience:g} seconds."
        ) from error
    except (RequestPayloadError, HttpProcessingError) as error:
        raise bad_request("", "The body is not what Content-Encoding or Transfer-Encoding says it is.") from error
    finally:
        read.clear()  # an exception holds this frame


def _too_large(most: int) -> Refusal:
    return bad_request("", f"The body is too large: {most:,} bytes are read here.")


async def understand(
    service: RunningService, operation: Operation, content_type: str | None, body: bytes
) -> Understood:
    """A body decoded and checked; a large one beside the loop, which meanwhile answers others. Raises Refusal."""
    kind = formats.body_kind(operation, content_type, body)
    # Counted by signs, before anything is decoded: the decoded values are what would take the memory.
    values = body.count(b"<") // 2 if formats.is_xml(kind) else body.count(b",") + body.count(b"[") + body.count(b"{")
    if values > _MOST_VALUES:
        raise bad_request("", f"The body holds too many values: {_MOST_VALUES:,} are read here.")
    if len(body) <= _SMALL:
        return _understood(operation, kind, body)
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(service.parsing_thread, _understood, operation, kind, body)


def _understood(operation: Operation, kind: str, body: bytes) -> Understood:
    decoded = formats.decoded(kind, body)
    check = CHECKS.get(operation.name)
    return Understood(decoded, check(decoded) if check else None)

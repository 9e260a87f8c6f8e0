"""Sends the outcome of an operation, with its faults: records at once, lists page by page."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable
from email.utils import formatdate

import apsw
from aiohttp import web

from app.practice.operation_answers import Answer, Listing, NoBody, Record, Refusal
from app.practice.running_service import RunningService
from app.practice.web import formats
from app.practice.web.fault_injection import Broken, Faults, damaged, reset
from app.practice.web.xml_form import HEAD, WRAPPED_HEAD, element, list_name, wrapped
from app.practice.world.seconds import epoch_seconds

_LOG = logging.getLogger("aiohttp.server")


def dated(service: RunningService, headers: dict[str, str] | None = None) -> dict[str, str]:
    """Headers with the service's own time."""
    return {"Date": formatdate(epoch_seconds(service.clock.now()), usegmt=True), **(headers or {})}


async def send(
    service: RunningService, request: web.Request, outcome: Answer | NoBody | Listing, media_type: str, faults: Faults
) -> web.StreamResponse:
    """Sends a record, a list or nothing."""
    if isinstance(outcome, NoBody):
        return web.Response(status=outcome.status, headers=dated(service))
    kind = f"{media_type}; charset=utf-8"
    if isinstance(outcome, Answer):
        in_wrapped_xml = service.switches.on("xml-wrapped")
        body = formats.write(outcome.value, outcome.name, media_type, in_wrapped_xml=in_wrapped_xml)
        return await send_bytes(service, request, body, kind, outcome.status, faults)
    in_wrapped_xml = formats.is_xml(media_type) and service.switches.on("xml-wrapped")
    pieces = _wrapped_pieces(outcome) if in_wrapped_xml else _list_pieces(outcome, media_type)
    return await _stream(service, request, pieces, kind, 200, faults)


async def send_problem(
    service: RunningService, request: web.Request, refusal: Refusal, media_type: str, faults: Faults
) -> web.StreamResponse:
    """Sends a problem record."""
    body, kind = formats.write_problem(refusal, media_type, service.switches)
    if not body:
        return web.Response(status=refusal.status, headers=dated(service))
    return await send_bytes(service, request, body, f"{kind}; charset=utf-8", refusal.status, faults)


async def send_bytes(
    service: RunningService, request: web.Request, body: bytes, kind: str, status: int, faults: Faults
) -> web.StreamResponse:
    """Sends a body that is complete in memory."""
    if faults.truncate or faults.malformed or faults.rate:
        # A truncated body announces its whole length, so that the caller can see that it is cut. A mangled one has
        # another length, so it goes in chunks.
        length = None if faults.malformed else len(body)
        return await _stream(service, request, _one(body), kind, status, faults, length)
    return web.Response(status=status, body=body, headers=dated(service, {"Content-Type": kind}))


async def _one(body: bytes) -> AsyncIterator[bytes]:
    yield body


async def _stream(
    service: RunningService,
    request: web.Request,
    pieces: AsyncIterator[bytes],
    kind: str,
    status: int,
    faults: Faults,
    length: int | None = None,
) -> web.StreamResponse:
    response = web.StreamResponse(status=status, headers=dated(service, {"Content-Type": kind}))
    response.content_length = length
    try:
        await response.prepare(request)
        async for piece in damaged(pieces, faults):
            await response.write(piece)
        await response.write_eof()
    except Broken:
        reset(request)
    except apsw.Error as error:
        _LOG.error("The practice data cannot be used: %s", error)
        reset(request)
    except ConnectionError:
        # The caller has left in the middle of the list: there is nobody to tell.
        return response
    return response


async def _list_pieces(listing: Listing, media_type: str) -> AsyncIterator[bytes]:
    """The list as bytes. Between two pages every other request gets its turn."""
    in_xml = formats.is_xml(media_type)
    root = list_name(listing.name)
    yield f"{HEAD}<{root}>".encode() if in_xml else b"["
    separator = ""
    for page in listing.pages:
        text = _xml_page(listing.name, page) if in_xml else separator + formats.to_json(page)[1:-1]
        separator = ","
        yield text.encode()
        # A write to a socket with room waits for nothing, so the loop would serve this one request only.
        await asyncio.sleep(0)
    yield f"</{root}>".encode() if in_xml else b"]"


async def _wrapped_pieces(listing: Listing) -> AsyncIterator[bytes]:
    """The list in the XML that another house's serialiser writes."""
    root = list_name(listing.name)
    yield f"{HEAD}<{root} {WRAPPED_HEAD}>".encode()
    for page in listing.pages:
        yield "".join(wrapped(listing.name, record) for record in page).encode()
        # As above: the loop serves other requests between two pages.
        await asyncio.sleep(0)
    yield f"</{root}>".encode()


def _xml_page(name: str, page: Iterable[Record]) -> str:
    return "".join(element(name, record) for record in page)

"""The two web applications of the practice service: its own, and that of a second host.

The second host has a port of its own and needs no token. It records every token that a client sends: a client that
sends a bearer token there has leaked it. The switches image-foreign and pod-foreign point there.
"""

import logging
from collections.abc import Awaitable, Callable
from urllib.parse import unquote

import apsw
from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.web_protocol import RequestPayloadError

from app.contract.operations import OPERATIONS_BY_NAME, Operation
from app.practice.database.clients import MAIN
from app.practice.operation_answers import Call, Picture, Refusal
from app.practice.running_service import RunningService
from app.practice.services.registry import HANDLERS
from app.practice.web import control, dispatch
from app.practice.web.description import SWAGGER, description
from app.practice.web.drawn_files import send_picture
from app.practice.web.fault_injection import NO_FAULTS
from app.practice.web.routes import DOCUMENT, PREFIXES
from app.practice.web.token_endpoint import TOKEN_PATH, send_token

_NOT_OURS = (HttpProcessingError, RequestPayloadError, ConnectionError)
_FOREIGN_FOLDERS: dict[str, Operation] = {"audit": OPERATIONS_BY_NAME["audit_image"], "order": DOCUMENT}
_LOG = logging.getLogger("aiohttp.server")


def build_app(service: RunningService) -> web.Application:
    """The web application: token endpoint, descriptions, practice control, and the rest to the two services."""
    descriptions = {f"{prefix}{SWAGGER}".lower(): name for name, prefix in PREFIXES.items()}

    async def answer(request: web.Request) -> web.StreamResponse:
        path = request.path.lower()
        if path == TOKEN_PATH:
            return await send_token(service, request)
        if path in descriptions and request.method == "GET":
            text = description(descriptions[path], service.origin + TOKEN_PATH)
            return web.Response(text=text, content_type="application/json")
        if path.startswith(control.PREFIX):
            return await control.control(service, request)
        return await dispatch.answer(service, request)

    return _app(answer)


def build_foreign(service: RunningService) -> web.Application:
    """The web application of the second host."""

    async def answer(request: web.Request) -> web.StreamResponse:
        return await _foreign_file(service, request)

    return _app(answer)


def _is_ours(record: logging.LogRecord) -> bool:
    """Whether a log line is about a fault of the service, and not about a caller that sends no HTTP or leaves.

    aiohttp also writes a traceback if the rest of a refused body does not fit its `Content-Length` or encoding.
    """
    return not (record.exc_info and isinstance(record.exc_info[1], _NOT_OURS))


def _app(answer: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> web.Application:
    async def answer_who_is_there(request: web.Request) -> web.StreamResponse:
        try:
            return await answer(request)
        except ConnectionError:
            # The caller has left in the middle of a body: aiohttp sends this to nobody and writes no traceback.
            return web.Response(status=400)
        except apsw.Error as error:
            _LOG.error("The practice data cannot be used: %s", error)  # a full disk, or a file that is damaged
            return web.Response(status=503)

    _LOG.addFilter(_is_ours)
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer_who_is_there)
    return app


async def _foreign_file(service: RunningService, request: web.Request) -> web.StreamResponse:
    """Give out the main client's photos and documents at `/download/audit/NAME` and `/download/order/NAME`."""
    authorization = request.headers.get("Authorization")
    if authorization is not None:
        service.foreign_tokens.append(authorization)
    # Split before it is decoded: a name may hold an encoded slash.
    parts = [unquote(part) for part in request.rel_url.raw_path.strip("/").split("/")]
    operation = _FOREIGN_FOLDERS.get(parts[1]) if len(parts) == 3 and parts[0] == "download" else None
    if operation is None or request.method != "GET":
        return web.Response(status=404)
    call = Call(service.clients[MAIN], operation, service.clock.now(), path={"Filename": parts[2]})
    try:
        picture = HANDLERS[operation.name](service, call)
    except Refusal as refusal:
        return web.Response(status=refusal.status)
    if not isinstance(picture, Picture):
        raise TypeError(f"{operation.name} gives pictures")
    return await send_picture(service, request, picture, NO_FAULTS)

"""The two web applications of the practice service: its own, and that of the other host."""

import logging
from collections.abc import Awaitable, Callable

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from app.practice.office import Office
from app.practice.web import control, dispatch
from app.practice.web.description import SWAGGER, description
from app.practice.web.foreign import foreign
from app.practice.web.routes import PREFIXES
from app.practice.web.token_endpoint import TOKEN_PATH, send_token

_LOG = logging.getLogger("aiohttp.server")
LARGEST_BODY = 64 * 1024 * 1024


def build_app(office: Office) -> web.Application:
    """The web application: token endpoint, descriptions, practice control, and the rest to the two services."""
    descriptions = {f"{prefix}{SWAGGER}".lower(): service for service, prefix in PREFIXES.items()}

    async def answer(request: web.Request) -> web.StreamResponse:
        path = request.path.lower()
        if path == TOKEN_PATH:
            return await send_token(office, request)
        if path in descriptions and request.method == "GET":
            text = description(descriptions[path], office.origin + TOKEN_PATH)
            return web.Response(text=text, content_type="application/json")
        if path.startswith(control.PREFIX):
            return await control.control(office, request)
        return await dispatch.answer(office, request)

    return _app(answer)


def build_foreign(office: Office) -> web.Application:
    """The web application of the other host."""

    async def answer(request: web.Request) -> web.StreamResponse:
        return await foreign(office, request)

    return _app(answer)


def _is_ours(record: logging.LogRecord) -> bool:
    """Whether a log line is about a fault of the service: what is no HTTP gets its 400, and that is that."""
    return not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError))


def _app(answer: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> web.Application:
    _LOG.addFilter(_is_ours)
    app = web.Application(client_max_size=LARGEST_BODY)
    app.router.add_route("*", "/{path:.*}", answer)
    return app

"""The fault server without a socket: requests of this process are handed to it as they would have been sent.

For tests that make very many requests and are about something else than the way there. The library's trace events are
told as its own transport tells them, because the desk learns from them whether a request has begun to leave.
"""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest

from tests.support.fault_server import FaultServer, Seen


class _Inside(httpx2.AsyncBaseTransport):
    def __init__(self, server: FaultServer) -> None:
        self._server = server

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        body = await request.aread()
        trace: Any = request.extensions.get("trace", _no_trace)
        await trace("http11.send_request_headers.started", {"request": SimpleNamespace(method=request.method.encode())})
        headers = {name.lower(): value for name, value in request.headers.items()}
        seen = Seen(request.method, request.url.raw_path.decode(), headers, body, time.monotonic(), 0)
        fault = self._server.fate(seen)
        answer = await self._server.meet(seen, fault)
        if fault.keep_head is not None or fault.keep_body is not None or fault.raw is not None or fault.reset:
            raise httpx2.ReadError("the connection ended", request=request)
        await trace("http11.receive_response_headers.complete", {"return_value": (b"HTTP/1.1", answer.status)})
        fields = [*answer.headers]
        if answer.media_type is not None and answer.body:
            fields.append(("Content-Type", answer.media_type))
        return httpx2.Response(answer.status, headers=fields, content=answer.body, request=request)


async def _no_trace(_event: str, _info: object) -> None: ...


@contextmanager
def provider_inside() -> Iterator[FaultServer]:
    """A fault server that every provider opened in this block leads to. Under a running loop."""
    server = FaultServer(asyncio.get_running_loop(), scheme="http")
    server.port = 9  # nothing listens there: a request that went over a socket after all would fail
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("app.api.provider.routed", lambda *_, **__: {"transport": _Inside(server)})
        yield server

"""Sends one HTTP request, and knows exactly whether any byte of it has left this computer.

`Departure` follows the HTTP library's trace events. A request counts as begun when its first header byte is about to be
written to the provider, and as not sent again once the provider has refused it with a 401. Until that first byte the
request can be held back: the token, the connection or a sleeping computer may have taken hours.

An error is raised outside of the handler that caught the library's error. The library's error holds the request with
its token and body, and the context of an error is logged with it.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from typing import Any

import httpx2

from app.api import api_words
from app.api.answers import broke_off, proxy_status, unreachable
from app.api.errors import ApiError, BrokenReply, Closing, NotSent, ProxyRefused, TooLate

LOGIN_WANTED = 407  # the status of a proxy that has not passed the request on
ERROR_CAP = 1024 * 1024  # bytes of an error's body that are read
Origin = tuple[str, str, int]
_TROUBLE = (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, OSError, ValueError)


def silence_library_logs() -> None:
    """The library logs every address at INFO and every header at DEBUG; neither may reach a log of ours."""
    for name in ("httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(logging.WARNING)


def origin_of(url: httpx2.URL) -> Origin:
    """Scheme, host and port, the default port spelt out."""
    return url.scheme, url.host, url.port or (443 if url.scheme == "https" else 80)


def place_of(url: httpx2.URL) -> str:
    """The origin as a person reads it."""
    return str(url.copy_with(path="/", query=None, fragment=None, username=None, password=None)).rstrip("/")


class Departure:
    """The library's `trace` hook for one request: `began` says whether it has begun to leave.

    The request leaves only if `wanted()` is true at that moment, and only while its client is open. `watch` is told of
    each step by its name.
    """

    def __init__(
        self, client: httpx2.AsyncClient, wanted: Callable[[], bool], watch: Callable[[str], None] | None = None
    ) -> None:
        self.began = False
        self._watch = watch
        self._client = client
        self._wanted = wanted
        self._line: Any = None  # the library's stream, the latest of this request
        self._towards = ("", 0)  # the host and port that were connected to last

    async def __call__(self, event: str, info: Mapping[str, Any]) -> None:
        """Follow one step of the transport. A CONNECT to a proxy is not the request.

        The library would leave two kinds of connection open until the collector finds them: one whose request is given
        up while TLS is agreed on, and one that is made only after its client was closed.
        """
        if self._watch is not None:
            self._watch(event)
        if event.endswith("connect_tcp.started"):
            self._towards = info["host"], info["port"]
        elif event.endswith(("connect_tcp.complete", "start_tls.complete")):
            # The library gives no other handle to the connection while it is being made.
            self._line = info["return_value"]
            if self._client.is_closed:
                await self._line.aclose()
                raise Closing()
        elif event.endswith("start_tls.failed") and self._line is not None:
            await self._line.aclose()
        elif event.endswith("send_request_headers.started"):
            if info["request"].method == b"CONNECT":
                return
            if not self._wanted():
                raise TooLate()
            self.began = True
        # A 401 is sent before anything is done, so the next attempt with a new token counts as the first.
        elif event.endswith("receive_response_headers.complete") and info["return_value"][1] == 401:
            self.began = False

    def proxy(self, url: httpx2.URL) -> str:
        """The proxy that was connected to in place of the address, as host and port; empty if it was the address."""
        host, port = self._towards
        return "" if not host or (host, port) == origin_of(url)[1:] else f"{host}:{port}"


async def carry(
    client: httpx2.AsyncClient,
    request: httpx2.Request,
    *,
    auth: httpx2.Auth | None,
    seconds: float,
    write: bool,
    wanted: Callable[[], bool] = lambda: True,
    watch: Callable[[str], None] | None = None,
) -> httpx2.Response:
    """Send the request and return the response with its body unread; the caller closes the response.

    `wanted()` is evaluated when the first byte is about to leave. Raises NotSent if no byte left, SentUnknown if the
    request began to leave and no response came within `seconds`. `watch` is told of the library's trace events.
    """
    departure = Departure(client, wanted, watch)
    request.extensions["trace"] = departure
    # The library raises a plain RuntimeError for a closed client, which would look like a fault of ours.
    if client.is_closed:
        raise Closing()
    trouble: BaseException
    try:
        # The library's own timeouts hold for one step each, this one for all of them.
        async with asyncio.timeout(seconds):
            response = await client.send(request, auth=auth, stream=True)
    # The token and `Departure` raise it in here: it says already whether anything has left.
    except ApiError:
        raise
    except _TROUBLE as error:
        trouble = error
    else:
        if response.status_code != LOGIN_WANTED:
            return response
        await response.aclose()
        raise ProxyRefused(api_words.PROXY_WANTS_LOGIN)
    raise _trouble(request.url, departure, trouble, write=write)


def _trouble(url: httpx2.URL, departure: Departure, trouble: BaseException, *, write: bool) -> ApiError:
    place = place_of(url)
    if departure.began:
        return broke_off(place, trouble, write=write)
    status = proxy_status(trouble)
    if status == LOGIN_WANTED:
        return ProxyRefused(api_words.PROXY_WANTS_LOGIN)
    proxy = departure.proxy(url) if status is None else ""
    return NotSent(unreachable(api_words.proxy_at(proxy) if proxy else place, trouble))


async def pieces(response: httpx2.Response, *, silence: float, total: float) -> AsyncGenerator[bytes, None]:
    """The body, piece by piece. Waits at most `silence` seconds for a piece and `total` seconds for all of them.

    Only the waiting counts, not the caller's work between two pieces.
    """
    clock, waited = asyncio.get_running_loop().time, 0.0
    async with aclosing(response.aiter_bytes()) as body:
        while True:
            began, trouble = clock(), ""
            try:
                # The library's own timeout starts anew with each read of the socket, so a body that trickles in would
                # never end.
                async with asyncio.timeout(min(silence, total - waited)):
                    piece = await anext(body)
            except StopAsyncIteration:
                return
            except TimeoutError:
                trouble = api_words.CAME_TOO_SLOWLY
            except httpx2.DecodingError:
                trouble = api_words.BADLY_COMPRESSED
            except _TROUBLE:
                trouble = api_words.BROKE_OFF
            if trouble:
                raise BrokenReply(trouble, broke_off=True)
            waited += clock() - began
            yield piece


async def whole(response: httpx2.Response, *, cap: int, silence: float, total: float) -> bytes:
    """The body in one piece. Raises BrokenReply if it is longer than `cap` bytes or breaks off."""
    body = bytearray()
    async with aclosing(pieces(response, silence=silence, total=total)) as parts:
        async for part in parts:
            body += part
            if len(body) > cap:
                raise BrokenReply(api_words.answer_too_large(cap // 1024))
    return bytes(body)


async def beginning(response: httpx2.Response, *, silence: float, total: float) -> bytes:
    """The body of an error response, as far as it came. The status is the answer, so a broken body is no error."""
    body = bytearray()
    async with aclosing(pieces(response, silence=silence, total=total)) as parts:
        try:
            async for part in parts:
                body += part
                if len(body) >= ERROR_CAP:
                    break
        except BrokenReply:
            return bytes(body)
    return bytes(body[:ERROR_CAP])

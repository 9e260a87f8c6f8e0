"""Fetches the files of a place where a company hosts newer versions. Sends no token and no login but a proxy's.

Invariant: nothing is believed here. What comes is bounded in size and time; whoever asks for it checks signature and
digest. Redirections are followed, since a file server may keep its files elsewhere.
"""

import ssl
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager

import httpx2

from app.api import api_words
from app.api.addresses import is_loopback
from app.api.carry import carry, pieces, place_of, silence_library_logs, whole
from app.api.errors import ApiError, BadAddress, BrokenReply, NotFound, NotSent, ServerFault
from app.api.network import network_words as words
from app.api.network.connection_pool import mend_connection_pools
from app.api.network.proxy_login import ProxyLogin, routed
from app.api.network.transport import SYSTEM, Transport
from app.api.network.trust import trust_store
from app.version import VERSION

_CONNECT_S, _FIRST_S, _SILENCE_S, _LIST_S, _PACKAGE_S = 10.0, 30.0, 30.0, 60.0, 6 * 3600.0
# Redirections that are followed; two places that lead to each other end here.
_HOPS = 5
_WHOLE, _PART, _NO_SUCH_FILE, _NO_SUCH_PART, _SERVER_FAULT = 200, 206, 404, 416, 500


class UpdateSite:
    """The folder of the list at `address`; close it when done. Raises `BadAddress` or `NotSent`."""

    def __init__(self, address: str, transport: Transport, trust: ssl.SSLContext | None) -> None:
        transport.check()
        silence_library_logs()
        mend_connection_pools()
        self._list = _url(address)
        way = routed(
            transport, ProxyLogin(transport), verify=trust or trust_store(), limits=httpx2.Limits(max_connections=4)
        )
        if transport.proxy == SYSTEM and is_loopback(self._list.host):
            way |= {"trust_env": False}  # a proxy could not reach this computer itself
        try:
            self._client: httpx2.AsyncClient | None = httpx2.AsyncClient(
                **way,
                # Not compressed: a download that goes on in the middle counts the bytes of the file itself.
                headers={"User-Agent": f"Waybill/{VERSION}", "Accept-Encoding": "identity"},
                # Unlike the provider's clients: no token goes with these requests, and what is fetched is checked by
                # its signature.
                follow_redirects=True,
                max_redirects=_HOPS,
                timeout=httpx2.Timeout(_SILENCE_S, connect=_CONNECT_S),
            )
        except (ImportError, ValueError, httpx2.InvalidURL):
            self._client = None
        if self._client is None:
            raise NotSent(api_words.PROXY_UNUSABLE)

    async def aclose(self) -> None:
        """Close every connection."""
        if self._client is not None:
            await self._client.aclose()

    async def read_list(self, *, cap: int) -> bytes:
        """The list, at most `cap` bytes. Raises `ApiError`."""
        async with self._answer(self._list, {}) as response:
            if response.status_code != _WHOLE:
                raise _trouble(response)
            return await whole(response, cap=cap, silence=_SILENCE_S, total=_LIST_S)

    @asynccontextmanager
    async def open(self, name: str, begin: int) -> AsyncIterator[tuple[int, AsyncGenerator[bytes, None]]]:
        """A file beside the list, from byte `begin` on: where the pieces begin, and the pieces.

        They begin at 0 where the server gives the whole file, as one does that knows no parts or whose file is shorter.
        Raises `ApiError`, also between two pieces.
        """
        headers = {"Range": f"bytes={begin}-"} if begin else {}
        async with self._answer(self._list.join(name), headers) as response:
            first = _first(response, begin)
            if first is not None:
                async with aclosing(pieces(response, silence=_SILENCE_S, total=_PACKAGE_S)) as parts:
                    yield first, parts
                return
        # Out here the first answer is closed, so one request at a time is open.
        async with self.open(name, 0) as again:
            yield again

    @asynccontextmanager
    async def _answer(self, url: httpx2.URL, headers: dict[str, str]) -> AsyncIterator[httpx2.Response]:
        assert self._client is not None
        request = self._client.build_request("GET", url, headers=headers)
        response = await carry(self._client, request, auth=None, seconds=_FIRST_S, write=False)
        try:
            yield response
        finally:
            await response.aclose()


def _first(response: httpx2.Response, begin: int) -> int | None:
    """The first byte of what comes; None if it has to be asked for anew, from the start. Raises `ApiError`."""
    if response.status_code == _WHOLE:
        return 0
    if begin and response.status_code == _PART:
        said = response.headers.get("content-range", "")
        return begin if said.startswith(f"bytes {begin}-") else None
    if begin and response.status_code == _NO_SUCH_PART:
        return None
    raise _trouble(response)


def _trouble(response: httpx2.Response) -> ApiError:
    status = response.status_code
    sentence = words.file_not_given(place_of(response.request.url), status)
    if status >= _SERVER_FAULT:
        return ServerFault(sentence, status)
    return NotFound(sentence) if status == _NO_SUCH_FILE else BrokenReply(sentence)


def _url(address: str) -> httpx2.URL:
    try:
        return httpx2.URL(address)
    except (httpx2.InvalidURL, ValueError):
        pass
    raise BadAddress(api_words.ADDRESS_UNREADABLE)

"""HTTP clients through a proxy, and the memory of what the proxy said to its login.

Invariant: a proxy that has refused a login is not shown it again for `REST_S` seconds, unless a person asks. Accounts
are locked after a few wrong passwords, and Waybill fetches all day. Until the proxy has taken the login once, calls go
one at a time, so that a burst shows a wrong password once and not twenty times.
"""

import asyncio
import ssl
import time
from collections.abc import Callable
from typing import Any

import httpx2

from app.api import api_words
from app.api.answers import proxy_status
from app.api.carry import LOGIN_WANTED
from app.api.errors import ProxyRefused
from app.api.network import network_words as words
from app.api.network.transport import DIRECT, Transport

REST_S = 600.0


class ProxyLogin:
    """The last answers of one connection's proxy to its login."""

    def __init__(self, transport: Transport, clock: Callable[[], float] = time.monotonic) -> None:
        self._has_login = bool(transport.proxy_user)
        self._clock = clock
        self._refused_until = 0.0
        self.accepted = not self._has_login
        self.turn = asyncio.Lock()

    def check(self) -> None:
        """Raise ProxyRefused while the proxy is left alone."""
        if self._has_login and self._clock() < self._refused_until:
            raise ProxyRefused(words.PROXY_REFUSES_LOGIN)

    def refused(self) -> ProxyRefused:
        """The proxy answered 407: the error to raise."""
        if not self._has_login:
            return ProxyRefused(api_words.PROXY_WANTS_LOGIN)
        self._refused_until = self._clock() + REST_S
        self.accepted = False
        return ProxyRefused(words.PROXY_REFUSES_LOGIN)

    def ask_once_more(self) -> None:
        """A person asks: the proxy may be shown the login once more."""
        self._refused_until = 0.0


class ThroughProxy(httpx2.AsyncBaseTransport):
    """Carries requests through `inner`, and raises ProxyRefused where the proxy asks for a login."""

    def __init__(self, inner: httpx2.AsyncBaseTransport, login: ProxyLogin) -> None:
        self._inner, self._login = inner, login

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request. Raises ProxyRefused while the proxy is left alone, and where it asks for a login."""
        self._login.check()
        if self._login.accepted:
            return await self._carry(request)
        async with self._login.turn:
            # Again: the call that had the turn before may have been refused.
            self._login.check()
            return await self._carry(request)

    async def _carry(self, request: httpx2.Request) -> httpx2.Response:
        response, refused = None, False
        try:
            response = await self._inner.handle_async_request(request)
            refused = response.status_code == LOGIN_WANTED
        except httpx2.ProxyError as error:
            refused = proxy_status(error) == LOGIN_WANTED
            if not refused:
                raise
        # Raised out here, because the error of the library holds the request with its token.
        if refused:
            if response is not None:
                await response.aclose()
            raise self._login.refused()
        assert response is not None
        self._login.accepted = True
        return response

    async def aclose(self) -> None:
        """Close the connections of `inner`."""
        await self._inner.aclose()


def routed(transport: Transport, login: ProxyLogin, *, verify: ssl.SSLContext, limits: httpx2.Limits) -> dict[str, Any]:
    """The arguments that make an `AsyncClient` travel as `transport` says."""
    address = transport.own_proxy
    if not address:
        return {"verify": verify, "limits": limits, "trust_env": transport.proxy != DIRECT}
    proxy = httpx2.Proxy(
        address,
        auth=(transport.proxy_user, transport.proxy_password) if transport.proxy_user else None,
        ssl_context=verify if address.startswith("https:") else None,
    )
    inner = httpx2.AsyncHTTPTransport(proxy=proxy, trust_env=False, verify=verify, limits=limits)
    return {"transport": ThroughProxy(inner, login), "trust_env": False}

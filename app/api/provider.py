"""Opens and closes everything that is needed to call one provider.

One client per origin, one TLS context per process for the operating system's trust store and one per connection that
trusts a file as well, HTTP/1.1, no redirections followed. The system's proxies are heeded except on the way to this
computer itself; a proxy that the connection names carries every call. Costly to import and to open: done after the
window has been painted.
"""

import asyncio
import ssl
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

import httpx2

from app.api import api_words
from app.api.addresses import Addresses, Credentials, is_loopback
from app.api.answers import http_date
from app.api.auth import ProviderAuth
from app.api.carry import Origin, origin_of, silence_library_logs
from app.api.errors import BadAddress, NotSent
from app.api.information_service import Information
from app.api.links import Links
from app.api.management_service import Management
from app.api.network.connection_pool import mend_connection_pools
from app.api.network.proxy_login import ProxyLogin, routed
from app.api.network.transport import SYSTEM, Transport
from app.api.network.trust import no_trust, trust_store
from app.api.raw_call import RawCalls
from app.api.wire import Deadlines, Line, Wire
from app.contract.codes import ALL_SCOPES
from app.version import VERSION

__all__ = ["Addresses", "Credentials", "Deadlines", "Provider", "Transport", "open_provider", "trust_store"]

CONNECTIONS = 24  # calls of one kind, read or write, that are under way to one origin at a time
_KEPT_ALIVE = 4.0  # seconds; common servers close idle connections after 5, and a write must not meet that moment
_DIRECT = ("all://localhost", "all://127.0.0.0/8", "all://[::1]")
_AGENT = f"Waybill/{VERSION}"


class HeardClock:
    """How far this computer's clock is from the provider's, as the Date of its answers says.

    A Date counts whole seconds and was written some time before it came, so the difference is right within two seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._heard: tuple[str, float] | None = None

    async def hear(self, response: httpx2.Response) -> None:
        """The library's hook for each answer: keeps its Date, and reads it only when somebody asks."""
        said = response.headers.get("date")
        if said is not None and "age" not in response.headers:  # an answer with an Age was kept by somebody between
            self._heard = said, self._clock()

    @property
    def difference(self) -> float | None:
        """Seconds that this computer's clock is ahead of the provider's; None while no answer has said the time."""
        if self._heard is None:
            return None
        said, at = self._heard
        moment = http_date(said)
        # A Date is cut to whole seconds, so on average it is half a second behind.
        return None if moment is None else at - moment.timestamp() - 0.5


class Provider:
    """A provider's two services and the token for them; close it when done. `clock` is what its answers say of the
    time."""

    def __init__(
        self, management: Management, information: Information, raw: RawCalls, auth: ProviderAuth, lines: "_Lines"
    ) -> None:
        self.management = management
        self.information = information
        self.raw = raw
        self.auth = auth
        self.clock = lines.clock
        self._lines = lines

    def ask_once_more(self) -> None:
        """Let the next call ask once more where a token or proxy login was refused lately: a person asks."""
        self.auth.ask_once_more()
        self._lines.login.ask_once_more()

    async def aclose(self) -> None:
        """Give up the token and close every connection."""
        await self.auth.aclose()
        await self._lines.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


def open_provider(
    addresses: Addresses,
    credentials: Credentials,
    *,
    scopes: tuple[str, ...] = ALL_SCOPES,
    deadlines: Deadlines | None = None,
    connections: int = CONNECTIONS,
    transport: Transport | None = None,
    trust: ssl.SSLContext | None = None,
) -> Provider:
    """Everything for calling one provider; sends nothing yet. Raises BadAddress, or NotSent for an unusable proxy.

    `trust` is what `network.trust.trust_with` made of the transport's file of authorities, which takes the disk's time.
    """
    way = transport or Transport()
    addresses.check()
    way.check()
    silence_library_logs()
    mend_connection_pools()
    limits = deadlines or Deadlines()
    lines = _Lines(limits, connections, way, trust)
    management = _url(addresses.management_root, "base_url")
    information = _url(addresses.information_root, "info_base_url")
    token = _url(addresses.token_url, "auth_url")
    own = frozenset({origin_of(management), origin_of(information)})
    auth = ProviderAuth(
        # A token is asked for so seldom that the connection of the last time would be closed by the other side.
        lines.client_for(token, keep_alive=False),
        addresses.token_url,
        credentials,
        own,
        scopes=scopes,
        seconds=limits.token,
        further_secrets=way.secrets,
    )
    wires = [
        Wire(str(url).rstrip("/"), lines.own(url), auth, limits, replies=way.replies)
        for url in (management, information)
    ]
    links = Links(wires[1].root, lines.by_origin, lines.foreign, auth, limits)
    raw = RawCalls(wires[0], wires[1], auth)
    return Provider(Management(wires[0]), Information(wires[1], links), raw, auth, lines)


class _Lines:
    """The clients of one provider: one per origin of its own, one without a token for all others."""

    def __init__(self, limits: Deadlines, connections: int, transport: Transport, trust: ssl.SSLContext | None) -> None:
        self._limits = limits
        self._connections = connections
        self._transport = transport
        self._trust = trust
        self._clients: list[httpx2.AsyncClient] = []
        self._foreign: Line | None = None
        self.login = ProxyLogin(transport)
        self.clock = HeardClock()
        self.by_origin: dict[Origin, Line] = {}

    def own(self, url: httpx2.URL) -> Line:
        origin = origin_of(url)
        if origin not in self.by_origin:
            self.by_origin[origin] = self._line(self.client_for(url))
        return self.by_origin[origin]

    def foreign(self) -> Line:
        if self._foreign is None:
            self._foreign = self._line(self.client_for(None))
        return self._foreign

    def client_for(self, url: httpx2.URL | None, *, keep_alive: bool = True) -> httpx2.AsyncClient:
        """A client for one origin, or for any (None)."""
        limits = self._limits
        try:
            client = httpx2.AsyncClient(
                **self._way_to(url, keep_alive=keep_alive),
                headers={"User-Agent": _AGENT},
                follow_redirects=False,
                timeout=httpx2.Timeout(limits.silence, connect=limits.connect, pool=None),
                event_hooks={"response": [self.clock.hear]},
            )
        except (ImportError, ValueError, httpx2.InvalidURL):
            client = None
        if client is None:
            raise NotSent(api_words.PROXY_UNUSABLE)
        self._clients.append(client)
        return client

    def _way_to(self, url: httpx2.URL | None, *, keep_alive: bool) -> dict[str, Any]:
        """The part of a client's arguments that says how its calls travel."""
        own_proxy = self._transport.own_proxy
        # To load the system's authorities takes some hundredths of a second, and the library does it for each client by
        # itself.
        secure = url is None or url.scheme == "https" or own_proxy.startswith("https:")
        trust = (self._trust or trust_store()) if secure else no_trust()
        way = routed(
            self._transport,
            self.login,
            verify=trust,
            # The semaphores of `Line` bound the calls. A bound here would let calls wait inside the library, where the
            # deadline runs.
            limits=httpx2.Limits(
                max_connections=None,
                max_keepalive_connections=2 * self._connections if keep_alive else 0,
                keepalive_expiry=_KEPT_ALIVE,
            ),
        )
        if self._transport.proxy == SYSTEM:
            # A proxy could not reach this computer's own practice service, so none is asked on the way there.
            direct = url is not None and is_loopback(url.host)
            way |= {"trust_env": not direct, "mounts": None if direct else dict.fromkeys(_DIRECT)}
        return way

    def _line(self, client: httpx2.AsyncClient) -> Line:
        return Line(client, asyncio.Semaphore(self._connections), asyncio.Semaphore(self._connections))

    async def aclose(self) -> None:
        for client in self._clients:
            await client.aclose()


def _url(text: str, name: str) -> httpx2.URL:
    try:
        return httpx2.URL(text)
    except (httpx2.InvalidURL, ValueError):
        pass
    raise BadAddress(f"“{text}” is not an address that can be used.", name)

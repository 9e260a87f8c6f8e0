"""Walks the way to an address leg by leg, as every call goes it: name, connection, proxy, TLS. Sends no request.

Each leg says where it led, how long it took, and what is wrong and what to do where it fails; the legs behind one that
failed were not walked (`seconds` is None). A proxy that refuses a login is shown it once.
"""

import asyncio
import base64
import re
import socket
import ssl
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, TypeVar
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

import httpcore2

from app.api import api_words
from app.api.addresses import is_loopback
from app.api.answers import causes_of
from app.api.network import network_words as words
from app.api.network.transport import DIRECT, Transport
from app.api.network.trust import name_in, trust_store

LegKind = Literal["name", "connection", "proxy", "tls"]
_PATIENCE = 10.0  # seconds for each leg
# Bytes: what answers may be no proxy, and send without an end.
_HEAD_CAP = 64 * 1024
_STATUS = re.compile(rb"HTTP/1\.[01] ([1-5][0-9]{2})\b")
_LOGIN_WANTED = 407
_PORTS = {"http": 80, "https": 443}
_TROUBLE = (
    OSError,
    ValueError,
    httpcore2.NetworkError,
    httpcore2.TimeoutException,
    httpcore2.ProtocolError,
    TimeoutError,
)
_EXPIRED, _NOT_YET, _OTHER_NAME = (10, 9, (62, 64))  # codes of OpenSSL's verification

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Leg:
    """One stretch of the way: `place` is what it leads to, `seconds` what it took (None: not walked), `facts` what was
    found there, `trouble` the sentence where it failed."""

    kind: LegKind
    place: str
    seconds: float | None = None
    facts: str = ""
    trouble: str = ""


class _Blocked(Exception):
    """A leg failed; the sentence is in `args`."""


@dataclass(frozen=True, slots=True)
class _Proxy:
    host: str
    port: int
    secure: bool
    login: str

    @property
    def place(self) -> str:
        return f"{self.host}:{self.port}"


class Walk:
    """The legs to several addresses of one connection. What the proxy said to the login is remembered between them."""

    def __init__(self, transport: Transport, trust: ssl.SSLContext | None, *, patience: float = _PATIENCE) -> None:
        self._transport = transport
        self._trust = trust
        self._patience = patience
        self._refused = ""  # the sentence, once the proxy has refused its login
        self._turn = asyncio.Lock()

    @property
    def proxy_refused(self) -> bool:
        """Whether the proxy asked for a login, or did not accept the one it was shown."""
        return bool(self._refused)

    async def to(self, address: str) -> list[Leg]:
        """The legs to an http(s) address that was checked."""
        parts = urlsplit(address.strip())
        host, secure = parts.hostname or "", parts.scheme.lower() == "https"
        port = parts.port or _PORTS[parts.scheme.lower()]
        proxy = self._proxy_for(parts)
        legs: list[Leg] = []
        if proxy is None:
            await self._direct(legs, host, port, secure=secure)
        else:
            # One address at a time: the first one learns that the proxy refuses the login, and the others do not show
            # it again.
            async with self._turn:
                await self._through(legs, proxy, host, port, secure=secure)
        return legs

    def _proxy_for(self, parts: SplitResult) -> _Proxy | None:
        own = self._transport.own_proxy
        if own:
            login = f"{self._transport.proxy_user}:{self._transport.proxy_password}"
            return _proxy_at(own, login if self._transport.proxy_user else "")
        host = parts.hostname or ""
        if self._transport.proxy == DIRECT or is_loopback(host) or proxy_bypass(host):
            return None
        proxies = getproxies()
        address = proxies.get(parts.scheme.lower()) or proxies.get("all") or ""
        return _proxy_at(address, "") if address else None

    async def _direct(self, legs: list[Leg], host: str, port: int, *, secure: bool) -> None:
        plan: list[tuple[LegKind, str]] = [("name", host), ("connection", f"{host}:{port}")]
        plan += [("tls", host)] if secure else []
        async with _closing() as lines:
            await self._walk(legs, plan, {
                "name": lambda: _found(host, port),
                "connection": lambda: self._connect(lines, host, port),
                "tls": lambda: self._agree(lines, host),
            })  # fmt: skip

    async def _through(self, legs: list[Leg], proxy: _Proxy, host: str, port: int, *, secure: bool) -> None:
        plan: list[tuple[LegKind, str]] = [("name", proxy.host), ("connection", proxy.place)]
        plan += [("proxy", f"{host}:{port}"), ("tls", host)] if secure else []
        async with _closing() as lines:
            await self._walk(legs, plan, {
                "name": lambda: _found(proxy.host, proxy.port),
                "connection": lambda: self._connect(lines, proxy.host, proxy.port, secure=proxy.secure),
                "proxy": lambda: self._tunnel(lines, proxy, host, port),
                "tls": lambda: self._agree(lines, host),
            })  # fmt: skip

    async def _walk(
        self, legs: list[Leg], plan: list[tuple[LegKind, str]], steps: dict[LegKind, Callable[[], Awaitable[str]]]
    ) -> None:
        blocked = False
        for kind, place in plan:
            if blocked:
                legs.append(Leg(kind, place))
                continue
            began, facts, trouble = time.perf_counter(), "", ""
            try:
                async with asyncio.timeout(self._patience):
                    facts = await steps[kind]()
            except _Blocked as error:
                trouble = str(error)
            except _TROUBLE as error:
                trouble = advice(kind, error)
            legs.append(Leg(kind, place, time.perf_counter() - began, facts, trouble))
            blocked = bool(trouble)

    async def _connect(self, lines: list[Any], host: str, port: int, *, secure: bool = False) -> str:
        lines.append(await httpcore2.AnyIOBackend().connect_tcp(host, port, timeout=self._patience))
        if secure:
            await self._agree(lines, host)
        return ""

    async def _agree(self, lines: list[Any], host: str) -> str:
        """Agree on TLS; what was agreed on."""
        context = self._trust or trust_store()
        line = await lines[-1].start_tls(context, server_hostname=host, timeout=self._patience)
        lines.append(line)
        return _tls_facts(line.get_extra_info("ssl_object"))

    async def _tunnel(self, lines: list[Any], proxy: _Proxy, host: str, port: int) -> str:
        if self._refused:
            raise _Blocked(self._refused)
        place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        fields = [f"CONNECT {place} HTTP/1.1", f"Host: {place}"]
        if proxy.login:
            fields.append(f"Proxy-Authorization: Basic {base64.b64encode(proxy.login.encode()).decode()}")
        await lines[-1].write("\r\n".join([*fields, "", ""]).encode(), timeout=self._patience)
        status = await self._status(lines[-1], proxy)
        if status == _LOGIN_WANTED:
            self._refused = words.PROXY_REFUSES_LOGIN if proxy.login else api_words.PROXY_WANTS_LOGIN
            raise _Blocked(self._refused)
        if not 200 <= status < 300:
            raise _Blocked((api_words.proxy_forbids if status < 500 else api_words.proxy_fails)(place, status))
        return ""

    async def _status(self, line: Any, proxy: _Proxy) -> int:
        head = b""
        while b"\r\n\r\n" not in head and len(head) < _HEAD_CAP:
            piece = await line.read(_HEAD_CAP, timeout=self._patience)
            if not piece:
                break
            head += piece
        found = _STATUS.match(head)
        if found is None:
            raise _Blocked(words.no_proxy(proxy.place))
        return int(found[1])


@asynccontextmanager
async def _closing() -> AsyncGenerator[list[Any], None]:
    """The lines that were opened, each around the one before; closed from the outermost on."""
    lines: list[Any] = []
    try:
        yield lines
    finally:
        for line in reversed(lines):
            try:
                # TLS waits for the other side's farewell, which one that has gone never sends.
                async with asyncio.timeout(1.0):
                    await line.aclose()
            except _TROUBLE:
                continue  # the other side has gone


async def _found(host: str, port: int) -> str:
    """The addresses of a name."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
    return ", ".join(addresses[:2]) if addresses != [host] else ""


def _proxy_at(address: str, login: str) -> _Proxy:
    parts = urlsplit(address if "://" in address else f"http://{address}")
    if not login and parts.username:
        login = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    secure = parts.scheme.lower() == "https"
    return _Proxy(parts.hostname or "", parts.port or (443 if secure else 80), secure, login)


def _tls_facts(agreed: ssl.SSLObject | None) -> str:
    certificate = agreed.getpeercert() if agreed is not None else None
    if agreed is None or not certificate:
        return ""
    until = datetime.fromtimestamp(ssl.cert_time_to_seconds(str(certificate["notAfter"])), UTC)
    return words.tls_facts(agreed.version() or "TLS", name_in(certificate.get("issuer")), f"{until:%d %b %Y}")


def advice(kind: LegKind, error: BaseException) -> str:
    """The fault of a leg as a sentence, and the advice for it."""
    causes = list(causes_of(error))
    for cause in causes:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return _certificate_advice(cause.verify_code)
        if isinstance(cause, socket.gaierror):
            return words.UNKNOWN_NAME
        if isinstance(cause, ConnectionRefusedError):
            return words.NOTHING_LISTENS
    if any(isinstance(each, TimeoutError | httpcore2.TimeoutException) for each in causes):
        return words.NO_CONNECTION_IN_TIME
    if kind == "tls" or any(isinstance(each, ssl.SSLError) for each in causes):
        return words.NO_TLS
    why = next((each.strerror for each in causes if isinstance(each, OSError) and each.strerror), "")
    return words.broke_off(why) if why else words.BROKEN_OFF


def _certificate_advice(code: int) -> str:
    if code == _EXPIRED:
        return words.EXPIRED
    if code == _NOT_YET:
        return words.NOT_YET_VALID
    return words.OTHER_NAME if code in _OTHER_NAME else words.UNKNOWN_AUTHORITY

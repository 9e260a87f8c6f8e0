"""Calls through a proxy: with a login, through a tunnel or forwarded; what it refuses is said, and never tried on."""

import asyncio
import base64
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.api.errors import ApiError, BadAddress, NoToken, NotSent, ProxyRefused
from app.api.network.transport import DIRECT, Transport, check_proxy, check_proxy_user, with_scheme
from app.api.network.trust import trust_with
from app.api.provider import Addresses
from app.api.raw_call import RawRequest
from tests.api.conftest import Open, order
from tests.support.certificates import Paper, authority, vouched
from tests.support.connect_proxy import ConnectProxy, start_connect_proxy
from tests.support.fault_server import INFORMATION, MANAGEMENT, TOKEN, FaultServer, start_fault_server
from tests.support.faults import json_answer

USER, PASSWORD = "desk", "canary pass wörd:1"
HOST = "orders.provider.test"


@pytest.fixture
def acme() -> Paper:
    return authority()


@pytest.fixture
def secure_server(acme: Paper, tmp_path: Path) -> Iterator[FaultServer]:
    with start_fault_server(tls=vouched(acme, HOST, "127.0.0.1").server_context(tmp_path)) as server:
        yield server


@pytest.fixture
def proxy() -> Iterator[ConnectProxy]:
    with start_connect_proxy(f"{USER}:{PASSWORD}") as made:
        yield made


@pytest.fixture
def acme_file(acme: Paper, tmp_path: Path) -> Path:
    file = tmp_path / "acme.pem"
    file.write_bytes(b"# Remarks in f\xfcnf W\xf6rtern\n" + acme.pem)
    return file


def through(proxy: ConnectProxy, user: str = USER, password: str = PASSWORD, **rest: str) -> Transport:
    return Transport(proxy.address, user, password, **rest)  # type: ignore[arg-type]


def by_name(server: FaultServer, proxy: ConnectProxy) -> Addresses:
    """The server under a name that only the proxy knows."""
    proxy.names = {HOST: ("127.0.0.1", server.port)}
    root = f"https://{HOST}"
    return Addresses(root, root + INFORMATION, root)


@pytest.mark.asyncio
async def test_an_order_goes_through_a_proxy_with_a_login_to_a_private_authority(
    secure_server: FaultServer, proxy: ConnectProxy, acme_file: Path, open_on: Open
) -> None:
    settings = {"transport": through(proxy, authorities=str(acme_file)), "trust": await trust_with(str(acme_file))}
    async with open_on(secure_server, addresses=by_name(secure_server, proxy), **settings) as provider:
        await provider.management.submit_order(order("R-1"))
        assert abs(provider.clock.difference or 0) < 3 or provider.clock.difference is None
    assert len(secure_server.book.all("R-1")) == 1
    assert {(each.method, each.place, each.login) for each in proxy.asked()} == {
        ("CONNECT", f"{HOST}:443", f"{USER}:{PASSWORD}")
    }
    assert all("proxy-authorization" not in {name.lower() for name in each.headers} for each in secure_server.seen())


@pytest.mark.asyncio
async def test_a_request_without_tls_is_forwarded(
    fault_server: FaultServer, proxy: ConnectProxy, open_on: Open
) -> None:
    """Also to this computer itself: a proxy that the connection names carries every call."""
    async with open_on(fault_server, transport=through(proxy)) as provider:
        await provider.management.submit_order(order("R-1"))
    assert len(fault_server.book.all("R-1")) == 1
    assert [each.method for each in proxy.asked()] == ["POST", "POST"]
    assert all("proxy-authorization" not in {name.lower() for name in each.headers} for each in fault_server.seen())


@pytest.mark.asyncio
@pytest.mark.parametrize("tls", [True, False], ids=["tunnel", "forwarded"])
@pytest.mark.parametrize(
    ("user", "words"),
    [(USER, "does not accept its user and password"), ("", "asks for a login")],
    ids=["wrong", "none"],
)
async def test_a_refused_login_is_said_and_nothing_is_sent(
    fault_server: FaultServer, secure_server: FaultServer, proxy: ConnectProxy, open_on: Open,
    user: str, words: str, tls: bool,
) -> None:  # fmt: skip
    server = secure_server if tls else fault_server
    async with open_on(server, transport=through(proxy, user, "wrong")) as provider:
        with pytest.raises(NoToken, match=words) as caught:
            await provider.management.submit_order(order("R-1"))
        assert isinstance(caught.value.reason, ProxyRefused)
        assert "wrong" not in caught.value.sentence.split("password")[-1]
    assert server.seen() == []


@pytest.mark.asyncio
async def test_a_wrong_login_is_shown_once_however_many_calls_there_are(
    secure_server: FaultServer, proxy: ConnectProxy, open_on: Open
) -> None:
    """Twenty would lock the account of whoever works here."""
    async with open_on(secure_server, transport=through(proxy, password="wrong")) as provider:

        async def call(at: int) -> ApiError | None:
            try:
                await provider.management.order_status(reference=f"R-{at}")
            except ApiError as error:
                return error
            return None

        assert all(isinstance(each, NoToken) for each in await asyncio.gather(*(call(at) for at in range(20))))
        assert len(proxy.asked()) == 1
        provider.ask_once_more()
        await call(21)
        assert len(proxy.asked()) == 2, "a person asked"
        proxy.login = f"{USER}:wrong"
        await call(22)
        assert len(proxy.asked()) == 2


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("status", "words"),
    [(403, "does not let this computer reach"), (502, "could not reach"), (504, "could not reach")],
)
async def test_what_a_proxy_refuses_names_the_place(
    secure_server: FaultServer, proxy: ConnectProxy, open_on: Open, status: int, words: str
) -> None:
    proxy.refuses = status
    async with open_on(secure_server, transport=through(proxy)) as provider:
        with pytest.raises(NoToken) as caught:
            await provider.management.submit_order(order("R-1"))
    assert f"The proxy {words} https://127.0.0.1:{secure_server.port} ({status})" in caught.value.sentence


@pytest.mark.asyncio
async def test_a_proxy_that_is_not_there_is_named(fault_server: FaultServer, open_on: Open) -> None:
    async with open_on(fault_server, transport=Transport("127.0.0.1:9")) as provider:
        with pytest.raises(NotSent, match=r"The proxy 127\.0\.0\.1:9 could not be reached: nothing listens"):
            await provider.management.submit_order(order("R-1"))


@pytest.mark.asyncio
async def test_the_proxy_of_the_computer_is_left_where_the_connection_says_so(
    fault_server: FaultServer, connect_proxy: ConnectProxy, open_on: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", connect_proxy.address)
    monkeypatch.delenv("no_proxy", raising=False)
    connect_proxy.names = {HOST: ("127.0.0.1", fault_server.port)}
    addresses = Addresses(f"http://{HOST}", f"http://{HOST}{INFORMATION}", f"http://{HOST}")
    async with open_on(fault_server, addresses=addresses) as provider:
        await provider.management.order_status(reference="R-1")
    assert len(connect_proxy.asked()) == 2
    async with open_on(fault_server, addresses=addresses, transport=Transport(DIRECT)) as provider:
        with pytest.raises(NotSent, match="the name is not known"):
            await provider.management.order_status(reference="R-1")
    assert len(connect_proxy.asked()) == 2


@pytest.mark.asyncio
async def test_the_computers_own_proxy_that_wants_a_login_is_said_too(
    fault_server: FaultServer, proxy: ConnectProxy, open_on: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", proxy.address)
    monkeypatch.delenv("no_proxy", raising=False)
    addresses = Addresses(f"http://{HOST}", f"http://{HOST}{INFORMATION}", f"http://{HOST}")
    async with open_on(fault_server, addresses=addresses) as provider:
        with pytest.raises(NoToken, match="Enter its address, user and password"):
            await provider.management.order_status(reference="R-1")
    assert len(proxy.asked()) == 1


@pytest.mark.asyncio
async def test_calls_that_are_given_up_on_the_way_through_a_proxy_leave_it_usable(
    secure_server: FaultServer, proxy: ConnectProxy, acme_file: Path, open_on: Open
) -> None:
    settings = {"transport": through(proxy, authorities=str(acme_file)), "trust": await trust_with(str(acme_file))}
    async with open_on(secure_server, **settings) as provider:
        for at in range(30):
            call = asyncio.create_task(provider.management.order_status(reference=f"R-{at}"))
            await asyncio.sleep(at / 5_000)
            call.cancel()
            await asyncio.wait({call})
        await provider.management.submit_order(order("R-1"))
    assert len(secure_server.book.all("R-1")) == 1


@pytest.mark.asyncio
async def test_an_authority_of_a_file_is_believed_besides_those_of_the_computer(
    secure_server: FaultServer, acme: Paper, acme_file: Path, open_on: Open, tmp_path: Path
) -> None:
    with pytest.raises(NotSent, match="certificate is not trusted"):
        async with open_on(secure_server) as provider:
            await provider.management.submit_order(order("R-1"))
    binary = tmp_path / "acme.cer"
    binary.write_bytes(acme.der)
    for file in (acme_file, binary):
        trust = await trust_with(str(file))
        assert trust is not None
        assert trust.verify_mode is ssl.CERT_REQUIRED
        assert trust.check_hostname
        async with open_on(secure_server, trust=trust) as provider:
            await provider.management.order_status(reference="R-1")
    assert len(secure_server.seen(TOKEN)) == 2


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "cannot be read: No such file"), (b"", "holds no certificate"), (b"hello", "no certificate")],
)
async def test_a_file_without_authorities_is_said(tmp_path: Path, content: bytes | None, words: str) -> None:
    file = tmp_path / "a.pem"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(BadAddress, match=words) as caught:
        await trust_with(str(file))
    assert caught.value.field == "authorities"


@pytest.mark.asyncio
async def test_a_private_authority_vouches_for_no_other_name(
    secure_server: FaultServer, acme_file: Path, open_on: Open
) -> None:
    root = f"https://localhost:{secure_server.port}"
    addresses = Addresses(root, root + INFORMATION, root)
    async with open_on(secure_server, addresses=addresses, trust=await trust_with(str(acme_file))) as provider:
        with pytest.raises(NotSent, match="certificate is not trusted"):
            await provider.management.submit_order(order("R-1"))


@pytest.mark.parametrize(
    "address", ["http://p.example:8080", "p.example:8080", "https://p.example", "[::1]:3128", " p "]
)
def test_addresses_of_proxies(address: str) -> None:
    check_proxy(address)
    assert Transport(address).own_proxy == with_scheme(address)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("socks5://p.example:1080", "not SOCKS"),
        ("http://user:canary@p.example", "its own two fields"),
        ("http://p.example/proxy.pac", "ends after the port"),
        ("ftp://p.example", "such as http"),
        ("http://", "such as http"),
        ("p example:80", "such as http"),
        ("p.example:port", "such as http"),
        ("http://p\r\nX: 1", "such as http"),
    ],
)
def test_what_is_no_address_of_a_proxy(address: str, words: str) -> None:
    with pytest.raises(BadAddress, match=words) as caught:
        check_proxy(address)
    assert "canary" not in caught.value.sentence


def test_a_user_name_holds_no_colon() -> None:
    with pytest.raises(BadAddress, match="colon"):
        check_proxy_user("a:b")


def test_the_password_of_the_proxy_is_in_no_representation() -> None:
    assert "canary" not in repr(Transport("p.example", "u", "canary"))


@pytest.mark.asyncio
async def test_an_answer_by_hand_shows_neither_the_password_of_the_proxy_nor_a_secret_in_words_of_a_refusal(
    fault_server: FaultServer, proxy: ConnectProxy, open_on: Open
) -> None:
    secret = fault_server.tokens.client_secret
    login = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
    said = {"title": f"No {secret} for {PASSWORD}", "proxy": f"Basic {login}"}
    fault_server.serve(MANAGEMENT + "/Facilities", json_answer(said, 400))
    async with open_on(fault_server, transport=through(proxy)) as provider:
        answer = await provider.raw.call(RawRequest("management", "GET", "/Facilities"))
        assert provider.raw.reveals(f"see {PASSWORD}")
        assert provider.raw.reveals(login)
    assert answer.status == 400
    assert "No ‹left out›" in answer.sentence
    whole = f"{answer.body!r} {answer.headers} {answer.sentence} {answer.reason}"
    assert [each for each in (secret, PASSWORD, login) if each in whole] == []

"""A test of a connection names the leg that fails: name, connection, proxy, TLS, token, scope, service, clock."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
import pytest_asyncio

from app.api.addresses import Addresses, Credentials
from app.api.network.transport import DIRECT, Transport
from app.api.network.way import Walk
from app.desk.connections.connection import CapabilityCard, examine
from app.desk.connections.legs import CardLeg
from tests.support.certificates import DAY, Paper, authority, vouched
from tests.support.connect_proxy import ConnectProxy, start_connect_proxy
from tests.support.fault_server import INFORMATION, MANAGEMENT, TOKEN, Answer, FaultServer, start_fault_server
from tests.support.faults import answered, json_answer

pytestmark = pytest.mark.asyncio
PASSWORD = "canary-password"
LOGIN = f"desk:{PASSWORD}"
KINDS = ("name", "connection", "proxy", "tls", "token", "scope", "service", "clock")


def now() -> datetime:
    return datetime(2026, 11, 20, 14, 2)


def serve(server: FaultServer) -> FaultServer:
    for path in ("/Order/test", "/Quote/test"):
        server.serve(f"{MANAGEMENT}{path}", Answer())
    server.serve(f"{MANAGEMENT}/Integration/crossReference", json_answer([]))
    server.serve(f"{INFORMATION}/audit", json_answer([]))
    return server


@pytest.fixture
def acme() -> Paper:
    return authority()


@pytest.fixture
def acme_file(acme: Paper, tmp_path: Path) -> str:
    file = tmp_path / "acme.pem"
    file.write_bytes(acme.pem)
    return str(file)


@pytest.fixture
def secure_server(acme: Paper, tmp_path: Path) -> Iterator[FaultServer]:
    with start_fault_server(tls=vouched(acme, "127.0.0.1").server_context(tmp_path)) as server:
        yield serve(server)


@pytest.fixture
def server(fault_server: FaultServer) -> FaultServer:
    return serve(fault_server)


@pytest.fixture
def proxy() -> Iterator[ConnectProxy]:
    with start_connect_proxy(LOGIN) as made:
        yield made


def through(proxy: ConnectProxy, authorities: str = "", password: str = PASSWORD) -> Transport:
    return Transport(proxy.address, "desk", password, authorities)


async def card_of(server: FaultServer, transport: Transport | None = None, **changed: str) -> CapabilityCard:
    secret = changed.pop("secret", server.tokens.client_secret)
    addresses = Addresses(**{**server.addresses, **changed})
    return await examine(addresses, Credentials(server.tokens.client_id, secret), now, transport)


def legs(card: CapabilityCard) -> list[tuple[str, bool]]:
    """Each kind of leg in order, and whether it holds; the services are two."""
    return [(each.kind, each.holds) for each in card.legs]


def failed(card: CapabilityCard) -> CardLeg:
    assert card.failed is not None
    return card.failed


async def test_every_leg_of_a_good_way_has_its_time(
    secure_server: FaultServer, proxy: ConnectProxy, acme_file: str
) -> None:
    secure_server.plan(answered(json_answer([], date=_date(0))), "/audit", times=None)
    card = await card_of(secure_server, through(proxy, acme_file))
    assert card.works
    assert [each.kind for each in card.legs] == [*KINDS[:7], "service", "clock"]
    assert all(each.holds for each in card.legs)
    assert all(
        each.seconds is not None and each.seconds > 0 for each in card.legs if each.kind not in ("scope", "clock")
    )
    facts = {each.kind: each.facts for each in card.legs}
    assert facts["tls"].startswith("TLSv1.3, certificate by Acme Private Authority until ")
    assert facts["scope"] == "5 of 5 granted"
    assert facts["token"] == "lasts 3,600 seconds"
    assert facts["clock"] == "agrees with the provider's"
    assert {each.place for each in card.legs if each.kind == "proxy"} == {f"127.0.0.1:{secure_server.port}"}


async def test_a_way_without_proxy_and_tls_has_no_such_legs(server: FaultServer) -> None:
    card = await card_of(server)
    assert legs(card)[:3] == [("name", True), ("connection", True), ("token", True)]


async def test_the_name_is_not_known(server: FaultServer) -> None:
    card = await card_of(server, Transport(DIRECT), auth_url="https://provider.invalid")
    leg = failed(card)
    assert (leg.kind, leg.place) == ("name", "provider.invalid")
    assert "check the spelling" in leg.trouble
    behind = [
        each for each in card.legs if each.place.startswith("provider.invalid") and each.kind in ("connection", "tls")
    ]
    assert len(behind) == 2
    assert not any(each.tried for each in behind)


async def test_nothing_listens(server: FaultServer) -> None:
    card = await card_of(server, base_url="http://127.0.0.1:9")
    assert (failed(card).kind, failed(card).place) == ("connection", "127.0.0.1:9")
    assert "Nothing listens there" in failed(card).trouble
    services = [each for each in card.legs if each.kind == "service"]
    assert [each.holds for each in services] == [False, True]


@pytest.mark.parametrize(
    ("paper", "words"),
    [
        ("unknown", "an authority that this computer does not trust"),
        ("expired", "has expired"),
        ("future", "not valid yet"),
        ("other name", "is for another name"),
    ],
)
async def test_a_certificate_that_is_not_trusted(
    acme: Paper, acme_file: str, tmp_path: Path, paper: str, words: str
) -> None:
    made = {
        "unknown": lambda: vouched(authority("Nobody"), "127.0.0.1"),
        "expired": lambda: vouched(acme, "127.0.0.1", until=-DAY, since=-5 * DAY),
        "future": lambda: vouched(acme, "127.0.0.1", until=9 * DAY, since=5 * DAY),
        "other name": lambda: vouched(acme, "orders.provider.example"),
    }[paper]()
    with start_fault_server(tls=made.server_context(tmp_path)) as server:
        card = await card_of(server, Transport(authorities=acme_file))
        assert failed(card).kind == "tls"
        assert words in failed(card).trouble
        assert server.seen() == []


async def test_no_tls_is_spoken_there(server: FaultServer) -> None:
    card = await card_of(server, auth_url=f"https://127.0.0.1:{server.port}")
    assert failed(card).kind == "tls"
    assert "does not speak TLS" in failed(card).trouble


@pytest.mark.parametrize("password", ["wrong", ""])
async def test_the_proxy_refuses_its_login_and_is_shown_it_once(
    secure_server: FaultServer, proxy: ConnectProxy, acme_file: str, password: str
) -> None:
    transport = through(proxy, acme_file, password) if password else Transport(proxy.address, authorities=acme_file)
    # Two more names for the same place, so that there are three ways to walk.
    changed = {"base_url": f"https://localhost:{secure_server.port}", "info_base_url": "https://x.example/y"}
    card = await card_of(secure_server, transport, **changed)
    assert failed(card).kind == "proxy"
    field = "proxy_password" if password else "proxy"
    assert card.wrong == {field: card.trouble}
    assert ("does not accept its user" if password else "asks for a login") in card.trouble
    assert len([each for each in proxy.asked() if each.login]) <= 1
    assert secure_server.seen() == []


@pytest.mark.parametrize(("status", "words"), [(403, "does not let this computer"), (503, "could not reach")])
async def test_the_proxy_does_not_lead_there(
    secure_server: FaultServer, proxy: ConnectProxy, acme_file: str, status: int, words: str
) -> None:
    proxy.refuses = status
    card = await card_of(secure_server, through(proxy, acme_file))
    assert failed(card).kind == "proxy"
    assert words in failed(card).trouble


async def test_what_answers_is_no_proxy(server: FaultServer, secure_server: FaultServer) -> None:
    async def mute(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"220 mail.example ESMTP\r\n\r\n")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(mute, "127.0.0.1", 0) as other:
        port = other.sockets[0].getsockname()[1]
        card = await card_of(secure_server, Transport(f"127.0.0.1:{port}"))
    assert failed(card).kind == "proxy"
    assert "does not answer as a proxy" in failed(card).trouble


async def test_the_secret_is_wrong(server: FaultServer) -> None:
    card = await card_of(server, secret="canary")
    assert failed(card).kind == "token"
    assert "client id with this secret" in failed(card).trouble
    assert [each.tried for each in card.legs if each.kind in ("scope", "service")] == [False, False, False]


async def test_nothing_is_granted(server: FaultServer) -> None:
    token = {"access_token": "t", "expires_in": 60, "token_type": "Bearer", "scope": "other"}
    server.plan(answered(json_answer(token)), TOKEN, times=None)
    card = await card_of(server)
    assert failed(card).kind == "scope"
    assert failed(card).trouble == "The provider grants this client none of the five permissions."


async def test_scopes_that_nobody_asked_for_are_told(server: FaultServer) -> None:
    token = {"access_token": "t", "expires_in": 60, "token_type": "Bearer"}
    granted = "order_management_api:orders other:thing"
    server.plan(answered(json_answer({**token, "scope": granted})), TOKEN, times=None)
    card = await card_of(server)
    assert card.others == ("other:thing",)
    assert next(each.facts for each in card.legs if each.kind == "scope") == "1 of 5 granted"
    assert card.token_ends == now() + timedelta(seconds=60)


async def test_another_service_is_there(server: FaultServer) -> None:
    card = await card_of(server, info_base_url=f"{server.origin}/elsewhere")
    assert failed(card).kind == "service"
    assert failed(card).trouble == card.wrong["info_base_url"]


@pytest.mark.parametrize(
    ("minutes", "words"),
    [(-30, "30 minutes ahead of the provider's. Have it set"), (45, "45 minutes behind the provider's. Have it set")],
)
async def test_the_clock_is_off(server: FaultServer, minutes: int, words: str) -> None:
    """It is told, and keeps nobody from working."""
    server.plan(answered(json_answer([], date=_date(minutes))), "/audit", times=None)
    server.plan(answered(json_answer([], date=_date(minutes))), "/orders/open", times=None)
    card = await card_of(server)
    assert failed(card).kind == "clock"
    assert words in failed(card).trouble
    assert abs((card.clock or 0) + minutes * 60) < 5
    assert card.works


def _date(minutes: int) -> str:
    return format_datetime(datetime.now(UTC) + timedelta(minutes=minutes), usegmt=True)


@pytest_asyncio.fixture
async def black_hole() -> AsyncIterator[int]:
    """A port that takes connections and never says a word."""

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(take, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def test_a_leg_that_nobody_answers_ends(black_hole: int) -> None:
    walk = Walk(Transport(), None, patience=0.3)
    found = await walk.to(f"https://127.0.0.1:{black_hole}")
    assert [each.kind for each in found] == ["name", "connection", "tls"]
    assert "No connection came in time" in found[-1].trouble
    assert found[-1].seconds is not None
    assert found[-1].seconds < 3


async def test_a_silent_proxy_ends(proxy: ConnectProxy) -> None:
    proxy.silent = True
    found = await Walk(through(proxy), None, patience=0.3).to("https://orders.provider.test")
    assert [each.kind for each in found] == ["name", "connection", "proxy", "tls"]
    assert "No connection came in time" in found[2].trouble
    assert found[3].seconds is None


async def test_no_leg_tells_a_secret(
    secure_server: FaultServer, proxy: ConnectProxy, caplog: pytest.LogCaptureFixture
) -> None:
    for transport in (through(proxy), through(proxy, password="canary-wrong")):
        card = await card_of(secure_server, transport, secret="canary-secret")
        assert "canary" not in repr(card)
    assert "canary" not in caplog.text

"""Opening a provider: addresses, proxies, trust, and the loop it runs on."""

import asyncio
import ssl

import httpx2
import pytest

from app.api.carry import Departure
from app.api.errors import BadAddress, NotSent
from app.api.provider import Addresses, Credentials, open_provider, trust_store
from tests.api.conftest import QUICK, Open, order
from tests.support.fault_server import FaultServer
from tests.support.faults import Answer

CREDENTIALS = Credentials("desk-client", "desk-secret")
FAR = Addresses("http://api.example", "http://api.example/info", "http://api.example")


@pytest.mark.parametrize("field", ["base_url", "info_base_url", "auth_url"])
@pytest.mark.parametrize("typed", ["api.example", "https://ex ample", "", "https://xn--\udcff.example", "http://[::1"])
def test_a_bad_address_is_said_before_anything_is_opened(field: str, typed: str) -> None:
    addresses = Addresses(
        **{**dict.fromkeys(("base_url", "info_base_url", "auth_url"), "https://api.example"), field: typed}
    )
    with pytest.raises(BadAddress):
        open_provider(addresses, CREDENTIALS)


@pytest.mark.asyncio
async def test_this_computer_is_never_reached_through_a_proxy(
    fault_server: FaultServer, open_on: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    fault_server.serve("/a.jpg", Answer(200, b"x"))
    async with open_on(fault_server) as provider:
        await provider.management.submit_order(order("R-1"))
        # another port of this computer is a stranger's, and is reached without a proxy as well
        stranger = f"http://localhost:{fault_server.port}/a.jpg"
        assert (await provider.information.fetch(stranger)).body == b"x"


@pytest.mark.asyncio
async def test_other_computers_are_reached_through_the_systems_proxy(
    fault_server: FaultServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", fault_server.origin)
    async with open_provider(FAR, CREDENTIALS, deadlines=QUICK) as provider:
        await provider.management.submit_order(order("R-1"))
    targets = [each.target.removeprefix("http://api.example") for each in fault_server.seen()]
    assert targets == ["/connect/token", "/OrderManagementApi/Order/submit"]


@pytest.mark.asyncio
async def test_a_proxy_of_an_unknown_kind_is_a_sentence_and_not_a_crash(
    fault_server: FaultServer, open_on: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("all_proxy", "gopher://127.0.0.1:1")
    with pytest.raises(NotSent, match="proxy"):
        open_provider(FAR, CREDENTIALS)
    async with open_on(fault_server) as provider:
        await provider.management.submit_order(order("R-1"))
        with pytest.raises(NotSent, match="proxy"):
            await provider.information.fetch("http://photos.example/a.jpg")


def test_there_is_one_trust_store_and_it_verifies() -> None:
    assert trust_store() is trust_store()
    assert trust_store().verify_mode is ssl.CERT_REQUIRED
    assert trust_store().check_hostname


def test_the_librarys_address_log_is_off(
    caplog: pytest.LogCaptureFixture, fault_server: FaultServer, open_on: Open
) -> None:
    caplog.set_level("DEBUG")

    async def run() -> None:
        async with open_on(fault_server) as provider:
            await provider.management.submit_order(order("R-1"))

    asyncio.run(run())
    assert [each.name for each in caplog.records if each.name.startswith(("httpx2", "httpcore2"))] == []


def test_a_request_counts_as_gone_from_its_first_byte_until_a_401() -> None:
    """Events of the HTTP library, in the orders in which they can come."""

    class Sent:
        def __init__(self, method: bytes) -> None:
            self.method = method

    started, answered = "http11.send_request_headers.started", "http11.receive_response_headers.complete"

    def began(*events: tuple[str, object]) -> bool:
        departure = Departure(httpx2.AsyncClient(), lambda: True)
        for event, value in events:
            key = "request" if event == started else "return_value"
            where = {"host": "127.0.0.1", "port": 80} if event.endswith("connect_tcp.started") else {}
            asyncio.run(departure(event, {key: value, **where}))
        return departure.began

    assert not began(("connection.connect_tcp.started", None))
    assert not began((started, Sent(b"CONNECT")), (answered, (b"", 200, b"", [])))
    assert began((started, Sent(b"CONNECT")), (started, Sent(b"POST")))
    assert began((started, Sent(b"POST")))
    assert began((started, Sent(b"POST")), (answered, (b"", 200, b"", [])))
    assert not began((started, Sent(b"POST")), (answered, (b"", 401, b"", [])))
    assert began((started, Sent(b"POST")), (answered, (b"", 401, b"", [])), (started, Sent(b"POST")))


def test_the_library_still_tells_when_a_request_leaves(fault_server: FaultServer) -> None:
    """What is sent-or-not rests on two event names of the library: they must really come."""
    events: list[str] = []

    async def trace(event: str, _: object) -> None:
        events.append(event)

    async def run() -> None:
        async with httpx2.AsyncClient(trust_env=False) as client:
            await client.get(fault_server.origin, extensions={"trace": trace})

    asyncio.run(run())
    connected = events.index("connection.connect_tcp.complete")
    assert connected < events.index("http11.send_request_headers.started")
    assert "http11.receive_response_headers.complete" in events

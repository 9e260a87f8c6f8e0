"""TLS: an authority of the operating system is trusted, nobody else is, and then nothing is sent."""

import asyncio
import gc
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import pytest_asyncio

from app.api.errors import NotSent
from app.api.network.trust import trust_store
from app.api.provider import Addresses
from tests.api.conftest import Open, order
from tests.support.certificates import Paper, authority, vouched
from tests.support.fault_server import FaultServer, start_fault_server

pytestmark = pytest.mark.asyncio


@pytest.fixture
def acme() -> Paper:
    return authority()


@pytest.fixture
def certificate(acme: Paper, tmp_path: Path) -> Path:
    file = tmp_path / "authority.pem"
    file.write_bytes(acme.pem)
    return file


@pytest.fixture
def secure_server(acme: Paper, tmp_path: Path) -> Iterator[FaultServer]:
    with start_fault_server(tls=vouched(acme, "127.0.0.1").server_context(tmp_path)) as server:
        yield server


@pytest.fixture
def fresh_trust() -> Iterator[None]:
    """The trust store is read once in a process; here before and after the test."""
    trust_store.cache_clear()
    yield
    trust_store.cache_clear()


async def test_a_certificate_that_nobody_vouches_for_ends_it_before_anything_is_sent(
    secure_server: FaultServer, open_on: Open
) -> None:
    async with open_on(secure_server) as provider:
        with pytest.raises(NotSent, match="its certificate is not trusted") as caught:
            await provider.management.submit_order(order("R-1"))
    assert not caught.value.may_have_acted
    assert secure_server.seen() == []


@pytest.mark.usefixtures("fresh_trust")
async def test_an_authority_of_this_computer_is_trusted(
    secure_server: FaultServer, open_on: Open, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    async with open_on(secure_server) as provider:
        await provider.management.submit_order(order("R-1"))
    assert len(secure_server.book.all("R-1")) == 1


@pytest.mark.usefixtures("fresh_trust")
async def test_a_certificate_for_another_name_is_not_trusted(
    secure_server: FaultServer, open_on: Open, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    async with open_on(secure_server) as provider:
        with pytest.raises(NotSent, match="certificate is not trusted"):
            await provider.information.fetch(f"https://localhost:{secure_server.port}/a.jpg")
    assert [each for each in secure_server.seen() if each.path == "/a.jpg"] == []


class Mute:
    """A server that takes every connection and never says a word, so that TLS is never agreed on."""

    def __init__(self) -> None:
        self.url = ""
        self.taken, self.ended = asyncio.Semaphore(0), asyncio.Semaphore(0)

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.taken.release()
        with suppress(ConnectionError):
            await reader.read()  # the greeting, and then the end
        self.ended.release()
        writer.close()


@pytest_asyncio.fixture
async def mute() -> AsyncIterator[Mute]:
    made = Mute()
    server = await asyncio.start_server(made.take, "127.0.0.1", 0)
    made.url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield made


@pytest.mark.parametrize(("silent", "lines"), [("auth_url", 1), ("base_url", 3)])
async def test_a_call_that_is_given_up_while_tls_is_agreed_on_leaves_no_line_open(
    fault_server: FaultServer, open_on: Open, mute: Mute, silent: str, lines: int
) -> None:
    addresses = Addresses(**{**fault_server.addresses, silent: mute.url})
    async with asyncio.timeout(20), open_on(fault_server, addresses=addresses) as provider:
        calls = [asyncio.create_task(provider.management.order_status(reference=f"R-{at}")) for at in range(3)]
        for _ in range(lines):
            await mute.taken.acquire()
        gc.disable()  # the collector would find and close them too
        try:
            for call in calls:
                call.cancel()
            await asyncio.wait(calls)
            await provider.aclose()
            for _ in range(lines):
                await mute.ended.acquire()
        finally:
            gc.enable()

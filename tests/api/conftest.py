"""Fixtures of the tests of the api room: a provider opened on a server, with short waits."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from app.api.provider import Addresses, Credentials, Deadlines, Provider, open_provider
from app.api.retry import Budget
from tests.support.fault_server import FaultServer

Open = Callable[..., Provider]

QUICK = Deadlines(reads=Budget(attempts=4, seconds=20.0, first=0.005, longest=0.01))
SHORT = replace(QUICK, first_byte=0.3, silence=0.3, reply=0.5, document=0.5, listing=0.5, write=0.4, token=0.3)


@pytest.fixture
def open_on() -> Open:
    """Opens a provider on a fault server; the test closes it (`async with`)."""

    def opened(server: FaultServer, *, secret: str | None = None, **settings: object) -> Provider:
        credentials = Credentials(server.tokens.client_id, secret or server.tokens.client_secret)
        addresses = settings.pop("addresses", Addresses(**server.addresses))
        return open_provider(addresses, credentials, **{"deadlines": QUICK, **settings})  # type: ignore[arg-type]

    return opened


def order(reference: str, name: str = "J. Rivera") -> bytes:
    """A submission as small as the fault server accepts."""
    return json.dumps({"orderReferenceNumber": reference, "consignee": {"consigneeName": name}}).encode()


def cancellation(reference: str) -> bytes:
    """A cancellation."""
    return json.dumps({"orderReferenceNumber": reference}).encode()

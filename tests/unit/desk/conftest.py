"""Fixtures of the desk's tests: a day that stands still, and the provider's open orders on it."""

from dataclasses import replace
from datetime import timedelta

import pytest

from app.desk.desk import Desk
from tests.support.fault_server import INFORMATION, FaultServer
from tests.support.listed_orders import OPEN, TODAY, Record, in_window


@pytest.fixture
def world(fault_server: FaultServer) -> list[Record]:
    """The provider's open orders; a test changes them as it likes."""
    made: list[Record] = []
    fault_server.serve(INFORMATION + OPEN, in_window(made))
    return made


@pytest.fixture
def desk_today(desk: Desk) -> Desk:
    """The desk on a day that stands still but for its seconds, so that windows are known."""
    ticks = iter(range(100_000))
    return replace(desk, now=lambda: TODAY + timedelta(milliseconds=next(ticks)))

"""What every test stands on. Fixtures live in tests/support, a module for each thing that can be had for real."""

import os
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # a test that wants a window system starts its own

pytest_plugins = [
    "tests.support.fault_server",
    "tests.support.keyring_session",
    "tests.support.loop",
    "tests.support.practice_process",
    "tests.support.quiet",
    "tests.support.run_memory",
    "tests.support.run_order",
    "tests.support.window",
    "tests.support.zone",
    "tests.support.desks",  # stands on those before it
]


@pytest.fixture(scope="session")
def root() -> Path:
    """The top folder of the checkout."""
    return Path(__file__).resolve().parents[1]

"""The fixtures of all tests. They live in tests/support, a module for each thing that can be had for real."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support.wine import under_wine

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # a test that wants a window system starts its own

# Hypothesis draws the examples of a test from its source: a run that fails tells of the change, not of chance.
# `dev.py test --hypothesis-profile=default` draws new ones, and the faults do with each seed.
# No deadline: an example that takes its 200 ms by the clock tells of a busy machine alone.
settings.register_profile("same examples", derandomize=True, deadline=None)
if under_wine():  # how long an example takes says nothing where each look at a file asks another process
    unhurried = [HealthCheck.too_slow]
    settings.register_profile("same examples", derandomize=True, deadline=None, suppress_health_check=unhurried)
settings.load_profile("same examples")

pytest_plugins = [
    "tests.support.fault_server",
    "tests.support.keyring_session",
    "tests.support.loop",
    "tests.support.practice_process",
    "tests.support.quiet",
    "tests.support.run_memory",
    "tests.support.window",
    "tests.support.hands",
    "tests.support.zone",
    "tests.support.connect_proxy",
    "tests.support.postgres",
    "tests.support.desks",  # stands on those before it
]


@pytest.fixture(scope="session")
def root() -> Path:
    """The top folder of the checkout."""
    return Path(__file__).resolve().parents[1]

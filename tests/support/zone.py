"""A computer in a zone with summer time."""

import os
import time
from collections.abc import Iterator

import pytest


@pytest.fixture
def in_chicago() -> Iterator[None]:
    """Local time is Chicago's, where the hour after one comes twice on 1 November 2026."""
    if not hasattr(time, "tzset"):
        pytest.skip("this system takes its zone from elsewhere")
    before = os.environ.get("TZ")
    os.environ["TZ"] = "America/Chicago"
    time.tzset()
    yield
    os.environ.pop("TZ")
    if before is not None:
        os.environ["TZ"] = before
    time.tzset()

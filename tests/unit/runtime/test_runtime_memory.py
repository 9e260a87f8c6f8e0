"""The collector is held back while the program comes up, and at work afterwards."""

import gc
from collections.abc import Iterator

import pytest

from app.runtime.memory import hold_collector_back, set_libraries_aside


@pytest.fixture
def as_before() -> Iterator[None]:
    threshold = gc.get_threshold()
    yield
    gc.enable()
    gc.unfreeze()
    gc.set_threshold(*threshold)


@pytest.mark.usefixtures("as_before")
def test_what_stays_is_set_aside_and_the_collector_works_again() -> None:
    hold_collector_back()
    assert not gc.isenabled()
    circle: list[object] = []
    circle.append(circle)
    del circle
    set_libraries_aside()
    assert gc.isenabled()
    assert gc.get_freeze_count() > 0
    assert gc.collect() == 0, "what was no longer needed was collected before the rest was set aside"

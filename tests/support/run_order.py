"""The order in which several workers take up the files of tests, so that no processor waits at the end or in between.

xdist hands a file to whichever worker is free, in the order of the collection. The faults come first: one file holds
them all, and it takes longest. Tests that start processes wait for them most of the time, those of the window and of
functions compute; so files of both kinds alternate, the ones with most tests first. Small files fill up the end.
"""

import pytest

FIRST = "tests/faults/"
START_PROCESSES = ("tests/e2e/", "tests/practice/", "tests/test_packaging")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files in order; within a file everything stays as pytest has ordered it."""
    files: dict[str, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.nodeid.partition("::")[0], []).append(item)
    items[:] = [item for name in in_order({name: len(held) for name, held in files.items()}) for item in files[name]]


def in_order(tests: dict[str, int]) -> list[str]:
    """The names of the files, given how many tests each holds."""
    by_size = sorted(tests, key=lambda name: -tests[name])
    first = [name for name in by_size if name.startswith(FIRST)]
    waiting = [name for name in by_size if name.startswith(START_PROCESSES)]
    computing = [name for name in by_size if not name.startswith((FIRST, *START_PROCESSES))]
    both = min(len(waiting), len(computing))
    alternating = [name for pair in zip(waiting[:both], computing[:both], strict=True) for name in pair]
    return [*first, *alternating, *waiting[both:], *computing[both:]]

"""A test that leaves a warning, a Qt message or a log record behind has failed.

Warnings and Qt messages are turned into failures by the settings in pyproject.toml; this plugin does it for log records
of our own loggers and of asyncio, which is where a task that died unseen says so. A test that means to provoke a record
says `@pytest.mark.expects_log(r"pattern")`; then at least one record must match, and those that match are no fault.
"""

import gc
import logging
import re
from collections.abc import Generator

import pytest

WATCHED = ("app", "waybill", "asyncio", "qasync", "concurrent")
MARK = "expects_log"
_YOUNG, _NEVER = 50_000, 1_000_000
_FILES_BETWEEN = 4  # of which the last is followed by a look through all that was set aside


class StrayRecords(logging.Handler):
    """Collects what our loggers say at WARNING and above."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.name.split(".")[0] in WATCHED:
            self.records.append(record)

    def take(self, expected: list[str]) -> tuple[list[str], set[str]]:
        """The records that were not expected, and the patterns that matched; the collected records are dropped."""
        said, self.records = self.records, []
        lines = [f"{record.levelname} {record.name}: {record.getMessage()}{_trace(record)}" for record in said]
        met = {pattern for pattern in expected if any(re.search(pattern, line) for line in lines)}
        return [line for line in lines if not any(re.search(pattern, line) for pattern in expected)], met


HANDLER = pytest.StashKey[StrayRecords]()
FILES = pytest.StashKey[int]()  # that have ended in this run
MET: pytest.StashKey[set[str]] = pytest.StashKey()
SET_UP: pytest.StashKey[bool] = pytest.StashKey()


def _trace(record: logging.LogRecord) -> str:
    return "\n" + logging.Formatter().formatException(record.exc_info) if record.exc_info else ""


def _expected(item: pytest.Item) -> list[str]:
    return [str(pattern) for mark in item.iter_markers(MARK) for pattern in mark.args]


def _check(item: pytest.Item, *, last: bool) -> None:
    expected = _expected(item)
    stray, met = item.stash[HANDLER].take(expected)
    all_met = item.stash[MET]
    all_met.update(met)
    if stray:
        pytest.fail("stray log records:\n" + "\n".join(stray), pytrace=False)
    if last and (unmet := set(expected) - all_met):
        pytest.fail(f"no log record matched {sorted(unmet)}", pytrace=False)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"{MARK}(*patterns): log records that the test provokes on purpose")
    config.stash[FILES] = 0


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """While a thousand modules are imported hardly anything old is garbage: the collector would only go through it.

    Young objects are collected, so that the garbage of one module leaves its memory to the next.
    """
    before = gc.get_threshold()
    gc.set_threshold(_YOUNG, _NEVER, _NEVER)
    try:
        return (yield)
    finally:
        gc.set_threshold(*before)
        _set_aside()


def _set_aside() -> None:
    """Take what is there now, and stays, out of the collector's sight: the collection after each test goes through all
    that is in sight, so its cost would grow with each module that was imported and each report that pytest keeps."""
    gc.collect()
    gc.freeze()


def _end_of_file(config: pytest.Config, *, last: bool) -> None:
    """Set aside what a file leaves. After some files, and the last, look through what was set aside before.

    Some of that has become garbage since, which nothing else would ever collect: a batch of pages ended with 340 MB so.
    A look takes a tenth of a second, since it goes through all libraries: after each file it was 40 s of a processor in
    the whole suite.
    """
    config.stash[FILES] += 1
    if last or config.stash[FILES] % _FILES_BETWEEN == 0:
        gc.unfreeze()
    _set_aside()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    item.stash[HANDLER] = StrayRecords()
    item.stash[MET] = set()
    item.stash[SET_UP] = False
    logging.getLogger().addHandler(item.stash[HANDLER])
    yield
    item.stash[SET_UP] = True
    _check(item, last=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    yield
    _check(item, last=False)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, None, None]:
    """Collect garbage, so that what a dropped task or coroutine has to say is said in the test that dropped it."""
    passed = False
    try:
        yield
        passed = True
    finally:
        if nextitem is None or nextitem.path != item.path:
            _end_of_file(item.config, last=nextitem is None)  # the fixtures of the module are gone by now
        else:
            gc.collect()
        logging.getLogger().removeHandler(item.stash[HANDLER])
        if passed and item.stash[SET_UP]:  # a test that is left out has nothing to say
            _check(item, last=True)

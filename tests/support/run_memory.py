"""What a test run may keep in memory: little, so that a leak of the program shows and a small computer can run it all.

pytest keeps every report to the end of the run, and each with all that was logged and printed. A library that logs the
bytes it hands on made gigabytes of that. So a test that passed leaves no text behind, and one that failed leaves the
end of each.

A run that held more than `MOST_MB` at its height, or holds more than `MOST_AT_END_MB` at its end, fails.
`tests/suite.py` bounds what the runs that go on at the same time hold together.
"""

import logging
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from app.runtime.memory import give_back, keep_one_heap

MOST_MB = 700.0  # of one process at its height: a photo of twelve megapixels is painted in some 400
MOST_AT_END_MB = 300.0  # a batch of the suite holds some 200
_LONGEST = 200_000  # characters of one text of a test that failed
# Loggers that write down what they are given, whole: pictures and documents as escaped bytes.
_LOUD = ("qasync",)
PAINTER = "app.practice.photos"
_OPTION, _END_OPTION = "--most-memory", "--most-memory-at-end"


def peak_and_now_mb() -> tuple[float, float] | None:
    """The peak of this process's memory and its memory now, in megabytes; None on other systems than Linux."""
    told = Path("/proc/self/status")
    if not told.exists():
        return None
    lines = dict(line.split(":", 1) for line in told.read_text("ascii", "replace").splitlines() if ":" in line)
    peak, now = (int(lines[name].split()[0]) / 1024 for name in ("VmHWM", "VmRSS"))
    return peak, now


TOO_MUCH = pytest.StashKey[list[str]]()  # a line for each bound that the run broke


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(_OPTION, type=float, default=MOST_MB, metavar="MB", help="what the run may hold")
    parser.addoption(_END_OPTION, type=float, default=MOST_AT_END_MB, metavar="MB", help="the same at its end")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[TOO_MUCH] = []
    keep_one_heap()  # as the program does; each thread of a test would leave one behind
    for name in _LOUD:
        logging.getLogger(name).setLevel(logging.INFO)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Take from a report the texts that nobody will read."""
    report = yield
    report.sections = [] if report.passed else [(name, _end_of(text)) for name, text in report.sections]
    if call.when == "teardown":
        item._report_sections.clear()  # the item itself is kept to the end of the run too
    return report


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """End the widgets that the test has let go: without a running loop Qt keeps them to the end of the run. After the
    last test of a file, give back what it used."""
    if "PySide6.QtCore" in sys.modules:
        from PySide6.QtCore import QCoreApplication, QEvent

        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    if nextitem is None or nextitem.path != item.path:
        forget_painted_parts()
        give_back()


def forget_painted_parts() -> None:
    """Empty the caches of the practice service's painter, some 200 MB: in a test run they serve one file of tests."""
    # The names alone: a list of pairs may have Python collect garbage on the way, which may import something.
    for name in list(sys.modules):
        if name.startswith(PAINTER):
            for each in vars(sys.modules[name]).values():
                if hasattr(each, "cache_clear"):
                    each.cache_clear()


def _end_of(text: str) -> str:
    return text if len(text) <= _LONGEST else f"… {len(text) - _LONGEST:,} characters before this\n{text[-_LONGEST:]}"


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Judge what this process held. Not a wrapper: pytest prints its summary as soon as the plain hooks have run."""
    told = peak_and_now_mb()
    if told is None:
        return
    bounds = (session.config.getoption(_OPTION), session.config.getoption(_END_OPTION))
    for held, bound, when in zip(told, bounds, ("at its height", "at its end"), strict=True):
        if held > bound:
            session.config.stash[TOO_MUCH].append(f"The run held {held:,.0f} MB {when}, more than {bound:,.0f} MB.")
    if session.config.stash[TOO_MUCH] and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name the bound that the run broke."""
    if too_much := config.stash[TOO_MUCH]:
        terminalreporter.section("memory", red=True)
        for line in too_much:
            terminalreporter.write_line(line)

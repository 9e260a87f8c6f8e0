"""What a test run may keep in memory: little, so that a leak of the program shows and a small computer can run it all.

pytest keeps every report to the end of the run, and each with all that was logged and printed. A library that logs the
bytes it hands on made gigabytes of that, in the worker and once more in the process that collects the reports. So a
test that passed leaves no text behind, and one that failed leaves the end of each.

At the end every process of the run, workers too, says what it held at most; more than `MOST_MB` fails the run.
"""

import logging
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

MOST_MB = 600.0  # of one process, at its height
_LONGEST = 200_000  # characters of one text of a test that failed
_WORKER_KEY = "most_memory_mb"
# Loggers that write down what they are given, whole: pictures and documents as escaped bytes.
_LOUD = ("qasync",)
_OPTION = "--most-memory"


def peak_mb() -> float | None:
    """What this process held at its height, in megabytes; None where the system is not asked."""
    told = Path("/proc/self/status")
    lines = told.read_text("ascii", "replace").splitlines() if told.exists() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:")), None)


class Held:
    """What each process of the run held at most."""

    def __init__(self, bound: float) -> None:
        self.bound = bound
        self.by_process: dict[str, float] = {}

    def too_much(self) -> list[str]:
        """A line for each process that held more than it may."""
        return [
            f"{name} held {held:,.0f} MB at its height, more than {self.bound:,.0f} MB"
            for name, held in self.by_process.items()
            if held > self.bound
        ]


HELD = pytest.StashKey[Held]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(_OPTION, type=float, default=MOST_MB, metavar="MB", help="what a process of the run may hold")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[HELD] = Held(config.getoption(_OPTION))
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
def pytest_runtest_teardown() -> None:
    """End the widgets that the test has let go: without a running loop Qt keeps them to the end of the run."""
    if "PySide6.QtCore" in sys.modules:
        from PySide6.QtCore import QCoreApplication, QEvent

        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def _end_of(text: str) -> str:
    return text if len(text) <= _LONGEST else f"… {len(text) - _LONGEST:,} characters before this\n{text[-_LONGEST:]}"


def pytest_testnodedown(node: Any) -> None:
    """A worker has ended: keep what it said of itself. One that crashed says nothing, and fails the run itself."""
    held = getattr(node, "workeroutput", {}).get(_WORKER_KEY)
    if held is not None:
        node.config.stash[HELD].by_process[f"worker {node.gateway.id}"] = held


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Keep what this process held: a worker hands it to the runner, and the runner judges. Not a wrapper: xdist sends
    what a worker has to say, and pytest prints its summary, as soon as the plain hooks have run."""
    peak = peak_mb()
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output[_WORKER_KEY] = peak
        return
    held = session.config.stash[HELD]
    if peak is not None:
        held.by_process["the process that was started"] = peak
    if held.too_much() and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name the process that held too much."""
    if too_much := config.stash[HELD].too_much():
        terminalreporter.section("memory", red=True)
        for line in too_much:
            terminalreporter.write_line(line)

"""A practice service as a process of its own, for tests that call it over TCP.

The process ends with its test, also when the test run is killed: it stops when its standard input closes.
What it writes to standard error fails the test that stops it. In a batch of the suite it is forked, not imported anew
(`forked_programs`).
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import pytest

from tests.support.forked_programs import ForkedProgram, can_fork, fork_program

ROOT = Path(__file__).resolve().parents[2]
SMALL = ("--orders", "300", "--audits", "24", "--seed", "7", "--switch", "arrivals=0")
_PROGRAM = "app.practice"
PATIENCE = 30.0  # seconds to stop; it takes a fraction of one


@dataclass(slots=True)
class PracticeProcess:
    """A running practice service; `facts` is the line that it printed when it was ready."""

    facts: dict[str, str]
    process: subprocess.Popen[str] | ForkedProgram
    errors: IO[str]
    closed: bool = field(default=False)

    def stop(self) -> None:
        """Stops it in good order. Fails where it had something to complain about."""
        if self.closed:
            return
        code, complaints = self._end(gently=True)
        assert (code, complaints) == (0, "")

    def kill(self) -> None:
        """Kills it as a power switch would."""
        if not self.closed:
            self._end(gently=False)

    def _end(self, *, gently: bool) -> tuple[int, str]:
        if not gently:
            self.process.kill()
        code = _wait(self.process)
        self.errors.seek(0)
        complaints = self.errors.read()
        self.errors.close()
        self.closed = True
        return code, complaints


def _wait(process: subprocess.Popen[str] | ForkedProgram) -> int:
    """Closes both pipes and waits for the end."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    try:
        return process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise


def start_practice(data: Path, *arguments: str, anew: bool = False) -> PracticeProcess:
    """Starts a practice service on a data directory and waits until it is ready.

    `anew`: in an interpreter of its own, for a test of the process itself, such as of its memory.
    """
    errors = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - closed when the process has ended
    words = ["--port", "0", "--data", str(data), "--stop-with-stdin", *arguments]
    process: subprocess.Popen[str] | ForkedProgram
    if can_fork() and not anew:
        process = fork_program(_PROGRAM, words, folder=ROOT, environment=os.environ, errors=errors)
    else:
        process = subprocess.Popen(
            [sys.executable, "-m", _PROGRAM, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            encoding="utf-8",
            cwd=ROOT,
            env={**os.environ, "PYTHONUTF8": "1"},
        )
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        code = _wait(process)
        errors.seek(0)
        complaint = errors.read()
        errors.close()
        raise AssertionError(f"the practice service left with code {code}: {complaint}")
    return PracticeProcess(json.loads(line), process, errors)


@pytest.fixture(scope="session")
def practice(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PracticeProcess]:
    """One small practice world that all tests share: add orders of your own, leave the others as they are."""
    running = start_practice(tmp_path_factory.mktemp("practice"), *SMALL)
    yield running
    running.stop()


PracticeFactory = Callable[..., PracticeProcess]


@pytest.fixture
def practice_factory(tmp_path: Path) -> Iterator[PracticeFactory]:
    """Starts practice services that stop with the test: `practice_factory("--switch", "nulls", data=DIR)`.

    Without `data` each has a small world of its own; `anew` as in `start_practice`.
    """
    started: list[PracticeProcess] = []

    def start(*arguments: str, data: Path | None = None, anew: bool = False) -> PracticeProcess:
        folder = data or tmp_path / f"practice-{len(started)}"
        world = () if (folder / "practice.sqlite").exists() else SMALL
        started.append(start_practice(folder, *world, *arguments, anew=anew))
        return started[-1]

    yield start
    for each in started:
        each.stop()

"""Processes whose program is a module of the tests: a life that is killed, a window in a bad situation.

In a batch of the suite a child is forked from what the batch has imported (`forked_programs`), else it is an
interpreter. It ends at the latest with the `with` block.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from tests.support.forked_programs import ForkedProgram, can_fork, fork_program

_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Child:
    """A process that runs. It has nothing to read; `stdout` is what it prints, line by line."""

    process: subprocess.Popen[str] | ForkedProgram
    stdout: IO[str]
    _errors: IO[str]

    @property
    def pid(self) -> int:
        """Its number in the system."""
        return self.process.pid

    def kill(self) -> None:
        """End the process at once; from any thread, also while another waits for the end."""
        with suppress(ProcessLookupError):
            os.kill(self.process.pid, signal.SIGKILL)

    def end(self, seconds: float | None = None) -> tuple[int, str, str]:
        """Wait for the end; its status (negative for a signal), what it printed since, and its complaints.

        A child that has not ended after so many seconds is killed.
        """
        patience = None if seconds is None else threading.Timer(seconds, self.kill)
        if patience is not None:
            patience.start()
        printed = self.stdout.read()
        status = self.process.wait()
        if patience is not None:
            patience.cancel()
            patience.join()
        self._errors.seek(0)
        return status, printed, self._errors.read()


@contextmanager
def child(
    module: str, words: Sequence[str], environment: Mapping[str, str] | None = None, *, window: bool = False
) -> Iterator[Child]:
    """Start a module with these arguments, and these variables in place of ours.

    `window`: the child has one, and ends as an interpreter does, since a window's last trouble may come there.
    """
    variables = os.environ if environment is None else environment
    process: subprocess.Popen[str] | ForkedProgram
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors:
        if can_fork():
            process = fork_program(module, words, folder=_ROOT, environment=variables, errors=errors, whole_end=window)
        else:
            process = subprocess.Popen(
                [sys.executable, "-m", module, *words],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                text=True, encoding="utf-8", cwd=_ROOT, env=variables,
            )  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        with process.stdin, process.stdout:
            process.stdin.close()
            try:
                yield Child(process, process.stdout, errors)
            finally:
                process.kill()
                process.wait()


def run_child(
    module: str, words: Sequence[str], environment: Mapping[str, str] | None = None, *, window: bool = False
) -> tuple[int, str, str]:
    """Start a module and wait for its end: its status, what it printed, and its complaints."""
    with child(module, words, environment, window=window) as started:
        return started.end()

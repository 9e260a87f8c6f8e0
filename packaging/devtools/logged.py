"""Runs a tool whose words go to a file, so that the terminal keeps to one line."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from devtools.errors import CannotGoOn

_LINES = 12


def run(
    command: Sequence[str | Path],
    log: Path,
    failure: str,
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    umask: int = -1,
) -> None:
    """Run `command` with its words in `log`.

    Raises `CannotGoOn` with the sentence `failure`, the last lines of the log and the tool's exit status.
    """
    with log.open("wb") as words:
        ran = subprocess.run(
            command,
            env=env,
            cwd=cwd,
            umask=umask,
            stdin=subprocess.DEVNULL,
            stdout=words,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if ran.returncode != 0:
        raise CannotGoOn(with_tail(failure, log), ran.returncode)


def with_tail(failure: str, log: Path) -> str:
    """The sentence, and below it the last lines of the log."""
    tail = log.read_text(encoding="utf-8", errors="replace").splitlines()[-_LINES:]
    return "\n".join([failure, *tail])

"""The checks, one after the other, each with its time. All of them run, so one start tells everything that is wrong."""

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from devtools import places


@dataclass(frozen=True)
class Stage:
    """A name for people and the words after `python -m`, or after a command of the environment."""

    name: str
    command: tuple[str, ...]


LINT = (
    Stage("ruff check", ("ruff", "check")),
    Stage("ruff format", ("ruff", "format", "--check")),
    Stage("mypy", ("mypy",)),
    Stage("import contracts", ("lint-imports", "--no-logo")),
)


_MOST_WORKERS = 4  # each has a practice service, a window system and a keyring of its own


def tests(arguments: Sequence[str]) -> Stage:
    """The whole test suite, or what `arguments` choose of it.

    The whole suite runs on several workers, a file on one of them; much of its time is waiting for windows.
    """
    several = ("-n", str(min(_MOST_WORKERS, max(2, os.cpu_count() or 1))), "--dist", "loadfile")
    return Stage("pytest", ("pytest", *(arguments or several)))


def test_surroundings(given: Mapping[str, str]) -> dict[str, str]:
    """The environment of a test run: no window on anyone's screen unless a platform was asked for by name."""
    return {"QT_QPA_PLATFORM": "offscreen", **given}


def run(stages: Sequence[Stage], venv_dir: Path = places.VENV) -> int:
    """Run each stage, say how long it took, and return 0 only if all of them passed."""
    failed = [stage.name for stage in stages if not _passes(stage, venv_dir)]
    if failed:
        print(f"\nFailed: {', '.join(failed)}", flush=True)
        return 1
    print("\nAll passed.", flush=True)
    return 0


def _passes(stage: Stage, venv_dir: Path) -> bool:
    print(f"\n== {stage.name}", flush=True)
    started = time.monotonic()
    tool, *arguments = stage.command
    program = places.venv_scripts(venv_dir) / tool
    status = subprocess.run(
        [program, *arguments], cwd=places.ROOT, env=test_surroundings(os.environ), check=False
    ).returncode
    outcome = "passed" if status == 0 else f"FAILED (status {status})"
    print(f"== {stage.name}: {outcome} in {time.monotonic() - started:.1f} s", flush=True)
    return status == 0

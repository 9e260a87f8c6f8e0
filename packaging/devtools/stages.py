"""The checks, each with its time. All of them run, so one start tells everything that is wrong."""

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
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


# What tells most of a mistake soonest: the directions, the rules of the house, and the tests of functions. A test that
# is marked as slow draws photos, kills processes or tries a thousand filters: with them this took twice as long.
FAST_MARKS = "not slow"
FAST = (
    "tests/test_architecture.py",
    "tests/test_documents.py",
    "tests/test_house_rules.py",
    "tests/test_tracked_files.py",
    "tests/unit",
)
_MOST_PROCESSES = 4  # each has a practice service, a window system and a keyring of its own


def tests(arguments: Sequence[str]) -> Stage:
    """The whole test suite in batches, or pytest alone with `arguments`.

    The suite waits for processes and timers half of its time, so two batches share a processor.
    """
    return Stage("pytest", ("pytest", *arguments)) if arguments else _in_batches(2 * _processors())


def fast_tests() -> Stage:
    """The tests for the inner loop. They compute and hardly wait: a batch for each processor."""
    return _in_batches(_processors(), "-m", FAST_MARKS, *FAST)


def _processors() -> int:
    return os.cpu_count() or 1


def _in_batches(processes: int, *words: str) -> Stage:
    several = str(min(_MOST_PROCESSES, max(2, processes)))
    return Stage("tests", ("python", "-m", "tests.suite", "--processes", several, *words))


def test_surroundings(given: Mapping[str, str]) -> dict[str, str]:
    """The environment of a test run: no window on anyone's screen unless a platform was asked for by name.

    Python keeps what it has compiled, whatever the person has set: a run starts some thousand processes, and each
    would compile the whole program anew.
    """
    kept = {name: value for name, value in given.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {"QT_QPA_PLATFORM": "offscreen", **kept}


def run(stages: Sequence[Stage], venv_dir: Path = places.VENV, *, meanwhile: Sequence[Stage] = ()) -> int:
    """Run each stage, say how long it took, and return 0 only if all of them passed.

    `meanwhile` runs beside them, one stage after the other, and tells of each when it has ended.
    """
    with ThreadPoolExecutor(max_workers=1) as beside:
        others = beside.submit(_failed, meanwhile, venv_dir, held_back=True)
        failed = [*_failed(stages, venv_dir), *others.result()]
    if failed:
        print(f"\nFailed: {', '.join(failed)}", flush=True)
        return 1
    print("\nAll passed.", flush=True)
    return 0


def _failed(stages: Sequence[Stage], venv_dir: Path, *, held_back: bool = False) -> list[str]:
    return [stage.name for stage in stages if not _passes(stage, venv_dir, held_back)]


def _passes(stage: Stage, venv_dir: Path, held_back: bool) -> bool:
    """Run the stage; what it prints comes at once, or in one piece at its end where it is held back."""
    heading = f"\n== {stage.name}\n"
    if not held_back:
        print(heading, end="", flush=True)
    started = time.monotonic()
    tool, *arguments = stage.command
    ran = subprocess.run(
        [places.venv_scripts(venv_dir) / tool, *arguments],
        cwd=places.ROOT,
        env=test_surroundings(os.environ),
        stdout=subprocess.PIPE if held_back else None,
        stderr=subprocess.STDOUT if held_back else None,
        text=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    outcome = "passed" if ran.returncode == 0 else f"FAILED (status {ran.returncode})"
    said = f"{heading}{ran.stdout}" if held_back else ""
    # One write with its end of line: print() would make two, and the other thread's could come between.
    sys.stdout.write(f"{said}== {stage.name}: {outcome} in {time.monotonic() - started:.1f} s\n")
    sys.stdout.flush()
    return ran.returncode == 0

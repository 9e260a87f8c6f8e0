"""A run that broke off is told at the next start, by lines of the program alone."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.runtime.crash_watch import CrashWatch, clean_trace
from app.version import VERSION

RUN = (
    "import ctypes, os, sys, time\n"
    "from pathlib import Path\n"
    "from app.runtime.crash_watch import CrashWatch\n"
    "watch = CrashWatch(Path(sys.argv[1]))\n"
    "watch.begin()\n"
    "if 'usable' in sys.argv: watch.usable()\n"
    "if 'ending' in sys.argv: watch.ending()\n"
    "if 'exit' in sys.argv: ctypes.CDLL(None).exit(1)\n"
    "if 'crash' in sys.argv: ctypes.string_at(0)\n"
    "if 'die' in sys.argv: os.kill(os.getpid(), 9)\n"
    "if 'stumble' in sys.argv: watch.stumbled()\n"
    "watch.end()\n"
)


def run(root: Path, folder: Path, *how: str) -> None:
    """A run of the program, as far as the watch sees it."""
    subprocess.run([sys.executable, "-c", RUN, str(folder), *how], cwd=root, capture_output=True, check=False)


def begun(folder: Path) -> CrashWatch:
    """The watch of the next start; ended at once, as a test has a trace of its own."""
    watch = CrashWatch(folder)
    watch.begin()
    watch.end()
    return watch


def test_a_run_that_ended_well_leaves_nothing(root: Path, tmp_path: Path) -> None:
    run(root, tmp_path, "usable")
    assert list(tmp_path.iterdir()) == []
    assert begun(tmp_path).failure is None


def test_a_crash_is_told_with_where_it_happened_and_no_path(root: Path, tmp_path: Path) -> None:
    run(root, tmp_path, "usable", "crash")
    watch = begun(tmp_path)
    assert watch.failure is not None
    assert (watch.failure.version, watch.in_a_row) == (VERSION, 1)
    told = watch.failure.trace.splitlines()
    assert told[0].startswith(("Fatal Python error: ", "Windows fatal exception: "))
    assert any(line.startswith("  ctypes/__init__.py:") and line.endswith(" in string_at") for line in told)
    assert str(Path.home()) not in watch.failure.trace
    assert begun(tmp_path).failure is None, "a crash is told once"


def test_failures_are_counted_until_a_run_ends_well(root: Path, tmp_path: Path) -> None:
    run(root, tmp_path, "usable", "crash")
    run(root, tmp_path, "stumble")
    run(root, tmp_path, "crash")
    assert CrashWatch(tmp_path).in_a_row == 0
    run(root, tmp_path, "die")
    assert begun(tmp_path).in_a_row == 4
    assert begun(tmp_path).in_a_row == 0


def test_what_somebody_ended_while_it_worked_did_not_fail(root: Path, tmp_path: Path) -> None:
    run(root, tmp_path, "usable", "die")
    watch = begun(tmp_path)
    assert (watch.failure, watch.in_a_row) == (None, 0)


@pytest.mark.parametrize(
    "how", ["die", pytest.param("exit", marks=pytest.mark.skipif(os.name == "nt", reason="POSIX"))]
)
def test_an_end_that_the_program_has_not_declared_broke_it_off(root: Path, tmp_path: Path, how: str) -> None:
    """Qt ends the process by `exit` where the X server is gone."""
    run(root, tmp_path, "usable", how)
    watch = begun(tmp_path)
    assert (watch.failure, watch.in_a_row, watch.broken_off) == (None, 0, True)
    assert not begun(tmp_path).broken_off, "it is told once"
    run(root, tmp_path, "usable", "ending", how)
    assert not begun(tmp_path).broken_off, "it was asked to end"


def test_a_crash_while_it_ends_is_told(root: Path, tmp_path: Path) -> None:
    run(root, tmp_path, "usable", "ending", "crash")
    assert begun(tmp_path).failure is not None


def test_what_was_killed_before_it_was_usable_failed_without_a_trace(root: Path, tmp_path: Path) -> None:
    run(root, tmp_path, "die")
    watch = begun(tmp_path)
    assert watch.failure is not None
    assert watch.failure.trace == ""


@pytest.mark.parametrize("said", ["", "{", "[]", '{"failures": "many", "usable": 1, "began": 5}'])
def test_a_spoilt_note_stops_no_start(tmp_path: Path, said: str) -> None:
    (tmp_path / "run.json").write_text(said)
    watch = CrashWatch(tmp_path)
    watch.begin()
    noted = json.loads((tmp_path / "run.json").read_text())
    watch.end()
    assert (watch.failure, noted["failures"]) == (None, 0)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_stops_no_start(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    watch = begun(tmp_path)
    tmp_path.chmod(0o700)
    assert watch.failure is None


def test_a_folder_that_is_gone_stops_no_start(tmp_path: Path) -> None:
    watch = CrashWatch(tmp_path / "nowhere")
    watch.begin()
    watch.usable()
    watch.end()
    assert watch.failure is None


def test_a_trace_keeps_what_is_known_and_nothing_else() -> None:
    given = (
        "Fatal Python error: Segmentation fault\n\n"
        "Thread 0x00007f7c08e606c0 [Josefina Rivera] (most recent call first):\n"
        '  File "/people/josefina/waybill/app/store/sqlite/database.py", line 12 in run\n\n'
        "Current thread 0x00007f7c099dcb80 (most recent call first):\n"
        '  File "C:\\People\\Josefina\\Programs\\lib\\ctypes\\__init__.py", line 519 in string_at\n'
        "  Garbage-collecting\n"
        "Extension modules: apsw, PySide6.QtCore (total: 2)\n"
        "Binary file /people/josefina/waybill/x.so, at +0x1\n"
        "https://josefina.example/?token=1\n"
    )
    assert clean_trace(given).splitlines() == [
        "Fatal Python error: Segmentation fault",
        "Thread 0x00007f7c08e606c0",
        "  store/sqlite/database.py:12 in run",
        "Current thread 0x00007f7c099dcb80",
        "  ctypes/__init__.py:519 in string_at",
        "  Garbage-collecting",
        "Extension modules: apsw, PySide6.QtCore (total: 2)",
    ]

"""The whole test suite, in batches of files: `python -m tests.suite [PATH …]`, as `dev.py test` starts it.

A batch is a pytest process of its own with some files of one room; several run at a time. Its memory goes with it, so
the suite needs little, however many tests it has: one process that collects every file keeps some 10,000 tests and all
that they import to the end. What a batch prints is shown only if it failed.

The temporary files of a batch are in memory where there is room for them, and gone when it ends. On a disk each commit
of a database waits for it: the tests of pages took twice as long and a sixth more of the processor. No test needs a
real disk: what a power cut or a full disk leaves is simulated.

Exit status: 0 if every batch passed and the batches together never held more than `MOST_TOGETHER_MB`, else 1.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]
MOST_TOGETHER_MB = 1024.0  # of all pytest processes at one moment, shared memory counted once
LONGEST_S = 3_600  # of one batch; a test that waits for ever fails so, and the others are still told of
_LOOK_EVERY = 1.0  # seconds between two looks at the memory
_PASSED, _NOTHING_CHOSEN = 0, 5  # exit statuses of pytest
# The rooms whose tests start processes and wait for them; the others compute. A file of them takes longer too.
WAITING = ("tests/faults", "tests/e2e", "tests/practice", "tests/api", "tests")
_FILES_OF_ONE_BATCH = {"tests/faults": 1, "tests/e2e": 4, "tests/practice": 6, "tests/api": 7}
_FILES_OF_OTHERS = 14
_IN_MEMORY = Path("/dev/shm")
_ROOM_BYTES = 2 << 30  # the largest batch writes 0.3 GB; in a container the place may be as small as 64 MB


@dataclass(frozen=True)
class Batch:
    """Files of one room that one pytest process runs. Paths are relative to the checkout, with slashes."""

    room: str
    files: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """What a batch came to: its counts from pytest's own report, seconds, and all that it printed."""

    batch: Batch
    status: int
    seconds: float
    printed: str
    counts: Mapping[str, int]

    @property
    def passed(self) -> bool:
        """A process that left in mid-run, even with status 0, wrote no report: it has not passed."""
        return self.status == _PASSED and bool(self.counts)


def batches(files: Iterable[str]) -> list[Batch]:
    """The files as batches, in the order in which they are started.

    Rooms that wait for processes come first and alternate with those that compute: so no processor idles in between,
    and the short batches fill up the end.
    """
    rooms: dict[str, list[str]] = {}
    for file in sorted(files):
        rooms.setdefault(_room(file), []).append(file)
    cut = [batch for room, held in rooms.items() for batch in _in_parts(room, held)]
    waiting = sorted((batch for batch in cut if batch.room in WAITING), key=lambda batch: WAITING.index(batch.room))
    computing = [batch for batch in cut if batch.room not in WAITING]
    both = min(len(waiting), len(computing))
    alternating = [batch for pair in zip(waiting[:both], computing[:both], strict=True) for batch in pair]
    return [*alternating, *waiting[both:], *computing[both:]]


def _room(file: str) -> str:
    """The first folder below tests; tests/unit has folders of rooms itself, which is too fine for a batch."""
    return "/".join(file.split("/")[:-1][:2])


def _in_parts(room: str, files: Sequence[str]) -> Iterator[Batch]:
    """Batches of one room, all of nearly the same number of files."""
    most = _FILES_OF_ONE_BATCH.get(room, _FILES_OF_OTHERS)
    parts = -(-len(files) // most)
    for part in range(parts):
        yield Batch(room, tuple(files[len(files) * part // parts : len(files) * (part + 1) // parts]))


def files_below(paths: Sequence[str]) -> list[str]:
    """Every file of tests at or below the paths, which are relative to the checkout."""
    found: set[str] = set()
    for path in paths:
        place = ROOT / path
        if not place.exists():
            raise SystemExit(f"There is no {path}.")
        files = [place] if place.is_file() else place.rglob("test_*.py")
        found.update(os.path.relpath(each, ROOT).replace(os.sep, "/") for each in files)
    return sorted(found)


class Together:
    """The memory of all pytest processes that run at a moment, in megabytes; what they start is not theirs.

    Shared pages are counted once (PSS): the processes have most of their libraries' pages in common.
    """

    def __init__(self) -> None:
        self.running: set[int] = set()
        self.most = 0.0

    def look(self) -> None:
        self.most = max(self.most, sum(map(_proportional_mb, [os.getpid(), *self.running])))


def _proportional_mb(process: int) -> float:
    """The memory of a process in megabytes; 0 for one that has ended, and on other systems than Linux."""
    try:
        told = Path(f"/proc/{process}/smaps_rollup").read_text("ascii")
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in told.splitlines() if line.startswith("Pss:")), 0.0)


def run(batch: Batch, folder: Path, together: Together, marks: str = "") -> Outcome:
    """Run one batch to its end; its temporary files lie in `folder`. `marks` chooses among its tests as pytest does."""
    started = time.monotonic()
    report = folder.with_suffix(".xml")
    words = ["-q", "-p", "no:cacheprovider", f"--basetemp={folder}", f"--junitxml={report}"]
    words += ["-m", marks] if marks else []
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", *words, *batch.files],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    )
    together.running.add(process.pid)
    try:
        printed, _ = process.communicate(timeout=LONGEST_S)
    except subprocess.TimeoutExpired:
        process.kill()
        printed = f"{_last_words(process)}\nIt was ended after {LONGEST_S:,} s.\n"
    finally:
        together.running.discard(process.pid)
        shutil.rmtree(folder, ignore_errors=True)  # at once, since all batches together would fill the memory
    # A batch may hold no test of these marks; one that holds none at all has not passed.
    status = _PASSED if marks and process.returncode == _NOTHING_CHOSEN else process.returncode
    return Outcome(batch, status, time.monotonic() - started, printed, _counts(report))


def _last_words(process: "subprocess.Popen[str]") -> str:
    """What a process printed that was killed; what it has started may hold its pipe open, and then nothing is known."""
    try:
        return process.communicate(timeout=10)[0]
    except subprocess.TimeoutExpired:
        return ""


def _counts(report: Path) -> dict[str, int]:
    """What pytest's report in JUnit's format counts; nothing if the process ended before it wrote one."""
    if not report.exists():
        return {}
    suite = ElementTree.parse(report).getroot().find("testsuite")  # noqa: S314 - written by our own process
    if suite is None:
        return {}
    return {name: int(suite.get(name, "0")) for name in ("tests", "failures", "errors", "skipped")}


def temporary_place() -> Path | None:
    """The folder in memory for temporary files, if there is one with enough room; None for the usual place."""
    try:
        return _IN_MEMORY if shutil.disk_usage(_IN_MEMORY).free >= _ROOM_BYTES else None
    except OSError:
        return None


def run_all(chosen: Sequence[Batch], processes: int, marks: str = "") -> tuple[list[Outcome], Together]:
    """Run the batches, `processes` at a time, and tell of each as it ends."""
    together, outcomes = Together(), []
    made = tempfile.TemporaryDirectory(prefix="waybill-tests-", dir=temporary_place(), ignore_cleanup_errors=True)
    with made as temporary, ThreadPoolExecutor(processes) as threads:
        waited: set[Future[Outcome]] = {
            threads.submit(run, batch, Path(temporary, str(number)), together, marks)
            for number, batch in enumerate(chosen)
        }
        while waited:
            ended, waited = wait(waited, _LOOK_EVERY, FIRST_COMPLETED)
            together.look()
            for each in ended:
                outcomes.append(each.result())
                _tell(outcomes[-1], f"{len(outcomes)}/{len(chosen)}")
    return outcomes, together


def _tell(outcome: Outcome, how_far: str) -> None:
    """One line for a batch that passed; for one that failed all that it printed."""
    first, last = outcome.batch.files[0], outcome.batch.files[-1].removeprefix(f"{outcome.batch.room}/")
    files = first if len(outcome.batch.files) == 1 else f"{first} … {last}"
    said = f"[{how_far}] {files}: {_in_words(outcome.counts)} in {outcome.seconds:.0f} s"
    if not outcome.passed:
        said += f", FAILED (status {outcome.status})\n{outcome.printed}"
    print(said, flush=True)


def _in_words(counts: Mapping[str, int]) -> str:
    if not counts:
        return "no report"
    bad = {name: counts[name] for name in ("failures", "errors", "skipped")}
    words = [f"{counts['tests'] - sum(bad.values()):,} passed"]
    return ", ".join(words + [f"{number:,} {name}" for name, number in bad.items() if number])


def main(arguments: Sequence[str]) -> int:
    """Run the suite, or the files at or below the paths that are named."""
    parser = argparse.ArgumentParser(prog="tests.suite", description=__doc__)
    parser.add_argument("--processes", type=int, default=2, metavar="N", help="how many batches run at a time")
    parser.add_argument("-m", dest="marks", default="", metavar="MARKS", help="only tests of these marks, as in pytest")
    parser.add_argument("paths", nargs="*", default=["tests"], metavar="PATH")
    chosen = parser.parse_args(arguments)
    started = time.monotonic()
    outcomes, together = run_all(batches(files_below(chosen.paths)), chosen.processes, chosen.marks)
    failed = [outcome for outcome in outcomes if not outcome.passed]
    total = {
        name: sum(outcome.counts.get(name, 0) for outcome in outcomes)
        for name in ("tests", "failures", "errors", "skipped")
    }
    print(
        f"\n{_in_words(total)} in {time.monotonic() - started:.0f} s; "
        f"at most {together.most:,.0f} MB in {chosen.processes} processes at a time"
    )
    if together.most > MOST_TOGETHER_MB:
        print(f"The processes held more than {MOST_TOGETHER_MB:,.0f} MB together.")
    return 1 if failed or together.most > MOST_TOGETHER_MB else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The whole test suite, in batches of files: `python -m tests.suite [PATH …]`, as `dev.py test` starts it.

A batch is a pytest process of its own with some files of one room; several run at a time. Its memory goes with it, so
the suite needs little, however many tests it has: one process that collects every file keeps some 10,000 tests and all
that they import to the end. What a batch prints is shown only if it failed.

Where processes can be forked, each batch is forked from a server that has imported the program, its libraries and
pytest once (`tests/support/imported_once`); an import of all of them takes two seconds of a processor. Nothing else
passes from batch to batch: the server runs no test. A batch starts practice services in the same way
(`tests/support/forked_programs`).

The temporary files of a batch are in memory where there is room for them, and gone when it ends. On a disk each commit
of a database waits for it: the tests of pages took twice as long and a sixth more of the processor. No test needs a
real disk: what a power cut or a full disk leaves is simulated.

Exit status: 0 if every batch passed and the batches together never held more than `MOST_TOGETHER_MB`, else 1.
"""

import argparse
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]
MOST_TOGETHER_MB = 1024.0  # of all pytest processes at one moment, shared memory counted once
LONGEST_S = 3_600  # of one batch
LONGEST_TEST_S = 600  # one that waits for ever ends its batch by name, and the other batches go on
_LET_END_S = 10.0  # for a batch that is interrupted
_LOOK_EVERY = 1.0  # seconds between two looks at the memory
_LOOKS_BETWEEN = 5
_PASSED, _NOTHING_CHOSEN = 0, 5  # exit statuses of pytest
# The rooms whose tests start processes and wait for them; the others compute. A file of them takes longer too.
WAITING = ("tests/faults", "tests/e2e", "tests/practice", "tests/api", "tests")
_FILES_OF_ONE_BATCH = {"tests/faults": 1, "tests/e2e": 2, "tests/practice": 4, "tests/api": 7}
_FILES_OF_OTHERS = 14
_FEW_BATCHES = 3  # so few are started sooner without a server that imports everything
_IMPORTED_ONCE = "tests.support.imported_once"
NewProcess = Callable[..., BaseProcess]
_IN_MEMORY = Path("/dev/shm")
_ROOM_BYTES = 2 << 30  # the largest batch writes 0.3 GB; in a container the place may be as small as 64 MB


@dataclass(frozen=True)
class Batch:
    """Files of one room that one pytest process runs. Paths are relative to the checkout, with slashes."""

    room: str
    files: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """What a batch came to: its counts from pytest's own report, seconds, and all that it printed.

    `processor_s`: the processor time of the batch and of all that it started and waited for; 0 if it ended early.
    """

    batch: Batch
    status: int
    seconds: float
    printed: str
    counts: Mapping[str, int]
    processor_s: float = 0.0

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

    Shared pages are counted once (PSS): the processes have most of their libraries' pages in common. The system goes
    through all pages for that, 4 ms a process, so it is asked where the pages are more than ever, and every few looks.
    """

    most = 0.0
    most_in = ""  # the tests that ran then, each with the memory of its process
    _most_pages = 0
    _looks = 0

    def look(self, running: Mapping[int, str]) -> None:
        """Look at this process, at those that run, and at the server that has forked them.

        `running`: by a process's id, the test that it runs.
        """
        others = {os.getpid(), *map(_parent, running)} - {*running}
        pages, self._looks = sum(map(_pages, {*running, *others})), self._looks + 1
        if pages > self._most_pages or self._looks % _LOOKS_BETWEEN == 0:
            self._most_pages = max(self._most_pages, pages)
            held = {process: _proportional_mb(process) for process in running}
            together = sum(held.values()) + sum(map(_proportional_mb, others))
            if together > self.most:
                self.most = together
                self.most_in = "; ".join(f"{held[each]:,.0f} MB {running[each] or 'a begin'}" for each in held)


def _parent(process: int) -> int:
    """The process that has started this one; 0 for one that has ended, and on other systems than Linux."""
    try:
        return int(Path(f"/proc/{process}/stat").read_text("ascii", "replace").rpartition(")")[2].split()[1])
    except OSError:
        return 0


def _pages(process: int) -> int:
    """The pages that a process has in memory, its own and shared ones; 0 for one that has ended, and elsewhere."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text("ascii").split()[1])
    except OSError:
        return 0


def _proportional_mb(process: int) -> float:
    """The memory of a process in megabytes; 0 for one that has ended, and on other systems than Linux."""
    try:
        told = Path(f"/proc/{process}/smaps_rollup").read_text("ascii")
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in told.splitlines() if line.startswith("Pss:")), 0.0)


class Noting:
    """Notes in a file which test runs now, as a plugin of pytest. One write for each: the suite has thousands."""

    def __init__(self, file: Path) -> None:
        self._file = file.open("wb", buffering=0)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Before its fixtures are made."""
        self._note(nodeid)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """After its fixtures are gone."""
        self._note(f"what comes after {nodeid}")

    def _note(self, what: str) -> None:
        self._file.seek(0)
        self._file.truncate()
        self._file.write(what.encode())


class Running:
    """A batch that runs; its temporary files lie in `folder`. `marks` chooses among its tests as pytest does."""

    def __init__(self, batch: Batch, folder: Path, new_process: NewProcess, marks: str) -> None:
        self.batch, self._folder, self._marks = batch, folder, marks
        self._report, self._printed = folder.with_suffix(".xml"), folder.with_suffix(".txt")
        self._used, self._now = folder.with_suffix(".used"), folder.with_suffix(".now")
        words = ["-q", "-p", "no:cacheprovider", f"--basetemp={folder}", f"--junitxml={self._report}"]
        words += ["-m", marks] if marks else []
        self._started = time.monotonic()
        self.process = new_process(
            target=_be_pytest, args=([*words, *batch.files], self._printed, self._used, self._now)
        )
        self.process.start()
        self._noted, self._noted_at = "", self._started

    @property
    def test(self) -> str:
        """The test that runs now; empty before the first."""
        return self._now.read_text("utf-8", "replace") if self._now.exists() else ""

    @property
    def overdue(self) -> str:
        """Why it must be ended, if it takes so long or one of its tests does; to be asked every few seconds."""
        moment = time.monotonic()
        if moment - self._started > LONGEST_S:
            return f"It was ended after {LONGEST_S:,} s."
        noted = self.test
        if noted != self._noted:
            self._noted, self._noted_at = noted, moment
        if noted and moment - self._noted_at > LONGEST_TEST_S:
            return f"FAILED {noted} - not done within {LONGEST_TEST_S:,} s, so its batch was ended"
        return ""

    def end(self) -> Outcome:
        """Wait for the end of the process, or bring it about; what came of it."""
        if note := self.overdue:
            self._abort()
        self.process.join()
        status, seconds = self.process.exitcode or 0, time.monotonic() - self._started
        self.process.close()
        shutil.rmtree(self._folder, ignore_errors=True)  # at once, since all batches together would fill the memory
        printed = self._printed.read_text("utf-8", "replace") if self._printed.exists() else ""
        # A batch may hold no test of these marks; one that holds none at all has not passed.
        status = _PASSED if self._marks and status == _NOTHING_CHOSEN else status
        used = float(self._used.read_text("ascii")) if self._used.exists() else 0.0
        return Outcome(self.batch, status, seconds, f"{printed}\n{note}".strip(), _counts(self._report), used)

    def _abort(self) -> None:
        """End the process; where there are signals it prints first what each of its threads does."""
        if sys.platform != "win32":
            os.kill(self.process.pid or 0, signal.SIGABRT)
            self.process.join(_LET_END_S)
        self.process.kill()

    def stop(self) -> None:
        """End the process, after it has ended what it started. Ctrl+C in a terminal has reached it by itself."""
        self.process.join(_LET_END_S)
        if self.process.is_alive() and sys.platform != "win32":
            os.kill(self.process.pid or 0, signal.SIGINT)
            self.process.join(_LET_END_S)
        self.process.kill()
        self.process.join()


def _be_pytest(words: list[str], printed: Path, used: Path, now: Path) -> None:
    """Become the pytest process of a batch; what it and its children print goes to a file."""
    with printed.open("wb") as file:
        for stream in (sys.stdout, sys.stderr):
            os.dup2(file.fileno(), stream.fileno())
    os.chdir(ROOT)
    from tests.support import forked_programs

    if _IMPORTED_ONCE in sys.modules:
        forked_programs.begin()  # before there is a thread: a fork would copy the locks that it holds
    import pytest

    status = pytest.main(words, [Noting(now)])
    forked_programs.end()
    used.write_text(str(sum(os.times()[:4])), "ascii")
    sys.exit(status)


def _processes_for(batches: int) -> NewProcess:
    """How to make the process of a batch: forked from the server, or started anew where nothing can be forked.

    Qt, threads and loops do not outlive a fork: the server imports and waits, and does nothing else.
    """
    if sys.platform == "win32":
        return multiprocessing.get_context("spawn").Process
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload([_IMPORTED_ONCE] if batches > _FEW_BATCHES else [])
    return server.Process


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
    together, outcomes, new_process = Together(), list[Outcome](), _processes_for(len(chosen))
    made = tempfile.TemporaryDirectory(prefix="waybill-tests-", dir=temporary_place(), ignore_cleanup_errors=True)
    waiting, running = list(enumerate(chosen)), list[Running]()
    with made as temporary:
        try:
            while waiting or running:
                while waiting and len(running) < processes:
                    number, batch = waiting.pop(0)
                    running.append(Running(batch, Path(temporary, str(number)), new_process, marks))
                ended = wait([each.process.sentinel for each in running], _LOOK_EVERY)
                together.look({each.process.pid or 0: each.test for each in running})
                for each in [each for each in running if each.process.sentinel in ended or each.overdue]:
                    running.remove(each)
                    outcomes.append(each.end())
                    _tell(outcomes[-1], f"{len(outcomes)}/{len(chosen)}")
        finally:
            for each in running:  # this run was interrupted
                each.stop()
    return outcomes, together


def _tell(outcome: Outcome, how_far: str) -> None:
    """One line for a batch that passed; for one that failed all that it printed."""
    first, last = outcome.batch.files[0], outcome.batch.files[-1].removeprefix(f"{outcome.batch.room}/")
    files = first if len(outcome.batch.files) == 1 else f"{first} … {last}"
    said = f"[{how_far}] {files}: {_in_words(outcome.counts)} in {outcome.seconds:.0f} s"
    said += f" ({outcome.processor_s:.0f} s of a processor)"
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
        f"\n{_in_words(total)} in {time.monotonic() - started:.0f} s, "
        f"{sum(outcome.processor_s for outcome in outcomes):,.0f} s of processors; "
        f"at most {together.most:,.0f} MB in {chosen.processes} processes at a time"
    )
    if together.most_in:
        print(f"It was most at: {together.most_in}")
    if together.most > MOST_TOGETHER_MB:
        print(f"The processes held more than {MOST_TOGETHER_MB:,.0f} MB together.")
    return 1 if failed or together.most > MOST_TOGETHER_MB else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

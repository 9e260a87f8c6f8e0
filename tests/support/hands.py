"""A person's hands on the program: real keys, and nothing read but what the program keeps and how it ends.

It works alike for the sources, the packed program and the Windows program under Wine, which passes nothing on to a
screen reader of this machine. So it is what the flows that run on every target are written with.

Everything waits for a condition. Where nothing that is kept tells of one, it waits until no thread of the program wants
a processor any more: a program that is only slow is not taken for one that is done.
"""

import contextlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.support import targets
from tests.support.window_process import Desktop, WindowGone, until

T = TypeVar("T")
WINDOW = "^Waybill · "
QUESTION = "^Waybill$"
PATIENCE = 180.0 if targets.target() == "windows" else 60.0  # seconds; under Wine a start alone takes ten
_MARK = "WAYBILL_TESTED_BY"  # tells the processes of one test from all others
_SEARCHES = 5
_RESTS_S = 0.6  # so long nothing of the program wanted a processor
_LOOK_S = 0.02
# Qt asks Windows 10 for this, which Wine 8 does not have.
_OF_WINE = "QtWindows::DpiAwareness::PerMonitorVersion2 is not supported by current system.\n"
_WORKING = frozenset("RD")  # a thread that runs or waits for a processor, or for the disk


@dataclass(frozen=True)
class Run:
    """One run of the program, and the file with what it prints."""

    process: "subprocess.Popen[bytes]"
    record: Path

    @property
    def printed(self) -> str:
        """What it has printed so far, without what Qt remarks about Wine."""
        said = self.record.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n")
        return said.replace(_OF_WINE, "") if targets.target() == "windows" else said

    def ended(self) -> int:
        """Wait for its end; its exit status."""
        return self.process.wait(PATIENCE)


class Hands:
    """The program with its data in `data`, started and ended any number of times."""

    def __init__(self, desktop: Desktop, data: Path, folder: Path) -> None:
        self.desktop, self.data, self._folder = desktop, data, folder
        self.named = ""  # what the program is told of its data folder, where that is not its path
        self._mark = uuid.uuid4().hex
        self._running: Run | None = None
        self._started: list[subprocess.Popen[bytes]] = []  # the program, and what carries its words

    # Starting and ending

    @property
    def running(self) -> Run:
        """The run that was opened last."""
        assert self._running is not None, "it was not opened"
        return self._running

    def begin(self, *words: str, speaking: bool = False, program: str = "") -> Run:
        """Start the program, or another build of it, and do not wait for anything."""
        command = [
            *targets.program(program, speaking=speaking),
            "--data-dir",
            self.named or targets.named(self.data),
            *words,
        ]
        given = {**targets.surroundings(self.desktop.environment), _MARK: self._mark}
        record = self._folder / f"printed-{uuid.uuid4().hex[:8]}.txt"
        with record.open("wb") as words_file:
            # Through a pipe: a standard output that is a file keeps Wine's programs from starting.
            reader = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=words_file)
        assert reader.stdin is not None
        self._started.append(reader)
        with reader.stdin:
            started = subprocess.Popen(
                command, env=given, cwd=targets.folder(program, self._folder),
                stdin=subprocess.DEVNULL, stdout=reader.stdin, stderr=subprocess.STDOUT,
            )  # fmt: skip
        self._started.append(started)
        return Run(started, record)

    def open(self, *words: str, program: str = "") -> None:
        """Start the program and wait until its window can be worked with."""
        self._running = self.begin(*words, program=program)
        self.wait_for(lambda: self.windows(WINDOW), "the window")
        self.wait_for(self.fetched, "the orders of practice")
        self.rest()

    def close(self) -> None:
        """Close it by its key. It ends in good order, quietly, and nothing that it started outlives it."""
        self.keys("ctrl+q")
        self.wait_for(lambda: self.running.process.poll() is not None, "the end")
        assert (self.running.ended(), self.running.printed) == (0, "")
        assert " ERROR " not in self.log, self.log
        self.wait_for(lambda: not self.processes(), "the end of all that it started")

    def kill(self) -> None:
        """End it as a power switch would, with what it has started left to itself."""
        self.running.process.kill()
        assert self.running.ended() == -signal.SIGKILL

    def end_all(self) -> None:
        """End whatever runs still, by its id."""
        for each in self._marked():
            with contextlib.suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)
        if targets.target() == "windows":
            # Its desktop is on the display of this test. The next program makes one on its own display.
            wineserver = shutil.which("wineserver") or "/usr/lib/wine/wineserver64"
            subprocess.run([wineserver, "-k"], env=self.desktop.environment, capture_output=True, check=False)
            subprocess.run([wineserver, "-w"], env=self.desktop.environment, capture_output=True, check=False)
        for started in self._started:
            started.wait(PATIENCE)

    # Working

    def windows(self, title: str) -> list[str]:
        """The X windows with this title."""
        for _ in range(_SEARCHES - 1):
            # A window that closes just as xdotool looks at it ends the whole search.
            with contextlib.suppress(WindowGone):
                return self._search(title)
        return self._search(title)

    def _search(self, title: str) -> list[str]:
        return self.desktop.do("search", "--all", "--onlyvisible", "--name", title).split()

    def keys(self, *names: str, title: str = WINDOW) -> None:
        """Press keys by their X names, in the window with this title as soon as it is there."""
        self.desktop.do("windowfocus", "--sync", self._window(title))
        self.desktop.do("key", "--clearmodifiers", *names)

    def type(self, text: str, title: str = WINDOW) -> None:
        """Type a text where the keyboard is; a tab in it goes to the next field."""
        self.desktop.do("windowfocus", "--sync", self._window(title))
        self.desktop.do("type", "--clearmodifiers", "--delay", "12", "--", text)

    def _window(self, title: str) -> str:
        return self.wait_for(lambda: self.windows(title), f"a window {title}")[-1]

    def rest(self) -> None:
        """Wait until the program has done what it was asked: no thread of it has wanted a processor for a while."""
        since = time.monotonic()

        def rests() -> bool:
            nonlocal since
            if any(_wants_processor(each) for each in self.processes()):
                since = time.monotonic()
            time.sleep(_LOOK_S)
            return time.monotonic() - since > _RESTS_S

        self.wait_for(rests, "rest")

    def wait_for(self, look: Callable[[], T | None], what: str, patience: float = PATIENCE) -> T:
        """The first result of `look` that is true; fails with a picture if none comes."""
        found = until(look, patience)
        if found:
            return found
        picture = self.desktop.picture(self._folder / f"{uuid.uuid4().hex[:8]}.png")
        printed = self._running.printed if self._running is not None else ""
        pytest.fail(
            f"There was never {what} within {patience:g} s.\nPicture: {picture}\nPrinted: {printed!r}\n"
            f"Log:\n{self.log}\nWindows: {self.windows('.')}"
        )

    # What it keeps

    @property
    def log(self) -> str:
        """The program's own log."""
        file = self.data / "logs" / "waybill.log"
        return file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""

    def rows(self, file: str, question: str, *values: object) -> list[tuple[Any, ...]]:
        """What a database of the data folder answers; nothing before it is there."""
        path = self.data / file
        try:
            with contextlib.closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
                return connection.execute(question, values).fetchall()
        except sqlite3.OperationalError:
            return []

    def fetched(self) -> bool:
        """Whether orders were fetched from practice."""
        return bool(self.rows("cache.sqlite3", "SELECT 1 FROM orders LIMIT 1"))

    def listed(self, reference: str) -> bool:
        """Whether the provider lists an order of this reference."""
        return bool(self.rows("cache.sqlite3", "SELECT 1 FROM orders WHERE crn = ?", reference))

    def draft(self, reference: str) -> dict[str, Any]:
        """The open draft of this reference as it is kept; empty if there is none."""
        found = self.rows("journal.sqlite3", "SELECT body FROM drafts WHERE closed_at IS NULL")
        bodies = (json.loads(body) for (body,) in found)
        return next((body for body in bodies if body.get("orderReferenceNumber") == reference), {})

    def states(self, reference: str, kind: str = "submit") -> list[str]:
        """The states of what was sent of this reference."""
        question = "SELECT state FROM writes WHERE reference = ? AND kind = ? ORDER BY id"
        return [state for (state,) in self.rows("journal.sqlite3", question, reference, kind)]

    def wait_until_taken(self, reference: str, kind: str = "submit", times: int = 1) -> None:
        """Wait until the provider has taken what was sent of this reference, so often."""

        def taken() -> bool:
            found = self.states(reference, kind)
            return len(found) == times and set(found) <= {"accepted", "confirmed"}

        self.wait_for(taken, f"{kind} of {reference} taken {times} times")

    def sent(self, reference: str) -> dict[str, Any]:
        """What was last sent of this reference."""
        question = "SELECT payload FROM writes WHERE reference = ? AND kind = 'submit' ORDER BY id DESC LIMIT 1"
        [(payload,)] = self.rows("journal.sqlite3", question, reference)
        found: dict[str, Any] = json.loads(payload)
        return found

    # Its processes

    def processes(self) -> list[int]:
        """The processes of the program; Wine's own, which outlive every program, are none."""
        found = self._marked()
        return found if targets.target() != "windows" else [each for each in found if b"waybill" in _command(each)]

    def _marked(self) -> list[int]:
        wanted = f"{_MARK}={self._mark}".encode()
        running = (int(each.name) for each in Path("/proc").iterdir() if each.name.isdecimal())
        return [each for each in running if wanted in _read(each, "environ").split(b"\0") and not _is_dead(each)]


def _read(process: int, what: str) -> bytes:
    try:
        return Path(f"/proc/{process}/{what}").read_bytes()
    except OSError:  # it has ended, or is not ours
        return b""


def _command(process: int) -> bytes:
    return _read(process, "cmdline").lower()


def _state(stat: bytes) -> str:
    return stat.rpartition(b")")[2].strip()[:1].decode()


def _is_dead(process: int) -> bool:
    return _state(_read(process, "stat")) in ("", "Z", "X")


def _wants_processor(process: int) -> bool:
    try:
        threads = [each.name for each in Path(f"/proc/{process}/task").iterdir()]
    except OSError:
        return False
    return any(_state(_read(process, f"task/{each}/stat")) in _WORKING for each in threads)


@pytest.fixture
def hands(desktop: Desktop, tmp_path: Path) -> Iterator[Hands]:
    """Hands on a program with a fresh folder for its data."""
    made = Hands(desktop, tmp_path / "desk", tmp_path)
    yield made
    made.end_all()

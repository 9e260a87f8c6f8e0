"""Notices at a start that the run before did not come to its end, and why, as far as Python saw it.

While the program runs a small file says so; its proper end deletes the file. Python writes where a fatal fault of the
process happened (`faulthandler`) into a second file. So a file that is still there at the next start tells of a run
that broke off: it crashed if there is a trace, it never became usable if it says so itself. Only those two are failures
of the program. Otherwise somebody ended it, or the desktop or the computer went off under it. A run that was asked to
end has said so in the file and is not told of, however far it came: a system that shuts down does not wait.

Invariant: a report holds lines of the program and no path, so no name of a person (`clean_trace`).
"""

import contextlib
import faulthandler
import json
import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO

from app.version import VERSION

MANY = 2  # failures in a row after which a start is a safe one
_RUN, _TRACE = "run.json", "fatal.txt"
_LONGEST = 20_000  # characters of a trace
_FRAME = re.compile(r'^\s+File "(.+)", line (\d+) in (.+)$')
_PLAIN = re.compile(
    r"^(Fatal Python error: [\w ,:()'-]+|Windows fatal exception: [\w :]+|(Current t|T)hread 0x[0-9a-f]+ .*"
    r"|Stack \(most recent call first\):|\s+(<no Python frame>|Garbage-collecting)|Extension modules: [\w., ():]+)$"
)
_THREAD = re.compile(r"^((?:Current t|T)hread 0x[0-9a-f]+) .*$")  # a thread's name may be anything


@dataclass(frozen=True, slots=True)
class Failure:
    """How the run before failed: when it began, of which version it was, and the trace, empty if there is none."""

    began: str
    version: str
    trace: str


class CrashWatch:
    """The watch over this run, of the owner of the data folder alone. Without its files it watches nothing."""

    def __init__(self, folder: Path) -> None:
        self._run, self._trace = folder / _RUN, folder / _TRACE
        self._file: IO[str] | None = None
        self._facts: dict[str, object] = {}
        self._keeps_note = False
        self.failure: Failure | None = None  # of the run before
        self.broken_off = False  # the run before neither failed nor was asked to end
        self.in_a_row = 0

    def begin(self) -> None:
        """Look how the run before ended, and watch this one."""
        before = _read(self._run)
        if before is not None:
            trace = _cleaned(self._trace)
            if trace or before.get("usable") is False:
                self.failure = Failure(_text(before, "began"), _text(before, "version"), trace)
                self.in_a_row = _count(before) + 1
            else:
                self.broken_off = before.get("ending") is not True
        self._facts = {
            "began": f"{datetime.now():%Y-%m-%d %H:%M}", "version": VERSION, "usable": False, "failures": self.in_a_row,
        }  # fmt: skip
        self._note()
        with contextlib.suppress(OSError):  # a disk that is full: the rest works without a trace
            self._file = self._trace.open("w", encoding="utf-8")
            faulthandler.enable(self._file)

    def usable(self) -> None:
        """The window has been painted and takes keys."""
        self._facts["usable"] = True
        self._note()

    def ending(self) -> None:
        """This run was asked to end: by a person, by a signal, or as the session ends."""
        self._facts["ending"] = True
        self._note()

    def stumbled(self) -> None:
        """This run ends with a mistake of its own, which a person was told: a start that does counts as a failure."""
        self._keeps_note = True
        self.ending()

    def broke_off(self) -> None:
        """This run ends because the display is gone."""
        self._keeps_note = True

    def end(self) -> None:
        """This run has come to its end."""
        if self._file is not None:
            # Before the file is closed: a crash would be written into whatever file gets its descriptor next.
            faulthandler.disable()
            self._file.close()
            self._file = None
        if self._keeps_note:
            return
        for each in (self._run, self._trace):
            with contextlib.suppress(OSError):
                each.unlink(missing_ok=True)

    def _note(self) -> None:
        # Written beside it and moved: a power cut leaves the old file or the new one.
        beside = self._run.with_suffix(".new")
        with contextlib.suppress(OSError):
            beside.write_text(json.dumps(self._facts), encoding="utf-8")
            beside.replace(self._run)


def clean_trace(text: str) -> str:
    """The lines of a trace that are known here, each file by its last part. Any other line might name somebody."""
    lines = []
    for line in text[:_LONGEST].splitlines():
        if found := _FRAME.match(line):
            lines.append(f"  {place(found[1])}:{found[2]} in {found[3]}")
        elif _PLAIN.match(line):
            lines.append(_THREAD.sub(r"\1", line))
    return "\n".join(lines)


def place(filename: str) -> str:
    """The file's path below `app/`, or the last two parts of another path: a whole path names the user."""
    _, ours, below = filename.replace("\\", "/").rpartition("/app/")
    return below if ours else "/".join(below.split("/")[-2:])


def _cleaned(trace: Path) -> str:
    try:
        return clean_trace(trace.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return ""


def _read(run: Path) -> dict[str, object] | None:
    """The note of the run before; None if that run ended properly. A file that cannot be read counts as a note."""
    try:
        found = json.loads(run.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _text(facts: dict[str, object], name: str) -> str:
    found = facts.get(name)
    return re.sub(r"[^\w .:-]", "", found)[:40] if isinstance(found, str) else ""


def _count(facts: dict[str, object]) -> int:
    found = facts.get("failures")
    return max(0, found) if isinstance(found, int) else 0

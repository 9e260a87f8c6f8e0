"""Asks the process that prints through Qt (`qt_printer`), and never waits for it longer than it may take.

Everything here blocks, on a thread beside the window, and lets the other threads go on meanwhile.
"""

import json
import os
import pickle
import queue
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Thread
from typing import Any

from app.desk.files.stoppable_work import Progress, Stopped
from app.desk.printing.page_marks import Page
from app.ui.printing.painting.page_output import PrintTrouble

NAMES_PATIENCE_S = 10.0
PAGE_PATIENCE_S = 60.0
_LOOK_S = 0.1
SILENT_NAMES = (
    "The print system of this computer does not answer, so its printers are not known. A PDF can be saved all the same."
)
_UNKNOWN_NAMES = "Which printers there are could not be found out. A PDF can be saved all the same."


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be printed, where; without a name it is asked which printers there are."""

    name: str = ""
    title: str = ""
    pages: tuple[Page, ...] = ()


class Silent(Exception):
    """It did not answer in time, and was ended."""


class _Ended(Exception):
    """It has ended without an answer."""


def printing_command() -> list[str]:
    """How the process is started, from source or from the packed program."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "--printing-process"]
    return [sys.executable, "-m", "app.ui.printing.printers.qt_printer"]


def names(progress: Progress) -> list[str]:
    """The printers that Qt knows, the usual one first. Raises `Stopped` or `PrintTrouble`."""
    try:
        with _asked(Job()) as replies:
            return [str(each) for each in _reply(replies, progress, NAMES_PATIENCE_S)["names"]]
    except Silent as silent:
        raise PrintTrouble(SILENT_NAMES) from silent
    except _Ended as ended:
        raise PrintTrouble(
            "Which printers there are could not be found out. A PDF can be saved all the same."
        ) from ended


def send(pages: Iterable[Page], name: str, title: str, progress: Progress) -> None:
    """Print the pages at their real size. Raises `Stopped`, and nothing is printed, or `PrintTrouble`.

    All is laid out before the first page is handed over, which is the shorter part: a spooler prints what it was given
    when somebody stops in between.
    """
    laid_out = []
    for page in pages:
        progress.checkpoint()
        laid_out.append(page)
        progress.done += 1
    progress.checkpoint()
    progress.handed_over, progress.done = True, 0
    look = f"Look whether anything was printed by {name}."
    try:
        with _asked(Job(name, title, tuple(laid_out))) as replies:
            while not (reply := _reply(replies, progress, PAGE_PATIENCE_S)).get("printed"):
                if "trouble" in reply:
                    raise PrintTrouble(str(reply["trouble"]))
                progress.done = int(reply["done"])
    except Silent as silent:
        raise PrintTrouble(f"The printer {name} does not answer. {look}") from silent
    except _Ended as ended:
        raise PrintTrouble(f"Printing ended before all was handed over. {look}") from ended


Replies = queue.SimpleQueue[bytes]


@contextmanager
def _asked(job: Job) -> Iterator[Replies]:
    """The lines of a process that does this job; it is ended with the block, whatever it does."""
    surroundings = dict(os.environ)
    if sys.platform != "win32":
        surroundings["QT_QPA_PLATFORM"] = "offscreen"  # it shows nothing, and needs no display
    process = subprocess.Popen(
        printing_command(),
        env=surroundings,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    replies: Replies = queue.SimpleQueue()
    talking = Thread(target=_talk, args=(process, pickle.dumps(job), replies), name="printing")
    talking.start()
    try:
        yield replies
    finally:
        process.kill()
        talking.join()
        process.wait()


def _talk(process: "subprocess.Popen[bytes]", job: bytes, replies: Replies) -> None:
    """Hand the job over and pass on what comes: both may block until the process is ended."""
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(OSError), process.stdin:
        process.stdin.write(job)
    with process.stdout:
        for line in process.stdout:
            replies.put(line)
    replies.put(b"")


def _reply(replies: Replies, progress: Progress, patience: float) -> dict[str, Any]:
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        if progress.stop and not progress.handed_over:
            raise Stopped
        with suppress(queue.Empty):
            line = replies.get(timeout=_LOOK_S)
            if not line:
                raise _Ended
            reply = json.loads(line)
            assert isinstance(reply, dict)
            return reply
    raise Silent

"""Talks to the process that prints through Qt (`qt_printer`), with a limit on each wait.

Everything here blocks and runs on a thread of its own. It waits without Python's lock, so the window goes on.
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
from app.own_processes import child_command
from app.ui.printing import printing_words as words
from app.ui.printing.painting.page_output import PrintTrouble

NAMES_PATIENCE_S = 10.0
PAGE_PATIENCE_S = 60.0
_LOOK_S = 0.1  # how soon a stop is noticed
_END_S = 5.0  # for a process that was killed to be gone; one that hangs in a driver may take longer


@dataclass(frozen=True, slots=True)
class Job:
    """Pages for the printer of this name. Without a name the process is asked for the printers there are."""

    name: str = ""
    title: str = ""
    pages: tuple[Page, ...] = ()


class Silent(Exception):
    """The process did not answer in time, and was killed."""


class _Ended(Exception):
    """The process ended without an answer."""


def printing_command() -> list[str]:
    """The command that starts the process, from source or from the packed program."""
    return child_command("--printing-process", "app.ui.printing.printers.qt_printer")


def names(progress: Progress) -> list[str]:
    """The printers that Qt knows, the usual one first. Raises `Stopped` or `PrintTrouble`."""
    try:
        with _asked(Job()) as replies:
            return [str(each) for each in _reply(replies, progress, NAMES_PATIENCE_S)["names"]]
    except Silent as silent:
        raise PrintTrouble(words.PRINTERS_SILENT) from silent
    except _Ended as ended:
        raise PrintTrouble(words.PRINTERS_UNKNOWN) from ended


def send(pages: Iterable[Page], name: str, title: str, progress: Progress) -> None:
    """Print the pages at their real size. Raises `Stopped`, and nothing is printed, or `PrintTrouble`.

    Stopping works until the first page is handed over: a spooler prints what it was given. So all pages are laid out
    before, which takes longer than handing them over.
    """
    laid_out = []
    for page in pages:
        progress.checkpoint()
        laid_out.append(page)
        progress.done += 1
    progress.checkpoint()
    progress.handed_over, progress.done = True, 0
    try:
        with _asked(Job(name, title, tuple(laid_out))) as replies:
            while not (reply := _reply(replies, progress, PAGE_PATIENCE_S)).get("printed"):
                if "trouble" in reply:
                    raise PrintTrouble(str(reply["trouble"]))
                progress.done = int(reply["done"])
    except Silent as silent:
        raise PrintTrouble(words.printer_silent(name)) from silent
    except _Ended as ended:
        raise PrintTrouble(words.printing_ended(name)) from ended


Replies = queue.SimpleQueue[bytes]


@contextmanager
def _asked(job: Job) -> Iterator[Replies]:
    """The replies of a process that does this job. The process is killed at the end of the block."""
    surroundings = dict(os.environ)
    if sys.platform != "win32":
        surroundings["QT_QPA_PLATFORM"] = "offscreen"  # it shows nothing, and needs no display
    process = subprocess.Popen(
        printing_command(),
        env=surroundings,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        # A pipe that nobody reads would fill, and the process would wait for a reader.
        stderr=subprocess.DEVNULL,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    replies: Replies = queue.SimpleQueue()
    # A daemon: it may be left waiting for a process that the system does not end.
    talking = Thread(target=_talk, args=(process, pickle.dumps(job), replies), name="printing", daemon=True)
    talking.start()
    try:
        yield replies
    finally:
        process.kill()
        talking.join(_END_S)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_END_S)


def _talk(process: "subprocess.Popen[bytes]", job: bytes, replies: Replies) -> None:
    """Hand the job over and queue each reply. Both may block until the process is killed, and longer."""
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(OSError), process.stdin:
        process.stdin.write(job)
    with process.stdout:
        for line in process.stdout:
            replies.put(line)
    # The end: no reply is empty.
    replies.put(b"")
    process.wait()


def _reply(replies: Replies, progress: Progress, patience: float) -> dict[str, Any]:
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        # Pages that the spooler may have are waited for: after a stop nobody would know whether they were printed.
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

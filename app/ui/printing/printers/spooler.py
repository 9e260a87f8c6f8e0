"""Printing by the system's own commands, `lpstat` and `lp`, where there are any (Linux, macOS).

Qt would ask the spooler itself, and PySide holds Python's lock while Qt waits: a print server that does not answer
would stop the window. A command is waited for without the lock. It is handed the same PDF that a person could save.
"""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from app.desk.files.stoppable_work import Progress
from app.desk.printing.page_marks import Page
from app.desk.printing.stock import PAPERS
from app.ui.printing import printing_words as words
from app.ui.printing.painting.page_output import PrintTrouble, save_pdf
from app.ui.printing.printers.qt_printing import NAMES_PATIENCE_S

_PATIENCE_S = 60.0
_LOOK_S = 0.1  # how soon a stop is noticed
_DEFAULT = "system default destination: "


def is_there() -> bool:
    """Whether this system prints by commands."""
    return shutil.which("lp") is not None and shutil.which("lpstat") is not None


def names(progress: Progress) -> list[str]:
    """The printers of this computer, the default one first; none if the spooler refuses to say.

    Raises `Stopped`, or `PrintTrouble` if the spooler does not answer.
    """
    try:
        usual = _asked("-d", progress).removeprefix(_DEFAULT).strip()
        # "-e" also names the printers that the network offers and nobody has set up.
        found = _asked("-e", progress).split()
    except subprocess.TimeoutExpired as error:
        raise PrintTrouble(words.PRINTERS_SILENT) from error
    return sorted(found, key=lambda name: (name != usual, name.casefold()))


def _asked(question: str, progress: Progress) -> str:
    try:
        done = _run(["lpstat", question], NAMES_PATIENCE_S, progress)
    except OSError:
        return ""
    return done.stdout if done.returncode == 0 else ""


def send(pages: Iterable[Page], name: str, title: str, progress: Progress) -> None:
    """Print the pages at their real size. Raises `Stopped`, and nothing is printed, or `PrintTrouble`."""
    with tempfile.TemporaryDirectory(prefix="waybill-print-") as folder:
        target = Path(folder) / "print.pdf"
        size: list[tuple[float, float]] = []
        save_pdf(_noting(pages, size), target, title, progress)
        progress.checkpoint()
        # Before the command runs: stopped half-way it may have handed the pages over, and "stopped" would not be true.
        progress.handed_over = True
        media = f"media={_media(*size[0])}"
        try:
            # Not scaled: a printer that shrinks a page to its own margins shrinks the bars of a label with it.
            command = ["lp", "-d", name, "-t", title, "-o", media, "-o", "print-scaling=none", "--", str(target)]
            done = _run(command, _PATIENCE_S, progress)
        except subprocess.TimeoutExpired as error:
            raise PrintTrouble(words.printer_silent(name)) from error
        except OSError as error:
            raise PrintTrouble(words.command_failed(name, error.strerror or str(error))) from error
    if done.returncode != 0:
        reason = done.stderr.strip().removeprefix("lp: ").rstrip(".") or words.REFUSED_BY_SPOOLER
        raise PrintTrouble(words.not_printed(name, reason))


def _media(width: float, height: float) -> str:
    """The name of the paper where it has one: a printer finds its tray by the name."""
    named = {size: name for name, size in PAPERS.values()}
    return named.get((width, height), f"Custom.{width:g}x{height:g}mm")


def _noting(pages: Iterable[Page], size: list[tuple[float, float]]) -> Iterable[Page]:
    for page in pages:
        size.append((page.width, page.height))
        yield page


def _run(command: list[str], patience: float, progress: Progress) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end. Raises `TimeoutExpired` after `patience` seconds, and `Stopped`; both kill it."""
    surroundings = {**os.environ, "LC_ALL": "C"}  # the output that is parsed is in English
    pipe = subprocess.PIPE
    deadline = time.monotonic() + patience
    with subprocess.Popen(
        command, env=surroundings, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True, errors="replace"
    ) as process:
        try:
            while True:
                progress.checkpoint()
                try:
                    # Asked again after each timeout, it loses nothing of what it has read.
                    said, complained = process.communicate(timeout=_LOOK_S)
                except subprocess.TimeoutExpired:
                    if time.monotonic() > deadline:
                        raise
                else:
                    return subprocess.CompletedProcess(command, process.returncode, said, complained)
        except BaseException:
            process.kill()
            raise

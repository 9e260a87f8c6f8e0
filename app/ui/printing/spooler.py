"""Printing by the system's own commands, `lpstat` and `lp`, where there are any (Linux, macOS).

Qt asks the spooler itself, and PySide holds Python's lock while it waits: a print server that does not answer would
stop the window. A command is waited for without the lock, and is handed the very PDF that would be saved.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from app.desk.aside import Progress
from app.desk.printing.marks import Page
from app.desk.printing.stock import PAPERS
from app.ui.printing.jobs import PrintTrouble, save_pdf

_PATIENCE_S = 60.0
_DEFAULT = "system default destination: "


def is_there() -> bool:
    """Whether this system prints by commands."""
    return shutil.which("lp") is not None and shutil.which("lpstat") is not None


def names() -> list[str]:
    """The printers of this computer, the usual one first; none when the spooler says nothing."""
    usual = _asked("-d").removeprefix(_DEFAULT).strip()
    return sorted(_asked("-e").split(), key=lambda name: (name != usual, name.casefold()))


def _asked(question: str) -> str:
    try:
        done = _run(["lpstat", question])
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""


def send(pages: Iterable[Page], name: str, title: str, progress: Progress) -> None:
    """Print the pages at their real size. Raises `Stopped`, and nothing is printed, or `PrintTrouble`."""
    with tempfile.TemporaryDirectory(prefix="waybill-print-") as folder:
        target = Path(folder) / "print.pdf"
        size: list[tuple[float, float]] = []
        save_pdf(_noting(pages, size), target, title, progress)
        progress.look()
        progress.given = True
        media = f"media={_media(*size[0])}"
        try:
            done = _run(["lp", "-d", name, "-t", title, "-o", media, "-o", "print-scaling=none", "--", str(target)])
        except subprocess.TimeoutExpired as error:
            raise PrintTrouble(f"The printer {name} does not answer. Look whether anything was printed.") from error
        except OSError as error:
            raise PrintTrouble(f"{name} was given nothing: {error.strerror or error}.") from error
    if done.returncode != 0:
        reason = done.stderr.strip().removeprefix("lp: ").rstrip(".") or "the spooler refused it"
        raise PrintTrouble(f"Nothing was printed by {name}: {reason}.")


def _media(width: float, height: float) -> str:
    """The paper by its name where it has one: a printer knows its tray by that."""
    named = {size: name for name, size in PAPERS.values()}
    return named.get((width, height), f"Custom.{width:g}x{height:g}mm")


def _noting(pages: Iterable[Page], size: list[tuple[float, float]]) -> Iterable[Page]:
    for page in pages:
        size.append((page.width, page.height))
        yield page


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    surroundings = {**os.environ, "LC_ALL": "C"}  # what is read is in English
    return subprocess.run(
        command,
        env=surroundings,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=_PATIENCE_S,
        check=False,
    )

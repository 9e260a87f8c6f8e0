"""What is printed to: by the system's commands where there are any, otherwise through Qt (Windows)."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.desk.aside import Progress
from app.desk.printing.marks import Page
from app.ui.printing import jobs, spooler
from app.ui.printing.choose import chosen_pdf


def printer_names() -> list[str]:
    """The printers of this computer, the usual one first."""
    return spooler.names() if spooler.is_there() else jobs.printer_names()


def send(pages: Iterable[Page], name: str, title: str, progress: Progress) -> None:
    """Print the pages at their real size. Raises `Stopped` or `PrintTrouble`."""
    if spooler.is_there():
        spooler.send(pages, name, title, progress)
    else:
        jobs.send_to_printer(pages, name, title, progress)


@dataclass(frozen=True, slots=True)
class Devices:
    """The printers and files that the panel works with; a test brings its own."""

    names: Callable[[], list[str]] = printer_names
    send: Callable[[Iterable[Page], str, str, Progress], None] = send
    choose: Callable[[QWidget, str], Awaitable[Path | None]] = chosen_pdf

"""What is printed to: by the system's commands where there are any, otherwise through Qt in a process of its own."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.desk.files.stoppable_work import Progress
from app.desk.printing.page_marks import Page
from app.ui.printing.printers import qt_printing, spooler
from app.ui.widgets.files.choose_files import FileKind, chosen_file

_PDF = (FileKind("pdf", "PDF files", "pdf"),)


def printer_names(progress: Progress) -> list[str]:
    """The printers of this computer, the usual one first. Raises `Stopped`, or `PrintTrouble` when the print system
    does not say."""
    return spooler.names(progress) if spooler.is_there() else qt_printing.names(progress)


def send(pages: Iterable[Page], name: str, title: str, progress: Progress) -> None:
    """Print the pages at their real size. Raises `Stopped` or `PrintTrouble`."""
    if spooler.is_there():
        spooler.send(pages, name, title, progress)
    else:
        qt_printing.send(pages, name, title, progress)


async def chosen_pdf(parent: QWidget, file_name: str) -> Path | None:
    """The file to write, offered under `file_name`; None when nothing was chosen, or the one there is to stay."""
    chosen = await chosen_file(parent, "Save PDF", file_name.removesuffix(".pdf"), _PDF)
    return None if chosen is None else chosen.target


@dataclass(frozen=True, slots=True)
class Devices:
    """The printers and files that the panel works with; a test brings its own."""

    names: Callable[[Progress], list[str]] = printer_names
    send: Callable[[Iterable[Page], str, str, Progress], None] = send
    choose: Callable[[QWidget, str], Awaitable[Path | None]] = chosen_pdf

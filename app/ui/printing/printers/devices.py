"""The printers and the PDF file that the panel prints to.

The system's commands print where there are any; otherwise Qt does, in a process of its own.
"""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.desk.files.stoppable_work import Progress
from app.desk.printing.page_marks import Page
from app.translation import translate
from app.ui.printing.printers import qt_printing, spooler
from app.ui.widgets.files.choose_files import FileKind, chosen_file

_PDF = (FileKind("pdf", translate("PDF files"), "pdf"),)


def printer_names(progress: Progress) -> list[str]:
    """The printers of this computer, the default one first.

    Raises `Stopped`, or `PrintTrouble` if the print system does not answer.
    """
    return spooler.names(progress) if spooler.is_there() else qt_printing.names(progress)


def send(pages: Iterable[Page], name: str, title: str, progress: Progress) -> None:
    """Print the pages at their real size. Raises `Stopped` or `PrintTrouble`."""
    if spooler.is_there():
        spooler.send(pages, name, title, progress)
    else:
        qt_printing.send(pages, name, title, progress)


async def chosen_pdf(parent: QWidget, file_name: str) -> Path | None:
    """The file that a person chooses, offered under `file_name`; None if none was chosen."""
    chosen = await chosen_file(parent, translate("Save PDF"), file_name.removesuffix(".pdf"), _PDF)
    return None if chosen is None else chosen.target


@dataclass(frozen=True, slots=True)
class Devices:
    """The printers and files that the panel works with; a test brings its own."""

    names: Callable[[Progress], list[str]] = printer_names
    send: Callable[[Iterable[Page], str, str, Progress], None] = send
    choose: Callable[[QWidget, str], Awaitable[Path | None]] = chosen_pdf

"""Printing through Qt, as a process of its own (Windows, and any system without `lp`).

Qt waits for the print spooler inside its own calls, and PySide holds Python's lock meanwhile. Asked from any thread of
the window's process, a spooler that hangs would stop the window. `qt_printing` starts this process, waits for it
without the lock, and kills it when it takes too long. The process reads one `Job` from its standard input, does it,
and ends.
"""

import json
import pickle
import sys
from collections.abc import Callable, Iterable

from PySide6.QtGui import QGuiApplication
from PySide6.QtPrintSupport import QPrinter, QPrinterInfo

from app.desk.files.stoppable_work import Progress
from app.desk.printing.page_marks import Page
from app.ui.printing import printing_words as words
from app.ui.printing.painting.page_output import PrintTrouble, paint_all
from app.ui.printing.printers.qt_printing import Job


def printer_names() -> list[str]:
    """The printers of this computer, the usual one first."""
    usual = QPrinterInfo.defaultPrinterName()
    return sorted(QPrinterInfo.availablePrinterNames(), key=lambda name: (name != usual, name.casefold()))


def open_printer(name: str) -> QPrinter:
    """The printer of this name. Raises `PrintTrouble` when it is not there any more."""
    info = QPrinterInfo.printerInfo(name)
    if info.isNull():
        raise PrintTrouble(words.printer_gone(name))
    return QPrinter(info, QPrinter.PrinterMode.HighResolution)


def send_to_printer(
    pages: Iterable[Page],
    name: str,
    title: str,
    progress: Progress,
    open_it: Callable[[str], QPrinter] = open_printer,
    on_page: Callable[[], None] = lambda: None,
) -> None:
    """Print the pages at their real size; `on_page` is called after each page.

    Raises `Stopped`, and nothing is printed, or `PrintTrouble`.

    Stopping works until the first page is handed over: a spooler prints what it was given, and CUPS cannot call it
    off. So all pages are laid out before.
    """
    printer = open_it(name)
    laid_out = []
    for page in pages:
        progress.checkpoint()
        laid_out.append(page)
        progress.done += 1
    progress.handed_over, progress.done = True, 0
    printer.setDocName(title)
    printer.setCreator("Waybill")
    printer.setFullPage(True)
    try:
        paint_all(laid_out, printer, printer.resolution(), progress, on_page)
    except BaseException:
        printer.abort()
        raise
    if printer.printerState() == QPrinter.PrinterState.Error:
        raise PrintTrouble(words.printer_error(name))


def main() -> int:
    """Do the job of standard input. Each line of standard output is a JSON object with the progress or the result."""
    application = QGuiApplication([])  # type is set with its fonts
    job = pickle.load(sys.stdin.buffer)  # noqa: S301  # of the window that started this process
    assert isinstance(job, Job)
    if job.name:
        _print(job)
    else:
        _say(names=printer_names())
    del application
    return 0


def _print(job: Job) -> None:
    progress = Progress()
    try:
        send_to_printer(job.pages, job.name, job.title, progress, on_page=lambda: _say(done=progress.done + 1))
    except PrintTrouble as trouble:
        _say(trouble=trouble.sentence)
    else:
        _say(printed=True)


def _say(**said: object) -> None:
    print(json.dumps(said), flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())

"""Printing through Qt, as a process of its own (Windows, and any system without `lp`).

Qt waits for the print spooler inside its own calls, and PySide holds Python's lock meanwhile: asked from the window's
process, on whatever thread, a spooler that hangs would stop the window. `asking` starts this process, waits for it
without the lock, and ends it where it takes too long. It is asked one thing, on its standard input, and ends.
"""

import json
import pickle
import sys
from collections.abc import Callable, Iterable

from PySide6.QtGui import QGuiApplication
from PySide6.QtPrintSupport import QPrinter, QPrinterInfo

from app.desk.files.stoppable_work import Progress
from app.desk.printing.page_marks import Page
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
        raise PrintTrouble(f"The printer {name} is not there any more.")
    return QPrinter(info, QPrinter.PrinterMode.HighResolution)


def send_to_printer(
    pages: Iterable[Page],
    name: str,
    title: str,
    progress: Progress,
    open_it: Callable[[str], QPrinter] = open_printer,
    told: Callable[[], None] = lambda: None,
) -> None:
    """Print the pages at their real size; `told` is called after each. Raises `Stopped`, and nothing is printed, or
    `PrintTrouble`.

    All is laid out before the first page is handed over, which is the shorter part: a spooler prints what it was given
    when somebody stops in between (CUPS cannot call it off).
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
        paint_all(laid_out, printer, printer.resolution(), progress, told)
    except BaseException:
        printer.abort()
        raise
    if printer.printerState() == QPrinter.PrinterState.Error:
        raise PrintTrouble(f"The printer {name} reported an error. Look whether anything was printed.")


def main() -> int:
    """Do what standard input asks for; each line of standard output is a JSON object that says how it goes."""
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
        send_to_printer(job.pages, job.name, job.title, progress, told=lambda: _say(done=progress.done + 1))
    except PrintTrouble as trouble:
        _say(trouble=trouble.sentence)
    else:
        _say(printed=True)


def _say(**said: object) -> None:
    print(json.dumps(said), flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())

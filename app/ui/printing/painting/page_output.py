"""Printing as work that runs beside the window: into a PDF, or as a picture of one page.

A PDF is written beside its place and moved there when it is whole: what was there before stays until then. Everything
here is meant for a thread of its own; `Progress` is all it shares with the window.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

from PySide6.QtCore import QIODevice, QMarginsF, QSaveFile, QSizeF, Qt
from PySide6.QtGui import QImage, QPagedPaintDevice, QPageSize, QPainter, QPdfWriter

from app.desk.files.stoppable_work import Progress
from app.desk.printing.page_marks import Page, Photos
from app.ui.printing.painting.page_painter import paint

_PDF_DPI = 1200
_MM_PER_INCH = 25.4
_NO_FIRST_PAGE = "The first page could not be begun. Look whether the printer is switched on and connected."
_NO_PAGE = "A page could not be begun; those before it may have been printed."


class PrintTrouble(Exception):
    """It was not printed or not saved; `sentence` says why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


PhotosOf = Callable[[Page], Photos]


def _no_photos(_page: Page) -> Photos:
    return {}


def save_pdf(
    pages: Iterable[Page], target: Path, title: str, progress: Progress, photos_of: PhotosOf = _no_photos
) -> None:
    """Write the pages into `target`, with the photos that `photos_of` gives for each when its turn comes.

    Raises `PrintTrouble` or `Stopped`; then `target` is as it was.
    """
    file = QSaveFile(str(target))
    if not file.open(QIODevice.OpenModeFlag.WriteOnly):
        raise PrintTrouble(f"{target} could not be written: {_reason(file)}.")
    try:
        writer = QPdfWriter(file)
        writer.setTitle(title)
        writer.setCreator("Waybill")
        writer.setResolution(_PDF_DPI)
        paint_all(pages, writer, _PDF_DPI, progress, lambda: _still_writable(file, target), photos_of)
    except BaseException:
        file.cancelWriting()
        raise
    if not file.commit():
        raise PrintTrouble(f"{target} could not be written: {_reason(file)}. Nothing was saved.")


def _still_writable(file: QSaveFile, target: Path) -> None:
    if file.error() != QSaveFile.FileError.NoError:
        raise PrintTrouble(f"{target} could not be written: {_reason(file)}. Nothing was saved.")


def _reason(file: QSaveFile) -> str:
    return file.errorString().rstrip(".") or "the disk reported an error"


def picture(page: Page, dots_per_mm: float) -> QImage:
    """One page as it comes out of a printer that fine."""
    image = QImage(
        max(1, round(page.width * dots_per_mm)), max(1, round(page.height * dots_per_mm)), QImage.Format.Format_RGB32
    )
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.setRenderHints(QPainter.RenderHint.TextAntialiasing | QPainter.RenderHint.Antialiasing)
    paint(painter, page, dots_per_mm)
    painter.end()
    return image


def paint_all(
    pages: Iterable[Page],
    device: QPagedPaintDevice,
    dpi: int,
    progress: Progress,
    look: Callable[[], None],
    photos_of: PhotosOf = _no_photos,
) -> None:
    painter = QPainter()
    try:
        for page in pages:
            progress.checkpoint()
            photos = photos_of(page)
            begun = device.newPage() if painter.isActive() else _begin(painter, device, page)
            if not begun:
                raise PrintTrouble(_NO_PAGE if progress.done else _NO_FIRST_PAGE)
            paint(painter, page, dpi / _MM_PER_INCH, photos)
            look()
            progress.done += 1
    finally:
        if painter.isActive():
            painter.end()


def _begin(painter: QPainter, device: QPagedPaintDevice, page: Page) -> bool:
    """The paper is as large as the first page; the others are as large as that."""
    exact = QPageSize.SizeMatchPolicy.ExactMatch
    device.setPageSize(QPageSize(QSizeF(page.width, page.height), QPageSize.Unit.Millimeter, "", exact))
    device.setPageMargins(QMarginsF(0, 0, 0, 0))
    return painter.begin(device)

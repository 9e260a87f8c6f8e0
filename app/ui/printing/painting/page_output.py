"""Laid out pages as a PDF, on a printer, or as a picture of one page.

Invariant: a PDF replaces the file at its target only once it is complete. Everything here runs on a thread of its own;
`Progress` is all that it shares with the window.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

from PySide6.QtCore import QIODevice, QMarginsF, QSaveFile, QSizeF, Qt
from PySide6.QtGui import QImage, QPagedPaintDevice, QPageSize, QPainter, QPdfWriter

from app.desk.files.stoppable_work import Progress
from app.desk.printing.page_marks import Page, Photos
from app.ui.printing import printing_words as words
from app.ui.printing.painting.page_painter import paint

_PDF_DPI = 1200
_MM_PER_INCH = 25.4


class PrintTrouble(Exception):
    """Nothing was saved, or not all was printed; `sentence` says why."""

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
        raise PrintTrouble(words.not_opened(target, _reason(file)))
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
        raise PrintTrouble(words.not_written(target, _reason(file)))


def _still_writable(file: QSaveFile, target: Path) -> None:
    if file.error() != QSaveFile.FileError.NoError:
        raise PrintTrouble(words.not_written(target, _reason(file)))


def _reason(file: QSaveFile) -> str:
    return file.errorString().rstrip(".") or words.DISK_ERROR


def picture(page: Page, dots_per_mm: float) -> QImage:
    """One page as a printer of this fineness prints it."""
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
                raise PrintTrouble(words.PAGE_FAILED if progress.done else words.FIRST_PAGE_FAILED)
            paint(painter, page, dpi / _MM_PER_INCH, photos)
            # Painting says nothing of a full disk or of a printer that gave up, so the device is asked after each page.
            look()
            progress.done += 1
    finally:
        # A painter that was never begun complains about its end.
        if painter.isActive():
            painter.end()


def _begin(painter: QPainter, device: QPagedPaintDevice, page: Page) -> bool:
    """Begin painting on paper of the first page's size, which all pages of a job have."""
    exact = QPageSize.SizeMatchPolicy.ExactMatch
    device.setPageSize(QPageSize(QSizeF(page.width, page.height), QPageSize.Unit.Millimeter, "", exact))
    device.setPageMargins(QMarginsF(0, 0, 0, 0))
    return painter.begin(device)

"""A photo as a person left it, as a file: turned, with the drawings on it.

Invariant: a photo that nobody turned or drew on stays the file that the provider has, byte for byte.
"""

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QColor, QFont, QImage, QImageWriter, QPainter

from app.desk.audits.audit_reviews import PhotoReview
from app.desk.files.album import Album, Key, NoPicture
from app.desk.files.save_files import Fetch, Wanted
from app.desk.files.stoppable_work import Progress, in_thread
from app.desk.report.audit_reports import ReviewedPhoto
from app.imaging.pixels import Pixels
from app.ui.theme.tokens import LIGHT
from app.ui.viewer.look import Box, SizeF, turned_size
from app.ui.viewer.photo_marks import paint_marks
from app.ui.viewer.photo_painting import paint_image
from app.ui.viewer.viewer_words import NOT_DRAWN
from app.ui.widgets.picture import image_of

_SEEN_PX = 1_000  # of the longer side, where lines and words have the size that they have on a screen
_WORDS_PX = 16
_QUALITY = 92  # of the JPEG, from 0 to 100


def fetch_drawn(album: Album) -> Fetch:
    """Fetches photos as they were left: a JPEG of full size of each that was changed, all others as they are."""

    async def fetch(wanted: Wanted) -> bytes | NoPicture:
        review = wanted.review if isinstance(wanted, ReviewedPhoto) else PhotoReview()
        if not review.redrawn:
            return await album.contents(wanted.address)
        found = await album.picture_for_file(Key(wanted.address))
        if isinstance(found, NoPicture):
            return found
        # A thread of its own: a photo of full size takes a while to paint and to write.
        data = await in_thread(lambda: drawn_jpeg(found, review), Progress())
        return data or NoPicture(NOT_DRAWN, again=False)

    return fetch


def drawn_jpeg(pixels: Pixels, review: PhotoReview) -> bytes:
    """The photo as a JPEG, turned and drawn on; empty if it could not be written."""
    size = turned_size(SizeF(pixels.width, pixels.height), review.turned)
    image = QImage(round(size.width), round(size.height), QImage.Format.Format_RGB32)
    image.fill(QColor(LIGHT.surface))
    box = Box(0.0, 0.0, size.width, size.height)
    painter = QPainter(image)
    painter.save()
    paint_image(painter, image_of(pixels), box, review.turned)
    painter.restore()
    font = QFont(painter.font())
    font.setPixelSize(_WORDS_PX)
    painter.setFont(font)
    # As large beside the photo as on a screen that shows all of it, however many pixels it has.
    sharpness = max(max(size.width, size.height) / _SEEN_PX, 1.0)
    paint_marks(painter, review.marks, box, review.turned, QColor(LIGHT.bad), QColor(LIGHT.surface), sharpness)
    painter.end()
    kept = QByteArray()
    buffer = QBuffer(kept)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QImageWriter(buffer, QByteArray(b"jpeg"))
    writer.setQuality(_QUALITY)
    return bytes(kept.data()) if writer.write(image) else b""

"""A photo on paper: fitted into its room, turned, with what was drawn on it."""

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF
from PySide6.QtGui import QColor, QFont, QImage, QImageWriter, QPainter

from app.desk.printing.page_marks import Photograph
from app.desk.report.report_photos import is_small
from app.imaging.pixels import Pixels
from app.ui.theme.tokens import LIGHT
from app.ui.viewer.look import Box, Size, turned_size
from app.ui.viewer.photo_marks import paint_marks
from app.ui.viewer.photo_painting import paint_image
from app.ui.widgets.picture import image_of

_UNIT_MM = 0.25  # of what is drawn on a photo: its lines are three units thick
_WORDS_UNITS = 13  # how high words on a photo are set
_QUALITY = 85  # of a small photo, from 0 to 100


def place_of(mark: Photograph, photo: Pixels) -> Box:
    """Where the turned photo lies: as large as its room allows."""
    size = turned_size(Size(photo.width, photo.height), mark.turned)
    scale = min(mark.width / size.width, mark.height / size.height)
    return Box(mark.x, mark.y, size.width * scale, size.height * scale)


def paint_pixels(painter: QPainter, mark: Photograph, photo: Pixels) -> None:
    """Paint it in millimetres, into the left of its room and from the top of it on."""
    box = place_of(mark, photo)
    painter.save()
    image = _opaque(photo)
    paint_image(painter, _light(image) if is_small(mark) else image, box, mark.turned)
    painter.restore()
    painter.save()
    painter.setClipRect(QRectF(*box))
    painter.translate(box.left, box.top)
    painter.scale(_UNIT_MM, _UNIT_MM)
    font = QFont(painter.font())
    font.setPixelSize(_WORDS_UNITS)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    painter.setFont(font)
    inner = Box(0.0, 0.0, box.width / _UNIT_MM, box.height / _UNIT_MM)
    paint_marks(painter, mark.drawn, inner, mark.turned, QColor(LIGHT.bad), QColor(LIGHT.surface))
    painter.restore()


def _opaque(photo: Pixels) -> QImage:
    """On white where one can see through it: a PDF keeps only what is opaque as small as a photo should be."""
    image = image_of(photo)
    if not photo.alpha:
        return image
    ground = QImage(photo.width, photo.height, QImage.Format.Format_RGB32)
    ground.fill(QColor(LIGHT.surface))
    painter = QPainter(ground)
    painter.drawImage(0, 0, image)
    painter.end()
    return ground


def _light(image: QImage) -> QImage:
    """What a JPEG of usual quality keeps of it. Qt makes one of the highest out of whatever is painted into a PDF, and
    that has a third less to hold then."""
    kept = QByteArray()
    buffer = QBuffer(kept)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QImageWriter(buffer, QByteArray(b"jpeg"))
    writer.setQuality(_QUALITY)
    writer.write(image)
    lighter = QImage.fromData(kept)
    return image if lighter.isNull() else lighter

"""Paints laid out pages onto any QPainter device, and measures type alike for all of them.

Type is set at one large size and scaled by the painter. Its width is then equal on a screen, in a PDF and on a label
printer, so text that was laid out for one of them fits on the others.
"""

from functools import lru_cache

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetricsF, QImage, QImageWriter, QPainter, QPen

from app.desk.printing.page_marks import Band, Bars, Block, Ink, Line, Page, Photograph, Photos, Style, Words
from app.desk.printing.text_fitting import wrapped
from app.desk.report.report_photos import is_small
from app.imaging.pixels import Pixels
from app.ui.theme.tokens import LIGHT
from app.ui.viewer.look import Box, SizeF, turned_size
from app.ui.viewer.photo_marks import paint_marks
from app.ui.viewer.photo_painting import paint_image
from app.ui.widgets.picture import image_of
from app.ui.widgets.text.labels import visible
from app.ui.widgets.widget_words import CUT_OFF

_SET_AT = 100  # pixels: the size at which type is set and measured
_HAIRLINE_MM = 0.2
_SAME = 0.005  # a share: 203 and 203.2 dots to the inch differ by 0.001
_INKS: dict[Ink, str] = {
    "ink": LIGHT.ink,
    "soft": LIGHT.ink_soft,
    "practice": LIGHT.on_practice,
    "good": LIGHT.good,
    "warn": LIGHT.warn,
    "bad": LIGHT.bad,
}
_NO_PHOTOS: Photos = {}
_NO_PHOTO = Style(3.0, ink="soft")
_PAD_MM = 2.0


@lru_cache(maxsize=4)
def _font(bold: bool, mono: bool) -> QFont:
    font = QFontDatabase.systemFont(
        QFontDatabase.SystemFont.FixedFont if mono else QFontDatabase.SystemFont.GeneralFont
    )
    font.setPixelSize(_SET_AT)
    font.setBold(bold)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    font.setStyleStrategy(QFont.StyleStrategy.ForceOutline)
    return font


@lru_cache(maxsize=4)
def _metrics(bold: bool, mono: bool) -> QFontMetricsF:
    return QFontMetricsF(_font(bold, mono))


class TypeRuler:
    """Measures the type that is painted."""

    def shown(self, text: str) -> str:
        """The text with its hidden characters made visible."""
        return visible(text)

    def width(self, text: str, style: Style) -> float:
        """How wide a line of text is, in mm."""
        return _metrics(style.bold, style.mono).horizontalAdvance(text) * style.size / _SET_AT


def paint(painter: QPainter, page: Page, dots_per_mm: float, photos: Photos = _NO_PHOTOS) -> None:
    """Paint a page from the painter's own corner on; `photos` holds those that stand on it."""
    painter.save()
    painter.scale(dots_per_mm, dots_per_mm)
    for block in page.blocks:
        painter.save()
        painter.translate(block.x, block.y)
        if block.turned:
            painter.rotate(90)
        _paint_block(painter, block, dots_per_mm, photos)
        painter.restore()
    painter.restore()


def _paint_block(painter: QPainter, block: Block, dots_per_mm: float, photos: Photos) -> None:
    for mark in block.marks:
        if isinstance(mark, Words):
            _paint_words(painter, mark)
        elif isinstance(mark, Bars):
            _paint_bars(painter, mark, dots_per_mm)
        elif isinstance(mark, Line):
            painter.fillRect(QRectF(mark.x, mark.y, mark.width, _HAIRLINE_MM), QColor(LIGHT.ink_soft))
        elif isinstance(mark, Band):
            painter.fillRect(QRectF(mark.x, mark.y, mark.width, mark.height), QColor(LIGHT.practice))
        elif isinstance(mark, Photograph):
            _paint_photograph(painter, mark, photos.get(mark, ""))


def _paint_words(painter: QPainter, words: Words) -> None:
    style = words.style
    painter.save()
    painter.translate(words.x, words.y)
    painter.scale(style.size / _SET_AT, style.size / _SET_AT)
    painter.setFont(_font(style.bold, style.mono))
    painter.setPen(QColor(_INKS[style.ink]))
    painter.drawText(QPointF(0, 0), words.text)
    painter.restore()


def _paint_photograph(painter: QPainter, mark: Photograph, photo: Pixels | str) -> None:
    """The photo, or a frame of its size with the reason why there is none."""
    if not isinstance(photo, str):
        paint_pixels(painter, mark, photo)
        if photo.facts.cut_off:
            box = place_of(mark, photo)
            _paint_lines(painter, CUT_OFF, box.left, box.top + box.height - 2 * _NO_PHOTO.line, box.width)
        return
    painter.save()
    painter.setPen(QPen(QColor(LIGHT.ink_soft), _HAIRLINE_MM))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(QRectF(mark.x, mark.y, mark.width, mark.height))
    painter.restore()
    _paint_lines(painter, photo, mark.x, mark.y, mark.width)


def _paint_lines(painter: QPainter, text: str, x: float, y: float, width: float) -> None:
    """A sentence on white."""
    lines = wrapped(visible(text), width - 2 * _PAD_MM, _NO_PHOTO, TypeRuler())
    painter.fillRect(
        QRectF(x + _PAD_MM / 2, y + _PAD_MM / 2, width - _PAD_MM, len(lines) * _NO_PHOTO.line + _PAD_MM / 2),
        QColor(LIGHT.surface),
    )
    for at, line in enumerate(lines):
        _paint_words(painter, Words(x + _PAD_MM, y + _PAD_MM + (at + 0.7) * _NO_PHOTO.line, line, _NO_PHOTO))


def _paint_bars(painter: QPainter, bars: Bars, dots_per_mm: float) -> None:
    """Paint bars in pure black with hard edges: a scanner reads widths, and a grey edge has none."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(Qt.GlobalColor.black)
    start, module = _on_dots(bars, dots_per_mm)
    black, at = [], 0
    for place, width in enumerate(bars.widths):
        if place % 2 == 0:
            black.append(QRectF(start + at * module, bars.y, width * module, bars.height))
        at += width
    painter.drawRects(black)
    painter.restore()


def _on_dots(bars: Bars, dots_per_mm: float) -> tuple[float, float]:
    """The start of the bars and the width of a module, in whole dots.

    A printer of 203 dots to the inch has 203.2, or says so. Over a long barcode the difference adds up to a dot, and
    one bar would be half as wide as it should be.
    """
    dots = bars.module * dots_per_mm
    whole = round(dots)
    if not whole or abs(dots - whole) > _SAME * whole:
        return bars.x, bars.module
    return round(bars.x * dots_per_mm) / dots_per_mm, whole / dots_per_mm


_UNIT_MM = 0.25  # the unit of marks on a photo, whose lines are three units thick
_WORDS_UNITS = 13  # the height of the type of marks
_QUALITY = 85  # JPEG quality of a small photo, from 0 to 100


def place_of(mark: Photograph, photo: Pixels) -> Box:
    """Where the turned photo lies: as large as its room allows."""
    size = turned_size(SizeF(photo.width, photo.height), mark.turned)
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
    """The photo on a white ground: Qt stores a photo with transparency in a PDF uncompressed."""
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
    """The photo after a JPEG of usual quality. Qt stores each photo of a PDF as a JPEG of the highest quality, which is
    a third smaller if the photo was simplified before."""
    kept = QByteArray()
    buffer = QBuffer(kept)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QImageWriter(buffer, QByteArray(b"jpeg"))
    writer.setQuality(_QUALITY)
    writer.write(image)
    lighter = QImage.fromData(kept)
    return image if lighter.isNull() else lighter

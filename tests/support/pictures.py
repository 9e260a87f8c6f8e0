"""Pictures of every kind the program reads, made by Pillow and by Qt, and Qt's reading of them as a second opinion."""

import io
import struct
from collections.abc import Callable, Iterator

from PIL import Image
from PySide6.QtCore import QBuffer, QByteArray, QMarginsF, QRectF, QSizeF
from PySide6.QtGui import QColor, QColorSpace, QImage, QImageReader, QImageWriter, QPageSize, QPainter, QPdfWriter

Pixel = tuple[int, int, int, int]  # blue, green, red, what lies over the ground
Rows = list[list[Pixel]]
CHART = (48, 32)
_ADOBE = b"\xff\xee\x00\x0eAdobe"


def chart(mode: str = "RGB", size: tuple[int, int] = CHART) -> Image.Image:
    """No two places of the picture look alike, and it changes nowhere abruptly: a turn or a shift shows."""
    width, height = size
    across = Image.linear_gradient("L").rotate(90).resize(size)
    down = Image.linear_gradient("L").resize(size)
    round_it = Image.radial_gradient("L").resize(size)
    image = Image.merge("RGB", (across, down, round_it))
    if mode in ("RGBA", "LA"):
        image.putalpha(Image.linear_gradient("L").transpose(Image.Transpose.FLIP_TOP_BOTTOM).resize((width, height)))
    return image.convert(mode)


def saved(image: Image.Image, kind: str, **how: object) -> bytes:
    """The bytes of a file of this kind."""
    file = io.BytesIO()
    image.save(file, kind, **how)
    return file.getvalue()


def held(orientation: int) -> Image.Exif:
    """The EXIF record of a camera that was held this way."""
    record = Image.Exif()
    record[0x0112] = orientation
    return record


def without_adobe(photo: bytes) -> bytes:
    """A JPEG of four inks that does not say it is Adobe's."""
    at = photo.index(_ADOBE)
    return photo[:at] + photo[at + 16 :]


def saved_by_qt(image: QImage, kind: str) -> bytes:
    """The bytes of a file as Qt writes it; sixteen bits stay sixteen, four inks stay four."""
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    writer = QImageWriter(buffer, QByteArray(kind.encode()))
    writer.setQuality(95)
    assert writer.write(image), writer.errorString()
    return bytes(buffer.data().data())


def qt_chart(form: QImage.Format, size: tuple[int, int] = CHART) -> QImage:
    """The chart in one of Qt's formats."""
    data = chart("RGBA" if QImage(1, 1, form).hasAlphaChannel() else "RGB", size).convert("RGBA").tobytes()
    return QImage(data, *size, size[0] * 4, QImage.Format.Format_RGBA8888).convertToFormat(form)


def in_colours_of(space: QColorSpace.NamedColorSpace) -> QImage:
    """The chart's numbers meant in another space of colours."""
    image = qt_chart(QImage.Format.Format_RGB32)
    image.setColorSpace(QColorSpace(space))
    return image


def read_by_qt(data: bytes, kind: str) -> Rows:
    """The stored picture, not turned, in the screen's colours."""
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    buffer.open(QBuffer.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(kind.encode()))
    reader.setAutoTransform(False)
    image = reader.read()
    assert not image.isNull(), reader.errorString()
    if image.colorSpace().isValid() and image.colorSpace() != QColorSpace(QColorSpace.NamedColorSpace.SRgb):
        image.convertToColorSpace(QColorSpace(QColorSpace.NamedColorSpace.SRgb))
    alpha = image.hasAlphaChannel()
    form = QImage.Format.Format_ARGB32_Premultiplied if alpha else QImage.Format.Format_RGB32
    image = image.convertToFormat(form)
    return rows_of(bytes(image.constBits()), image.width(), image.height())


def rows_of(data: bytes, width: int, height: int) -> Rows:
    """Pixels as numbers."""
    found = list(struct.iter_unpack("4B", data))
    assert len(found) == width * height
    return [found[row * width : (row + 1) * width] for row in range(height)]


# EXIF: which side of the picture the first row and the first column of the file are. What stands at (x, y) of the
# upright picture of the width w and height h stands in the file at (row, column):
PLACES: dict[int, Callable[[int, int, int, int], tuple[int, int]]] = {
    1: lambda x, y, w, h: (y, x),
    2: lambda x, y, w, h: (y, w - 1 - x),
    3: lambda x, y, w, h: (h - 1 - y, w - 1 - x),
    4: lambda x, y, w, h: (h - 1 - y, x),
    5: lambda x, y, w, h: (x, y),
    6: lambda x, y, w, h: (w - 1 - x, y),
    7: lambda x, y, w, h: (w - 1 - x, h - 1 - y),
    8: lambda x, y, w, h: (x, h - 1 - y),
}


def upright(stored: Rows, orientation: int) -> Rows:
    """The upright picture, by EXIF's own definition."""
    height, width = len(stored), len(stored[0])
    if orientation >= 5:
        width, height = height, width
    place = PLACES[orientation]
    found = []
    for y in range(height):
        places = [place(x, y, width, height) for x in range(width)]
        found.append([stored[row][column] for row, column in places])
    return found


def differences(one: Rows, other: Rows) -> Iterator[int]:
    """How far each number of one picture is from the other's."""
    assert (len(one), len(one[0])) == (len(other), len(other[0]))
    for our_row, their_row in zip(one, other, strict=True):
        for ours, theirs in zip(our_row, their_row, strict=True):
            yield from (abs(mine - yours) for mine, yours in zip(ours, theirs, strict=True))


PAPER = (160, 90)  # points
PATCHES: tuple[tuple[QRectF, str], ...] = (
    (QRectF(0, 0, 40, 30), "#d02030"),
    (QRectF(120, 0, 40, 30), "#20a040"),
    (QRectF(0, 60, 40, 30), "#2040c0"),
    (QRectF(60, 40, 10, 5), "#000000"),
)


def pdf(pages: int = 1) -> bytes:
    """A document with patches of colour at known places; each page has one less of them."""
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(72)
    writer.setPageSize(QPageSize(QSizeF(*PAPER), QPageSize.Unit.Point))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    painter = QPainter(writer)
    for number in range(pages):
        if number:
            writer.newPage()
        for place, colour in PATCHES[number:]:
            painter.fillRect(place, QColor(colour))
    painter.end()
    return bytes(buffer.data().data())

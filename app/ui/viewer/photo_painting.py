"""Paints a photo: turned, one to one where it can be, through the loupe, small in a corner, and in another light.

Brightness and contrast use the painter's own arithmetic: each colour becomes `factor * colour + shift`. A painter can
multiply, divide and add; colours are inverted to subtract. So no pixel is touched by Python.
"""

from math import floor
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen

from app.ui.theme.tokens import EDGE_PX, NAVIGATOR_PX, SPACE_3
from app.ui.viewer.look import Box, SizeF, turned_size

_CROSS = 16.0


class Glass(NamedTuple):
    """The loupe: its middle, its width, and the pixels of the screen for one of the photo in it."""

    middle: QPointF
    across: float
    scale: float


def paint_image(painter: QPainter, image: QImage, box: Box, turned: int) -> None:
    """Paint a photo into a box, turned to the right: one to one if it has the size of the box, else scaled."""
    have = turned_size(SizeF(image.width(), image.height()), turned)
    exact = abs(have.width - box.width) < 1 and abs(have.height - box.height) < 1
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, not exact)
    if exact:
        # Begin at a whole pixel: otherwise each pixel of the screen would mix its neighbours.
        box = Box(floor(box.left + 0.5), floor(box.top + 0.5), have.width, have.height)
    painter.translate(box.left + box.width / 2, box.top + box.height / 2)
    painter.rotate(turned)
    lying = turned_size(SizeF(box.width, box.height), turned)
    painter.drawImage(QRectF(-lying.width / 2, -lying.height / 2, *lying), image)


def enlarged(glass: Glass, size: SizeF, box: Box) -> Box:
    """Where the whole photo would lie at the scale of the loupe, with the point under the loupe in its place."""
    x = (glass.middle.x() - box.left) / max(box.width, 1)
    y = (glass.middle.y() - box.top) / max(box.height, 1)
    width, height = size.width * glass.scale, size.height * glass.scale
    return Box(glass.middle.x() - x * width, glass.middle.y() - y * height, width, height)


def paint_glass(painter: QPainter, glass: Glass, around: Box, ground: QColor, rim: QColor) -> None:
    """Paint the rim of the loupe and clip the painter to its inside.

    The loupe ends at the edge of the photo, which lies at `around` at the scale of the loupe.
    """
    circle, picture = QPainterPath(), QPainterPath()
    circle.addEllipse(glass.middle, glass.across / 2, glass.across / 2)
    picture.addRect(QRectF(*around))
    shape = circle.intersected(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(rim, 2 * EDGE_PX))
    painter.setBrush(ground)
    painter.drawPath(shape)
    painter.setClipPath(shape)


def paint_cross(painter: QPainter, place: QPointF, colour: QColor, halo: QColor) -> None:
    """Paint a cross at the pointer that the keys move."""
    for width, ink in ((3, halo), (1, colour)):
        painter.setPen(QPen(ink, width))
        painter.drawLine(place - QPointF(_CROSS, 0), place + QPointF(_CROSS, 0))
        painter.drawLine(place - QPointF(0, _CROSS), place + QPointF(0, _CROSS))


def navigator(size: SizeF, room: SizeF, sharpness: float) -> Box:
    """Where the small photo lies that shows the visible part."""
    side, gap = min(NAVIGATOR_PX * sharpness, room.width / 3, room.height / 3), SPACE_3 * sharpness
    scale = min(side / max(size.width, 1), side / max(size.height, 1))
    width, height = size.width * scale, size.height * scale
    return Box(room.width - width - gap, room.height - height - gap, width, height)


def paint_frames(painter: QPainter, small: Box, part: Box, edge: QColor, mark: QColor) -> None:
    """Frame the small photo, and in it the visible part (as fractions)."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(edge, 1))
    painter.drawRect(QRectF(*small))
    painter.setPen(QPen(mark, EDGE_PX))
    painter.drawRect(
        QRectF(
            small.left + part.left * small.width,
            small.top + part.top * small.height,
            part.width * small.width,
            part.height * small.height,
        )
    )


_Mode = QPainter.CompositionMode


def factor_and_shift(brightness: int, contrast: int) -> tuple[float, float]:
    """The factor and shift of a brightness and contrast from -100 to 100. The most contrast is fourfold."""
    factor = 1 + contrast / 100 if contrast < 0 else 1 + 3 * contrast / 100
    return factor, 0.5 - 0.5 * factor + brightness / 100 / 2


def adjust_light(painter: QPainter, where: QRect, brightness: int, contrast: int) -> None:
    """Change the light of an area, which must be painted without transparency."""
    factor, shift = factor_and_shift(brightness, contrast)
    if factor < 1:
        _fill(painter, where, _Mode.CompositionMode_Multiply, factor)
    # More contrast overflows a channel: shift before multiplying, or the addition would clip colours.
    if factor > 1:
        _add(painter, where, shift / factor)
        _fill(painter, where, _Mode.CompositionMode_ColorDodge, 1 - 1 / factor)
    else:
        _add(painter, where, shift)
    painter.setCompositionMode(_Mode.CompositionMode_SourceOver)


def _add(painter: QPainter, where: QRect, shift: float) -> None:
    if shift > 0:
        _fill(painter, where, _Mode.CompositionMode_Plus, shift)
    elif shift < 0:
        _fill(painter, where, _Mode.CompositionMode_Difference, 1.0)
        _fill(painter, where, _Mode.CompositionMode_Plus, -shift)
        _fill(painter, where, _Mode.CompositionMode_Difference, 1.0)


def _fill(painter: QPainter, where: QRect, mode: QPainter.CompositionMode, grey: float) -> None:
    painter.setCompositionMode(mode)
    level = min(max(grey, 0.0), 1.0)
    painter.fillRect(where, QColor.fromRgbF(level, level, level))

"""Marks on a photo: arrows, boxes and texts, at the same place of the photo at any zoom and turn."""

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontInfo, QPainter, QPen, QPolygonF

from app.desk.audits.audit_reviews import Mark, MarkKind
from app.ui.viewer.look import Box, turned_place, upright_place
from app.ui.widgets.text.labels import visible

_LINE, _HALO = 3.0, 6.0
_HEAD = 14.0
_LEAST = 0.004  # of the photo's size: a shorter drag is a click and no mark


def mark_of(kind: MarkKind, begin: QPointF, end: QPointF, box: Box, turned: int, text: str = "") -> Mark | None:
    """The mark of a drag over a photo that lies in `box`; None for a drag that is too short."""
    x, y = upright_place(*_fraction(begin, box), turned)
    to_x, to_y = upright_place(*_fraction(end, box), turned)
    if kind == "text":
        return Mark("text", x, y, x, y, text) if text.strip() else None
    return Mark(kind, x, y, to_x, to_y) if math.hypot(to_x - x, to_y - y) >= _LEAST else None


def paint_marks(
    painter: QPainter,
    marks: tuple[Mark, ...],
    box: Box,
    turned: int,
    colour: QColor,
    halo: QColor,
    sharpness: float = 1.0,
) -> None:
    """Paint marks over a photo that lies in `box`, each with a halo, so that it is seen on any ground.

    `sharpness` is the number of the painter's units in a point of the window.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for each in marks:
        begin, end = (_place(x, y, box, turned) for x, y in ((each.x, each.y), (each.to_x, each.to_y)))
        if each.kind == "text":
            _words(painter, begin, visible(each.text), box, colour, halo, sharpness)
            continue
        for width, ink in ((_HALO, halo), (_LINE, colour)):
            pen = QPen(ink, width * sharpness)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            if each.kind == "box":
                painter.drawRect(QRectF(begin, end).normalized())
            else:
                painter.drawLine(begin, end)
                painter.drawPolyline(_head(begin, end, _HEAD * sharpness))


def _head(begin: QPointF, end: QPointF, length: float) -> QPolygonF:
    way = math.atan2(end.y() - begin.y(), end.x() - begin.x())
    sides = [
        QPointF(end.x() - length * math.cos(way + turn), end.y() - length * math.sin(way + turn))
        for turn in (0.5, -0.5)
    ]
    return QPolygonF([sides[0], end, sides[1]])


def _words(
    painter: QPainter, place: QPointF, text: str, box: Box, colour: QColor, halo: QColor, sharpness: float
) -> None:
    """Paint a text from a place on, moved left or up if it would leave the photo."""
    painter.save()
    font = QFont(painter.font())
    font.setBold(True)
    if sharpness != 1.0:
        font.setPixelSize(round(QFontInfo(font).pixelSize() * sharpness))
    painter.setFont(font)
    room = QRectF(painter.fontMetrics().boundingRect(text)).adjusted(-4, -2, 8, 2)
    left = max(box.left, min(place.x(), box.left + box.width - room.width()))
    room.moveTopLeft(QPointF(left, max(box.top, min(place.y(), box.top + box.height - room.height()))))
    painter.fillRect(room, halo)
    painter.setPen(colour)
    painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()


def _fraction(place: QPointF, box: Box) -> tuple[float, float]:
    x = (place.x() - box.left) / box.width if box.width else 0.0
    y = (place.y() - box.top) / box.height if box.height else 0.0
    return min(max(x, 0.0), 1.0), min(max(y, 0.0), 1.0)


def _place(x: float, y: float, box: Box, turned: int) -> QPointF:
    across, down = turned_place(x, y, turned)
    return QPointF(box.left + across * box.width, box.top + down * box.height)

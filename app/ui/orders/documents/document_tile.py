"""A document as a tile: its thumbnail, or an icon until there is one, with name and date below."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QEnterEvent, QFontMetrics, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app.desk.files.album import Key, NoPicture
from app.desk.orders.order_documents import Document
from app.desk.orders.order_words import UNNAMED_DOCUMENT
from app.imaging.pixels import Size
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import (
    FIELD_RADIUS,
    FOCUS_PX,
    ICON_PX,
    SMALL_PX,
    SPACE_1,
    TILE_PICTURE_HEIGHT,
    TILE_WIDTH,
)
from app.ui.widgets.picture import image_of
from app.ui.widgets.text.labels import set_tip, visible
from app.ui.widgets.text.times import day, moment

if TYPE_CHECKING:
    from app.imaging.pixels import Pixels

_LINE = SMALL_PX + SPACE_1
_HEIGHT = TILE_PICTURE_HEIGHT + SPACE_1 + 2 * _LINE


class DocumentTile(QAbstractButton):
    """A click opens the document. `picture` is the key of the thumbnail; `take` hands it over."""

    def __init__(self, theme: Theme, document: Document, parent: QWidget) -> None:
        super().__init__(parent)
        self.document = document
        self._theme = theme
        self._found: Pixels | NoPicture | None = None
        self._hovered = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        name = visible(document.name) or UNNAMED_DOCUMENT
        spoken = ", ".join(part for part in (document.kind, name, moment(document.created)) if part)
        self.setAccessibleName(visible(spoken))
        set_tip(self, spoken)
        self._name = name.replace("\n", " ")
        self._when = day(document.created)

    def sizeHint(self) -> QSize:
        return QSize(TILE_WIDTH, _HEIGHT)

    @property
    def picture(self) -> Key:
        """The key of the thumbnail, in pixels of the screen."""
        sharpness = self.devicePixelRatioF()
        box = Size(round(TILE_WIDTH * sharpness), round(TILE_PICTURE_HEIGHT * sharpness))
        return Key(self.document.address, box)

    def take(self, found: "Pixels | NoPicture | None") -> None:
        """Show this thumbnail, or why there is none; None while it is loading."""
        if found is not self._found:
            self._found = found
            self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._hovered = True
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hovered = False
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(0, 0, TILE_WIDTH, TILE_PICTURE_HEIGHT)
        self._paint_picture(painter, frame)
        self._paint_frame(painter, frame)
        font = painter.font()
        font.setPixelSize(SMALL_PX)
        painter.setFont(font)
        top = TILE_PICTURE_HEIGHT + SPACE_1
        metrics = QFontMetrics(font)
        name = metrics.elidedText(self._name, Qt.TextElideMode.ElideMiddle, TILE_WIDTH)
        painter.setPen(self._theme.colour("ink"))
        painter.drawText(QRectF(0, top, TILE_WIDTH, _LINE), Qt.AlignmentFlag.AlignLeft, name)
        painter.setPen(self._theme.colour("ink_soft"))
        painter.drawText(QRectF(0, top + _LINE, TILE_WIDTH, _LINE), Qt.AlignmentFlag.AlignLeft, self._when)
        painter.end()

    def _paint_picture(self, painter: QPainter, frame: QRectF) -> None:
        shape = QPainterPath()
        shape.addRoundedRect(frame, FIELD_RADIUS, FIELD_RADIUS)
        painter.fillPath(shape, self._theme.colour("raised"))
        found = self._found
        if found is None or isinstance(found, NoPicture):
            icon = self._theme.icon(self._stand_in(), "ink_soft")
            corner = frame.center() - QPointF(ICON_PX / 2, ICON_PX / 2)
            icon.paint(painter, QRectF(corner.x(), corner.y(), ICON_PX, ICON_PX).toRect())
            return
        scale = min(frame.width() / found.width, frame.height() / found.height)
        size = QSize(round(found.width * scale), round(found.height * scale))
        place = QRectF(QPointF(frame.center().x() - size.width() / 2, frame.center().y() - size.height() / 2), size)
        painter.save()
        painter.setClipPath(shape)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(place, image_of(found))
        painter.restore()

    def _stand_in(self) -> str:
        """The icon for a thumbnail that is loading or cannot be had."""
        if isinstance(self._found, NoPicture):
            return "image-off"
        return "file-text" if self.document.name.lower().endswith(".pdf") else "image"

    def _paint_frame(self, painter: QPainter, frame: QRectF) -> None:
        width = FOCUS_PX if self.hasFocus() else 1
        colour = "accent" if self.hasFocus() or self._hovered else "border"
        half = width / 2
        painter.setPen(QPen(self._theme.colour(colour), width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(frame.adjusted(half, half, -half, -half), FIELD_RADIUS, FIELD_RADIUS)

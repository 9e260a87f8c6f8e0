"""Line icons tinted by a token, drawn from SVG files of one family (resources/icons)."""

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app.ui.theme.resources import resource_text
from app.ui.theme.tokens import ICON_PX

# Drawn at three times the size, so that they stay sharp on a scaled screen.
_SHARPNESS = 3


@lru_cache(maxsize=256)
def pixmap(name: str, colour: str, size: int = ICON_PX) -> QPixmap:
    """The icon `name` in `colour` (`#RRGGBB`), `size` logical pixels square."""
    text = resource_text("icons", f"{name}.svg").replace("currentColor", colour)
    renderer = QSvgRenderer(QByteArray(text.encode()))
    picture = QPixmap(QSize(size, size) * _SHARPNESS)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    renderer.render(painter, QRectF(picture.rect()))
    painter.end()
    picture.setDevicePixelRatio(_SHARPNESS)
    return picture


def icon(name: str, colour: str, size: int = ICON_PX) -> QIcon:
    """The same as a QIcon."""
    return QIcon(pixmap(name, colour, size))

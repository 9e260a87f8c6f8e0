"""Line icons from SVG files (resources/icons), tinted in a colour of the theme."""

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app.ui.theme.resources import resource_text
from app.ui.theme.tokens import ICON_PX

# Drawn at three times the size, so that they are sharp on a screen scaled up to 300 %.
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
    """The icon `name` in `colour`, as a `QIcon`."""
    return QIcon(pixmap(name, colour, size))

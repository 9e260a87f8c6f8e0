"""The colour of a connection, beside its name wherever that stands.

Invariant: it is never the only sign; the name says which connection it is.
"""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QComboBox, QWidget

from app.ui.theme.theme import Theme
from app.ui.theme.tokens import EDGE_PX, SWATCH_PX

PRACTICE = "practice"  # stands for the colour of the practice band
_SHARPNESS = 3  # as of the other icons
_CORNER = 3


def _colour(theme: Theme, name: str) -> QColor | None:
    return theme.colour("practice") if name == PRACTICE else theme.connection_colour(name)


def colour_icon(theme: Theme, name: str) -> QIcon:
    """A square in the colour of a connection; empty for a connection without one, so that names stay aligned."""
    picture = QPixmap(QSize(SWATCH_PX, SWATCH_PX) * _SHARPNESS)
    picture.fill(Qt.GlobalColor.transparent)
    colour = _colour(theme, name)
    if colour is not None:
        painter = QPainter(picture)
        _paint(painter, QRectF(picture.rect()), colour, _CORNER * _SHARPNESS)
        painter.end()
    picture.setDevicePixelRatio(_SHARPNESS)
    return QIcon(picture)


def show_colours(editor: QComboBox, theme: Theme, names: dict[str, str]) -> None:
    """Put the colour before each entry of a choice; `names` by the entry's data."""
    editor.setIconSize(QSize(SWATCH_PX, SWATCH_PX))
    for at in range(editor.count()):
        editor.setItemIcon(at, colour_icon(theme, names.get(str(editor.itemData(at)), "")))


def _paint(painter: QPainter, room: QRectF, colour: QColor, corner: float) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawRoundedRect(room, corner, corner)


class ColourMark(QWidget):
    """The square before a name; takes its room also where there is no colour."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme, self._name = theme, name
        self.setFixedSize(SWATCH_PX, SWATCH_PX)
        theme.changed.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colour = _colour(self._theme, self._name)
        if colour is not None:
            _paint(QPainter(self), QRectF(self.rect()), colour, _CORNER)


class ColourLine(QWidget):
    """A line across the window in the colour of the connection in use; no line where it has none."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self.name = theme, ""
        self.setFixedHeight(EDGE_PX)
        self.hide()
        theme.changed.connect(self.update)

    def show_colour(self, name: str) -> None:
        """Show the colour of a connection."""
        self.name = name
        self.setVisible(self._theme.connection_colour(name) is not None)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        colour = _colour(self._theme, self.name)
        if colour is not None:
            QPainter(self).fillRect(event.rect(), colour)

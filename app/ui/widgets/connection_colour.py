"""The colour of a connection, beside its name wherever that stands.

Invariant: it is never the only sign; the name says which connection it is.
"""

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QComboBox, QWidget

from app.ui.theme.theme import Theme
from app.ui.theme.tokens import EDGE_PX, SWATCH_PX

PRACTICE = "practice"  # stands for the colour of the practice band
_SHARPNESS = 3  # as of the other icons
_CORNER = 3


def _colour(theme: Theme, name: str) -> QColor | None:
    return theme.colour("practice") if name == PRACTICE else theme.connection_colour(name)


def name_of_colour(kind: str, colour: str) -> str:
    """The colour's name for a connection of this kind: practice has that of its band."""
    return PRACTICE if kind == PRACTICE else colour


def paint_colour(painter: QPainter, room: QRect, theme: Theme, name: str) -> None:
    """Paint the square of a connection in the middle of `room`; nothing for one without a colour."""
    colour = _colour(theme, name)
    if colour is not None:
        painter.save()
        square = QRectF(0, 0, SWATCH_PX, SWATCH_PX)
        square.moveCenter(QRectF(room).center())
        _paint(painter, square, colour, _CORNER)
        painter.restore()


def colour_picture(theme: Theme, name: str) -> QPixmap:
    """A square in the colour of a connection; transparent for a connection without one."""
    picture = QPixmap(QSize(SWATCH_PX, SWATCH_PX) * _SHARPNESS)
    picture.fill(Qt.GlobalColor.transparent)
    colour = _colour(theme, name)
    if colour is not None:
        painter = QPainter(picture)
        _paint(painter, QRectF(picture.rect()), colour, _CORNER * _SHARPNESS)
        painter.end()
    picture.setDevicePixelRatio(_SHARPNESS)
    return picture


def colour_mark(theme: Theme, kind: str, colour: str) -> QPixmap | None:
    """The square before a question that names a connection of this kind and colour; None for one without a colour."""
    name = name_of_colour(kind, colour)
    return None if _colour(theme, name) is None else colour_picture(theme, name)


def colour_icon(theme: Theme, name: str) -> QIcon:
    """`colour_picture` as an icon, transparent where there is no colour, so that names stay aligned."""
    return QIcon(colour_picture(theme, name))


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
        self._theme, self.name = theme, name
        self.setFixedSize(SWATCH_PX, SWATCH_PX)
        theme.changed.connect(self.update)

    def show_colour(self, name: str) -> None:
        """Show the colour of another connection; hidden while there is none to show."""
        self.name = name
        self.setVisible(_colour(self._theme, name) is not None)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        colour = _colour(self._theme, self.name)
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

"""Short ways to lay widgets out, with spacing from the tokens only."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLayout, QScrollArea, QVBoxLayout, QWidget

from app.ui.theme.tokens import FRAME_AWAY

Item = QWidget | QLayout | int | None


def _fill(layout: QBoxLayout, items: tuple[Item, ...], margin: int | tuple[int, int, int, int], gap: int) -> None:
    sides = (margin,) * 4 if isinstance(margin, int) else margin
    layout.setContentsMargins(*sides)
    layout.setSpacing(gap)
    for item in items:
        if item is None:
            layout.addStretch(1)
        elif isinstance(item, int):
            layout.addSpacing(item)
        elif isinstance(item, QWidget):
            layout.addWidget(item)
        else:
            layout.addLayout(item)


def row(*items: Item, margin: int | tuple[int, int, int, int] = 0, gap: int = 0) -> QHBoxLayout:
    """A row of widgets and layouts; a number is a gap in pixels, None takes the rest of the space."""
    layout = QHBoxLayout()
    _fill(layout, items, margin, gap)
    return layout


def column(*items: Item, margin: int | tuple[int, int, int, int] = 0, gap: int = 0) -> QVBoxLayout:
    """The same, from top to bottom."""
    layout = QVBoxLayout()
    _fill(layout, items, margin, gap)
    return layout


def holding(layout: QLayout, name: str = "") -> QWidget:
    """A widget that holds a layout; `name` is what the style sheet knows it by."""
    widget = QWidget()
    widget.setObjectName(name)
    # A plain QWidget paints the style sheet's background only when told to.
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground, bool(name))
    widget.setLayout(layout)
    return widget


def rule() -> QFrame:
    """A hairline."""
    line = QFrame()
    line.setObjectName("rule")
    return line


def scrolling(inner: QWidget, name: str = "ground") -> QScrollArea:
    """A vertical scroll area around `inner`."""
    area = QScrollArea()
    area.setObjectName(name)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(inner)
    return area


def resize_within_screen(window: QWidget, width: int, height: int) -> None:
    """Make a window so large, or as large as the screen allows: at 200 % that is half of what it says."""
    room = window.screen().availableGeometry()
    window.resize(min(width, room.width() - FRAME_AWAY), min(height, room.height() - FRAME_AWAY))

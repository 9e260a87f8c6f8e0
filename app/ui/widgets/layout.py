"""Layouts of widgets. Invariant: gaps and margins are tokens of the theme."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLayout,
    QLineEdit,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import delete

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
    """A row of widgets and layouts. A number is a gap in pixels; None takes the spare space."""
    layout = QHBoxLayout()
    _fill(layout, items, margin, gap)
    return layout


def column(*items: Item, margin: int | tuple[int, int, int, int] = 0, gap: int = 0) -> QVBoxLayout:
    """A column of widgets and layouts. A number is a gap in pixels; None takes the spare space."""
    layout = QVBoxLayout()
    _fill(layout, items, margin, gap)
    return layout


def drop_items(layout: QLayout, first: int = 0) -> None:
    """Remove the items of a layout from place `first` on, and delete their widgets in the next turn of the loop."""
    while layout.count() > first:
        drop_item(layout, first)


def drop_item(layout: QLayout, place: int) -> None:
    """Remove the item at this place, and delete its widget in the next turn of the loop."""
    item = layout.takeAt(place)
    widget = item.widget() if item is not None else None
    if widget is not None:
        widget.hide()  # at once: until it is deleted, it would still be painted
        widget.deleteLater()
    if item is not None:
        # `takeAt` hands the item over, but PySide does not: nobody would delete it (96 bytes each, for ever).
        delete(item)


def holding(layout: QLayout, name: str = "") -> QWidget:
    """A widget with this layout; the style sheet selects the widget by `name`."""
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


class _ScrollArea(QScrollArea):
    """Up and Down in a field of one line do nothing. (Qt would scroll, and the field would leave the hand.)"""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and isinstance(QApplication.focusWidget(), QLineEdit):
            event.ignore()
        else:
            super().keyPressEvent(event)


def scrolling(inner: QWidget, name: str = "ground") -> QScrollArea:
    """A vertical scroll area around `inner`. It is no stop of Tab: a person would not see where the keyboard is, and a
    screen reader would say nothing. What is in it passes PgUp and PgDown on to it."""
    area = _ScrollArea()
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setObjectName(name)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(inner)
    return area


def resize_within_screen(window: QWidget, width: int, height: int) -> None:
    """Resize a window, within the screen. A screen scaled to 200 % has half of its pixels as logical ones."""
    room = window.screen().availableGeometry()
    window.resize(min(width, room.width() - FRAME_AWAY), min(height, room.height() - FRAME_AWAY))


class Stack(QStackedWidget):
    """Shows one of its widgets, and is as high as the highest of them."""

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            # In hidden widgets Qt does not drop the sizes that nested layouts had computed before the style changed.
            for layout in self.findChildren(QLayout):
                layout.invalidate()


class Splitter(QSplitter):
    """Widgets beside one another, which a screen reader goes through in that order.

    A bare QSplitter puts each new widget below those before it, and a screen reader follows the order of stacking: it
    would read the details before the list that they are of.
    """

    def addWidget(self, widget: QWidget) -> None:
        super().addWidget(widget)
        # The handles stay on top: they are wider than they look.
        for place_of in (self.widget, self.handle):
            for at in range(self.count()):
                if (each := place_of(at)) is not None:
                    each.raise_()


class Panes(Splitter):
    """Widgets side by side; `widths` are their shares, in pixels, when the splitter is shown for the first time.

    Earlier they have no style yet, and `setSizes` would take their least widths without it for the shares.
    """

    def __init__(self, widths: Sequence[int]) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._widths: list[int] | None = list(widths)

    def showEvent(self, event: QShowEvent) -> None:
        if self._widths is not None:
            self.setSizes(self._widths)
            self._widths = None
        super().showEvent(event)


class SideBySide(QWidget):
    """Two widgets in one line, or one above the other where the line is too narrow: neither is squeezed.

    The widget number `growing` (0 or 1) takes the spare width. `margin` is left, top, right and bottom.
    """

    def __init__(
        self, first: QWidget, second: QWidget, *, growing: int, gap: int, margin: tuple[int, int, int, int] = (0,) * 4
    ) -> None:
        super().__init__()
        self._parts = first, second
        self._line = row(first, second, margin=margin, gap=gap)
        self._line.setStretch(growing, 1)
        # Else the layout would impose the width of both widgets.
        self._line.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self.setLayout(self._line)

    @property
    def _one_line(self) -> bool:
        return self._line.direction() == QBoxLayout.Direction.LeftToRight

    def _widths(self) -> list[int]:
        return [max(each.minimumWidth(), each.minimumSizeHint().width()) for each in self._parts]

    def minimumSizeHint(self) -> QSize:
        """The width of the wider widget, also while both stand in one line: a larger minimum would keep them there."""
        sides = self._line.contentsMargins()
        return QSize(max(self._widths()) + sides.left() + sides.right(), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()  # a longer text needs more room at the same width
        return super().event(event)

    def _fit(self) -> None:
        sides = self._line.contentsMargins()
        needed = sum(self._widths()) + self._line.spacing() + sides.left() + sides.right()
        fits = self.width() >= needed
        if fits != self._one_line:
            way = QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom
            self._line.setDirection(way)
            self.updateGeometry()  # the layout does not tell what holds it that two lines are higher than one

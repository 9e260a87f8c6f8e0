"""Two widgets beside each other where there is room for both, else one above the other: nothing in them is squeezed."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLayout, QWidget

from app.ui.widgets.layout import row


class TwoParts(QWidget):
    """`growing` says which of them takes the room that is left: 0 or 1. `margin` is left, top, right and bottom."""

    def __init__(
        self, first: QWidget, second: QWidget, *, growing: int, gap: int, margin: tuple[int, int, int, int] = (0,) * 4
    ) -> None:
        super().__init__()
        self._parts = first, second
        self._line = row(first, second, margin=margin, gap=gap)
        self._line.setStretch(growing, 1)
        self._line.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)  # `minimumSizeHint` alone says it
        self.setLayout(self._line)

    @property
    def _one_line(self) -> bool:
        return self._line.direction() == QBoxLayout.Direction.LeftToRight

    def _widths(self) -> list[int]:
        return [max(each.minimumWidth(), each.minimumSizeHint().width()) for each in self._parts]

    def minimumSizeHint(self) -> QSize:
        """As narrow as the wider part, even while both stand in one line: or it could never become narrower again."""
        sides = self._line.contentsMargins()
        return QSize(max(self._widths()) + sides.left() + sides.right(), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        sides = self._line.contentsMargins()
        needed = sum(self._widths()) + self._line.spacing() + sides.left() + sides.right()
        fits = self.width() >= needed
        if fits != self._one_line:
            way = QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom
            self._line.setDirection(way)

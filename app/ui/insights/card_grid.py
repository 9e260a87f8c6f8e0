"""Cards in as many columns as have room, in the order of reading: from left to right, then down."""

from collections.abc import Sequence

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from app.ui.theme.tokens import PLOT_CARD_WIDTH, SPACE_3

_MOST = 3


class CardGrid(QWidget):
    """`wide` cards take a whole row."""

    def __init__(self, cards: Sequence[QWidget], wide: Sequence[QWidget] = ()) -> None:
        super().__init__()
        self._cards, self._wide, self.columns = cards, wide, 0
        self._grid = QGridLayout()
        self._grid.setContentsMargins(SPACE_3, SPACE_3, SPACE_3, SPACE_3)
        self._grid.setSpacing(SPACE_3)
        self.setLayout(self._grid)
        self._arrange(1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(min(max(event.size().width() // (PLOT_CARD_WIDTH + SPACE_3), 1), _MOST))

    def _arrange(self, columns: int) -> None:
        if columns == self.columns:
            return
        for at in range(max(columns, self.columns)):
            self._grid.setColumnStretch(at, 1 if at < columns else 0)
        self.columns = columns
        for each in (*self._wide, *self._cards):
            self._grid.removeWidget(each)
        for at, each in enumerate(self._wide):
            self._grid.addWidget(each, at, 0, 1, columns)
        for at, each in enumerate(self._cards):
            place = len(self._wide) + at // columns, at % columns
            self._grid.addWidget(each, *place)

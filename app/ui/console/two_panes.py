"""The request above its answer, or, where the window is low, one of them at a time with a tab for each."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from app.ui.console import console_page_words as words
from app.ui.theme.tokens import CONSOLE_HEIGHTS, CONSOLE_LOW, SPACE_2
from app.ui.widgets.buttons import tab
from app.ui.widgets.layout import Splitter, column, holding, row


class TwoPanes(QWidget):
    """`upper` is shown first; `show_lower` brings the other one to the front where there is room for one only.

    The upper one has two thirds of the room until `share` is called, unless a person has drawn the line between them.
    """

    def __init__(self, upper: QWidget, lower: QWidget) -> None:
        super().__init__()
        self._panes = {"upper": upper, "lower": lower}
        self.tabs = {"upper": tab(words.REQUEST, "upper"), "lower": tab(words.ANSWER, "lower")}
        self.tabs["upper"].setChecked(True)
        for each in self.tabs.values():
            each.toggled.connect(self._fit)
        self._line = holding(row(*self.tabs.values(), None, margin=(SPACE_2, 0, 0, 0)), "surface")
        self._line.hide()
        self.splitter = Splitter(Qt.Orientation.Vertical)
        self.splitter.setHandleWidth(1)
        self.splitter.setChildrenCollapsible(False)
        for place, pane in enumerate((upper, lower)):
            self.splitter.addWidget(pane)
            self.splitter.setStretchFactor(place, 1)
        self.splitter.setSizes(CONSOLE_HEIGHTS)
        self._drawn = False
        self.splitter.splitterMoved.connect(self._on_drawn)
        whole = column(self._line, self.splitter)
        whole.setStretch(1, 1)
        self.setLayout(whole)

    @property
    def one_at_a_time(self) -> bool:
        """Whether there is room for one pane only."""
        return self.height() < CONSOLE_LOW

    def favour_upper(self) -> None:
        """There is nothing to see below: give most of the room to the upper pane."""
        self._divide(2, 1)

    def share(self, *, small: bool) -> None:
        """Give both panes half of the room; to a `small` upper one, which needs less, a third."""
        self._divide(1, 2 if small else 1)

    def _divide(self, upper: int, lower: int) -> None:
        if not self._drawn:
            height = sum(self.splitter.sizes()) or sum(CONSOLE_HEIGHTS)
            self.splitter.setSizes([height * part // (upper + lower) for part in (upper, lower)])

    def _on_drawn(self) -> None:
        self._drawn = True

    def show_upper(self) -> None:
        """Bring the upper pane to the front."""
        self.tabs["upper"].setChecked(True)

    def show_lower(self) -> None:
        """Bring the lower pane to the front."""
        self.tabs["lower"].setChecked(True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        alone = self.one_at_a_time
        self._line.setVisible(alone)
        for name, each in self._panes.items():
            each.setVisible(not alone or self.tabs[name].isChecked())

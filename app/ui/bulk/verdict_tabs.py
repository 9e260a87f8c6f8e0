"""The rows by verdict: a tab for each, with how many orders have it. Live counts, fixed places."""

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QWidget

from app.ui.bulk import bulk_page_words as words
from app.ui.theme.tokens import SPACE_1
from app.ui.widgets.buttons import tab
from app.ui.widgets.layout import SideBySide, column, holding, row

ALL = "all"
# These stand there also while they have no order; the others come behind them once they have one.
_ALWAYS = (ALL, "blocked", "create", "update", "unchanged")


class VerdictTabs(QWidget):
    """`chosen` carries the name of a tab: `all`, a kind of verdict, `remarks` or `left`."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(words.TABS_NAME)
        self.shown = self._before = ALL
        self.tabs = {name: tab(title, name) for name, title in words.TAB_TITLES.items()}
        # A group, since the tabs stand in two lines: without one only the buttons of one line uncheck each other.
        together = QButtonGroup(self)
        for each in self.tabs.values():
            together.addButton(each)
        self.tabs[ALL].setChecked(True)
        for name, each in self.tabs.items():
            if name not in _ALWAYS:  # none is shown here: without a parent it would be a window, and take the keyboard
                each.hide()
            each.toggled.connect(self._on_toggled)
            each.pressed.connect(self._on_pressed)

            each.clicked.connect(self._on_clicked)
        # Tabs that are there now and then go to a second line where one line is too narrow for all.
        usual = holding(row(*(self.tabs[name] for name in _ALWAYS), gap=SPACE_1))
        others = holding(row(*(each for name, each in self.tabs.items() if name not in _ALWAYS), None, gap=SPACE_1))
        self.setLayout(column(SideBySide(usual, others, growing=1, gap=SPACE_1)))

    def _on_toggled(self, on: bool) -> None:
        if on:
            self.shown = next(name for name, each in self.tabs.items() if each.isChecked())
            self.chosen.emit(self.shown)

    def _on_pressed(self) -> None:
        self._before = self.shown

    def _on_clicked(self) -> None:
        # A tab that was shown already: its rows are looked for anew.
        if self._before == self.shown:
            self.chosen.emit(self.shown)

    def choose(self, name: str) -> None:
        """Show this tab."""
        self.tabs[name].show()
        if self.tabs[name].isChecked():
            self.chosen.emit(name)
        self.tabs[name].setChecked(True)

    def step(self, by: int) -> None:
        """Show the next tab, or the one before."""
        names = [name for name, each in self.tabs.items() if not each.isHidden()]
        self.choose(names[(names.index(self.shown) + by) % len(names)])

    def show_counts(self, counts: Mapping[str, int]) -> None:
        """Show how many orders each tab has."""
        for name, made in self.tabs.items():
            count, title = counts.get(name, 0), words.TAB_TITLES[name]
            made.setText(f"{title} {count:,}" if count else title)
            made.setAccessibleName(f"{title}, {count:,}")
            made.setVisible(name in _ALWAYS or bool(count) or made.isChecked())

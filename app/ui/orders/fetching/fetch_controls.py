"""What stands above the orders about fetching them: how far back, how often, refresh or stop, and the dates."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_2
from app.ui.widgets.buttons import button, with_icon
from app.ui.widgets.field import Choice
from app.ui.widgets.layout import row

# What is fetched, and not what is shown: what was fetched of earlier dates stays in the list.
HORIZONS = ((7, "Fetch 7 days"), (30, "Fetch 30 days"), (90, "Fetch 90 days"), (365, "Fetch a year"))
INTERVALS = ((60, "Every minute"), (120, "Every 2 min"), (300, "Every 5 min"), (900, "Every 15 min"), (0, "On demand"))


class FetchControls(QWidget):
    """Widgets alone: whoever made them listens and decides."""

    def __init__(self, theme: Theme, refresh: Callable[[], object], dates: Callable[[], object]) -> None:
        super().__init__()
        self.horizon = Choice("How far back orders are fetched")
        for days, words in HORIZONS:
            self.horizon.addItem(words, days)
        self.interval = Choice("How often orders are refreshed")
        for seconds, words in INTERVALS:
            self.interval.addItem(words, seconds)
        self.refresh_button = with_icon(button("Refresh", refresh, key="F5"), theme, "refresh-cw")
        self.stop_button = with_icon(button("Stop", refresh, key="Ctrl+F5"), theme, "x")
        self.stop_button.hide()
        # Both stand in one place; else everything beside them would move with each refresh.
        width = max(self.refresh_button.sizeHint().width(), self.stop_button.sizeHint().width())
        for each in (self.refresh_button, self.stop_button):
            each.setMinimumWidth(width)
        self.dates_button = button("Dates", dates, key="F7", tip="Which dates are known, which are missing and why")
        self.dates_button.setCheckable(True)
        self.setLayout(
            row(self.horizon, self.interval, self.dates_button, self.refresh_button, self.stop_button, gap=SPACE_2)
        )

    def show_state(self, days: int, every: int, *, busy: bool) -> None:
        """What is chosen, and whether something is under way. Nothing is taken for chosen by hand."""
        for choice, value in ((self.horizon, days), (self.interval, every)):
            blocked = choice.blockSignals(True)
            if choice.findData(value) < 0:
                choice.addItem(_words(choice is self.horizon, value), value)
            choice.setCurrentIndex(choice.findData(value))
            choice.blockSignals(blocked)
        had_focus = self.refresh_button.hasFocus() or self.stop_button.hasFocus()
        self.refresh_button.setVisible(not busy)
        self.stop_button.setVisible(busy)
        if had_focus:
            (self.stop_button if busy else self.refresh_button).setFocus()


def _words(is_days: bool, value: int) -> str:
    return f"Fetch {value:,} day{'' if value == 1 else 's'}" if is_days else f"Every {value:,} s"

"""The bar in the place of the chips while several orders are selected: how many, and what is done with them.

Invariant: it comes and goes with the selection alone, and has the height of what it stands for, so nothing moves.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.ui.orders import orders_words as words
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_2
from app.ui.widgets.buttons import button, icon_button
from app.ui.widgets.layout import row
from app.ui.widgets.text.keys import shown_key
from app.ui.widgets.text.labels import announce, text_label

if TYPE_CHECKING:
    from app.ui.orders.actions.order_actions import RowAction

_SHOWN = {
    "cancel": words.CANCEL_THESE,
    "print": words.PRINT_THESE,
    "export": words.EXPORT_THESE,
    "watch": words.WATCH_THESE,
    "copy table": words.COPY_THESE,
}


def _running(run: "Callable[[RowAction], object]", action: "RowAction") -> Callable[[], None]:
    def act() -> None:
        run(action)

    return act


class SelectionBar(QWidget):
    """`run` does one of the actions with the rows that are selected; `clear` ends the selection."""

    def __init__(
        self,
        theme: Theme,
        actions: "tuple[RowAction, ...]",
        run: "Callable[[RowAction], object]",
        clear: Callable[[], object],
        height: int,
    ) -> None:
        super().__init__()
        self.setAccessibleName(words.SELECTION_ACTIONS)
        self.count = text_label("", "strong")
        by_name = {each.name: each for each in actions}
        self.buttons = {
            name: button(
                title,
                _running(run, by_name[name]),
                tip=f"{by_name[name].title(several=True)} ({shown_key(by_name[name].key)})",
            )
            for name, title in _SHOWN.items()
        }
        close = icon_button(theme, "x", words.CLEAR_SELECTION, clear)
        for each in self.buttons.values():
            each.setProperty("kind", "chip")  # as high as the chips
        close.setMaximumHeight(height)
        self.setLayout(row(self.count, *self.buttons.values(), None, close, gap=SPACE_2))
        self.setFixedHeight(height)

    def show_count(self, count: int) -> None:
        """Show how many are selected, and tell a screen reader."""
        said = words.selected(count)
        if said != self.count.text():
            self.count.setText(said)
            announce(self, said)

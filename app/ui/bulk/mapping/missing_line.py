"""The required fields that no column holds: a button for each, which asks for a column or one value for every order."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.desk.bulk.order_fields import title_of
from app.ui.bulk import bulk_page_words as words
from app.ui.theme.tokens import SPACE_1
from app.ui.widgets.buttons import button
from app.ui.widgets.layout import drop_items, row
from app.ui.widgets.text.labels import set_tone, text_label


class MissingLine(QWidget):
    """Hidden while every required field has its column. `asked` carries the path of a field."""

    asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(words.MISSING_NAME)
        self.buttons: dict[str, QPushButton] = {}
        label = text_label(words.MISSING, "strong")
        set_tone(label, "bad")
        self._chips = row(gap=SPACE_1)
        self.setLayout(row(label, self._chips, None, gap=SPACE_1))
        self.hide()

    def show_missing(self, paths: Sequence[str]) -> None:
        """Show these fields."""
        # Only where they differ: a button that has the keyboard would lose it.
        if list(paths) != list(self.buttons):
            drop_items(self._chips)
            self.buttons = {path: self._button(path) for path in paths}
            for each in self.buttons.values():
                self._chips.addWidget(each)
        self.setVisible(bool(paths))

    def _button(self, path: str) -> QPushButton:
        made = button(f"! {title_of(path)}", partial(self.asked.emit, path), tip=words.MISSING_TIP)
        made.setProperty("kind", "chip")
        made.setAccessibleName(words.missing_spoken(title_of(path)))
        return made

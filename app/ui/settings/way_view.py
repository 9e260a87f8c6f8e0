"""The legs of a connection test as lines: whether each holds, where it leads, how long it took, and what to do."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from app.desk.connections.legs import CardLeg
from app.ui.settings import settings_words as words
from app.ui.theme.tokens import SPACE_1, SPACE_3
from app.ui.widgets.text.labels import Tone, set_tone, text_label

_TOP = Qt.AlignmentFlag.AlignTop


class WayView(QWidget):
    """Hidden while there are no legs."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(words.WAY)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(SPACE_3)
        self._grid.setVerticalSpacing(SPACE_1)
        self._grid.setColumnStretch(4, 1)
        self.setLayout(self._grid)
        self.hide()

    def show_legs(self, legs: Sequence[CardLeg]) -> None:
        """Show these in place of those before."""
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for at, leg in enumerate(legs):
            glyph, tone = look_of(leg)
            sign = text_label(glyph, "strong")
            set_tone(sign, tone)
            said = text_label(leg.trouble or leg.facts, wrap=True, selectable=True)
            set_tone(said, "bad" if leg.trouble else "soft")
            took = text_label(words.took(leg.seconds) if leg.seconds is not None else "", "soft")
            place = text_label(leg.place, "soft", selectable=True)
            for column, widget in enumerate((sign, text_label(words.LEGS[leg.kind]), place, took)):
                right = Qt.AlignmentFlag.AlignRight if widget is took else Qt.AlignmentFlag.AlignLeft
                self._grid.addWidget(widget, at, column, _TOP | right)
            self._grid.addWidget(said, at, 4, _TOP)
        self.setVisible(bool(legs))


def look_of(leg: CardLeg) -> tuple[str, Tone]:
    """The sign and colour of a leg."""
    if leg.trouble:
        return "✕", "bad"
    return ("✓", "good") if leg.tried else ("–", "soft")


def legs_spoken(legs: Sequence[CardLeg]) -> str:
    """The legs as a screen reader says them."""
    return " ".join(words.leg_spoken(leg) for leg in legs)

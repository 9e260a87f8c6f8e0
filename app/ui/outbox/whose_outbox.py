"""Whose writes the outbox shows: this desk's, the whole team's, or those of one other person."""

from collections.abc import Sequence

from PySide6.QtCore import Signal

from app.ui.outbox import outbox_words as words
from app.ui.widgets.field import Choice
from app.ui.widgets.text.labels import visible


class WhoseOutbox(Choice):
    """Hidden where this desk works alone. `chosen` tells that a person chose."""

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__(words.WHOSE)
        self._people: Sequence[str] | None = None
        self.addItem(words.THIS_DESK, None)
        self.hide()
        self.activated.connect(self.chosen)

    @property
    def person(self) -> str | None:
        """None for this desk, an empty text for the whole team, else the other person."""
        found = self.currentData()
        return None if found is None else str(found)

    def show_people(self, people: Sequence[str] | None) -> None:
        """Offer these other people; None where this desk works alone. Whoever is chosen stays chosen."""
        if people == self._people:
            return
        chosen, self._people = self.person, people
        self.clear()
        self.addItem(words.THIS_DESK, None)
        if people is not None:
            self.addItem(words.WHOLE_TEAM, "")
            for each in people:
                self.addItem(visible(each), each)
        self.setCurrentIndex(max(self.findData(chosen), 0) if chosen is not None else 0)
        self.setVisible(people is not None)

    def choose_own(self) -> None:
        """Show this desk's writes."""
        self.setCurrentIndex(0)

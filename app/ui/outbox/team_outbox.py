"""The parts of the outbox that only a team has: whose writes it shows, and a decision about another desk's doubt."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.ui.outbox import outbox_words as words
from app.ui.theme.tokens import SPACE_2
from app.ui.widgets.buttons import button
from app.ui.widgets.field import Choice
from app.ui.widgets.layout import row
from app.ui.widgets.text.labels import set_tone, text_label, visible

if TYPE_CHECKING:
    from app.store.team.team_file import OthersWrite


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


class OthersDoubt(QWidget):
    """A line below the table, in which a person decides about a write in doubt of another desk.

    Hidden while no such write is chosen. `decided` carries the write and whether it arrived.
    """

    decided = Signal(object, bool)

    def __init__(self) -> None:
        super().__init__()
        self._write: OthersWrite | None = None
        self.label = text_label("", "body", wrap=True)
        set_tone(self.label, "warn")
        self.arrived_button = button(words.REQUEST_ARRIVED, self._on_arrived)
        self.absent_button = button(words.REQUEST_NOT_ARRIVED, self._on_absent)
        line = row(self.label, self.arrived_button, self.absent_button, gap=SPACE_2)
        line.setStretch(0, 1)
        self.setLayout(line)
        self.hide()

    def show_write(self, write: "OthersWrite | None") -> None:
        """Offer a decision about this write; None for no write."""
        self._write = write if write is not None and write.state == "in_doubt" else None
        if self._write is not None:
            self.label.setText(visible(words.others_doubt(self._write.person, self._write.reference)))
        self.setVisible(self._write is not None)

    def _on_arrived(self) -> None:
        self.decided.emit(self._write, True)

    def _on_absent(self) -> None:
        self.decided.emit(self._write, False)

"""Says to the team which order is in the form, and knows who else has it in theirs.

Invariants: an order is said to be changed only while its page is in sight. What is said ends by itself, so a desk that
dies holds up nobody.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer, Signal

from app.desk.desk import Desk
from app.desk.team_side import CHANGING, TeamSide

_AFTER_MS = 800  # a reference that is typed letter by letter is one reference
_AGAIN_MS = 20_000  # less than half of the time after which it ends by itself


class ChangingOrder(QObject):
    """`people` are the others who have the order in their form now; `changed` reports that they are others.

    `reference` is the one in the form, empty for none that a person works on.
    """

    changed = Signal()

    def __init__(self, reference: Callable[[], str], parent: QObject) -> None:
        super().__init__(parent)
        self._reference = reference
        self._desk: Desk | None = None
        self._said: tuple[TeamSide, str] | None = None
        self.people: Sequence[str] = ()
        self._soon, self._again = QTimer(self), QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_AFTER_MS)
        self._again.setInterval(_AGAIN_MS)
        for each in (self._soon, self._again):
            each.timeout.connect(self._say)

    def take_desk(self, desk: Desk) -> None:
        """Work for this desk from now on."""
        self.end()
        self._desk = desk

    def on_typed(self) -> None:
        """The form changed, or another draft is in it."""
        self.look()
        self._soon.start()

    def look(self) -> None:
        """Who else has the order of the form in theirs?"""
        team = None if self._desk is None else self._desk.team
        reference = self._reference() if team is not None else ""
        people = team.changing().get(reference, ()) if team is not None and reference else ()
        if tuple(people) != self.people:
            self.people = tuple(people)
            self.changed.emit()

    def _say(self) -> None:
        team = None if self._desk is None else self._desk.team
        reference = self._reference()
        wanted = None if team is None or not reference else (team, reference)
        if self._said is not None and self._said != wanted:
            self._said[0].be_present(self._said[1], "")
        self._said = wanted
        if wanted is not None:
            wanted[0].be_present(reference, CHANGING)
            self._again.start()

    def end(self) -> None:
        """Nobody works on an order here any more."""
        self._soon.stop()
        self._again.stop()
        if self._said is not None:
            self._said[0].be_present(self._said[1], "")
            self._said = None
        if self.people:
            self.people = ()
            self.changed.emit()

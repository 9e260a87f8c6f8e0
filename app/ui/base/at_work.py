"""Says to the team what a person works on here, and knows who else works on it.

Invariants: nothing is said of what is out of sight. What is said ends by itself, so a desk that dies holds up nobody.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer, Signal

from app.desk.desk import Desk
from app.desk.team_side import Doing, TeamSide

_AFTER_MS = 800  # a reference that is typed letter by letter is one, and who only passes by works on nothing
_AGAIN_MS = 20_000  # less than half of the time after which it ends by itself


class AtWork(QObject):
    """`people` are the others who are doing the same with the same subject now; `changed` reports that they are others.

    `subject` tells what a person works on in sight: an order's reference, an audit's number; empty for nothing.
    """

    changed = Signal()

    def __init__(self, subject: Callable[[], str], doing: Doing, parent: QObject) -> None:
        super().__init__(parent)
        self._subject, self._doing = subject, doing
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

    def go_on(self) -> None:
        """A person goes on, perhaps with something else."""
        self.look()
        self._soon.start()

    def look(self) -> None:
        """Find out who else works on it."""
        team = None if self._desk is None else self._desk.team
        subject = self._subject() if team is not None else ""
        people = team.at_work(self._doing).get(subject, ()) if team is not None and subject else ()
        if tuple(people) != self.people:
            self.people = tuple(people)
            self.changed.emit()

    def _say(self) -> None:
        team = None if self._desk is None else self._desk.team
        subject = self._subject()
        wanted = None if team is None or not subject else (team, subject)
        if self._said is not None and self._said != wanted:
            self._said[0].be_present(self._said[1], "")
        self._said = wanted
        if wanted is not None:
            wanted[0].be_present(subject, self._doing)
            self._again.start()

    def end(self) -> None:
        """Tell the team that nobody works on anything here any more."""
        self._soon.stop()
        self._again.stop()
        if self._said is not None:
            self._said[0].be_present(self._said[1], "")
            self._said = None
        if self.people:
            self.people = ()
            self.changed.emit()

"""Makes the widgets of a large form a few milliseconds a turn, so that the window never waits for them."""

import time
from collections.abc import Generator

from PySide6.QtCore import QObject, QTimer, Signal
from shiboken6 import isValid

AT_ONCE_S, A_TURN_S = 0.008, 0.006  # within a frame of 16 ms, with room for the layout
Work = Generator[None, None, None]


class Building(QObject):
    """Runs generators, the latest one first: what a generator begins is made before it goes on.

    So the widgets come from top to bottom. `begin` allows the next work a longer first turn, which fills the screen.
    `done` fires when nothing is left to make. What is deleted meanwhile is not made any further.
    """

    done = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._works: list[tuple[QObject, Work]] = []  # each with what it makes widgets for
        self._running = False
        self._until = 0.0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_turn)

    @property
    def busy(self) -> bool:
        """Whether something is still to be made."""
        return bool(self._works)

    def begin(self) -> None:
        """Drop the work of before, and allow a first turn from now on."""
        self.drop()
        self._until = time.perf_counter() + AT_ONCE_S

    def drop(self) -> None:
        """Leave the rest of the work undone: its widgets are not wanted any more."""
        self._works.clear()

    def add(self, owner: QObject, work: Work) -> None:
        """Run a generator: now, as far as this turn goes, and then in the next ones, as long as `owner` is there."""
        self._works.append((owner, work))
        if not self._running:
            self._run()

    def finish(self) -> None:
        """Make all that is left, now."""
        self._until = float("inf")
        self._run()
        self._until = 0.0

    def _on_turn(self) -> None:
        self._until = time.perf_counter() + A_TURN_S
        self._run()

    def _run(self) -> None:
        self._running = True
        try:
            while self._works and time.perf_counter() < self._until:
                owner, work = each = self._works[-1]
                # A person may have removed a part, or chosen another kind of it, before all of it was made.
                if not isValid(owner) or next(work, self) is self:
                    self._works.remove(each)  # what it began stands above it by now, so it is looked for
        finally:
            self._running = False
            if self._works:  # also after an error in one part: the others are made
                self._timer.start()
        if not self._works:
            self.done.emit()

"""Makes the widgets of a large form a few milliseconds a turn, so that the window never waits for them."""

import time
from collections.abc import Generator

from PySide6.QtCore import QObject, QTimer, Signal

AT_ONCE_S, A_TURN_S = 0.012, 0.006
Work = Generator[None, None, None]


class Building(QObject):
    """Runs generators, the latest one first: what a generator begins is made before it goes on.

    So the widgets come from top to bottom. `begin` allows the next work a longer first turn, which fills the screen.
    `done` fires when nothing is left to make.
    """

    done = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._works: list[Work] = []
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
        self._works.clear()
        self._until = time.perf_counter() + AT_ONCE_S

    def add(self, work: Work) -> None:
        """Run a generator: now, as far as this turn goes, and then in the next ones."""
        self._works.append(work)
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
                work = self._works[-1]
                if next(work, self) is self:  # what it began stands above it by now, so it is looked for
                    self._works.remove(work)
        finally:
            self._running = False
        if self._works:
            self._timer.start()
        else:
            self.done.emit()

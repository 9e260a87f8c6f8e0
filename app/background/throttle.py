"""A throttle for signals: the first at once, the last always, a few a second at most."""

from PySide6.QtCore import QObject, QTimer, Signal

EVERY_MS = 250


class Throttle(QObject):
    """`due` follows every `request`: at once after a quiet quarter of a second, else at the end of the running one."""

    due = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._pending = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(self.flush)

    def request(self) -> None:
        """Have `due` emitted soon."""
        self._pending = True
        if not self._timer.isActive():
            self.flush()

    def flush(self) -> None:
        """Emit `due` now if it was requested and has not been emitted since."""
        if self._pending:
            self._pending = False
            # Before the signal: a slot that requests again is answered at the end of this interval, not at once.
            self._timer.start()
            self.due.emit()

"""Passes news on at a pace that a window can follow: the first at once, the last always, a few a second at most."""

from PySide6.QtCore import QObject, QTimer, Signal

EVERY_MS = 250


class Pace(QObject):
    """`due` follows every `tell`: at once after a rest, else together with the others of the same quarter second."""

    due = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._more = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(self.pass_on)

    def tell(self) -> None:
        """There is something new."""
        self._more = True
        if not self._timer.isActive():
            self.pass_on()

    def pass_on(self) -> None:
        """Pass on now what has not been yet."""
        if self._more:
            self._more = False
            self._timer.start()
            self.due.emit()

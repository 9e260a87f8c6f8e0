"""A notice of the desktop, where there is one that shows them; quiet everywhere else."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.ui.theme.theme import Theme
from app.ui.widgets.text.labels import visible

if TYPE_CHECKING:
    from PySide6.QtWidgets import QSystemTrayIcon


class DesktopNotice(QObject):
    """The sign beside the clock is made for the first notice, and only where it can show one."""

    clicked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._sign: QSystemTrayIcon | None = None

    def show_notice(self, heading: str, words: str) -> bool:
        """Whether the desktop was told; it decides what becomes of it."""
        sign = self._sign or self._make()
        if sign is None:
            return False
        sign.show()
        sign.showMessage(visible(heading), visible(words), self._theme.icon("package", "accent"))
        return True

    def _make(self) -> "QSystemTrayIcon | None":
        from PySide6.QtWidgets import QSystemTrayIcon

        if not QSystemTrayIcon.isSystemTrayAvailable() or not QSystemTrayIcon.supportsMessages():
            return None
        self._sign = QSystemTrayIcon(self._theme.icon("package", "accent"), self)
        self._sign.messageClicked.connect(self.clicked)
        self._sign.activated.connect(self.clicked)
        return self._sign

"""The tray icon: a click on it brings the window forward; where nothing else shows notices, it does.

Invariant: made only where a tray is there to show it.
"""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from app.ui.notices import notices_words as words
from app.ui.theme.theme import Theme


class TrayNotices(QObject):
    """`clicked`: on a notice. `window_asked`: on the icon. `settings_asked`: in its menu."""

    clicked = Signal()
    window_asked = Signal()
    settings_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._menu = QMenu()
        theme.dress(self._menu)
        self._menu.addAction(words.OPEN_WINDOW, self.window_asked.emit)
        self._menu.addAction(words.OPEN_SETTINGS, self.settings_asked.emit)
        self._sign = QSystemTrayIcon(theme.icon("package", "accent"), self)
        self._sign.setToolTip("Waybill")
        self._sign.setContextMenu(self._menu)
        self._sign.messageClicked.connect(self.clicked)
        self._sign.activated.connect(self._on_activated)
        theme.changed.connect(self._tint)

    @staticmethod
    def is_available() -> bool:
        """Whether the desktop has a tray. Asks it, and waits for the answer."""
        return QSystemTrayIcon.isSystemTrayAvailable()

    @property
    def shows_notices(self) -> bool:
        """Whether the tray can show notices by itself."""
        return QSystemTrayIcon.supportsMessages()

    def set_shown(self, shown: bool) -> None:
        """Show the icon, or hide it."""
        self._sign.setVisible(shown)

    def show_notice(self, heading: str, body: str) -> None:
        """Show a notice in place of the last one."""
        # A tray shows messages only of an icon that is there.
        self._sign.show()
        self._sign.showMessage(heading, body, self._theme.icon("package", "accent"))

    def _tint(self) -> None:
        self._sign.setIcon(self._theme.icon("package", "accent"))

    def _on_activated(self, why: QSystemTrayIcon.ActivationReason) -> None:
        if why != QSystemTrayIcon.ActivationReason.Context:  # that opens the menu
            self.window_asked.emit()

    def end(self) -> None:
        """Take the icon away."""
        self._sign.hide()
        self._menu.deleteLater()

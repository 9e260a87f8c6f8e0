"""Hands one notice at a time to whatever shows notices on this desktop, and says what that is.

Linux: the program that answers on D-Bus, else the tray. Elsewhere: the tray, which is the system's own way there.
Invariant: the window never waits for a program that does not answer.
"""

import sys

from PySide6.QtCore import QObject, QTimer, Signal

from app.ui.notices import notices_words as words
from app.ui.notices.bus_notices import BusNotice, BusNotices, Standing
from app.ui.notices.tray_notices import TrayNotices
from app.ui.theme.theme import Theme
from app.ui.widgets.text.labels import visible


class DesktopNotices(QObject):
    """`known`: who shows notices is known, or is another one. `clicked`: a person wants what the notice is about.

    `closed`: the notice has gone. `window_asked` and `settings_asked` come from the tray icon.
    """

    known = Signal()
    clicked = Signal()
    closed = Signal()
    window_asked = Signal()
    settings_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._bus: BusNotices | None = None
        self._tray: TrayNotices | None = None
        self._standing: Standing | None = None
        self._failed = self._wanted = False

    def begin(self) -> None:
        """Find out who shows notices; `known` follows."""
        if sys.platform.startswith("linux"):
            self._bus = bus = BusNotices()
            bus.stands.connect(self._on_stands)
            bus.clicked.connect(self.clicked)
            bus.closed.connect(self.closed)
            bus.failed.connect(self._on_failed)
            bus.begin()
        else:
            # In the next turn, as the answer of a bus comes: the caller need not expect `known` within this call.
            QTimer.singleShot(0, self, self._on_no_bus)

    @property
    def can_show(self) -> bool:
        """Whether anything here shows notices."""
        return bool(self._server) or (self._tray is not None and self._tray.shows_notices)

    @property
    def sentence(self) -> str:
        """Who shows notices here, for people."""
        if self._standing is None:
            return words.ASKING
        said = words.shown_by(visible(self._server)) if self._server else words.BY_TRAY
        if not self.can_show:
            return words.NOBODY
        return f"{words.FAILED} {said}" if self._failed else said

    def set_wanted(self, wanted: bool) -> None:
        """Whether any notices are wanted: without, there is no tray icon."""
        self._wanted = wanted
        if self._tray is not None:
            self._tray.set_shown(wanted)

    def show_notice(self, heading: str, body: str) -> None:
        """Show this notice in place of the last one. The desktop decides whether it is seen."""
        self._failed = False
        if self._server and self._bus is not None:
            self._bus.show_notice(BusNotice(visible(heading), visible(body), words.OPEN))
        elif self._tray is not None:
            self._tray.show_notice(visible(heading), visible(body))

    def withdraw(self) -> None:
        """Take the last notice away, where the desktop can."""
        if self._bus is not None:
            self._bus.withdraw()

    def end(self) -> None:
        """Take away the notice and the icon."""
        if self._bus is not None:
            self._bus.end()
        if self._tray is not None:
            self._tray.end()

    @property
    def _server(self) -> str:
        return self._standing.server if self._standing is not None else ""

    def _on_no_bus(self) -> None:
        self._on_stands(Standing())

    def _on_stands(self, standing: Standing) -> None:
        self._standing = standing
        if self._tray is None and standing.tray_answers and TrayNotices.is_available():
            self._tray = tray = TrayNotices(self._theme)
            tray.clicked.connect(self.clicked)
            tray.window_asked.connect(self.window_asked)
            tray.settings_asked.connect(self.settings_asked)
            tray.set_shown(self._wanted)
        self.known.emit()

    def _on_failed(self) -> None:
        self._failed = True
        self.closed.emit()
        self.known.emit()

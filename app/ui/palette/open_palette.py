"""Opens the palette of a window; makes it when it is first asked for, since the first paint does without it."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.ui.base.deferred_imports import import_lock
from app.ui.palette.window_access import WindowAccess
from app.ui.widgets.buttons import shortcut

if TYPE_CHECKING:
    from app.ui.palette.palette_window import Palette


class PaletteOpener(QObject):
    """Ctrl+K, and the button in the header."""

    def __init__(self, reach: WindowAccess) -> None:
        super().__init__(reach.window)
        self._reach = reach
        self.palette: Palette | None = None
        shortcut(reach.window, "Ctrl+K", self.open)
        reach.window.search_asked.connect(self.open)

    def open(self) -> None:
        """Show it, empty."""
        if self.palette is None:
            with import_lock:
                from app.ui.palette.palette_window import Palette
                from app.ui.palette.window_commands import WindowCommands

            reach = self._reach
            self.palette = Palette(reach.window, reach.theme, reach.tasks, WindowCommands(reach))
        self.palette.open()

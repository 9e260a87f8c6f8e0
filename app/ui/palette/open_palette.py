"""Opens the palette of a window. The palette is made when it is first opened, to keep the first paint light."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.ui.base.deferred_imports import import_lock
from app.ui.palette.window_access import WindowAccess
from app.ui.widgets.buttons import shortcut

if TYPE_CHECKING:
    from app.ui.palette.palette_window import Palette


class PaletteOpener(QObject):
    """Opens the palette by Ctrl+K, or by the button in the header."""

    def __init__(self, access: WindowAccess) -> None:
        super().__init__(access.window)
        self._access = access
        self.palette: Palette | None = None
        shortcut(access.window, "Ctrl+K", self.open)
        access.window.search_asked.connect(self.open)

    def open(self) -> None:
        """Open the palette with an empty line."""
        if self.palette is None:
            with import_lock:
                from app.ui.palette.palette_window import Palette
                from app.ui.palette.window_commands import WindowCommands

            access = self._access
            self.palette = Palette(access.window, access.theme, access.tasks, WindowCommands(access))
        self.palette.open()

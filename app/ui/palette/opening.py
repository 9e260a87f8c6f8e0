"""Opens the palette of a window; makes it when it is first asked for, since the first paint does without it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject

from app.desk.desk import Desk
from app.runtime.tasks import Tasks
from app.ui.loading import alone
from app.ui.main_window import MainWindow
from app.ui.orders.page import OrdersPage
from app.ui.theme.theme import Theme
from app.ui.widgets.buttons import shortcut

if TYPE_CHECKING:
    from app.ui.palette.palette import Palette


class Reach(NamedTuple):
    """What the palette can reach of the window."""

    window: MainWindow
    theme: Theme
    tasks: Tasks
    orders: OrdersPage
    desk: Callable[[], Desk | None]
    go: Callable[[str], object]
    use_profile: Callable[[str], object]
    new_order: Callable[[], object]
    show_write: Callable[[int], object]
    show_keys: Callable[[], object]
    remember_appearance: Callable[[str], object]


class PaletteOpener(QObject):
    """Ctrl+K, and the button in the header."""

    def __init__(self, reach: Reach) -> None:
        super().__init__(reach.window)
        self._reach = reach
        self.palette: Palette | None = None
        shortcut(reach.window, "Ctrl+K", self.open)
        reach.window.search_asked.connect(self.open)

    def open(self) -> None:
        """Show it, empty."""
        if self.palette is None:
            with alone:
                from app.ui.palette.offering import WindowOffering
                from app.ui.palette.palette import Palette

            reach = self._reach
            self.palette = Palette(reach.window, reach.theme, reach.tasks, WindowOffering(reach))
        self.palette.open()

"""The parts of the window that the palette's commands work on."""

from collections.abc import Callable
from typing import NamedTuple

from app.desk.desk import Desk
from app.runtime.tasks import Tasks
from app.ui.base.main_window import MainWindow
from app.ui.orders.orders_page import OrdersPage
from app.ui.theme.theme import Theme


class WindowAccess(NamedTuple):
    """Parts of the window, and calls into it."""

    window: MainWindow
    theme: Theme
    tasks: Tasks
    orders: OrdersPage
    desk: Callable[[], Desk | None]
    go: Callable[[str], object]
    use_profile: Callable[[str], object]
    new_order: Callable[[], object]
    show_write: Callable[[int], object]
    show_audits_view: Callable[[str], object]
    show_audit: Callable[[int], object]
    show_load: Callable[[str], object]
    begin_request: Callable[[str, str], object]
    show_keys: Callable[[], object]
    begin_tour: Callable[[], object]
    show_settings: Callable[[str], object]
    remember_appearance: Callable[[str], object]
    is_off: Callable[[str], bool]

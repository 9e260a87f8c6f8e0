"""The saved views of orders: each is a filter, a sorting and columns (see `app.ui.views.views_controller`)."""

from collections.abc import Callable
from datetime import date

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu

from app.desk.desk import Desk
from app.desk.filter.order_views import View
from app.ui.base.page import Page
from app.ui.orders import orders_words as words
from app.ui.orders.filter.filter_line import FilterLine
from app.ui.orders.query_state import QueryState
from app.ui.orders.view_columns import ViewColumns
from app.ui.views.views_bar import ViewsBar
from app.ui.views.views_controller import Views


class OrderViews(Views[View]):
    """Its menu also offers what finds orders without a filter: the rules of attention, and pasted references."""

    rules_asked = Signal()
    pasted_asked = Signal()

    def __init__(
        self,
        page: Page,
        bar: ViewsBar,
        state: QueryState,
        line: FilterLine,
        columns: ViewColumns,
        today: Callable[[], date],
    ) -> None:
        super().__init__(page, bar, state)
        self.state, self._line, self._columns, self._today = state, line, columns, today
        self.show()

    def is_changed(self, desk: Desk) -> bool:
        return self.state.is_changed(self._today())

    def as_view(self, desk: Desk, name: str) -> View:
        return self.state.as_view(name, self._today())

    def apply(self, desk: Desk) -> None:
        self._line.set_text(self.state.view_text(self._today()))

    def forget_changes(self) -> None:
        self.state.reset_sorting()

    def reset(self) -> None:
        if self.state.current.columns:
            self._columns.reset()
        super().reset()

    async def count_of(self, desk: Desk, view: View) -> int:
        from app.desk.filter.resolve_filter import view_count  # nothing is counted before the first paint

        return await view_count(desk, view)

    async def move_settings(self, desk: Desk, old: str, new: str) -> None:
        await self._columns.rename(desk, old, new)

    def add_menu_entries(self, menu: QMenu) -> None:
        menu.addAction(words.ATTENTION_RULES_ENTRY, self.rules_asked.emit)
        menu.addAction(f"{words.PASTE_ORDERS_ENTRY}\tCtrl+Shift+V", self.pasted_asked.emit)

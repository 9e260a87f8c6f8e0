"""Sets of orders that are not typed: those whose references or numbers were pasted, and the rules of attention."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.desk.desk import Desk
from app.ui.base.page import Page
from app.ui.orders.filter.filter_line import FilterLine
from app.ui.orders.filter.order_chips import Chips
from app.ui.orders.filter.order_views_bar import OrderViews

if TYPE_CHECKING:
    from app.ui.orders.filter.pasted_dialog import Sorted


class Sets(QObject):
    """`changed` tells that other orders are to be shown."""

    changed = Signal()

    def __init__(self, page: Page, views: OrderViews, line: FilterLine, chips: Chips) -> None:
        super().__init__(page)
        self._page, self._views, self._line, self._chips = page, views, line, chips
        views.pasted_asked.connect(self.open_pasted)
        views.rules_asked.connect(self.open_rules)
        views.chosen.connect(self._show_held)
        chips.let_go.connect(self._let_go)

    def open_pasted(self) -> None:
        """Ask which orders are to be shown."""
        from app.ui.orders.filter.pasted_dialog import PastedDialog  # nobody pastes before the first paint
        from app.ui.orders.filter.set_of_orders import sort_pasted

        desk = self._page.desk

        async def sort(texts: list[str]) -> "Sorted":
            return await sort_pasted(desk, texts)

        def use(found: "Sorted") -> None:
            self._page.tasks.read("use pasted", self._use(desk, found))

        dialog = PastedDialog(self._page, self._page.tasks, sort, use)
        dialog.show()

    async def _use(self, desk: Desk, found: "Sorted") -> None:
        from app.ui.orders.filter.set_of_orders import one_clause, typed

        clause = await one_clause(desk, found)
        text = typed(clause)
        self._views.state.held = None if text else clause
        self._line.put(text)
        self._show_held()
        self.changed.emit()

    def _let_go(self) -> None:
        self._views.state.held = None
        self._show_held()
        self.changed.emit()

    def _show_held(self) -> None:
        held = self._views.state.held
        self._chips.show_held(0 if held is None else len(held.values))

    def open_rules(self) -> None:
        """Show the rules by which orders need attention."""
        self._page.tasks.read("rules", self._open_rules(self._page.desk))

    async def _open_rules(self, desk: Desk) -> None:
        from app.desk.filter.attention_rules import load_rules
        from app.ui.orders.filter.attention_dialog import AttentionDialog

        rules, say = await load_rules(desk), partial(self._page.bar.say, "bad")
        dialog = AttentionDialog(self._page, self._page.tasks, desk, rules, self._rules_changed, say)
        dialog.show()

    def _rules_changed(self) -> None:
        self._views.count_again()
        self.changed.emit()

"""The views of orders: a filter in the line, a sorting and columns."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu

from app.desk.desk import Desk
from app.desk.filter.order_views import View
from app.store.cache.order_rows import ListName
from app.ui.base.page import Page
from app.ui.orders.filter.filter_line import FilterLine
from app.ui.orders.filter.viewing import Viewing, one_list
from app.ui.orders.table.arrangement import names_of
from app.ui.orders.table.arranging import Arranging
from app.ui.views.views_bar import ViewsBar
from app.ui.views.views_controller import Views


class OrderViews(Views[View]):
    """Also asks for what makes sets of orders without a filter: the rules of attention, pasted references."""

    rules_asked = Signal()
    pasted_asked = Signal()

    def __init__(self, page: Page, bar: ViewsBar, line: FilterLine, arranging: Arranging) -> None:
        self.state = Viewing()
        super().__init__(page, bar, self.state)
        self._line, self._arranging = line, arranging
        line.changed.connect(self.show)
        arranging.changed.connect(self.show)
        self.show()

    @property
    def list_name(self) -> ListName:
        """The list that is shown, by the view or by what is typed; the open one when it is about several."""
        if self._desk is None:
            return "open"
        return one_list(self.state.asked(self._line.filter, self._desk.now().date()).clauses) or "open"

    def is_changed(self, desk: Desk) -> bool:
        kept = self.state.current.columns
        columns = bool(kept) and names_of(self._arranging.current) != kept
        return columns or self.state.changed(self._line.editor.text(), desk.now().date())

    def as_shown(self, desk: Desk, name: str) -> View:
        columns = names_of(self._arranging.current)
        return self.state.as_shown(name, self._line.editor.text(), columns, desk.now().date())

    def put(self, desk: Desk) -> None:
        self._line.put(self.state.kept_line(desk.now().date()))

    def forget_changes(self) -> None:
        self.state.forget_sorting()

    def put_back(self) -> None:
        if self.state.current.columns:
            self._arranging.put_back()
        super().put_back()

    async def count_of(self, desk: Desk, view: View) -> int:
        from app.desk.filter.resolve_filter import view_count  # nothing is counted before the first paint

        return await view_count(desk, view)

    async def tell_renamed(self, desk: Desk, old: str, new: str) -> None:
        await self._arranging.rename(desk, old, new)

    def add_entries(self, menu: QMenu) -> None:
        menu.addAction("Rules of Needs attention…", self.rules_asked.emit)
        menu.addAction("Show pasted references or numbers…\tCtrl+Shift+V", self.pasted_asked.emit)

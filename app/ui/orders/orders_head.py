"""What stands above the orders: which list, how far back, the filter with its count, what a refresh has come to."""

from collections.abc import Callable
from datetime import date

from PySide6.QtWidgets import QWidget

from app.runtime.tasks import Tasks
from app.store.cache.order_rows import ListName
from app.ui.orders.fetching.fetching import Fetching
from app.ui.orders.filter.filter_line import FilterLine
from app.ui.orders.filter.order_chips import Chips
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from app.ui.views.views_bar import ViewsBar
from app.ui.widgets.bars.message_bar import MessageBar, progress_bar
from app.ui.widgets.layout import column, holding, row
from app.ui.widgets.text.labels import text_label


class OrdersHead(QWidget):
    """Widgets alone: the page listens to them and decides."""

    def __init__(
        self,
        theme: Theme,
        bar: MessageBar,
        tasks: Tasks,
        line: FilterLine,
        shown: Callable[[], tuple[ListName, str]],
        today: Callable[[], date],
    ) -> None:
        super().__init__()
        self.chips = Chips(line, today)
        self.views = ViewsBar(theme, what="orders")
        self.count_label = text_label("", "soft")
        self.progress = progress_bar("Refresh progress", keeps_place=True)
        self.fetching = Fetching(theme, tasks, bar, self.progress, shown)
        top = row(self.views, self.fetching.controls, gap=SPACE_2)
        top.setStretch(0, 1)
        search = row(line.editor, line.clear_button, self.count_label, gap=SPACE_1)
        search.setStretch(0, 1)
        # What is not understood stands in the place of the chips: so nothing jumps, and there is room for it.
        line.said.connect(self._say_problem)
        self._problem = line.problem
        self._problem.setFixedHeight(self.chips.sizeHint().height())
        chips = column(self.chips, self._problem)
        lines = column(top, search, chips, margin=(SPACE_3, SPACE_1, SPACE_3, SPACE_1), gap=SPACE_2)
        self.setLayout(column(holding(lines), self.fetching.dates, self.progress))

    def _say_problem(self, said: bool) -> None:
        self._problem.setVisible(said)
        self.chips.setVisible(not said)

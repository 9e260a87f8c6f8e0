"""What stands above the orders: which list, how far back, the filter with its count, what a refresh has come to."""

from collections.abc import Callable

from PySide6.QtWidgets import QLineEdit, QProgressBar, QWidget

from app.runtime.tasks import Tasks
from app.store.cache_rows import ListName
from app.ui.orders.fetching import Fetching
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.bars import MessageBar
from app.ui.widgets.buttons import icon_button, tab
from app.ui.widgets.labels import text_label
from app.ui.widgets.layout import column, holding, row

LISTS: dict[ListName, str] = {"open": "Open", "completed": "Completed"}


class OrdersHead(QWidget):
    """Widgets alone: the page listens to them and decides."""

    def __init__(self, theme: Theme, bar: MessageBar, tasks: Tasks, shown: Callable[[], tuple[ListName, int]]) -> None:
        super().__init__()
        self.tabs = {name: tab(title, name) for name, title in LISTS.items()}
        self.tabs["open"].setChecked(True)
        self.filter = QLineEdit()
        self.filter.setAccessibleName("Filter orders")
        self.filter.setPlaceholderText("Filter by number, reference, PO, BOL, name, city, ZIP, phone  (Ctrl+F)")
        self.clear_button = icon_button(theme, "x", "Clear the filter", self.filter.clear)
        self.count_label = text_label("", "soft")
        self.progress = self._progress()
        self.fetching = Fetching(theme, tasks, bar, self.progress, shown)
        top = row(*self.tabs.values(), None, self.fetching.controls, gap=SPACE_2)
        search = row(self.filter, self.clear_button, self.count_label, gap=SPACE_1)
        search.setStretch(0, 1)
        lines = column(top, search, bar, margin=(SPACE_3, SPACE_1, SPACE_3, SPACE_1), gap=SPACE_2)
        self.setLayout(column(holding(lines), self.fetching.dates, self.progress))

    def _progress(self) -> QProgressBar:
        made = QProgressBar()
        made.setTextVisible(False)
        made.setAccessibleName("Refresh progress")
        keep = made.sizePolicy()
        keep.setRetainSizeWhenHidden(True)
        made.setSizePolicy(keep)
        made.hide()
        return made

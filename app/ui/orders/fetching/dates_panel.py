"""The dates panel: for each window of dates and each list, how old the orders are or why they are missing."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from app.desk.sync.window_plan import LISTED, Job, Listed
from app.translation import translate
from app.ui.orders import orders_words as words
from app.ui.orders.fetching.freshness import WindowState, days_words
from app.ui.theme.theme import SIZES, Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.bars.message_bar import GLYPHS
from app.ui.widgets.buttons import button
from app.ui.widgets.layout import column, row
from app.ui.widgets.lists.list_rows import set_list_rows
from app.ui.widgets.text.labels import plain_tooltip, text_label, visible

_INKS = {"good": "ink", "soft": "ink_soft", "warn": "warn"}
_VISIBLE_LINES = 6
_JOBS = Qt.ItemDataRole.UserRole


class DatesPanel(QWidget):
    """`retry_asked` carries the windows to fetch again; `closed` asks to hide the panel."""

    retry_asked = Signal(list)
    closed = Signal()

    def __init__(self, theme: Theme, try_again: Callable[[], object]) -> None:
        super().__init__()
        self._theme = theme
        self._shown: list[tuple[Mapping[Listed, Job], Mapping[Listed, WindowState]]] = []
        theme.changed.connect(self._show_lines)
        self.sentence = text_label("", "soft", wrap=True)
        self.retry_button = button(words.RETRY_MISSING, try_again)
        self.list = QTreeWidget()
        self.list.setAccessibleName(words.DATES_NAME)
        self.list.setHeaderLabels([translate("Dates"), *(words.LIST_TITLES[name] for name in LISTED)])
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        set_list_rows(self.list)
        self.list.header().setStretchLastSection(True)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.list.setFixedHeight(SIZES.row_height * (_VISIBLE_LINES + 1) + SPACE_2)
        self.list.activated.connect(self._on_activated)
        close = button(translate("Close"), self.closed.emit, kind="quiet", key="Escape")
        top = row(self.sentence, self.retry_button, close, gap=SPACE_2)
        top.setStretch(0, 1)
        self.setLayout(column(top, self.list, margin=(SPACE_3, 0, SPACE_3, SPACE_2), gap=SPACE_1))
        self.hide()

    def show_dates(
        self, lines: Sequence[tuple[Mapping[Listed, Job], Mapping[Listed, WindowState]]], sentence: str, *, busy: bool
    ) -> None:
        """Show a line for each window, newest first. While `busy`, the retry button is hidden."""
        self.sentence.setText(visible(sentence))
        self.retry_button.setVisible(not busy and any(each.missing for _, states in lines for each in states.values()))
        while self.list.topLevelItemCount() > len(lines):
            self.list.takeTopLevelItem(len(lines))
        while self.list.topLevelItemCount() < len(lines):
            item = QTreeWidgetItem()
            item.setSizeHint(0, QSize(0, SIZES.row_height))
            self.list.addTopLevelItem(item)
        self._shown = list(lines)
        self._show_lines()

    def _show_lines(self) -> None:
        for at, (jobs, states) in enumerate(self._shown):
            item = self.list.topLevelItem(at)
            assert item is not None
            self._show_line(item, jobs, states)
        measured = self.list.fontMetrics().horizontalAdvance
        dates = [days_words(job.start, job.end) for jobs, _ in self._shown for job in list(jobs.values())[:1]]
        self.list.setColumnWidth(0, max(map(measured, dates), default=0) + 2 * SPACE_3)

    def _show_line(
        self, item: QTreeWidgetItem, jobs: Mapping[Listed, Job], states: Mapping[Listed, WindowState]
    ) -> None:
        job = next(iter(jobs.values()))
        item.setText(0, days_words(job.start, job.end))
        item.setData(0, _JOBS, [jobs[name] for name in LISTED if states[name].missing])
        for place, name in enumerate(LISTED, 1):
            item.setText(place, visible(f"{GLYPHS[states[name].tone]} {states[name].words}"))
            item.setToolTip(place, plain_tooltip(states[name].words))
            item.setForeground(place, self._theme.colour(_INKS[states[name].tone]))

    def _on_activated(self, index: QModelIndex) -> None:
        item = self.list.topLevelItem(index.row())
        jobs = item.data(0, _JOBS) if item is not None else []
        if jobs:
            self.retry_asked.emit(jobs)

"""The outbox: what was sent and how it ended, what waits, and what needs a person. Plainly."""

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtWidgets import QSplitter

from app.desk.desk import Desk
from app.desk.sending import outbox
from app.store.journal.records import WriteRow
from app.ui.base.page import Page, Room
from app.ui.outbox.other_outboxes import Elsewhere
from app.ui.outbox.outbox_model import WIDTHS, OutboxDelegate, OutboxModel
from app.ui.outbox.shown_write import ShownWrite
from app.ui.outbox.state_words import BLOCKED_FILTERS, FILTERS
from app.ui.theme.tokens import DETAIL_WIDTH, SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.buttons import tab
from app.ui.widgets.layout import column, holding, row
from app.ui.widgets.lists.row_table import RowTable, set_up_rows
from app.ui.widgets.states import StateView

_SHOWN = 2_000
_EMPTY_WORDS: dict[str, tuple[str, str]] = {
    "all": ("Nothing was sent yet", "Orders and cancellations appear here from the moment you submit them."),
    "you": ("Nothing needs you", "Orders that were refused or are in doubt appear here."),
    "way": ("Nothing is on its way", "Everything that was submitted has been answered."),
    "ended": ("Nothing has ended yet", "Orders that the provider has taken appear here."),
}


class OutboxPage(Page):
    """A row a write, its whole story beside it. `outbox_asked` names another connection whose outbox is to be shown."""

    outbox_asked = Signal(str)

    def __init__(self, room: Room) -> None:
        super().__init__(room, "outbox")
        self._filter = "all"
        self._scroll_to_it = False  # to the write that was asked for, once its row has come
        self._other_rows = False  # a person asked for other rows: what they do not hold is not shown beside them
        self.model = OutboxModel(self)
        self.table = RowTable()
        self.states = StateView(room.theme, self.table)
        self._shown = ShownWrite(self, self._close, lambda each: self.show_write(each.id))
        self.story = self._shown.pane
        self.elsewhere = Elsewhere(self.outbox_asked.emit)
        self._build()
        room.news.wrote.connect(self.reload)
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        # One that was closed opens again: its row is current still, so no change of it is told.
        self.table.clicked.connect(self._on_row)
        self.table.activated.connect(self._on_row)

    def _build(self) -> None:
        self.tabs = {name: tab(each[0], name) for name, each in FILTERS.items()}
        self.tabs["all"].setChecked(True)
        for each in self.tabs.values():
            each.toggled.connect(self._on_tab)
        table = self.table
        table.setModel(self.model)
        set_up_rows(table, self.room.theme, "Outbox", OutboxDelegate, WIDTHS)
        self.story.hide()
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setHandleWidth(1)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.states)
        splitter.addWidget(self.story)
        splitter.setStretchFactor(0, 1)
        splitter.setSizes([DETAIL_WIDTH * 2, DETAIL_WIDTH])
        head = column(
            row(*self.tabs.values(), None, gap=SPACE_2),
            margin=(SPACE_3, SPACE_1, SPACE_3, SPACE_1),
        )
        # What waits elsewhere is known a moment later than the rows are: below them it moves none.
        foot = column(self.elsewhere, margin=(SPACE_3, 0, SPACE_3, 0))
        whole = column(holding(head), splitter, foot)
        whole.setStretch(1, 1)
        self.setLayout(whole)
        self.bar.float_over(self, splitter)

    def take_desk(self, desk: Desk) -> None:
        super().take_desk(desk)
        self._put_away()
        self.reload()

    def enter(self) -> None:
        self.table.setFocus()

    def show_write(self, write_id: int) -> None:
        """Show this write, whatever the filter was."""
        self._scroll_to_it = True
        self.tabs["all"].setChecked(True)
        self._filter = "all"
        self._shown.show_write(write_id)
        self.reload()

    def reload(self) -> None:
        """Read the rows again."""
        if self._desk is not None:
            self.tasks.read("rows", self._load())

    async def _load(self) -> None:
        self.elsewhere.show_waiting(await outbox.other_outboxes(self.desk))
        filters = BLOCKED_FILTERS if self.desk.blocked else FILTERS
        _, states, held = filters[self._filter]
        rows = await outbox.writes(self.desk, states, _SHOWN, held=held)
        desk = self.desk
        self.model.replace(
            rows, blocked=bool(desk.blocked), paused_until=desk.paused_until, pause_reason=desk.pause_reason
        )
        if rows:
            self.states.show_content()
        else:
            heading, sentence = _EMPTY_WORDS[self._filter]
            self.states.show_state("send", heading, sentence)
        other, self._other_rows = self._other_rows, False
        if other and self._shown.write_id is not None and self.model.row_of(self._shown.write_id) is None:
            self._put_away()
        if self._shown.write_id is not None:
            # One that left these rows by itself stays: somebody is reading it. All rows hold it, also below the last
            # of those that are shown.
            listed = self._filter == "all" or self.model.row_of(self._shown.write_id) is not None
            self._shown.show_listed(listed)
            self.table.setAutoScroll(self._scroll_to_it)
            self._scroll_to_it = False
            self._select(self._shown.write_id)
            self.table.setAutoScroll(True)
            self._shown.redraw()
        counted, waiting = await outbox.counts(self.desk), await outbox.count_held(self.desk)
        for name, (title, states, held) in filters.items():
            count = sum(counted[state] for state in states) if states else sum(counted.values())
            if held is not None:
                count -= counted["queued"] - waiting if held else waiting
            self.tabs[name].setText(f"{title} {count:,}" if count else title)
            self.tabs[name].setAccessibleName(f"{title}, {count:,}")

    def _select(self, write_id: int) -> None:
        at = self.model.row_of(write_id)
        if at is not None:
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.table.selectionModel().setCurrentIndex(self.model.index(at, 0), flags)

    def _on_row(self, current: QModelIndex) -> None:
        if current.isValid() and self.model.rows[current.row()].id != self._shown.write_id:
            self._shown.show_listed(True)
            self._shown.show_write(self.model.rows[current.row()].id)

    def _on_tab(self, chosen: bool) -> None:
        if chosen:
            self._filter = next(name for name, each in self.tabs.items() if each.isChecked())
            self._other_rows = not self._scroll_to_it
            self.reload()

    def _close(self, _row: WriteRow) -> None:
        self._put_away()
        self.table.clearSelection()

    def _put_away(self) -> None:
        """Show no write, also none that is being read."""
        self._scroll_to_it = False
        self._shown.put_away()

"""The page of the outbox: all writes of a connection, their states, and what needs a person."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtWidgets import QSplitter, QWidget

from app.desk.desk import Desk
from app.desk.sending import outbox
from app.store.journal.profile_store import UnfinishedConnection
from app.ui.base.page import Page, PageServices
from app.ui.outbox import outbox_words as words
from app.ui.outbox.outbox_model import WIDTHS, OutboxDelegate, OutboxModel
from app.ui.outbox.write_story import StoryController
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import DETAIL_WIDTH, SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.buttons import button, tab
from app.ui.widgets.connection_colour import ColourMark
from app.ui.widgets.layout import column, holding, row
from app.ui.widgets.lists.row_table import RowTable, set_up_rows
from app.ui.widgets.states import StateView
from app.ui.widgets.text.labels import text_label, visible

_SHOWN = 2_000


class OutboxPage(Page):
    """A row for each write, and the story of one beside the table. `outbox_asked`: show another connection's outbox."""

    outbox_asked = Signal(str)

    def __init__(self, services: PageServices) -> None:
        super().__init__(services, "outbox")
        self._filter = "all"
        self._scroll_to_it = False  # to the write that was asked for, once its row is shown
        self._other_rows = False  # a person chose another tab: a story without a row there is closed
        self.model = OutboxModel(self)
        self.table = RowTable()
        self.states = StateView(services.theme, self.table)
        self._shown = StoryController(self)
        self._shown.closed.connect(self._close)
        self._shown.list_asked.connect(self.show_write)
        self.story = self._shown.pane
        self.other_outboxes = OtherOutboxes(services.theme)
        self.other_outboxes.asked.connect(self.outbox_asked)
        self._build()
        services.news.wrote.connect(self.reload)
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        # A story that was closed opens again by a click: its row is still the current one, so no change is told.
        self.table.clicked.connect(self._on_row)
        self.table.activated.connect(self._on_row)

    def _build(self) -> None:
        self.tabs = {name: tab(each[0], name) for name, each in words.FILTERS.items()}
        self.tabs["all"].setChecked(True)
        for each in self.tabs.values():
            each.toggled.connect(self._on_tab)
        table = self.table
        table.setModel(self.model)
        set_up_rows(table, self.services.theme, "Outbox", OutboxDelegate, WIDTHS)
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
        # Other outboxes are read after the rows: below the table their line moves no row.
        foot = column(self.other_outboxes, margin=(SPACE_3, 0, SPACE_3, 0))
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
        self.other_outboxes.show_connections(await outbox.other_outboxes(self.desk))
        filters = words.BLOCKED_FILTERS if self.desk.blocked else words.FILTERS
        _, states, held = filters[self._filter]
        rows = await outbox.writes(self.desk, states, _SHOWN, held=held)
        desk = self.desk
        self.model.replace(
            rows, blocked=bool(desk.blocked), paused_until=desk.paused_until, pause_reason=desk.pause_reason
        )
        if rows:
            self.states.show_content()
        else:
            heading, sentence = words.EMPTY[self._filter]
            self.states.show_state("send", heading, sentence)
        other, self._other_rows = self._other_rows, False
        if other and self._shown.write_id is not None and self.model.row_of(self._shown.write_id) is None:
            self._put_away()
        if self._shown.write_id is not None:
            # A write that left this tab by itself stays: a person is reading it. The tab of all writes holds it, if
            # only below the last row that is shown.
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

    def _close(self) -> None:
        self._put_away()
        self.table.clearSelection()

    def _put_away(self) -> None:
        """Show no write, also none that is being read."""
        self._scroll_to_it = False
        self._shown.put_away()


class OtherOutboxes(QWidget):
    """A line for each other connection with unfinished writes; hidden while there is none. `asked` carries its id."""

    asked = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._shown: Sequence[UnfinishedConnection] = ()
        self._lines = column(gap=SPACE_1)
        self.setLayout(self._lines)
        self.hide()

    def show_connections(self, connections: Sequence[UnfinishedConnection]) -> None:
        """Show these connections."""
        if connections == self._shown:
            return  # so that a button keeps the keyboard
        self._shown = connections
        while (item := self._lines.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        for each in connections:
            self._lines.addWidget(self._line(each))
        self.setVisible(bool(connections))

    def _line(self, each: UnfinishedConnection) -> QWidget:
        label = text_label(visible(words.other_outbox_unsent(each.name, each.count)), "soft", wrap=True)
        key = button(words.SHOW_OTHER_OUTBOX, partial(self.asked.emit, each.id), kind="quiet")
        key.setAccessibleName(visible(words.show_other_outbox(each.name)))
        line = row(ColourMark(self._theme, each.colour), label, key, gap=SPACE_2)
        line.setStretch(1, 1)
        return holding(line)

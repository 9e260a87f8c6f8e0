"""The outbox: what was sent and how it ended, what waits, and what needs a person. Plainly."""

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QFrame, QSplitter, QTableView

from app.desk import lookup, outbox
from app.desk.desk import Desk
from app.store.errors import StoreError
from app.store.journal_rows import WriteRow, WriteState
from app.ui.outbox.model import WIDTHS, OutboxModel
from app.ui.outbox.story import StoryPane
from app.ui.outbox.words import FILTERS, KIND_WORDS
from app.ui.page import Page, Room
from app.ui.theme.tokens import DETAIL_WIDTH, ROW_HEIGHT, SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.buttons import tab
from app.ui.widgets.confirm import confirmed
from app.ui.widgets.layout import column, holding, row
from app.ui.widgets.states import StateView
from app.ui.widgets.times import clock

_SHOWN = 2_000
_GIVEN_UP = "Withdrawn by a person's decision, without knowing whether it arrived."
_EMPTY_WORDS: dict[str, tuple[str, str]] = {
    "all": ("Nothing was sent yet", "Orders and cancellations appear here from the moment you submit them."),
    "you": ("Nothing needs you", "Orders that were refused or are in doubt appear here."),
    "way": ("Nothing is on its way", "Everything that was submitted has been answered."),
    "ended": ("Nothing has ended yet", "Orders that the provider has taken appear here."),
}


class OutboxPage(Page):
    """A row a write, its whole story beside it."""

    send_asked = Signal()

    def __init__(self, room: Room) -> None:
        super().__init__(room, "outbox")
        self._filter = "all"
        self._wanted: int | None = None
        self.model = OutboxModel(room.theme, self)
        self.table = QTableView()
        self.states = StateView(room.theme, self.table)
        self.story = StoryPane(
            room.theme,
            look_up=self._look_up,
            send=self._send,
            correct=self._correct,
            again=self._again,
            withdraw=self._withdraw,
            arrived=self._arrived,
            close=self._close,
        )
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
        table.setAccessibleName("Outbox")
        table.setFrameShape(QFrame.Shape.NoFrame)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.verticalHeader().setVisible(False)
        table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setStretchLastSection(True)
        for place, width in enumerate(WIDTHS):
            table.setColumnWidth(place, width)
        self.story.hide()
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setHandleWidth(1)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.states)
        splitter.addWidget(self.story)
        splitter.setStretchFactor(0, 1)
        splitter.setSizes([DETAIL_WIDTH * 2, DETAIL_WIDTH])
        head = column(
            row(*self.tabs.values(), None, gap=SPACE_2), self.bar, margin=(SPACE_3, SPACE_1, SPACE_3, SPACE_1)
        )
        whole = column(holding(head), splitter)
        whole.setStretch(1, 1)
        self.setLayout(whole)

    def take_desk(self, desk: Desk) -> None:
        super().take_desk(desk)
        self._put_away()
        self.reload()

    def enter(self) -> None:
        self.table.setFocus()

    def show_write(self, write_id: int) -> None:
        """Show this write, whatever the filter was."""
        self._wanted = write_id
        self.tabs["all"].setChecked(True)
        self._filter = "all"
        self.reload()
        self.tasks.read("story", self._load_story(write_id))

    def reload(self) -> None:
        """Read the rows again."""
        if self._desk is not None:
            self.tasks.read("rows", self._load())

    async def _load(self) -> None:
        _, states, held = FILTERS[self._filter]
        rows = await outbox.writes(self.desk, states, _SHOWN, held=held)
        kept = self.story.shown_id if self._wanted is None else self._wanted
        self.model.replace(rows)
        if rows:
            self.states.show_content()
        else:
            heading, sentence = _EMPTY_WORDS[self._filter]
            self.states.show_state("send", heading, sentence)
        if kept is not None:
            self.table.setAutoScroll(self._wanted is not None)  # only one that was asked for is scrolled to
            self._select(kept)
            self.table.setAutoScroll(True)
            self.tasks.read("story", self._load_story(kept))
        counted, waiting = await outbox.counts(self.desk), await outbox.count_held(self.desk)
        for name, (title, states, held) in FILTERS.items():
            count = sum(counted[state] for state in states) if states else sum(counted.values())
            if held is not None:
                count -= counted["queued"] - waiting if held else waiting
            self.tabs[name].setText(f"{title} {count:,}" if count else title)
            self.tabs[name].setAccessibleName(f"{title}, {count:,}")

    async def _load_story(self, write_id: int) -> None:
        try:
            told = await outbox.story(self.desk, write_id)
        except StoreError as error:
            self.bar.say("bad", error.sentence)
            return
        self._wanted = None
        self.story.show_story(told)

    def _select(self, write_id: int) -> None:
        at = self.model.row_of(write_id)
        if at is not None:
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.table.selectionModel().setCurrentIndex(self.model.index(at, 0), flags)

    def _on_row(self, current: QModelIndex) -> None:
        if current.isValid() and self.model.rows[current.row()].id != self.story.shown_id:
            self.tasks.read("story", self._load_story(self.model.rows[current.row()].id))

    def _on_tab(self, chosen: bool) -> None:
        if chosen:
            self._filter = next(name for name, each in self.tabs.items() if each.isChecked())
            self.reload()

    def _close(self, _row: WriteRow) -> None:
        self._put_away()
        self.table.clearSelection()

    def _put_away(self) -> None:
        """Show no write, also none that is being read."""
        for name in ("story", "look up"):
            self.tasks.cancel(name)
        self._wanted = None
        self.story.put_away()

    def _look_up(self, each: WriteRow) -> None:
        self.story.say("soft", "Asking the provider for the status…")
        self.tasks.read("look up", self._ask_status(each.reference))

    async def _ask_status(self, reference: str) -> None:
        answer = await lookup.look_up(self.desk, reference)
        self.story.say("good" if answer.proven else "warn", f"{answer.sentence} Asked at {clock(answer.at)}.")

    def _send(self, each: WriteRow) -> None:
        act = self._send_again(each) if each.state == "in_doubt" else self._let_go(each)
        self.tasks.write(f"settle {each.id}", act)

    async def _let_go(self, each: WriteRow) -> None:
        if each.held is not None and not await confirmed(
            self, f"Send {each.reference} all the same?", each.held, "Send all the same"
        ):
            return
        try:
            await outbox.let_go(self.desk, each.id)
        except StoreError as error:
            self.story.say("bad", error.sentence)
            return
        self.room.news.wrote.emit()
        self.send_asked.emit()

    def _again(self, each: WriteRow) -> None:
        self.room.news.enter_again.emit(each.id)

    async def _send_again(self, each: WriteRow) -> None:
        sure = await confirmed(
            self,
            f"Send {each.reference} again?",
            "It may have arrived already. If that order has been completed or cancelled since, sending again makes a "
            "second order. Look it up first.",
            "Send again",
        )
        if sure and await self._settle(each, "queued", "Sent again by a person's decision."):
            self.send_asked.emit()

    def _correct(self, each: WriteRow) -> None:
        self.room.news.correct.emit(each.id)

    def _withdraw(self, each: WriteRow) -> None:
        self.tasks.write(f"settle {each.id}", self._ask_withdraw(each))

    async def _ask_withdraw(self, each: WriteRow) -> None:
        what = KIND_WORDS[each.kind].lower()
        if each.state == "in_doubt" and not await confirmed(
            self,
            f"Withdraw the {what} {each.reference}?",
            "It may have arrived: withdrawing it here takes nothing back at the provider.",
            "Withdraw",
        ):
            return
        await self._settle(each, "withdrawn", "Taken back before it was sent." if each.state == "queued" else _GIVEN_UP)

    def _arrived(self, each: WriteRow) -> None:
        self.tasks.write(f"settle {each.id}", self._ask_arrived(each))

    async def _ask_arrived(self, each: WriteRow) -> None:
        sure = await confirmed(
            self,
            f"Has {each.reference} arrived at the provider?",
            "Say so only if the provider's own answer shows it. It is then not sent again.",
            "It arrived",
        )
        if sure:
            await self._settle(each, "accepted", "A person found that it had arrived.")

    async def _settle(self, each: WriteRow, state: WriteState, sentence: str) -> bool:
        try:
            await outbox.settle(self.desk, each.id, state, sentence)
        except StoreError as error:
            self.story.say("bad", error.sentence)
            return False
        self.room.news.wrote.emit()
        return True

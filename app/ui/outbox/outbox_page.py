"""The page of the outbox: all writes of a connection, their states, and what needs a person.

With a team it shows the writes of the other desks too, where a person wants to see them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from app.desk.bulk.outcome import import_batch
from app.desk.bulk.outcome.import_batch import BatchSummary
from app.desk.desk import Desk
from app.desk.orders import stored_orders
from app.desk.requests import send_request
from app.desk.sending import outbox
from app.desk.slots import slot_calls
from app.desk.team_side import TeamSide
from app.store.journal import import_store
from app.store.journal.profile_store import UnfinishedConnection
from app.store.journal.records import WriteRow, WriteState
from app.store.journal.request_store import RequestRow
from app.store.store_errors import StoreError
from app.ui.base.page import Page, PageServices
from app.ui.outbox import outbox_words as words
from app.ui.outbox.outbox_model import WIDTHS, Line, OutboxDelegate, OutboxModel
from app.ui.outbox.team_outbox import OthersDoubt, WhoseOutbox
from app.ui.outbox.write_story import StoryController
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import DETAIL_WIDTH, SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.buttons import Tool, ToolRow, button, shortcut, tab
from app.ui.widgets.confirm import confirmed
from app.ui.widgets.connection_colour import ColourMark
from app.ui.widgets.files.file_strip import FileStrip
from app.ui.widgets.layout import Splitter, column, drop_items, holding, row
from app.ui.widgets.lists.row_table import RowTable, set_up_rows
from app.ui.widgets.states import StateView
from app.ui.widgets.text.keys import shown_key
from app.ui.widgets.text.labels import set_tip, set_tone, text_label, visible

if TYPE_CHECKING:
    from app.store.team.team_file import OthersWrite

_SHOWN = 2_000  # rows; older writes are found by their reference
_DOUBTS_COUNTED, _DOUBTS_SHOWN = 500, 4
EXPORT_KEY = "Ctrl+Shift+E"
_WITHDRAW_KEY = "Ctrl+Delete"
_DECIDING, _OTHERS = "request in doubt", "order of another desk"  # topics of the bar


class OutboxPage(Page):
    """A row for each write, and the story of one beside the table. `outbox_asked`: show another connection's outbox."""

    outbox_asked = Signal(str)

    def __init__(self, services: PageServices) -> None:
        super().__init__(services, "outbox")
        self._filter = "all"
        self._status = ""  # what waits, as it was counted last
        self._scroll_to_it = False  # to the write that was asked for, once its row is shown
        self._other_rows = False  # a person chose another tab: a story without a row there is closed
        self._import: int | None = None  # the import whose writes alone are shown
        self._again = False  # the journal has changed since the rows began to be read
        self._some: tuple[tuple[int, ...], str] | None = None  # writes that alone are shown, and what they are called
        self.model = OutboxModel(self)
        self.table = RowTable()
        self.states = StateView(services.theme, self.table)
        self._shown = StoryController(self)
        self._shown.closed.connect(self._close)
        self._shown.list_asked.connect(self.show_write)
        self.story = self._shown.pane
        self.story.left.connect(self.enter)
        self.doubts = RequestsInDoubt()
        self.doubts.decided.connect(self._begin_deciding)
        self.doubts.show_asked.connect(self._show_request)
        self.tools = ToolRow(
            services.theme,
            (Tool("export", words.EXPORT_TOOL, "download", self.export, EXPORT_KEY, words.EXPORT_TIP),),
        )
        self.files = FileStrip(services.theme, self.tasks)
        self.others_doubt = OthersDoubt()
        self.others_doubt.decided.connect(self._begin_deciding_for)
        self.other_outboxes = OtherOutboxes(services.theme)
        self.other_outboxes.asked.connect(self.outbox_asked)
        self._build()
        services.news.wrote.connect(self._on_wrote)
        services.news.presence.connect(self._on_wrote)  # there may be a team now, or other people in it
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        # A story that was closed opens again by a click: its row is still the current one, so no change is told.
        self.table.clicked.connect(self._on_row)
        self.table.activated.connect(self._on_activated)

    def _build(self) -> None:
        self.tabs = {name: tab(each[0], name) for name, each in words.FILTERS.items()}
        self.tabs["all"].setChecked(True)
        for each in self.tabs.values():
            each.toggled.connect(self._on_tab)
        self.whose = WhoseOutbox()
        self.whose.chosen.connect(self._on_whose)
        self.import_label = text_label("", "strong")
        self.all_button = button(words.SHOW_ALL_WRITES, self._show_all, kind="quiet")
        self.import_label.hide()
        self.all_button.hide()
        table = self.table
        table.setModel(self.model)
        set_up_rows(table, self.services.theme, "Outbox", OutboxDelegate, WIDTHS)
        self.story.hide()
        splitter = Splitter(Qt.Orientation.Horizontal)
        splitter.setHandleWidth(1)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.states)
        splitter.addWidget(self.story)
        splitter.setStretchFactor(0, 1)
        splitter.setSizes([DETAIL_WIDTH * 2, DETAIL_WIDTH])
        head = column(
            row(*self.tabs.values(), None, self.import_label, self.all_button, self.whose, self.tools, gap=SPACE_2),
            margin=(SPACE_3, SPACE_1, SPACE_3, SPACE_1),
        )
        # These are read after the rows: below the table their lines move no row.
        foot = column(self.others_doubt, self.doubts, self.other_outboxes, margin=(SPACE_3, 0, SPACE_3, 0))
        whole = column(holding(head), splitter, foot)
        whole.setStretch(1, 1)
        self.setLayout(whole)
        self.bar.float_over(self, splitter)
        self.files.float_over(self, splitter)
        shortcut(self, EXPORT_KEY, self.export)
        shortcut(self, _WITHDRAW_KEY, self.withdraw)
        # Among the orders this key cancels orders alone, so it is no key of the button itself.
        set_tip(self.story.withdraw_button, f"({shown_key(_WITHDRAW_KEY)})")

    def take_desk(self, desk: Desk) -> None:
        super().take_desk(desk)
        self._import = self._some = None
        self._status = ""
        self.tell_status()
        self.whose.choose_own()
        self._put_away()
        # Rows of the connection before would stand under this one's name, and Qt makes the first of them current when
        # the table takes the keyboard.
        self.model.replace(())
        self._offer_decision()
        self.doubts.show_requests(())
        self.other_outboxes.show_connections(())
        self.states.show_content()  # whether there is anything is not known yet
        self.reload()

    def status_text(self) -> str:
        """What waits, as it was counted last."""
        return self._status

    def enter(self) -> None:
        # A hidden table would leave the keyboard on the bare page, of which a screen reader says nothing.
        (self.table if self.table.isVisibleTo(self) else self.tabs[self._filter]).setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # The button of a refused order has this key. It comes here only where that button is not shown.
        if QKeySequence(event.keyCombination()) == QKeySequence("Ctrl+E"):
            self.bar.say("", words.NO_ORDER_OPEN if self._shown.write_id is None else words.NOT_REFUSED)
        else:
            super().keyPressEvent(event)

    def withdraw(self) -> None:
        """Withdraw the write beside the list, or put it away, if its row is in sight."""
        write_id, row = self._shown.write_id, self.table.currentIndex()
        if write_id is None:
            self.bar.say("", words.NOTHING_TO_WITHDRAW)
        elif not self.story.withdraw_button.isVisible() or self.story.shown_id != write_id:
            self.bar.say("", words.NOT_TO_BE_WITHDRAWN)
        elif row.row() != self.model.row_of(write_id) or not self._is_in_sight(row):
            self._select(write_id)
            self.table.scrollTo(self.table.currentIndex())
            self.bar.say("", words.OUT_OF_SIGHT)
        else:
            self.story.withdraw_button.click()

    def _is_in_sight(self, row: QModelIndex) -> bool:
        return self.table.viewport().rect().contains(self.table.visualRect(row).center())

    def show_write(self, write_id: int) -> None:
        """Show this write, whatever the filter was."""
        self._import = self._some = None
        self.whose.choose_own()
        self._scroll_to_it = True
        self.tabs["all"].setChecked(True)
        self._filter = "all"
        self._shown.show_write(write_id)
        self.reload()

    def show_import(self, import_id: int) -> None:
        """Show the writes of this import alone, whatever the filter was."""
        self._put_away()
        self.whose.choose_own()
        self._import, self._some = import_id, None
        self.tabs["all"].setChecked(True)
        self._filter = "all"
        self.reload()

    def show_some(self, write_ids: tuple[int, ...], called: str) -> None:
        """Show these writes alone, whatever the filter was."""
        self.show_import(0)
        self._import, self._some = None, (write_ids, called)
        self.reload()

    def export(self) -> None:
        """Ask for a file, and write the lines that are shown into it."""
        if self.model.rowCount():
            from app.ui.outbox.outbox_export import export_job

            team = self.desk.team
            self.files.begin(export_job(self.model, self.services.now(), "" if team is None else team.person))
        else:
            self.bar.say("", words.NOTHING_TO_EXPORT)

    def _show_all(self) -> None:
        self._import = self._some = None
        self.table.setFocus()
        self.reload()

    def reload(self) -> None:
        """Read the rows again."""
        if self._desk is not None:
            self.tasks.read("rows", self._load_all())

    def _on_wrote(self) -> None:
        """Read the rows again; a read under way is let through: an import writes faster than many rows are read."""
        self._again = self.tasks.running("rows")
        if not self._again:
            self.reload()

    async def _load_all(self) -> None:
        self._again = True
        while self._again:
            self._again = False
            await self._load()

    def _on_whose(self) -> None:
        self._import = self._some = None
        self._put_away()
        self.reload()

    async def _load(self) -> None:
        team = self.desk.team
        self.whose.show_people(None if team is None else await team.people())
        self.other_outboxes.show_connections(await outbox.other_outboxes(self.desk))
        doubts = await send_request.in_doubt(self.desk, _DOUBTS_COUNTED)
        self.doubts.show_requests(doubts)
        own = self.whose.person is None
        filters = words.BLOCKED_FILTERS if self.desk.blocked and own else words.FILTERS
        _, states, held = filters[self._filter]
        if self._scroll_to_it and self._shown.write_id is not None:
            # A write of an import has its row among the writes of that import.
            self._import = await self.desk.journal.read(import_store.import_of, self._shown.write_id)
        rows = await self._lines(self._filter, states, held)
        desk = self.desk
        self.model.replace(
            rows, blocked=bool(desk.blocked), paused_until=desk.paused_until, pause_reason=desk.pause_reason
        )
        self.tools.set_possible("export", bool(rows), words.NOTHING_TO_EXPORT)
        self._offer_decision()  # the chosen write may be in another state by now
        self._show_state(bool(rows), doubts=bool(doubts))
        self._keep_chosen()
        await self._show_counts(filters, len(doubts), own=own)

    def _show_state(self, rows: bool, *, doubts: bool) -> None:
        """Show the rows, or why there are none."""
        if not rows and self.table.hasFocus():
            self.tabs[self._filter].setFocus()
        if rows:
            self.states.show_content()
        elif self.whose.person is not None:
            self.states.show_state("send", words.EMPTY[self._filter][0], words.nothing_of(self.whose.person))
        elif self._filter == "you" and doubts:
            self.states.show_state("send", words.NO_ORDER_NEEDS_YOU, words.REQUESTS_BELOW)
        else:
            heading, sentence = words.EMPTY[self._filter]
            self.states.show_state("send", heading, sentence)

    def _keep_chosen(self) -> None:
        """Keep the chosen write beside the rows that were read."""
        other, self._other_rows = self._other_rows, False
        if other and self._shown.write_id is not None and self.model.row_of(self._shown.write_id) is None:
            self._put_away()
        if self._shown.write_id is not None:
            # A write that left this tab by itself stays: a person is reading it. The tab of all writes holds it, if
            # only below the last row that is shown.
            listed = self._filter == "all" or self.model.row_of(self._shown.write_id) is not None
            self._shown.show_listed(listed)
            # Qt scrolls to a row that becomes current: a reload under the person's hands must not move the rows.
            self.table.setAutoScroll(self._scroll_to_it)
            self._scroll_to_it = False
            self._select(self._shown.write_id)
            self.table.setAutoScroll(True)
            self._shown.redraw()

    async def _show_counts(self, filters: words.Filters, doubts: int, *, own: bool) -> None:
        """Show how many writes each tab has, and how many wait."""
        counted, waiting = await outbox.counts(self.desk), await outbox.count_held(self.desk)
        self._status = words.status(
            counted["queued"] - waiting, waiting, counted["sending"], counted["in_doubt"] + doubts,
            counted["rejected"], "" if self.desk.paused_until is None else self.desk.pause_reason,
        )  # fmt: skip
        self.tell_status()
        for name, (title, states, held) in filters.items():
            count = sum(counted[state] for state in states) if states else sum(counted.values())
            if held is not None:
                count -= counted["queued"] - waiting if held else waiting
            count += doubts if name == "you" else 0
            # Of the others' writes, which may be a million, none are counted; of one import others would be counted.
            tells = own and self._import is None and self._some is None
            self.tabs[name].setText(f"{title} {count:,}" if count and tells else title)
            self.tabs[name].setAccessibleName(f"{title}, {count:,}" if tells else title)

    # Quotes, trucks and reservations in doubt

    def _begin_deciding(self, request: RequestRow, arrived: bool) -> None:
        self.tasks.write(f"decide request {request.id}", self._decide(request, arrived))

    async def _decide(self, request: RequestRow, arrived: bool) -> None:
        try:
            await send_request.decide(self.desk, request, arrived=arrived)
        except StoreError as error:
            self.bar.say("warn", error.sentence, topic=_DECIDING)
        self.services.news.wrote.emit()

    def _begin_deciding_for(self, write: "OthersWrite", arrived: bool) -> None:
        self.tasks.write(f"decide {write.desk} {write.number}", self._decide_for(write, arrived))

    async def _decide_for(self, write: "OthersWrite", arrived: bool) -> None:
        from app.desk.team.others_orders import settle_for  # not loaded for a desk without a team

        question = words.ask_arrived(write.reference) if arrived else words.ask_absent(write.reference)
        warning = words.ARRIVED_WARNING if arrived else words.absent_warning(write.person)
        answer = words.REQUEST_ARRIVED if arrived else words.REQUEST_NOT_ARRIVED
        if not await confirmed(self, question, warning, answer):
            return
        try:
            await settle_for(self.desk, write, arrived=arrived)
        except StoreError as error:
            self.bar.say("warn", error.sentence, topic=_OTHERS)
            return
        self.bar.say("good", words.told_to(write.person, write.reference), topic=_OTHERS)

    def _show_request(self, request: RequestRow) -> None:
        if request.operation == slot_calls.RESERVE:
            self.tasks.read("order of a reservation", self._show_reserved_order(request))
        else:
            self.services.news.show_request.emit(request)

    async def _show_reserved_order(self, request: RequestRow) -> None:
        number = await stored_orders.number_of(self.desk, request.subject)
        if number is None:
            self.bar.say("", words.RESERVED_ORDER_UNKNOWN, topic=_DECIDING)
        else:
            self.services.news.show_order.emit(number)

    async def _lines(self, name: str, states: tuple[WriteState, ...], held: bool | None) -> list[Line]:
        """The rows of a tab: the writes of one import, or every import as one row among the other writes."""
        desk, of = self.desk, self._import
        if self._some is not None:
            return await self._some_lines(*self._some, states)
        if self.whose.person is not None and desk.team is not None:
            return await self._team_lines(desk.team, self.whose.person, states, held)
        writes = await outbox.writes(desk, states, _SHOWN, held=held, of=of or 0)
        imports = await import_batch.summaries(desk)
        shown = next((each for each in imports if each.id == of), None)
        self.import_label.setText("" if shown is None else visible(words.writes_of_import(shown.name)))
        for each in (self.import_label, self.all_button):
            each.setVisible(of is not None)
        if of is not None:
            return list(writes)
        return _merged(writes, [each for each in imports if _is_in(each, name)])

    async def _team_lines(
        self, team: TeamSide, person: str, states: tuple[WriteState, ...], held: bool | None
    ) -> list[Line]:
        """The writes of one other person, or of all with those of this desk among them."""
        for each in (self.import_label, self.all_button):
            each.hide()
        theirs = await team.writes(states, _SHOWN, person=person, held=held)
        own = [] if person else await outbox.writes(self.desk, states, _SHOWN, held=held)
        both: list[WriteRow | OthersWrite] = [*own, *theirs]
        return list(sorted(both, key=lambda each: each.queued_at, reverse=True)[:_SHOWN])

    async def _show_others_order(self, reference: str) -> None:
        number = await stored_orders.number_of(self.desk, reference)
        if number is None:
            self.bar.say("", words.OTHERS_ORDER_UNKNOWN, topic=_OTHERS)
        else:
            self.bar.withdraw(_OTHERS)
            self.services.news.show_order.emit(number)

    async def _some_lines(self, ids: tuple[int, ...], called: str, states: tuple[WriteState, ...]) -> list[Line]:
        found = await outbox.writes_by_id(self.desk, ids)
        self.import_label.setText(visible(called))
        for each in (self.import_label, self.all_button):
            each.show()
        chosen = [found[each] for each in sorted(found, reverse=True) if not states or found[each].state in states]
        return list(chosen[:_SHOWN])

    def _select(self, write_id: int) -> None:
        at = self.model.row_of(write_id)
        if at is not None:
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.table.selectionModel().setCurrentIndex(self.model.index(at, 0), flags)

    def _on_row(self, current: QModelIndex) -> None:
        line = self.model.rows[current.row()] if current.isValid() else None
        self._offer_decision()
        if isinstance(line, WriteRow) and line.id != self._shown.write_id:
            self._shown.show_listed(True)
            self._shown.show_write(line.id)
        elif line is not None and not isinstance(line, WriteRow):
            self._put_away()

    def _offer_decision(self) -> None:
        current = self.table.currentIndex()
        line = self.model.rows[current.row()] if current.isValid() else None
        self.others_doubt.show_write(None if line is None or isinstance(line, WriteRow | BatchSummary) else line)

    def _on_activated(self, current: QModelIndex) -> None:
        """Enter or a double click: the row of an import opens its writes."""
        line = self.model.rows[current.row()] if current.isValid() else None
        if isinstance(line, BatchSummary):
            self.show_import(line.id)
        elif line is not None and not isinstance(line, WriteRow):
            # Its story is at the other desk; the order's details tell of it too.
            self.tasks.read("order of another desk", self._show_others_order(line.reference))
        else:
            self._on_row(current)

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


def _merged(writes: Sequence[WriteRow], imports: Sequence[BatchSummary]) -> list[Line]:
    """Both from the latest on. The writes keep their order, which is by number: a clock may have been set back."""
    found: list[Line] = []
    left = list(imports)
    for each in writes:
        while left and left[0].begun_at > each.queued_at:
            found.append(left.pop(0))
        found.append(each)
    return [*found, *left]


def _is_in(each: BatchSummary, name: str) -> bool:
    """Whether an import has an order that belongs to a tab."""
    match name:
        case "you":
            return bool(each.needs_person)
        case "way":
            return bool(each.waiting or each.under_way)
        case "ended":
            return bool(each.accepted or each.not_sent)
    return True


class _Lines(QWidget):
    """Lines with keys, one below the other; hidden while there is none."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: Sequence[object] = ()
        self._lines = column(gap=SPACE_1)
        self.setLayout(self._lines)
        self.hide()

    def put(self, shown: Sequence[object], lines: Callable[[], Iterable[QWidget]]) -> None:
        """Show lines that are made of `shown`."""
        # The page reads them again at each write. New lines would take the keyboard from a key of the old ones.
        if shown == self._shown:
            return
        self._shown = shown
        drop_items(self._lines)
        for each in lines():
            self._lines.addWidget(each)
        self.setVisible(bool(shown))


class RequestsInDoubt(_Lines):
    """A line for each quote, truck and reservation that nobody knows the end of.

    `decided` carries the request and whether it arrived, `show_asked` the request.
    """

    decided = Signal(object, bool)
    show_asked = Signal(object)

    def show_requests(self, requests: Sequence[RequestRow]) -> None:
        """Show these requests."""
        self.put([each.id for each in requests], lambda: self._lines_of(requests))

    def _lines_of(self, requests: Sequence[RequestRow]) -> Iterator[QWidget]:
        yield from map(self._line, requests[:_DOUBTS_SHOWN])
        if len(requests) > _DOUBTS_SHOWN:
            yield text_label(words.more_requests_in_doubt(len(requests) - _DOUBTS_SHOWN), "soft")

    def _line(self, each: RequestRow) -> QWidget:
        sentence = visible(words.request_in_doubt(each))
        label = text_label(f"! {sentence}", "body", wrap=True)
        set_tone(label, "warn")
        keys = [
            button(words.REQUEST_ARRIVED, partial(self.decided.emit, each, True)),
            button(words.REQUEST_NOT_ARRIVED, partial(self.decided.emit, each, False)),
            button(words.SHOW_REQUEST, partial(self.show_asked.emit, each), kind="quiet"),
        ]
        for key in keys:
            key.setAccessibleDescription(sentence)
        line = row(label, *keys, gap=SPACE_2)
        line.setStretch(0, 1)
        return holding(line)


class OtherOutboxes(_Lines):
    """A line for each other connection with unfinished writes. `asked` carries its id."""

    asked = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme

    def show_connections(self, connections: Sequence[UnfinishedConnection]) -> None:
        """Show these connections."""
        self.put(connections, lambda: map(self._line, connections))

    def _line(self, each: UnfinishedConnection) -> QWidget:
        label = text_label(visible(words.other_outbox_unsent(each.name, each.count)), "soft", wrap=True)
        key = button(words.SHOW_OTHER_OUTBOX, partial(self.asked.emit, each.id), kind="quiet")
        key.setAccessibleName(visible(words.show_other_outbox(each.name)))
        line = row(ColourMark(self._theme, each.colour), label, key, gap=SPACE_2)
        line.setStretch(1, 1)
        return holding(line)

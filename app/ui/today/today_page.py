"""The page *Today*: what needs somebody, the worst first, with the one key that mends it, worked down to none.

    News, clock ─▶ reload ─▶ desk.today.board ─▶ TodayList ─▶ SidePane (the order beside the list)
                                  ▲                  │ D, S
                                  └── journal ◀──────┘

Invariants: a line goes at once when it is put off, and comes back if that could not be stored; an empty page says
nothing that the store does not know.
"""

from collections.abc import Callable
from datetime import datetime
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from app.desk.desk import Desk
from app.desk.orders import stored_orders
from app.desk.reasons.reason_rules import load_rules
from app.desk.today import put_off
from app.desk.today.board import Board, TodayLine, read_board
from app.desk.today.put_off import PutOff
from app.store.cache.order_rows import OrderLine
from app.store.store_errors import StoreError
from app.ui.base.page import Page, PageServices
from app.ui.orders.detail.side_pane import SidePane
from app.ui.orders.table.column_list import BY_NAME
from app.ui.orders.watch_list import WatchList
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from app.ui.today import today_page_words as words
from app.ui.today.snooze_dialog import SnoozeDialog
from app.ui.today.today_list import More, TodayList, is_correctable, phone_of, rows_of
from app.ui.widgets import widget_words
from app.ui.widgets.buttons import Tool, ToolRow, button, shortcut, tab, with_icon
from app.ui.widgets.call_choice import CALL_CHOICE
from app.ui.widgets.layout import Splitter, column, holding, row
from app.ui.widgets.states import StateView
from app.ui.widgets.text.keys import shown_key
from app.ui.widgets.text.labels import ampersands
from app.ui.widgets.text.times import clock

_TABS = ("todo", "snoozed", "done")
# The tools of a line that needs somebody, and of one that was put off.
_ON_TODO, _ON_PUT_OFF = ("look up", "call", "change", "snooze", "done"), ("call", "again")
# The letters that are kept while the lines are being read: they change nothing, and say which order they were about.
_AHEAD = ("c", "l")
Empty = tuple[str, str, str, str, Callable[[], object] | None]  # what `StateView.show_state` takes
_PUT_OFF, _ANSWER, _TROUBLE = "put off", "answer", "today not read"  # topics of the bar


class TodayPage(Page):
    """`counted`: so many things need somebody. `rule_asked` and `audit_asked` want the orders of a rule, an audit."""

    counted = Signal(int)
    shown = Signal(bool)  # whether it is in sight
    rule_asked = Signal(str)
    audit_asked = Signal(int)

    def __init__(self, services: PageServices) -> None:
        super().__init__(services, "today")
        self.board = Board()
        self._tab = "todo"
        self._lent = False  # the keyboard waits at the tab for rows to come
        self._ahead: list[str] = []  # letters that were typed there meanwhile
        self._away: dict[str, PutOff | None] = {}  # lines that are being put off, or shown again, by their keys
        self._wanted_rule = ""  # the group to go to once it is read
        self._empty: Empty | None = None
        self._read_at: datetime | None = None
        self.list = TodayList(services.theme)
        self.list.keyed = self._on_letter
        self.states = StateView(services.theme, self.list)
        self.watch_list = WatchList(self)
        self.splitter = Splitter(Qt.Orientation.Horizontal)
        self.side = SidePane(self, self.splitter, self.watch_list.is_watched)
        self._build()
        self._connect()
        self.states.show_state("clock", words.READING)
        self._draw_actions()

    def _build(self) -> None:
        theme = self.services.theme
        self.tabs = {name: tab(words.tab(name, 0), name) for name in _TABS}
        self.tabs["todo"].setChecked(True)
        for each in self.tabs.values():
            each.toggled.connect(self._on_tab)
        self.rules_button = with_icon(
            button(words.RULES, self.open_rules, key="Alt+R", tip=words.RULES_TIP), theme, "list-checks"
        )
        sides = (SPACE_3, SPACE_1, SPACE_3, SPACE_1)
        head = row(*self.tabs.values(), None, self.rules_button, margin=sides, gap=SPACE_2)
        self.open_button = button(words.OPEN, self.open_current, kind="primary")
        self.open_button.setText(ampersands(widget_words.title_with_key(words.OPEN, shown_key("Return"))))
        acts = (
            ("look up", words.LOOK_UP, self.look_up, "L"),
            ("call", words.CALL, self.call, "C"),
            ("change", words.CHANGE, self.change, "E"),
            ("snooze", words.SNOOZE, self.snooze, "S"),
            ("done", words.DONE, self.finish, "D"),
            ("again", words.BRING_BACK, self.show_again, "B"),
        )
        tools = [Tool(name, title, "", act, key, "", kind="normal", shows_key=True) for name, title, act, key in acts]
        self.tools = ToolRow(theme, tools, kind="normal", gap=SPACE_2, side="left")
        foot = row(self.open_button, self.tools, None, margin=sides, gap=SPACE_2)
        self.foot = holding(foot)
        left = column(self.states, self.foot)
        left.setStretch(0, 1)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(1)
        self.splitter.addWidget(holding(left))
        whole = column(holding(head), self.splitter)
        whole.setStretch(1, 1)
        self.setLayout(whole)
        self.bar.float_over(self, self.states)  # not over the buttons: what they do is said there

    def _connect(self) -> None:
        self.list.current_changed.connect(self._on_current)
        self.list.opened.connect(self.open_current)
        self.side.left.connect(self.list.setFocus)
        self.side.stepped.connect(self.list.step)
        self.side.watch_toggled.connect(self._toggle_watch)
        self.side.find_asked.connect(self._show_in_orders)
        shortcut(self, "Ctrl+Delete", self.cancel)
        shortcut(self, "F5", self.reload)
        self.services.news.wrote.connect(self.side.redraw)
        CALL_CHOICE.changed.connect(self._draw_actions)

    def page_commands(self) -> list[tuple[str, str, Callable[[], object]]]:
        return [
            (words.RULES, "Alt+R", self.open_rules),
            (words.LOOK_UP, "L", self.look_up),
            (words.CALL if CALL_CHOICE.by_program else words.COPY_PHONE, "C", self.call),
            (words.SNOOZE, "S", self.snooze),
            (words.DONE, "D", self.finish),
        ]

    # The desk, and what is read

    def take_desk(self, desk: Desk) -> None:
        super().take_desk(desk)
        self.tasks.cancel("board")
        self.board, self._away, self._read_at = Board(), {}, None
        self.tell_status()
        self.side.take_desk(desk)
        self.tasks.read("calls", CALL_CHOICE.read(desk.journal))
        self.watch_list.take_desk(desk)
        self.list.show_rows([])
        self.states.show_state("clock", words.READING)
        self.reload()

    def enter(self) -> None:
        self.reload()
        self._take_keyboard()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shown.emit(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.shown.emit(False)

    def _take_keyboard(self) -> None:
        if self.list.isVisible():
            self.list.setFocus()
        else:
            self._lend_keyboard()

    def _lend_keyboard(self) -> None:
        """Give the keyboard to the tab while there are no rows."""
        self._lent, self._ahead = True, []
        self.tabs[self._tab].setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # What the widget with the keyboard leaves comes here, and a tab leaves letters.
        letter = event.text().lower()
        if self._lent and not event.modifiers() and letter in _AHEAD and self._has_keyboard(self.tabs[self._tab]):
            self._ahead.append(letter)
        else:
            super().keyPressEvent(event)

    def _has_keyboard(self, widget: QWidget) -> bool:
        """Whether the keyboard is there, or comes back there as soon as the window has it again."""
        return self.window().focusWidget() is widget

    def show_group(self, rule: str) -> None:
        """Go to the first line of the group of this rule, if it finds something."""
        self._wanted_rule = rule
        self.tabs["todo"].setChecked(True)
        self.reload()

    def reload(self) -> None:
        """Read again what needs somebody."""
        if self._desk is not None:
            self.tasks.read("board", self._load(self.desk))

    async def _load(self, desk: Desk) -> None:
        try:
            board = await read_board(desk, names_of=_title_of)
            empty = await self._why_empty(desk, board) if not board.count else None
        except StoreError as error:
            self._ahead = []
            # What was read before stays: it is no worse than nothing.
            if self.board.groups:
                self.bar.say("bad", error.sentence, words.TRY_AGAIN, self.reload, topic=_TROUBLE)
            else:
                self.states.show_state("circle-alert", words.NOT_READ, error.sentence, words.TRY_AGAIN, self.reload)
            return
        self.bar.withdraw(_TROUBLE)
        self.board, self._empty, self._read_at = board, empty, desk.now()
        self.counted.emit(board.count)
        self._draw()
        self._wanted_rule = ""  # whatever it found: nobody is led away later

    async def _why_empty(self, desk: Desk, board: Board) -> Empty:
        """Icon, heading, sentence and button of an empty page, from what the store knows."""
        rules = [rule for rule in await load_rules(desk) if rule.on]
        windows = await stored_orders.coverage(desk, "open")
        fetched = [each.fetched_at for each in windows if each.fetched_at is not None]
        if not rules:
            return "eye-off", words.NO_RULE_ON, words.NO_RULE_ON_SENTENCE, words.REVIEW_RULES, self.open_rules
        known = await stored_orders.counts(desk)
        if not fetched and not any(known.values()):
            return "clock", words.NOTHING_YET, words.NOTHING_YET_SENTENCE, "", None
        now = desk.now()
        away = bool(board.done or board.snoozed)
        parts = [words.found_nothing(len(rules), words.moment(max(fetched), now) if fetched else "", away=away)]
        if board.done:
            parts.append(words.worked_off(len(board.done)))
        if board.snoozed and board.snoozed[0].put_off is not None:
            parts.append(words.next_again(len(board.snoozed), words.moment(board.snoozed[0].put_off.until, now)))
        return "circle-check", words.NOTHING_NEEDED, " ".join(parts), "", None

    # What is shown

    def status_text(self) -> str:
        """How many lines wait, are snoozed and are done, and when the board was read."""
        if self._read_at is None:
            return words.READING if self._desk is not None else ""
        counts = self.board.count, len(self.board.snoozed), len(self.board.done)
        return words.status(*counts, clock(self._read_at))

    def _draw(self) -> None:
        self.tell_status()
        counts = {"todo": self.board.count, "snoozed": len(self.board.snoozed), "done": len(self.board.done)}
        for name, each in self.tabs.items():
            each.setText(ampersands(words.tab(name, counts[name])))
            each.setAccessibleName(words.tab(name, counts[name]))
        had = self._has_keyboard(self.list)
        rows = rows_of(self.board, self._tab)
        self.list.show_rows(rows)
        if rows:
            self.states.show_content()
            self._go_to_wanted()
            if had or (self._lent and self.isVisible() and self._has_keyboard(self.tabs[self._tab])):
                self.list.setFocus()
            self._lent = False  # from here on whoever stands at the tab has gone there
        else:
            self._show_empty()
            if had:
                self._lend_keyboard()
        self.foot.setVisible(bool(rows))
        self._draw_actions()
        ahead, self._ahead = self._ahead, []
        if self._has_keyboard(self.list):
            for letter in ahead:
                self._on_letter(letter)

    def _go_to_wanted(self) -> None:
        """Go to the group that was asked for; the rows of another tab, or of before, are not its rows."""
        rule, board = self._wanted_rule, self.board
        group = next((each for each in board.groups if each.rule.name == rule), None)
        if self._tab == "todo" and group is not None and group.lines:
            self._wanted_rule = ""
            self.list.go_to(self.list.lines.row_of(group.lines[0].key))

    def _show_empty(self) -> None:
        if self._tab == "snoozed":
            self.states.show_state("clock", words.NONE_SNOOZED, words.NONE_SNOOZED_SENTENCE)
        elif self._tab == "done":
            self.states.show_state("circle-check", words.NONE_DONE, words.NONE_DONE_SENTENCE)
        elif self._empty is not None:
            self.states.show_state(*self._empty)

    def _draw_actions(self) -> None:
        line, todo = self.list.current, self._tab == "todo"
        order = None if line is None else line.order
        self.open_button.setEnabled(self.list.current_row is not None)
        self.tools.offer(_ON_TODO if todo else _ON_PUT_OFF)
        correctable = line is not None and is_correctable(line)
        self.tools.set_possible("look up", order is not None)
        self.tools.set_title("change", words.CORRECT if correctable else words.CHANGE)
        self.tools.set_possible("change", order is not None or correctable)
        phone = phone_of(line) if line is not None else ""
        calls = CALL_CHOICE.by_program
        unknown = words.CALL if calls else words.COPY_PHONE
        self.tools.set_title("call", widget_words.phone_button(phone, calls=calls) if phone else unknown)
        self.tools.set_possible("call", bool(phone))
        for name in ("snooze", "done", "again"):
            self.tools.set_possible(name, line is not None)

    def _on_tab(self, on: bool) -> None:
        if on:
            self._tab = next(name for name, each in self.tabs.items() if each.isChecked())
            self._draw()

    def _on_current(self) -> None:
        self._draw_actions()
        line = self.list.current
        # The order beside the list follows; without one beside it, moving on opens nothing.
        if line is not None and line.order is not None and self.side.key is not None:
            self.side.show_order(line.order.number, line.order)
        elif self.side.key is not None and (line is None or line.order is None):
            self.side.close()

    # What is done

    def _on_letter(self, letter: str) -> bool:
        acts = {"l": self.look_up, "c": self.call, "e": self.change, "o": self.open_current}
        if self._tab == "todo":
            acts |= {"s": self.snooze, "d": self.finish}
        else:
            acts |= {"b": self.show_again}
        if letter not in acts:
            return False
        acts[letter]()
        return True

    def open_current(self) -> None:
        """Show what the line is about: an order beside the list, anything else on its own page."""
        current = self.list.current_row
        if isinstance(current, More):
            if current.group.rule.name == "stuck":  # no filter finds it: what is usual differs between facilities
                self.bar.say("", words.MORE_FOLLOW)
            else:
                self.rule_asked.emit(current.group.rule.name)
            return
        line = self.list.current
        if line is None:
            return
        news = self.services.news
        if line.order is not None:
            self.side.show_order(line.order.number, line.order)
        elif line.kind == "write":
            news.show_write.emit(int(line.name))
        elif line.kind == "load":
            news.show_load.emit(line.name)
        else:
            self.audit_asked.emit(int(line.name))

    def look_up(self) -> None:
        """Ask the provider for the status of the order, and for the order itself."""
        line = self.list.current
        if line is None:
            return
        if line.order is None:
            self.bar.say("", words.only_orders(line.title))
            return
        self.bar.say("soft", words.answer(line.title, words.ASKING), topic=_ANSWER)
        self.tasks.read("look up", self._look_up(self.desk, line))

    async def _look_up(self, desk: Desk, line: TodayLine) -> None:
        from app.desk.sending.batch import BatchResult, look_up_many, refresh_many  # brings the client's models

        order = line.order
        assert order is not None
        answers: list[BatchResult] = []
        await look_up_many(desk, [order], lambda _line, result: answers.append(result))
        await refresh_many(desk, [order], lambda _line, _result: None)
        if answers:
            said = words.answer(line.title, answers[0].sentence)
            self.bar.say(answers[0].tone, said, topic=_ANSWER, offers=True)
        self.services.news.stored.emit()

    def call(self) -> None:
        """Call the consignee, or copy the phone number, as a person chose; say which, and whose number it is."""
        line = self.list.current
        if line is None:
            return
        phone, order = phone_of(line), line.order or line.sent
        if not phone or order is None:
            self.bar.say("", words.no_phone(line.title), topic=_ANSWER)
            return
        self.bar.say("", CALL_CHOICE.reach(phone, order.consignee_name or ""), topic=_ANSWER)

    def change(self) -> None:
        """Open the order in the form: one of the provider's, or one that was refused."""
        line = self.list.current
        if line is not None and line.order is not None:
            self.services.news.change_order.emit(line.order.number)
        elif line is not None and is_correctable(line):
            self.services.news.correct.emit(int(line.name))

    def cancel(self) -> None:
        """Show the order, and ask whether it is to be cancelled."""
        line = self.list.current
        if line is not None and line.order is not None and self.list.isVisible():
            self.side.ask_cancel(line.order.number, line.order)

    def snooze(self) -> None:
        """Ask until when the line is to wait, and why."""
        line = self.list.current
        if line is not None:
            dialog = SnoozeDialog(self, line.title, self.desk.now())
            # The line that was asked about, whatever is the current one by then.
            dialog.chosen.connect(partial(self._snooze, self.desk, line))
            dialog.open()

    def _snooze(self, desk: Desk, line: TodayLine, until: datetime, reason: str) -> None:
        said = words.snoozed_until(line.title, words.moment(until, desk.now()))
        self._put(desk, line, put_off.snoozed(line.reason, until, desk.now(), reason), said)

    def finish(self) -> None:
        """Be done with the line for today."""
        line = self.list.current
        if line is not None:
            self._put(
                self.desk, line, put_off.done_today(line.reason, self.desk.now()), words.done_for_today(line.title)
            )

    def show_again(self) -> None:
        """Let a line that was put off show again."""
        line = self.list.current
        if line is not None and line.put_off is not None:
            self._put(self.desk, line, None, words.shown_again(line.title))

    def _put(self, desk: Desk, line: TodayLine, entry: PutOff | None, said: str) -> None:
        # The line goes before it is stored: the next key is for the next line.
        rows = [each for each in self.list.lines.rows if not (isinstance(each, TodayLine) and each.key == line.key)]
        self.list.show_rows(rows)
        self._away[line.key] = entry
        if not self.tasks.running("put off"):
            self.tasks.write("put off", self._store(desk))
        undo = partial(self._undo, desk, line, line.put_off)
        self.bar.say("", said, words.UNDO, undo, topic=_PUT_OFF, undoes=True)

    def _undo(self, desk: Desk, line: TodayLine, before: PutOff | None) -> None:
        self.bar.withdraw(_PUT_OFF)
        self._away[line.key] = before
        if not self.tasks.running("put off"):
            self.tasks.write("put off", self._store(desk))

    async def _store(self, desk: Desk) -> None:
        """Store what was put off, one after the other, until none is left."""
        while self._away and desk is self._desk:
            key, entry = next(iter(self._away.items()))
            try:
                await put_off.keep_put_off(desk, key, entry)
            except StoreError as error:
                self.bar.withdraw(_PUT_OFF)
                self.bar.say("bad", words.not_kept(key.partition(":")[2], error.sentence), topic=_PUT_OFF)
            if self._away.get(key) is entry:
                del self._away[key]
        if desk is self._desk:
            self.reload()

    # Other places

    def _toggle_watch(self, order: OrderLine) -> None:
        self.watch_list.toggle_soon([order])

    def _show_in_orders(self, order: OrderLine) -> None:
        self.services.news.show_order.emit(order.number)

    def open_rules(self) -> None:
        """Show the rules, to switch them and to change their numbers."""
        self.tasks.read("rules", self._open_rules(self.desk))

    async def _open_rules(self, desk: Desk) -> None:
        from app.ui.orders.filter.attention_dialog import AttentionDialog

        rules = await load_rules(desk)
        AttentionDialog(self, self.tasks, desk, rules, self._on_rules, partial(self.bar.say, "bad")).show()

    def _on_rules(self) -> None:
        self.services.news.stored.emit()
        self.reload()


def _title_of(column: str) -> str:
    return BY_NAME[column].title if column in BY_NAME else ""

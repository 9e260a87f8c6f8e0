"""The audits page: the list with the trend of its scores above it, and in its place one audit, opened.

Going on from an opened audit follows the list as it is shown: its pile, its filter and its order.
"""

from datetime import date
from functools import partial

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QStackedWidget

from app.desk import reviewing
from app.desk.desk import Desk
from app.store.audit_rows import AuditQuery
from app.ui.audits.columns import top_of
from app.ui.audits.files import CASE_KEY, EXPORT_KEY, PHOTOS_KEY, REPORT_KEY, AuditFiles, AuditsChosen
from app.ui.audits.head import AuditsHead
from app.ui.audits.lens import QuestionLens
from app.ui.audits.model import NOTHING_SAID, AuditsModel
from app.ui.audits.narrowing import Narrowing
from app.ui.audits.opened import AuditView
from app.ui.audits.plot import Chosen
from app.ui.audits.refresher import AuditsRefresher
from app.ui.audits.table import AuditsTable
from app.ui.audits.words import age_words, emptiness, trouble_words
from app.ui.page import Page, Room
from app.ui.theme.tokens import SPACE_1, SPACE_3
from app.ui.widgets.buttons import shortcut
from app.ui.widgets.layout import column, holding
from app.ui.widgets.paged import PAGE
from app.ui.widgets.states import StateView


class AuditsPage(Page):
    """Shows the store; the network only feeds the store."""

    def __init__(self, room: Room) -> None:
        super().__init__(room, "audits")
        self._pile = "all"
        self._sort, self._descending = "date", True
        self._narrowing = Narrowing()
        self._marked = NOTHING_SAID
        self._count = 0
        self.model = AuditsModel(self)
        self.table = AuditsTable(room.theme, self.model)
        self.states = StateView(room.theme, self.table)
        self.refresher = AuditsRefresher(self.tasks)
        self.head = AuditsHead(room.theme, self.refresher.start, self._show_lens_of_list, self._today)
        self.view = AuditView(room, self.tasks, self.bar)
        self.lens = QuestionLens(room, self.tasks, self.bar)
        self.files = AuditFiles(self, self._chosen)
        self._order: list[int] = []  # the numbers of the list, in its order, once an audit is open
        self._said_trouble = False
        self._lay_out()
        self._connect()
        self.states.show_state("clock", "Reading what was last seen…")

    def _lay_out(self) -> None:
        for top in (self.head.top, self.view.top):
            top.insertWidget(top.count() - 2, self.files.button())
        listing = column(self.head, self.states)
        listing.setStretch(1, 1)
        self.stack = QStackedWidget()
        self.stack.addWidget(holding(listing))
        self.stack.addWidget(self.view)
        self.stack.addWidget(self.lens)
        body = column(holding(column(self.bar, margin=(SPACE_3, SPACE_1, SPACE_3, 0))), self.files.place, self.stack)
        body.setStretch(2, 1)
        self.setLayout(body)

    def _connect(self) -> None:
        head, refresher = self.head, self.refresher
        head.filter.textChanged.connect(self.reload)
        head.filter.returnPressed.connect(self._into_table)
        for each in head.tabs.values():
            each.toggled.connect(self._on_tab)
        head.horizon.currentIndexChanged.connect(self._on_horizon)
        head.group.currentIndexChanged.connect(self.reload)
        head.plot.chosen.connect(self._on_span)
        head.chips.asked.connect(self._ask_values)
        head.chips.narrowed.connect(self._narrow)
        head.plot.opened.connect(self.show_audit)
        head.ranks.chosen.connect(self._on_rank)
        refresher.progressed.connect(self._on_progress)
        refresher.finished.connect(self._on_refreshed)
        self.model.wanted.connect(self._fetch_page)
        self.table.sort_asked.connect(self._on_sort)
        self.table.typed.connect(self._begin_filter)
        self.table.opened.connect(self._on_row)
        self.view.left.connect(self._show_list)
        self.view.stepped.connect(self._step)
        self.view.unreviewed.connect(self._next_unreviewed)
        self.view.said.connect(self.reload)
        self.view.order_asked.connect(self._ask_order)
        self.view.lens_asked.connect(self._show_lens)
        self.view.report_asked.connect(self.files.report)
        self.lens.left.connect(self._show_list)
        self.lens.opened.connect(self.show_audit)
        self.lens.said.connect(self.reload)
        shortcut(self, "Ctrl+F", self._into_filter)
        for key, name in (("Alt+T", "kind"), ("Alt+S", "score"), ("Alt+D", "span")):
            shortcut(head, key, partial(head.chips.open_chip, name))
        shortcut(head, "Alt+W", self._worst_first)
        for key, act in (
            (REPORT_KEY, self.files.report),
            (EXPORT_KEY, self.files.export),
            (PHOTOS_KEY, self.files.save_photos),
            (CASE_KEY, self.files.make_case_file),
        ):
            shortcut(self, key, act)

    def take_desk(self, desk: Desk) -> None:
        super().take_desk(desk)
        self._narrowing = Narrowing()
        self._show_list()
        self.view.take_desk(desk)
        self.lens.take_desk(desk)
        self.refresher.take_desk(desk)
        self.head.progress.hide()
        self.head.chips.show_narrowing(self._narrowing)
        self.reload()
        self.refresher.start()

    def _query(self, pile: str, narrowing: Narrowing | None = None) -> AuditQuery:
        """What the list shows of a pile, narrowed as it is now unless it is told otherwise."""
        query = AuditQuery(
            self.desk.profile.id,
            text=self.head.filter.text().strip(),
            only=self._marked.flagged if pile == "flagged" else None,
            without=self._marked.reviewed if pile == "left" else frozenset(),
            sort=self._sort,
            descending=self._descending,
        )
        return (self._narrowing if narrowing is None else narrowing).apply(query)

    def _chosen(self) -> AuditsChosen:
        """What is made a file of: the audit that is open, or those selected."""
        query, marked, top = self._query(self._pile), self._marked, self.model.top
        if self.view.number is not None:
            photo = self.view.viewer.photo
            return AuditsChosen(query, marked, top, (self.view.number,), "" if photo is None else photo.address, True)
        rows = sorted(each.row() for each in self.table.selectionModel().selectedRows())
        at_hand = [each.number for each in self.table.chosen()]
        return AuditsChosen(query, marked, top, at_hand if len(at_hand) == len(rows) else (), rows=rows)

    def connected(self) -> None:
        self.refresher.start()

    def enter(self) -> None:
        self.table.setFocus()
        if self.refresher.result is None and not self.refresher.busy:
            self.refresher.start()

    async def flush(self) -> str:
        self.view.said_row.keep_notes()
        return await self.view.said_of.settle()

    def unkept(self) -> str:
        return self.view.notes()

    def reload(self) -> None:
        """Ask the store again for what is on screen."""
        if self._desk is not None:
            self.tasks.read("rows", self._load())

    async def _load(self) -> None:
        from app.desk import audits  # brings the client's models

        self._marked = await reviewing.marked(self.desk)
        group, query = str(self.head.group.currentData()), self._query(self._pile)
        # What lies around stays in the plot, so that one can go on to it.
        dots = self._query(self._pile, self._narrowing.without("span").without("score").without(group))
        shown = await audits.show(self.desk, query, dots, group, self.table.pages_on_screen(), PAGE)
        top = top_of(shown.highest)
        self._count = shown.count
        self.model.show(shown.count, shown.pages, self._marked, top)
        self.head.show_scores(shown.points, self._narrowing, top, self.room.now().date())
        self.table.show_sort(self._sort, self._descending)
        if self.view.number is not None:
            self.table.stand_on(self.view.number)
        self._say_rows()
        self.head.age_label.setText(age_words(await audits.coverage(self.desk), self.room.now()))
        for pile in self.head.tabs:
            self.head.say_count(pile, await audits.count(self.desk, self._query(pile)))

    def _say_rows(self) -> None:
        self.head.count_label.setText(f"{self._count:,} audit{'' if self._count == 1 else 's'}")
        self.head.scores.setVisible(bool(self._count) or self._narrowing != Narrowing())
        if self._count:
            self.states.show_content()
            return
        why = emptiness(
            narrowed=bool(self.head.filter.text().strip() or self._narrowing.words() or self._pile != "all"),
            pile=self._pile,
            trouble=self.desk.trouble,
            connected=self.desk.provider is not None,
            busy=self.refresher.busy,
            result=self.refresher.result,
            days=self.refresher.days,
        )
        act = self._show_all if why.action == "Show all" else self.refresher.start
        self.states.show_state(why.icon, why.heading, why.sentence, why.action, act)

    def _show_all(self) -> None:
        """Take away whatever narrows the list."""
        self._narrowing = Narrowing()
        self.head.chips.show_narrowing(self._narrowing)
        self.head.filter.blockSignals(True)
        self.head.filter.clear()
        self.head.filter.blockSignals(False)
        self.head.tabs["all"].setChecked(True)
        self.reload()

    def _narrow(self, narrowing: Narrowing) -> None:
        self._narrowing = narrowing
        self.head.chips.show_narrowing(narrowing)
        self.table.scrollToTop()
        self.reload()

    def _ask_values(self, facet: str) -> None:
        self.tasks.read("values", self._offer_values(facet))

    async def _offer_values(self, facet: str) -> None:
        from app.desk import audits

        self.head.chips.offer(facet, await audits.facets(self.desk, self._query(self._pile), facet))

    def _on_span(self, chosen: Chosen | None) -> None:
        self._narrow(self._narrowing.dragged(chosen))

    def _on_rank(self, name: str) -> None:
        self._narrow(self._narrowing.toggled(str(self.head.group.currentData()), name))

    def _on_horizon(self) -> None:
        self.refresher.days = int(self.head.horizon.currentData())
        self.refresher.start()

    def _on_progress(self, done: int, of: int) -> None:
        self.head.show_progress(done, of)
        self.reload()

    def _on_refreshed(self) -> None:
        self.head.progress.hide()
        self.reload()
        result = self.refresher.result
        words = "" if result is None else trouble_words(result)
        if words:
            self.bar.say("warn", words, "Try again", self.refresher.start)
        elif self._said_trouble:
            self.bar.clear()
        self._said_trouble = bool(words)

    def _fetch_page(self, number: int) -> None:
        self.tasks.read(f"page {number}", self._load_page(number))

    async def _load_page(self, number: int) -> None:
        from app.desk import audits

        query = self._query(self._pile)
        rows = await audits.page(self.desk, query, PAGE, number * PAGE)
        if query == self._query(self._pile):
            self.model.put(number, rows)

    def show_audit(self, number: int) -> None:
        """Open this audit, whatever the list shows."""
        self.stack.setCurrentWidget(self.view)
        self.view.show_audit(number)
        self.view.questions.setFocus()
        self.tasks.read("order", self._learn_order())

    async def _learn_order(self) -> None:
        """Which audits come before and after, as the list stands when one is opened."""
        from app.desk import audits

        self._order = await audits.numbers(self.desk, self._query(self._pile))
        self._say_progress()

    def _say_progress(self) -> None:
        left = sum(each not in self._marked.reviewed for each in self._order)
        if self.view.number in self._order:
            place = self._order.index(self.view.number) + 1
            self.view.say_progress(f"{place:,} of {len(self._order):,} · {left:,} not reviewed")
        else:
            self.view.say_progress("")

    def _show_lens_of_list(self) -> None:
        self._show_lens("")

    def _show_lens(self, question: str) -> None:
        """Look at one question over the audits of the list."""
        self.view.close_audit()
        self.stack.setCurrentWidget(self.lens)
        self.lens.show_question(self._query(self._pile), question)
        self.lens.table.setFocus()

    def _show_list(self) -> None:
        self.stack.setCurrentIndex(0)
        self.lens.close_lens()
        number = self.view.number
        self.view.close_audit()
        if number is not None:
            self.table.stand_on(number)
            self.table.setFocus()

    def _step(self, by: int) -> None:
        """Open the audit so many places on in the list; at its ends nothing happens."""
        if self.view.number in self._order:
            place = self._order.index(self.view.number) + by
            if 0 <= place < len(self._order):
                self.view.show_audit(self._order[place])
                self._say_progress()

    def _next_unreviewed(self) -> None:
        """Open the next audit of the list that is not reviewed; the one that was open counts as reviewed already."""
        here = self._order.index(self.view.number) if self.view.number in self._order else -1
        later = [*self._order[here + 1 :], *self._order[: max(here, 0)]]
        found = next((each for each in later if each not in self._marked.reviewed), None)
        if found is None:
            self.bar.say("good", "Every audit of this list is reviewed.")
        else:
            self.view.show_audit(found)
            self._say_progress()

    def _ask_order(self, number: str) -> None:
        if number.isdecimal():
            self.room.news.show_order.emit(int(number))
        else:
            self.bar.say("warn", f"The provider names order {number} here, which is no order number.")

    def _on_row(self, current: QModelIndex) -> None:
        line = self.model.line(current.row()) if current.isValid() else None
        if line is not None:
            self.show_audit(line.number)

    def _on_tab(self, chosen: bool) -> None:
        if chosen:
            self._pile = next(name for name, each in self.head.tabs.items() if each.isChecked())
            self.table.scrollToTop()
            self.reload()

    def _on_sort(self, name: str) -> None:
        if name == self._sort:
            self._descending = not self._descending
        else:
            self._sort, self._descending = name, name in ("date", "number")
        self.table.scrollToTop()
        self.reload()

    def _worst_first(self) -> None:
        """The lowest score first, or the newest audit again."""
        worst = (self._sort, self._descending) == ("score", False)
        self._sort, self._descending = ("date", True) if worst else ("score", False)
        self.table.scrollToTop()
        self.reload()
        self.table.setFocus()

    def _today(self) -> date:
        return self.room.now().date()

    def _into_filter(self) -> None:
        self.head.filter.setFocus()
        self.head.filter.selectAll()

    def _begin_filter(self, text: str) -> None:
        """Typing in the table filters: what is typed next is in the filter already."""
        self.head.filter.setFocus()
        self.head.filter.setText(text)

    def _into_table(self) -> None:
        self.table.setFocus()
        if self.model.rowCount():
            self.table.selectRow(0)

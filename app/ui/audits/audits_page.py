"""The audits page: the list with the trend of its scores above it, and in its place one audit, opened.

The next audit and the one before follow the list as it stood when an audit was opened: its filter and its order.
Invariant: the page shows the store; the network only feeds the store.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import partial

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget

from app.background.audit_refresher import AuditRefresher
from app.desk.audits.audit_filter import EVERYTHING, Narrowing
from app.desk.audits.audit_views import FilterContext, read_context, read_range, save_range, view_query
from app.desk.audits.scores import Scale
from app.desk.desk import Desk
from app.desk.files.save_files import safe_stem
from app.desk.insights.plot_data import Plot
from app.desk.report.report_words import audits_counted
from app.desk.team_side import REVIEWING
from app.store.cache.audits.audit_rows import AuditQuery
from app.store.journal.review_store import Marked
from app.store.store_errors import StoreError
from app.translation import translate
from app.ui.audits import audits_words as words
from app.ui.audits.audit_files import CASE_KEY, EXPORT_KEY, PHOTOS_KEY, REPORT_KEY, AuditFiles, AuditsChosen
from app.ui.audits.audits_words import chip_words
from app.ui.audits.lens.question_lens import QuestionLens
from app.ui.audits.list.audit_chips import CHIP_KEYS
from app.ui.audits.list.audit_views_bar import AuditViews
from app.ui.audits.list.audits_head import AuditsHead
from app.ui.audits.list.audits_model import NO_MARKS, AuditsModel
from app.ui.audits.list.audits_table import AuditsTable
from app.ui.audits.opened.opened_audit import AuditView
from app.ui.base.page import Page, PageServices
from app.ui.plots.plot_files import plot_job
from app.ui.plots.plots_words import plot_file
from app.ui.views import views_words
from app.ui.widgets.buttons import shortcut
from app.ui.widgets.layout import column, holding
from app.ui.widgets.lists.loaded_pages import PAGE
from app.ui.widgets.states import StateView

# Topics of the bar: each message stays until its cause is gone.
_REFRESH, _HELD, _RANGE = "refresh", "refresh held", "range"
_ALL_REVIEWED, _NO_ORDER = "all reviewed", "no order"


class AuditsPage(Page):
    """Three faces in one stack: the list, an audit, and one question across audits."""

    def __init__(self, services: PageServices) -> None:
        super().__init__(services, "audits")
        self._context = FilterContext("", NO_MARKS, Scale())
        self._count = 0
        self._age = ""  # how old the list is; empty before it was read
        self._question_wanted = ""  # asked for before the views were read
        self.model = AuditsModel(self)
        self.table = AuditsTable(services.theme, self.model)
        self.states = StateView(services.theme, self.table)
        self.refresher = AuditRefresher(self.tasks)
        self.head = AuditsHead(
            services.theme,
            self.refresher.start,
            self._show_lens_of_list,
            self._review_first,
            self._show_plots,
            self._today,
        )
        self.view = AuditView(services, self.tasks, self.bar)
        self.view.scale = self._scale
        self.lens = QuestionLens(services, self.tasks, self.bar, self.view.edits)
        self.views = AuditViews(self, self.head)
        self.files = AuditFiles(self, self._chosen)
        self._order: list[int] = []  # the audits as the list stood when one of them was opened
        self._lay_out()
        self._connect()
        self.states.show_state("clock", words.LOADING)

    def _scale(self) -> Scale:
        """The scale of scores, as the list shows it."""
        return self.model.scale

    def _lay_out(self) -> None:
        for top in (self.head.top, self.view.top):
            top.insertWidget(top.count() - 2, self.files.button())
        listing = column(self.head, self.states)
        listing.setStretch(1, 1)
        self.stack = QStackedWidget()
        self.stack.addWidget(holding(listing))
        self.stack.addWidget(self.view)
        self.stack.addWidget(self.lens)
        self.setLayout(column(self.stack))
        self.bar.float_over(self, self.stack, self._foot_height)
        self.files.strip.float_over(self, self.stack, self._foot_height)

    def _foot_height(self) -> int:
        """How high the film strip at the foot is, which no message covers: a click on it shows a photo."""
        face = self.stack.currentWidget()
        strip = next((each.viewer.strip for each in (self.view, self.lens) if each is face), None)
        return 0 if strip is None or strip.isHidden() else strip.height()

    def _connect(self) -> None:
        head, refresher = self.head, self.refresher
        head.filter.returnPressed.connect(self._into_table)
        down = shortcut(head.filter, "Down", self._into_table)
        down.setContext(Qt.ShortcutContext.WidgetShortcut)
        head.horizon.currentIndexChanged.connect(self._on_horizon)
        head.chips.values_asked.connect(self._ask_values)
        head.audit_opened.connect(self.show_audit)
        head.plot_save_asked.connect(self._save_plot)
        self.views.chosen.connect(self._on_changed)
        self.views.changed.connect(self._on_changed)
        refresher.progressed.connect(self._on_progress)
        refresher.finished.connect(self._on_refreshed)
        refresher.held.connect(self._on_put_off)
        refresher.begun.connect(self._on_begun)
        self.model.wanted.connect(self._fetch_page)
        self.table.sort_asked.connect(self.views.sort_by)
        self.table.typed.connect(self._begin_filter)
        self.table.opened.connect(self._on_row)
        self.view.back_asked.connect(self._show_list)
        self.view.review_saved.connect(self._on_review_saved)
        self.view.review_saved.connect(self.services.news.reviewed)
        self.view.stepped.connect(self._step)
        self.view.next_unreviewed_asked.connect(self._next_unreviewed)
        self.view.order_asked.connect(self._ask_order)
        self.view.lens_asked.connect(self._show_lens)
        self.view.report_asked.connect(self.files.report)
        self.lens.back_asked.connect(self._show_list)
        self.lens.opened.connect(self.show_audit)
        self.lens.answered.connect(self.tell_status)
        self.view.edits.undone.connect(self._show_change)
        self.services.news.others_reviewed.connect(self._on_review_saved)
        shortcut(self, "Ctrl+F", self._into_filter)
        shortcut(self, "Ctrl+Z", self._undo)
        shortcut(self, "Ctrl+Y", self._redo)
        for key, name in CHIP_KEYS:
            shortcut(head, key, partial(head.chips.open_chip, name))
        shortcut(head, "Alt+W", self._worst_first)
        shortcut(head, "Ctrl+PgDown", self.views.next)
        shortcut(head, "Ctrl+PgUp", self.views.previous)
        for key, act in (
            (REPORT_KEY, self.files.report),
            (EXPORT_KEY, self.files.export),
            (PHOTOS_KEY, self.files.save_photos),
            (CASE_KEY, self.files.make_case_file),
        ):
            shortcut(self, key, act)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.head.fit(event.size().height())

    def take_desk(self, desk: Desk) -> None:
        super().take_desk(desk)
        self._context = FilterContext(desk.profile.id, NO_MARKS, Scale())
        self._age = ""
        self._show_list()
        self.view.take_desk(desk)
        self.lens.take_desk(desk)
        self.refresher.take_desk(desk)
        self.head.progress.hide()
        self.tasks.read("begin", self._begin(desk))

    async def _begin(self, desk: Desk) -> None:
        """Read views and range before anything else: the first says what to show, the second how far back to fetch."""
        days = await read_range(desk)
        await self.views.use(desk)
        # What is stored is shown, and not stored again.
        self.head.horizon.blockSignals(True)
        self.head.show_horizon(days)
        self.head.horizon.blockSignals(False)
        self.refresher.days = int(self.head.horizon.currentData())
        self.reload()
        self._show_wanted_question()
        self.refresher.begin()

    def _query(self) -> AuditQuery:
        """The question to the store that the list answers."""
        return view_query(self.views.state.shown, self._context, self._today())

    def _marked(self) -> Marked:
        return self._context.marked

    def _chosen(self) -> AuditsChosen:
        """The audits that a file would be made of: the open one, or the selected ones."""
        query, marked, top = self._query(), self._context.marked, self._context.scale.top
        if self.view.number is not None:
            photo, drawn = self.view.viewer.photo, self.view.drawn_photos()
            address = "" if photo is None else photo.address
            return AuditsChosen(query, marked, top, (self.view.number,), address, True, drawn=drawn)
        rows = sorted(each.row() for each in self.table.selectionModel().selectedRows())
        at_hand = [each.number for each in self.table.chosen()]
        return AuditsChosen(query, marked, top, at_hand if len(at_hand) == len(rows) else (), rows=rows)

    def connected(self) -> None:
        if self.views.is_for(self._desk):
            self.refresher.begin()

    def enter(self) -> None:
        shown = self.stack.currentWidget()
        (
            self.view.questions if shown is self.view else self.lens.table if shown is self.lens else self.table
        ).setFocus()
        # The rules of Today may say another number now, below which a score is low.
        self.views.invalidate_counts()
        self.reload()
        if self.refresher.result is None and not self.refresher.busy:
            self.connected()

    async def flush(self) -> str:
        self.view.review_row.save_notes()
        return await self.view.edits.wait_until_saved()

    def unsaved_text(self) -> str:
        """The notes about the open audit."""
        return self.view.notes()

    def reload(self) -> None:
        """Read the rows on screen anew from the store."""
        if self.views.is_for(self._desk):
            self.tasks.read("rows", self._load())

    async def _load(self) -> None:
        from app.desk.audits import audit_sync  # brings the client's models

        view, today, context = self.views.state.shown, self._today(), await read_context(self.desk)
        self._context = context
        # Days, scores and groups are picked in the plot itself, so it also shows those that are not chosen.
        around = view.narrowing.without("days").without("score").without(view.by)
        dots = view_query(replace(view, narrowing=around), context, today)
        shown = await audit_sync.show(self.desk, self._query(), dots, view.by, self.table.pages_on_screen(), PAGE)
        self._count = shown.count
        self.model.show(shown.count, shown.pages, context.marked, context.scale)
        self.head.chips.show_narrowing(view.narrowing, context.scale)
        self.head.show_scores(shown.points, view.narrowing, context.scale, today)
        self.table.show_sort(view.sort, view.descending)
        if self.view.number is not None:
            self.table.stand_on(self.view.number)
            self._say_progress()
        windows = await audit_sync.coverage(self.desk)
        now = self.services.now()
        self._age = words.age_words(windows, now, begins=False)
        self.head.age_label.say(words.age_words(windows, now, begins=True))
        self._say_rows(words.fetched_since(windows))
        self.views.count()

    def status_text(self) -> str:
        """The open audit and its progress, the question over all audits, or how many the list has and their age."""
        shown = self.stack.currentWidget()
        if shown is self.view and self.view.number is not None:
            return words.status_of_audit(self.view.number, self.view.progress.whole)
        if shown is self.lens:
            return words.status_of_question(self.lens.question.currentText(), self.lens.summary.text())
        return words.status(audits_counted(self._count), self._age) if self._age else ""

    def _say_rows(self, since: date | None) -> None:
        self.tell_status()
        self.head.count_label.setText(audits_counted(self._count))
        narrowing = self.views.state.shown.narrowing
        self.head.scores.setVisible(bool(self._count) or narrowing != EVERYTHING)
        if self._count:
            self.states.show_content()
            return
        why = words.empty_state(
            narrowed=narrowing != EVERYTHING,
            mark=narrowing.mark,
            first=self._query().first,
            since=since,
            trouble=self.desk.trouble,
            connected=self.desk.provider is not None,
            busy=self.refresher.busy,
            result=self.refresher.result,
            days=self.refresher.days,
        )
        title, act = {
            "show all": (words.SHOW_ALL, self.views.show_all),
            "try again": (words.TRY_AGAIN, self.refresher.start),
        }.get(why.action, ("", None))
        self.states.show_state(why.icon, why.heading, why.sentence, title, act)

    def _on_changed(self) -> None:
        """Show other audits, or another order. Messages about the list before are withdrawn; all others (a failed
        refresh, a note that was not saved) stay until their own cause is gone."""
        for topic in (_ALL_REVIEWED, _NO_ORDER):
            self.bar.withdraw(topic)
        self.head.chips.show_narrowing(self.views.state.shown.narrowing, self._context.scale)
        self.table.scrollToTop()
        self.reload()

    def _on_review_saved(self) -> None:
        self.views.invalidate_counts()
        self.reload()

    def _ask_values(self, facet: str) -> None:
        self.tasks.read("values", self._offer_values(facet))

    async def _offer_values(self, facet: str) -> None:
        from app.desk.audits import audit_sync

        self.head.chips.offer(facet, await audit_sync.facets(self.desk, self._query(), facet))

    def _on_horizon(self) -> None:
        self.refresher.days = int(self.head.horizon.currentData())
        self.tasks.write("save range", self._save_range(self.desk))
        self.refresher.start()

    async def _save_range(self, desk: Desk) -> None:
        """Save the range; one that is chosen while this is being written is written next."""
        saved = 0
        while desk is self._desk and saved != self.refresher.days:
            saved = self.refresher.days
            try:
                await save_range(desk, saved)
                self.bar.withdraw(_RANGE)
            except StoreError as error:
                self.bar.say("bad", words.range_not_saved(error.sentence), topic=_RANGE)

    def _on_put_off(self, sentence: str, may: bool) -> None:
        """A refresh that a person asked for is put off: say why and until when. The next refresh withdraws it."""
        offer = (translate("Refresh anyway"), self.refresher.start_all_the_same) if may else ("", None)
        self.bar.say("warn", sentence, *offer, topic=_HELD)

    def _on_begun(self) -> None:
        self.bar.withdraw(_HELD)

    def _on_progress(self, done: int, of: int) -> None:
        self.head.show_progress(done, of)
        self._on_review_saved()

    def _on_refreshed(self) -> None:
        self.head.progress.hide()
        self.views.invalidate_counts()
        self.reload()
        result = self.refresher.result
        trouble = "" if result is None else words.trouble_words(result)
        if trouble:
            self.bar.say("warn", trouble, words.TRY_AGAIN, self.refresher.start, topic=_REFRESH)
        else:
            self.bar.withdraw(_REFRESH)

    def _fetch_page(self, number: int) -> None:
        self.tasks.read(f"page {number}", self._load_page(number))

    async def _load_page(self, number: int) -> None:
        from app.desk.audits import audit_sync

        query = self._query()
        rows = await audit_sync.page(self.desk, query, PAGE, number * PAGE)
        # The filter may have changed while the store was read: these rows would belong to another list.
        if query == self._query():
            self.model.put(number, rows)

    def show_audit(self, number: int) -> None:
        """Open this audit, whether or not the list shows it."""
        self.stack.setCurrentWidget(self.view)
        self.view.show_audit(number)
        self.view.questions.setFocus()
        self.tasks.read("order", self._read_order())

    async def _read_order(self) -> None:
        from app.desk.audits import audit_sync

        self._order = await audit_sync.numbers(self.desk, self._query())
        self._say_progress()

    def _say_progress(self) -> None:
        """Say how many audits of the list are still to be reviewed."""
        if self.view.number not in self._order:
            self.view.say_progress("")
            self.tell_status()
            return
        reviewed = self._context.marked.reviewed
        place, left = self._order.index(self.view.number) + 1, sum(each not in reviewed for each in self._order)
        self.view.say_progress(words.progress_words(place, len(self._order), left))
        self.tell_status()

    def _step(self, by: int) -> None:
        """Open the audit so many places on in the list; at its ends nothing happens."""
        if self.view.number in self._order:
            place = self._order.index(self.view.number) + by
            if 0 <= place < len(self._order):
                self._go_to(self._order[place])

    def _next_unreviewed(self) -> None:
        """Open the next audit of the list that nobody reviewed and nobody else has open; the search goes round at the
        end of the list."""
        here = self._order.index(self.view.number) if self.view.number in self._order else -1
        # The audit that is open counts as reviewed: it was marked just now, and its mark may not be saved yet.
        later = [*self._order[here + 1 :], *self._order[: max(here, 0)]]
        left = [each for each in later if each not in self._context.marked.reviewed]
        team = self.desk.team
        taken = {} if team is None else team.at_work(REVIEWING)
        found = next((each for each in left if str(each) not in taken), None)
        if found is None and not self._order:
            self.bar.say("", words.NO_AUDIT_IN_LIST, topic=_ALL_REVIEWED)
        elif found is None:
            self.bar.say("good", words.OTHERS_AT_WORK if left else words.ALL_REVIEWED, topic=_ALL_REVIEWED)
        else:
            self._go_to(found)

    def _save_plot(self, plot: Plot) -> None:
        chosen = chip_words(self.views.state.shown.narrowing, self._today(), self._context.scale).values()
        name = safe_stem(plot_file(plot.title), f"{self._today():%Y-%m-%d}")
        practice = self.desk.profile.kind == "practice"
        self.files.strip.begin(plot_job(plot, " · ".join(chosen), name, self.font(), practice=practice))

    def _show_plots(self) -> None:
        self.services.news.show_plot.emit("audit_facilities")

    def _review_first(self) -> None:
        """Open the first audit of the list that nobody reviewed and nobody else has open."""
        self.tasks.read("review first", self._open_unreviewed())

    async def _open_unreviewed(self) -> None:
        await self._read_order()
        self._next_unreviewed()

    def _undo(self) -> None:
        """Undo the last edit of a review, unless something else was done in the window after it."""
        self.view.review_row.save_notes()  # a note that is being typed is the last edit
        if not self.services.undo_since(self.view.edits.last_edit_at):
            self.view.edits.undo()

    def _redo(self) -> None:
        self.view.review_row.save_notes()
        self.view.edits.redo()

    def _show_change(self, number: int, address: str) -> None:
        """Show what was undone or made again: the photo across audits, or the audit, and its photo."""
        if self.stack.currentWidget() is self.lens and self.lens.show_photo(number, address):
            return
        if self.view.number != number or self.stack.currentWidget() is not self.view:
            self._go_to(number)
        if address:
            self.view.show_photo(address)

    def _go_to(self, number: int) -> None:
        self.bar.withdraw(_ALL_REVIEWED)
        if self.stack.currentWidget() is not self.view:
            self.show_audit(number)
            return
        self.view.show_audit(number)
        self._say_progress()

    def _show_lens_of_list(self) -> None:
        self._show_lens("")

    def _show_lens(self, question: str) -> None:
        """Compare one question across the audits of the list."""
        self.view.close_audit()
        self.stack.setCurrentWidget(self.lens)
        self.lens.show_question(self._query(), question)
        self.lens.table.setFocus()
        self.tell_status()

    def _show_list(self) -> None:
        self.bar.withdraw(_NO_ORDER)
        self.stack.setCurrentIndex(0)
        self.lens.close_lens()
        number = self.view.number
        self.view.close_audit()
        if number is not None:
            self.table.stand_on(number)
            self.table.setFocus()
        self.tell_status()

    def _ask_order(self, number: str) -> None:
        if number.isdecimal():
            self.services.news.show_order.emit(int(number))
        else:
            self.bar.say("warn", words.no_order_number(number), topic=_NO_ORDER)

    def _on_row(self, current: QModelIndex) -> None:
        line = self.model.line(current.row()) if current.isValid() else None
        if line is not None:
            self.show_audit(line.number)

    def _worst_first(self) -> None:
        self.views.worst_first()
        self.table.setFocus()

    def _today(self) -> date:
        return self.services.now().date()

    def show_view(self, name: str) -> None:
        """Show the list with this view."""
        self._show_list()
        self.views.choose_soon(name)

    def show_narrowed(self, narrowing: Narrowing, question: str = "") -> None:
        """Show the audits of this narrowing; of a question, how they answered it."""
        self._show_list()
        self._question_wanted = question
        self.views.narrow_soon(narrowing)
        if self.views.is_for(self.desk):
            self._show_wanted_question()

    def _show_wanted_question(self) -> None:
        question, self._question_wanted = self._question_wanted, ""
        if question:
            self._show_lens(question)

    def page_commands(self) -> list[tuple[str, str, Callable[[], object]]]:
        """The commands of the list; each shows the list first."""
        return [
            (title, key, partial(self._on_list, act))
            for title, key, act in (
                (translate("Filter audits"), "Ctrl+F", self._into_filter),
                (translate("Worst audits first, or the newest again"), "Alt+W", self._worst_first),
                (views_words.NEW_VIEW, "", self.views.save_new),
                (views_words.NEXT_VIEW, "Ctrl+PgDown", self.views.next),
                (views_words.PREVIOUS_VIEW, "Ctrl+PgUp", self.views.previous),
                (translate("One question across the audits of the list"), "", self._show_lens_of_list),
                (translate("Plots of scores by facility and by question"), "", self._show_plots),
                (translate("Refresh audits"), "F5", self.refresher.start),
            )
        ]

    def _on_list(self, act: Callable[[], object]) -> None:
        self._show_list()
        act()

    def _into_filter(self) -> None:
        self.head.filter.setFocus()
        self.head.filter.selectAll()

    def _begin_filter(self, text: str) -> None:
        """A letter typed in the table begins a filter, and the keyboard moves into it."""
        self.head.filter.setFocus()
        self.head.filter.setText(text)

    def _into_table(self) -> None:
        self.table.setFocus()
        self.table.select_row(0)

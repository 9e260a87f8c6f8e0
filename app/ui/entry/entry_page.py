"""New order: the form with its rail, the open drafts as tabs, and the way to the outbox.

The page is the controller. Its parts (form, rail, tabs, autosave, type-ahead, verdict lookup, templates) know nothing
of the page: it calls them, and they report by signals. Invariants: a draft leaves the screen only once the journal
holds all that was typed, and an order is in the journal before the page says that it was submitted.

A write that puts another draft on screen starts through `type_ahead.write`, so that keys typed meanwhile go to that
draft. Its coroutine looks at `autosave.draft_id` again after each `await`: a mouse or a screen reader, whose input is
not buffered, may have brought another draft or changed this one.
"""

import json
from collections.abc import Awaitable, Callable
from functools import partial

from PySide6.QtCore import QPoint, QTimer
from PySide6.QtGui import QHideEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.contract.check import NO_FINDINGS, Findings
from app.contract.draft import OrderDraft
from app.contract.order_rules import FACILITY_CODE
from app.contract.submission import OrderSubmission, wire_bytes
from app.desk.desk import Desk
from app.desk.drafts import background_check, copy_order, drafts_words, saved_drafts, templates
from app.desk.drafts.copy_order import CopiedOrder
from app.desk.drafts.form_verdict import Known, SumUp, sum_up
from app.desk.drafts.saved_drafts import SavedDraft, typed_of
from app.desk.drafts.templates import Template
from app.desk.known import known_data
from app.desk.sending import outbox
from app.desk.team_side import CHANGING
from app.store.journal.draft_store import DraftName
from app.store.store_errors import StoreError
from app.translation import translate
from app.ui.base.at_work import AtWork
from app.ui.base.page import Page, PageServices
from app.ui.entry import entry_words
from app.ui.entry.drafts.autosave import Autosave
from app.ui.entry.drafts.draft_tabs import DraftTabs
from app.ui.entry.drafts.templates_menu import TemplatesMenu
from app.ui.entry.drafts.type_ahead import TypeAhead
from app.ui.entry.form.entry_form import OrderForm, in_form_order, issue_place
from app.ui.entry.form.facility_doubt import FacilityDoubter
from app.ui.entry.form.facility_field import FacilityLookUp
from app.ui.entry.form.field_suggestions import FieldSuggestions
from app.ui.entry.form.freight_suggestions import FreightSuggestions
from app.ui.entry.form.layout_data import SECTIONS
from app.ui.entry.submit_rail import SubmitRail
from app.ui.entry.verdict_lookup import VerdictLookup
from app.ui.outbox.follow_write import FollowedWrite
from app.ui.printing.open_panel import print_draft
from app.ui.theme.tokens import SPACE_2, SPACE_3, SPACE_5
from app.ui.widgets.buttons import Tool, ToolRow, button, shortcut, with_icon
from app.ui.widgets.choosing.suggestions import SuggestionList
from app.ui.widgets.confirm import confirmed
from app.ui.widgets.layout import column, row, scrolling
from app.ui.widgets.text.labels import Tone, announce, text_label
from app.ui.widgets.text.times import clock

_CHECK_AFTER_MS = 15  # keys of a scanner come closer together: the draft is checked once for all of them
_MOST_CODES = 2_000
_NAMED = 3
_SHOW = "show draft"  # the write that puts another draft on screen; only one runs at a time
# Topics of the bar: a message of one stays until its cause is gone.
_FILLED, _COPIED, _NOT_SAVED, _DISK, _CLOSED = "filled in", "copied", "draft not saved", "disk", "draft closed"
# What sending would do, as far as the provider has said.
_TITLES = {
    "changes": entry_words.CHANGE_ORDER,
    "import_queue": entry_words.CHANGE_ORDER,
    "unknown": entry_words.ANY_ORDER,
}


def blank_draft() -> OrderDraft:
    """An empty order with its first freight line ready."""
    return templates.begin(None)


class EntryPage(Page):
    """One draft is on screen, the others are tabs. A draft is saved from its first key on."""

    def __init__(self, services: PageServices) -> None:
        super().__init__(services, "entry")
        self._save_failure = ""  # the sentence of it, while the draft on screen could not be saved
        self._issue_count = 0
        self._saved_words = ""  # when the draft on screen was saved last
        self._asked_to_send = False  # the draft that is shown
        self._names: list[DraftName] = []  # the open drafts, as the journal lists them
        self._wanted: str | None = None  # the draft that a person chose last, while another one is on its way
        self._opening = False
        self._began: tuple[str, OrderDraft] | None = None  # the draft that came on screen after an order was submitted
        self.form = OrderForm(services.theme)
        self.type_ahead = TypeAhead(self, self.form, self.tasks)
        self.autosave = Autosave(self.tasks, self.form.draft, self)
        self.rail = SubmitRail(services.theme)
        self.lookup = VerdictLookup(self.tasks, self.form, self)
        self.changing = AtWork(self._worked_on, CHANGING, self)
        self.tabs = DraftTabs(services.theme)
        self.tabs.close_asked.connect(self.close_draft)
        self.templates = TemplatesMenu(services.theme, self.tasks, self.bar, self)
        self.rail.add_below(self.templates.label)
        self._followed = FollowedWrite(self, self.bar, self.tasks, services.news)
        self.suggestions = SuggestionList(services.theme, self)
        self.field_suggestions = FieldSuggestions(self.form, self.tasks, self.suggestions)
        self.freight_suggestions = FreightSuggestions(self.form.lists["freightDetails"], self.tasks, self.suggestions)
        self.facility = FacilityLookUp(
            services.theme, self.form, self.tasks, self.field_suggestions.completers[FACILITY_CODE]
        )
        self.doubter = FacilityDoubter(self.form, self.tasks)
        self._build(services)
        self._check_timer = QTimer(self)
        self._check_timer.setSingleShot(True)
        self._check_timer.setInterval(_CHECK_AFTER_MS)
        self._check_timer.timeout.connect(self.check)
        self._connect()
        self.show_draft(self.autosave.draft_id, self.templates.blank())

    def _build(self, services: PageServices) -> None:
        self.title = text_label(entry_words.NEW_ORDER, "title")
        # Its key is the window's own: two shortcuts of one key in one window cancel each other out.
        new = button(translate("New order"), self.start_blank, tip="(Ctrl+N)")
        self.new_button = with_icon(new, services.theme, "plus")
        tools = (
            Tool(
                "reopen", entry_words.REOPEN_DRAFT, "undo-2", self.reopen_closed, "Ctrl+Shift+T", entry_words.REOPEN_TIP
            ),
            Tool("close", entry_words.CLOSE_DRAFT, "trash-2", self.close_draft, "Ctrl+W", entry_words.CLOSE_TIP),
            Tool("print", entry_words.PRINT, "printer", self._print, "Ctrl+P", entry_words.PRINT_TIP, kind="normal"),
        )
        self.tools = ToolRow(services.theme, tools, gap=SPACE_2)
        head = row(self.title, None, self.tools, self.templates.button, self.new_button, gap=SPACE_2)
        self._scroll = scrolling(self.form)
        body = row(self._scroll, self.rail, gap=SPACE_3)
        body.setStretch(0, 1)
        whole = column(head, self.tabs, body, margin=SPACE_3, gap=SPACE_2)
        whole.setStretch(2, 1)
        self.setLayout(whole)
        self.bar.float_over(self, self._scroll)

    def _connect(self) -> None:
        self.form.changed.connect(self.note_typed)
        self.form.scan.said.connect(self.rail.say_scan)
        self.form.scan.taken.connect(self.services.news.scanned)
        self.form.went.connect(self._make_visible)
        self.form.scan.field.entered.connect(self._load_codes)
        self.type_ahead.delayed.connect(self._on_delayed)
        self.type_ahead.replayed.connect(self._on_replayed)
        self.autosave.saved.connect(self._on_saved)
        self.autosave.failed.connect(self._on_save_failed)
        self.lookup.changed.connect(self._on_verdict)
        self.changing.changed.connect(self.show_verdict)
        self.services.news.presence.connect(self.changing.look)
        self.doubter.looked.connect(self.show_verdict)
        self.facility.answered.connect(self.show_verdict)
        self.facility.answered.connect(self.doubter.look)  # the codes of the answer are known now
        self.tabs.chosen.connect(self.open_draft)
        self.field_suggestions.filled_in.connect(self._on_filled_in)
        self.freight_suggestions.filled_in.connect(self._on_filled_in)
        self.templates.chosen.connect(self.start_from)
        self.templates.save_chosen.connect(self.save_as_template)
        self.rail.go_to.connect(self.form.go_to)
        self.rail.submit_pressed.connect(self.submit)
        self.rail.next_pressed.connect(self.submit_and_next)
        self.rail.accept_pressed.connect(self.accept_filled)
        self.services.news.queue_changed.connect(self._on_queue_changed)
        self.services.news.drafts.connect(self.list_drafts)
        self._scroll.verticalScrollBar().valueChanged.connect(self.suggestions.close_list)
        self._add_shortcuts()

    def _add_shortcuts(self) -> None:
        keys: dict[str, Callable[[], object]] = {
            "Ctrl+PgDown": self.next_draft,
            "Ctrl+PgUp": self.previous_draft,
            "Ctrl+Shift+S": self.save_as_template,
            "F4": self.go_to_next,
            "Ctrl+Shift+T": self.reopen_closed,
            "Ctrl+W": self.close_draft,
            "Ctrl+P": self._print,
        }
        for key, act in keys.items():
            shortcut(self, key, act)
        for place, plan in enumerate(SECTIONS, 1):
            shortcut(self, f"Alt+{place}", partial(self.form.go_to_section, plan.title))

    # The desk

    def take_desk(self, desk: Desk) -> None:
        self.autosave.take_desk(desk)
        self.lookup.take_desk(desk)
        self.changing.take_desk(desk)
        super().take_desk(desk)
        for user in (self.field_suggestions, self.freight_suggestions, self.facility, self.doubter, self.templates):
            user.take_desk(desk)
        self._names = []
        self.show_draft(self.autosave.draft_id, self.templates.blank())
        self.tasks.read("reopen", self._reopen_latest(desk, self.autosave.draft_id))

    async def _reopen_latest(self, desk: Desk, blank_id: str) -> None:
        """Put the draft that changed last on screen, unless a person typed or chose another draft meanwhile."""
        await self.templates.load(desk)
        await self._list(desk)
        latest = max(self._names, key=lambda each: each.changed_at, default=None)
        saved = None if latest is None else await self._load(desk, latest.id)
        if self.autosave.edited:
            return
        if saved is not None and self.autosave.draft_id == blank_id:
            self.show_draft(saved.id, saved.draft, saved=saved)
        elif self.templates.known.default is not None and self.form.draft() == blank_draft():
            # The blank order came on screen before its template was read.
            self.show_draft(self.autosave.draft_id, self.templates.blank())

    def _load_codes(self) -> None:
        if self._desk is not None:
            self.tasks.read("commodity codes", self._read_codes(self._desk))

    async def _read_codes(self, desk: Desk) -> None:
        """The scan field refuses the code of a commodity as a barcode, even if the freight does not have it."""
        try:
            found = await known_data.find(desk, "commodity", "", _MOST_CODES)
        except StoreError:
            return  # the list of suggestions reports it; without the codes a scan is read as on a new desk
        self.form.scan.others = frozenset(str(each.body["code"]) for each in found.rows)

    def connected(self) -> None:
        self.lookup.look()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.rail.fit(event.size().width())

    def enter(self) -> None:
        self.lookup.look()  # the answer may be too old by now
        self.doubter.look()
        self.changing.go_on()
        first = self.form.fields["orderReferenceNumber"]
        if not first.text():
            first.editor.setFocus()

    # The draft on screen

    def show_draft(self, draft_id: str, draft: OrderDraft, saved: SavedDraft | None = None) -> None:
        """Put a draft on screen. The caller has saved the draft before it."""
        if saved is None and draft == self.templates.blank():
            self.templates.on_blank(draft_id)
        # Before the form is loaded: what loading changes is no typing, and must not be saved under the draft before.
        self.autosave.switch_to(draft_id)
        self._asked_to_send = False
        for about_draft_before in (_FILLED, _COPIED):
            self.bar.withdraw(about_draft_before)
        self.field_suggestions.close()
        self.form.load(draft)
        self.facility.explain()
        self.doubter.look()
        self.lookup.forget()
        self._say_saved(entry_words.draft_saved(clock(saved.changed_at)) if saved else "")
        self._show_names()
        self.templates.show_draft(draft_id)
        self.check()
        self.lookup.look()  # at once, without the debounce: nobody is in the middle of typing a reference
        self.changing.go_on()

    def note_typed(self) -> None:
        """The form changed: save, check and look up soon."""
        self.autosave.on_typed()
        self._check_timer.start()
        self.lookup.on_typed()
        self.changing.go_on()

    def _worked_on(self) -> str:
        """The reference of the order that a person works on in sight; empty if there is none."""
        return self.lookup.reference if self.isVisible() else ""

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.changing.end()

    def check(self) -> Findings:
        """Check the form and show every issue."""
        untouched = self._is_untouched()
        found = self.form.check(blank_rows_too=self._asked_to_send)
        self._issue_count = found.count
        self.tell_status()
        self.rail.show_findings(NO_FINDINGS if untouched else found)
        self.rail.show_totals(self.form.draft())
        self.show_verdict()
        return found

    def _is_untouched(self) -> bool:
        """Whether nothing was typed yet and nobody has asked to send it: such an order lacks nothing so far."""
        return not self._asked_to_send and self.form.draft() == self.templates.blank()

    def go_to_first(self) -> None:
        """Put the keyboard into the first field that the template asks for, else into the reference."""
        self.scroll_to_top()
        self.form.go_to(self._next_asked() or "orderReferenceNumber")

    def go_to_next(self) -> None:
        """Put the keyboard into the next field that the template asks for, else into the first one with an issue."""
        asked = self._next_asked()
        wrong = next(in_form_order(self.check()), None)
        if asked is not None or wrong is not None:
            self.form.go_to(asked or (wrong.path if wrong is not None else ""))
        else:
            self.rail.submit_button.setFocus()

    def _next_asked(self) -> str | None:
        return self.templates.next_asked(self.form.draft())

    def scroll_to_top(self) -> None:
        """Show the form from its beginning."""
        self._scroll.verticalScrollBar().setValue(0)

    def _make_visible(self, widget: QWidget) -> None:
        """Scroll the widget into view with its label and note; of one that is higher than the view, the top."""
        top = widget.mapTo(self.form, QPoint(0, 0)).y() - 2 * SPACE_5
        for edge in (top + widget.height() + 4 * SPACE_5, top):
            self._scroll.ensureVisible(0, edge, 0, 0)

    def accept_filled(self) -> None:
        """Count everything that the program filled in as typed."""
        if self.form.filled_in():
            self.form.accept_all()
            self.bar.withdraw(_FILLED)  # what was accepted is not offered to be undone
            self.note_typed()
            self.check()
            announce(self.rail.verdict, entry_words.FILLED_IN_ACCEPTED)

    def _on_filled_in(self, sentence: str, undo: Callable[[], object] | None) -> None:
        title = entry_words.UNDO if undo else ""
        self.bar.say("", sentence, title, undo, topic=_FILLED, undoes=undo is not None, offers=undo is not None)

    def _print(self) -> None:
        print_draft(self, self.form.draft)

    # The verdict

    def _on_verdict(self) -> None:
        found, before = self.lookup.found, self.lookup.before
        # What waits in the outbox may create the order, or change it: it is new no more once that has arrived.
        otherwise = entry_words.NEW_ORDER if before.waiting is None else entry_words.ANY_ORDER
        self.title.setText(otherwise if found is None else _TITLES.get(found.kind, otherwise))
        self.show_verdict()

    def show_verdict(self) -> None:
        """Show what is known of the order in the form, as one verdict."""
        self.rail.show_verdict(self._sum_up(), self.lookup.found, holds_filled=bool(self.form.filled_in()))

    def _sum_up(self) -> SumUp:
        lookup, form = self.lookup, self.form
        refused = [
            entry_words.issue_line(issue_place(path), words) if path else words for path, words in lookup.before.words
        ]
        not_named = self.facility.doubts()
        known = Known(
            lookup.reference,
            self.services.now(),
            issues=self._issue_count,
            asking=lookup.asking,
            found=lookup.found,
            changing=self.changing.people,
            untouched=self._is_untouched(),
            before=lookup.before,
            refused=refused,
            scans=form.scan.mismatches(),
            filled_in=form.filled_in(),
            # What the provider said of this very code counts before what this desk knows of it.
            doubts=[*form.doubts(but=(FACILITY_CODE,) if not_named else ()), *not_named],
            same_reference=self._other_draft_has(lookup.reference),
        )
        return sum_up(known)

    def _other_draft_has(self, reference: str) -> bool:
        others = [each.reference.strip() for each in self._names if each.id != self.autosave.draft_id]
        return bool(reference) and reference in others

    async def _sum_up_for(self, desk: Desk, payload: bytes) -> SumUp:
        """The verdict compared with the very bytes that are about to be sent."""
        await self.lookup.refresh(desk, payload)
        return self._sum_up()

    def _on_queue_changed(self) -> None:
        """A write of this very reference may have been sent, or settled."""
        if self.isVisible():
            self.lookup.look()

    # Saving

    def _on_saved(self) -> None:
        self._say_saved(entry_words.draft_saved(clock(self.services.now())))
        if self._save_failure:
            self._save_failure = ""
            self.bar.withdraw(_NOT_SAVED)
        self.templates.on_saved()
        self.services.news.drafts.emit()

    def _on_save_failed(self, sentence: str) -> None:
        self._save_failure = sentence
        self.bar.say("bad", entry_words.could_not_save_draft(sentence), topic=_NOT_SAVED)
        self._say_saved(entry_words.DRAFT_NOT_SAVED)

    def _on_delayed(self) -> None:
        self.bar.say("", entry_words.WAITING_FOR_DISK, topic=_DISK, stays=True)

    def _on_replayed(self) -> None:
        self.bar.withdraw(_DISK)

    @property
    def has_unsaved(self) -> bool:
        return self.autosave.unsaved

    async def flush(self) -> str:
        await self.type_ahead.drained()  # what was typed ahead belongs to the draft too
        return "" if await self.autosave.flush() else self._save_failure

    def unsaved_text(self) -> str:
        """The draft as JSON, without the fields that are empty."""
        return json.dumps(typed_of(self.form.draft().to_dict()), indent=2, ensure_ascii=False)

    # Open drafts

    def list_drafts(self) -> None:
        """Read the list of open drafts again."""
        if self._desk is not None:
            self.tasks.read("list drafts", self._list(self._desk))

    async def _list(self, desk: Desk) -> None:
        try:
            self._names = await saved_drafts.names(desk)
        except StoreError as error:
            self.bar.say("bad", entry_words.drafts_not_listed(error.sentence))
        self._show_names()
        self.show_verdict()  # another draft may have taken this reference, or given it up

    def status_text(self) -> str:
        """The open drafts, when this one was saved, and how many issues it has."""
        return entry_words.status(len(self._names), self._saved_words, 0 if self._is_untouched() else self._issue_count)

    def _say_saved(self, sentence: str) -> None:
        self._saved_words = sentence
        self.rail.say_saved(sentence)
        self.tell_status()

    def _show_names(self) -> None:
        self.tell_status()
        self.tabs.show_names(self._names, self.autosave.draft_id)

    async def _load(self, desk: Desk, draft_id: str) -> SavedDraft | None:
        """One draft; None if it is gone or cannot be read, which the bar says."""
        try:
            return await saved_drafts.load(desk, draft_id)
        except StoreError as error:
            self.bar.say("bad", entry_words.draft_not_opened(error.sentence))
            return None

    def start_blank(self) -> None:
        """Begin a new order; what was typed stays in its draft."""
        if not self.type_ahead.defer(self.start_blank):
            self.type_ahead.write(_SHOW, self._begin(None))

    def start_from(self, template: Template) -> None:
        """Begin a new order from a template; what was typed stays in its draft."""
        self.type_ahead.write(_SHOW, self._begin_from(template))

    async def _begin_from(self, template: Template) -> None:
        if await self._begin(templates.begin(template)):
            self.templates.set_template(self.autosave.draft_id, template.name)
            self.go_to_first()

    async def _begin(self, draft: OrderDraft | None) -> bool:
        """Put a new draft on screen, a blank one if `draft` is None. False if the one on screen cannot be saved."""
        if not await self.autosave.flush():
            return False
        self.bar.clear()
        self.show_draft(saved_drafts.new_draft_id(), self.templates.blank() if draft is None else draft)
        if draft is not None:
            self.note_typed()
        self.go_to_first()
        return True

    def save_as_template(self) -> None:
        """Ask how the draft on screen becomes a template."""
        self.templates.ask_save(self.form.draft())

    def open_draft(self, draft_id: str) -> None:
        """Put a saved draft on screen. While another one is on its way, this one follows it."""
        self._wanted = draft_id
        if not self.type_ahead.write(_SHOW, self._open_wanted()) and not self._opening:
            self._wanted = None  # the write under way was asked for first, and is not this one

    async def _open_wanted(self) -> None:
        self._opening = True
        try:
            # A person may choose another tab while one is being opened: the last one chosen counts.
            while (draft_id := self._wanted) is not None:
                self._wanted = None
                if draft_id != self.autosave.draft_id:
                    await self._open(draft_id)
        finally:
            self._opening = False

    async def _open(self, draft_id: str) -> None:
        if await self.autosave.flush():
            saved = await self._load(self.desk, draft_id)
            # Flushed again: a mouse may have changed the form while the draft was read.
            if saved is not None and await self.autosave.flush():
                self.bar.clear()
                self.show_draft(saved.id, saved.draft, saved=saved)
        await self._list(self.desk)  # the tab goes back if the draft did not come

    def next_draft(self) -> None:
        """Open the draft to the right, after the last one the first."""
        self._step(1)

    def previous_draft(self) -> None:
        """Open the draft to the left, before the first one the last."""
        self._step(-1)

    def _step(self, by: int) -> None:
        ids = self.tabs.ids
        here = self._wanted or self.autosave.draft_id
        if len(ids) > 1 and here in ids:
            self.open_draft(ids[(ids.index(here) + by) % len(ids)])

    def close_draft(self) -> None:
        """Close the draft on screen; it can be reopened."""
        if self.autosave.edited or any(each.id == self.autosave.draft_id for each in self._names):
            self.type_ahead.write(_SHOW, self._close())

    async def _close(self) -> None:
        desk, draft_id, draft = self.desk, self.autosave.draft_id, self.form.draft()
        self.autosave.pause()
        try:
            await saved_drafts.save(desk, draft_id, draft)
            await saved_drafts.discard(desk, draft_id)
        except StoreError as error:
            self.bar.say("bad", entry_words.draft_not_closed(error.sentence))
            return
        neighbour = await self._neighbour(desk, draft_id)
        sentence = entry_words.DRAFT_CLOSED
        # Another draft may be on screen by now; it stays as it is.
        if draft_id == self.autosave.draft_id:
            # Typed while the draft was being closed: that becomes a draft of its own.
            if self.form.draft() != draft:
                self._keep_as_new_draft()
                sentence = entry_words.DRAFT_CLOSED_AND_CHANGED
            elif neighbour is None:
                self.show_draft(saved_drafts.new_draft_id(), self.templates.blank())
            else:
                self.show_draft(neighbour.id, neighbour.draft, saved=neighbour)
        self.services.news.drafts.emit()
        self.bar.say("", sentence, entry_words.UNDO, self.reopen_closed, topic=_CLOSED, undoes=True)

    async def _neighbour(self, desk: Desk, draft_id: str) -> SavedDraft | None:
        """The draft that comes on screen after this one was closed; None for a new order."""
        at = self.tabs.ids.index(draft_id) if draft_id in self.tabs.ids else 0
        others = [key for key in self.tabs.ids if key != draft_id]
        saved = await self._load(desk, others[min(at, len(others) - 1)]) if others else None
        self._names = [each for each in self._names if each.id != draft_id]
        return saved

    def _keep_as_new_draft(self) -> None:
        """The draft was closed or sent while the form was changed by a mouse or a screen reader: go on with that."""
        self.autosave.switch_to(saved_drafts.new_draft_id())
        self.note_typed()

    def reopen_closed(self) -> None:
        """Open the draft that was closed last."""
        self.type_ahead.write(_SHOW, self._reopen_closed())

    async def _reopen_closed(self) -> None:
        if not await self.autosave.flush():
            return
        try:
            saved = await saved_drafts.reopen_last_closed(self.desk)
        except StoreError as error:
            self.bar.say("warn", error.sentence)
            return
        if saved is None:
            self.bar.say("", entry_words.NO_CLOSED_DRAFT)
        # Again, because keys went on coming while the closed draft was read.
        elif await self.autosave.flush():
            self.bar.clear()
            self.show_draft(saved.id, saved.draft, saved=saved)
        self.services.news.drafts.emit()

    # Orders from elsewhere

    def correct(self, write_id: int) -> None:
        """Open the draft of an order that was refused or withdrawn, with the provider's words beside its fields."""
        self.type_ahead.write(_SHOW, self._correct(write_id))

    async def _correct(self, write_id: int) -> None:
        desk = self.desk
        try:
            story = await outbox.story(desk, write_id)
            if story.row.draft_id is None or not await self.autosave.flush():
                return
            saved = await saved_drafts.reopen(desk, story.row.draft_id)
        except StoreError as error:
            self.bar.say("warn", error.sentence)
            return
        if saved is not None and await self.autosave.flush():
            self.bar.clear()
            self.show_draft(saved.id, saved.draft, saved=saved)
            # Only those of a field are shown here. The verdict shows all of them, as long as they stand.
            words = outbox.field_errors(story)
            self.form.show_provider_words({path: entry_words.provider_says(each) for path, each in words.items()})
            self.form.go_to_first(words)
        self.services.news.drafts.emit()

    def enter_again(self, write_id: int) -> None:
        """Begin a draft with the order that was sent, under the same reference."""
        self.type_ahead.write(_SHOW, self._enter_again(write_id))

    async def _enter_again(self, write_id: int) -> None:
        try:
            story = await outbox.story(self.desk, write_id)
        except StoreError as error:
            self.bar.say("bad", error.sentence)
            return
        if story.row.damaged:
            self.bar.say("bad", drafts_words.DAMAGED)
            return
        await self._begin(outbox.draft_of(story.payload))

    def clone_order(self, number: int) -> None:
        """Begin a new order like this one of the provider's."""
        self.type_ahead.write(_SHOW, self._copy(partial(copy_order.clone_order, self.desk, number)))

    def clone_write(self, write_id: int) -> None:
        """Begin a new order like this one of the outbox."""
        self.type_ahead.write(_SHOW, self._copy(partial(copy_order.clone_write, self.desk, write_id)))

    def change_order(self, number: int) -> None:
        """Begin a draft of this open order, to be changed and sent again under its reference."""
        copy = partial(copy_order.to_change, self.desk, number)
        self.type_ahead.write(_SHOW, self._copy(copy, "consignee.consigneeName"))

    async def _copy(self, copy: Callable[[], Awaitable[CopiedOrder | None]], go_to: str = "") -> None:
        try:
            found = await copy()
        except StoreError as error:
            self.bar.say("bad", error.sentence)
            return
        if found is None:
            self.bar.say("warn", entry_words.ORDER_GONE)
        elif await self._begin(found.draft):
            tone: Tone = "warn" if found.differences or not found.whole else ""
            self.bar.say(tone, " ".join([found.sentence, *_differences(found)]), topic=_COPIED)
            if go_to:
                self.form.go_to(go_to)

    # Sending

    def submit(self) -> None:
        """Check once more and hand the order to the outbox; a new order comes on screen."""
        self._submit_if_right(go_on=False)

    def submit_and_next(self) -> None:
        """Submit; the next order keeps the fixed fields of the template."""
        self._submit_if_right(go_on=True)

    def _submit_if_right(self, *, go_on: bool) -> None:
        if self._began == (self.autosave.draft_id, self.form.draft()):
            # The key was pressed twice or held down: the order that came after has not been touched.
            self.go_to_first()
            return
        self._asked_to_send = True
        self.form.leave_out_blank_rows()
        found = self.check()
        if not found.count:
            self.type_ahead.write("submit", self._submit(self.form.draft(), go_on=go_on))
            return
        self.form.show_all_issues()
        self.form.go_to(next(in_form_order(found)).path)

    async def _submit(self, draft: OrderDraft, *, go_on: bool) -> None:
        # Taken before the first await: the profile may change, and the order goes to the one it was meant for.
        desk, draft_id = self.desk, self.autosave.draft_id
        order = await background_check.checked(draft)
        assert isinstance(order, OrderSubmission)  # the form found no issue, by the same rules
        verdict = await self._sum_up_for(desk, wire_bytes(order))
        if not await self._agreed(verdict):
            return
        self.autosave.pause()
        self.rail.submit_button.setEnabled(False)
        try:
            await saved_drafts.save(desk, draft_id, draft)
            write_id = await outbox.queue_submission(desk, order, draft_id, verdict.agreed)
        except StoreError as error:
            self.bar.say("bad", entry_words.order_not_sent(error.sentence))
            return
        finally:
            self.rail.submit_button.setEnabled(True)
        # Not where the provider did not answer: a new order would be called a change.
        changes = self.lookup.found is not None and self.lookup.found.kind in ("changes", "import_queue")
        more = self._show_after(draft_id, draft, go_on=go_on) if draft_id == self.autosave.draft_id else ""
        await self._followed.follow(desk, write_id, more, changes=changes)
        self.services.news.queue_changed.emit()
        self.services.news.drafts.emit()

    async def _agreed(self, verdict: SumUp) -> bool:
        """Ask a person once, about all that needs a yes; the gravest question names the box."""
        if not verdict.questions:
            return True
        first = verdict.questions[0]
        words = "\n\n".join(each.sentence for each in verdict.questions)
        return await confirmed(self, first.title, words, first.yes, entry_words.GO_BACK)

    def _show_after(self, draft_id: str, sent: OrderDraft, *, go_on: bool) -> str:
        """Put the next order on screen; a sentence if the form holds something else."""
        if self.form.draft() != sent:
            self._keep_as_new_draft()
            return f" {entry_words.CHANGED_AFTER_SENDING}"
        new_id = saved_drafts.new_draft_id()
        if go_on:
            self.show_draft(new_id, self.templates.next_after(draft_id, sent))
            self.templates.hand_on(draft_id, new_id)
        else:
            self.show_draft(new_id, self.templates.blank())
        self._began = (new_id, self.form.draft())
        self.go_to_first()
        return ""


def _differences(copied: CopiedOrder) -> list[str]:
    """The fields in which the provider's record differs from the draft, as one sentence; none if there are none."""
    if not copied.differences:
        return []
    fields = [entry_words.field_value(issue_place(each.path), each.after) for each in copied.differences[:_NAMED]]
    left = len(copied.differences) - _NAMED
    return [entry_words.differs_at_provider(entry_words.with_more(fields, left, "; "))]

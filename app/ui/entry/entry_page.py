"""New order: the form with its rail, the draft kept within a second of the last key, and the way to the outbox."""

import json
from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import QWidget

from app.contract.check import Findings
from app.contract.draft import OrderDraft
from app.contract.typed_fields import LIMITS
from app.desk.desk import Desk
from app.desk.drafts import background_check, templates
from app.desk.drafts.draft_text import typed_of
from app.desk.drafts.form_verdict import Known, SumUp, sum_up
from app.desk.drafts.saved_drafts import KeptDraft
from app.desk.known import known_data
from app.store.store_errors import StoreError
from app.ui.base.page import Page, Room
from app.ui.entry.drafts.held_keys import HeldKeys
from app.ui.entry.drafts.keeper import Keeper
from app.ui.entry.drafts.open_drafts import DraftTabs, OpenDrafts
from app.ui.entry.drafts.taking_up import TakingUp
from app.ui.entry.drafts.templates_menu import TemplatesMenu
from app.ui.entry.form.entry_form import OrderForm, in_form_order, issue_place
from app.ui.entry.form.facility_field import FacilityLookUp
from app.ui.entry.form.jump import Jump
from app.ui.entry.form.known import FACILITY_CODE, KnownOffers
from app.ui.entry.form.known_freight import KnownFreight
from app.ui.entry.form.layout_data import SECTIONS
from app.ui.entry.readiness import Readiness
from app.ui.entry.submitting import Submitting
from app.ui.entry.verdict_view import VerdictAsker
from app.ui.printing.open_panel import print_draft
from app.ui.theme.tokens import SPACE_2, SPACE_3, SPACE_5
from app.ui.widgets.buttons import button, shortcut, with_icon
from app.ui.widgets.choosing.suggestions import SuggestionList
from app.ui.widgets.layout import column, row, scrolling
from app.ui.widgets.text.labels import announce, text_label
from app.ui.widgets.text.times import clock

_FILLED = "filled in"  # the topic of what the page says it has filled in
_CHECK_AFTER_MS = 15
_MOST_CODES = 2_000
_NOT_KEPT, _DISK = "draft not kept", "disk"  # what is said in the bar until its cause is gone
_WAITING = "Waiting for the disk. What you type now is entered as soon as it is done."
# What sending would do, as far as the provider has said.
_TITLES = {"new": "New order", "changes": "Change order", "import_queue": "Change order"}


def blank_draft() -> OrderDraft:
    """An empty order with its first freight line ready."""
    return templates.begin(None)


class EntryPage(Page):
    """One draft is on screen; the others stand beside it as tabs. A draft is kept from its first key on."""

    def __init__(self, room: Room) -> None:
        super().__init__(room, "entry")
        self._said_not_kept, self._why_not_kept = False, ""
        self.form = OrderForm(room.theme)
        self.held = HeldKeys(self, self.form, self.tasks)
        self.keeper = Keeper(self.tasks, self.form.draft, self)
        self.readiness = Readiness(room.theme, self.submit, self.submit_and_next, self.accept_filled)
        self.asker = VerdictAsker(self.tasks, self._reference, self._payload, self)
        self._to_do = 0
        self.tabs = DraftTabs()
        self.drafts = OpenDrafts(self, self.tabs, self)
        self.taking_up = TakingUp(self, self.drafts, self)
        self.templates = TemplatesMenu(room.theme, self, self.drafts, self)
        self.submitting = Submitting(
            self, self.templates, self._summed_for, self.readiness.submit_button.setEnabled, self
        )
        self.readiness.add_below(self.templates.label)
        self.offers = SuggestionList(room.theme, self)
        self.known = KnownOffers(self.form, self.tasks, self.offers, self._say_done)
        self.known_freight = KnownFreight(self.form.lists["freightDetails"], self.tasks, self.offers, self._say_done)
        self.facility = FacilityLookUp(room.theme, self.form, self.tasks, self.known.completers[FACILITY_CODE])
        self._build(room)
        self._check_timer = QTimer(self)
        self._check_timer.setSingleShot(True)
        self._check_timer.setInterval(_CHECK_AFTER_MS)
        self._check_timer.timeout.connect(self.check)
        self._connect()
        self.show_draft(self.keeper.draft_id, self.blank())

    def _build(self, room: Room) -> None:
        # Its key is the window's own: two shortcuts of one key in one window cancel each other out.
        self.title = text_label(_TITLES["new"], "title")
        self.new_button = with_icon(button("New order", self.start_blank, tip="(Ctrl+N)"), room.theme, "plus")
        self.discard_button = with_icon(
            button("Put draft away", self.drafts.put_away, kind="quiet", key="Ctrl+W"), room.theme, "trash-2"
        )
        self.reopen_button = with_icon(
            button("Reopen draft", self.drafts.reopen_closed, kind="quiet", key="Ctrl+Shift+T"), room.theme, "undo-2"
        )
        self.print_button = with_icon(button("Print…", self._print, key="Ctrl+P"), room.theme, "printer")
        head = row(
            self.title, None, self.reopen_button, self.discard_button, self.print_button,
            self.templates.button, self.new_button,
            gap=SPACE_2,
        )  # fmt: skip
        self._scroll = scrolling(self.form)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # it follows the keyboard and is no stop of its own
        body = row(self._scroll, self.readiness, gap=SPACE_3)
        body.setStretch(0, 1)
        whole = column(head, self.tabs, body, margin=SPACE_3, gap=SPACE_2)
        whole.setStretch(2, 1)
        self.setLayout(whole)
        self.bar.float_over(self, self._scroll)

    def _connect(self) -> None:
        self.form.changed.connect(self.note_typed)
        self.held.waits.connect(self._on_waiting)
        self.held.over.connect(self._on_waited)
        self.keeper.kept.connect(self._on_kept)
        self.asker.judged.connect(self._on_judged)
        self.keeper.failed.connect(self._on_not_kept)
        self.room.news.wrote.connect(self._on_wrote)
        self.form.went.connect(self._make_visible)
        self.form.scan.field.entered.connect(self._know_codes)
        self.readiness.go_to.connect(self.form.go_to)
        self._scroll.verticalScrollBar().valueChanged.connect(self.offers.close_list)
        for place, plan in enumerate(SECTIONS, 1):
            shortcut(self, f"Alt+{place}", Jump(self.form, plan.title, self).go)
        keys: dict[str, Callable[[], object]] = {
            "Ctrl+PgDown": self.drafts.next,
            "Ctrl+PgUp": self.drafts.previous,
            "Ctrl+Shift+S": self.templates.ask_save,
            "F4": self.go_to_next,
        }
        for key, act in keys.items():
            shortcut(self, key, act)

    # The desk

    @property
    def has_desk(self) -> bool:
        """Whether there is a desk yet."""
        return self._desk is not None

    def take_desk(self, desk: Desk) -> None:
        self.keeper.take_desk(desk)
        self.asker.take_desk(desk)
        super().take_desk(desk)
        for part in (self.known, self.known_freight, self.facility):
            part.take_desk(desk)
        self.drafts.forget()
        self.templates.forget()
        self.show_draft(self.keeper.draft_id, self.blank())
        self.tasks.read("reopen", self._reopen(desk, self.keeper.draft_id))

    async def _reopen(self, desk: Desk, here: str) -> None:
        """Unsent work is there again, unless a person has asked for something else than `here` by then."""
        await self.templates.load(desk)
        await self.drafts.reopen_latest(desk, here)
        if not self.keeper.typed and self.templates.known.default is not None and self.form.draft() == blank_draft():
            self.show_draft(self.keeper.draft_id, self.blank())  # it came before its template was known

    def _know_codes(self) -> None:
        if self.has_desk:
            self.tasks.read("commodity codes", self._load_codes(self.desk))

    async def _load_codes(self, desk: Desk) -> None:
        """So that the code of a commodity that is not in the freight is no barcode when it is scanned."""
        try:
            found = await known_data.find(desk, "commodity", "", _MOST_CODES)
        except StoreError:
            return  # completing says so; a scan is taken as it would be on a new desk
        self.form.scan.others = frozenset(str(each.body["code"]) for each in found.rows)

    def connected(self) -> None:
        self.asker.look()

    def enter(self) -> None:
        self.asker.look()  # what was found out may be too old by now
        first = self.form.fields["orderReferenceNumber"]
        if not first.text():
            first.editor.setFocus()

    # What is on screen

    def blank(self) -> OrderDraft:
        """What a new order begins with."""
        return self.templates.blank()

    def show_draft(self, draft_id: str, draft: OrderDraft, kept: KeptDraft | None = None) -> None:
        """Put a draft on screen; what was there is kept already."""
        if kept is None and draft == self.blank():
            self.templates.note_blank(draft_id)
        self.keeper.follow(draft_id)
        self.bar.withdraw(_FILLED)  # it was filled into another draft
        self.known.close()
        self.form.load(draft)
        self.facility.explain()
        self.asker.forget()
        self.readiness.say_kept(f"Draft kept {clock(kept.changed_at)}" if kept else "")
        self.drafts.show_current()
        self.templates.show_current()
        self.check()
        self.asker.look()  # a whole order came: nobody is in the middle of typing its reference

    def start_blank(self) -> None:
        """A new order; what was typed stays in its draft."""
        self.drafts.start_blank()

    def go_to_first(self) -> None:
        """Put the keyboard where a new order begins: the first field that is asked, else the reference."""
        self.scroll_to_top()
        self.form.go_to(self.templates.next_asked() or "orderReferenceNumber")

    def go_to_next(self) -> None:
        """Put the keyboard into the next field that the template asks for, else into one that is not right yet."""
        asked = self.templates.next_asked()
        wrong = next(in_form_order(self.check()), None)
        if asked is not None or wrong is not None:
            self.form.go_to(asked or (wrong.path if wrong is not None else ""))
        else:
            self.readiness.submit_button.setFocus()

    def _make_visible(self, widget: QWidget) -> None:
        """Show all of it, its label and what is said below it; of what is higher than the view, the top."""
        top = widget.mapTo(self.form, QPoint(0, 0)).y() - 2 * SPACE_5
        for edge in (top + widget.height() + 4 * SPACE_5, top):
            self._scroll.ensureVisible(0, edge, 0, 0)

    def scroll_to_top(self) -> None:
        """Show the form from its beginning."""
        self._scroll.verticalScrollBar().setValue(0)

    def note_typed(self) -> None:
        """What stands in the form counts as typed: it is checked and kept."""
        self.keeper.on_typed()
        self._check_timer.start()
        self.asker.on_typed()

    def _on_judged(self) -> None:
        found = self.asker.found
        self.title.setText(_TITLES.get("new" if found is None else found.kind, _TITLES["new"]))
        self.say_verdict()

    def say_verdict(self) -> None:
        """Say what all that is known of the order in the form comes to."""
        self.readiness.show_verdict(self._sum_up(), self.asker.found, holds_filled=bool(self.form.filled_in()))

    def _sum_up(self) -> SumUp:
        asker, form = self.asker, self.form
        refused = [f"{issue_place(path)}: {words}" if path else words for path, words in asker.before.words]
        doubts = [*form.doubts(), *self.facility.doubts()]
        return sum_up(
            Known(
                self._reference(), self.room.now(), self._to_do, asker.asking, asker.found, asker.before, refused,
                form.scan.mismatches(), form.filled_in(), doubts,
            )
        )  # fmt: skip

    async def _summed_for(self, desk: Desk, payload: bytes) -> SumUp:
        """The same, compared with the very bytes that are about to be sent."""
        await self.asker.refresh(desk, payload)
        return self._sum_up()

    def accept_filled(self) -> None:
        """A person has looked at what the program filled in: from now on it counts as typed."""
        count = len(self.form.filled_in())
        if count:
            self.form.accept_all()
            self.note_typed()
            self.check()
            announce(self.readiness.verdict, "Accepted what Waybill filled in.")

    def _on_wrote(self) -> None:
        """Something of this very reference may have been sent, or settled."""
        if self.isVisible():
            self.asker.look()

    def _on_kept(self) -> None:
        self.readiness.say_kept(f"Draft kept {clock(self.room.now())}")
        if self._said_not_kept:
            self._said_not_kept = False
            self.bar.withdraw(_NOT_KEPT)
        self.templates.note()
        self.room.news.drafts.emit()

    def _on_waiting(self) -> None:
        self.bar.say("", _WAITING, topic=_DISK, stays=True)

    def _on_waited(self) -> None:
        self.bar.withdraw(_DISK)

    def _on_not_kept(self, sentence: str) -> None:
        self._said_not_kept, self._why_not_kept = True, sentence
        self.bar.say("bad", f"The draft could not be kept, but stays in the form. {sentence}", topic=_NOT_KEPT)
        self.readiness.say_kept("Not kept")

    def check(self) -> Findings:
        """Check what stands in the form and say what is wrong with it."""
        found = self.form.check()
        self._to_do = found.count
        self.readiness.show_findings(found)
        self.readiness.show_totals(self.form.draft())
        self.say_verdict()
        return found

    @property
    def has_unsaved(self) -> bool:
        return self.keeper.owing

    async def flush(self) -> str:
        await self.held.given_on()  # what was typed ahead belongs to the draft too
        return "" if await self.keeper.settle() else self._why_not_kept

    def unsaved_text(self) -> str:
        return json.dumps(typed_of(self.form.draft().to_dict()), indent=2, ensure_ascii=False)

    def _say_done(self, sentence: str, action: str, act: Callable[[], object]) -> None:
        self.bar.say("", sentence, action, act, topic=_FILLED, undoes=bool(action))

    # Sending

    def submit(self) -> None:
        """Check once more and hand the order to the outbox; a new order comes on screen."""
        self._submit_if_right(go_on=False)

    def submit_and_next(self) -> None:
        """The same, and the next order keeps what the template says."""
        self._submit_if_right(go_on=True)

    def _submit_if_right(self, *, go_on: bool) -> None:
        if self.submitting.just_came():
            self.go_to_first()  # pressed twice, or held down: nobody has begun the order that came after
            return
        found = self.check()
        if not found.count:
            self.submitting.submit(self.form.draft(), go_on=go_on)
            return
        self.form.show_all_issues()
        self.form.go_to(next(in_form_order(found)).path)

    def _print(self) -> None:
        print_draft(self, self.form.draft)

    def _reference(self) -> str:
        """What the provider can be asked about; a text that is no reference yet is none."""
        typed = self.form.fields["orderReferenceNumber"].text().strip()
        return typed if len(typed) <= LIMITS["orderReferenceNumber"] else ""

    async def _payload(self) -> bytes | None:
        """What would be sent; None while something in the form is not right yet."""
        return await background_check.payload(self.form.draft())

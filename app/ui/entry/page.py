"""New order: the form with its rail, the draft kept within a second of the last key, and the way to the outbox."""

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from app.contract.check import check_draft
from app.contract.draft import FreightDraft, OrderDraft
from app.contract.recheck import Findings
from app.contract.submission import OrderSubmission, wire_bytes
from app.desk import drafts, outbox
from app.desk.desk import Desk
from app.desk.drafts import KeptDraft
from app.desk.verdict import VerdictKind
from app.store.errors import StoreError
from app.ui.entry.form import OrderForm, in_form_order, issue_place
from app.ui.entry.keeper import Keeper
from app.ui.entry.layout_data import SECTIONS
from app.ui.entry.readiness import Readiness
from app.ui.entry.verdict_view import VerdictAsker
from app.ui.page import Page, Room
from app.ui.printing.opening import print_draft
from app.ui.theme.tokens import SPACE_2, SPACE_3, SPACE_5
from app.ui.widgets.buttons import button, shortcut, with_icon
from app.ui.widgets.confirm import confirmed
from app.ui.widgets.labels import ampersands, text_label
from app.ui.widgets.layout import column, row, scrolling
from app.ui.widgets.times import clock

_CHECK_AFTER_MS = 15


def blank_draft() -> OrderDraft:
    """An empty order with its first freight line ready."""
    return OrderDraft(freightDetails=[FreightDraft()])


class EntryPage(Page):
    """One draft is on screen; the others wait in the menu. A draft is kept from its first key on."""

    def __init__(self, room: Room) -> None:
        super().__init__(room, "entry")
        self._generation = 0
        self._said_not_kept = False
        self.form = OrderForm(room.theme)
        self.keeper = Keeper(self.tasks, self.form.draft, self)
        self.readiness = Readiness(room.theme, self.submit)
        self.asker = VerdictAsker(self.tasks, self.readiness.verdict, self._reference, self._payload, self)
        self._menu = QMenu(self)
        self._build(room)
        self._check_timer = QTimer(self)
        self._check_timer.setSingleShot(True)
        self._check_timer.setInterval(_CHECK_AFTER_MS)
        self._check_timer.timeout.connect(self.check)
        self.form.changed.connect(self._on_typed)
        self.keeper.kept.connect(self._on_kept)
        self.keeper.failed.connect(self._on_not_kept)
        self.form.went.connect(self._make_visible)
        self.readiness.go_to.connect(self.form.go_to)
        room.news.drafts.connect(self._list_drafts)
        for place, plan in enumerate(SECTIONS, 1):
            shortcut(self, f"Alt+{place}", _Jump(self, plan.title).go)
        self.show_draft(self.keeper.draft_id, blank_draft())

    def _build(self, room: Room) -> None:
        self.drafts_button = QPushButton("Drafts")
        self.drafts_button.setAccessibleName("Drafts")
        self.drafts_button.setMenu(self._menu)
        self.drafts_button.setAutoDefault(False)
        self.new_button = with_icon(button("New blank order", self.start_blank, key="Ctrl+N"), room.theme, "plus")
        self.discard_button = with_icon(
            button("Put draft away", self._ask_discard, kind="quiet"), room.theme, "trash-2"
        )
        self.print_button = with_icon(button("Print…", self._print, key="Ctrl+P"), room.theme, "printer")
        head = row(
            text_label("New order", "title"),
            None,
            self.print_button,
            self.discard_button,
            self.drafts_button,
            self.new_button,
            gap=SPACE_2,
        )
        self._scroll = scrolling(self.form)
        body = row(self._scroll, self.readiness, gap=SPACE_3)
        body.setStretch(0, 1)
        whole = column(head, self.bar, body, margin=SPACE_3, gap=SPACE_2)
        whole.setStretch(2, 1)
        self.setLayout(whole)

    def take_desk(self, desk: Desk) -> None:
        self.keeper.take_desk(desk)
        self.asker.take_desk(desk)
        super().take_desk(desk)
        self.show_draft(self.keeper.draft_id, blank_draft())
        self.tasks.read("reopen", self._reopen_last())

    async def _reopen_last(self) -> None:
        """Unsent work is simply there again."""
        generation = self._generation
        kept = await drafts.all_open(self.desk)
        self._fill_menu(kept)
        if kept and not self.keeper.typed and generation == self._generation:
            self.show_draft(kept[0].id, kept[0].draft, kept=kept[0])

    def enter(self) -> None:
        first = self.form.fields["orderReferenceNumber"]
        if not first.text():
            first.editor.setFocus()

    def show_draft(self, draft_id: str, draft: OrderDraft, kept: KeptDraft | None = None) -> None:
        """Put a draft on screen; what was there is kept already."""
        self.keeper.follow(draft_id)
        self._generation += 1
        self.form.load(draft)
        self.asker.forget()
        self.asker.on_typed()
        self.readiness.say_kept(f"Draft kept {clock(kept.changed_at)}" if kept else "")
        self.check()

    def _make_visible(self, widget: QWidget) -> None:
        self._scroll.ensureWidgetVisible(widget, 0, SPACE_5 * 2)

    def scroll_to_top(self) -> None:
        """Show the form from its beginning."""
        self._scroll.verticalScrollBar().setValue(0)

    def start_blank(self) -> None:
        """A blank form; what was typed stays in the drafts."""
        self.tasks.write("show draft", self._start_blank())

    async def _start_blank(self) -> None:
        if not await self.keeper.settle():
            return
        self.show_draft(drafts.new_draft_id(), blank_draft())
        self.bar.clear()
        self.scroll_to_top()
        self.form.go_to("orderReferenceNumber")

    def open_draft(self, draft_id: str) -> None:
        """Show a draft that is kept."""
        self.tasks.write("show draft", self._open(draft_id))

    async def _open(self, draft_id: str) -> None:
        if not await self.keeper.settle():
            return
        kept = await drafts.load(self.desk, draft_id)
        if kept is not None and await self.keeper.settle():
            self.bar.clear()
            self.show_draft(kept.id, kept.draft, kept=kept)

    def correct(self, write_id: int) -> None:
        """Take up the draft of an order that was refused or withdrawn, with the provider's words beside its fields."""
        self.tasks.write("show draft", self._correct(write_id))

    async def _correct(self, write_id: int) -> None:
        desk = self.desk
        try:
            told = await outbox.story(desk, write_id)
            if told.row.draft_id is None or not await self.keeper.settle():
                return
            kept = await drafts.take_up_again(desk, told.row.draft_id)
        except StoreError as error:
            self.bar.say("warn", error.sentence)
            return
        if kept is not None and await self.keeper.settle():
            self.bar.clear()
            self.show_draft(kept.id, kept.draft, kept=kept)
            self._show_said(outbox.provider_words(told), told.row.note or "")
        self.room.news.drafts.emit()

    def enter_again(self, write_id: int) -> None:
        """Take what was sent up as a new draft; what was typed stays in the drafts."""
        self.tasks.write("show draft", self._enter_again(write_id))

    async def _enter_again(self, write_id: int) -> None:
        if not await self.keeper.settle():
            return
        told = await outbox.story(self.desk, write_id)
        self.bar.clear()
        self.show_draft(drafts.new_draft_id(), outbox.draft_again(told.payload))
        self.scroll_to_top()
        self._on_typed()
        self.form.go_to("orderReferenceNumber")

    def _show_said(self, said: dict[str, str], sentence: str) -> None:
        left = self.form.show_said({path: f"The provider says: {words}" for path, words in said.items()})
        rest = " ".join(f"{issue_place(path)}: {said[path]}" if path else said[path] for path in left)
        if said or sentence:
            self.bar.say("bad", rest or sentence)

    def _on_typed(self) -> None:
        self.keeper.on_typed()
        self._check_timer.start()
        self.asker.on_typed()

    def _on_kept(self) -> None:
        self.readiness.say_kept(f"Draft kept {clock(self.room.now())}")
        if self._said_not_kept:
            self._said_not_kept = False
            self.bar.clear()
        self.room.news.drafts.emit()

    def _on_not_kept(self, sentence: str) -> None:
        self._said_not_kept = True
        self.bar.say("bad", f"The draft could not be kept, but stays in the form. {sentence}")
        self.readiness.say_kept("Not kept")

    def check(self) -> Findings:
        """Check what stands in the form and say what is wrong with it."""
        found = self.form.check()
        self.readiness.show_findings(found)
        self.readiness.show_totals(self.form.draft())
        return found

    async def flush(self) -> None:
        """Keep what was typed since the last time, before the program ends."""
        await self.keeper.settle()

    def submit(self) -> None:
        """Check once more and hand the order to the outbox."""
        draft, found = self.form.draft(), self.check()
        outcome = check_draft(draft)
        if isinstance(outcome, OrderSubmission) and not found.count:
            self.tasks.write("submit", self._submit(outcome, draft))
            return
        self.form.show_all_issues()
        self.form.go_to(next(in_form_order(found)).path)

    def _print(self) -> None:
        print_draft(self, self.form.draft)

    def _reference(self) -> str:
        return self.form.fields["orderReferenceNumber"].text().strip()

    def _payload(self) -> bytes | None:
        """What would be sent; None while something in the form is not right yet."""
        checked = check_draft(self.form.draft())
        return wire_bytes(checked) if isinstance(checked, OrderSubmission) else None

    async def _agreed(self, reference: str) -> tuple[bool, VerdictKind | None]:
        """Whether to go on, and the verdict that was said yes to: a second order takes an explicit yes."""
        found = self.asker.latest
        if found is None or not found.needs_yes:
            return True, None
        sure = await confirmed(
            self,
            f"Send {reference} as a second order?",
            found.sentence,
            "Send as a second order",
            "Go back to the form",
        )
        return sure, found.kind

    async def _submit(self, order: OrderSubmission, draft: OrderDraft) -> None:
        # Held on to from here: the profile may change at any moment, and the order goes where it was meant to go.
        desk, draft_id, reference = self.desk, self.keeper.draft_id, order.orderReferenceNumber
        go_on, agreed = await self._agreed(reference)
        if not go_on:
            return
        self.keeper.pause()
        self.readiness.submit_button.setEnabled(False)
        try:
            await drafts.save(desk, draft_id, draft)
            write_id = await outbox.queue_submission(desk, order, draft_id, agreed)
        except StoreError as error:
            self.bar.say("bad", f"The order was not sent and stays in the form. {error.sentence}")
            return
        finally:
            self.readiness.submit_button.setEnabled(True)
        if draft_id == self.keeper.draft_id:
            self.show_draft(drafts.new_draft_id(), blank_draft())
            self.form.go_to("orderReferenceNumber")
        self.bar.say(
            "good",
            f"Order {reference} is in the outbox and on its way.",
            "Show in outbox",
            lambda: self.room.news.show_write.emit(write_id),
        )
        self.room.news.wrote.emit()
        self.room.news.drafts.emit()

    def _list_drafts(self) -> None:
        if self._desk is not None:
            self.tasks.read("list drafts", self._load_menu())

    async def _load_menu(self) -> None:
        self._fill_menu(await drafts.all_open(self.desk))

    def _fill_menu(self, kept: list[KeptDraft]) -> None:
        self._menu.clear()
        self.drafts_button.setText(f"Drafts {len(kept)}" if kept else "Drafts")
        self.drafts_button.setEnabled(bool(kept))
        for each in kept:
            action = QAction(ampersands(f"{each.name} · {clock(each.changed_at)}"), self._menu)
            action.setData(each.id)
            action.triggered.connect(self._on_menu)
            self._menu.addAction(action)

    def _on_menu(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.open_draft(action.data())

    def _ask_discard(self) -> None:
        if self.keeper.typed or self.readiness.kept_label.text():
            self.tasks.write("show draft", self._discard())

    async def _discard(self) -> None:
        desk, draft_id, draft = self.desk, self.keeper.draft_id, self.form.draft()
        self.keeper.pause()
        try:
            await drafts.save(desk, draft_id, draft)
            await drafts.discard(desk, draft_id)
        except StoreError as error:
            self.bar.say("bad", f"The draft could not be put away. {error.sentence}")
            return
        if draft_id == self.keeper.draft_id:
            self.show_draft(drafts.new_draft_id(), blank_draft())
        self.room.news.drafts.emit()
        self.bar.say("", "The draft was put away.", "Undo", lambda: self._undo_discard(draft))

    def _undo_discard(self, draft: OrderDraft) -> None:
        self.tasks.write("show draft", self._bring_back(draft))

    async def _bring_back(self, draft: OrderDraft) -> None:
        if await self.keeper.settle():
            self.show_draft(drafts.new_draft_id(), draft)
            self._on_typed()


class _Jump(QObject):
    """Alt+1 … Alt+6: go to a section's first field."""

    def __init__(self, page: EntryPage, section: str) -> None:
        super().__init__(page)
        self._form, self._section = page.form, section

    def go(self) -> None:
        plan = next(each for each in SECTIONS if each.title == self._section)
        if plan.lines:
            self._form.go_to(plan.lines[0][0].path)
            return
        editor = self._form.lists[plan.rows]
        first = editor.model.columns[0].name
        self._form.go_to(f"{plan.rows}[0].{first}" if editor.model.rows else plan.rows)

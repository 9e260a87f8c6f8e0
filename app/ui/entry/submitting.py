"""From the form to the outbox: checked once more, agreed to where a person has to, kept, queued, and told.

Invariant: an order is in the journal before anything says that it is on its way; one that cannot be kept stays in the
form.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.contract.draft import OrderDraft
from app.contract.submission import OrderSubmission
from app.desk import checking, drafts, outbox
from app.desk.verdict import Verdict, VerdictKind
from app.store.errors import StoreError
from app.ui.entry.screen import Screen
from app.ui.entry.templates_menu import TemplatesMenu
from app.ui.widgets.confirm import confirmed


class Submitting(QObject):
    """`latest` tells the verdict on the order in the form; `allow` whether the button may be pressed."""

    def __init__(
        self,
        screen: Screen,
        templates: TemplatesMenu,
        latest: Callable[[], Verdict | None],
        allow: Callable[[bool], object],
        page: QWidget,
    ) -> None:
        super().__init__(page)
        self._screen, self._templates, self._page = screen, templates, page
        self._latest, self._allow = latest, allow
        self._came: tuple[str, OrderDraft] | None = None  # what came on screen after an order was submitted

    def submit(self, draft: OrderDraft, *, go_on: bool) -> None:
        """Hand a draft with nothing wrong in it to the outbox. `go_on`: the next order keeps what the template says."""
        self._screen.held.write("submit", self._submit(draft, go_on=go_on))

    def just_came(self) -> bool:
        """Whether the order on screen came after one was submitted, and stands as it came."""
        return self._came == (self._screen.keeper.draft_id, self._screen.form.draft())

    async def _agreed(self, reference: str) -> tuple[bool, VerdictKind | None]:
        """Whether to go on, and the verdict that was said yes to: a second order takes an explicit yes."""
        found = self._latest()
        if found is None or not found.needs_yes:
            return True, None
        sure = await confirmed(
            self._page,
            f"Send {reference} as a second order?",
            found.sentence,
            "Send as a second order",
            "Go back to the form",
        )
        return sure, found.kind

    async def _submit(self, draft: OrderDraft, *, go_on: bool) -> None:
        screen = self._screen
        # Held on to from here: the profile may change at any moment, and the order goes where it was meant to go.
        desk, draft_id = screen.desk, screen.keeper.draft_id
        order = await checking.checked(draft)
        assert isinstance(order, OrderSubmission)  # the form found nothing wrong, by the same rules
        reference = order.orderReferenceNumber
        sure, agreed = await self._agreed(reference)
        if not sure:
            return
        screen.keeper.pause()
        self._allow(False)
        try:
            await drafts.save(desk, draft_id, draft)
            write_id = await outbox.queue_submission(desk, order, draft_id, agreed)
        except StoreError as error:
            screen.bar.say("bad", f"The order was not sent and stays in the form. {error.sentence}")
            return
        finally:
            self._allow(True)
        more = self._show_after(draft_id, draft, go_on=go_on) if draft_id == screen.keeper.draft_id else ""
        screen.bar.say(
            "good",
            f"Order {reference} is in the outbox and on its way.{more}",
            "Show in outbox",
            lambda: screen.room.news.show_write.emit(write_id),
        )
        screen.room.news.wrote.emit()
        screen.room.news.drafts.emit()

    def _show_after(self, draft_id: str, sent: OrderDraft, *, go_on: bool) -> str:
        """What comes on screen after an order was submitted; a sentence where that is not the next order."""
        new_id = drafts.new_draft_id()
        if self._screen.form.draft() != sent:  # by a mouse or a screen reader: keys are held
            self._screen.keeper.follow(new_id)
            self._screen.note_typed()
            return " What was changed after that stands here, as a draft of its own."
        if go_on:
            self._screen.show_draft(new_id, self._templates.next_after(draft_id, sent))
            self._templates.hand_on(draft_id, new_id)
        else:
            self._screen.show_draft(new_id, self._screen.blank())
        self._came = (new_id, self._screen.form.draft())
        self._screen.go_to_first()
        return ""

"""From the form to the outbox: checked once more, agreed to where a person has to, kept, queued, and told.

Invariant: an order is in the journal before anything says that it is on its way; one that cannot be kept stays in the
form.
"""

from collections.abc import Awaitable, Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.contract.draft import OrderDraft
from app.contract.submission import OrderSubmission, wire_bytes
from app.desk.desk import Desk
from app.desk.drafts import background_check, saved_drafts
from app.desk.drafts.form_verdict import SumUp
from app.desk.sending import outbox
from app.store.store_errors import StoreError
from app.ui.entry.drafts.screen import Screen
from app.ui.entry.drafts.templates_menu import TemplatesMenu
from app.ui.outbox.follow_write import FollowedWrite
from app.ui.widgets.confirm import confirmed


class Submitting(QObject):
    """`summed` tells all that is known of the order about to be sent, `allow` whether the button may be pressed."""

    def __init__(
        self,
        screen: Screen,
        templates: TemplatesMenu,
        summed: Callable[[Desk, bytes], Awaitable[SumUp]],
        allow: Callable[[bool], object],
        page: QWidget,
    ) -> None:
        super().__init__(page)
        self._screen, self._templates, self._page = screen, templates, page
        self._summed, self._allow = summed, allow
        self._followed = FollowedWrite(self, screen.bar, screen.tasks, screen.room.news)
        self._came: tuple[str, OrderDraft] | None = None  # what came on screen after an order was submitted

    def submit(self, draft: OrderDraft, *, go_on: bool) -> None:
        """Hand a draft with nothing wrong in it to the outbox. `go_on`: the next order keeps what the template says."""
        self._screen.held.write("submit", self._submit(draft, go_on=go_on))

    def just_came(self) -> bool:
        """Whether the order on screen came after one was submitted, and stands as it came."""
        return self._came == (self._screen.keeper.draft_id, self._screen.form.draft())

    async def _agreed(self, found: SumUp) -> bool:
        """Whether a person says yes to all that has to be agreed to; the gravest names the box."""
        if not found.questions:
            return True
        first = found.questions[0]
        words = "\n\n".join(each.sentence for each in found.questions)
        return await confirmed(self._page, first.title, words, first.yes, "Go back to the form")

    async def _submit(self, draft: OrderDraft, *, go_on: bool) -> None:
        screen = self._screen
        # Held on to from here: the profile may change at any moment, and the order goes where it was meant to go.
        desk, draft_id = screen.desk, screen.keeper.draft_id
        order = await background_check.checked(draft)
        assert isinstance(order, OrderSubmission)  # the form found nothing wrong, by the same rules
        found = await self._summed(desk, wire_bytes(order))
        if not await self._agreed(found):
            return
        screen.keeper.pause()
        self._allow(False)
        try:
            await saved_drafts.save(desk, draft_id, draft)
            write_id = await outbox.queue_submission(desk, order, draft_id, found.agreed)
        except StoreError as error:
            screen.bar.say("bad", f"The order was not sent and stays in the form. {error.sentence}")
            return
        finally:
            self._allow(True)
        more = self._show_after(draft_id, draft, go_on=go_on) if draft_id == screen.keeper.draft_id else ""
        await self._followed.follow(desk, write_id, more)
        screen.room.news.queue_changed.emit()
        screen.room.news.drafts.emit()

    def _show_after(self, draft_id: str, sent: OrderDraft, *, go_on: bool) -> str:
        """What comes on screen after an order was submitted; a sentence where that is not the next order."""
        new_id = saved_drafts.new_draft_id()
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

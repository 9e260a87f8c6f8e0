"""How an order that is somewhere else comes into the form: refused, sent before, open at the provider, to be copied.

What was typed is kept first, and what came is said: from where, and what is missing of it.
"""

from collections.abc import Awaitable, Callable
from functools import partial

from PySide6.QtCore import QObject

from app.desk.drafts import copy_order, saved_drafts
from app.desk.drafts.copy_order import Again
from app.desk.sending import outbox
from app.store.store_errors import StoreError
from app.ui.entry.drafts.open_drafts import OpenDrafts
from app.ui.entry.drafts.screen import Screen
from app.ui.entry.form.entry_form import issue_place

_NAMED = 3


class TakingUp(QObject):
    """Each of its doors puts one order on screen."""

    def __init__(self, screen: Screen, open_drafts: OpenDrafts, parent: QObject) -> None:
        super().__init__(parent)
        self._screen, self._drafts = screen, open_drafts

    def correct(self, write_id: int) -> None:
        """Take up the draft of an order that was refused or withdrawn, with the provider's words beside its fields."""
        self._screen.held.write("show draft", self._correct(write_id))

    async def _correct(self, write_id: int) -> None:
        screen, desk = self._screen, self._screen.desk
        try:
            told = await outbox.story(desk, write_id)
            if told.row.draft_id is None or not await screen.keeper.settle():
                return
            kept = await saved_drafts.take_up_again(desk, told.row.draft_id)
        except StoreError as error:
            screen.bar.say("warn", error.sentence)
            return
        if kept is not None and await screen.keeper.settle():
            screen.bar.clear()
            screen.show_draft(kept.id, kept.draft, kept=kept)
            # Beside their fields; the verdict says all of it, as long as it stands.
            words = outbox.field_errors(told)
            screen.form.show_said({path: f"The provider says: {said}" for path, said in words.items()})
        screen.room.news.drafts.emit()

    def enter_again(self, write_id: int) -> None:
        """Take what was sent up as a new draft under its own reference."""
        self._screen.held.write("show draft", self._enter_again(write_id))

    async def _enter_again(self, write_id: int) -> None:
        try:
            told = await outbox.story(self._screen.desk, write_id)
        except StoreError as error:
            self._screen.bar.say("bad", error.sentence)
            return
        if told.row.damaged:
            self._screen.bar.say("bad", copy_order.NOT_TAKEN_UP)
            return
        await self._drafts.begin(outbox.draft_of(told.payload))

    def clone_order(self, number: int) -> None:
        """A new order like this one of the provider's."""
        self._screen.held.write("show draft", self._take(partial(copy_order.clone_order, self._screen.desk, number)))

    def clone_write(self, write_id: int) -> None:
        """A new order like this one of the outbox."""
        self._screen.held.write("show draft", self._take(partial(copy_order.clone_write, self._screen.desk, write_id)))

    def change_order(self, number: int) -> None:
        """This open order, to be changed and sent again under its reference."""
        self._screen.held.write(
            "show draft",
            self._take(partial(copy_order.to_change, self._screen.desk, number), "consignee.consigneeName"),
        )

    async def _take(self, ask: Callable[[], Awaitable[Again | None]], place: str = "") -> None:
        bar = self._screen.bar
        try:
            found = await ask()
        except StoreError as error:
            bar.say("bad", error.sentence)
            return
        if found is None:
            bar.say("warn", "This order is not in the store any more. Refresh the orders and try again.")
        elif await self._drafts.begin(found.draft):
            bar.say("warn" if found.apart or not found.whole else "", f"{found.sentence}{_apart(found)}")
            if place:
                self._screen.form.go_to(place)


def _apart(found: Again) -> str:
    """Where the provider's record differs from what the draft holds: somebody else may have changed it."""
    if not found.apart:
        return ""
    parts = [f"{issue_place(each.path)}: {each.after or 'nothing'}" for each in found.apart[:_NAMED]]
    more = f" and {len(found.apart) - _NAMED} more" if len(found.apart) > _NAMED else ""
    return f" The provider says otherwise by now in {'; '.join(parts)}{more}. Sending puts this draft in its place."

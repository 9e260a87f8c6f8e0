"""What the parts of the entry page need of it: the one form, the one bar, and a way to put a draft on screen."""

from typing import Protocol

from app.contract.draft import OrderDraft
from app.desk.desk import Desk
from app.desk.drafts.saved_drafts import KeptDraft
from app.runtime.tasks import Tasks
from app.ui.base.page import Room
from app.ui.entry.drafts.held_keys import HeldKeys
from app.ui.entry.drafts.keeper import Keeper
from app.ui.entry.form.entry_form import OrderForm
from app.ui.widgets.bars.message_bar import MessageBar


class Screen(Protocol):
    """The entry page, as its parts know it."""

    room: Room
    tasks: Tasks
    bar: MessageBar
    form: OrderForm
    keeper: Keeper
    held: HeldKeys

    @property
    def desk(self) -> Desk:
        """The desk in force."""
        ...

    @property
    def has_desk(self) -> bool:
        """Whether there is one yet."""
        ...

    def show_draft(self, draft_id: str, draft: OrderDraft, kept: KeptDraft | None = None) -> None:
        """Put a draft on screen; what was there is kept already."""
        ...

    def blank(self) -> OrderDraft:
        """What a new order begins with."""
        ...

    def note_typed(self) -> None:
        """What stands in the form counts as typed: it is checked and kept."""
        ...

    def go_to_first(self) -> None:
        """Put the keyboard where a new order begins."""
        ...

"""The order that is printed: the draft in the form, or an order that this desk has sent."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from app.contract.draft import OrderDraft
from app.desk.desk import Desk
from app.desk.drafts.copy_order import as_listed
from app.desk.orders.stored_orders import detail
from app.desk.printing import paper_words
from app.desk.printing.paper_words import DAMAGED
from app.desk.sending import outbox
from app.desk.text.typed_dates import exact_moment
from app.store.journal.records import WriteRow, WriteState
from app.store.sqlite.text_values import local
from app.store.store_errors import JournalDamaged

# States in which the provider has the order, or may have it. Cartons must not show an order that was refused.
_STANDS: tuple[WriteState, ...] = ("accepted", "confirmed", "in_doubt", "sending", "queued")


@dataclass(frozen=True, slots=True)
class Subject:
    """An order as it is printed. `standing` is "Draft, not sent", or the state of the order and its time.

    `listed`: it is known as far as the provider returns it, without barcodes.
    """

    draft: OrderDraft
    standing: str
    practice: bool
    listed: bool = False

    @property
    def reference(self) -> str:
        """The order's reference, as it would be sent."""
        return self.draft.orderReferenceNumber.strip()


async def sent_order(desk: Desk, write_id: int) -> tuple[WriteRow, OrderDraft]:
    """The order that a write has sent. Raises `StoreError`."""
    told = await outbox.story(desk, write_id)
    if told.row.damaged:
        raise JournalDamaged(DAMAGED)
    return told.row, outbox.draft_of(told.payload)


async def last_sent(desk: Desk, reference: str) -> tuple[WriteRow, OrderDraft] | None:
    """The order that this desk last sent for a reference and that was not refused; None if there is none."""
    for each in await outbox.history(desk, reference):
        if each.kind == "submit" and each.state in _STANDS:
            return await sent_order(desk, each.id)
    return None


async def listed_order(desk: Desk, number: int, standing: Callable[[WriteRow], str]) -> Subject | None:
    """The order with this number: as this desk last sent it, else as far as the provider returns it.

    `standing` says how a write stands. None for an order that is not known. Raises `StoreError`.
    """
    found = await detail(desk, number)
    if found is None:
        return None
    practice = desk.profile.kind == "practice"
    sent = await last_sent(desk, found.line.crn) if found.line.crn else None
    if sent is not None:
        return Subject(sent[1], standing(sent[0]), practice)
    draft = await as_listed(desk, number)
    state = " ".join(part for part in (found.line.state, found.line.status) if part)
    seen = local(found.seen_at)
    words = paper_words.as_listed(number, state, exact_moment(seen))
    return None if draft is None else Subject(draft, words, practice, listed=True)


_OTHER = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST = 60


def pdf_name(reference: str, what: str) -> str:
    """`order-CRN-20481-labels.pdf`; what a file name cannot hold becomes an underscore."""
    safe = _OTHER.sub("_", reference).replace("..", "_").strip("._")[:_LONGEST]
    return "-".join(part for part in ("order", safe, what) if part) + ".pdf"

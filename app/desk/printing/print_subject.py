"""The order that is printed: what stands in the form, or what this desk has sent."""

import re
from dataclasses import dataclass

from app.contract.draft import OrderDraft
from app.desk.desk import Desk
from app.desk.sending import outbox
from app.store.journal.records import WriteRow, WriteState
from app.store.store_errors import JournalDamaged

# What the provider has, or may have: what was refused or taken back is not what the cartons are to say.
_STANDS: tuple[WriteState, ...] = ("accepted", "confirmed", "in_doubt", "sending", "queued")


@dataclass(frozen=True, slots=True)
class Subject:
    """An order with what is to be said of it on the paper: `standing` is "Draft, not sent" or its state and time."""

    draft: OrderDraft
    standing: str
    practice: bool

    @property
    def reference(self) -> str:
        """The order's reference, as it would be sent."""
        return self.draft.orderReferenceNumber.strip()


async def sent_order(desk: Desk, write_id: int) -> tuple[WriteRow, OrderDraft]:
    """What a submission has sent. Raises `StoreError`."""
    told = await outbox.story(desk, write_id)
    if told.row.damaged:
        raise JournalDamaged("What is kept of this order here is damaged, so it cannot be printed.")
    return told.row, outbox.draft_of(told.payload)


async def last_sent(desk: Desk, reference: str) -> tuple[WriteRow, OrderDraft] | None:
    """What this desk last sent for this reference and was not refused; None if it has sent nothing."""
    for each in await outbox.history(desk, reference):
        if each.kind == "submit" and each.state in _STANDS:
            return await sent_order(desk, each.id)
    return None


_OTHER = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST = 60


def pdf_name(reference: str, what: str) -> str:
    """`order-CRN-20481-labels.pdf`; what a file name cannot hold becomes an underscore."""
    safe = _OTHER.sub("_", reference).replace("..", "_").strip("._")[:_LONGEST]
    return "-".join(part for part in ("order", safe, what) if part) + ".pdf"

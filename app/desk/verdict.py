"""What sending an order would do, said before it is sent, and only as far as the provider's own answer carries.

Submit is an upsert only while the order is open (trap 1): after completion or cancellation the same reference makes a
second order, and reusing one silently overwrites another open order.
"""

import asyncio
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from app.api.errors import ApiError
from app.contract.codes import CLOSED_STATUSES, ManagementStatus
from app.contract.information import Order
from app.contract.replies import StatusReading, alike, decode
from app.desk.desk import Desk
from app.desk.differences import Difference, between, compares, replaced
from app.desk.timing import Instant
from app.store import cache, journal
from app.store.errors import JournalDamaged

VerdictKind = Literal["new", "changes", "closed", "import_queue", "unknown"]
Compared = Literal["", "sent", "returned"]

_LARGE = 32_768  # bytes

HEADINGS: dict[VerdictKind, str] = {
    "new": "New order",
    "changes": "Changes an open order",
    "closed": "Closed: would create a second order",
    "import_queue": "Waiting in the import queue",
    "unknown": "Cannot tell",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """`sentence` says why. `differences` are what sending would change, as far as that is known; `compared` says
    with what: what this desk last sent, or what the provider returns of it, which is less."""

    kind: VerdictKind
    sentence: str
    at: datetime
    differences: tuple[Difference, ...] = ()
    compared: Compared = ""
    status: ManagementStatus | None = None
    alike: str = ""  # another reference that the provider may take for this one
    error: ApiError | None = None  # the question was not answered at all
    definite: bool = False  # the provider has said in so many words that it has no such order
    asked: Instant | None = None  # when the provider was asked, which is before it answered

    @property
    def heading(self) -> str:
        """The verdict in its few words."""
        return HEADINGS[self.kind]

    @property
    def needs_yes(self) -> bool:
        """Whether a person has to say yes before it is sent."""
        return self.kind == "closed"


async def verdict(desk: Desk, reference: str, payload: bytes | None = None) -> Verdict:
    """Ask the provider how this reference stands. Trouble becomes "Cannot tell", never an error."""
    if desk.provider is None:
        return Verdict("unknown", desk.trouble, desk.now())
    asked = desk.timing.instant(desk.now())
    try:
        reading = await desk.provider.management.order_status(reference=reference)
    except ApiError as error:
        return Verdict("unknown", error.sentence, desk.now(), error=error, asked=asked)
    kind, sentence = judge(reading)
    other = "" if reading.mentions_reference else alike(reading.raw, reference)
    if other:
        sentence = f"The provider answered about {other}, and may take that for the same order as {reference}."
    changed: tuple[Difference, ...] = ()
    compared: Compared = ""
    if payload is not None and kind in ("changes", "import_queue"):
        changed, compared = await _changed(desk, reference, payload)
    status = reading.status if reading.mentions_reference else None
    return Verdict(kind, sentence, desk.now(), changed, compared, status, other, definite=reading.definite, asked=asked)


def judge(reading: StatusReading) -> tuple[VerdictKind, str]:
    """The verdict that a status reply carries, and why."""
    if not reading.found:
        return "new", "The provider has no order with this reference."
    if not reading.mentions_reference:
        return "unknown", "The provider answered about another order, so nothing is known of this reference."
    if reading.status is None:
        return "unknown", "The provider knows the reference but gave no status that Waybill can read."
    said = f"The provider says: {reading.status.value}."
    if reading.status in CLOSED_STATUSES:
        return "closed", f"{said} An order sent now with this reference would be a second one."
    if reading.status is ManagementStatus.IN_IMPORT_QUEUE:
        return "import_queue", f"{said} What was sent before is not processed yet."
    return "changes", f"{said} Sending replaces what the provider has."


async def _changed(desk: Desk, reference: str, payload: bytes) -> tuple[tuple[Difference, ...], Compared]:
    last = await desk.journal.read(journal.last_sent, desk.profile.id, reference)
    before = None if last is None else await _bytes_of(desk, last.id)
    if before is not None:
        large = len(payload) > _LARGE  # thousands of rows: longer than a frame
        found = await asyncio.to_thread(between, before, payload) if large else between(before, payload)
        return tuple(found), "sent"
    order = await _seen(desk, reference)
    if order is None or not compares(payload, order):
        return (), ""
    return tuple(replaced(payload, order)), "returned"


async def _bytes_of(desk: Desk, write_id: int) -> bytes | None:
    """What was sent; None where it is damaged, and nothing can be compared with it."""
    try:
        return await desk.journal.read(journal.payload, write_id)
    except JournalDamaged:
        return None


async def _seen(desk: Desk, reference: str) -> Order | None:
    """The open order with this reference as the provider last told it."""
    lines = await desk.reader.read(cache.find_crn, desk.profile.id, reference)
    number = next((line.number for line in lines if line.list == "open"), None)
    found = None if number is None else await desk.reader.read(cache.order_detail, desk.profile.id, number)
    return None if found is None else Order.model_validate(decode(found.raw.encode("utf-8", "replace")))

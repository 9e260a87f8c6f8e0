"""The provider's evidence about a write whose outcome is not known: the order status, the order itself, the lists.

Invariants: only a reply that carries the reference counts (trap 2). An order that is there proves a submission only if
it was not there before. An order that is not there proves nothing until the import queue has had its time (trap 4), and
only together with the lists: the status of a closed order is "not found" while other orders are open (services.md,
"Order status", step 2).
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from app.api.errors import ApiError, BrokenReply, Busy, NotFound
from app.contract.codes import CLOSED_STATUSES, ManagementStatus
from app.contract.information import Order
from app.contract.replies import StatusReading
from app.desk.desk import Desk
from app.desk.sending import sending_words as words
from app.desk.sending.order_status import ask_status
from app.desk.sending.payload_differences import read_back
from app.desk.sending.verdict import Verdict
from app.desk.sync import order_sync
from app.store.cache import order_query
from app.store.cache.order_rows import OrderLine
from app.store.journal.records import UNASKED, WriteRow

Finding = Literal["arrived", "absent", "refused", "person"]

# How long an order may wait in the import queue before its absence means anything.
GRACE = timedelta(minutes=2)
# By the verdict before a cancellation was sent: why the status "Cancelled" proves nothing about that cancellation.
CANCELLED_PROVES_NOTHING: dict[str | None, str] = {
    "closed": words.CANCELLED_BUT_CLOSED_BEFORE,
    UNASKED: words.CANCELLED_BUT_UNASKED,
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """The provider's answers: the status by reference, and the order by its number where the status names one.

    `trouble` is the sentence for a request that failed; `busy` says that further requests would fail too.
    """

    status: StatusReading | None = None
    order: Order | None = None
    trouble: str = ""
    busy: bool = False


@dataclass(frozen=True, slots=True)
class Judgement:
    """The conclusion from the evidence about a write, and the sentence for its note."""

    finding: Finding
    sentence: str
    definitely_absent: bool = False  # the provider says explicitly that it has no such order

    @property
    def note(self) -> str:
        """The sentence, with what can be done about it."""
        return f"{self.sentence} {words.CAN_BE_SENT_AGAIN}" if self.finding == "absent" else self.sentence


async def gather(desk: Desk, reference: str) -> Evidence:
    """Ask for the status by reference, and for the order by number if the reply names one.

    Never raises for trouble. If the provider asks for a pause, the desk's timing knows of it.
    """
    provider = desk.provider  # both requests go to one provider, even if the connection is changed between them
    if provider is None:
        return Evidence(trouble=desk.trouble)
    try:
        status = await ask_status(desk, provider, reference)
    except ApiError as error:
        desk.timing.back_off(error.rest)
        return Evidence(trouble=error.sentence, busy=isinstance(error, Busy))
    desk.breaker.record_answer()
    order, trouble = None, ""
    if status.mentions_reference and status.system_number is not None:
        try:
            order = (await provider.information.order(status.system_number)).order
        except NotFound:
            order = None  # still in the import queue, or the client may not see it
        except ApiError as error:
            trouble = error.sentence
    return Evidence(status, order, trouble)


def judge(
    write: WriteRow, payload: bytes | None, *, was_absent: bool, waited: timedelta, evidence: Evidence
) -> Judgement:
    """The conclusion from the evidence about a write in doubt.

    `payload` is None where its bytes are damaged: then only the reference can be compared. `was_absent`: before the
    write was sent the provider had said that it has no such order, and this desk had sent no other order with the
    reference. `waited`: how long before the request, at least, the last attempt ended.
    """
    status = evidence.status
    if status is None:
        return Judgement("person", evidence.trouble)
    if write.kind == "cancel":
        return _judge_cancellation(status, waited, before=write.verdict)
    if not status.found:
        shown = _absent_after_grace(waited, words.SHOWS_NO_ORDER, words.NOT_SEEN_YET)
        return replace(shown, definitely_absent=status.definite)
    if not status.mentions_reference:
        return Judgement("person", words.UNPROVEN_ANOTHER_ORDER)
    if status.status in CLOSED_STATUSES:
        return Judgement("person", words.closed_since(_word(status)))
    if payload is None:
        return Judgement("person", words.damaged_not_compared(_word(status)))
    if was_absent and _is_there(payload, evidence):
        return Judgement("arrived", words.arrived(_word(status)))
    return _judge_change(write, payload, evidence, status)


def _is_there(payload: bytes, evidence: Evidence) -> bool:
    """Whether a reply that carries the reference shows an order: "no such order" may carry the reference too."""
    assert evidence.status is not None
    if evidence.order is None:
        return evidence.status.status is not None
    return not read_back(payload, evidence.order)


def _judge_change(write: WriteRow, payload: bytes, evidence: Evidence, status: StatusReading) -> Judgement:
    if evidence.order is None and status.status is None:
        return Judgement("person", words.UNPROVEN_UNREADABLE)
    if evidence.order is None:
        sentence = words.there_before if write.verdict != "new" else words.there_from_earlier
        return Judgement("person", sentence(_word(status)))
    differences = read_back(payload, evidence.order)
    if differences:
        return Judgement("person", words.differs([each.path for each in differences]))
    return Judgement("person", words.AGREES)


def _judge_cancellation(status: StatusReading, waited: timedelta, *, before: str | None) -> Judgement:
    if not status.found or not status.mentions_reference:
        return Judgement("person", words.UNPROVEN_NO_ORDER)
    if status.status is None:
        return Judgement("person", words.UNPROVEN_UNREADABLE)
    if status.status is ManagementStatus.CANCELLED and before in CANCELLED_PROVES_NOTHING:
        # The status may be of the order before, while the one to be cancelled waits in the import queue (trap 2).
        return Judgement("person", words.cancelled_but(CANCELLED_PROVES_NOTHING[before]))
    if status.status is ManagementStatus.CANCELLED:
        return Judgement("arrived", words.CANCELLED)
    if status.status is ManagementStatus.COMPLETE:
        return Judgement("person", words.COMPLETE_NOT_CANCELLED)
    return _absent_after_grace(waited, words.SHOWS_OPEN_ORDER, words.not_cancelled_yet(_word(status)))


def _absent_after_grace(waited: timedelta, absent: str, not_yet: str) -> Judgement:
    # `not_yet` names no seconds: the sentence is kept as the note and stands until the next answer.
    return Judgement("person", not_yet) if waited < GRACE else Judgement("absent", absent)


def _word(status: StatusReading) -> str:
    return status.status.value if status.status else "a status that cannot be read"


async def ask_lists(desk: Desk, since: datetime) -> str:
    """Refresh both lists for the days from `since` on; the sentence for trouble, else empty."""
    days = (desk.now().date() - since.date()).days + 1
    for list_name in ("open", "completed"):
        got = await order_sync.refresh(desk, "open" if list_name == "open" else "completed", days)
        if got.trouble:
            return got.trouble
    return ""


async def listed_order(desk: Desk, reference: str) -> OrderLine | None:
    """An order with this reference, as either list ever showed it."""
    lines = await desk.reader.read(order_query.find_crn, desk.profile.id, reference)
    return lines[0] if lines else None


async def with_lists(desk: Desk, write: WriteRow, found: Verdict, trouble: str) -> Verdict:
    """A verdict of "no such order", corrected by lists that were asked for after it; `trouble` if they were not."""
    if trouble:
        sentence = words.lists_unknown(trouble)
        return replace(found, kind="unknown", sentence=sentence, error=BrokenReply(sentence), definite=False)
    line = await listed_order(desk, write.reference)
    if line is None:
        return found
    if line.list == "open":
        return replace(found, kind="changes", sentence=words.listed(line.number), definite=False)
    return replace(found, kind="closed", sentence=words.listed_closed(line.number), definite=False)

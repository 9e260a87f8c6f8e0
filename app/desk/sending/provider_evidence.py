"""Settles a doubt by evidence: what the provider itself shows about a write whose outcome is not known.

Only a reply that carries the reference counts (trap 2). An order that is there proves a submission only if it was not
there before. An order that is not there proves nothing until the import queue has had its time (trap 4).
"""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Literal

from app.api.errors import ApiError, Busy, NotFound
from app.contract.codes import CLOSED_STATUSES, ManagementStatus
from app.contract.information import Order
from app.contract.replies import StatusReading
from app.desk.desk import Desk
from app.desk.sending.payload_differences import read_back
from app.store.journal.records import UNASKED, WriteRow

Finding = Literal["arrived", "absent", "refused", "person"]

# How long an order may wait in the import queue before its absence means anything.
GRACE = timedelta(minutes=2)
SENT_AGAIN = "It can be sent again."
SECOND_ATTEMPT = "That was the second attempt: whether the first one arrived is not known yet."
GOES_AGAIN = "Waybill looks once more, then sends it again by itself."


# What was known before a cancellation was sent, by which "Cancelled" says nothing about it afterwards.
PROVES_NO_CANCELLATION: dict[str | None, str] = {
    "closed": "The order was closed before this was sent too, so that proves nothing of it.",
    UNASKED: "How the order stood before this was sent could not be asked, so that proves nothing of it.",
}
_MAY_BE_ANOTHER = "it may be what this desk sent before"
_NOT_COMPARED = "What was sent is damaged here, so it cannot be compared with that."


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was asked and answered: the status reply, and the order by its number where one was named.

    `trouble` is the sentence for a question that was not answered, `busy` that others would meet the same.
    """

    status: StatusReading | None = None
    order: Order | None = None
    trouble: str = ""
    busy: bool = False


@dataclass(frozen=True, slots=True)
class Settlement:
    """What the evidence comes to, and the sentence that is written beside the write."""

    finding: Finding
    sentence: str
    unknown_there: bool = False  # the provider says in so many words that it has no such order


async def gather(desk: Desk, reference: str) -> Evidence:
    """Ask for the status by reference, and for the order by number if the reply names one.

    Never raises for trouble; where the provider asks to be left alone, the desk remembers that.
    """
    provider = desk.provider  # both questions go to the same one, whatever becomes of the connection between them
    if provider is None:
        return Evidence(trouble=desk.trouble)
    try:
        status = await provider.management.order_status(reference=reference)
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
) -> Settlement:
    """What the evidence proves about a write in doubt.

    `payload` is None where its bytes are damaged: then the reference is all that can be asked about. `was_absent`:
    before it was sent the provider had said that there is no order with this reference, and this desk had sent no
    other with it. `waited`: how long before the
    question it was last tried, at least.
    """
    status = evidence.status
    if status is None:
        return Settlement("person", evidence.trouble)
    if write.kind == "cancel":
        return _judge_cancel(status, waited, before=write.verdict)
    if not status.found:
        so_far = "Not seen yet. It may still be in the import queue"
        return replace(_absent_after_grace(waited, "nothing of the order", so_far), unknown_there=status.definite)
    if not status.mentions_reference:
        return Settlement("person", "The provider answered about another order, so nothing is proven.")
    if status.status in CLOSED_STATUSES:
        return Settlement("person", f"The order is {_said(status)}. Whether this was taken before that is not known.")
    if payload is None:
        return Settlement("person", f"The provider says {_said(status)}. {_NOT_COMPARED}")
    if was_absent and _is_there(payload, evidence):
        return Settlement("arrived", f"It arrived: the provider had no such order before and now says {_said(status)}.")
    return _judge_change(write, payload, evidence)


def _is_there(payload: bytes, evidence: Evidence) -> bool:
    """Whether a reply that carries the reference shows an order: "no such order" may carry the reference too."""
    assert evidence.status is not None
    if evidence.order is None:
        return evidence.status.status is not None
    return not read_back(payload, evidence.order)


def _judge_change(write: WriteRow, payload: bytes, evidence: Evidence) -> Settlement:
    assert evidence.status is not None
    if evidence.order is None and evidence.status.status is None:
        return Settlement("person", "The provider knows the reference, but says nothing of it that Waybill can read.")
    if evidence.order is None:
        before = "it was there before too" if write.verdict != "new" else _MAY_BE_ANOTHER
        return Settlement("person", f"An order is there ({_said(evidence.status)}), but {before}.")
    apart = read_back(payload, evidence.order)
    if apart:
        names = ", ".join(each.path for each in apart[:3])
        return Settlement("person", f"The order is there, but differs from what was sent in {names}.")
    return Settlement("person", "The order is there and agrees with what was sent, as far as the provider returns it.")


def _judge_cancel(status: StatusReading, waited: timedelta, *, before: str | None) -> Settlement:
    if not status.found or not status.mentions_reference:
        return Settlement("person", "The provider shows no order with this reference, so nothing is proven.")
    if status.status is None:
        return Settlement("person", "The provider knows the reference, but says nothing of it that Waybill can read.")
    if status.status is ManagementStatus.CANCELLED and before in PROVES_NO_CANCELLATION:
        # It may speak of the order before, while the one to be cancelled waits in the import queue (trap 2).
        return Settlement("person", f"The provider says: Cancelled. {PROVES_NO_CANCELLATION[before]}")
    if status.status is ManagementStatus.CANCELLED:
        return Settlement("arrived", "The provider says: Cancelled.")
    if status.status is ManagementStatus.COMPLETE:
        return Settlement("person", "The order is complete: it was not cancelled in time.")
    said = _said(status)
    return _absent_after_grace(waited, "the order as open still", f"The provider says: {said}. It is not cancelled yet")


def _absent_after_grace(waited: timedelta, shown: str, so_far: str) -> Settlement:
    """It has not acted as far as the provider `shown`s; before the grace is over that is only `so_far`."""
    if waited < GRACE:
        # No seconds are named: the sentence is kept, and stands until the next answer.
        return Settlement("person", f"{so_far}; it is asked about again.")
    return Settlement("absent", f"The provider shows {shown}. {SENT_AGAIN}")


def _said(status: StatusReading) -> str:
    return status.status.value if status.status else "a status that cannot be read"

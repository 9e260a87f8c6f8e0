"""The last look before a write leaves: may it go, must it wait, or does a person have to decide?

What stood beside the button may be minutes old, hours when the desk was offline. An order that was closed since would
become a second one (trap 1), and one that is still in the import queue may overtake what is sent after it (trap 4).
"""

from datetime import timedelta

from app.api.errors import ApiError, Busy, NotAllowed, NotAuthorised, NotFound, NotSent, Refused
from app.contract.codes import ManagementStatus
from app.desk.sending.provider_evidence import GRACE
from app.desk.sending.verdict import Verdict
from app.store.journal.claim import LastLook
from app.store.journal.records import UNASKED, WriteRow

# What a person does about a connection that is turned away; what is queued then leaves by itself.
TO_DO = "Ask your provider for this permission, or correct the connection in Settings: it is then sent by itself."
# The same for one order that is turned away while others are let in: nobody but a person sends it again.
TO_DO_AND_SEND = "Ask your provider for this permission, or correct the connection in Settings, and send it then."

OUT_FOR_DELIVERY = "out_for_delivery"  # a verdict of its own for a cancellation; for a change the order is open


def decide(write: WriteRow, found: Verdict, since: timedelta | None, *, connected: bool) -> LastLook:
    """Decide about a queued write by the verdict just `found`.

    `since` is how long before the verdict, at least, this desk last sent an order with the reference that may have
    arrived; None if it sent none.
    """
    if found.error is not None and not answered(found):
        look = _unanswered(found, found.error)
        agreed = write.agreed == UNASKED == look.said and connected
        return LastLook("send", UNASKED, found.sentence) if agreed else look
    if not connected:
        return LastLook("stop", found.kind, found.sentence)
    if found.kind == "import_queue":
        return LastLook("wait", found.kind, f"Waits. {found.sentence}")
    if write.agreed == _consent(write, found):
        return LastLook("send", found.kind, found.sentence)
    if found.alike:
        return LastLook("hold", found.kind, f"{found.sentence} What is sent now may change that one.")
    return _cancellation(found) if write.kind == "cancel" else _submission(found, since)


def decide_resend(found: Verdict, *, connected: bool) -> LastLook:
    """Decide about a new order in doubt that the provider did not know at the look before.

    It is resent only if the provider says once more, explicitly, that it has no such order, and no list shows one.
    """
    if found.error is not None and not answered(found):
        return _unanswered(found, found.error)
    if not connected:
        return LastLook("stop", found.kind, found.sentence)
    absent = found.kind == "new" and found.definite
    return LastLook("send" if absent else "wait", found.kind, found.sentence)


def answered(found: Verdict) -> bool:
    """Whether the provider said how the order stands; a refusal of the question is an answer too."""
    return found.error is None or isinstance(found.error, Refused | NotFound)


def _unanswered(found: Verdict, error: ApiError) -> LastLook:
    """The look where the status request failed. Trouble that concerns every order stops the queue; trouble that may be
    this order's own lets the other orders go on. A person may send a write with `UNASKED` all the same.
    """
    words = f"Not sent: how the order stands could not be asked. {found.sentence}"
    match error:
        case NotAuthorised():
            return LastLook("stop", found.kind, f"{words} {TO_DO}", blocked=True)
        case NotAllowed():
            return LastLook("hold", UNASKED, f"{words} {TO_DO_AND_SEND}")
        case NotSent():
            return LastLook("stop", found.kind, words, error.rest)
        case Busy():
            return LastLook("stop", UNASKED, words, error.rest)
    return LastLook("wait", UNASKED, words)


def _consent(write: WriteRow, found: Verdict) -> str:
    """What a person must have said yes to. To cancel an order on the truck needs another yes than to cancel an open
    one."""
    on_the_truck = write.kind == "cancel" and found.status is ManagementStatus.OUT_FOR_DELIVERY
    return OUT_FOR_DELIVERY if on_the_truck else found.kind


def _submission(found: Verdict, since: timedelta | None) -> LastLook:
    if found.kind == "closed":
        return LastLook("hold", found.kind, found.sentence)
    if found.kind in ("new", "unknown") and since is not None:
        return _sent_before(found, since)
    return LastLook("send", found.kind, found.sentence)


def _sent_before(found: Verdict, since: timedelta) -> LastLook:
    """This desk has sent the reference, and the provider shows no open order of it.

    The status of a closed order is "not found" while any other order is open (services.md, "Order status", step 2), so
    that answer is no proof that an order sent now would be the only one.
    """
    if found.kind == "new" and since < GRACE:
        return LastLook(
            "wait", found.kind, f"Waits. {found.sentence} What this desk sent before may not be processed yet."
        )
    words = "This desk has sent this reference before, so it may be a second order."
    return LastLook("hold", found.kind, f"{found.sentence} {words}")


def _cancellation(found: Verdict) -> LastLook:
    if found.kind == "new":
        return LastLook(
            "hold", found.kind, "The provider has no order with this reference: nothing is there to cancel."
        )
    if found.kind == "closed":
        state = found.status.value if found.status else "closed"
        return LastLook("hold", found.kind, f"The provider says: {state}. There is nothing left to cancel.")
    if found.status is ManagementStatus.OUT_FOR_DELIVERY:
        return LastLook("hold", OUT_FOR_DELIVERY, "The order is out for delivery already. Cancel it all the same?")
    return LastLook("send", found.kind, found.sentence)

"""The last look before a write leaves: may it go, must it wait, or does a person have to decide?

What stood beside the button may be minutes old, hours when the desk was offline. An order that was closed since would
become a second one (trap 1), and one that is still in the import queue may overtake what is sent after it (trap 4).
"""

from datetime import timedelta

from app.api.errors import ApiError, Busy, NotAllowed, NotAuthorised, NotFound, NotSent, Refused
from app.contract.codes import ManagementStatus
from app.desk.sending.provider_evidence import GRACE
from app.desk.sending.verdict import Verdict
from app.store.journal.claim import Look
from app.store.journal.records import UNASKED, WriteRow

# What a person does about a connection that is turned away; what is queued then leaves by itself.
TO_DO = "Ask your provider for this permission, or correct the connection in Settings: it is then sent by itself."
# The same for one order that is turned away while others are let in: nobody but a person sends it again.
TO_DO_AND_SEND = "Ask your provider for this permission, or correct the connection in Settings, and send it then."

OUT_FOR_DELIVERY = "out_for_delivery"  # a verdict of its own for a cancellation; for a change the order is open


def decide(write: WriteRow, found: Verdict, waited: timedelta | None, *, connected: bool) -> Look:
    """Decide by how the reference stands now, and by how long before that, at least, this desk last sent one that may
    have arrived."""
    if found.error is not None and not was_asked(found):
        look = _not_asked(found, found.error)
        agreed = write.agreed == UNASKED == look.said and connected
        return Look("send", UNASKED, found.sentence) if agreed else look
    if not connected:
        return Look("stop", found.kind, found.sentence)
    if found.kind == "import_queue":
        return Look("wait", found.kind, f"Waits. {found.sentence}")
    if write.agreed == _said(write, found):
        return Look("send", found.kind, found.sentence)
    if found.alike:
        return Look("hold", found.kind, f"{found.sentence} What is sent now may change that one.")
    return _cancellation(found) if write.kind == "cancel" else _submission(found, waited)


def decide_again(found: Verdict, *, connected: bool) -> Look:
    """Decide about a new order in doubt that the provider did not know at the look before: only if it says so once more
    in so many words, and the lists show nothing of it, it is sent again."""
    if found.error is not None and not was_asked(found):
        return _not_asked(found, found.error)
    if not connected:
        return Look("stop", found.kind, found.sentence)
    again = found.kind == "new" and found.definite
    return Look("send" if again else "wait", found.kind, found.sentence)


def was_asked(found: Verdict) -> bool:
    """Whether the provider has said how the order stands."""
    return found.error is None or isinstance(found.error, Refused | NotFound)


def _not_asked(found: Verdict, error: ApiError) -> Look:
    """What keeps every order from being asked about stops all; what may be this one's own lets the others go on.

    `UNASKED` says that this order might leave all the same, if a person says so.
    """
    words = f"Not sent: how the order stands could not be asked. {found.sentence}"
    match error:
        case NotAuthorised():
            return Look("stop", found.kind, f"{words} {TO_DO}", barred=True)
        case NotAllowed():
            return Look("hold", UNASKED, f"{words} {TO_DO_AND_SEND}")
        case NotSent():
            return Look("stop", found.kind, words, error.rest)
        case Busy():
            return Look("stop", UNASKED, words, error.rest)
    return Look("wait", UNASKED, words)


def _said(write: WriteRow, found: Verdict) -> str:
    """What a person says yes to: that an order is on the truck is another thing to cancel than that it is open."""
    on_the_truck = write.kind == "cancel" and found.status is ManagementStatus.OUT_FOR_DELIVERY
    return OUT_FOR_DELIVERY if on_the_truck else found.kind


def _submission(found: Verdict, waited: timedelta | None) -> Look:
    if found.kind == "closed":
        return Look("hold", found.kind, found.sentence)
    if found.kind in ("new", "unknown") and waited is not None:
        return _sent_before(found, waited)
    return Look("send", found.kind, found.sentence)


def _sent_before(found: Verdict, waited: timedelta) -> Look:
    """This desk has sent the reference, and the provider shows no open order of it.

    The status of a closed order is "not found" while any other order is open (services.md, "Order status", step 2), so
    that answer is no proof that an order sent now would be the only one.
    """
    if found.kind == "new" and waited < GRACE:
        return Look("wait", found.kind, f"Waits. {found.sentence} What this desk sent before may not be processed yet.")
    words = "This desk has sent this reference before, so it may be a second order."
    return Look("hold", found.kind, f"{found.sentence} {words}")


def _cancellation(found: Verdict) -> Look:
    if found.kind == "new":
        return Look("hold", found.kind, "The provider has no order with this reference: nothing is there to cancel.")
    if found.kind == "closed":
        state = found.status.value if found.status else "closed"
        return Look("hold", found.kind, f"The provider says: {state}. There is nothing left to cancel.")
    if found.status is ManagementStatus.OUT_FOR_DELIVERY:
        return Look("hold", OUT_FOR_DELIVERY, "The order is out for delivery already. Cancel it all the same?")
    return Look("send", found.kind, found.sentence)

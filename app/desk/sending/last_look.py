"""The last look before a write leaves: may it go, must it wait, or does a person have to decide?

The verdict that stood beside the button may be minutes old, or hours if the desk was offline. An order that was closed
since would become a second order (trap 1). One that is still in the import queue may overtake what is sent after it
(trap 4).
"""

from dataclasses import replace
from datetime import timedelta

from app.api.errors import ApiError, Busy, NotAllowed, NotAuthorised, NotFound, NotSent, Refused
from app.contract.codes import ManagementStatus
from app.desk.sending import sending_words as words
from app.desk.sending.evidence import GRACE
from app.desk.sending.verdict import Verdict
from app.store.journal.claim import LastLook
from app.store.journal.records import UNASKED, VERSION_MARK, WriteRow

# To cancel an order that is out for delivery needs a consent of its own; a change of it needs none.
OUT_FOR_DELIVERY = "out_for_delivery"
# So does sending where the provider may take the reference for another one: a yes to another doubt is none to that.
ALIKE = "alike"
# In place of a verdict, before `VERSION_MARK` and which one: another desk of the team sent another version after this
# write was decided.
OTHERS_VERSION = "others_version"


def decide(write: WriteRow, found: Verdict, since: timedelta | None, *, connected: bool, sender: str = "") -> LastLook:
    """Decide about a queued write by the verdict just `found`.

    `since` is how long before the verdict, at least, an order with the reference that may have arrived was last sent;
    None if none was. `sender` is who in the team sent it; empty for this desk.
    """
    if found.error is not None and not answered(found):
        look = _unanswered(found, found.error)
        agreed = UNASKED in write.consents and look.verdict == UNASKED and connected
        return LastLook("send", UNASKED, found.sentence) if agreed else look
    if not connected:
        return LastLook("stop", found.kind, found.sentence)
    if found.kind == "import_queue":
        return LastLook("wait", found.kind, words.waits(found.sentence))
    if _consent_needed(write, found) in write.consents:
        return LastLook("send", found.kind, found.sentence)
    if found.alike:
        return LastLook("hold", ALIKE, words.may_change_another(found.sentence))
    return _cancellation(found) if write.kind == "cancel" else _submission(found, since, sender)


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


def keep_others_version(write: WriteRow, look: LastLook, sentence: str, version: str) -> LastLook:
    """The look where another desk of the team sent another version after this write was decided: held until a person
    has compared the two. `sentence` says who sent it. A yes to one `version` is none to a later one.

    Each hold keeps the yeses that were given before. Otherwise two reasons to hold would ask for each other's yes in
    turn, for ever.
    """
    given = tuple(each for each in (write.agreed or "").split(",") if each and VERSION_MARK not in each)
    # Last in the verdict, where `import_store.alike` leaves it out.
    asked = f"{OTHERS_VERSION}{VERSION_MARK}{version}"
    if asked in write.consents:
        kept = look.decision == "hold" and look.verdict not in given
        return replace(look, verdict=",".join((*given, look.verdict, asked))) if kept else look
    return LastLook("hold", ",".join((*given, asked)), sentence) if look.decision == "send" else look


def answered(found: Verdict) -> bool:
    """Whether the provider said how the order stands; a refusal of the question is an answer too."""
    return found.error is None or isinstance(found.error, Refused | NotFound)


def _unanswered(found: Verdict, error: ApiError) -> LastLook:
    """The look where the request for the status failed.

    Trouble that concerns every order stops the queue; trouble that may be this order's own lets the others go on. With
    `UNASKED` a person may send the write all the same.
    """
    match error:
        case NotAuthorised():
            return LastLook("stop", found.kind, words.status_barred(found.sentence), blocked=True)
        case NotAllowed():
            return LastLook("hold", UNASKED, words.status_refused(found.sentence))
        case NotSent():
            return LastLook("stop", found.kind, words.status_unknown(found.sentence), error.rest)
        case Busy():
            return LastLook("stop", UNASKED, words.status_unknown(found.sentence), error.rest)
    return LastLook("wait", UNASKED, words.status_unknown(found.sentence))


def _consent_needed(write: WriteRow, found: Verdict) -> str:
    if found.alike:
        return ALIKE
    on_the_truck = write.kind == "cancel" and found.status is ManagementStatus.OUT_FOR_DELIVERY
    return OUT_FOR_DELIVERY if on_the_truck else found.kind


def _submission(found: Verdict, since: timedelta | None, sender: str) -> LastLook:
    if found.kind == "closed":
        return LastLook("hold", found.kind, found.sentence)
    if found.kind in ("new", "unknown") and since is not None:
        return _sent_before(found, since, sender)
    return LastLook("send", found.kind, found.sentence)


def _sent_before(found: Verdict, since: timedelta, sender: str) -> LastLook:
    """This desk or another of the team has sent the reference, and the provider shows no open order of it.

    That is no proof that an order sent now would be the only one: the status of a closed order is "not found" while any
    other order is open (services.md, "Order status", step 2).
    """
    if found.kind == "new" and since < GRACE:
        return LastLook("wait", found.kind, words.waits_for_earlier_order(found.sentence, sender))
    return LastLook("hold", found.kind, words.may_be_second(found.sentence, sender))


def _cancellation(found: Verdict) -> LastLook:
    if found.kind == "new":
        return LastLook("hold", found.kind, words.NOTHING_TO_CANCEL)
    if found.kind == "closed":
        return LastLook(
            "hold", found.kind, words.nothing_left_to_cancel(found.status.value if found.status else "closed")
        )
    if found.status is ManagementStatus.OUT_FOR_DELIVERY:
        return LastLook("hold", OUT_FOR_DELIVERY, words.OUT_FOR_DELIVERY)
    return LastLook("send", found.kind, found.sentence)

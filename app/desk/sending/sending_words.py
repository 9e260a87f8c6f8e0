"""The sentences about sending: verdicts, looks, evidence and outcomes.

Invariant: no sentence claims more than the provider said. Sentences about a write are kept in the journal as its note.
"""

from collections.abc import Sequence
from datetime import datetime

from app.desk.text.typed_dates import exact_moment
from app.translation import translate, translate_plural

_NAMED = 3  # fields that are named; more are counted


def _both(first: str, second: str) -> str:
    """Two whole sentences, one after the other."""
    return f"{first} {second}"


# The status of an order

ANOTHER_ORDER = translate("The provider answered about another order, so the status is unverified.")
UNREADABLE_STATUS = translate("The provider knows the order but gave no status that Waybill can read.")


def no_such_order(reference: str) -> str:
    """The provider has no order with this reference."""
    return translate("The provider has no order with reference {reference}.", reference=reference)


def no_such_number(number: str) -> str:
    """The provider has no order with this number."""
    return translate("The provider has no order with number {number}.", number=number)


def provider_says(status: str) -> str:
    """The status in the provider's own word."""
    return translate("The provider says: {status}.", status=status)


def status_unasked(usual: str) -> str:
    """The order status was not asked for; `usual` is what goes with the state of the list, empty where nothing does."""
    if not usual:
        return translate("Not asked; no status goes with this state")
    return translate("Not asked; usually “{usual}”", usual=usual)


def status_unproven(usual: str) -> str:
    """The order status proves nothing; `usual` as for `status_unasked`."""
    if not usual:
        return translate("Not proven; no status goes with this state")
    return translate("Not proven; usually “{usual}”", usual=usual)


def status_asked(status: str, at: datetime) -> str:
    """The order status beside a state of the list that goes with it."""
    return translate("“{status}”, asked at {at:%H:%M:%S}", status=status, at=at)


def status_differs(status: str, at: datetime, usual: str) -> str:
    """The order status beside a state of the list that goes with another status."""
    return translate(
        "“{status}”, asked at {at:%H:%M:%S}; the list goes with “{usual}”", status=status, at=at, usual=usual
    )


# Verdicts

VERDICT_NEW = translate("The provider has no order with this reference.")
VERDICT_ANOTHER_ORDER = translate("The provider answered about another order, so nothing is known of this reference.")
VERDICT_UNREADABLE = translate("The provider knows the reference but gave no status that Waybill can read.")


def verdict_alike(other: str, reference: str) -> str:
    """The provider answered about a reference that looks like this one."""
    return translate(
        "The provider answered about {other}, and may take that for the same order as {reference}.",
        other=other,
        reference=reference,
    )


def verdict_closed(status: str) -> str:
    """The order is closed."""
    return translate("The provider says: {status}. Sending this reference now creates a second order.", status=status)


def verdict_importing(status: str) -> str:
    """The order waits in the import queue."""
    return translate("The provider says: {status}. What was sent before is not processed yet.", status=status)


def verdict_changes(status: str) -> str:
    """The order is open."""
    return translate("The provider says: {status}. Sending replaces what the provider has.", status=status)


# The last look. `reason` is the sentence of the verdict.

NOTHING_TO_CANCEL = translate("The provider has no order with this reference, so there is nothing to cancel.")
OUT_FOR_DELIVERY = translate("The order is out for delivery already. Cancel it anyway?")
# What a person does about a connection that is refused. The queue then goes on by itself.
PERMISSION_NEEDED = translate(
    "Ask your provider for this permission, or correct the connection in Settings. Sending then goes on by itself."
)
# What a person does about a single write that is refused while others are let in: it is held until a person sends it.
PERMISSION_NEEDED_FOR_ONE = translate(
    "Ask your provider for this permission, or correct the connection in Settings. Then send it."
)


def waits(reason: str) -> str:
    """A write stays in the queue."""
    return translate("Waits. {reason}", reason=reason)


def waits_for_earlier_order(reason: str, sender: str = "") -> str:
    """A write stays in the queue because this desk, or `sender` of the team, sent its reference a moment ago."""
    if sender:
        return translate(
            "Waits. {reason} What {sender} sent before may not be processed yet.", reason=reason, sender=sender
        )
    return translate("Waits. {reason} What this desk sent before may not be processed yet.", reason=reason)


def others_version(person: str, at: datetime) -> str:
    """Somebody else of the team sent another version of an order, which was not known when this one was decided."""
    return translate(
        "{person} sent another version of this order on {when}, which was not known here when this one was decided. "
        "Compare the two first: sending replaces that version.",
        person=person,
        when=exact_moment(at),
    )


def cancels_others_version(person: str, at: datetime) -> str:
    """Somebody else of the team sent a version of an order, which was not known when its cancellation was decided."""
    return translate(
        "{person} sent this order again on {when}, which was not known here when its cancellation was decided.",
        person=person,
        when=exact_moment(at),
    )


def may_change_another(reason: str) -> str:
    """The provider may take the reference for another one."""
    return translate("{reason} Sending now may change that order.", reason=reason)


def may_be_second(reason: str, sender: str = "") -> str:
    """This desk, or `sender` of the team, has sent the reference before, and the provider shows no open order."""
    if sender:
        return translate(
            "{reason} {sender} has sent this reference before, so sending may create a second order.",
            reason=reason,
            sender=sender,
        )
    return translate(
        "{reason} This desk has sent this reference before, so sending may create a second order.", reason=reason
    )


def nothing_left_to_cancel(status: str) -> str:
    """The order is closed already."""
    return translate("The provider says: {status}. There is nothing left to cancel.", status=status)


def status_unknown(reason: str) -> str:
    """The request for the status failed."""
    return translate("Not sent: the order's status could not be asked for. {reason}", reason=reason)


def status_barred(reason: str) -> str:
    """The request for the status was refused, as every other would be."""
    return _both(status_unknown(reason), PERMISSION_NEEDED)


def status_refused(reason: str) -> str:
    """The request for the status of this order was refused."""
    return _both(status_unknown(reason), PERMISSION_NEEDED_FOR_ONE)


# Outcomes

SENDING_FAILED = translate("Waybill failed while sending. Look the order up.")
END_NOT_RECORDED = translate(
    "How this ended could not be written down at the time, so nobody knows whether it arrived."
)
SECOND_ATTEMPT = translate("That was the second attempt: whether the first one arrived is not known yet.")


def reference_too_long(reference: str) -> str:
    """A cancellation cannot name this reference."""
    return translate_plural(
        "{reference} has {count} character and a cancellation can name 30 at most. Ask the provider to cancel it.",
        "{reference} has {count} characters and a cancellation can name 30 at most. Ask the provider to cancel it.",
        len(reference),
        reference=reference,
    )


def end_not_recorded(reference: str, error: str) -> str:
    """The outcome could not be kept in the journal; `error` is the sentence of the store."""
    return translate(
        "How the sending of {reference} ended could not be written down. {error} It counts as in doubt as soon as that "
        "is possible.",
        reference=reference,
        error=error,
    )


def still_not_recorded(error: str) -> str:
    """The outcome of an earlier attempt still cannot be kept."""
    return _both(END_NOT_RECORDED, error)


def misdirected_reply(other: str) -> str:
    """The reply to a write names another order."""
    return translate(
        "The provider's answer names another order, {other}. Whether this one arrived is not known. Look it up before "
        "sending it again.",
        other=other,
    )


def accepted_order(number: int | None, status: str | None) -> str:
    """The provider took an order."""
    if number is None:
        said = translate("The provider accepted the order.")
    else:
        said = translate("The provider accepted the order as number {number}.", number=number)
    return said if status is None else _both(said, translate("Status: {status}.", status=status))


def accepted_cancellation(number: int | None, status: str | None) -> str:
    """The provider took a cancellation."""
    if number is None:
        said = translate("The provider accepted the cancellation.")
    else:
        said = translate("The provider accepted the cancellation as number {number}.", number=number)
    return said if status is None else _both(said, translate("Status: {status}.", status=status))


def needs_permission(error: str) -> str:
    """The connection is refused; `error` is the sentence of the client."""
    return _both(error, PERMISSION_NEEDED)


def needs_permission_for_one(error: str) -> str:
    """A single write was refused (403)."""
    return _both(error, PERMISSION_NEEDED_FOR_ONE)


def second_attempt(error: str) -> str:
    """The provider refused a resend."""
    return _both(error, SECOND_ATTEMPT)


# Evidence about a write in doubt

CAN_BE_SENT_AGAIN = translate("It can be sent again.")
RESEND_PLANNED = translate("Waybill looks once more, then sends it again by itself.")
UNPROVEN_ANOTHER_ORDER = translate("The provider answered about another order, so nothing is proven.")
UNPROVEN_NO_ORDER = translate("The provider shows no order with this reference, so nothing is proven.")
UNPROVEN_UNREADABLE = translate("The provider knows the reference, but says nothing of it that Waybill can read.")
NOT_SEEN_YET = translate("Not seen yet. It may still be in the import queue; it is asked about again.")
SHOWS_NO_ORDER = translate("The provider shows nothing of the order.")
SHOWS_OPEN_ORDER = translate("The provider shows the order as open still.")
AGREES = translate("The order is there and agrees with what was sent, as far as the provider returns it.")
CANCELLED = translate("The provider says: Cancelled.")
NOT_SHOWN_CANCELLED = translate(
    "The provider accepted this cancellation, and has not shown the order as cancelled for three days. It is not asked "
    "any more."
)
CANCELLED_BUT_CLOSED_BEFORE = translate("The order was closed before this was sent too, so that proves nothing of it.")
CANCELLED_BUT_UNASKED = translate(
    "How the order stood before this was sent could not be asked, so that proves nothing of it."
)
COMPLETE_NOT_CANCELLED = translate("The order is complete: it was not cancelled in time.")


def cancelled_but(caveat: str) -> str:
    """The order is cancelled, and `caveat` says why that proves nothing of the cancellation."""
    return translate("The provider says: Cancelled. {caveat}", caveat=caveat)


def closed_since(status: str) -> str:
    """The order is closed, which proves nothing of the write."""
    return translate("The order is {status}. Whether this was taken before that is not known.", status=status)


def decided_by(person: str, *, arrived: bool) -> str:
    """A person at another desk of the team decided about a write in doubt."""
    if arrived:
        return translate("{person} found that it had arrived.", person=person)
    return translate("Withdrawn by {person}, who found that it had not arrived.", person=person)


def damaged_not_compared(status: str) -> str:
    """The order is there, and the bytes to compare it with are damaged."""
    return translate(
        "The provider says {status}. What was sent is damaged here, so it cannot be compared with that.", status=status
    )


def arrived(status: str) -> str:
    """The order is there now and was not there before."""
    return translate("It arrived: the provider had no such order before and now says {status}.", status=status)


def there_before(status: str) -> str:
    """The order was there before the write was sent."""
    return translate("An order is there ({status}), but it was there before too.", status=status)


def there_from_earlier(status: str) -> str:
    """The order may be the one that an earlier write of this desk made."""
    return translate("An order is there ({status}), but it may be what this desk sent before.", status=status)


def differs(fields: Sequence[str]) -> str:
    """The order is there with other values."""
    return translate(
        "The order is there, but differs from what was sent in {fields}.", fields=", ".join(fields[:_NAMED])
    )


def not_cancelled_yet(status: str) -> str:
    """A cancellation in doubt shows no effect so far."""
    return translate("The provider says: {status}. It is not cancelled yet; it is asked about again.", status=status)


def lists_unknown(trouble: str) -> str:
    """The status shows nothing, and the lists could not be fetched."""
    return translate("The order status shows nothing of it, and the lists are not known. {trouble}", trouble=trouble)


def listed(number: int) -> str:
    """The status shows nothing, and a list shows an order."""
    return translate(
        "The order status shows nothing of it, but an order with this reference is listed as number {number}.",
        number=number,
    )


def listed_closed(number: int) -> str:
    """The status shows nothing, and a list shows a closed order."""
    return translate(
        "The order status shows nothing of it, but an order with this reference is listed as number {number}. Sending "
        "this reference now creates a second order.",
        number=number,
    )


# Reading back what was accepted

ACCEPTED_BEFORE_MOVE = translate(
    "Accepted where this connection led before: the provider it leads to now cannot confirm it."
)
REPLACED = translate("A later change of the same order was accepted before this one was read back.")


def confirmed(number: int) -> str:
    """The fields that the provider returns agree with what was sent."""
    return translate("Confirmed as {number}; what the provider returns matches what you sent.", number=number)


def accepted_but_damaged(number: int) -> str:
    """The order is there, and the bytes to compare it with are damaged."""
    return translate(
        "Accepted as number {number}. What was sent is damaged here, so it cannot be compared with what the provider "
        "shows.",
        number=number,
    )


def nothing_to_compare(number: int) -> str:
    """The order is there, and the provider returns no field that was sent."""
    return translate(
        "The provider shows it as number {number}. It returns nothing of the order that could be compared with what "
        "was sent.",
        number=number,
    )


def other_values(number: int, differences: Sequence[tuple[str, str, str]]) -> str:
    """The provider shows other values: the path, the value sent and the value shown of each field."""
    fields = "; ".join(
        translate("{path}: sent {sent}, it says {shown}", path=path, sent=sent, shown=shown)
        for path, sent, shown in differences[:_NAMED]
    )
    more = len(differences) - _NAMED
    if more <= 0:
        return translate(
            "Accepted as number {number}, but the provider shows other values. {fields}.", number=number, fields=fields
        )
    return translate_plural(
        "Accepted as number {number}, but the provider shows other values. {fields} and {count} more.",
        "Accepted as number {number}, but the provider shows other values. {fields} and {count} more.",
        more,
        number=number,
        fields=fields,
    )


# Several orders at once

REFRESHED = translate("Refreshed.")

"""The sentences about an order before it is queued, so that they are reviewed and translated in one place.

Invariant: a function here returns whole sentences, made from plain values. It decides nothing but the words.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Literal

from app.desk.text.typed_dates import exact_moment, short_day
from app.store.sqlite.text_values import local
from app.translation import translate, translate_plural

Action = Literal["submit", "change", "second", "resend", "repeat"]

_NAMED = 4  # more of a list are counted

# The title of the submit button, and the title it has if pressing it asks something first.
ACTIONS: dict[Action, tuple[str, str]] = {
    "submit": (translate("Submit order"), translate("Submit order…")),
    "change": (translate("Send change"), translate("Send change…")),
    "second": (translate("Send second order"), translate("Send second order…")),
    "resend": (translate("Send again"), translate("Send again…")),
    "repeat": (translate("Send once more"), translate("Send once more…")),
}


def draft_of(at: datetime) -> str:
    """The name of a draft without a reference and a consignee."""
    return translate("Draft of {at:%H:%M}", at=local(at))


def when(moment: datetime, now: datetime) -> str:
    """`at 14:02`, of another day `on Mon 24 Nov at 14:02`."""
    there, here = local(moment), local(now)
    if there.date() == here.date():
        return translate("at {at:%H:%M}", at=there)
    return translate("on {day} at {at:%H:%M}", day=short_day(there.date(), here.date()), at=there)


def listed(words: Sequence[str], between: str = " ") -> str:
    """The first few of a list; the rest is counted."""
    left = len(words) - _NAMED
    more = [translate_plural("and {count:,} more", "and {count:,} more", left)] if left > 0 else []
    return between.join([*words[:_NAMED], *more])


# The verdict beside the form

READY = translate("✓ Ready to submit")
NOT_ASKED = translate("… Not asked yet how it stands")
NOTHING_LEFT = translate("Nothing is left to fill in.")
REFUSED = translate("✕ The provider refused this")
IN_OUTBOX = translate("! In the outbox already")
NOTHING_TO_SEND = translate("= Nothing to send")
SCANS_DIFFER = translate("! Scans do not match the freight")
UNKNOWN_BEFORE = translate("! Cannot tell what was sent before")
OTHER_VERSION = translate("! Another version is in the outbox")
MAY_BE_SECOND = translate("! May be a second order")
SAME_REFERENCE = translate("! Another draft has this reference")
LOOKS_MISTYPED = translate("! Looks mistyped")
FILLED_IN = translate("! Filled in by Waybill")
CHANGED_BY_TWO = translate("The provider keeps what is sent last. Agree on who sends it.")
SEND_SECOND = translate("Send as a second order")
SEND_AGAIN = translate("Send again")
SEND_ONCE_MORE = translate("Send once more")
SEND_ANYWAY = translate("Send anyway")
NO_REASON = translate("It gave no reason.")


UNTOUCHED = translate("Nothing typed yet")
BEGIN_SOMEHOW = translate(
    "Begin with the reference, or with a template (Alt+T). What is still missing is listed here as you type."
)


def to_do(count: int) -> str:
    """The heading while issues are left."""
    return translate_plural("{count:,} thing to do", "{count:,} things to do", count)


def heading_and_sentence(heading: str, sentence: str) -> str:
    """A reason of the verdict below another heading."""
    return translate("{heading}. {sentence}", heading=heading, sentence=sentence) if sentence else f"{heading}."


def asking(reference: str) -> str:
    """The heading while the provider has not answered."""
    return translate("… Asking how {reference} stands", reference=reference)


def asking_line(reference: str) -> str:
    """The same below another heading."""
    return translate("Asking how {reference} stands…", reference=reference)


def asked_at(sentence: str, at: datetime) -> str:
    """What the provider said, and when."""
    return translate("{sentence} Asked at {at:%H:%M:%S}.", sentence=sentence, at=local(at))


def second_order_question(reference: str) -> str:
    """The title of a question."""
    return translate("Send {reference} as a second order?", reference=reference)


def refused_question(reference: str) -> str:
    """The title of a question."""
    return translate("Send {reference} again though it was refused?", reference=reference)


def is_changing(people: Sequence[str]) -> str:
    """Others of the team have the order in their form."""
    return translate_plural(
        "{people} is changing this order", "{people} are changing this order", len(people), people=listed(people, ", ")
    )


def changing_question(reference: str) -> str:
    """The title of a question."""
    return translate("Send {reference} all the same?", reference=reference)


def repeat_question(reference: str) -> str:
    """The title of a question."""
    return translate("Send {reference} once more?", reference=reference)


def scans_question(reference: str) -> str:
    """The title of a question."""
    return translate("Send {reference} though the scans do not match?", reference=reference)


def refused(at: str, words: str) -> str:
    """When the provider refused the order, and its words."""
    return translate("Refused {at}. {words}", at=at, words=words)


def same_as_sent(at: str, sender: str = "") -> str:
    """The order in the form is the one that was sent, by this desk or by `sender` of the team."""
    if sender:
        return translate("The same as what {sender} sent {at}.", at=at, sender=sender)
    return translate("The same as what was sent {at}.", at=at)


def changes_nothing(at: str, sender: str = "") -> str:
    """The question about an order that was sent like this before, by this desk or by `sender` of the team."""
    if sender:
        return translate("The same as what {sender} sent {at}. It would change nothing.", at=at, sender=sender)
    return translate("The same as what was sent {at}. It would change nothing.", at=at)


def second_order_warning(answer: str, at: str) -> str:
    """The provider knows no such order, but one that this desk sent may still arrive."""
    return translate(
        "{answer} This desk sent it {at}, so this may be a second order: it waits in the outbox until that is clear.",
        answer=answer,
        at=at,
    )


def same_reference(reference: str) -> str:
    """Another open draft would be sent under the reference of this one."""
    return translate("Send only one draft of {reference}, or change a reference.", reference=reference)


def filled_in(values: Sequence[str]) -> str:
    """Values that nobody has accepted."""
    return translate("{values}. It will be sent as it stands. Alt+A accepts it.", values=listed(values, "; "))


def being_sent(at: str) -> str:
    """A write of this order."""
    return translate("It was submitted {at} and is being sent.", at=at)


def in_doubt(at: str) -> str:
    """A write of this order."""
    return translate("It was submitted {at}, and whether it arrived is in doubt.", at=at)


def not_sent_yet(at: str) -> str:
    """A write of this order."""
    return translate("It was submitted {at} and is not sent yet.", at=at)


def history_unreadable(reason: str) -> str:
    """The journal could not be read."""
    return translate("What this desk sent before could not be read. {reason}", reason=reason)


# Copies of orders

# Of an order that another desk sent, the provider returns none of these.
NOT_RETURNED = translate(
    "volume, weight, barcodes, bill-to, sold by, ship date, second phone, other references and instructions"
)
DAMAGED = translate(
    "This order's data on this computer is damaged, so it cannot be reused. Enter the order anew, or change it on the "
    "Orders page if the provider has it."
)
NOT_AN_ORDER = translate("A cancellation holds no order, so there is nothing to copy.")
THE_REFERENCE = translate("the reference")
ITS_BARCODES = translate("its barcodes and load number")
PAST_DATES = translate("dates that have passed")


def never_sent(reference: str) -> str:
    """A draft of an open order that this desk never sent."""
    return translate(
        "This desk never sent {reference}. This is what the provider returns, without {not_returned}. Fields left "
        "empty are sent empty: fill them in first.",
        reference=reference,
        not_returned=NOT_RETURNED,
    )


def sent_before(reference: str, sent: str) -> str:
    """A draft of an open order that this desk sent."""
    return translate("This is {reference}. {sent}", reference=reference, sent=sent)


def order_number(number: int) -> str:
    """The name of an order without a reference."""
    return translate("order {number}", number=number)


def copy_of_returned(name: str) -> str:
    """A copy of an order that this desk never sent."""
    return translate(
        "A new order like {name}, from what the provider returns: it holds no {not_returned}.",
        name=name,
        not_returned=NOT_RETURNED,
    )


def copy_of_sent(name: str, sent: str, left_out: Sequence[str]) -> str:
    """A copy of an order that this desk sent."""
    return translate(
        "A new order like {name}. {sent} Left out: {left_out}.", name=name, sent=sent, left_out=", ".join(left_out)
    )


def last_sent(at: datetime) -> str:
    """The write from which a draft was made."""
    return translate("This desk last sent it on {when}.", when=exact_moment(at))


def last_sent_in_doubt(at: datetime) -> str:
    """The write from which a draft was made."""
    return translate("This desk last sent it on {when}; whether that arrived is in doubt.", when=exact_moment(at))


def still_on_its_way(at: datetime) -> str:
    """The write from which a draft was made."""
    return translate("It was submitted here on {when}, and is still on its way.", when=exact_moment(at))


def submitted_here(at: datetime) -> str:
    """The write from which a draft was made."""
    return translate("It was submitted here on {when}.", when=exact_moment(at))


# Dates

_BEFORE = {
    "shipDate": translate("Before the order ships on {day}."),
    "estimatedReceiveDate": translate("Before the facility receives the order on {day}."),
}


def before_step(path: str, day: date, today: date) -> str:
    """A date lies before the `day` of an earlier step, which is named by the path of its date."""
    return _BEFORE[path].format(day=short_day(day, today))


# Scanning

NO_FREIGHT = translate("The freight has no commodity yet. Enter the freight first.")


def now_scanning(commodity: str) -> str:
    """A scanned commodity code."""
    return translate("Now scanning {commodity}.", commodity=commodity)


def commodity_not_in_freight(code: str) -> str:
    """A scanned code that is no barcode."""
    return translate("{code} is a commodity, but not in the freight of this order.", code=code)


def not_in_freight(commodity: str) -> str:
    """The commodity of a code that was scanned or pasted."""
    return translate("{commodity} is not in the freight of this order.", commodity=commodity)


def already_scanned(code: str) -> str:
    """A barcode stands once in an order."""
    return translate("{code} is already on this order.", code=code)


def code_and_issue(code: str, sentence: str) -> str:
    """A code that was refused, and why."""
    return translate("{code}: {sentence}", code=code, sentence=sentence)


def scanned_of(scanned: str, wanted: str) -> str:
    """A commodity of which not all, or too many, pieces were scanned."""
    return translate("{scanned} scanned, the freight says {wanted}", scanned=scanned, wanted=wanted)


NONE_SCANNED = translate("none")

# Values that Waybill fills in


def guessed_line(line: int, values: str) -> str:
    """The guesses of one freight line."""
    return translate("Freight line {line}: {values}", line=line, values=values)


def volume_and_weight(volume: str, weight: str) -> str:
    """The guesses of a freight line; an empty one is left out."""
    if volume and weight:
        return translate("{volume} cu ft and {weight} lb", volume=volume, weight=weight)
    return translate("{volume} cu ft", volume=volume) if volume else translate("{weight} lb", weight=weight)


def guess_explained(count: str, commodity: str) -> str:
    """Where a guess comes from."""
    return translate(
        "Filled in by Waybill: the usual figure for {count} {commodity}, by what this desk sent before. Type over it, "
        "or accept it with Alt+A.",
        count=count,
        commodity=commodity,
    )

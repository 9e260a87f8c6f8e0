"""The sentences about writes: their states, the outbox page, the notices of the window, and undo.

Invariants: a sentence about a write is made from its state and the clock, and made anew when the journal changes; it is
never kept and shown later. One state has one word on every page.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from app.store.journal import undo_window
from app.store.journal.records import UNASKED, AttemptRow, Outcome, WriteKind, WriteRow, WriteState
from app.store.journal.request_store import RequestRow
from app.translation import translate, translate_plural
from app.ui.widgets.text.labels import Tone
from app.ui.widgets.text.times import clock, moment
from app.ui.widgets.widget_words import beside

if TYPE_CHECKING:
    from app.desk.bulk.outcome.import_batch import BatchSummary

# A clock that was set back makes a cancellation seem to wait longer than this. Such a cancellation is sent.
_LONGEST_UNDO_S = 60
_NAMED = 3  # orders that a sentence names; more are counted
_LISTED = 8  # orders that a question lists

# The states of a write

KIND_WORDS: dict[WriteKind, str] = {"submit": translate("Order"), "cancel": translate("Cancellation")}
OUTBOX_GLYPH = "⇪"  # before the state of a write in a list of orders: the outbox's sign in the rail


class StateLook(NamedTuple):
    """How a state is shown, and what it means for the order."""

    glyph: str
    tone: Tone
    word: str
    meaning: str


STATE_LOOK: dict[WriteState, StateLook] = {
    "queued": StateLook("◔", "soft", translate("Queued"), translate("Kept on this computer; it has not left yet.")),
    "sending": StateLook("▶", "", translate("Sending"), translate("On its way to the provider.")),
    "accepted": StateLook("✓", "good", translate("Accepted"), translate("The provider has taken it.")),
    "confirmed": StateLook(
        "✓", "good", translate("Confirmed"), translate("The provider has taken it, and it was read back.")
    ),
    "rejected": StateLook("✕", "bad", translate("Refused"), translate("The provider refused it and did nothing.")),
    "in_doubt": StateLook(
        "!", "warn", translate("In doubt"), translate("It may have arrived. It is not sent again until that is known.")
    ),
    "withdrawn": StateLook("○", "soft", translate("Withdrawn"), translate("It is not sent from here any more.")),
}
# What a state means where another desk of the team has the write.
OTHERS_MEANING: dict[WriteState, str] = {
    "queued": translate("Kept on that computer; it has not left yet."),
    "withdrawn": translate("It is not sent from there any more."),
}
HELD_LOOK = StateLook("!", "warn", translate("Held"), translate("It is not sent until you decide."))
BLOCKED_LOOK = StateLook(
    "!", "warn", translate("Needs you"), translate("Nothing is sent until the connection is corrected.")
)
UNASKED_MEANING = translate("Waybill asks again by itself and sends it then. You can also send it without asking.")
# The bytes kept are not those that were queued: such a write is never sent, and a person decides about it.
_DAMAGED = translate("Damaged")
DAMAGED_MEANING: dict[WriteState, str] = {
    "queued": translate(
        "What is kept of it here is not what was queued, so it cannot be sent. Withdraw it and enter it anew."
    ),
    "in_doubt": translate(
        "It may have arrived. What is kept of it here is not what was queued, so it cannot be sent again. Look it up, "
        "then say that it arrived or withdraw it: other changes of this order wait until then."
    ),
}
OUTCOME_WORDS: dict[Outcome, str] = {
    "accepted": translate("accepted"),
    "rejected": translate("refused"),
    "not_sent": translate("did not leave this computer"),
    "not_authorised": translate("refused before anything was done"),
    "not_taken": translate("came too soon and was not taken"),
    "busy": translate("answered that it is busy"),
    "unknown": translate("no answer that settles it"),
    "died": translate("Waybill stopped while sending"),
}


def look_of(
    row: WriteRow, *, blocked: bool = False, paused_until: datetime | None = None, pause_reason: str = ""
) -> StateLook:
    """How a write is shown. `blocked`, `paused_until` and `pause_reason` are those of its `Desk`."""
    if row.damaged and row.state in DAMAGED_MEANING:
        return StateLook("!", "bad", _DAMAGED, DAMAGED_MEANING[row.state])
    if row.state == "queued" and row.held is not None:
        return HELD_LOOK
    if row.state == "queued" and blocked:
        return BLOCKED_LOOK
    look = STATE_LOOK[row.state]
    if row.waits_unasked:
        return look._replace(meaning=UNASKED_MEANING)
    if is_paused(row, paused_until):
        assert paused_until is not None
        return look._replace(meaning=next_try(pause_reason, paused_until))
    if row.state == "queued" and row.not_before is not None and row.attempts == 0:
        return look._replace(meaning=leaves_at(row.not_before))
    return look


def is_paused(row: WriteRow, paused_until: datetime | None) -> bool:
    """Whether a write waits only because sending is paused."""
    return row.state == "queued" and row.held is None and not row.waits_unasked and paused_until is not None


def next_try(reason: str, until: datetime) -> str:
    """`Recent sends are unconfirmed. Next try at 14:05:10.`; `reason` is a whole sentence."""
    return f"{reason} {translate('Next try at {time}.', time=clock(until))}"


def leaves_at(due: datetime) -> str:
    """A cancellation can be undone until then."""
    return translate("It leaves at {time}. It can still be undone.", time=clock(due))


def by_person(person: str, meaning: str) -> str:
    """Whose write of the team it is, and how it stands."""
    return translate("By {person}. {meaning}", person=person, meaning=meaning)


def others_doubt(person: str, reference: str) -> str:
    """A write in doubt of another desk is chosen."""
    return translate(
        "! {reference} of {person} may have arrived. Look it up at the provider, then decide.",
        reference=reference,
        person=person,
    )


def ask_absent(reference: str) -> str:
    """Whether a write in doubt of another desk has not arrived."""
    return translate("Has {reference} not arrived at the provider?", reference=reference)


def absent_warning(person: str) -> str:
    """What follows."""
    return translate("It is withdrawn at the desk of {person}, and not sent from there any more.", person=person)


def told_to(person: str, reference: str) -> str:
    """The decision is in the team's log, or waits for it."""
    return translate(
        "Decided about {reference}. The desk of {person} takes it over as soon as it works with the team.",
        reference=reference,
        person=person,
    )


def nothing_of(person: str) -> str:
    """The team's outbox has nothing for this choice; `person` is empty for the whole team."""
    if not person:
        return translate("What anybody of the team sends appears here.")
    return translate("What {person} sends appears here.", person=person)


def state_word(state: WriteState) -> str:
    """The state in one word."""
    return STATE_LOOK[state].word


def word_among_orders(row: WriteRow, *, blocked: bool = False) -> str:
    """The state of a write in a list of orders."""
    word = look_of(row, blocked=blocked).word
    if row.kind == "submit":
        return f"{OUTBOX_GLYPH} {word}"
    return translate("{glyph} Cancel · {state}", glyph=OUTBOX_GLYPH, state=word)


def spoken_among_orders(row: WriteRow, *, blocked: bool = False) -> str:
    """The state of a write in a list of orders, for a screen reader."""
    word = look_of(row, blocked=blocked).word
    if row.kind == "submit":
        return translate("In the outbox, order: {state}", state=word)
    return translate("In the outbox, cancellation: {state}", state=word)


def tooltip_among_orders(row: WriteRow, *, blocked: bool = False) -> str:
    """The state of a write in a list of orders, with what it means."""
    meaning = " ".join(part for part in (row.note, look_of(row, blocked=blocked).meaning) if part)
    return f"{spoken_among_orders(row, blocked=blocked)}. {meaning}"


def paper_sentence(row: WriteRow) -> str:
    """`Accepted Tue 24 Nov 2026 14:02. The provider has taken it.`, for a sheet that is read without the window."""
    look = look_of(row)
    return f"{look.word} {moment(row.changed_at)}. {look.meaning}"


# One sentence about a write, for a message


class WriteSentence(NamedTuple):
    """`over`: nothing more happens to the write by itself, and no person is needed."""

    tone: Tone
    sentence: str
    over: bool = False


def seconds_left(row: WriteRow, now: datetime) -> int:
    """For how many seconds a cancellation can still be undone before it leaves; 0 once that is over."""
    if row.kind != "cancel" or row.state != "queued" or row.held or row.attempts or row.not_before is None:
        return 0
    left = (row.not_before - now.astimezone()).total_seconds()
    return ceil(left) if 0 < left <= _LONGEST_UNDO_S else 0


def was_undone(row: WriteRow) -> bool:
    """Whether this is a cancellation that was undone before it was sent."""
    return row.kind == "cancel" and row.state == "withdrawn" and not row.attempts


def sentence_about(row: WriteRow, now: datetime, *, blocked: bool = False, changes: bool = False) -> WriteSentence:
    """How a write stands, named by its reference. `blocked`: the connection waits for a person.

    `changes`: a person submitted it as a change, which the row knows only once the provider was asked.
    """
    by_kind = _ABOUT_ORDER if row.kind == "submit" else _ABOUT_CANCELLATION
    if row.kind == "submit" and (row.verdict in _CHANGING or (changes and row.verdict is None)):
        by_kind = _ABOUT_CHANGE

    def said(key: str, *more: str | None) -> str:
        first = by_kind[key].format(reference=row.reference)
        return " ".join([first, *(part for part in more if part)])

    if row.damaged and row.state in DAMAGED_MEANING:
        return WriteSentence("bad", said("damaged", DAMAGED_MEANING[row.state]))
    match row.state:
        case "queued":
            if row.held is not None:
                return WriteSentence("warn", said("held", row.held))
            if blocked:
                return WriteSentence("warn", said("waits", BLOCKED_LOOK.meaning))
            if left := seconds_left(row, now):
                return WriteSentence("", cancelled_in(row.reference, left))
            if row.waits_unasked:
                return WriteSentence("soft", said("waits", row.note, UNASKED_MEANING))
            return WriteSentence("soft", said("queued", row.note))
        case "sending":
            return WriteSentence("soft", said("sending"))
        case "rejected":
            return WriteSentence("bad", said("rejected", row.note))
        case "in_doubt":
            return WriteSentence("warn", said("in_doubt", row.note))
        case "withdrawn":
            if was_undone(row):
                return WriteSentence("", said("undone"), over=True)
            return WriteSentence("", said("withdrawn", row.note), over=True)
        case "accepted":
            return WriteSentence("good", said("accepted"), over=True)
        case "confirmed":
            return WriteSentence("good", said("confirmed"), over=True)


_ABOUT_ORDER = {
    "damaged": translate("Order {reference} is damaged."),
    "held": translate("Order {reference} waits for your decision."),
    "waits": translate("Order {reference} waits."),
    "queued": translate("Order {reference} is in the outbox and has not left yet."),
    "sending": translate("Order {reference} is being sent."),
    "rejected": translate("The provider refused order {reference}."),
    "in_doubt": translate("Order {reference} may have arrived, and is not sent again until that is known."),
    "withdrawn": translate("Order {reference} is not sent from here any more."),
    "accepted": translate("The provider has taken order {reference}."),
    "confirmed": translate("The provider has taken order {reference}, and it was read back."),
}
_CHANGING = ("changes", "import_queue")  # verdicts with which an order that is there is changed
_ABOUT_CHANGE = {
    "damaged": translate("The change of order {reference} is damaged."),
    "held": translate("The change of order {reference} waits for your decision."),
    "waits": translate("The change of order {reference} waits."),
    "queued": translate("The change of order {reference} is in the outbox and has not left yet."),
    "sending": translate("The change of order {reference} is being sent."),
    "rejected": translate("The provider refused the change of order {reference}."),
    "in_doubt": translate(
        "The change of order {reference} may have arrived, and is not sent again until that is known."
    ),
    "withdrawn": translate("The change of order {reference} is not sent from here any more."),
    "accepted": translate("The provider has taken the change of order {reference}."),
    "confirmed": translate("The provider has taken the change of order {reference}, and it was read back."),
}
_ABOUT_CANCELLATION = {
    "damaged": translate("The cancellation of {reference} is damaged."),
    "held": translate("The cancellation of {reference} waits for your decision."),
    "waits": translate("The cancellation of {reference} waits."),
    "queued": translate("The cancellation of {reference} is in the outbox and has not left yet."),
    "sending": translate("The cancellation of {reference} is being sent."),
    "rejected": translate("The provider refused the cancellation of {reference}."),
    "in_doubt": translate(
        "The cancellation of {reference} may have arrived, and is not sent again until that is known."
    ),
    "undone": translate("Order {reference} was not cancelled: the cancellation was undone before it was sent."),
    "withdrawn": translate("The cancellation of {reference} is not sent from here any more."),
    "accepted": translate("The provider has taken the cancellation of {reference}."),
    "confirmed": translate("The provider has taken the cancellation of {reference}, and it was read back."),
}


def cancelled_in(reference: str, seconds: int) -> str:
    """A cancellation counts down."""
    return translate_plural(
        "Order {reference} is cancelled in {count:,} second.",
        "Order {reference} is cancelled in {count:,} seconds.",
        seconds,
        reference=reference,
    )


# The page of the outbox

COLUMN_TITLES = (
    translate("State"),
    translate("Reference"),
    translate("What"),
    translate("When"),
    translate("How it stands"),
)
# By the name of the tab: title, states, and which of the queued writes: held for a person, not held, or any.
Filters = dict[str, tuple[str, tuple[WriteState, ...], bool | None]]
FILTERS: Filters = {
    "all": (translate("All"), (), None),
    "you": (translate("Needs you"), ("in_doubt", "rejected", "queued"), True),
    "way": (translate("On its way"), ("queued", "sending"), False),
    "ended": (translate("Ended"), ("accepted", "confirmed", "withdrawn"), None),
}
# While the connection waits for a person, so does every queued write.
BLOCKED_FILTERS = FILTERS | {
    "you": (FILTERS["you"][0], ("in_doubt", "rejected", "queued"), None),
    "way": (FILTERS["way"][0], ("sending",), None),
}
EMPTY: dict[str, tuple[str, str]] = {
    "all": (
        translate("Nothing sent yet"),
        translate("Orders and cancellations appear here from the moment you submit them. Ctrl+N begins an order."),
    ),
    "you": (
        translate("Nothing needs you"),
        translate("Orders that were refused, and orders, quotes, trucks and reservations in doubt, appear here."),
    ),
    "way": (translate("Nothing is on its way"), translate("Everything that was submitted has been answered.")),
    "ended": (translate("Nothing has ended yet"), translate("Orders that the provider has taken appear here.")),
}
WHOSE, THIS_DESK, WHOLE_TEAM = translate("Whose"), translate("This desk"), translate("Whole team")
OTHERS_ORDER_UNKNOWN = translate("This order is not among the orders fetched so far.")
NO_ORDER_OPEN = translate("No order is open beside the list. Choose a refused one to correct it.")
NOT_REFUSED = translate("Only an order that the provider has refused is corrected here.")
NOTHING_TO_WITHDRAW = translate("Nothing is open beside the list. Choose what is to be withdrawn.")
NOT_TO_BE_WITHDRAWN = translate("Only what waits, is in doubt or was refused can be withdrawn or put away.")
OUT_OF_SIGHT = translate("The row was out of sight. Look at it first, then withdraw it.")
NO_ORDER_NEEDS_YOU = translate("No order needs you")
REQUESTS_BELOW = translate("What waits for your decision stands below.")
RESERVED_ORDER_UNKNOWN = translate("The order of this reservation is not among the orders fetched so far.")
REQUEST_SUBJECTS = {
    "quote_submit": translate("Quote {title}, sent {at}, may have arrived. Ask the provider, then decide."),
    "truck_submit": translate("Truck {title}, sent {at}, may have arrived. Ask the provider, then decide."),
    "partner_a_reserve_slot": translate(
        "Reservation of {title} for order {subject}, sent {at}, may have arrived. Ask the partner, then decide."
    ),
}
REQUEST_ARRIVED, REQUEST_NOT_ARRIVED = translate("It arrived"), translate("It did not arrive")
SHOW_REQUEST = translate("Show")
SHOW_OTHER_OUTBOX = translate("Show its outbox")


def request_in_doubt(row: RequestRow) -> str:
    """A quote, truck or reservation that nobody knows the end of."""
    return REQUEST_SUBJECTS[row.operation].format(title=row.title, subject=row.subject, at=moment(row.began_at))


def more_requests_in_doubt(count: int) -> str:
    """Further ones, which come into sight once these are decided."""
    return translate_plural("{count:,} more is in doubt.", "{count:,} more are in doubt.", count)


def show_other_outbox(name: str) -> str:
    """The button that shows the outbox of another connection, for a screen reader."""
    return translate("Show the outbox of {name}", name=name)


def other_outbox(name: str, count: int, longest: int = 1_000) -> str:
    """`2 wait in the outbox of Acme Freight`; of the name at most so many characters."""
    shown = name if len(name) <= longest else f"{name[: longest - 1]}…"
    return translate_plural(
        "{count:,} waits in the outbox of {name}", "{count:,} wait in the outbox of {name}", count, name=shown
    )


def other_outbox_unsent(name: str, count: int) -> str:
    """Writes of another connection wait until that connection is used."""
    return translate_plural(
        "{count:,} waits in the outbox of {name}. It is not sent until you use that connection.",
        "{count:,} wait in the outbox of {name}. They are not sent until you use that connection.",
        count,
        name=name,
    )


# The story of one write

_SAME_MOMENT = timedelta(seconds=1)  # an answer and what it meant for the write are stored together

STORY_NAME = translate("What was sent")
LINE_OF_TIME = translate("What happened")
SHOW_ORDER = translate("Show the order")
EXACT_CONTENT = translate("Exact content")
EXACT_CONTENT_TIP = translate("Every byte that was sent, and the replies as they came")


def freight_summary(freight: Sequence[tuple[str, str]], barcodes: int, load: str) -> str:
    """What is in an order: counts and commodities as typed, and how many barcodes on which load."""
    parts = [translate("{count} × {commodity}", count=count, commodity=name) for count, name in freight if name]
    if barcodes:
        parts.append(translate_plural("{count:,} barcode", "{count:,} barcodes", barcodes))
    if load:
        parts.append(translate("load {load}", load=load))
    return ", ".join(parts)


def order_summary(requested: str, facility: str, delivery: str, po: str) -> str:
    """By when, where and how an order is delivered; values are as sent, and may be empty."""
    parts = (
        translate("requested for {day}", day=requested) if requested else "",
        translate("facility {code}", code=facility) if facility else "",
        delivery,
        translate("PO {number}", number=po) if po else "",
    )
    return " · ".join(part for part in parts if part)


STORY_TEXT_NAME = translate("Attempts, replies and exact content")
STORY_UNLISTED = translate("The list beside this does not hold it any more.")
WITHDRAW_WORDS: dict[WriteState, str] = {
    "queued": translate("Withdraw"),
    "in_doubt": translate("Withdraw"),
    "rejected": translate("Put away"),
}
WITHDRAWN_NOTES: dict[WriteState, str] = {
    "queued": translate("Withdrawn before it was sent."),
    "rejected": translate("Put away after the provider had refused it."),
    "in_doubt": translate("Withdrawn by a person's decision, without knowing whether it arrived."),
}
RESENT_NOTE = translate("Sent again by a person's decision.")
ARRIVED_NOTE = translate("A person found that it had arrived.")
ASKING_STATUS = translate("Asking the provider for the status…")
NEVER_SENT = translate("It was never sent.")
NOT_SENT_YET = translate("Not sent yet.")
DAMAGED_CONTENT = translate("What is left of it. It is damaged, not what was queued, and is not sent:")
CONTENT_TO_SEND = translate("Exactly what is sent:")
CONTENT_SENT = translate("Exactly what was sent:")
CONTENT_UNSENT = translate("Exactly what was to be sent:")
REPLY = translate("Reply:")
SEND_NOW = translate("Send now")
SEND_AGAIN = translate("Send again…")
SEND_ANYWAY = translate("Send anyway…")
SEND_WITHOUT_ASKING = translate("Send without asking…")
RESEND_WARNING = translate(
    "It may have arrived already. If that order has been completed or cancelled since, sending again makes a second "
    "order. Look it up first."
)
WITHDRAW_WARNING = translate("It may have arrived: withdrawing it here takes nothing back at the provider.")
ARRIVED_WARNING = translate("Say so only if the provider's own answer shows it. It is then not sent again.")
# What may come of sending without a look-up.
_UNASKED_MAY: dict[WriteKind, str] = {
    "submit": translate(
        "If the order was completed or cancelled, sending this makes a second one; if it is open, this replaces what "
        "the provider has."
    ),
    "cancel": translate("If the order is out for delivery or closed already, nobody says so first."),
}
_VERDICT_LINES: dict[str, str] = {
    "new": translate("Before this was sent, the provider said that it has no order with this reference."),
    "changes": translate("Before this was sent, the provider said that the order is open."),
    "closed": translate("Before this was sent, the provider said that the order is closed."),
    "import_queue": translate("Before this was sent, the provider said that it waits in the import queue."),
    "unknown": translate("Before this was sent, the provider said nothing that is certain about this reference."),
    "alike": translate("Before this was sent, the provider said nothing that is certain about this reference."),
    "out_for_delivery": translate("Before this was sent, the provider said that the order is out for delivery."),
    "not_allowed": translate("Before this was sent, the provider said that it does not allow this."),
}


def verdict_line(row: WriteRow) -> str:
    """What was known of the order before it was sent, as a line of the story; empty if nobody has asked."""
    if row.verdict == UNASKED:
        return translate("The provider could not be asked how the order stands.")
    return _VERDICT_LINES.get(row.verdict or "", "")


def send_word(row: WriteRow) -> str:
    """The button that sends a write."""
    if row.state != "queued":
        return SEND_AGAIN
    if row.held is not None:
        return SEND_ANYWAY
    return SEND_WITHOUT_ASKING if row.waits_unasked else SEND_NOW


def story_heading(kind: WriteKind, word: str, glyph: str) -> str:
    """`✓ Order · Accepted`"""
    return f"{glyph} {KIND_WORDS[kind]} · {word}"


def queued_line(at: datetime) -> str:
    """When a write was queued."""
    return translate("Queued {when}", when=moment(at))


def ended_line(row: WriteRow, answered: datetime | None) -> str:
    """How a write ended where no attempt says it; `answered` is when the last attempt ended. Its note is not repeated:
    it stands above the story."""
    by_attempt = answered is not None and row.changed_at - answered < _SAME_MOMENT
    if by_attempt or row.state not in ("accepted", "confirmed", "rejected", "withdrawn"):
        return ""
    state, when = look_of(row).word, moment(row.changed_at)
    return translate("{state} {when}.", state=state, when=when)


def resend_line(row: WriteRow, attempt: AttemptRow) -> str:
    """What an attempt that Waybill began by itself was based on; empty for any other attempt."""
    if row.resend != attempt.id or row.missed_at is None or row.missed_again_at is None:
        return ""
    at, first, second = clock(attempt.started_at), clock(row.missed_at), clock(row.missed_again_at)
    if first == second:
        return translate(
            "Sent again by Waybill at {at}: the provider did not know the order at {first}, twice.", at=at, first=first
        )
    return translate(
        "Sent again by Waybill at {at}: the provider did not know the order at {first} and {second}.",
        at=at,
        first=first,
        second=second,
    )


def attempt_line(place: int, attempt: AttemptRow) -> str:
    """When an attempt began and ended, and how."""
    began = clock(attempt.started_at)
    if attempt.outcome is None or attempt.ended_at is None:
        return translate("Attempt {place}: began {began}, under way", place=place, began=began)
    outcome = OUTCOME_WORDS[attempt.outcome]
    if attempt.http_status is not None:
        outcome = translate("{outcome}, HTTP {status}", outcome=outcome, status=attempt.http_status)
    if not attempt.repeats:
        ended = clock(attempt.ended_at)
        return translate(
            "Attempt {place}: {began} to {ended}, {outcome}", place=place, began=began, ended=ended, outcome=outcome
        )
    return translate_plural(
        "Attempt {place}: {began}, and once more until {ended}, {outcome}",
        "Attempt {place}: {began}, and {count:,} times more until {ended}, {outcome}",
        attempt.repeats,
        place=place,
        began=began,
        ended=moment(attempt.ended_at),
        outcome=outcome,
    )


def status_answer(reference: str, answer: str, at: datetime) -> str:
    """The answer to a look-up."""
    return translate("{reference}: {answer} Asked at {time}.", reference=reference, answer=answer, time=clock(at))


def unasked_warning(row: WriteRow, last: datetime | None) -> str:
    """What a person must know who sends without a look-up; `last`: when an order of the reference may have arrived."""
    parts = [row.note or "", _UNASKED_MAY[row.kind]]
    if last is not None:
        parts.append(
            translate("This desk sent this reference last {when}, and that may have arrived.", when=moment(last))
        )
    return " ".join(part for part in parts if part)


def ask_send_unasked(reference: str) -> str:
    """Whether to send without a look-up."""
    return translate("Send {reference} without asking?", reference=reference)


def ask_send_anyway(reference: str) -> str:
    """Whether to send what is held."""
    return translate("Send {reference} anyway?", reference=reference)


def ask_send_again(reference: str) -> str:
    """Whether to send what is in doubt."""
    return translate("Send {reference} again?", reference=reference)


def ask_withdraw(kind: WriteKind, reference: str) -> str:
    """Whether to withdraw what is in doubt."""
    if kind == "submit":
        return translate("Withdraw the order {reference}?", reference=reference)
    return translate("Withdraw the cancellation {reference}?", reference=reference)


def ask_arrived(reference: str) -> str:
    """Whether a write in doubt has arrived."""
    return translate("Has {reference} arrived at the provider?", reference=reference)


# Notices of the window

UNDONE_NOTE = translate("Undone before it was sent.")
# Why cancellations are held, said of several at once.
_HELD_SEVERAL = {
    undo_window.ENDED: translate(
        "Waybill ended while these cancellations could still be undone, so none of them was sent."
    ),
    undo_window.UNSENT: translate(
        "Waybill ended before these cancellations were sent, perhaps while they could still be undone."
    ),
    undo_window.LEFT: translate(
        "Another connection was chosen while these cancellations could still be undone, so none of them was sent."
    ),
}


def orders_named(references: Sequence[str]) -> str:
    """`4 orders (A, B, C and 1 more)`"""
    names = ", ".join(references[:_NAMED])
    more = len(references) - _NAMED
    if more > 0:
        names = translate_plural("{names} and {count:,} more", "{names} and {count:,} more", more, names=names)
    return translate_plural("{count:,} order ({names})", "{count:,} orders ({names})", len(references), names=names)


def orders_listed(references: Sequence[str]) -> list[str]:
    """The lines of a question about several orders."""
    more = len(references) - _LISTED
    rest = [translate_plural("and {count:,} more", "and {count:,} more", more)] if more > 0 else []
    return [*references[:_LISTED], *rest]


def why_held(rows: Sequence[WriteRow]) -> str:
    """Why writes are held: each reason once, in the plural where several writes have it."""
    reasons = [row.held or "" for row in rows]
    return " ".join(
        _HELD_SEVERAL.get(reason, reason) if reasons.count(reason) > 1 else reason for reason in dict.fromkeys(reasons)
    )


def outbox_status(on_way: int, needing: int, next_try_at: datetime | None) -> str:
    """`Outbox: 2 on their way, 1 needs you, next try at 14:05:10`; empty if there is nothing to say."""
    parts = []
    if on_way:
        parts.append(translate_plural("{count:,} on its way", "{count:,} on their way", on_way))
    if needing:
        parts.append(translate_plural("{count:,} needs you", "{count:,} need you", needing))
    if next_try_at is not None:
        parts.append(translate("next try at {time}", time=clock(next_try_at)))
    return translate("Outbox: {parts}", parts=", ".join(parts)) if parts else ""


def other_outboxes(connections: int, writes: int) -> str:
    """Writes wait in the outboxes of several other connections."""
    return translate_plural(
        "{count:,} waits in the outboxes of {connections} other connections",
        "{count:,} wait in the outboxes of {connections} other connections",
        writes,
        connections=connections,
    )


def count_needing(count: int) -> str:
    """Many writes need a person."""
    return translate_plural("{count:,} in the outbox needs you.", "{count:,} in the outbox need you.", count)


def named_needing(references: Sequence[str]) -> str:
    """A few writes need a person."""
    return translate("{orders} in the outbox need you.", orders=orders_named(references))


def cancellations_held(rows: Sequence[WriteRow]) -> str:
    """Several cancellations could still be undone when the program ended."""
    return translate(
        "Cancellations of {orders} wait for your decision. {why}",
        orders=orders_named([row.reference for row in rows]),
        why=why_held(rows),
    )


def ask_cancel(references: Sequence[str]) -> str:
    """Whether held cancellations are to be sent."""
    if len(references) == 1:
        return translate("Cancel order {reference}?", reference=references[0])
    return cancel_how_many(len(references))


def cancel_how_many(count: int) -> str:
    """The question before several cancellations."""
    return translate_plural("Cancel {count:,} order?", "Cancel {count:,} orders?", count)


def cancel_answers(count: int) -> tuple[str, str]:
    """The answers to the question before cancellations: yes and no."""
    return (
        translate_plural("Cancel the order", "Cancel the orders", count),
        translate_plural("Keep the order", "Keep the orders", count),
    )


def decision_not_kept(reference: str, error: str) -> str:
    """A person's decision could not be stored."""
    return translate("What you decided about {reference} was not kept. {error}", reference=reference, error=error)


def not_cancelled(references: Sequence[str]) -> str:
    """Cancellations were undone."""
    if len(references) == 1:
        return translate("Order {reference} was not cancelled.", reference=references[0])
    return translate("{orders} were not cancelled.", orders=orders_named(references))


def closing(count: int, seconds: float) -> str:
    """The program ends while writes are being sent."""
    return translate_plural(
        "Closing: waiting for {count:,} order to be answered, {seconds:.0f} seconds at most…",
        "Closing: waiting for {count:,} orders to be answered, {seconds:.0f} seconds at most…",
        count,
        seconds=seconds,
    )


# Undo


def about_to_cancel(references: Sequence[str]) -> str:
    """Cancellations that can be undone."""
    if len(references) == 1:
        return translate("Order {reference} is about to be cancelled.", reference=references[0])
    return translate("{orders} are about to be cancelled.", orders=orders_named(references))


def undo_button(seconds: int) -> str:
    """The button that undoes a cancellation, with the seconds that are left."""
    return translate("Undo ({seconds})", seconds=seconds)


def undo_failed(references: Sequence[str], error: str) -> str:
    """No cancellation could be undone."""
    if len(references) == 1:
        return translate(
            "The cancellation of {reference} could not be undone. {error}", reference=references[0], error=error
        )
    return translate_plural(
        "The cancellation of {count:,} order could not be undone. {error}",
        "The cancellation of {count:,} orders could not be undone. {error}",
        len(references),
        error=error,
    )


def undo_incomplete(undone: int, total: int, error: str) -> str:
    """Some cancellations could be undone."""
    return translate_plural(
        "{count:,} of {total:,} cancellations was undone. {error}",
        "{count:,} of {total:,} cancellations were undone. {error}",
        undone,
        total=total,
        error=error,
    )


def too_late(sentence: str) -> str:
    """A cancellation had left before it could be undone; `sentence` says how it stands."""
    return translate("Too late: {sentence}", sentence=sentence)


# Imports: one row for all writes of a file

SHOW_ALL_WRITES = translate("Show all writes")
_IMPORT_LOOKS: dict[str, tuple[str, Tone, str]] = {
    "running": ("▶", "", translate("Sending")),
    "paused": ("◔", "warn", translate("Paused")),
    "stopped": ("○", "soft", translate("Stopped")),
    "done": ("✓", "good", translate("Done")),
}


def import_look(each: "BatchSummary") -> StateLook:
    """How an import is shown; its meaning says how its orders stand."""
    glyph, tone, word = _IMPORT_LOOKS[each.state]
    if each.needs_person:
        tone = "warn"
    return StateLook(glyph, tone, word, _how_it_stands(each))


def _how_it_stands(each: "BatchSummary") -> str:
    parts = [translate("{done:,} of {total:,} sent.", done=each.accepted, total=each.total)]
    if each.needs_person:
        parts.append(translate_plural("{count:,} needs you.", "{count:,} need you.", each.needs_person))
    if each.under_way:
        parts.append(translate_plural("{count:,} is on its way.", "{count:,} are on their way.", each.under_way))
    if each.waiting:
        parts.append(translate_plural("{count:,} waits.", "{count:,} wait.", each.waiting))
    if each.not_sent:
        parts.append(translate_plural("{count:,} was not sent.", "{count:,} were not sent.", each.not_sent))
    return " ".join([*parts, *([each.note] if each.note else [])])


def import_kind(each: "BatchSummary") -> str:
    """What an import is, in its row."""
    if each.kind == "cancel":
        return translate_plural("{count:,} cancellation", "{count:,} cancellations", each.total)
    return translate_plural("{count:,} order", "{count:,} orders", each.total)


def writes_of_import(name: str) -> str:
    """Only the writes of one import are shown."""
    return translate("From {name}", name=name)


def send_alike(count: int) -> str:
    """Decide for all writes of an import that wait for the same reason."""
    return translate("Send all {count:,} alike…", count=count)


def withdraw_alike(count: int) -> str:
    """Decide for all writes of an import that wait for the same reason."""
    return translate("Withdraw all {count:,} alike…", count=count)


def ask_send_alike(count: int) -> str:
    """The question before that."""
    return translate("Send all {count:,} that wait for this reason?", count=count)


def ask_withdraw_alike(count: int) -> str:
    """The question before that."""
    return translate("Withdraw all {count:,} that wait for this reason?", count=count)


# The status bar


def status(waiting: int, held: int, sending: int, doubts: int, refused: int, pause: str) -> str:
    """What the status bar says of this desk's outbox; `held` wait for a person, `pause` says why nothing is sent."""
    parts = (
        translate_plural("{count:,} waiting", "{count:,} waiting", waiting) if waiting else "",
        translate_plural("{count:,} waits for you", "{count:,} wait for you", held) if held else "",
        translate_plural("{count:,} being sent", "{count:,} being sent", sending) if sending else "",
        translate_plural("{count:,} in doubt", "{count:,} in doubt", doubts) if doubts else "",
        translate_plural("{count:,} refused", "{count:,} refused", refused) if refused else "",
    )
    return beside(*parts, pause) if any(parts) else NOTHING_WAITS


NOTHING_WAITS = translate("Nothing waits and nothing is in doubt")


# Export

EXPORT_TOOL, EXPORT_TIP = translate("Export…"), translate("Export the lines shown")
EXPORT_TITLE, EXPORT_SHEET = translate("Export the outbox"), translate("Outbox")
EXPORT_NAME = translate("Waybill outbox")
SENT_BY = translate("Sent by")
NOTHING_TO_EXPORT = translate("There is no line to export")

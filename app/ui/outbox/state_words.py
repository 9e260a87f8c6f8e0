"""The states of a write in words, with glyph and colour. The same word for the same thing on every page."""

from datetime import datetime

from app.store.journal.records import UNASKED, AttemptRow, Outcome, WriteKind, WriteRow, WriteState
from app.ui.widgets.text.labels import Tone
from app.ui.widgets.text.times import clock, moment

KIND_WORDS: dict[WriteKind, str] = {"submit": "Order", "cancel": "Cancellation"}

# Glyph, tone, word, and what it means for the order.
STATE_LOOK: dict[WriteState, tuple[str, Tone, str, str]] = {
    "queued": ("◔", "soft", "Queued", "It is kept on this computer and has not left yet."),
    "sending": ("▶", "", "Sending", "It is on its way to the provider."),
    "accepted": ("✓", "good", "Accepted", "The provider has taken it."),
    "confirmed": ("✓", "good", "Confirmed", "The provider has taken it, and it was read back."),
    "rejected": ("✕", "bad", "Rejected", "The provider refused it and did nothing."),
    "in_doubt": ("!", "warn", "In doubt", "It may have arrived. It is not sent again until that is known."),
    "withdrawn": ("○", "soft", "Withdrawn", "It is not sent from here any more."),
}

# While the connection waits for a person (`Desk.blocked`), everything that is queued does.
BLOCKED_LOOK: tuple[str, Tone, str, str] = (
    "!", "warn", "Needs you", "Nothing leaves until the connection is put right.",
)  # fmt: skip
# What is kept of it is not what was queued: there is no sending it, and all else is a person's to say.
DAMAGED_MEANING: dict[WriteState, str] = {
    "queued": "What is kept of it here is not what was queued, so it cannot be sent. Withdraw it and enter it anew.",
    "in_doubt": "It may have arrived. What is kept of it here is not what was queued, so it cannot be sent again. "
    "Look it up, then say that it arrived or withdraw it: other changes of this order wait until then.",
}
HELD_LOOK: tuple[str, Tone, str, str] = ("!", "warn", "Held", "It is not sent until you decide.")
UNASKED_MEANING = "It is asked about again by itself and sent then. You can also send it without asking."
# What may come of sending without asking: nobody says first how the order stands.
_UNASKED_MAY: dict[WriteKind, str] = {
    "submit": "If the order was completed or cancelled, sending this makes a second one; if it is open, this replaces "
    "what the provider has.",
    "cancel": "If the order is out for delivery or closed already, nobody says so first.",
}
TAKE_BACK = "It can still be taken back."
# While nothing is sent: why, and until when.
NEXT_TRY = "{} Next try at {}."

OUTCOME_WORDS: dict[Outcome, str] = {
    "accepted": "accepted",
    "rejected": "refused",
    "not_sent": "did not leave this computer",
    "not_authorised": "turned away before anything was done",
    "not_taken": "came too soon and was not taken",
    "busy": "answered that it is busy",
    "unknown": "no answer that settles it",
    "died": "Waybill stopped while sending",
}

# Title, states, and which of the queued ones: held for a person, not held, or any.
FILTERS: dict[str, tuple[str, tuple[WriteState, ...], bool | None]] = {
    "all": ("All", (), None),
    "you": ("Needs you", ("in_doubt", "rejected", "queued"), True),
    "way": ("On its way", ("queued", "sending"), False),
    "ended": ("Ended", ("accepted", "confirmed", "withdrawn"), None),
}

# While the connection waits for a person, so does everything that is queued.
BLOCKED_FILTERS = FILTERS | {
    "you": ("Needs you", ("in_doubt", "rejected", "queued"), None),
    "way": ("On its way", ("sending",), None),
}

VERDICT_WORDS: dict[str, str] = {
    "new": "that it has no order with this reference",
    "changes": "that the order is open",
    "closed": "that the order is closed",
    "import_queue": "that it waits in the import queue",
    "unknown": "nothing that is certain about this reference",
    "out_for_delivery": "that the order is out for delivery",
    "not_allowed": "that it does not allow this",
}


# What stands before the word in a list that is not the outbox's own: its sign in the rail.
OUTBOX_GLYPH = "⇪"


def look_of(
    row: WriteRow, *, blocked: bool = False, paused_until: datetime | None = None, pause_reason: str = ""
) -> tuple[str, Tone, str, str]:
    """Glyph, tone, word and meaning of a write as it stands. `blocked`: the connection waits for a person.

    Until `paused_until` nothing is sent by itself, and `pause_reason` says why (see `Desk`).
    """
    if row.damaged and row.state in DAMAGED_MEANING:
        return "!", "bad", "Damaged", DAMAGED_MEANING[row.state]
    if row.state == "queued" and row.held is not None:
        return HELD_LOOK
    if row.state == "queued" and blocked:
        return BLOCKED_LOOK
    glyph, tone, word, meaning = STATE_LOOK[row.state]
    if row.waits_unasked:
        return glyph, tone, word, UNASKED_MEANING
    if is_paused(row, paused_until):
        assert paused_until is not None
        return glyph, tone, word, next_try(pause_reason, paused_until)
    if row.state == "queued" and row.not_before is not None and row.attempts == 0:
        return glyph, tone, word, f"It leaves at {clock(row.not_before)}. {TAKE_BACK}"
    return glyph, tone, word, meaning


def next_try(reason: str, until: datetime) -> str:
    """`Recent sends are unconfirmed. Next try at 14:05:10.`"""
    return NEXT_TRY.format(reason, clock(until))


def is_paused(row: WriteRow, paused_until: datetime | None) -> bool:
    """Whether a write waits only because sending is paused."""
    return row.state == "queued" and row.held is None and not row.waits_unasked and paused_until is not None


def verdict_line(row: WriteRow) -> str:
    """What was known of the order before it was sent, as a line of the story; empty when nobody has asked."""
    if row.verdict is None:
        return ""
    if row.verdict == UNASKED:
        return "The provider could not be asked how the order stands."
    return f"Before it was sent the provider said {VERDICT_WORDS.get(row.verdict, row.verdict)}."


def resend_line(row: WriteRow, attempt: AttemptRow) -> str:
    """Why an attempt was made by Waybill itself, as a line of the story; empty for any other."""
    if row.resend != attempt.id or row.missed_at is None or row.missed_again_at is None:
        return ""
    first, second = clock(row.missed_at), clock(row.missed_again_at)
    at = f"at {first} and {second}" if first != second else f"at {first}, twice"
    return f"Sent again by Waybill at {clock(attempt.started_at)}: the provider did not know the order {at}."


def unasked_consequence(row: WriteRow, last: datetime | None) -> str:
    """What a person has to know who sends without asking; `last`: when an order of the reference may have arrived."""
    before = "" if last is None else f" This desk sent this reference last {moment(last)}, and that may have arrived."
    return f"{row.note or ''} {_UNASKED_MAY[row.kind]}{before}".strip()


def state_word(state: WriteState) -> str:
    """The state as people read it."""
    return STATE_LOOK[state][2]


def ink_of(tone: Tone) -> str:
    """The colour token of a tone, for what is painted."""
    return {"": "ink", "soft": "ink_soft"}.get(tone, tone)


def word_among_orders(row: WriteRow, *, blocked: bool = False) -> str:
    """The state of a write where it stands among orders."""
    word = look_of(row, blocked=blocked)[2]
    return f"{OUTBOX_GLYPH} {word}" if row.kind == "submit" else f"{OUTBOX_GLYPH} Cancel · {word}"


def spoken_among_orders(row: WriteRow, *, blocked: bool = False) -> str:
    """The same for a screen reader, and in full."""
    return f"In the outbox, {KIND_WORDS[row.kind].lower()}: {look_of(row, blocked=blocked)[2]}"


def told_among_orders(row: WriteRow, *, blocked: bool = False) -> str:
    """The same with what it means for the order."""
    meaning = " ".join(part for part in (row.note, look_of(row, blocked=blocked)[3]) if part)
    return f"{spoken_among_orders(row, blocked=blocked)}. {meaning}"

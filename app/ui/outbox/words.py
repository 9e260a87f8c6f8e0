"""The states of a write in words, with glyph and colour. The same word for the same thing on every page."""

from app.store.journal_rows import Outcome, WriteKind, WriteState
from app.ui.widgets.labels import Tone

KIND_WORDS: dict[WriteKind, str] = {"submit": "Order", "cancel": "Cancellation"}

# Glyph, tone, word, and what it means for the order.
STATE_LOOK: dict[WriteState, tuple[str, Tone, str, str]] = {
    "queued": ("◔", "soft", "Queued", "It is kept on this computer and has not left yet."),
    "sending": ("▶", "", "Sending", "It is on its way to the provider."),
    "accepted": ("✓", "good", "Accepted", "The provider has taken it."),
    "confirmed": ("✓", "good", "Confirmed", "The provider has taken it, and it was read back."),
    "rejected": ("✕", "bad", "Rejected", "The provider refused it and did nothing."),
    "in_doubt": ("!", "warn", "In doubt", "It may have arrived. It is not sent again until that is known."),
    "withdrawn": ("○", "soft", "Withdrawn", "It was taken back here and is not sent."),
}

OUTCOME_WORDS: dict[Outcome, str] = {
    "accepted": "accepted",
    "rejected": "refused",
    "not_sent": "did not leave this computer",
    "not_authorised": "turned away before anything was done",
    "busy": "answered that it is busy",
    "unknown": "no answer that settles it",
    "died": "Waybill stopped while sending",
}

FILTERS: dict[str, tuple[str, tuple[WriteState, ...]]] = {
    "all": ("All", ()),
    "you": ("Needs you", ("in_doubt", "rejected")),
    "way": ("On its way", ("queued", "sending")),
    "ended": ("Ended", ("accepted", "confirmed", "withdrawn")),
}


def state_word(state: WriteState) -> str:
    """The state as people read it."""
    return STATE_LOOK[state][2]

"""The sentences about delivery slots and what was reserved."""

from datetime import date, time

from app.desk.text.typed_dates import exact_day
from app.store.journal.request_store import RequestRow, RequestState
from app.translation import translate, translate_plural
from app.ui.widgets.text.labels import Tone
from app.ui.widgets.text.times import moment

DIALOG_TITLE = translate("Delivery slots")
PARTNER = translate("Partner")
REFERENCE, FACILITY, ZIP = translate("Order reference"), translate("Facility"), translate("ZIP")
FIRST_DAY = translate("From day")
DAY_HINT = translate("as +3, fri or 12/24")
MORE = translate("Further fields")
MORE_HINT = translate("name = value, one a line")
MORE_NOTE = translate("Only if your provider asks for them.")
GET = translate("Get slots")
DAYS, TIMES = translate("Days"), translate("Times")
RESERVE = translate("Reserve this slot…")
ASKING = translate("Asking the partner…")
RESERVING = translate("Reserving…")
CHOOSE = translate("Get the slots, then choose a day and a time.")
NO_SLOTS = translate("The partner offers no slot with a day or a time.")
NOT_ANSWERED = translate("The slots are not known")
TRY_AGAIN = translate("Try again")
CLOSE = translate("Close")
NO_DAY = translate("without a day")
NO_TIME = translate("any time")
NEEDS_REFERENCE = translate("An order reference is needed to ask for slots.")
NO_SUCH_DAY = translate("This is no day. Type it as +3, fri or 12/24.")
B_DOES_NOT_RESERVE = translate(
    "Partner B has no reservation: the provider takes the day with the order. Change the order to request this day."
)
EARLIER = translate("Reserved for this order")
NONE_EARLIER = translate("Nothing was reserved from this desk yet.")
RESERVE_IT = translate("Reserve it")
KEEP_OPEN = translate("Do not reserve")
ARRIVED, NOT_ARRIVED = translate("It arrived"), translate("It did not arrive")
SLOT = translate("Delivery slot")
SHOW_SLOTS = translate("Delivery slots")

REQUEST_LOOK: dict[RequestState, tuple[str, Tone, str]] = {
    "sending": ("▶", "", translate("Sending")),
    "accepted": ("✓", "good", translate("Accepted")),
    "refused": ("✕", "bad", translate("Refused")),
    "not_sent": ("✕", "bad", translate("Not sent")),
    "in_doubt": ("!", "warn", translate("In doubt")),
    "not_arrived": ("○", "soft", translate("Did not arrive")),
}
IN_DOUBT_MEANS = translate("It may have arrived. It is not sent again by itself: ask the partner, then decide here.")


def day_words(day: date | None) -> str:
    """A day in the list of days."""
    return NO_DAY if day is None else exact_day(day)


def time_words(start: time | None, end: time | None) -> str:
    """The times of a slot."""
    if start is None:
        return NO_TIME
    return f"{start:%H:%M}" if end is None else translate("{start:%H:%M} to {end:%H:%M}", start=start, end=end)


def slot_words(day: date | None, start: time | None, end: time | None) -> str:
    """A slot in one line, as a reservation is called."""
    return translate("{day}, {times}", day=day_words(day), times=time_words(start, end))


def slots_on(day: str, count: int) -> str:
    """A day in the list, with how many slots it has."""
    return translate_plural("{day} · {count:,} slot", "{day} · {count:,} slots", count, day=day)


def labelled(title: str, value: str) -> str:
    """One more field of a slot."""
    return translate("{title}: {value}", title=title, value=value) if title else value


def found(slots: int, at: str) -> str:
    """How many slots the partner offers, and when it was asked."""
    return translate_plural("{count:,} slot, asked at {at}.", "{count:,} slots, asked at {at}.", slots, at=at)


def question(slot: str, reference: str) -> str:
    """Before a slot is reserved."""
    return translate("Reserve {slot} for order {reference}?", slot=slot, reference=reference)


def consequence(rest: str) -> str:
    """Below `question`: what the partner said of the slot."""
    sentence = translate("The reservation goes to partner A at once. Waybill cannot take it back.")
    return translate("{rest}. {sentence}", rest=rest, sentence=sentence) if rest else sentence


def standing(row: RequestRow) -> str:
    """How a reservation stands, in one line."""
    glyph, _, word = REQUEST_LOOK[row.state]
    return translate("{glyph} {slot} · {word}", glyph=glyph, slot=row.title, word=word)


def line_not_read(line: str) -> str:
    """A line of the further fields that is none."""
    return translate("“{line}” is not name = value.", line=line[:60])


def told(row: RequestRow) -> str:
    """What is said of a reservation below its line: the sentence and when it ended."""
    return translate("{sentence} {at}", sentence=row.sentence, at=moment(row.ended_at))

"""The sentences of the pages of quotes and trucks."""

from dataclasses import dataclass

from app.store.journal.request_store import RequestRow
from app.translation import translate, translate_plural
from app.ui.slots.slots_words import REQUEST_LOOK
from app.ui.widgets.text.times import moment
from app.ui.widgets.widget_words import beside


@dataclass(frozen=True, slots=True)
class KindWords:
    """The sentences and titles that differ between the two pages, each whole. `real_question` names {connection}."""

    title: str
    new: str
    heading: str
    send: str
    sent_before: str
    none_sent: str
    same_question: str
    real_question: str
    form: str


QUOTE = KindWords(
    title=translate("Quotes"),
    new=translate("New quote"),
    heading=translate("New quote"),
    send=translate("Send quote"),
    sent_before=translate("Sent quotes"),
    none_sent=translate("No quote was sent from here yet."),
    same_question=translate("Send the same quote again?"),
    real_question=translate("Send this quote to “{connection}”?"),
    form=translate("Quote"),
)
TRUCK = KindWords(
    title=translate("Trucks"),
    new=translate("New truck"),
    heading=translate("New truck"),
    send=translate("Send truck"),
    sent_before=translate("Sent trucks"),
    none_sent=translate("No truck was sent from here yet."),
    same_question=translate("Send the same truck again?"),
    real_question=translate("Send this truck to “{connection}”?"),
    form=translate("Truck"),
)

TEMPLATES = translate("Templates")
NO_TEMPLATES = translate("No template yet. Keep what stands in the form as one.")
KEEP_TEMPLATE = translate("Keep as template…")
NAME_TEMPLATE, TEMPLATE_NAME = translate("Keep as template"), translate("Name of the template")
DELETE_TEMPLATE = translate("Delete template")
UNDO = translate("Undo")
AGAIN = translate("Again with changes")
ARRIVED, NOT_ARRIVED = translate("It arrived"), translate("It did not arrive")
WHAT_WAS_SENT, WHAT_CAME = translate("What was sent"), translate("The answer")
NOTHING_CAME = translate("No answer is kept.")
DAMAGED = translate("What is kept of it is damaged: it is not what was sent.")
BACK = translate("Back to the form")
SEND_ANYWAY = translate("Send it anyway")
SEND_IT = translate("Send it")
GO_BACK = translate("Go back")
EMPTY = translate("Nothing is filled in yet.")
SENDING = translate("Sending…")
NOT_DESCRIBED = translate(
    "The provider does not say which fields it takes. Enter the names and values agreed with it, and keep them as a "
    "template."
)
IN_DOUBT_MEANS = translate("It may have arrived. It is not sent again by itself: ask the provider, then decide here.")


def standing(row: RequestRow) -> str:
    """How a request stands, in one line of the list: by its values alone, since all lines have the same fields."""
    glyph, _, word = REQUEST_LOOK[row.state]
    values = ", ".join(value or field for field, _, value in (part.partition(": ") for part in row.title.split(", ")))
    return translate("{glyph} {word} · {title}", glyph=glyph, title=values, word=word)


def with_moment(line: str, row: RequestRow) -> str:
    """The tooltip of a request in the list: its line, its fields with their values, and when it was sent."""
    return translate("{line}\n{title}\n{at}", line=line, title=row.title, at=moment(row.began_at))


def state_line(row: RequestRow) -> str:
    """The state of a request, and when it ended."""
    glyph, _, word = REQUEST_LOOK[row.state]
    return translate("{glyph} {word}, {at}", glyph=glyph, word=word, at=moment(row.ended_at or row.began_at))


def mistakes(count: int) -> str:
    """The form holds what the provider's description does not allow."""
    return translate_plural(
        "{count:,} field is not as the provider describes it.",
        "{count:,} fields are not as the provider describes them.",
        count,
    )


def real_consequence(title: str) -> str:
    """Before a request goes to a production connection: what it says, in short."""
    return translate("{title}. This is a production connection: the provider acts on it, for real.", title=title)


def same_consequence(at: str, word: str) -> str:
    """The same bytes were sent before: when, and what became of them."""
    return translate("The very same was sent on {at}: {word}. Sending it again makes a second one.", at=at, word=word)


def template_kept(name: str) -> str:
    """A template was stored."""
    return translate("Template “{name}” is kept.", name=name)


def template_deleted(name: str) -> str:
    """A template was deleted; it can be brought back."""
    return translate("Template “{name}” is deleted.", name=name)


def template_not_kept(why: str) -> str:
    """A template could not be stored; `why` is a sentence."""
    return translate("The template was not kept. {why}", why=why)


def draft_not_kept(why: str) -> str:
    """What is typed could not be stored; `why` is a sentence."""
    return translate("What is typed here could not be saved. {why}", why=why)


def described_as_of(age: str, trouble: str) -> str:
    """The form follows an older description. `trouble` is a sentence."""
    return translate("{trouble} The form follows the description as of {age}.", trouble=trouble, age=age)


def status(kind: str, sent: int, doubts: int, *, more: bool) -> str:
    """The status bar: how many were sent from this desk, `more` if only the last ones are counted."""
    if not sent:
        return beside(kind, translate("none sent yet"))
    counted = (
        translate_plural("{count:,} or more sent", "{count:,} or more sent", sent)
        if more
        else translate_plural("{count:,} sent", "{count:,} sent", sent)
    )
    return beside(kind, counted, translate_plural("{count:,} in doubt", "{count:,} in doubt", doubts) if doubts else "")

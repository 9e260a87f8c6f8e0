"""The sentences of reports, in one place to be reviewed and translated.

Invariant: each function returns whole sentences; `translate` puts the values in. Column titles stand at their tables.
"""

from collections.abc import Sequence
from datetime import datetime

from app.desk.audits.audit_reviews import OthersSaid
from app.desk.audits.scores import figure
from app.desk.text.typed_dates import exact_moment
from app.translation import translate, translate_plural

# Audits

NO_QUESTION = translate("Photo without a question")
PHOTOS_WITHOUT_QUESTION = translate("Photos without a question")
QUESTIONS = translate("Questions")
ANSWER_WITHOUT_QUESTION = translate("An answer without a question")
NO_ANSWER = translate("No answer")
PHOTO_FLAGGED = translate("Photo flagged")
NO_QUESTIONS_KNOWN = translate("No questions are known of this audit.")
NO_QUESTIONS = translate("It has no questions.")


def audit_title(number: int) -> str:
    """`Audit 4711`."""
    return translate("Audit {number}", number=number)


def score_words(score: float | None) -> str:
    """`Score 81.5`, without a highest score: the contract does not say any."""
    return translate("No score") if score is None else translate("Score {score}", score=figure(score))


def marks_words(*, reviewed: bool, flagged: bool) -> str:
    """`Reviewed · Flagged`."""
    marks = [translate("Reviewed") if reviewed else translate("Not reviewed")]
    return " · ".join([*marks, *([translate("Flagged")] if flagged else [])])


def marks_by(marks: str, person: str) -> str:
    """`Reviewed · Flagged, by Anna Keller`."""
    return translate("{marks}, by {person}", marks=marks, person=person)


def others_words(said: OthersSaid, when: str) -> str:
    """What another person of the team said of an audit or a photo, and when."""
    parts = (
        translate("Reviewed") if said.reviewed else "",
        translate("Flagged") if said.flagged else "",
        said.note,
        when,
    )
    return " · ".join(filter(None, parts))


def summary_words(questions: int, failed: int, low: int, photos: int, flagged: int) -> str:
    """How many questions, photos and findings an audit has."""
    facts = [
        translate_plural("{count:,} question", "{count:,} questions", questions),
        translate("{count:,} failed", count=failed),
        translate("{count:,} low", count=low),
        translate_plural("{count:,} photo", "{count:,} photos", photos),
    ]
    return ", ".join([*facts, *([translate("{count:,} flagged", count=flagged)] if flagged else [])])


def graded_answer(answer: str, grade: str) -> str:
    """An answer with the word for its grade, so that colour is not the only sign."""
    return translate("{answer}  ({grade})", answer=answer, grade=grade)


def note_words(note: str) -> str:
    """The note of a photo."""
    return translate("Note: {note}", note=note)


def written_words(texts: Sequence[str]) -> str:
    """The texts that were written on a photo."""
    return translate("Written on it: {texts}", texts="; ".join(texts))


def shown_as_seen_before(trouble: str) -> str:
    """The questions are those of the cache, because of trouble."""
    return translate(
        "Its questions could not be fetched just now; those seen before are shown. {trouble}", trouble=trouble
    )


def audit_trouble(audit: str, trouble: str) -> str:
    """An audit that is not whole in a report."""
    return translate("{audit}: {trouble}", audit=audit, trouble=trouble)


def more_not_whole(count: int) -> str:
    """The end of a list of such audits that would be too long."""
    return translate_plural("{count:,} more is not whole.", "{count:,} more are not whole.", count)


def audits_gone(count: int) -> str:
    """Audits that left the cache after they were chosen."""
    return translate_plural(
        "{count:,} audit is not known any more and left out.",
        "{count:,} audits are not known any more and left out.",
        count,
    )


def audits_counted(count: int) -> str:
    """`12 audits`."""
    return translate_plural("{count:,} audit", "{count:,} audits", count)


def index_title(count: int) -> str:
    """The title above the pages of an index."""
    return translate_plural("Index of {count:,} audit", "Index of {count:,} audits", count)


def saved_photo(place: int, audit: int) -> str:
    """What a photo is called when its file is saved."""
    return translate("Photo {place} of audit {audit}", place=place, audit=audit)


# Case files

NO_ADDRESS = translate("The provider gives no address for it.")
NO_DOCUMENTS = translate("No documents")
NOTHING_SENT = translate("Nothing was sent from this desk.")
NO_LOAD = translate("No load of this order is known to this desk.")
NO_OVERAGE = translate("The provider has marked nothing as overage on this load.")
NO_AUDIT = translate("None is known.")
DONE, PLANNED, NOT_REACHED = translate("Done"), translate("Planned"), translate("Not reached")


def case_title(order: str) -> str:
    """The title of a case file."""
    return translate("Case file of {order}", order=order)


def order_unknown(number: int, trouble: str) -> str:
    """Nothing is known of the order, so there is no case file."""
    return translate("Order {number} is not known here. {trouble}", number=number, trouble=trouble).strip()


def order_as_last_seen(trouble: str) -> str:
    """The order is that of the cache, because of trouble."""
    return translate("{trouble} The order is shown as last seen.", trouble=trouble)


def overage_heading(load: str) -> str:
    """The heading above the overage of a load, which is empty if no load is known."""
    return translate("Overage of load {load}", load=load) if load else translate("Overage")


def overage_not_asked(trouble: str) -> str:
    """There is no connection to ask for overage."""
    return translate("It could not be asked for. {trouble}", trouble=trouble).strip()


def item_words(number: int) -> str:
    """An item of overage."""
    return translate("Item {number}", number=number)


def not_shown(trouble: str) -> str:
    """Why a document is not among the pages."""
    return translate("not shown here: {trouble}", trouble=trouble)


def pages_shown(pages: int, shown: int) -> str:
    """A document of more pages than a case file shows."""
    return translate_plural(
        "{count:,} page, of which the first {shown} are shown",
        "{count:,} pages, of which the first {shown} are shown",
        pages,
        shown=shown,
    )


def document_page(name: str, page: int, pages: int) -> str:
    """The line above a page of a document."""
    return translate("{name}, page {page} of {pages}", name=name, page=page, pages=pages)


# Every page

PRACTICE = translate("Practice: made up by Waybill")


def made_words(when: datetime) -> str:
    """The foot of each page."""
    return translate("Made {when} by Waybill", when=exact_moment(when))

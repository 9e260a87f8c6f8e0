"""The sentences of the audits page, in one place to be reviewed and translated.

Invariant: each function returns whole sentences; `translate` puts the values in. Column titles, button titles and
tooltips stand at their widgets.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import TYPE_CHECKING, Literal

from app.desk.audits.audit_filter import FACETS, LOW, Narrowing, read_scores, read_span
from app.desk.audits.audit_reviews import AuditReview, OthersSaid, PhotoReview
from app.desk.audits.scores import Rank, Scale, Week, figure
from app.desk.report.report_words import NO_QUESTION, audits_counted
from app.desk.text.typed_dates import day_and_year
from app.store.cache.audits.audit_rows import AnswerFacts, AuditWindow, Point
from app.store.journal.review_store import Marked
from app.translation import translate, translate_plural
from app.ui.widgets.text.labels import visible
from app.ui.widgets.text.times import clock, day, moment, since
from app.ui.widgets.widget_words import beside

if TYPE_CHECKING:
    from app.desk.audits.audit_sync import Days, Refreshed

LOADING = translate("Reading what was last seen…")
ASKING = translate("Asking the provider…")
TRY_AGAIN = translate("Try again")
SHOW_ALL = translate("Show all")


# The list: how old it is, why it is empty, what is missing


@dataclass(frozen=True, slots=True)
class EmptyState:
    """Why there are no rows: icon, heading, sentence, and which action helps."""

    icon: str
    heading: str
    sentence: str = ""
    action: Literal["", "show all", "try again"] = ""


_EMPTY_BY_MARK = {
    "left": translate("Every audit here is reviewed"),
    "reviewed": translate("No audit here is reviewed"),
    "flagged": translate("No audit here is flagged"),
    "noted": translate("No audit here has a note"),
}


def fetched_since(windows: Sequence[AuditWindow]) -> date | None:
    """The first day of which audits were ever fetched; None when none were."""
    return min((each.first for each in windows if each.fetched_at is not None), default=None)


def age_words(windows: Sequence[AuditWindow], now: datetime, *, begins: bool) -> str:
    """How old the list is, and since which day it has audits. `begins`: nothing stands before it in its line."""
    at = max((each.fetched_at for each in windows if each.fetched_at is not None), default=None)
    first = fetched_since(windows)
    if at is None or first is None:
        return translate("Never refreshed") if begins else translate("never refreshed")
    age, day = clock(at) if at.date() == now.date() else since(at, now), day_and_year(first)
    if begins:
        return translate("As of {age} · since {day}", age=age, day=day)
    return translate("as of {age} · since {day}", age=age, day=day)


def trouble_words(result: "Refreshed") -> str:
    """Which audits a refresh did not bring, and why; empty when all came."""
    sentences = []
    if result.missing:
        sentences.append(
            translate(
                "{trouble} Audits of {days} were not refreshed; what was seen before is still shown.",
                trouble=result.trouble,
                days=_window_words(result.missing),
            )
        )
    if result.unreadable:
        sentences.append(
            translate_plural(
                "{count:,} record in the provider's list of {days} could not be read and is not shown.",
                "{count:,} records in the provider's list of {days} could not be read and are not shown.",
                result.unreadable,
                days=_window_words(result.unreadable_in),
            )
        )
    return " ".join(sentences)


def _window_words(windows: "Sequence[Days]") -> str:
    """From the first of these days to the last."""
    first, last = min(first for first, _ in windows), max(last for _, last in windows)
    if first == last:
        return day_and_year(first)
    return translate("{first} to {last}", first=day_and_year(first), last=day_and_year(last))


def empty_state(
    *,
    narrowed: bool,
    mark: str,
    first: date | None,
    since: date | None,
    trouble: str,
    connected: bool,
    busy: bool,
    result: "Refreshed | None",
    days: int,
) -> EmptyState:
    """Why the list shows no rows. `trouble` is why there is no connection, `since` the first day that was fetched."""
    if narrowed and since is not None:
        heading = _EMPTY_BY_MARK.get(mark, translate("No audit matches"))
        return EmptyState("search", heading, _never_fetched(first, since), "show all")
    if not connected:
        return EmptyState("cloud-off", translate("No audits yet"), trouble)
    if busy or result is None:
        return EmptyState("clock", ASKING)
    if result.missing:
        return EmptyState("cloud-off", translate("No audits could be fetched"), result.trouble, "try again")
    none = translate_plural(
        "The provider has none for the last {count:,} day.", "The provider has none for the last {count:,} days.", days
    )
    return EmptyState("inbox", translate("No audits"), none)


def _never_fetched(first: date | None, since: date) -> str:
    """Empty unless the filter reaches farther back than audits were ever fetched."""
    if first is None or since <= first:
        return ""
    return translate(
        "Audits before {day} were never fetched. How far back is chosen beside Refresh.", day=day_and_year(since)
    )


def range_not_saved(why: str) -> str:
    """The number of days to fetch could not be saved."""
    return translate("How far back audits are fetched was not saved. {why}", why=why)


def no_order_number(name: str) -> str:
    """An audit names an order by something else than a number."""
    return translate("The provider names order {name} here, which is no order number.", name=name)


# Filter chips

FACET_WORDS: dict[str, str] = {
    "kind": translate("Type"),
    "facility": translate("Facility"),
    "vendor": translate("Vendor"),
}
MARK_WORDS: dict[str, str] = {
    "left": translate("Not reviewed"),
    "reviewed": translate("Reviewed"),
    "flagged": translate("Flagged"),
    "noted": translate("With a note"),
}
SCORE_OPTIONS = (
    ("..40", translate("40 and less")),
    ("..60", translate("60 and less")),
    ("..80", translate("80 and less")),
    ("80..", translate("80 and more")),
)
SCORE_HINT = translate("or scores: 40..70")
DAYS_HINT = translate("or days: fri, 2026-03-31, -30..today")
CHIP_UNREADABLE = {
    "score": translate("Scores are written like 40..70, ..60 or 80.."),
    "days": translate("Days are written like fri, 2026-03-31 or -30..today"),
}
# Spans of days that are asked for often, as they are typed.
USUAL_DAYS: dict[str, str] = {
    "today": translate("Today"),
    "this week": translate("This week"),
    "last week": translate("Last week"),
    "-6..today": translate("Last 7 days"),
    "-29..today": translate("Last 30 days"),
    "this month": translate("This month"),
    "last month": translate("Last month"),
}


def chip_words(narrowing: Narrowing, today: date, scale: Scale) -> dict[str, str]:
    """What each chip says that narrows the list, by its name."""
    words = {facet: _facet_words(facet, values) for facet in FACETS if (values := narrowing.typed(facet))}
    if narrowing.score:
        words["score"] = score_words(narrowing.score, scale)
    if narrowing.days:
        words["days"] = days_words(narrowing.days, today)
    if narrowing.mark:
        words["mark"] = MARK_WORDS[narrowing.mark]
    return words


def _facet_words(facet: str, values: Sequence[str]) -> str:
    if len(values) < 3:
        return translate("{facet}: {values}", facet=FACET_WORDS[facet], values=", ".join(values))
    return translate_plural(
        "{facet}: {count:,} chosen", "{facet}: {count:,} chosen", len(values), facet=FACET_WORDS[facet]
    )


def score_words(typed: str, scale: Scale) -> str:
    """`Low, below 70`, `Score 40 to 60`, `Score 80 and more`."""
    if typed == LOW:
        return translate("Low, below {score}", score=figure(scale.low))
    lowest, highest = read_scores(typed, scale) or (None, None)
    if lowest is None:
        return translate("Score {score} and less", score=score_text(highest))
    if highest is None:
        return translate("Score {score} and more", score=score_text(lowest))
    return translate("Score {lowest} to {highest}", lowest=figure(lowest), highest=figure(highest))


def score_text(score: float | None) -> str:
    """The figure of a score; a dash where the provider gives none."""
    return "–" if score is None else figure(score)


def days_words(typed: str, today: date) -> str:
    """`Last week`, `Thu 1 Oct to Tue 10 Nov`, `Since Mon 2 Nov`."""
    return USUAL_DAYS[typed] if typed in USUAL_DAYS else dates_words(typed, today)


def dates_words(typed: str, today: date) -> str:
    """The first and the last day of a span, by the calendar."""
    first, last = (_day(each) for each in read_span(typed, today) or (None, None))
    if first and last:
        return first if first == last else translate("{first} to {last}", first=first, last=last)
    return translate("Since {day}", day=first) if first else translate("Until {day}", day=last)


def chip_name(title: str) -> str:
    """What a chip is called that narrows nothing."""
    return translate("Filter by {title}", title=title.lower())


def chip_tip(words: str, dates: str) -> str:
    """`Last week: Mon 16 Nov to Sun 22 Nov. Press Delete to remove it.`; `dates` may be the words themselves."""
    if words == dates:
        return translate("{words}. Press Delete to remove it.", words=words)
    return translate("{words}: {dates}. Press Delete to remove it.", words=words, dates=dates)


def _day(when: date | None) -> str:
    return "" if when is None else day(datetime.combine(when, time()))


# Scores over time

SCORES_OVER_TIME = translate("Scores over time")
KIND, MEAN_OF_WEEK, AUDITS = translate("Kind"), translate("Mean of the week"), translate("Audit")
NO_SCORES = translate("No scored audits.")


def plot_words(shown: Sequence[Point], groups: frozenset[str]) -> str:
    """The scores that are shown, oldest first, as a sentence; `groups` are those that were picked."""
    if not shown:
        return NO_SCORES
    worst = min(shown, key=lambda each: each.score)
    facts = {
        "first": day(shown[0].date),
        "last": day(shown[-1].date),
        "mean": figure(sum(each.score for each in shown) / len(shown)),
        "lowest": figure(worst.score),
        "day": day(worst.date),
    }
    if groups:
        return translate_plural(
            "{count:,} audit of {groups} from {first} to {last}, mean {mean}, lowest {lowest} on {day}.",
            "{count:,} audits of {groups} from {first} to {last}, mean {mean}, lowest {lowest} on {day}.",
            len(shown),
            groups=visible(", ".join(sorted(groups))),
            **facts,
        )
    return translate_plural(
        "{count:,} audit from {first} to {last}, mean {mean}, lowest {lowest} on {day}.",
        "{count:,} audits from {first} to {last}, mean {mean}, lowest {lowest} on {day}.",
        len(shown),
        **facts,
    )


def about_plot(shown: Sequence[Point], groups: frozenset[str]) -> str:
    """What the plot shows, and how to read it."""
    how = translate("Each dot is an audit; the line joins the means of the weeks.")
    return f"{plot_words(shown, groups)} {how}"


def week_spoken(monday: date) -> str:
    """A week of the plot."""
    return translate("week of {day}", day=_day(monday))


def week_words(week: Week) -> str:
    """The mean of a week."""
    return translate_plural(
        "mean {mean} of {count:,} audit", "mean {mean} of {count:,} audits", week.count, mean=figure(week.mean)
    )


def dot_words(point: Point) -> str:
    """One audit of the plot."""
    return translate(
        "Audit {number} · {group} · {score} · {day}",
        number=point.number,
        group=point.group,
        score=figure(point.score),
        day=day(point.date),
    )


NO_GROUP = translate("None given")


def rank_words(rank: Rank, steady: float) -> str:
    """A facility or vendor among the others; a change of less than `steady` is none."""
    facts = {
        "name": visible(rank.name) or NO_GROUP,
        "mean": figure(rank.mean),
        "audits": audits_counted(rank.count),
        "lowest": figure(rank.lowest),
    }
    if rank.change is None:
        return translate("{name}: mean {mean} of {audits}, lowest {lowest}", **facts)
    if abs(rank.change) < steady:
        return translate("{name}: mean {mean} of {audits}, lowest {lowest}, steady", **facts)
    change = figure(abs(rank.change))
    if rank.change > 0:
        return translate("{name}: mean {mean} of {audits}, lowest {lowest}, up {change}", change=change, **facts)
    return translate("{name}: mean {mean} of {audits}, lowest {lowest}, down {change}", change=change, **facts)


# One audit, opened

QUESTIONS_NOT_FETCHED = translate("No questions could be fetched")
NO_QUESTIONS = translate("No questions")
PROVIDER_HAS_NO_QUESTIONS = translate("The provider has none for this audit.")
NO_QUESTION_MATCHES = translate("No question matches")
NO_POOR_ANSWER = translate("No answer is low or failed")
ALL_REVIEWED = translate("Every audit of this list is reviewed.")
NO_AUDIT_IN_LIST = translate("There is no audit in this list.")
OTHERS_AT_WORK = translate("Every audit that is left is open at somebody else of the team.")
PHOTO = translate("Photo")
MARK_REVIEWED = translate("Mark reviewed")
REVIEWED, FLAGGED, NOTED = translate("✓ Reviewed"), translate("⚑ Flagged"), translate("✎ Note")


def marks_words(number: int, marked: Marked) -> list[str]:
    """How an audit is marked: `✓ Reviewed`, `⚑ Flagged`, `✎ Note`, each as far as it is."""
    reviewed = reviewed_by(marked.by[number]) if number in marked.by else REVIEWED
    marks = ((reviewed, marked.reviewed), (FLAGGED, marked.flagged), (NOTED, marked.noted))
    return [words for words, numbers in marks if number in numbers]


def reviewed_by(person: str) -> str:
    """Another person of the team reviewed the audit."""
    return translate("✓ Reviewed by {person}", person=person)


def others_line(said: OthersSaid, place: str) -> str:
    """What another person of the team made of the audit, or of the photo that `place` names."""
    made = " · ".join(
        part
        for part in (
            REVIEWED if said.reviewed else "",
            FLAGGED if said.flagged else "",
            translate("✎ {note}", note=said.note) if said.note else "",
        )
        if part
    )
    who = translate("{person}, {at}", person=said.person, at=moment(said.at))
    if place:
        return translate("{who}: {place}: {made}", who=who, place=place, made=made)
    return translate("{who}: {made}", who=who, made=made)


def photo_number(number: int) -> str:
    """A photo by its place among those of the audit."""
    return translate("Photo {number:,}", number=number)


def more_of_others(count: int) -> str:
    """What the others said beyond what is shown."""
    return translate_plural("and {count:,} more", "and {count:,} more", count)


def looked_at_by(people: Sequence[str]) -> str:
    """Others of the team have this audit open."""
    return translate_plural(
        "! {people} is looking at this audit.",
        "! {people} are looking at this audit.",
        len(people),
        people=", ".join(people),
    )


def shown_as_last_seen(trouble: str) -> str:
    """The provider could not be asked about the audit that is open."""
    return translate("{trouble} What was seen before is shown.", trouble=trouble)


def progress_words(place: int, count: int, left: int) -> str:
    """How many audits of the list are still to be reviewed."""
    return translate("{place:,} of {count:,} · {left:,} not reviewed", place=place, count=count, left=left)


def answer_words(answer: AnswerFacts, grade: str, *, flagged: bool) -> str:
    """An answer as a screen reader speaks it."""
    question = " ".join(part for part in (answer.question, answer.text) if part) or NO_QUESTION
    facts = [question, answer.answer or "", grade]
    facts += [translate("with photo")] if answer.photo else []
    facts += [translate("photo flagged")] if flagged else []
    return visible(", ".join(each for each in facts if each))


def undone(number: int, before: AuditReview | PhotoReview, after: AuditReview | PhotoReview) -> str:
    """A change to an audit was undone."""
    return translate("Undone in audit {number}: {change}.", number=number, change=_change(before, after))


def redone(number: int, before: AuditReview | PhotoReview, after: AuditReview | PhotoReview) -> str:
    """A change to an audit was made again."""
    return translate("Made again in audit {number}: {change}.", number=number, change=_change(before, after))


def _change(before: AuditReview | PhotoReview, after: AuditReview | PhotoReview) -> str:
    """The part of a review in which two differ."""
    if isinstance(after, PhotoReview) and isinstance(before, PhotoReview):
        if after.turned != before.turned:
            return translate("the turn of a photo")
        if after.marks != before.marks:
            return translate("a drawing on a photo")
        return translate("the flag of a photo") if after.flagged != before.flagged else translate("the note of a photo")
    if isinstance(after, AuditReview) and isinstance(before, AuditReview) and after.reviewed != before.reviewed:
        return translate("the mark as reviewed")
    return translate("the flag") if after.flagged != before.flagged else translate("the note")


def review_not_saved(number: int, why: str) -> str:
    """A mark, flag or note of an audit could not be saved."""
    return translate("Your review of audit {number} could not be saved. {why}", number=number, why=why)


# One question across audits

NO_ANSWERS = translate("No answers yet")
COME_WITH_AUDIT = translate("Questions come with an audit once it is opened.")
NOBODY_ASKS = translate("No audit of the list asks this.")


def answers_words(count: int, poor: int) -> str:
    """How many audits answered the question, and how many of them badly."""
    return translate_plural(
        "{count:,} answer, {poor:,} of them low or failed.",
        "{count:,} answers, {poor:,} of them low or failed.",
        count,
        poor=poor,
    )


def fetch_questions(count: int) -> str:
    """The button where no audit answers the question yet."""
    return translate_plural("Fetch the questions of {count:,} audit", "Fetch the questions of {count:,} audits", count)


def fetch_more_questions(count: int) -> str:
    """The button beside the audits that do answer the question."""
    return translate_plural(
        "Fetch the questions of {count:,} more audit", "Fetch the questions of {count:,} more audits", count
    )


def questions_not_fetched(count: int, why: str) -> str:
    """The questions of some audits could not be fetched."""
    return translate_plural(
        "The questions of {count:,} audit could not be fetched. {why}",
        "The questions of {count:,} audits could not be fetched. {why}",
        count,
        why=why,
    )


# Files. `count` is how many audits are meant: 1 for this one, 0 for the whole list.

NO_ORDER = translate("This audit names no order.")
NO_PHOTOS = translate("There are no photos to save.")
NO_AUDIT = translate("There is no audit in the list.")
LOOKING_FOR_PHOTOS = translate("Looking for photos…")
STILL_SAVING = translate("Photos are still being saved. Wait until they are, or stop it.")
NO_AUDIT_KNOWN = translate("None of these audits is known any more, so there is nothing to report.")


def report_entry(count: int) -> str:
    """The entry of the menu that makes a PDF report."""
    if count == 1:
        return translate("PDF report of this audit…")
    if not count:
        return translate("PDF report of the list…")
    return translate_plural(
        "PDF report of {count:,} selected audit…", "PDF report of {count:,} selected audits…", count
    )


def table_entry(count: int) -> str:
    """The entry that exports the list, or the audits that are selected of it."""
    return translate("The selected audits as a table…") if count > 1 else translate("The list as a table…")


def answers_entry(count: int) -> str:
    """The entry that exports answers."""
    if count == 1:
        return translate("Answers of this audit as a table…")
    if not count:
        return translate("Answers of the list as a table…")
    return translate_plural(
        "Answers of {count:,} selected audit as a table…", "Answers of {count:,} selected audits as a table…", count
    )


SAVE_PHOTO = translate("Save this photo…")
SAVE_PHOTO_DRAWN = translate("Save this photo, turned and with drawings…")


def drawn_photos_entry(count: int) -> str:
    """The entry that saves photos with what was drawn on them."""
    if count == 1:
        return translate("Save the photos of this audit, turned and with drawings…")
    if not count:
        return translate("Save the photos of the list, turned and with drawings…")
    return translate_plural(
        "Save the photos of {count:,} selected audit, turned and with drawings…",
        "Save the photos of {count:,} selected audits, turned and with drawings…",
        count,
    )


def without_drawings(count: int) -> str:
    """Photos were saved as the provider has them, although some were turned or drawn on."""
    return translate("You turned or drew on {count:,} of them: the menu Save can also save that.", count=count)


def photos_entry(count: int) -> str:
    """The entry that saves photos."""
    if count == 1:
        return translate("Save the photos of this audit…")
    if not count:
        return translate("Save the photos of the list…")
    return translate_plural(
        "Save the photos of {count:,} selected audit…", "Save the photos of {count:,} selected audits…", count
    )


def too_many(count: int, most: int) -> str:
    """More audits than one file may hold."""
    return translate_plural(
        "This is {count:,} audit. This can be done with {most:,} at a time: select some.",
        "These are {count:,} audits. This can be done with {most:,} at a time: select some.",
        count,
        most=most,
    )


def audits_written(count: int, file: str) -> str:
    """The list was exported."""
    return translate_plural("{count:,} audit is in {file}.", "{count:,} audits are in {file}.", count, file=file)


def answers_written(count: int, file: str) -> str:
    """Answers were exported."""
    return translate_plural("{count:,} answer is in {file}.", "{count:,} answers are in {file}.", count, file=file)


def report_written(pages: int, file: str) -> str:
    """A report was made."""
    return translate_plural(
        "The report is in {file}, {count:,} page.", "The report is in {file}, {count:,} pages.", pages, file=file
    )


def reading_audit(place: int, count: int) -> str:
    """A report or table is gathered, audit by audit."""
    if count == 1:
        return translate("Reading the audit…")
    return translate("Reading audit {place:,} of {count:,}…", place=place, count=count)


def writing_page(page: int, count: int) -> str:
    """A report is painted, page by page."""
    return translate("Writing page {page:,} of {count:,}…", page=page, count=count)


def exporting_audits(done: int, total: int) -> str:
    """The list is exported; `total` is 0 until it is known."""
    if not total:
        return translate("Looking which audits to export…")
    return translate("Exporting audit {done:,} of {total:,}…", done=done, total=total)


def exporting_answers(done: int, total: int) -> str:
    """Answers are exported; `total` is 0 until it is known."""
    if not total:
        return translate("Looking which answers to export…")
    return translate("Exporting answer {done:,} of {total:,}…", done=done, total=total)


# The status bar


def status(audits: str, age: str) -> str:
    """The list."""
    return beside(audits, age)


def status_of_audit(number: int, progress: str) -> str:
    """One audit; `progress` says which of the list it is and how many are left."""
    return beside(translate("Audit {number}", number=number), progress)


def status_of_question(question: str, summary: str) -> str:
    """One question across audits."""
    return beside(question, summary)

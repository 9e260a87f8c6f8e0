"""The report of an audit: a cover with facts, score and findings, then each answer with its photo.

Invariant: the layout depends on text alone, never on a photo, so the number of pages is known before the first photo is
fetched. Low and failed answers are named by a word; colour is not the only sign.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, time

from app.desk.audits.answer_grades import Judgement, grouped, judged
from app.desk.audits.audit_reviews import OthersSaid, PhotoReview, Reviews, note_by
from app.desk.audits.scores import figure
from app.desk.printing.page_flow import Column, Flow
from app.desk.printing.page_marks import Ink, Photograph, Style
from app.desk.report import report_words as words
from app.desk.text.typed_dates import day_and_year, exact_moment
from app.store.cache.audits.audit_rows import AnswerFacts, AuditDetailRow
from app.store.sqlite.text_values import local
from app.translation import translate

TITLE, HEADING = Style(7.0, bold=True), Style(4.4, bold=True)
_SCORE, _BODY, _STRONG, _SOFT = Style(11.0, bold=True), Style(3.4), Style(3.4, bold=True), Style(2.9, ink="soft")
_READS: dict[Judgement, tuple[str, Ink]] = {"failed": (translate("Failed"), "bad"), "low": (translate("Low"), "warn")}
_SMALL_PHOTO, _LARGE_PHOTO = (84.0, 63.0), (112.0, 84.0)  # mm; large where something was said of it
_GROUP_NEEDS = 25.0
_HEADING_GAP = 1.0
_COVER_TEXT = 160
_FOUND = (Column(translate("Question"), 5), Column(translate("Answer"), 3), Column(translate("Result"), 1))
_NOTED = (Column(translate("Photo of"), 4), Column(translate("Note"), 4), Column("", 1))


@dataclass(frozen=True, slots=True)
class AuditStory:
    """The content of a report: the audit as last seen, its reviews, and the `trouble` with fetching it.

    `top` is the highest score there may be. In a team `person` is who reviewed it at this desk, and `others` what the
    others said, the latest first."""

    told: AuditDetailRow
    reviews: Reviews
    top: float = 100.0
    trouble: str = ""
    person: str = ""
    others: Sequence[OthersSaid] = ()

    @property
    def title(self) -> str:
        """`Audit 4711`."""
        return words.audit_title(self.told.line.number)

    @property
    def reads(self) -> list[Judgement]:
        """The grade of each answer."""
        return judged(self.told.answers)

    def review(self, answer: AnswerFacts) -> PhotoReview:
        """The review of the photo of an answer."""
        return self.reviews.photos.get(answer.photo or "", PhotoReview())

    def others_on(self, photo: str) -> list[OthersSaid]:
        """What the others said of a photo by its address, or with none of the audit itself."""
        return [each for each in self.others if each.photo == photo]

    def is_spoken_of(self, answer: AnswerFacts) -> bool:
        """Whether somebody flagged the photo of an answer, wrote a note on it or drew on it."""
        review = self.review(answer)
        return bool(review.flagged or review.note or review.marks or self.others_on(answer.photo or ""))


def lay_out(flow: Flow, story: AuditStory, *, alone: bool = True) -> None:
    """Lay out the cover and the questions, which begin a page if the audit is `alone` in its report."""
    _cover(flow, story)
    if story.told.answers:
        if alone:
            flow.next_page()
        _questions(flow, story)


def when(at: datetime | None) -> str:
    """`Mon 24 Nov 2026 14:02`, without the time where there is none."""
    return "" if at is None else exact_moment(at)


def _in_short(at: datetime) -> str:
    return day_and_year(at.date()) + ("" if at.time() == time() else f" {at:%H:%M}")


def _cover(flow: Flow, story: AuditStory) -> None:
    line, head, said = story.told.line, story.told.head, story.reviews.audit
    flow.line(story.title, TITLE)
    flow.gap(3.0)
    flow.line(words.score_words(line.score), _SCORE)
    flow.gap(3.0)
    facts = (
        (translate("Date"), when(line.date)), (translate("Type"), line.kind), (translate("Facility"), line.facility),
        (translate("Vendor"), line.vendor),
        (translate("Domicile"), head.domicile), (translate("Order"), head.order_number),
        (translate("Auditor"), head.auditor), (translate("Email"), head.email),
    )  # fmt: skip
    flow.pairs([(label, value) for label, value in facts if value])
    flow.heading(translate("Review"))
    marks = words.marks_words(reviewed=said.reviewed, flagged=said.flagged)
    if story.person and (said.reviewed or said.flagged):
        marks = words.marks_by(marks, story.person)
    others = [(each.person, words.others_words(each, when(local(each.at)))) for each in story.others_on("")]
    flow.pairs([(translate("Standing"), marks), *([(translate("Note"), said.note)] if said.note else []), *others])
    flow.heading(translate("Found"))
    flow.text(_summary(story))
    if story.trouble:
        flow.line(story.trouble, Style(3.4, ink="warn"))
    _poor(flow, story)
    _spoken_of(flow, story)


def _summary(story: AuditStory) -> str:
    told, reads = story.told, story.reads
    if not told.answers:
        return words.NO_QUESTIONS_KNOWN if told.whole_at is None else words.NO_QUESTIONS
    questions = sum(each.question is not None or each.text is not None for each in told.answers)
    photos = [each for each in told.answers if each.photo]
    flagged = sum(story.review(each).flagged for each in photos)
    return words.summary_words(questions, reads.count("failed"), reads.count("low"), len(photos), flagged)


def _poor(flow: Flow, story: AuditStory) -> None:
    rows = [
        [_short(_asked(each)), _short(each.answer or ""), _READS[reads][0]]
        for wanted in ("failed", "low")
        for each, reads in zip(story.told.answers, story.reads, strict=True)
        if reads == wanted
    ]
    if rows:
        flow.table(translate("Failed and low answers"), _FOUND, rows)


def _spoken_of(flow: Flow, story: AuditStory) -> None:
    """Photos that are flagged or have a note."""
    rows = []
    for each in story.told.answers:
        if not each.photo:
            continue
        asked, review = _short(_asked(each)) or words.NO_QUESTION, story.review(each)
        if review.flagged or review.note:
            note = note_by(story.person, review.note) if story.person else review.note
            rows.append([asked, _short(note), translate("Flagged") if review.flagged else ""])
        for said in story.others_on(each.photo):
            note = note_by(said.person, said.note)
            rows.append([asked, _short(note), translate("Flagged") if said.flagged else ""])
    if rows:
        flow.table(translate("Flagged and noted photos"), _NOTED, rows)


def _questions(flow: Flow, story: AuditStory) -> None:
    groups = grouped(story.told.answers)
    reads = story.reads
    for group in groups:
        loose = [each for each in (story.told.answers[place] for place in group.places) if _is_loose(each)]
        name = group.name or (words.PHOTOS_WITHOUT_QUESTION if loose else words.QUESTIONS)
        flow.heading(name, _needs(story, story.told.answers[group.places[0]]))
        flow.gap(_HEADING_GAP)
        for place in group.places:
            answer = story.told.answers[place]
            if not _is_loose(answer):
                _answer(flow, story, answer, reads[place])
        flow.photos([(_photograph(each, story, _SMALL_PHOTO), list(_photo_words(story, each))) for each in loose])


def _room_of(story: AuditStory, answer: AnswerFacts) -> tuple[float, float]:
    return _LARGE_PHOTO if story.is_spoken_of(answer) else _SMALL_PHOTO


def _needs(story: AuditStory, first: AnswerFacts) -> float:
    """The height that has to follow a heading on its page: a photo is never cut in two."""
    if not first.photo:
        return _GROUP_NEEDS
    return (_SMALL_PHOTO if _is_loose(first) else _room_of(story, first))[1] + _HEADING_GAP


def _is_loose(answer: AnswerFacts) -> bool:
    return answer.question is None and answer.text is None and answer.answer is None and bool(answer.photo)


def _answer(flow: Flow, story: AuditStory, answer: AnswerFacts, reads: Judgement) -> None:
    lines = list(_answer_words(answer, reads))
    if not answer.photo:
        for text, style in lines:
            flow.line(text, style)
        flow.gap(2.0)
        return
    photo = _photograph(answer, story, _room_of(story, answer))
    flow.beside([*lines, *_photo_words(story, answer)], photo)


def _answer_words(answer: AnswerFacts, reads: Judgement) -> Iterator[tuple[str, Style]]:
    yield _asked(answer) or words.ANSWER_WITHOUT_QUESTION, _BODY
    mark, ink = _READS.get(reads, ("", "ink"))
    told = answer.answer or words.NO_ANSWER
    yield words.graded_answer(told, mark) if mark else told, Style(_STRONG.size, bold=True, ink=ink)


def _photo_words(story: AuditStory, answer: AnswerFacts) -> Iterator[tuple[str, Style]]:
    """The review of a photo. Texts of marks are repeated, since on the photo they may be cut off."""
    review = story.review(answer)
    if review.flagged:
        yield words.PHOTO_FLAGGED, Style(3.1, bold=True, ink="warn")
    if review.note:
        yield words.note_words(review.note), Style(3.1)
    if texts := [each.text for each in review.marks if each.kind == "text"]:
        yield words.written_words(texts), _SOFT
    for said in story.others_on(answer.photo or ""):
        yield note_by(said.person, words.others_words(said, when(local(said.at)))), Style(3.1)


def _photograph(answer: AnswerFacts, story: AuditStory, size: tuple[float, float]) -> Photograph:
    review = story.review(answer)
    return Photograph(0.0, 0.0, *size, answer.photo or "", turned=review.turned, drawn=review.marks)


def _asked(answer: AnswerFacts) -> str:
    return "  ".join(part for part in (answer.question, answer.text) if part)


def _short(text: str) -> str:
    """The beginning of a long text for the cover; the questions show the whole text."""
    return text if len(text) <= _COVER_TEXT else f"{text[: _COVER_TEXT - 1]}…"


def index_rows(stories: Sequence[AuditStory], pages: Sequence[int]) -> list[list[str]]:
    """A row for each audit: its facts, its findings, and the page on which its report begins."""
    rows = []
    for story, page in zip(stories, pages, strict=True):
        line, reads = story.told.line, story.reads
        rows.append(
            [
                str(line.number), _in_short(line.date) if line.date else "", line.kind or "",
                line.facility or "", line.vendor or "",
                "–" if line.score is None else figure(line.score), str(reads.count("failed")),
                str(reads.count("low")), f"{page:,}",
            ]
        )  # fmt: skip
    return rows

"""The report of an audit: a cover with facts, score and what was found, then each answer with its photo beside it.

How large everything is depends on words alone, never on a photo, so all pages are known before the first one is
fetched. Low and failed answers are named by words, not by colour alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, time

from app.desk.audits.answer_grades import Judgement, grouped, judged
from app.desk.audits.audit_reviews import PhotoReview, Reviews
from app.desk.audits.scores import figure
from app.desk.printing.page_flow import Column, Flow
from app.desk.printing.page_marks import Ink, Photograph, Style
from app.store.cache.audits.audit_rows import AnswerFacts, AuditDetailRow

TITLE, HEADING = Style(7.0, bold=True), Style(4.4, bold=True)
_SCORE, _BODY, _STRONG, _SOFT = Style(11.0, bold=True), Style(3.4), Style(3.4, bold=True), Style(2.9, ink="soft")
_READS: dict[Judgement, tuple[str, Ink]] = {"failed": ("Failed", "bad"), "low": ("Low", "warn")}
_SMALL_PHOTO, _LARGE_PHOTO = (84.0, 63.0), (112.0, 84.0)  # mm; large where something was said of it
_GROUP_NEEDS = 25.0
_HEADING_GAP = 1.0
_COVER_TEXT = 160
_FOUND = (Column("Question", 5), Column("Answer", 3), Column("Reads", 1))
_NO_QUESTION = "Photo without a question"


@dataclass(frozen=True, slots=True)
class AuditStory:
    """All that a report tells: the audit as last seen, what a person said of it, and `trouble` with fetching it.

    `top` is the highest score there may be."""

    told: AuditDetailRow
    reviews: Reviews
    top: float = 100.0
    trouble: str = ""

    @property
    def title(self) -> str:
        """`Audit 4711`."""
        return f"Audit {self.told.line.number}"

    @property
    def reads(self) -> list[Judgement]:
        """How each answer reads."""
        return judged(self.told.answers)

    def review(self, answer: AnswerFacts) -> PhotoReview:
        """What was said of the photo of an answer."""
        return self.reviews.photos.get(answer.photo or "", PhotoReview())


def lay_out(flow: Flow, story: AuditStory, *, alone: bool = True) -> None:
    """Cover, then the questions: on pages of their own where the audit is `alone`, else below on the same page."""
    _cover(flow, story)
    if story.told.answers:
        if alone:
            flow.next_page()
        _questions(flow, story)


def score_words(score: float | None) -> str:
    """`Score 81.5`: on which scale that is the contract does not say."""
    return "No score" if score is None else f"Score {figure(score)}"


def when(at: datetime | None) -> str:
    """`Mon 24 Nov 2026 14:02`, without the time where there is none."""
    return "" if at is None else f"{at:%a} {_in_short(at)}"


def _in_short(at: datetime) -> str:
    return f"{at.day} {at:%b %Y}" + ("" if at.time() == time() else f" {at:%H:%M}")


def _cover(flow: Flow, story: AuditStory) -> None:
    line, head, said = story.told.line, story.told.head, story.reviews.audit
    flow.line(story.title, TITLE)
    flow.gap(3.0)
    flow.line(score_words(line.score), _SCORE)
    flow.gap(3.0)
    facts = (
        ("Date", when(line.date)), ("Type", line.kind), ("Facility", line.facility), ("Vendor", line.vendor),
        ("Domicile", head.domicile), ("Order", head.order_number), ("Auditor", head.auditor), ("Email", head.email),
    )  # fmt: skip
    flow.pairs([(label, value) for label, value in facts if value])
    flow.heading("Review")
    flow.pairs([("Standing", _standing(story)), *([("Note", said.note)] if said.note else [])])
    flow.heading("Found")
    flow.text(_summary(story))
    if story.trouble:
        flow.line(story.trouble, Style(3.4, ink="warn"))
    _poor(flow, story)
    _spoken_of(flow, story)


def _standing(story: AuditStory) -> str:
    said = story.reviews.audit
    return " · ".join(["Reviewed" if said.reviewed else "Not reviewed", *(["Flagged"] if said.flagged else [])])


def _summary(story: AuditStory) -> str:
    told, reads = story.told, story.reads
    if not told.answers:
        return "No questions are known of this audit." if told.whole_at is None else "It has no questions."
    questions = sum(each.question is not None or each.text is not None for each in told.answers)
    photos = [each for each in told.answers if each.photo]
    flagged = sum(story.review(each).flagged for each in photos)
    parts = [
        _many(questions, "question"), f"{reads.count('failed'):,} failed", f"{reads.count('low'):,} low",
        _many(len(photos), "photo"), *([f"{flagged:,} flagged"] if flagged else []),
    ]  # fmt: skip
    return ", ".join(parts)


def _poor(flow: Flow, story: AuditStory) -> None:
    rows = [
        [_short(_asked(each)), _short(each.answer or ""), _READS[reads][0]]
        for wanted in ("failed", "low")
        for each, reads in zip(story.told.answers, story.reads, strict=True)
        if reads == wanted
    ]
    if rows:
        flow.table("Failed and low answers", _FOUND, rows)


def _spoken_of(flow: Flow, story: AuditStory) -> None:
    """Photos that are flagged or have a note."""
    rows = [
        [_short(_asked(each)) or _NO_QUESTION, _short(review.note), "Flagged" if review.flagged else ""]
        for each in story.told.answers
        if each.photo and ((review := story.review(each)).flagged or review.note)
    ]
    if rows:
        flow.table("Flagged and noted photos", (Column("Photo of", 4), Column("Note", 4), Column("", 1)), rows)


def _questions(flow: Flow, story: AuditStory) -> None:
    groups = grouped(story.told.answers)
    reads = story.reads
    for group in groups:
        loose = [each for each in (story.told.answers[place] for place in group.places) if _is_loose(each)]
        name = group.name or ("Photos without a question" if loose else "Questions")
        flow.heading(name, _needs(story, story.told.answers[group.places[0]]))
        flow.gap(_HEADING_GAP)
        for place in group.places:
            answer = story.told.answers[place]
            if not _is_loose(answer):
                _answer(flow, story, answer, reads[place])
        flow.photos([(_photograph(each, story, _SMALL_PHOTO), list(_photo_words(story, each))) for each in loose])


def _room_of(story: AuditStory, answer: AnswerFacts) -> tuple[float, float]:
    review = story.review(answer)
    return _LARGE_PHOTO if review.flagged or review.note or review.marks else _SMALL_PHOTO


def _needs(story: AuditStory, first: AnswerFacts) -> float:
    """How much of a group is to stand below its heading: its first photo goes over to the next page in one piece."""
    if not first.photo:
        return _GROUP_NEEDS
    return (_SMALL_PHOTO if _is_loose(first) else _room_of(story, first))[1] + _HEADING_GAP


def _is_loose(answer: AnswerFacts) -> bool:
    return answer.question is None and answer.text is None and answer.answer is None and bool(answer.photo)


def _answer(flow: Flow, story: AuditStory, answer: AnswerFacts, reads: Judgement) -> None:
    words = list(_answer_words(answer, reads))
    if not answer.photo:
        for text, style in words:
            flow.line(text, style)
        flow.gap(2.0)
        return
    photo = _photograph(answer, story, _room_of(story, answer))
    flow.beside([*words, *_photo_words(story, answer)], photo)


def _answer_words(answer: AnswerFacts, reads: Judgement) -> Iterator[tuple[str, Style]]:
    yield _asked(answer) or "An answer without a question", _BODY
    mark, ink = _READS.get(reads, ("", "ink"))
    told = answer.answer or "No answer"
    yield f"{told}  ({mark})" if mark else told, Style(_STRONG.size, bold=True, ink=ink)


def _photo_words(story: AuditStory, answer: AnswerFacts) -> Iterator[tuple[str, Style]]:
    """What was said of a photo; the words on it once more, where they are never cut off."""
    review = story.review(answer)
    if review.flagged:
        yield "Photo flagged", Style(3.1, bold=True, ink="warn")
    if review.note:
        yield f"Note: {review.note}", Style(3.1)
    if words := [each.text for each in review.marks if each.kind == "text"]:
        yield f"Written on it: {'; '.join(words)}", _SOFT


def _photograph(answer: AnswerFacts, story: AuditStory, size: tuple[float, float]) -> Photograph:
    review = story.review(answer)
    return Photograph(0.0, 0.0, *size, answer.photo or "", turned=review.turned, drawn=review.marks)


def _asked(answer: AnswerFacts) -> str:
    return "  ".join(part for part in (answer.question, answer.text) if part)


def _short(text: str) -> str:
    """On the cover a long text is named by its beginning; whole it stands with its question."""
    return text if len(text) <= _COVER_TEXT else f"{text[: _COVER_TEXT - 1]}…"


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def index_rows(stories: Sequence[AuditStory], pages: Sequence[int]) -> list[list[str]]:
    """A line an audit: what it is, how it went, and the page on which its report begins."""
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

"""A report of one audit, or of several in one document with an index in front."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from app.desk.audits import audit_reviews, audit_sync
from app.desk.audits.audit_reviews import PhotoReview
from app.desk.desk import Desk
from app.desk.files.save_files import Wanted, own_name, safe_stem
from app.desk.files.stoppable_work import Progress, Stopped
from app.desk.printing.page_flow import Column
from app.desk.printing.page_marks import Page, Ruler
from app.desk.report import report_words as words
from app.desk.report.audit_report import TITLE, AuditStory, index_rows, lay_out
from app.desk.report.report_pages import Chapter, Sheet, bound
from app.desk.sending.batch import for_each
from app.desk.text.file_names import plain_name
from app.translation import translate

_INDEX = (
    Column(translate("Audit"), 1.3),
    Column(translate("Date"), 2.9),
    Column(translate("Type"), 2.8),
    Column(translate("Facility"), 1.4),
    Column(translate("Vendor"), 3.3),
    Column(translate("Score"), 1.0, right=True),
    Column(translate("Failed"), 1.1, right=True),
    Column(translate("Low"), 0.8, right=True),
    Column(translate("Page"), 0.9, right=True),
)


async def read_stories(desk: Desk, numbers: Sequence[int], top: float, progress: Progress) -> list[AuditStory]:
    """The content of reports on these audits. The questions of audits never opened are fetched, a few at once.

    Raises `StoreError`, and `Stopped` once `progress` is told to stop.
    """
    progress.total, progress.done = len(numbers), 0
    found: dict[int, AuditStory] = {}

    async def tell(number: int) -> None:
        story = await _story(desk, number, top)
        if story is not None:
            found[number] = story
        progress.done += 1

    try:
        await for_each(_until_stopped(numbers, progress), tell)
    except ExceptionGroup as several:
        raise several.exceptions[0] from None  # all come from one store, so the first error tells it all
    if progress.stop:
        raise Stopped
    return [found[number] for number in numbers if number in found]


def _until_stopped(numbers: Sequence[int], progress: Progress) -> Iterator[int]:
    for number in numbers:
        if progress.stop:
            return
        yield number


async def _story(desk: Desk, number: int, top: float) -> AuditStory | None:
    told = await audit_sync.detail(desk, number)
    trouble = ""
    if told is None or told.whole_at is None:
        trouble = await audit_sync.refresh_audit(desk, number)
        told = await audit_sync.detail(desk, number)
    if told is None:
        return None
    if trouble and told.answers:
        trouble = words.shown_as_seen_before(trouble)
    reviews, others = await audit_reviews.reviews_of(desk, number), await audit_reviews.others_said(desk, number)
    return AuditStory(told, reviews, top, trouble, "" if desk.team is None else desk.team.person, others)


def missing_words(told: Sequence[AuditStory], wanted: int) -> str:
    """Which audits are missing or not whole, and why; empty if none is."""
    parts = [words.audit_trouble(each.title, each.trouble) for each in told if each.trouble][:3]
    troubled = sum(bool(each.trouble) for each in told)
    if troubled > len(parts):
        parts.append(words.more_not_whole(troubled - len(parts)))
    if gone := wanted - len(told):
        parts.append(words.audits_gone(gone))
    return " ".join(parts)


def pages_of(
    told: Sequence[AuditStory], sheet: Sheet, ruler: Ruler, step: Callable[[], None] = lambda: None
) -> list[Page]:
    """All pages, with an index in front of several audits. `step` may raise to stop."""
    chapters = [chapter_of(each, sheet, ruler, step, alone=len(told) == 1) for each in told]
    if len(chapters) != 1:
        # Laid out twice: only the first time tells how many pages the index takes, from which all page numbers follow.
        before = len(_index(told, [0] * len(told), sheet, ruler, step).bodies)
        begins, at = [], before + 1
        for each in chapters:
            begins.append(at)
            at += len(each.bodies)
        chapters = [_index(told, begins, sheet, ruler, step), *chapters]
    return bound(sheet, chapters, ruler)


def chapter_of(
    story: AuditStory, sheet: Sheet, ruler: Ruler, step: Callable[[], None], *, alone: bool = False
) -> Chapter:
    """The pages of one audit, which begins on a new page even if it is not `alone`."""
    step()
    flow = sheet.flow(ruler, step)
    lay_out(flow, story, alone=alone)
    line = story.told.line
    title = " · ".join(part for part in (story.title, line.facility, line.kind) if part)
    return Chapter(title, flow.finish())


def _index(
    told: Sequence[AuditStory], pages: Sequence[int], sheet: Sheet, ruler: Ruler, step: Callable[[], None]
) -> Chapter:
    """The index. Its number of pages is the same for any page numbers: none is wide enough to break a line."""
    flow = sheet.flow(ruler, step)
    flow.line(words.audits_counted(len(told)), TITLE)
    flow.gap(3.0)
    if told:
        flow.table(translate("Index"), _INDEX, index_rows(told, pages))
    return Chapter(words.index_title(len(told)), flow.finish())


@dataclass(frozen=True, slots=True)
class ReviewedPhoto(Wanted):
    """A photo to be saved, with the review of a person."""

    review: PhotoReview = field(default_factory=PhotoReview)


def photos_to_save(stories: Iterable[AuditStory], only: str = "") -> list[ReviewedPhoto]:
    """Each photo once, in the order of the questions; `only` one address."""
    found: dict[tuple[int, str], ReviewedPhoto] = {}
    for story in stories:
        number = story.told.line.number
        for place, answer in enumerate(story.told.answers, 1):
            key = (number, answer.photo or "")
            if not answer.photo or key in found or (only and answer.photo != only):
                continue
            name = own_name(plain_name(answer.photo.split("?")[0].split("#")[0]))
            stem = safe_stem(f"audit {number}", f"{place:02}", answer.question or "", name, nothing="photo")
            called = words.saved_photo(place, number)
            found[key] = ReviewedPhoto(answer.photo, stem, called, story.review(answer))
    return list(found.values())

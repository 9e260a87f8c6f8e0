"""A report of one audit, or of several in one document with an index in front."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from app.desk.audits import audit_reviews, audit_sync
from app.desk.desk import Desk
from app.desk.files.save_files import Wanted, own_name, safe_stem
from app.desk.files.stoppable_work import Progress, Stopped
from app.desk.printing.page_flow import Column
from app.desk.printing.page_marks import Page, Ruler
from app.desk.report.audit_report import TITLE, AuditStory, index_rows, lay_out
from app.desk.report.report_pages import Chapter, Sheet, bound
from app.desk.sending.batch import for_each
from app.desk.text.file_names import plain_name
from app.desk.text.plurals import counted

_INDEX = (
    Column("Audit", 1.3), Column("Date", 2.9), Column("Type", 2.8), Column("Facility", 1.4), Column("Vendor", 3.3),
    Column("Score", 1.0, right=True), Column("Failed", 1.1, right=True), Column("Low", 0.8, right=True),
    Column("Page", 0.9, right=True),
)  # fmt: skip
_SEEN_BEFORE = "Its questions could not be fetched just now; those seen before are shown."


async def read_stories(desk: Desk, numbers: Sequence[int], top: float, progress: Progress) -> list[AuditStory]:
    """All that is known of these audits, the questions of those never opened fetched before, a few at once.

    Raises `StoreError`, and `Stopped` when that is asked for.
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
        raise several.exceptions[0] from None  # of the same store, so the first tells it
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
        trouble = f"{_SEEN_BEFORE} {trouble}"
    return AuditStory(told, await audit_reviews.reviews_of(desk, number), top, trouble)


def missing_words(told: Sequence[AuditStory], wanted: int) -> str:
    """Which audits are not whole, and why."""
    parts = [f"{each.title}: {each.trouble}" for each in told if each.trouble][:3]
    troubled = sum(bool(each.trouble) for each in told)
    if troubled > len(parts):
        parts.append(f"{troubled - len(parts):,} more are not whole.")
    if gone := wanted - len(told):
        parts.append(f"{_many(gone, 'audit')} {'is' if gone == 1 else 'are'} not known any more and left out.")
    return " ".join(parts)


def pages_of(
    told: Sequence[AuditStory], sheet: Sheet, ruler: Ruler, step: Callable[[], None] = lambda: None
) -> list[Page]:
    """All pages; of several audits with an index in front. `step` may raise to break off."""
    chapters = [chapter_of(each, sheet, ruler, step, alone=len(told) == 1) for each in told]
    if len(chapters) != 1:
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
    """The pages of one audit; it begins on a page of its own also where it is not `alone`."""
    step()
    flow = sheet.flow(ruler, step)
    lay_out(flow, story, alone=alone)
    line = story.told.line
    title = " · ".join(part for part in (story.title, line.facility, line.kind) if part)
    return Chapter(title, flow.finish())


def _index(
    told: Sequence[AuditStory], pages: Sequence[int], sheet: Sheet, ruler: Ruler, step: Callable[[], None]
) -> Chapter:
    """Page numbers are never so wide that they would break a line, so its length is that of any numbers."""
    flow = sheet.flow(ruler, step)
    flow.line(counted(len(told), "audit"), TITLE)
    flow.gap(3.0)
    if told:
        flow.table("Index", _INDEX, index_rows(told, pages))
    return Chapter(f"Index of {counted(len(told), 'audit')}", flow.finish())


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def photos_to_save(stories: Iterable[AuditStory], only: str = "") -> list[Wanted]:
    """Each photo once, in the order of the questions; `only` one address."""
    found: dict[tuple[int, str], Wanted] = {}
    for story in stories:
        number = story.told.line.number
        for place, answer in enumerate(story.told.answers, 1):
            key = (number, answer.photo or "")
            if not answer.photo or key in found or (only and answer.photo != only):
                continue
            name = own_name(plain_name(answer.photo.split("?")[0].split("#")[0]))
            stem = safe_stem(f"audit {number}", f"{place:02}", answer.question or "", name, nothing="photo")
            found[key] = Wanted(answer.photo, stem, f"Photo {place} of audit {number}")
    return list(found.values())

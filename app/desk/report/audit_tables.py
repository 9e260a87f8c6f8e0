"""Audits as a spreadsheet: the list, or the answers of some audits, each with the review of its audit."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.desk.audits import audit_reviews
from app.desk.audits.answer_grades import Judgement
from app.desk.audits.audit_reviews import Notes, OthersSaid, note_by
from app.desk.desk import Desk
from app.desk.export.export_rows import counting
from app.desk.export.spreadsheet_cells import Value
from app.desk.export.table_file import Kind, TableFile, write_table
from app.desk.files.stoppable_work import Progress, in_thread
from app.desk.report.audit_report import AuditStory
from app.store.cache.audits.audit_query import page_audits
from app.store.cache.audits.audit_rows import AuditLine, AuditQuery
from app.store.journal.review_store import Marked
from app.translation import translate

_ALL = -1
_NO_NOTES = Notes()
LIST = (
    (translate("Audit"), 10),
    (translate("Date"), 18),
    (translate("Type"), 20),
    (translate("Facility"), 12),
    (translate("Vendor"), 28),
    (translate("Score"), 8),
    (translate("Order"), 12),
    (translate("Reviewed"), 10),
    (translate("Flagged"), 10),
    (translate("Note"), 40),
    (translate("Photo notes"), 40),
)
# In a team: after "Reviewed".
_REVIEWED_AT = 8
REVIEWED_BY = (translate("Reviewed by"), 20)
ANSWERS = (
    (translate("Audit"), 10),
    (translate("Date"), 18),
    (translate("Type"), 20),
    (translate("Facility"), 12),
    (translate("Vendor"), 28),
    (translate("Score"), 8),
    (translate("Order"), 12),
    (translate("Reviewed"), 10),
    (translate("Flagged"), 10),
    (translate("Note"), 40),
    (translate("Question"), 12),
    (translate("Text"), 60),
    (translate("Answer"), 30),
    (translate("Result"), 8),
    (translate("Photo"), 40),
    (translate("Photo flagged"), 12),
    (translate("Photo note"), 40),
)
_READS: dict[Judgement, str] = {
    "good": translate("Good"),
    "low": translate("Low"),
    "failed": translate("Failed"),
    "": "",
}


@dataclass(frozen=True, slots=True)
class Target:
    """The file to write and its kind. `replace`: a person agreed to replace the file at the target."""

    file: Path
    kind: Kind
    replace: bool = False


async def export_list(desk: Desk, query: AuditQuery, marked: Marked, target: Target, progress: Progress) -> int:
    """Write the audits of a query, in its order. Returns how many.

    Raises `ExportTrouble`, `StoreError` or `Stopped`.
    """
    notes, team = await audit_reviews.notes(desk), desk.team
    person = None if team is None else team.person
    columns = LIST if team is None else (*LIST[:_REVIEWED_AT], REVIEWED_BY, *LIST[_REVIEWED_AT:])

    def work() -> int:
        lines = desk.reader.read_separately_now(page_audits, query, _ALL)
        _write(
            target,
            translate("Audits"),
            columns,
            _watched(_list_rows(lines, marked, notes, person), progress),
            len(lines),
            progress,
        )
        return len(lines)

    return await in_thread(work, progress)


async def export_answers(stories: Sequence[AuditStory], target: Target, progress: Progress) -> int:
    """Write the answers of these audits. Returns how many. Raises `ExportTrouble` or `Stopped`."""
    total = sum(len(each.told.answers) for each in stories)

    def work() -> int:
        _write(target, translate("Answers"), ANSWERS, _watched(_answer_rows(stories), progress), total, progress)
        return total

    return await in_thread(work, progress)


def _write(
    target: Target,
    name: str,
    columns: Sequence[tuple[str, int]],
    rows: Iterator[list[Value]],
    total: int,
    progress: Progress,
) -> None:
    titles = [title for title, _ in columns]
    progress.done = 0
    wanted = TableFile(target.file, target.kind, name, target.replace)
    write_table(wanted, titles, counting(rows, progress, total), [width for _, width in columns])


def _watched(rows: Iterable[list[Value]], progress: Progress) -> Iterator[list[Value]]:
    for row in rows:
        progress.checkpoint()
        yield row


def _line(line: AuditLine) -> list[Value]:
    return [line.number, line.date, line.kind, line.facility, line.vendor, line.score, line.order_number]


def _list_rows(
    lines: Iterable[AuditLine], marked: Marked, notes: Mapping[int, Notes], person: str | None
) -> Iterator[list[Value]]:
    """`person` works at this desk; None where it works alone, and nobody is named."""
    for line in lines:
        reviewed, flagged = (line.number in numbers for numbers in (marked.reviewed, marked.flagged))
        noted = notes.get(line.number, _NO_NOTES)
        who = [] if person is None else [marked.by.get(line.number, person) if reviewed else None]
        yield [
            *_line(line), translate("Yes") if reviewed else None, *who, translate("Yes") if flagged else None,
            noted.audit or None, "; ".join(noted.photos) or None,
        ]  # fmt: skip


def _answer_rows(stories: Iterable[AuditStory]) -> Iterator[list[Value]]:
    for story in stories:
        said = story.reviews.audit
        head = [
            *_line(story.told.line)[:-1], story.told.head.order_number,
            *(translate("Yes") if holds else None for holds in (said.reviewed, said.flagged)), said.note or None,
        ]  # fmt: skip
        for answer, reads in zip(story.told.answers, story.reads, strict=True):
            review, others = story.review(answer), story.others_on(answer.photo) if answer.photo else []
            notes = [(story.person, review.note), *((each.person, each.note) for each in others)]
            note = "; ".join(note_by(person, said) if person else said for person, said in notes if said)
            yield [
                *head, answer.question, answer.text, answer.answer, _READS[reads], answer.photo,
                _flagged_by(story, flagged=review.flagged, others=others), note or None,
            ]  # fmt: skip


def _flagged_by(story: AuditStory, *, flagged: bool, others: Sequence[OthersSaid]) -> str | None:
    """`Yes`, or in a team who flagged the photo; None if nobody did."""
    people = [*([story.person] if flagged else []), *(each.person for each in others if each.flagged)]
    if not people:
        return None
    return ", ".join(people) if story.person else translate("Yes")

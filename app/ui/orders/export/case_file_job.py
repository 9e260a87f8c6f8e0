"""The case file of an order: one PDF, or a ZIP that also holds the documents and photos as the provider has them.

Invariant: a document or photo that is missing is named in the result, never left out silently.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from app.desk.desk import Desk
from app.desk.files.album import Album, NoPicture
from app.desk.files.save_files import Wanted, ending_of, names_of, safe_stem
from app.desk.files.stoppable_work import Progress
from app.desk.files.whole_file import put_in_place
from app.desk.orders.order_documents import to_save
from app.desk.report.audit_reports import photos_to_save
from app.desk.report.case_facts import CaseFacts, gather
from app.desk.report.case_file import CaseFile, Section, Step, pages_of
from app.desk.report.report_photos import PhotoSupply
from app.store.journal.records import WriteRow
from app.translation import translate
from app.ui.orders import orders_words as words
from app.ui.orders.order_sections import milestones, sections, state_words
from app.ui.outbox.outbox_words import KIND_WORDS, state_word
from app.ui.printing.painting.page_painter import TypeRuler
from app.ui.printing.painting.photo_pages import MissingPhotos, sheet_of, write_pages
from app.ui.widgets.files.choose_files import Chosen, FileKind
from app.ui.widgets.files.file_strip import FileJob, FileResult
from app.ui.widgets.text.times import moment

KINDS = (
    FileKind("pdf", translate("PDF, one document"), "pdf"),
    FileKind("zip", translate("ZIP with the PDF and all files as they came"), "zip"),
)
_NAMED_FILES = 3


def case_job(desk: Desk, number: int, album: Album, now: datetime) -> FileJob:
    """The job that asks for a file and writes the case file of order `number` into it."""
    write = partial(_write, desk, number, album, now)
    return FileJob(words.CASE_TITLE, f"case-{number}", KINDS, write, _progress_words)


def _progress_words(progress: Progress) -> str:
    place = min(progress.done + 1, progress.total)
    if progress.stage == "pages":
        return words.writing_page(place, progress.total)
    if progress.stage == "files":
        return words.packing_file(place, progress.total)
    if progress.stage == "audits":
        return words.searching_audits(progress.done, progress.total)
    return words.GATHERING


async def _write(
    desk: Desk, number: int, album: Album, now: datetime, chosen: Chosen, progress: Progress
) -> FileResult:
    facts = await gather(desk, number, album.picture_for_file, progress)
    case, sheet = _case(number, facts), await sheet_of(desk, now)
    supply = PhotoSupply(album.picture_for_file, progress)
    files = [*to_save([each.document for each in facts.papers], ""), *photos_to_save(facts.audits)]

    def document(target: Path) -> MissingPhotos:
        pages = pages_of(case, sheet, TypeRuler(), progress.checkpoint)
        return write_pages(pages, target, words.case_heading(case.title), supply, progress)

    def write(target: Path) -> tuple[MissingPhotos, list[str]]:
        if chosen.kind.key == "pdf":
            return document(target), []
        inner = target.with_name(f"{safe_stem('case', case.title)}.pdf")
        missing = document(inner)
        return missing, _pack(target, inner, files, supply, album, progress)

    missing, left_out = await supply.run(lambda: put_in_place(chosen.target, write, replace=chosen.replace))
    parts = [words.case_made(chosen.target.name), missing.words, *left_out[:_NAMED_FILES]]
    if len(left_out) > _NAMED_FILES:
        parts.append(words.more_not_packed(len(left_out) - _NAMED_FILES))
    return FileResult(" ".join(part for part in parts if part), "warn" if any(parts[1:]) else "good")


def _pack(
    target: Path, inner: Path, files: Sequence[Wanted], supply: PhotoSupply, album: Album, progress: Progress
) -> list[str]:
    """Pack the PDF and the `files`, one at a time; returns a sentence for each file that is missing."""
    progress.stage, progress.total, progress.done = "files", len(files), 0
    left_out: list[str] = []
    with ZipFile(target, "w", ZIP_STORED) as packed:  # documents and photos are compressed already
        packed.write(inner, inner.name, ZIP_DEFLATED)
        taken = {inner.name.casefold()}
        for each in files:
            data = supply.call_on_loop(partial(album.contents, each.address))
            if isinstance(data, NoPicture):
                left_out.append(words.not_packed(each.called, data.sentence))
            else:
                name = next(name for name in names_of(each.stem, ending_of(data)) if name.casefold() not in taken)
                taken.add(name.casefold())
                packed.writestr(name, data)
            progress.done += 1
    # A virus scanner may hold the PDF open on Windows. `put_in_place` deletes the whole temporary folder afterwards.
    with suppress(OSError):
        inner.unlink()
    return left_out


def _sent_words(write: WriteRow, person: str) -> str:
    said = words.kind_and_state(KIND_WORDS[write.kind], state_word(write.state))
    return words.by_person(said, person) if person else said


def _case(number: int, facts: CaseFacts) -> CaseFile:
    order = facts.order
    unknown = words.NOT_TOLD if facts.trouble else ""
    parts = [Section(each.heading, each.lines, each.nothing) for each in sections(order, None, unknown)]
    if facts.others is not None:
        from app.ui.orders.team_story import story_sections  # not loaded for a desk without a team

        parts += [Section(each.heading, each.lines) for each in story_sections(facts.others)]
    sent = [(moment(each.changed_at), _sent_words(each, facts.person)) for each in facts.history]
    return CaseFile(
        title=words.case_order(number, order.CRN or ""),
        state=state_words(order),
        steps=[Step(each.word, each.when, each.done, each.plan, each.plan_more) for each in milestones(order)],
        parts=parts,
        sent=sent,
        papers=facts.papers,
        papers_nothing=unknown if order.ProofOfDelivery is None and unknown else words.NO_DOCUMENTS,
        overage=facts.overage,
        audits=facts.audits,
        audits_words=words.audits_unread(facts.unknown),
        trouble=facts.trouble,
    )

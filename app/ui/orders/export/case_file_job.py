"""The case file of an order as one PDF, or as a ZIP that also holds its documents and photos as they came."""

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
from app.desk.report.case_facts import CaseFacts, gather
from app.desk.report.case_file import CaseFile, Part, Step, pages_of
from app.desk.report.photo_files import photos_to_save
from app.desk.report.report_photos import PhotoSupply
from app.ui.orders.order_view import milestones, sections, state_words
from app.ui.outbox.state_words import KIND_WORDS, state_word
from app.ui.printing.painting.page_painter import TypeRuler
from app.ui.printing.painting.photo_pages import Missing, sheet_of, write_pages
from app.ui.widgets.files.choose_files import Chosen, FileKind
from app.ui.widgets.files.file_work import FileJob, Made
from app.ui.widgets.text.times import moment

KINDS = (
    FileKind("pdf", "PDF, one document", "pdf"),
    FileKind("zip", "ZIP with the PDF and all files as they came", "zip"),
)
_NAMED = 3


def case_job(desk: Desk, number: int, album: Album, now: datetime) -> FileJob:
    """Making the case file of this order."""
    write = partial(_write, desk, number, album, now)
    return FileJob("Save the case file", f"case-{number}", KINDS, write, _words)


def _words(progress: Progress) -> str:
    if progress.stage == "pages":
        return f"Writing page {min(progress.done + 1, progress.total):,} of {progress.total:,}…"
    if progress.stage == "files":
        return f"Packing file {min(progress.done + 1, progress.total):,} of {progress.total:,}…"
    if progress.stage == "audits":
        return f"Looking which audits name the order, {progress.done:,} of {progress.total:,}…"
    return "Bringing together what is known of the order…"


async def _write(desk: Desk, number: int, album: Album, now: datetime, chosen: Chosen, progress: Progress) -> Made:
    facts = await gather(desk, number, album.picture_for_file, progress)
    case, sheet = _case(number, facts), await sheet_of(desk, now)
    supply = PhotoSupply(album.picture_for_file, progress)
    files = [*to_save([each.document for each in facts.papers], ""), *photos_to_save(facts.audits)]

    def document(target: Path) -> Missing:
        pages = pages_of(case, sheet, TypeRuler(), progress.look)
        return write_pages(pages, target, f"Case file of {case.title}", supply, progress)

    def write(target: Path) -> tuple[Missing, list[str]]:
        if chosen.kind.key == "pdf":
            return document(target), []
        inner = target.with_name(f"{safe_stem('case', case.title)}.pdf")
        missing = document(inner)
        return missing, _pack(target, inner, files, supply, album, progress)

    missing, left_out = await supply.beside(lambda: put_in_place(chosen.target, write, replace=chosen.replace))
    parts = [f"The case file is in {chosen.target.name}.", missing.words, *left_out[:_NAMED]]
    if len(left_out) > _NAMED:
        parts.append(f"{len(left_out) - _NAMED:,} more files are missing in it.")
    return Made(" ".join(part for part in parts if part), "warn" if any(parts[1:]) else "good")


def _pack(
    target: Path, inner: Path, files: Sequence[Wanted], supply: PhotoSupply, album: Album, progress: Progress
) -> list[str]:
    """Pack the PDF, and each file as it came when its turn comes; what is missing, in sentences."""
    progress.stage, progress.total, progress.done = "files", len(files), 0
    left_out: list[str] = []
    with ZipFile(target, "w", ZIP_STORED) as packed:  # what is packed is compressed already
        packed.write(inner, inner.name, ZIP_DEFLATED)
        taken = {inner.name.casefold()}
        for each in files:
            data = supply.ask(partial(album.contents, each.address))
            if isinstance(data, NoPicture):
                left_out.append(f"{each.called} is not in it: {data.sentence}")
            else:
                name = next(name for name in names_of(each.stem, ending_of(data)) if name.casefold() not in taken)
                taken.add(name.casefold())
                packed.writestr(name, data)
            progress.done += 1
    with suppress(OSError):  # its folder goes with it
        inner.unlink()
    return left_out


def _case(number: int, facts: CaseFacts) -> CaseFile:
    order = facts.order
    title = f"order {order.CRN} ({number})" if order.CRN else f"order {number}"
    unknown = "The provider has not told." if facts.trouble else ""
    parts = [Part(each.heading, each.lines, each.nothing) for each in sections(order, None, unknown)]
    sent = [(moment(each.changed_at), f"{KIND_WORDS[each.kind]}: {state_word(each.state)}") for each in facts.history]
    return CaseFile(
        title=title,
        state=state_words(order),
        steps=[Step(each.word, each.when, each.done, each.plan, each.plan_more) for each in milestones(order)],
        parts=parts,
        sent=sent,
        papers=facts.papers,
        papers_nothing=unknown if order.ProofOfDelivery is None and unknown else "No documents",
        overage=facts.overage,
        audits=facts.audits,
        audits_words=_unknown_words(facts.unknown),
        trouble=facts.trouble,
    )


def _unknown_words(count: int) -> str:
    if not count:
        return ""
    which = "1 audit was" if count == 1 else f"{count:,} audits were"
    return f"{which} never opened on this desk; whether one of them names this order is not known."

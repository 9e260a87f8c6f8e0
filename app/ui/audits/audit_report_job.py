"""Writes the PDF report of audits, on a thread of its own. A module apart: it imports the page painter."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress
from app.desk.files.whole_file import ExportTrouble, put_in_place
from app.desk.report.audit_reports import missing_words, pages_of, read_stories
from app.desk.report.report_photos import PhotoSupply, Picture
from app.translation import translate
from app.ui.audits import audits_words as words
from app.ui.printing.painting.page_painter import TypeRuler
from app.ui.printing.painting.photo_pages import MissingPhotos, sheet_of, write_pages
from app.ui.widgets.files.choose_files import Chosen
from app.ui.widgets.files.file_strip import FileResult


async def write_report(
    desk: Desk,
    numbers: Sequence[int],
    top: float,
    picture: Picture,
    now: datetime,
    chosen: Chosen,
    progress: Progress,
) -> FileResult:
    """Write the report into `chosen.target`.

    Raises `ExportTrouble`, `StoreError` or `Stopped`; the file that was at the target is untouched then.
    """
    told = await read_stories(desk, numbers, top, progress)
    if not told:
        raise ExportTrouble(words.NO_AUDIT_KNOWN)
    sheet = await sheet_of(desk, now)
    supply = PhotoSupply(picture, progress)
    title = told[0].title if len(told) == 1 else translate("Audits")

    def write(target: Path) -> tuple[int, MissingPhotos]:
        pages = pages_of(told, sheet, TypeRuler(), progress.checkpoint)
        return len(pages), write_pages(pages, target, title, supply, progress)

    pages, missing = await supply.run(lambda: put_in_place(chosen.target, write, replace=chosen.replace))
    gaps = [missing.words, missing_words(told, len(numbers))]
    sentences = [words.report_written(pages, chosen.target.name), *gaps]
    return FileResult(" ".join(each for each in sentences if each), "warn" if any(gaps) else "good")

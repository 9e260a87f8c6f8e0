"""Writes the report of audits into a PDF: laid out and painted on a thread beside the window."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress
from app.desk.files.whole_file import ExportTrouble, put_in_place
from app.desk.report.audit_reports import missing_words, pages_of, read_stories
from app.desk.report.report_photos import PhotoSupply, Picture
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
    """Raises `ExportTrouble`, `StoreError` or `Stopped`; then what was in the file's place is there still."""
    told = await read_stories(desk, numbers, top, progress)
    if not told:
        raise ExportTrouble("None of these audits is known any more, so there is nothing to report.")
    sheet = await sheet_of(desk, now)
    supply = PhotoSupply(picture, progress)
    title = told[0].title if len(told) == 1 else "Audits"

    def write(target: Path) -> tuple[int, MissingPhotos]:
        pages = pages_of(told, sheet, TypeRuler(), progress.checkpoint)
        return len(pages), write_pages(pages, target, title, supply, progress)

    pages, missing = await supply.run(lambda: put_in_place(chosen.target, write, replace=chosen.replace))
    parts = [f"The report is in {chosen.target.name}, {pages:,} page{'' if pages == 1 else 's'}."]
    parts += [missing.words, missing_words(told, len(numbers))]
    return FileResult(" ".join(part for part in parts if part), "warn" if any(parts[1:]) else "good")

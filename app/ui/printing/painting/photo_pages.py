"""Pages with photos as a PDF: each page is painted once its photos are there, and missing photos are counted."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress
from app.desk.files.whole_file import ExportTrouble
from app.desk.printing import print_choices
from app.desk.printing.page_marks import Page, Photos
from app.desk.printing.stock import LETTER, PAPERS
from app.desk.report.report_pages import Sheet
from app.desk.report.report_photos import PhotoSupply
from app.ui.printing.painting.page_output import PrintTrouble, save_pdf
from app.ui.printing.printing_words import photos_missing


@dataclass(slots=True)
class MissingPhotos:
    """Counts the photos that could not be shown. The report shows the reasons in their places."""

    photos: int = 0

    @property
    def words(self) -> str:
        """Empty when none is missing."""
        return photos_missing(self.photos) if self.photos else ""


def write_pages(
    pages: Sequence[Page], target: Path, title: str, supply: PhotoSupply, progress: Progress
) -> MissingPhotos:
    """Paint the pages into a PDF, on the thread that this runs in. Raises `ExportTrouble` or `Stopped`."""
    progress.stage, progress.total, progress.done = "pages", len(pages), 0
    missing = MissingPhotos()
    supply.expect(pages)

    def photos_of(page: Page) -> Photos:
        found = supply.photos_of(page)
        missing.photos += sum(isinstance(each, str) for each in found.values())
        return found

    try:
        save_pdf(pages, target, title, progress, photos_of)
    except PrintTrouble as error:
        raise ExportTrouble(error.sentence) from error
    return missing


async def sheet_of(desk: Desk, now: datetime) -> Sheet:
    """A report on the paper that was printed on last."""
    last = await print_choices.last(desk.journal)
    _, paper = PAPERS.get(last.paper, ("", LETTER))
    return Sheet(paper, now, practice=desk.profile.kind == "practice")

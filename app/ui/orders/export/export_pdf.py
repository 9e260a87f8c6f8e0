"""The list of orders as a PDF: laid out and painted page by page, beside the window."""

from collections.abc import Sequence
from functools import partial

from app.desk.desk import Desk
from app.desk.export.export_file import Exported
from app.desk.export.export_rows import ExportColumn, cells
from app.desk.export.paper_list import Heading, lay_out, plan
from app.desk.files.stoppable_work import Progress, aside
from app.desk.files.whole_file import ExportTrouble
from app.desk.printing import print_choices
from app.desk.printing.stock import LETTER, PAPERS
from app.store.cache.order_cursor import Cursor, walk
from app.store.cache.order_rows import OrderQuery
from app.ui.printing.painting.jobs import PrintTrouble, save_pdf
from app.ui.printing.painting.page_painter import TypeRuler
from app.ui.widgets.files.choose_files import Chosen

Paper = tuple[float, float]


async def export_pdf(
    desk: Desk,
    query: OrderQuery,
    columns: Sequence[ExportColumn],
    heading: Heading,
    chosen: Chosen,
    progress: Progress,
) -> tuple[Exported, Sequence[str]]:
    """Write the list on the paper that was printed on last; what was written, and the columns without room.

    Raises `ExportTrouble`, `StoreError` or `Stopped`; then what was in the file's place is there still.
    """
    last = await print_choices.last(desk.journal)
    _, paper = PAPERS.get(last.paper, ("", LETTER))
    use = partial(_write, columns, heading, chosen, paper, progress)
    return await aside(lambda: desk.reader.beside_now(walk, query, use, progress.look), progress)


def _write(
    columns: Sequence[ExportColumn],
    heading: Heading,
    chosen: Chosen,
    paper: Paper,
    progress: Progress,
    found: Cursor,
) -> tuple[Exported, Sequence[str]]:
    layout = plan(columns, paper)
    progress.stage, progress.total = "pages", layout.pages(len(found))
    rows = cells(found, layout.columns, progress)
    pages = lay_out(layout, heading, rows, len(found), TypeRuler(), progress.look)
    if chosen.target.exists() and not chosen.replace:
        raise ExportTrouble(f"There is a file {chosen.target.name} by now, and it was left as it is.")
    try:
        save_pdf(pages, chosen.target, heading.title, progress)
    except PrintTrouble as error:
        raise ExportTrouble(error.sentence) from error
    done = Exported(chosen.target, len(found) - found.gone, gone=found.gone)
    return done, [each.title for each in layout.left_out]

"""Exporting the orders that the table shows, as a spreadsheet or as a PDF list.

Invariant: a file appears at its place whole or not at all; what stood there before stays until then.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from app.desk.desk import Desk
from app.desk.export.export_file import Exported, Job, export
from app.desk.export.export_rows import ExportColumn, cells
from app.desk.export.paper_list import Heading, lay_out, plan
from app.desk.export.xlsx_file import ROWS_OF_A_SHEET
from app.desk.files.stoppable_work import Progress, in_thread
from app.desk.files.whole_file import ExportTrouble
from app.desk.printing import print_choices
from app.desk.printing.stock import LETTER, PAPERS
from app.store.cache.order_cursor import Cursor, walk
from app.store.cache.order_rows import OrderQuery
from app.translation import translate
from app.ui.orders import orders_words as words
from app.ui.printing.painting.page_output import PrintTrouble, save_pdf
from app.ui.printing.painting.page_painter import TypeRuler
from app.ui.widgets.files.choose_files import CSVS, Chosen, FileKind, table_kind
from app.ui.widgets.files.file_strip import FileJob, FileResult

KINDS: tuple[FileKind, ...] = (
    FileKind("xlsx", translate("Excel workbook, dates and ZIPs stay what they are"), "xlsx"),
    *CSVS,
    FileKind("pdf", translate("PDF list to print"), "pdf"),
)
_LONGEST_STEM = 60
_Paper = tuple[float, float]  # width and height in millimetres


@dataclass(frozen=True, slots=True)
class OrderExport:
    """The orders of `query`, written with these `columns`.

    `title` names the list ("Open orders"), `described` says how the list is filtered. A PDF shows both.
    """

    query: OrderQuery
    columns: Sequence[ExportColumn]
    title: str
    described: str = ""


def export_job(desk: Desk, wanted: OrderExport, now: datetime) -> FileJob:
    """The job that asks for a file and writes `wanted` into it."""
    name = f"{file_stem(wanted.title)}-{now:%Y-%m-%d}"
    return FileJob(translate("Export orders"), name, KINDS, partial(_write, desk, wanted, now), progress_words)


def file_stem(title: str) -> str:
    """`orders-open`: a title as the first part of a file name. Letters of any script stay."""
    return re.sub(r"[\W_]+", "-", title.lower()).strip("-")[:_LONGEST_STEM] or "orders"


def progress_words(progress: Progress) -> str:
    """How far an export is."""
    if not progress.total:
        return words.FINDING_ORDERS
    if progress.done >= progress.total:
        return words.WRITING_FILE
    counted = words.exporting_page if progress.stage == "pages" else words.exporting_order
    return counted(progress.done, progress.total)


def export_result(done: Exported, left_out: Sequence[str] = ()) -> FileResult:
    """The end of an export as the window shows it; `left_out` are columns without room on the paper."""
    parts = [words.exported(done.rows, done.target.name)]
    if done.sheets > 1:
        parts.append(words.split_into_sheets(done.sheets, ROWS_OF_A_SHEET))
    if done.gone:
        parts.append(words.orders_gone(done.gone))
    if done.cut:
        parts.append(words.texts_cut(done.cut))
    if left_out:
        parts.append(words.no_room_for(left_out))
    return FileResult(" ".join(parts), "warn" if done.gone or done.cut or left_out else "good")


async def _write(desk: Desk, wanted: OrderExport, now: datetime, chosen: Chosen, progress: Progress) -> FileResult:
    if chosen.kind.key == "pdf":
        heading = Heading(wanted.title, wanted.described, now, desk.profile.kind == "practice")
        return await _write_pdf(desk, wanted, heading, chosen, progress)
    job = Job(wanted.query, wanted.columns, table_kind(chosen), chosen.target, chosen.replace)
    return export_result(await export(desk, job, progress))


async def _write_pdf(
    desk: Desk, wanted: OrderExport, heading: Heading, chosen: Chosen, progress: Progress
) -> FileResult:
    """Write the list on the paper size that was printed on last.

    Raises `ExportTrouble`, `StoreError` or `Stopped`.
    """
    last = await print_choices.last(desk.journal)
    _, paper = PAPERS.get(last.paper, ("", LETTER))
    paint = partial(_paint, wanted.columns, heading, chosen, paper, progress)
    done, left_out = await in_thread(
        lambda: desk.reader.read_separately_now(walk, wanted.query, paint, progress.checkpoint), progress
    )
    return export_result(done, left_out)


def _paint(
    columns: Sequence[ExportColumn],
    heading: Heading,
    chosen: Chosen,
    paper: _Paper,
    progress: Progress,
    found: Cursor,
) -> tuple[Exported, Sequence[str]]:
    layout = plan(columns, paper)
    progress.stage, progress.total = "pages", layout.pages(len(found))
    rows = cells(found, layout.columns, progress)
    pages = lay_out(layout, heading, rows, len(found), TypeRuler(), progress.checkpoint)
    # The person was asked about a file of this name before the orders were read: another program may have made one.
    if chosen.target.exists() and not chosen.replace:
        raise ExportTrouble(words.file_appeared(chosen.target.name))
    try:
        save_pdf(pages, chosen.target, heading.title, progress)
    except PrintTrouble as error:
        raise ExportTrouble(error.sentence) from error
    done = Exported(chosen.target, len(found) - found.gone, gone=found.gone)
    return done, [each.title for each in layout.left_out]

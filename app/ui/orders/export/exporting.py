"""Exporting what the table shows: a job for the strip that makes files, on paper or as a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from app.desk.desk import Desk
from app.desk.export.export_file import Exported, Job, export
from app.desk.export.export_rows import ExportColumn
from app.desk.export.paper_list import Heading
from app.desk.files.stoppable_work import Progress
from app.store.cache.order_rows import OrderQuery
from app.ui.orders.export.export_words import KINDS, done_words, file_words, progress_words
from app.ui.widgets.files.choose_files import Chosen
from app.ui.widgets.files.file_work import FileJob, Made
from app.ui.widgets.files.table_files import table_kind


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be exported: the orders of a query, with these columns.

    `title` names the list ("Open orders"), `described` says how it is filtered; both stand on paper.
    """

    query: OrderQuery
    columns: Sequence[ExportColumn]
    title: str
    described: str = ""


def export_job(desk: Desk, wanted: Wanted, now: datetime) -> FileJob:
    """Exporting this from this desk."""
    name = f"{file_words(wanted.title)}-{now:%Y-%m-%d}"
    return FileJob("Export orders", name, KINDS, partial(_write, desk, wanted, now), progress_words)


def made(done: Exported, left_out: Sequence[str] = ()) -> Made:
    """What came of it; `left_out` are columns that found no room on the paper."""
    return Made(done_words(done, left_out), "warn" if done.gone or done.cut or left_out else "good")


async def _write(desk: Desk, wanted: Wanted, now: datetime, chosen: Chosen, progress: Progress) -> Made:
    if chosen.kind.key == "pdf":
        from app.ui.orders.export.export_pdf import export_pdf  # brings the painter, which most exports do without

        heading = Heading(wanted.title, wanted.described, now, desk.profile.kind == "practice")
        return made(*await export_pdf(desk, wanted.query, wanted.columns, heading, chosen, progress))
    job = Job(wanted.query, wanted.columns, table_kind(chosen), chosen.target, chosen.replace)
    return made(await export(desk, job, progress))

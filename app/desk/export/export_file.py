"""Exports the orders of a query into one file, on a thread of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from app.desk.desk import Desk
from app.desk.export.csv_file import write_csv
from app.desk.export.export_rows import ExportColumn, cells, counting
from app.desk.export.xlsx_file import Sheets, write_xlsx
from app.desk.files.stoppable_work import Progress, in_thread
from app.desk.files.whole_file import put_in_place
from app.store.cache.order_cursor import Cursor, walk
from app.store.cache.order_rows import OrderQuery

Kind = Literal["xlsx", "csv", "csv exact"]


@dataclass(frozen=True, slots=True)
class Job:
    """The orders, their columns, and the file. `replace`: a person agreed to replace the file at the target."""

    query: OrderQuery
    columns: Sequence[ExportColumn]
    kind: Kind
    target: Path
    replace: bool = False


@dataclass(frozen=True, slots=True)
class Exported:
    """The outcome. `gone` orders left the cache before they were read; `cut` texts were too long for a cell."""

    target: Path
    rows: int
    sheets: int = 1
    gone: int = 0
    cut: int = 0


async def export(desk: Desk, job: Job, progress: Progress) -> Exported:
    """Write the file, beside everything else. Raises `ExportTrouble`, `StoreError` or `Stopped`; then the target is as
    it was."""
    return await in_thread(
        lambda: desk.reader.read_separately_now(walk, job.query, partial(_export, job, progress), progress.checkpoint),
        progress,
    )


def _export(job: Job, progress: Progress, found: Cursor) -> Exported:
    titles = [each.title for each in job.columns]

    def write(path: Path) -> Sheets:
        rows = counting(cells(found, job.columns, progress), progress, len(found))
        if job.kind == "xlsx":
            return write_xlsx(path, titles, [each.width for each in job.columns], rows, scratch=path.parent)
        write_csv(path, titles, rows, exact=job.kind == "csv exact")
        return Sheets()

    made = put_in_place(job.target, write, replace=job.replace)
    return Exported(job.target, len(found) - found.gone, made.count, found.gone, made.cut)

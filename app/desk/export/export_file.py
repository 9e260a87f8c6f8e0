"""Exports the orders of a query into one file, on a thread of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from app.desk.desk import Desk
from app.desk.export.export_rows import ExportColumn, cells, counting
from app.desk.export.table_file import Kind, TableFile, write_table
from app.desk.files.stoppable_work import Progress, in_thread
from app.store.cache.order_cursor import Cursor, walk
from app.store.cache.order_rows import OrderQuery
from app.translation import translate


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
    rows = counting(cells(found, job.columns, progress), progress, len(found))
    wanted = TableFile(job.target, job.kind, translate("Orders"), job.replace)
    made = write_table(wanted, titles, rows, [each.width for each in job.columns])
    return Exported(job.target, len(found) - found.gone, made.count, found.gone, made.cut)

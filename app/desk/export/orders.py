"""Exporting the orders of a query into one file: whole in its place, or not at all.

It is written into a folder of its own beside the target, on the same disk, and moved there once it is complete. What is
at the target already is replaced only when the person has said so.
"""

import errno
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal, TypeVar

from app.desk.aside import Progress, aside
from app.desk.desk import Desk
from app.desk.export.csv_file import write_csv
from app.desk.export.rows import ExportColumn, cells, counted
from app.desk.export.xlsx_file import Sheets, write_xlsx
from app.store.cache_cursor import Cursor, walk
from app.store.cache_rows import OrderQuery

T = TypeVar("T")
Kind = Literal["xlsx", "csv", "csv exact"]
_FULL = (errno.ENOSPC, errno.EDQUOT) if hasattr(errno, "EDQUOT") else (errno.ENOSPC,)


class ExportTrouble(Exception):
    """Nothing was exported; `sentence` says why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Job:
    """Which orders, which of their columns, and where to. `replace`: the person wants the file there replaced."""

    query: OrderQuery
    columns: Sequence[ExportColumn]
    kind: Kind
    target: Path
    replace: bool = False


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written. `gone` orders were not known any more when their turn came; `cut` texts lost their ends."""

    target: Path
    rows: int
    sheets: int = 1
    gone: int = 0
    cut: int = 0


async def export(desk: Desk, job: Job, progress: Progress) -> Exported:
    """Write the file, beside everything else. Raises `ExportTrouble`, `StoreError` or `Stopped`; then the target is as
    it was."""
    return await aside(
        lambda: desk.reader.beside_now(walk, job.query, partial(_export, job, progress), progress.look), progress
    )


def _export(job: Job, progress: Progress, found: Cursor) -> Exported:
    titles = [each.title for each in job.columns]

    def write(path: Path) -> Sheets:
        rows = counted(cells(found, job.columns, progress), progress, len(found))
        if job.kind == "xlsx":
            return write_xlsx(path, titles, [each.width for each in job.columns], rows, scratch=path.parent)
        write_csv(path, titles, rows, exact=job.kind == "csv exact")
        return Sheets()

    made = put_in_place(job.target, write, replace=job.replace)
    return Exported(job.target, len(found) - found.gone, made.count, found.gone, made.cut)


def put_in_place(target: Path, write: Callable[[Path], T], *, replace: bool) -> T:
    """Let `write` make the file beside `target` and move it there. Raises `ExportTrouble`."""
    try:
        with tempfile.TemporaryDirectory(prefix=".waybill-", dir=target.parent, ignore_cleanup_errors=True) as folder:
            unfinished = Path(folder) / target.name
            made = write(unfinished)
            if target.exists() and not replace:
                raise ExportTrouble(
                    f"There is a file {target.name} by now, and it was left as it is. Choose another name."
                )
            unfinished.replace(target)
    except OSError as error:
        raise ExportTrouble(f"{target.name} could not be written into {target.parent}: {why_refused(error)}") from error
    return made


def why_refused(error: OSError) -> str:
    """Why the disk refused, for people."""
    if error.errno in _FULL:
        return "the disk is full."
    if isinstance(error, PermissionError):
        return "it is not allowed there, or another program has the file open."
    if isinstance(error, FileNotFoundError):
        return "the folder is not there."
    return f"{error.strerror or 'the disk reported an error'}."

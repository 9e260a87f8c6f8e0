"""Writes records into a file, with the columns and in the order of the table that shows them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.desk.export.csv_file import write_csv
from app.desk.export.export_file import Kind
from app.desk.export.export_rows import counting
from app.desk.export.spreadsheet_cells import Value
from app.desk.export.xlsx_file import Sheets, write_xlsx
from app.desk.files.stoppable_work import Progress, in_thread
from app.desk.files.whole_file import put_in_place
from app.desk.records.record_table import Record, RecordColumn, cell

_WIDEST, _NARROWEST = 48, 10


@dataclass(frozen=True, slots=True)
class Written:
    """How many records were written, and how many texts were cut because a cell does not hold them."""

    records: int
    cut: int = 0


@dataclass(frozen=True, slots=True)
class RecordFile:
    """The file to write: its kind, its place, the name of its sheet. `replace`: a person agreed to replace a file."""

    target: Path
    kind: Kind
    sheet: str
    replace: bool = False


async def write_records(
    records: Sequence[Record], columns: Sequence[RecordColumn], wanted: RecordFile, progress: Progress
) -> Written:
    """Write the records. Raises `ExportTrouble` or `Stopped`."""
    return await in_thread(lambda: Written(len(records), _write(records, columns, wanted, progress)), progress)


def _write(records: Sequence[Record], columns: Sequence[RecordColumn], wanted: RecordFile, progress: Progress) -> int:
    titles = [each.title for each in columns]

    def write(path: Path) -> Sheets:
        rows = counting(_cells(records, columns, progress), progress, len(records))
        if wanted.kind == "xlsx":
            widths = [min(max(len(title) + 2, _NARROWEST), _WIDEST) for title in titles]
            return write_xlsx(path, titles, widths, rows, scratch=path.parent, name=wanted.sheet)
        write_csv(path, titles, rows, exact=wanted.kind == "csv exact")
        return Sheets()

    return put_in_place(wanted.target, write, replace=wanted.replace).cut


def _cells(records: Sequence[Record], columns: Sequence[RecordColumn], progress: Progress) -> Iterator[list[Value]]:
    for record in records:
        progress.checkpoint()
        yield [cell(record, column) for column in columns]

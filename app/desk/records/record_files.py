"""Writes records into a file, with the columns and in the order of the table that shows them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.desk.export.export_rows import counting
from app.desk.export.spreadsheet_cells import Value
from app.desk.export.table_file import TableFile, write_table
from app.desk.files.stoppable_work import Progress, in_thread
from app.desk.records.record_table import Record, RecordColumn, cell

_WIDEST, _NARROWEST = 48, 10


@dataclass(frozen=True, slots=True)
class Written:
    """How many records were written, and how many texts were cut because a cell does not hold them."""

    records: int
    cut: int = 0


async def write_records(
    records: Sequence[Record], columns: Sequence[RecordColumn], wanted: TableFile, progress: Progress
) -> Written:
    """Write the records. Raises `ExportTrouble` or `Stopped`."""
    return await in_thread(lambda: Written(len(records), _write(records, columns, wanted, progress)), progress)


def _write(records: Sequence[Record], columns: Sequence[RecordColumn], wanted: TableFile, progress: Progress) -> int:
    titles = [each.title for each in columns]
    rows = counting(_cells(records, columns, progress), progress, len(records))
    widths = [min(max(len(title) + 2, _NARROWEST), _WIDEST) for title in titles]
    return write_table(wanted, titles, rows, widths).cut


def _cells(records: Sequence[Record], columns: Sequence[RecordColumn], progress: Progress) -> Iterator[list[Value]]:
    for record in records:
        progress.checkpoint()
        yield [cell(record, column) for column in columns]

"""The receipt of an import: every row of the file, its verdict and outcome, the order's number, when, and the
provider's words. As CSV or XLSX, which can be dropped again as a file to import.

Invariant: a receipt has every row of the file, in the file's order, with its cells as they were corrected.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import NamedTuple

from app.contract.replies import read_status
from app.desk.bulk import bulk_words as words
from app.desk.bulk.outcome.import_batch import file_row
from app.desk.bulk.outcome.import_verdicts import ImportVerdicts
from app.desk.bulk.rows.import_sheet import ImportSheet
from app.desk.desk import Desk
from app.desk.export.spreadsheet_cells import Value
from app.desk.export.table_file import TableFile, kind_by_name, write_table
from app.desk.files.stoppable_work import Progress, in_thread
from app.store.cache import listed_references
from app.store.journal import import_store
from app.store.journal.import_store import FileRow, ImportRow, OrderOutcome
from app.store.sqlite.text_values import local

RECEIPT_TITLES = words.RECEIPT_TITLES
_MOST_DIGITS = 15  # that a spreadsheet keeps


class _Outcome(NamedTuple):
    state: str
    number: int | None
    at: datetime | None
    words: str


async def write_receipt(desk: Desk, import_id: int, target: Path, progress: Progress, *, replace: bool) -> int:
    """Write the receipt of a frozen import as it stands now (CSV or XLSX by the suffix); how many rows.

    Raises `ExportTrouble`, `StoreError`, `Stopped`.
    """

    def write(about: ImportRow, found: Mapping[int, OrderOutcome], rows: Iterator[FileRow]) -> int:
        references = {each.reference for each in found.values()}
        shown = desk.reader.read_separately_now(listed_references.shown_orders, desk.profile.id, references)
        # The answer to a submission does not always give the number; a later list does.
        numbers = {reference: line.number for reference, line in shown.items()}
        outcomes = {place: _outcome(each, numbers) for place, each in found.items()}
        return _write(target, about.titles, rows, outcomes, progress, replace=replace)

    return await in_thread(lambda: desk.journal.read_separately_now(import_store.walk, import_id, write), progress)


async def write_check(
    sheet: ImportSheet, verdicts: ImportVerdicts, target: Path, progress: Progress, *, replace: bool
) -> int:
    """Write the rows with their verdicts and issues before anything is sent; how many rows.

    Raises `ExportTrouble`, `Stopped`.
    """

    def write() -> int:
        rows = (file_row(sheet, verdicts, row) for row in range(len(sheet)))
        return _write(target, sheet.titles, rows, {}, progress, replace=replace)

    return await in_thread(write, progress)


def _outcome(order: OrderOutcome, numbers: Mapping[str, int]) -> _Outcome:
    at = None if order.changed_at is None else local(order.changed_at).replace(microsecond=0)
    number = None
    if order.state in ("accepted", "confirmed"):
        told = None if order.reply is None else read_status(order.reply, order.reference).system_number
        number = told or numbers.get(order.reference)
    return _Outcome(words.STATES.get(order.state, order.state), number, at, order.sentence)


def _write(
    target: Path,
    titles: Sequence[str],
    rows: Iterable[FileRow],
    outcomes: Mapping[int, _Outcome],
    progress: Progress,
    *,
    replace: bool,
) -> int:
    width = len(titles)
    own = [
        place for place, title in enumerate(titles) if title not in RECEIPT_TITLES
    ]  # not those of an earlier receipt
    count = 0

    def cells() -> Iterator[Sequence[Value]]:
        nonlocal count
        for row in rows:
            count += 1
            progress.done = count
            progress.checkpoint()
            file_cells = _cells(row, width)
            yield [*(file_cells[place] for place in own), *_receipt_cells(row, outcomes.get(row.place))]

    named = [*(titles[place] for place in own), *RECEIPT_TITLES]
    write_table(TableFile(target, kind_by_name(target), words.ORDERS_SHEET, replace), named, cells())
    return count


def _cells(row: FileRow, width: int) -> list[Value]:
    """The cells of the file; numbers and dates of a workbook are what they were, so that they read the same again."""
    found: list[Value] = [*row.cells, *("" for _ in range(width - len(row.cells)))]
    # Not strict: journals hold rows of earlier versions that have more kinds than cells.
    for place, (kind, text) in enumerate(zip(row.kinds, row.cells, strict=False)):
        # A longer number stays a text: as a number the spreadsheet would round its last digits.
        if kind == "n" and len(text) <= _MOST_DIGITS:
            found[place] = float(text) if "." in text or "e" in text else int(text)
        elif kind == "d":
            found[place] = date.fromisoformat(text)
    return found


def _receipt_cells(row: FileRow, outcome: _Outcome | None) -> list[Value]:
    if outcome is None:
        return [row.verdict, words.STATES["not sent"] if row.verdict else "", None, None, row.sentence]
    return [row.verdict, outcome.state, outcome.number, outcome.at, outcome.words or row.sentence]

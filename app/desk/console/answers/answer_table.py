"""Lists of records in an answer as tables: columns found in the records, rows sorted, exported as CSV or XLSX."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path as File

from app.desk.console.answers import answers_words as words
from app.desk.console.forms.exact_json import Number, Path, Value, path_text, write_json
from app.desk.export.export_rows import counting
from app.desk.export.spreadsheet_cells import Value as Cell
from app.desk.export.table_file import Kind, TableFile, write_table
from app.desk.files.stoppable_work import Progress, in_thread

_MOST_COLUMNS = 200
_DEEPEST = 4  # records in records that are laid out flat
_LOOKED_AT = 1_000  # records in which columns are looked for
_MOST_TABLES = 50


@dataclass(frozen=True, slots=True)
class Table:
    """A list of records. A column is the path of a value in a record: records in records are laid out flat
    (`consignee.city`), lists in them are one cell of JSON. `left_out` columns are beyond the most there may be."""

    path: Path
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: frozenset[int] = frozenset()  # columns that hold numbers alone
    left_out: int = 0


def tables(value: Value) -> list[Table]:
    """All lists of records in a body, the largest first; a list of single values is one of one column."""
    found = sorted(_lists(value, ()), key=lambda each: -len(each[1]))[:_MOST_TABLES]
    return [_table(path, elements) for path, elements in found]


def sorted_rows(table: Table, column: int, *, descending: bool = False) -> list[int]:
    """The indexes of the rows, sorted by a column: numbers by value, all else by its text, empty cells last."""
    cells = [row[column] for row in table.rows]
    filled = [index for index, cell in enumerate(cells) if cell]
    empty = [index for index, cell in enumerate(cells) if not cell]
    return [*sorted(filled, key=lambda index: _order_of(cells[index]), reverse=descending), *empty]


async def export_table(
    table: Table, order: Sequence[int], kind: Kind, target: File, progress: Progress, *, replace: bool = False
) -> int:
    """Write the rows in this order to a file; how many. Raises `ExportTrouble`, `Stopped`."""
    rows = counting(_cells(table, order, progress), progress, len(order))
    wanted = TableFile(target, kind, words.SHEET, replace)
    await in_thread(lambda: write_table(wanted, table.columns, rows), progress)
    return len(order)


def _cells(table: Table, order: Sequence[int], progress: Progress) -> Iterator[list[Cell]]:
    for index in order:
        progress.checkpoint()
        yield [_cell(cell, numeric=at in table.numeric) for at, cell in enumerate(table.rows[index])]


def _cell(text: str, *, numeric: bool) -> Cell:
    """A number as one where the spreadsheet keeps all its digits."""
    # A spreadsheet's double holds fifteen digits; a longer number would be rounded there, so it goes as a text.
    if not numeric or not text or len(text) > 15:
        return text
    number = Number(text)
    exact = number.exact
    # Fewer than 16 digits first: with a large exponent the whole number itself would be too large.
    if exact == 0 or (exact.adjusted() < 15 and number.whole):
        return int(exact)
    # Beyond a double, as 1e999 and 1e-999 are, it stays what the provider said.
    return double if math.isfinite(double := float(exact)) and double else text


def _lists(value: Value, path: Path) -> Iterator[tuple[Path, list[Value]]]:
    """The lists of a body from the outside in. The elements of a table are looked into, its cells as well."""
    if isinstance(value, list):
        if value and (not path or any(isinstance(each, dict) for each in value)):
            yield path, value
        for index, each in enumerate(value):
            yield from _lists(each, (*path, index))
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from _lists(each, (*path, name))


def _table(path: Path, elements: list[Value]) -> Table:
    flat = [dict(_flat(each)) for each in elements]
    columns = list(dict.fromkeys(name for each in flat[:_LOOKED_AT] for name in each))
    shown = columns[:_MOST_COLUMNS]
    rows = tuple(tuple(_text(each.get(name)) for name in shown) for each in flat)
    numeric = frozenset(at for at, name in enumerate(shown) if _all_numbers(each.get(name) for each in flat))
    title = path_text(path) or words.WHOLE_BODY
    return Table(path, title, tuple(shown), rows, numeric, len(columns) - len(shown))


def _flat(value: Value, path: Path = ()) -> Iterator[tuple[str, Value]]:
    if isinstance(value, dict) and len(path) < _DEEPEST and (value or not path):
        for name, each in value.items():
            yield from _flat(each, (*path, name))
    else:
        yield path_text(path) or words.VALUE, value


def _text(value: Value) -> str:
    match value:
        case None:
            return ""
        case str():
            return value
        case Number():
            return value.text
        case _:
            return write_json(value, indent=None)


def _all_numbers(values: Iterator[Value]) -> bool:
    said = [each for each in values if each is not None]
    return bool(said) and all(isinstance(each, Number) and each.exact.is_finite() for each in said)


def _order_of(cell: str) -> tuple[int, Decimal, str]:
    try:
        number = Decimal(cell)
    except ArithmeticError:
        return 1, Decimal(0), cell.casefold()
    return (0, number, "") if number.is_finite() else (1, Decimal(0), cell.casefold())

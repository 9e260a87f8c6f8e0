"""XLSX with a type for every cell, written row by row: a million rows take no more memory than ten.

Invariant: a text is written as text, so it never runs and a ZIP keeps its zeros. A text that would run once somebody
edits the cell gets the spreadsheet's mark for text. After 1,048,576 rows the next sheet begins.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from app.desk.export.spreadsheet_cells import Value, date_only, fits_date, fits_number, looks_like_formula, written

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.workbook import Workbook
    from xlsxwriter.worksheet import Worksheet

ROWS_OF_A_SHEET = 1_048_576  # the titles are one of them
_CUT = -2  # xlsxwriter's return value for a text of more than the 32,767 characters of a cell


@dataclass(slots=True)
class Sheets:
    """The number of sheets written, and of texts that were cut because a cell does not hold them."""

    count: int = 1
    cut: int = 0


@dataclass(frozen=True, slots=True)
class _Formats:
    title: "Format"
    day: "Format"
    moment: "Format"
    marked: "Format"


def write_xlsx(
    target: Path,
    titles: Sequence[str],
    widths: Sequence[int],
    rows: Iterable[Sequence[Value]],
    *,
    scratch: Path,
    most: int = ROWS_OF_A_SHEET,
    name: str = "Orders",
) -> Sheets:
    """Write the rows below their titles into sheets of this name; `scratch` is a folder for what is written on the way.

    Raises OSError.
    """
    from xlsxwriter.exceptions import FileCreateError  # nobody exports before the first paint

    book = _new_book(target, scratch)
    try:
        made = _fill(book, titles, widths, rows, most, name)
    except BaseException:
        _let_go(book)
        raise
    try:
        book.close()
    except FileCreateError as error:
        _let_go(book)
        raise OSError(*getattr(error.args[0], "args", error.args)) from error
    return made


def _new_book(target: Path, scratch: Path) -> "Workbook":
    from xlsxwriter.workbook import Workbook

    options = {
        # A sheet of a million rows is written row by row, and never held in memory.
        "constant_memory": True,
        "tmpdir": str(scratch),
        # A text stays the text that it is: no formula, no number without its zeros, no link.
        "strings_to_formulas": False,
        "strings_to_numbers": False,
        "strings_to_urls": False,
        "use_zip64": True,
    }
    return Workbook(str(target), options)


def _fill(
    book: "Workbook",
    titles: Sequence[str],
    widths: Sequence[int],
    rows: Iterable[Sequence[Value]],
    most: int,
    name: str,
) -> Sheets:
    formats = _Formats(
        book.add_format({"bold": True}),
        book.add_format({"num_format": "yyyy-mm-dd"}),
        book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"}),
        book.add_format({"quote_prefix": True}),
    )
    made = Sheets()
    sheet, at = _new_sheet(book, name, titles, widths, formats), 1
    for row in rows:
        if at == most:
            made.count += 1
            _add_filter(sheet, titles, at)
            sheet, at = _new_sheet(book, f"{name} {made.count}", titles, widths, formats), 1
        for place, value in enumerate(row):
            made.cut += _write(sheet, at, place, value, formats)
        at += 1
    _add_filter(sheet, titles, at)
    return made


def _add_filter(sheet: "Worksheet", titles: Sequence[str], rows: int) -> None:
    """Offer the spreadsheet's own filter at each title."""
    if titles and rows > 1:
        sheet.autofilter(0, 0, rows - 1, len(titles) - 1)


def _new_sheet(
    book: "Workbook", name: str, titles: Sequence[str], widths: Sequence[int], formats: _Formats
) -> "Worksheet":
    sheet = book.add_worksheet(name)
    sheet.freeze_panes(1, 0)
    for place, width in enumerate(widths):
        sheet.set_column(place, place, width)
    for place, title in enumerate(titles):
        sheet.write_string(0, place, title, formats.title)
    return sheet


def _write(sheet: "Worksheet", row: int, place: int, value: Value, formats: _Formats) -> int:
    """Write one cell; 1 when its text had to be cut."""
    if value is None or value == "":
        return 0
    if fits_number(value):
        sheet.write_number(row, place, value)
    elif fits_date(value):
        with_time = isinstance(value, datetime) and not date_only(value)
        sheet.write_datetime(row, place, value, formats.moment if with_time else formats.day)
    else:
        text = written(value).encode("utf-8", "replace").decode()
        mark = formats.marked if looks_like_formula(text) else None
        return int(sheet.write_string(row, place, text, mark) == _CUT)
    return 0


def _let_go(book: "Workbook") -> None:
    """Close the temporary files of the book: Windows removes no folder with an open file."""
    for sheet in book.worksheets():
        sheet.row_data_fh.close()

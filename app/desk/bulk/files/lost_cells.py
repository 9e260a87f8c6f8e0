"""Finds the cells that the reader of workbooks gives as blank: errors, and formulas without a value.

In an XLSX file each of them has its place. In XLS and ODS files they are only counted, for all sheets together.
"""

import re
import zipfile
from pathlib import Path, PurePosixPath

from defusedxml import ElementTree

NO_VALUE = "#FORMULA?"  # stands for a formula that no spreadsheet has calculated yet
LostCell = tuple[int, int, str]  # row and column of the sheet, from 0, and the text

_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
# A cell as any writer of XML may put it: with a prefix, quotes of either kind, texts as CDATA, its place left out. By
# patterns, because a parser takes ten times as long for the cells of a large sheet.
_P = rb"(?:[\w.-]+:)?"
_TEXTS = rb"[^<]*(?:<!\[CDATA\[(?:(?!\]\]>).)*\]\]>[^<]*)*"
_BLANK = rb"\s*(?:<!\[CDATA\[\s*\]\]>\s*)?"
_TYPE_ERROR = rb"\bt\s*=\s*[\"']e[\"']"
_ERROR = re.compile(
    rb"<" + _P + rb"c\b([^<>]*" + _TYPE_ERROR + rb"[^<>]*)(?:(?<=/)>|(?<!/)>(.*?)</" + _P + rb"c\s*>)", re.DOTALL
)
_FORMULA = re.compile(
    rb"<" + _P + rb"c\b([^<>]*)>\s*<" + _P + rb"f\b[^<>]*(?:(?<=/)>|(?<!/)>" + _TEXTS + rb"</" + _P + rb"f\s*>)"
    rb"\s*(?:<" + _P + rb"v\b[^<>]*(?:(?<=/)>|(?<!/)>" + _BLANK + rb"</" + _P + rb"v\s*>))?\s*</" + _P + rb"c\s*>",
    re.DOTALL,
)
_TYPE_TEXT = re.compile(rb"\bt\s*=\s*[\"']str[\"']")
_TEXT = re.compile(rb"<" + _P + rb"v\b[^<>]*>\s*(?:<!\[CDATA\[)?([^<\]]*)")
_PLACE = re.compile(rb"\br\s*=\s*[\"']([A-Z]{1,3})(\d+)[\"']")
_START = re.compile(rb"<" + _P + rb"(?:(row)|c)\b([^<>]*)>")
_ROW = re.compile(rb"\br\s*=\s*[\"'](\d+)[\"']")
_ODS_ERROR = b'calcext:value-type="error"'
# A cell with an error, and a formula with one, as records of an XLS file: number, length, row, column, format, value.
_CODES = rb"[\x00\x07\x0f\x17\x1d\x24\x2a]"
_XLS_ERROR = re.compile(
    rb"\x05\x02\x08\x00.{6}" + _CODES + rb"\x01|\x06\x00.{2}.{6}\x02\x00" + _CODES + rb"\x00\x00\x00\xff\xff", re.DOTALL
)


def lost_cells(path: Path, sheet: int) -> list[LostCell]:
    """The cells of the sheet at this place of an XLSX file; empty for other files."""
    with zipfile.ZipFile(path) as book:
        part = _part_of(book, sheet)
        if part is None:
            return []
        body = book.read(part)
    if not any(each in body for each in (b"'e'", b'"e"', b"<f", b":f")):
        return []
    found = [(cell, (text := _TEXT.search(cell[2] or b"")) and text[1]) for cell in _ERROR.finditer(body)]
    # A formula that gives an empty text has no value either: its type tells that it was calculated.
    found += [(cell, NO_VALUE.encode()) for cell in _FORMULA.finditer(body) if not _TYPE_TEXT.search(cell[1])]
    places = {} if all(_PLACE.search(cell[1]) for cell, _ in found) else _places(body)
    return [
        (*(places.get(cell.start()) or _place(cell[1])), (text or b"#VALUE!").decode("utf-8", "replace"))
        for cell, text in found
    ]


def count_errors(path: Path) -> int:
    """How many cells with errors an XLS or ODS file has."""
    if not zipfile.is_zipfile(path):
        return sum(1 for _ in _XLS_ERROR.finditer(path.read_bytes()))
    with zipfile.ZipFile(path) as book:
        return book.read("content.xml").count(_ODS_ERROR) if "content.xml" in book.namelist() else 0


def _part_of(book: zipfile.ZipFile, sheet: int) -> str | None:
    """The name of the part that holds a sheet."""
    if "xl/workbook.xml" not in book.namelist():
        return None
    sheets = ElementTree.fromstring(book.read("xl/workbook.xml")).findall(".//{*}sheets/{*}sheet")
    wanted = sheets[sheet].get(_RELATION)
    relations = ElementTree.fromstring(book.read("xl/_rels/workbook.xml.rels"))
    target = next((each.get("Target", "") for each in relations if each.get("Id") == wanted), "")
    part = target.removeprefix("/") if target.startswith("/") else str(PurePosixPath("xl") / target)
    return part if part in book.namelist() else None


def _place(attributes: bytes) -> tuple[int, int]:
    """The row and column of a cell that says its place."""
    place = _PLACE.search(attributes)
    assert place is not None
    column = 0
    for letter in place[1]:
        column = column * 26 + letter - 64
    return int(place[2]) - 1, column - 1


def _places(body: bytes) -> dict[int, tuple[int, int]]:
    """The row and column of each cell by where it begins: one that does not say its place is beside the last one."""
    found: dict[int, tuple[int, int]] = {}
    row, column = -1, -1
    for start in _START.finditer(body):
        if start[1]:
            number = _ROW.search(start[2])
            row, column = row + 1 if number is None else int(number[1]) - 1, -1
        else:
            row, column = _place(start[2]) if _PLACE.search(start[2]) else (row, column + 1)
            found[start.start()] = row, column
    return found

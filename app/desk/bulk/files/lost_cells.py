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
_ERROR = re.compile(rb'<c\b([^>]*\bt="e"[^>]*)>(.*?)</c>', re.DOTALL)
_FORMULA = re.compile(rb"<c\b([^>]*)>\s*<f\b[^>]*(?:/>|>[^<]*</f>)\s*(?:<v\s*/>|<v>\s*</v>)?\s*</c>")
_TEXT = re.compile(rb"<v>([^<]*)</v>")
_PLACE = re.compile(rb'\br="([A-Z]{1,3})(\d+)"')
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
    found = []
    if b't="e"' in body:
        found += [_lost(cell[1], (text := _TEXT.search(cell[2])) and text[1]) for cell in _ERROR.finditer(body)]
    if b"<f" in body:
        # A formula that gives an empty text has no value either: its type tells that it was calculated.
        found += [_lost(cell[1], NO_VALUE.encode()) for cell in _FORMULA.finditer(body) if b't="str"' not in cell[1]]
    return [each for each in found if each is not None]


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


def _lost(attributes: bytes, text: bytes | None) -> LostCell | None:
    place = _PLACE.search(attributes)
    if place is None:
        return None
    column = 0
    for letter in place[1]:
        column = column * 26 + letter - 64
    return int(place[2]) - 1, column - 1, (text or b"#VALUE!").decode("utf-8", "replace")

"""What is exported and what is copied, opened in LibreOffice itself: every cell has its type, and none runs.

Needs LibreOffice's soffice on the path and is skipped without it: the other tests of exports read with openpyxl.
"""

import shutil
import subprocess
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from defusedxml.ElementTree import parse

from app.desk.export.csv_file import write_csv
from app.desk.export.spreadsheet_cells import Value, clipboard_table, guarded
from app.desk.export.xlsx_file import write_xlsx
from tests.support.exported import TEXTS

SOFFICE = shutil.which("soffice")
pytestmark = pytest.mark.skipif(SOFFICE is None, reason="LibreOffice is not installed")

OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
FLAT = "fods:OpenDocument Spreadsheet Flat XML"
# Tab (9) or comma (44), UTF-8 (76), from the first line on; numbers, dates and flags are looked for as when one pastes.
PASTED, OPENED = (
    "Text - txt - csv (StarCalc):9,34,76,1,,1033,false,true",
    "Text - txt - csv (StarCalc):44,34,76,1,,1033,false,true",
)
AS_TABLE = "HTML (StarCalc)"

MOMENT, DAY = datetime(2026, 11, 24, 14, 2, 10), datetime(2026, 12, 1)
TITLES = ["Text", "Number", "Moment", "Day", "Flag", "Nothing"]
ROWS: list[list[Value]] = [
    [text, at, MOMENT + timedelta(days=at), DAY, at % 2 == 0, None] for at, text in enumerate(TEXTS)
]
TYPES = ["string", "float", "date", "date", "string", ""]

Cell = tuple[str, str, str]  # its type, its value or words, its formula


def _words(cell: object) -> str:
    return "\n".join("".join(_spelt(each)) for each in cell.iter(f"{TEXT}p"))  # type: ignore[attr-defined]


def _spelt(paragraph: object) -> Iterator[str]:
    yield paragraph.text or ""  # type: ignore[attr-defined]
    for part in paragraph:  # type: ignore[attr-defined]
        if part.tag == f"{TEXT}s":
            yield " " * int(part.get(f"{TEXT}c", "1"))
        else:
            yield "\t" if part.tag == f"{TEXT}tab" else "".join(part.itertext())
        yield part.tail or ""


def _opened(file: Path, reading: str = "") -> list[list[Cell]]:
    """The cells of the first sheet as LibreOffice understands the file."""
    assert SOFFICE is not None
    place = f"-env:UserInstallation={(file.parent / 'office').as_uri()}"
    into = ["--convert-to", FLAT, "--outdir", str(file.parent / "out")]
    how = [f"--infilter={reading}"] if reading else []
    subprocess.run([SOFFICE, "--headless", place, *how, *into, str(file)], check=True, capture_output=True, timeout=90)
    sheet = next(parse(file.parent / "out" / f"{file.stem}.fods").iter(f"{TABLE}table"))
    rows = [_row(row) for row in sheet.iter(f"{TABLE}table-row")]
    return [cells for cells in rows if any(what for _, what, _ in cells)]


def _row(row: object) -> list[Cell]:
    cells: list[Cell] = []
    for cell in row.iter(f"{TABLE}table-cell"):  # type: ignore[attr-defined]
        kind = cell.get(f"{OFFICE}value-type", "")
        value = {"float": "value", "date": "date-value"}.get(kind)
        what = cell.get(f"{OFFICE}{value}", "") if value else _words(cell)
        cells += [(kind, what, cell.get(f"{TABLE}formula", ""))] * int(cell.get(f"{TABLE}number-columns-repeated", "1"))
    return cells[: len(TITLES)]


def _check(found: list[list[Cell]], texts: list[str]) -> None:
    assert [words for _, words, _ in found[0]] == TITLES
    assert [formula for row in found for *_, formula in row if formula] == []
    for cells, row, text in zip(found[1:], ROWS, texts, strict=True):
        assert cells[0] == ("string", text, "")
        _check_values(cells, row)


def _check_values(cells: list[Cell], row: list[Value]) -> None:
    assert [kind for kind, *_ in cells[1:]] == TYPES[1:]
    moment, day = row[2], row[3]
    assert isinstance(moment, datetime)
    assert isinstance(day, datetime)
    assert [what for _, what, _ in cells[1:5]] == [
        str(row[1]), moment.isoformat(), day.date().isoformat(), "Yes" if row[4] else "No",
    ]  # fmt: skip


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def test_a_workbook_opens_with_its_types_and_every_text_letter_for_letter(tmp_path: Path) -> None:
    write_xlsx(tmp_path / "orders.xlsx", TITLES, [12] * 6, ROWS, scratch=tmp_path)
    _check(_opened(tmp_path / "orders.xlsx"), list(TEXTS))


def test_csv_opens_with_its_types_and_runs_nothing(tmp_path: Path) -> None:
    write_csv(tmp_path / "orders.csv", TITLES, ROWS)
    _runs_nothing(_opened(tmp_path / "orders.csv", OPENED))


def test_what_was_copied_pastes_with_its_types_as_a_table(tmp_path: Path) -> None:
    (tmp_path / "copied.html").write_text(clipboard_table(TITLES, ROWS).html, encoding="utf-8")
    _check(_opened(tmp_path / "copied.html", AS_TABLE), [" ".join(_lines(t).split(" ")).strip(" \t\n") for t in TEXTS])


def test_what_was_copied_runs_nothing_when_it_is_pasted_as_text(tmp_path: Path) -> None:
    (tmp_path / "copied.csv").write_bytes(clipboard_table(TITLES, ROWS).text.encode())
    _runs_nothing(_opened(tmp_path / "copied.csv", PASTED))


def _runs_nothing(found: list[list[Cell]]) -> None:
    """A text that a spreadsheet takes for a number or a date may become one; what would run is text."""
    assert [formula for row in found for *_, formula in row if formula] == []
    for cells, row, text in zip(found[1:], ROWS, TEXTS, strict=True):
        _check_values(cells, row)
        if guarded(text) != text:
            assert cells[0][:2] == ("string", _lines(guarded(text)))
